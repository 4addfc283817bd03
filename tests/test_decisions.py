"""What is decided stays as it is: the catalogue of decisions."""

import csv

import pytest
from decisions import COLUMNS, PATH, catalogue

pytestmark = pytest.mark.full


def test_decisions_are_those_of_the_catalogue():
    with PATH.open(newline="", encoding="utf-8") as file:
        expected = list(csv.reader(file))
    found = [list(COLUMNS), *catalogue()]
    changed = [pair for pair in zip(expected, found, strict=True) if pair[0] != pair[1]]
    assert not changed, (
        f"{len(changed)} of {len(found)} decisions, such as {changed[:3]}"
    )
