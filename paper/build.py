"""Build both papers, paper.pdf and methods.pdf in build/paper, from committed results.

Run: make paper            Needs: pip install -e ".[paper]" (pandoc and typst as wheels)

The journal builds paper.md with its own LaTeX template; these are the texts, set by
typst, so that nothing but Python packages is needed. Numbers are inserted, and LaTeX
references turned into words, before pandoc sees the texts.
"""

import json
import re
import shutil
from pathlib import Path

import figures
import pypandoc
import typst

HERE = Path(__file__).parent
NUMBERS = json.loads(
    (HERE.parent / "docs/data/shown/quoted.json").read_text(encoding="utf-8")
)
TARGET = HERE.parent / "build" / "paper"
PAPERS = "paper", "methods"  # the software, and the calibration study


def filled(text):
    """Return the text with the measured numbers where it has their names, |name|."""
    return re.sub(r"\|(\w+)\|", lambda found: NUMBERS[found[1]], text)


def numbered(text):
    r"""Return the text with \autoref and \label replaced by numbers."""
    numbers = {}
    for kind, word in (("fig", "Figure"), ("tab", "Table")):
        for number, label in enumerate(
            re.findall(rf"\\label{{{kind}:(\w+)}}", text), 1
        ):
            numbers[f"{kind}:{label}"] = f"{word} {number}"
    text = re.sub(r"\\autoref{([\w:]+)}", lambda found: numbers[found[1]], text)
    return re.sub(r"\s*\\label{[\w:]+}", "", text)


def body(text):
    """Return the typst code of the text after its header."""
    return pypandoc.convert_text(
        numbered(filled(text)),
        "typst",
        format="markdown",
        extra_args=[
            "--citeproc",
            f"--bibliography={HERE / 'paper.bib'}",
            f"--template={HERE / 'template.typ'}",
            "--wrap=preserve",
        ],
    )


def build():
    figures.main(TARGET / "figures")
    shutil.copy(HERE / "paper.bib", TARGET)
    for name in PAPERS:
        source = TARGET / f"{name}.typ"
        source.write_text(body((HERE / f"{name}.md").read_text("utf-8")), "utf-8")
        typst.compile(str(source), output=str(TARGET / f"{name}.pdf"))
        yield TARGET / f"{name}.pdf"


if __name__ == "__main__":
    for made in build():
        print(made.relative_to(HERE.parent))
