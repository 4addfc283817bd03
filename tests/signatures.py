"""All public signatures side by side: `python tests/signatures.py [PARAMETER ...]`.

A line for each parameter and description of its type, with the callables that have it:
a word that means two things stands out.
"""

import inspect
import re
import sys
from collections import defaultdict

import common

SECTION = re.compile(r"Parameters\n-+\n(.*?)(?:\n\n\w[\w ]*\n-+\n|\Z)", re.DOTALL)
PARAMETER = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*) : (.+)$", re.MULTILINE)


def public_callables():
    """Yield names and functions, classes and methods of what is public."""
    for name, item in common.PUBLIC.items():
        yield name, item
        for key, method in vars(item).items() if inspect.isclass(item) else ():
            method = getattr(method, "__func__", method)
            if not key.startswith("_") and inspect.isfunction(method):
                yield f"{name}.{key}", method


def described(item):
    """Return {parameter: the description of its type} from a docstring."""
    section = SECTION.search((inspect.getdoc(item) or "").replace("\\\n", ""))
    found = PARAMETER.findall(section.group(1)) if section else []
    return {
        name.strip("*"): re.sub(r"\s+", " ", kind)
        for names, kind in found
        for name in names.split(", ")
    }


def table():
    """Return {parameter: {description of its type: callables}}."""
    found = defaultdict(lambda: defaultdict(list))
    for name, item in public_callables():
        for parameter, kind in described(item).items():
            found[parameter][kind].append(name)
    return found


if __name__ == "__main__":
    for parameter, kinds in sorted(table().items()):
        if not sys.argv[1:] or parameter in sys.argv[1:]:
            for kind, names in kinds.items():
                print(f"{parameter:20} {kind:60} {len(names):3} {', '.join(names[:6])}")
