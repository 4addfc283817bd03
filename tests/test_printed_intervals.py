"""0 is outside of an interval exactly if the difference is significant.

In prints, pages, tables for papers, pictures, frames and JSON, for three to eight
models.
"""

import numpy as np
import pytest
from interfaces import (
    drawn_forest,
    ends,
    html_tables,
    latex_tables,
    new_axes,
    text_tables,
)

import sklearn_cvtest as cvtest

N = 120
DESIGNS = {
    "best": {},
    "groups": {"groups": np.arange(N) // 4},
    "reference": {"reference": "m1"},
    "best as reference": {"reference": "best"},
    "Bonferroni": {"p_adjust": "bonferroni"},
    "max-t": {"p_adjust": "max-t"},
    "test by splits": {"test": cvtest.KFoldTTest(0.3)},
}
ALPHA = 0.05
every_design = pytest.mark.parametrize("options", DESIGNS.values(), ids=DESIGNS)
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def compared(n_models, options, seed):
    """Return a comparison of models, some of them near the level."""
    rng = np.random.default_rng([seed, n_models])
    y = rng.normal(size=N)
    models = {f"m{i}": y + (1 + 0.12 * i) * rng.normal(size=N) for i in range(n_models)}
    options = {"loss": "absolute_error", "splits": np.arange(N) % 5} | options
    if "groups" in options:
        options["splits"] = options["groups"] % 5
    return cvtest.compare_predictions(y, models, **options)


def is_outside(text):
    """Whether 0 is outside an interval that is printed."""
    low, high = (side_of_zero(end) for end in ends(text))
    return not low <= 0 <= high


def side_of_zero(end):
    """Return a printed number; of one too near 0 for its decimals, its side alone."""
    if end[0] in "<>":
        return 1.0 if end[0] == "<" else -1.0
    return float(end.replace("−", "-").removesuffix("%"))


def is_small(text):
    """Whether a printed p-value is significant."""
    return float(text.split()[-1]) <= ALPHA  # after a sign of a bound


def check_table(table):
    """Check the last interval of each row against its p-value; return the answers."""
    (p,) = (n for n, head in enumerate(table.headers) if head.split()[0].lower() == "p")
    interval = max(n for n in range(p) if "CI" in table.headers[n])
    rows = [row for row in table.rows if row[p]]
    for row in rows:
        assert is_outside(row[interval]) == is_small(row[p]), row
    return [is_small(row[p]) for row in rows]


@every_design
@pytest.mark.parametrize("n_models", [3, 5, 8])
@pytest.mark.parametrize("seed", range(3))
def test_readers_agree(n_models, options, seed):
    result = compared(n_models, options, seed)
    printed = check_table(text_tables(str(result))[0])
    assert check_table(html_tables(result._repr_html_())[0]) == printed
    assert check_table(latex_tables(result.to_latex())[0]) == printed
    check_table(text_tables(str(result.pairs("all")))[0])
    check_picture(result.plot(ax=new_axes()).ax_)
    check_numbers(result)


def check_picture(axes):
    for row in drawn_forest(axes):
        if row.intervals:
            low, high = row.intervals[0]
            assert row.is_filled == (not low <= 0 <= high)


def check_numbers(result):
    """Check the frame, JSON and the set that may hold the best."""
    frame = result.to_frame()
    low, high = frame["ci_low_simultaneous"], frame["ci_high_simultaneous"]
    outside = (low > 0) | (high < 0)
    assert outside.tolist() == (frame["pvalue_adjusted"] <= ALPHA).tolist()
    content = result.to_dict()
    for pair in content["pairs"]:
        low, high = pair["ci_low_simultaneous"], pair["ci_high_simultaneous"]
        is_above, is_below = (low or 0) > 0, (high or 0) < 0  # None is no end
        assert pair["significant"] == (is_above or is_below)
    best = result.best_set()
    for model in content.get("models", [])[1:]:
        assert (model["ci_low"] > 0) == (model["pvalue"] <= ALPHA)
        assert (model["decision"] == "worse") == (model["model"] not in best.names)
    assert content.get("best", list(best.names)) == list(best.names)
    for name, (_, low, _) in best.differences.items():
        assert (low > 0) == (name not in best.names) == (best.pvalues[name] <= ALPHA)
    check_table(text_tables(str(best))[0])
    check_picture(best.plot(ax=new_axes()))


@pytest.mark.parametrize("seed", range(3))
def test_several_metrics_agree(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=N)
    models = {
        f"m{i}": np.where(rng.random(N) < 0.1 + 0.07 * i, 1 - y, y) for i in range(5)
    }
    result = cvtest.compare_predictions(
        y, models, scoring=["accuracy", "f1"], splits=np.arange(N) % 5
    )
    for of_metric in result.values():
        check_table(text_tables(str(of_metric))[0])
        check_numbers(of_metric)


def test_one_that_is_better_than_all_others_is_named():
    rng = np.random.default_rng(0)
    y = rng.normal(size=N)
    models = {f"m{i}": y + (1 + 4 * i) * rng.normal(size=N) for i in range(3)}
    content = cvtest.compare_predictions(y, models, splits=np.arange(N) % 5).to_dict()
    assert content["better"] == content["best"] == ["m0"]
    assert sorted(content["worse"]) == ["m1", "m2"]
