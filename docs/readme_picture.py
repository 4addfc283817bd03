"""Draw the picture of the README: what `result.plot()` draws of its first comparison.

Run: python docs/readme_picture.py
"""

import re
from pathlib import Path

import matplotlib.pyplot as plt

DOCS = Path(__file__).parent
README = DOCS.parent / "README.md"
PICTURE = DOCS / "_static" / "comparison.svg"


def first_result():
    """Return the result of the first block of code of the README."""
    names = {}
    code = re.search(r"^```python\n(.*?)^```$", README.read_text("utf-8"), re.M | re.S)
    exec(code[1], names)
    return names["result"]


if __name__ == "__main__":
    # The same bytes at every run, so that a commit shows whether the picture changed.
    plt.rcParams["svg.hashsalt"] = "sklearn_cvtest"
    plt.rcParams["figure.constrained_layout.use"] = True
    first_result().plot().figure.savefig(PICTURE, metadata={"Date": None})
