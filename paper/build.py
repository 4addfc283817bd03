"""Build the paper, paper.pdf in build/paper, from committed results.

Run: make paper            Needs: pip install -e ".[paper]" (pandoc and typst as wheels)

The journal builds paper.md with its own LaTeX template; this is its text, set by
typst, so that nothing but Python packages is needed. LaTeX references are turned into
words before pandoc sees the text.
"""

import re
import shutil
from pathlib import Path

import figures
import pypandoc
import typst

HERE = Path(__file__).parent
TARGET = HERE.parent / "build" / "paper"


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
        numbered(text),
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
    source = TARGET / "paper.typ"
    source.write_text(body((HERE / "paper.md").read_text("utf-8")), "utf-8")
    typst.compile(str(source), output=str(TARGET / "paper.pdf"))
    return TARGET / "paper.pdf"


if __name__ == "__main__":
    print(build().relative_to(HERE.parent))
