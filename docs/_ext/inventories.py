"""Write down where the names that examples use are documented, for links of the build.

Run: python docs/_ext/inventories.py

One small inventory for each project, with the names that examples/ take from it and no
others, so that a build fetches nothing. The addresses follow the rule by which a
project names the pages of its reference.
"""

import ast
import importlib
import inspect
import zlib
from pathlib import Path

import numpy as np

DOCS = Path(__file__).parent.parent
FOLDER = DOCS / "_inventories"
EXAMPLES = DOCS.parent / "examples"
PROJECTS = {
    "sklearn": "https://scikit-learn.org/stable/",
    "numpy": "https://numpy.org/doc/stable/",
    "scipy": "https://docs.scipy.org/doc/scipy/",
    "pandas": "https://pandas.pydata.org/docs/",
    "matplotlib": "https://matplotlib.org/stable/",
}
PAGES = {
    "sklearn": "modules/generated/{}.html",
    "numpy": "reference/generated/{}.html",
    "scipy": "reference/generated/{}.html",
    "pandas": "reference/api/{}.html",
    "matplotlib": "api/_as_gen/{}.html",
}
ELSEWHERE = {"numpy.random.default_rng": "reference/random/generator.html"}


def names_used(source):
    """Return the dotted names that a script takes from the projects."""
    known, used = {}, set()
    nodes = list(ast.walk(ast.parse(source)))
    for node in nodes:
        if isinstance(node, ast.Import):
            for name in node.names:
                local = name.asname or name.name.partition(".")[0]
                known[local] = name.name if name.asname else local
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for name in node.names:
                known[name.asname or name.name] = f"{node.module}.{name.name}"
    used |= set(known.values())
    for node in nodes:
        if isinstance(node, ast.Attribute):
            first, *rest = ast.unparse(node).split(".")
            if first in known:
                used.add(".".join([known[first], *rest]))
    return {name for name in used if name.partition(".")[0] in PROJECTS}


def found(name):
    """Return the class or function that a module calls so, or None."""
    module, _, last = name.rpartition(".")
    try:
        item = getattr(importlib.import_module(module), last)
    except (ImportError, AttributeError, ValueError):
        return None  # of something else than a module, such as the method of a result
    return item if callable(item) else None


def entry(name, item):
    """Return the line of an inventory."""
    project = name.partition(".")[0]
    kind = "class" if inspect.isclass(item) else "function"
    # numpy documents np.abs as numpy.absolute
    documented = f"numpy.{item.__name__}" if isinstance(item, np.ufunc) else name
    page = ELSEWHERE.get(name, PAGES[project].format(documented))
    return f"{name} py:{kind} 1 {page}#{documented} -"


def entries():
    """Return the lines of each project's inventory."""
    scripts = sorted(EXAMPLES.rglob("*.py"))
    used = set().union(*(names_used(path.read_text("utf-8")) for path in scripts))
    items = {name: item for name in sorted(used) if (item := found(name)) is not None}
    return {
        project: [
            entry(name, item)
            for name, item in items.items()
            if name.startswith(f"{project}.")
        ]
        for project in PROJECTS
    }


def write(project, lines):
    head = (
        "# Sphinx inventory version 2\n"
        f"# Project: {project}\n# Version: stable\n"
        "# The remainder of this file is compressed using zlib.\n"
    )
    body = zlib.compress("\n".join([*lines, ""]).encode(), 9)
    (FOLDER / f"{project}.inv").write_bytes(head.encode() + body)


def read(project):
    """Return the lines of a committed inventory."""
    body = (FOLDER / f"{project}.inv").read_bytes().split(b"\n", 4)[4]
    return zlib.decompress(body).decode().splitlines()


if __name__ == "__main__":
    for project, lines in entries().items():
        write(project, lines)
        print(f"{project}: {len(lines)} names")
