"""What pages have: links to names and examples, versions, a link to the source."""

import importlib
import json
import re
import sys
import tomllib
from pathlib import Path

from docutils import nodes
from sphinx import addnodes

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

import quoted  # noqa: E402

THUMBNAIL = "/thumb/"


ORDER = (  # of the examples in a section: from the question to the special
    *("is_it_really_better", "how_sure_of_a_score", "from_a_csv", "what_next"),
    *("designs", "planning", "groups", "forecasts", "cluster"),
    *("published_claim", "equivalence", "probability_better", "auc", "repeats"),
    *("displays", "leaderboard", "critical_difference", "grid_search_stats"),
    "simplest_not_worse",
    *("benchmark_table", "over_datasets", "logs"),
)


class FromTheQuestion:
    """The order of the examples of a section: as above, then by name."""

    def __init__(self, folder):
        pass

    def __call__(self, name):
        short = name.removeprefix("plot_").removesuffix(".py")
        return (ORDER.index(short) if short in ORDER else len(ORDER), name)


def repository():
    """Return the address of the repository that pyproject.toml names, or None."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    urls = {name.lower(): url for name, url in project.get("urls", {}).items()}
    address = urls.get("source") or urls.get("repository")
    return address and address.rstrip("/")


def versions(docs):
    return json.loads((docs / "_static" / "switcher.json").read_text("utf-8"))


def written_in(docs, pagename):
    """Return the file of the repository that a page is written in, or None."""
    if pagename.startswith("auto_examples/"):
        path = ROOT / "examples" / f"{pagename.removeprefix('auto_examples/')}.py"
        if path.name == "index.py":
            path = path.with_name("GALLERY_HEADER.rst")
        paths = [path]
    else:
        paths = [docs / f"{pagename}{suffix}" for suffix in (".rst", ".md")]
    if pagename.startswith("generated/"):
        return None  # made from a docstring, which has a link of its own
    found = [path.relative_to(ROOT).as_posix() for path in paths if path.exists()]
    return found[0] if found else None


def add_context(app, pagename, templatename, context, doctree):
    """Give templates what they show, and mend what the writers of pages leave out."""
    docs = Path(app.confdir)
    context["repository"] = repository()
    context["versions"] = versions(docs)
    context["written_in"] = context.get("sourcename") and written_in(docs, pagename)
    to_root = "../" * pagename.count("/")
    context["relative_to_root"] = lambda url: url if ":" in url else to_root + url
    if "body" in context:
        context["body"] = mended(context["body"])


def mended(body):
    """Return the HTML of a page with roles that fit their children."""
    # A list of role "list" must have items of role "listitem"; these are entries of a
    # bibliography, which need no list.
    body = body.replace('<div role="list" class="citation-list">', "<div>")
    # Pictures of the index of modules are buttons that open a part of it.
    return re.sub(
        r'(<img src="[^"]*minus\.png"[^>]*alt=)"-"', r'\1"open or close"', body
    )


EXAMPLE = re.compile(r"\]\((?:\.\./)+(examples/[\w/]+)/(\w+)\.py\)")
API = ("", "losses", "results", "exceptions", "simulation")
LABELS = {  # of sections in Markdown that pages in reStructuredText refer to
    "scores_guide": ("guide/scores", "llm-evaluations-runs-and-examples"),
}


# Pages that are a file of the repository; where nothing is built, they link it.
FILES = {"changes": "CHANGELOG.md", "contributing": "CONTRIBUTING.md"}


def prepare(app, docname, source):
    """Write missing numbers, and link the pages of examples in place of their files."""
    path = Path(app.env.doc2path(docname))
    if docname in FILES:
        app.env.note_dependency(ROOT / FILES[docname])
        source[0] = (ROOT / FILES[docname]).read_text("utf-8")
    page = path.relative_to(ROOT).as_posix()
    if page in quoted.SENTENCES:
        source[0] = quoted.written(page)
    if path.suffix == ".md":
        to_root = "../" * docname.count("/")

        def linked(found):
            folder = found[1].replace("examples", "auto_examples")
            return f"]({to_root}{folder}/{found[2]}.rst)"

        source[0] = EXAMPLE.sub(linked, source[0])


def public_names():
    """Return {name as pages write it: name in the API}."""
    names = {}
    for module in API:
        place = ".".join(filter(None, ["sklearn_cvtest", module]))
        for name in importlib.import_module(place).__all__:
            names.setdefault(name, f"{place}.{name}")
            if module:
                names[f"{module}.{name}"] = f"{place}.{name}"
    return {name: target for name, target in names.items() if name != "simulation"}


def link_names(app, doctree):
    """Link the names of functions and classes in pages that are Markdown."""
    if Path(app.env.doc2path(app.env.docname)).suffix != ".md":
        return
    names = public_names()
    for literal in list(doctree.findall(nodes.literal)):
        target = names.get(literal.astext().partition("(")[0])
        if target and not isinstance(literal.parent, nodes.reference):
            reference = addnodes.pending_xref(
                "", refdomain="py", reftype="obj", reftarget=target, refexplicit=True
            )
            literal.replace_self(reference)
            reference += literal


def add_labels(app, env):
    labels = env.domains.standard_domain.labels
    for name, (docname, anchor) in LABELS.items():
        labels[name] = (docname, anchor, "")
        env.domains.standard_domain.anonlabels[name] = (docname, anchor)


def describe_thumbnails(app, doctree, docname):
    """Say of a thumbnail whose figure it is."""
    for image in doctree.findall(nodes.image):
        if THUMBNAIL in image["uri"] and not image.get("alt"):
            after = image.parent[image.parent.index(image) + 1 :]
            titles = [node.astext() for node in after if node.astext()]
            image["alt"] = " ".join(["A figure of the example", *titles[:1]])


def setup(app):
    app.connect("source-read", prepare)
    app.connect("doctree-read", link_names)
    app.connect("env-updated", add_labels)
    app.connect("html-page-context", add_context)
    app.connect("doctree-resolved", describe_thumbnails)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
