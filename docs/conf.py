"""Settings of the documentation: sphinx-build -W docs docs/_build/html."""

import os
import pathlib
import re
import sys

import sklearn_cvtest

DOCS = pathlib.Path(__file__).parent
EXAMPLES = DOCS.parent / "examples"
sys.path.insert(0, str(DOCS / "_ext"))

from inventories import PROJECTS  # noqa: E402

os.environ.setdefault("TQDM_DISABLE", "1")

project = "sklearn_cvtest"
author = copyright = "the sklearn_cvtest developers"
version = release = sklearn_cvtest.__version__
default_role = "literal"
exclude_patterns = ["_build", "README.md"]
templates_path = ["_templates"]
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.extlinks",
    "sphinx.ext.intersphinx",
    "numpydoc",
    "myst_parser",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "mathml",
    "pages",
]

# The names that examples use, as _ext/inventories.py wrote them down: no build fetches
# an inventory.
intersphinx_mapping = {
    name: (address, f"_inventories/{name}.inv") for name, address in PROJECTS.items()
}
extlinks = {
    "doi": ("https://doi.org/%s", "doi:%s"),
    "arxiv": ("https://arxiv.org/abs/%s", "arXiv:%s"),
    "sklearn": ("https://scikit-learn.org/stable/%s.html", "%s"),
}
myst_heading_anchors = 3
myst_enable_extensions = ["dollarmath"]

autosummary_generate = True
autodoc_typehints = "none"
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = "sklearn_cvtest"
html_math_renderer = "mathml"
html_static_path = ["_static"]
html_domain_indices = False
html_css_files = ["custom.css"]
html_favicon = "_static/logo.svg"
html_theme_options = {
    "logo": {"image_light": "_static/logo.svg", "image_dark": "_static/logo.svg"}
    | {"text": "sklearn_cvtest", "alt_text": "Logo: four folds"},
    "navbar_start": ["navbar-logo", "version-menu"],
    "navbar_end": ["source-link", "theme-switcher"],
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": {
        "**": ["page-toc", "edit-link"],
        "auto_examples/index": [],  # room for two pictures in a row
    },
}
html_sidebars = {
    name: []
    for name in (
        "index",
        "tutorial",
        "faq",
        "changes",
    )
}


def papers_without_results():
    """Yield the scripts that show stored results which are not there (yet)."""
    for path in sorted((EXAMPLES / "papers").glob("plot_*.py")):
        name = path.stem.removeprefix("plot_")
        if not (path.parent / "results" / f"{name}.csv").exists():
            yield path.stem


MISSING = set(papers_without_results())

sphinx_gallery_conf = {
    "examples_dirs": str(EXAMPLES),
    "gallery_dirs": "auto_examples",
    "filename_pattern": r"/(plot_|is_it_)",
    "ignore_pattern": "|".join([r"(^|/)_", *sorted(MISSING)]),
    "doc_module": ("sklearn_cvtest",),
    "backreferences_dir": "generated/backreferences",
    "inspect_global_variables": False,
    "download_all_examples": False,
    "default_thumb_file": str(DOCS / "_static" / "thumbnail.png"),
    "thumbnail_size": (960, 600),
    "show_memory": False,
    "write_computation_times": False,
    "capture_repr": (),
    "show_signature": False,
    "abort_on_example_error": False,
    "within_subsection_order": "pages.FromTheQuestion",
    "reset_modules": ("matplotlib",),
}


def skip_inherited(app, what, name, item, skip, options):
    """Leave out what is inherited from scikit-learn or Python."""
    item = getattr(item, "fget", item)
    item = getattr(item, "__func__", item)
    module = getattr(item, "__module__", None) or ""
    return skip or not module.startswith("sklearn_cvtest")


def adapt_docstring(app, what, name, item, options, lines):
    """Let |t| be an absolute value, not a substitution; link the measured rates."""
    for number, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...")):
            line = re.sub(r"(`[^`]*`)|\|", lambda found: found[1] or r"\|", line)
            lines[number] = line.replace("docs/trust.md", ":doc:`/trust`")


def shorten_signature(app, what, name, item, options, signature, annotation):
    """Show the default of a metric by its class, not by its two dozen fields."""
    if signature:
        signature = re.sub(
            r"=Metric\(name=''.*?by_split=False\)", "=Metric()", signature
        )
    return signature, annotation


def setup(app):
    app.connect("autodoc-process-signature", shorten_signature)
    app.connect("autodoc-process-docstring", adapt_docstring, priority=900)
    app.connect("autodoc-skip-member", skip_inherited)
