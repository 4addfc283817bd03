"""The rule of the ledger against proposers that adapt to what they are shown."""

import runpy
from pathlib import Path

import pytest

pytestmark = pytest.mark.full
BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "ledger.py"


@pytest.fixture(name="found", scope="module")
def benchmark():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(BENCHMARK.parent)
        return runpy.run_path(str(BENCHMARK))


@pytest.fixture(name="run", scope="module")
def run_of_benchmark(found):
    proposers = found["EQUAL"] | found["GAINS"] | found["AT_HOME"]

    def run(rule, proposer, n_series=100, n_proposals=100):
        asked = found["RULES"][rule], proposers[proposer], n_series, n_proposals
        result = found["run"](*asked)
        print(rule, "|", proposer, {key: round(v, 3) for key, v in result.items()})
        return result

    return run


@pytest.mark.parametrize(
    "proposer",
    [
        "equal models",
        "greedy",
        "adversary",
        "adversary with true gains, half confirmed",
        "adversary with true gains, most confirmed",
    ],
)
def test_few_series_confirm_what_is_not_better(run, proposer):
    # of 100 series whose probability is 5%, more than 11 are false once in 200 times
    assert run("ledger", proposer)["false"] <= 0.11


def test_an_adversary_with_true_gains_breaks_rules_without_a_cost_of_them(run):
    proposer = "adversary with true gains, most confirmed"
    assert run("confirmations cost nothing", proposer)["false"] > 0.11
    assert run("one tier", proposer)["false"] > 0.5


def test_who_tries_at_home_breaks_the_ledger(run):
    assert run("ledger", "the best of 50 changes at home", 50, 20)["false"] > 0.5


def test_small_gains_add_up_where_one_tier_finds_none(run):
    two, one = (
        run(rule, "changes of 3 s.e.")["gain"] for rule in ("ledger", "one tier")
    )
    assert two > 14
    assert one < 10


def test_the_level_holds_up_to_the_assumed_share(found):
    for rho, total in ((0.33, 0.048), (0.4, 0.081), (0.45, 0.121), (0.5, 0.185)):
        assert found["sizes"](rho) == pytest.approx(total, abs=0.001)


def test_looks_at_the_reserve_hold_together_unless_they_are_combined(found):
    assert found["coverage"](adapts=False, n_series=2000) > 0.935
    assert found["coverage"](adapts=True, n_series=2000) < 0.9


@pytest.mark.parametrize("kind", ["losses", "groups", "scores"])
def test_few_series_of_true_fits_confirm_what_is_not_better(found, kind):
    assert found["fitted"](kind, n_series=10) <= 0.3
