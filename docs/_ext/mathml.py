"""Formulas as MathML: every current browser shows it, without a script to fetch."""

from docutils.utils.math.latex2mathml import tex2mathml


def visit_inline(writer, node):
    _write(writer, node, as_block=False)


def visit_block(writer, node):
    _write(writer, node, as_block=True)


def _write(writer, node, as_block):
    from docutils import nodes

    formula = str(tex2mathml(node.astext(), as_block=as_block))
    if as_block:  # on a phone it scrolls, by keys as well
        formula = formula.replace("<math ", '<math tabindex="0" ', 1)
    writer.body.append(formula)
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
