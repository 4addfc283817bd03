"""The paper about the software has the sections that its journal asks for."""

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parent.parent
SECTIONS = [
    "Summary",
    "Statement of need",
    "State of the field",
    "Software design",
    "Research impact statement",
    "AI usage disclosure",
    "Acknowledgements",
    "References",
]


def test_paper_has_the_sections_and_the_length_that_are_asked_for():
    text = (ROOT / "paper/paper.md").read_text(encoding="utf-8")
    assert re.findall(r"(?m)^# (.*)$", text) == SECTIONS
    words = text.partition("# Summary")[2].split()
    assert 750 <= len(words) <= 1750


def test_what_people_have_to_say_is_left_to_them():
    text = (ROOT / "paper/paper.md").read_text(encoding="utf-8")
    assert text.count("> **To be completed by the authors before submission.**") == 2


def test_all_that_is_cited_is_in_the_bibliography():
    text = (ROOT / "paper/paper.md").read_text(encoding="utf-8")
    bibliography = (ROOT / "paper/paper.bib").read_text(encoding="utf-8")
    known = set(re.findall(r"@\w+\{(\w+),", bibliography))
    cited = set(re.findall(r"(?<![\w`])@([a-z]\w+)", text))
    assert cited
    assert cited <= known
