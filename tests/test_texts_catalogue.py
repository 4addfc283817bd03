"""No sentence contradicts its neighbours, in the catalogue of what can be printed."""

import re
from itertools import islice

import pytest
from interfaces import DIGITS, quiet, shows
from texts_catalogue import comparisons

from sklearn_cvtest._pairs._model_table import is_about_set
from sklearn_cvtest._report._metric_format import metric_format_of
from sklearn_cvtest._report._verdict import verdicts
from sklearn_cvtest.results import BestSet

EVERY = 17  # of how many one is checked where time matters


@pytest.fixture(scope="module")
def some():
    """Return a part of the catalogue, as (name, comparison)."""
    with quiet():
        weighted = [case for case in comparisons() if "weights, far" in case[0]]
        return made([*islice(comparisons(), 3, None, EVERY), *weighted])


def made(cases):
    return [(name, make()) for name, make in cases]


def tables_of(cases):
    for name, result in cases:
        found = verdicts(result)
        for test, table in result.tables.items():
            yield f"{name}: {test}", result, table, found[test]


def check_winner(name, result, table, verdict):
    """Whoever is better in words is better in the table, and nobody else."""
    if verdict.reference is None:
        better = {row.winner for row in table.rows()} - {""}
        if len(table) == 1:
            assert set(verdict.better) == better, name
        return
    if is_about_set(result, of_test := name.rpartition(": ")[2]):
        best = result.best_set()
        best = best if isinstance(best, BestSet) else best[of_test]
        assert set(verdict.worse) == set(best.pvalues) - set(best.names), name
        return
    rows = [row for row in table.rows() if verdict.reference in row[:2]]
    won = {row.winner for row in rows} - {"", verdict.reference}
    lost = {n for row in rows if row.winner == verdict.reference for n in row[:2]}
    assert set(verdict.better) == won, name
    assert set(verdict.worse) == lost - {verdict.reference}, name


def check_no_small_p_of_what_was_not_found(name, result, table, verdict):
    text = verdict.text
    is_unfound = verdict.decision in ("not significant", "inconclusive")
    if len(table) == 1 and table.test.traits.decides != "posterior" and is_unfound:
        assert table.pvalue_adjusted[0] > table.alpha, (name, text)


def check_numbers(name, result, table, verdict):
    """The difference, its interval and p are those of the table, in the user's unit."""
    is_plain = len(table) == 1 and not table.test.popmean
    amount = re.search(rf"by ({DIGITS}) (?:in|points?)\b", verdict.text)
    if not is_plain or amount is None:
        return
    scale = 100 if metric_format_of(result.losses).is_share else 1
    row = table.row(0)
    assert shows(amount[1], abs(row.estimate), scale), (name, verdict.text)
    interval = re.search(rf"CI ({DIGITS}) to ({DIGITS})", verdict.text)
    if interval:
        ends = sorted((row.ci_low, row.ci_high), key=abs)
        shown = sorted(interval.groups(), key=lambda t: abs(float(t.replace("−", "-"))))
        for text, end in zip(shown, ends, strict=True):
            assert shows(text.strip("−"), abs(end), scale), (name, verdict.text)
    pvalue = re.search(rf"p (?:= ({DIGITS})|< 0.001)", verdict.text)
    if pvalue:
        found = row.pvalue_adjusted
        held = shows(pvalue[1], found) if pvalue[1] else found < 0.001
        assert held, (name, verdict.text)


def check_signs(name, result, table, verdict):
    """Nobody is ahead, behind or better by less than nothing."""
    assert not re.search(r"(?:ahead|behind|better) by [-−]", verdict.text), name
    place = re.search(r": (\S+) is (ahead|behind) by", verdict.text)
    if place and len(table) == 1 and not table.test.popmean:
        row = table.row(0)
        ahead = row.second if row.estimate > 0 else row.first
        who = {"it": verdict.text.partition(" ")[0]}.get(place[1], place[1])
        assert (who == ahead) == (place[2] == "ahead"), (name, verdict.text)


def check_paragraph(name, result, table, verdict):
    """A paragraph for a paper says weights, groups, seed and splitter, and no repr."""
    report, losses = " ".join(result.report().split()), result.losses
    assert not re.search(r"\b(?:BlockKFold|RepeatedSubsample)\(", report), name
    for text in (report, verdict.text, str(result)):
        assert ("weight" in text) >= losses.is_weighted, name
    assert losses.groups is None or f"in {losses.n_groups} groups" in report, name
    assert not losses.cv_description or losses.cv_description in report, name
    in_sentences = re.sub(r"\bp \(holm\)", "", report)  # the head of a column
    assert "holm" not in in_sentences, name


CHECKS = [
    check_winner,
    check_no_small_p_of_what_was_not_found,
    check_numbers,
    check_signs,
    check_paragraph,
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__[6:])
def test_verdicts_agree_with_their_tables(check, some):
    for case in tables_of(some):
        check(*case)


@pytest.mark.full
def test_all_verdicts_agree_with_their_tables():
    with quiet():
        cases = made(comparisons())
    for case in tables_of(cases):
        for check in CHECKS:
            check(*case)
