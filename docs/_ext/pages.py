"""What pages have: measured numbers, versions, a link to the source, names read out."""

import json
import re
import tomllib
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError

ROOT = Path(__file__).parent.parent.parent
THUMBNAIL = "/thumb/"


ORDER = (  # of the examples in a section: from the question to the special
    *("is_it_really_better", "how_sure_of_a_score", "from_a_csv", "what_next"),
    *("designs", "planning", "groups", "forecasts", "cluster"),
    *("published_claim", "equivalence", "probability_better", "auc", "repeats"),
    *("displays", "leaderboard", "critical_difference", "grid_search_stats"),
    *("simplest_not_worse", "race", "ledger"),
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


def insert_numbers(app, docname, source):
    """Put the measured numbers where a page has their names, |name|."""

    def number(found):
        if found[1] not in app.config.quoted:
            raise ExtensionError(f"{docname}: no number is called {found[1]}")
        return app.config.quoted[found[1]]

    source[0] = re.sub(r"\|(\w+)\|", number, source[0])


def describe_thumbnails(app, doctree, docname):
    """Say of a thumbnail whose figure it is."""
    for image in doctree.findall(nodes.image):
        if THUMBNAIL in image["uri"] and not image.get("alt"):
            after = image.parent[image.parent.index(image) + 1 :]
            titles = [node.astext() for node in after if node.astext()]
            image["alt"] = " ".join(["A figure of the example", *titles[:1]])


def setup(app):
    app.add_config_value("quoted", {}, "env", dict)
    app.connect("source-read", insert_numbers)
    app.connect("html-page-context", add_context)
    app.connect("doctree-resolved", describe_thumbnails)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
