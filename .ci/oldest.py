"""Print the oldest version of every requirement that pyproject.toml allows, for pip.

Run: python .ci/oldest.py EXTRA ...
"""

import re
import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parent.parent / "pyproject.toml"
FLOOR = re.compile(r"(?P<name>[\w.-]+(?:\[[\w,-]+\])?)>=(?P<version>[\d.]+)")


def oldest_versions(extras):
    """Return "name==version" for each requirement of the package and of `extras`."""
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    lines, queue = list(project["dependencies"]), list(extras)
    for extra in queue:  # grows: an extra may name others of this package
        for line in optional[extra]:
            if line.startswith(f"{project['name']}["):
                named = line.split("[")[1].rstrip("]").split(",")
                queue += named
            else:
                lines.append(line)
    return sorted({oldest(line) for line in lines})


def oldest(requirement):
    floor = FLOOR.fullmatch(requirement)
    if floor is None:
        raise ValueError(f"{requirement!r} must be name>=version.")
    return f"{floor['name']}=={floor['version']}"


if __name__ == "__main__":
    print("\n".join(oldest_versions(sys.argv[1:])))
