"""The rule of the ledger against proposers that adapt to what they are shown."""

import runpy
from pathlib import Path

import pytest

pytestmark = pytest.mark.full
BENCHMARK = Path(__file__).parent.parent / "benchmarks" / "ledger.py"


@pytest.fixture(name="run", scope="module")
def run_of_benchmark():
    found = runpy.run_path(str(BENCHMARK))

    def run(rule, proposer):
        result = found["run"](found["RULES"][rule], found["PROPOSERS"][proposer], 100)
        print(rule, "|", proposer, {key: round(v, 3) for key, v in result.items()})
        return result

    return run


@pytest.mark.parametrize(
    "proposer",
    ["no-ops", "noise", "greedy", "adversary", "adversary with true gains"],
)
def test_few_series_keep_what_is_not_better(run, proposer):
    # of 100 series whose probability is 5%, more than 11 are kept once in 200 times
    assert run("ledger", proposer)["false_keep"] <= 0.11


@pytest.mark.parametrize(
    "rule", ["keep if better", "keep if p < .05", "spending", "curtailed"]
)
def test_an_adversary_breaks_rules_that_show_the_scores_of_all_rows(run, rule):
    assert run(rule, "adversary")["false_keep"] > 0.11


def test_an_adversary_that_reads_the_file_breaks_the_ledger(run):
    assert run("ledger, file read", "adversary")["false_keep"] > 0.5


def test_no_rule_that_keeps_its_level_finds_most_gains_of_3_errors(run):
    assert run("Bonferroni, variance known", "gains of 3 s.e.")["power"] < 0.39
    assert run("ledger", "gains of 3 s.e.")["power"] < 0.39


@pytest.mark.parametrize("rule", ["spending", "e-process", "LORD++", "ledger"])
def test_gains_of_5_errors_are_kept(run, rule):
    found = run(rule, "gains of 5 s.e.")
    assert found["power"] > 0.1
    assert found["fits"] < 0.5 or rule not in ("ledger", "e-process")


def test_larger_gains_are_kept_more_often_and_where_others_are_worse(run):
    proposers = [f"gains of {d} s.e." for d in (4, 6)]
    proposers.append("gains of 5 s.e., others worse")
    found = [run("ledger", proposer)["power"] for proposer in proposers]
    assert found[0] < found[1]
    assert found[2] > 0.6


def test_looks_at_the_reserve_hold_together_unless_they_are_combined():
    coverage = runpy.run_path(str(BENCHMARK))["coverage"]
    assert coverage(adapts=False, n_series=2000) > 0.935
    assert coverage(adapts=True, n_series=2000) < 0.9
