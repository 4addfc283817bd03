"""Tiers of many models over data sets: a row for each model, and letters."""

import itertools

import numpy as np
import pandas as pd
import pytest

from sklearn_cvtest import compare_over_datasets, compare_table


def benchmark(n_models, n_datasets, spread=0.1, seed=0):
    """Return scores of models on data sets, the last model the best."""
    rng = np.random.default_rng(seed)
    means = 0.8 + spread * np.linspace(0, 1, n_models)
    scores = means + rng.normal(0, 0.02, (n_datasets, 1))
    scores = scores + rng.normal(0, 0.01, (n_datasets, n_models))
    return pd.DataFrame(scores, columns=[f"m{k}" for k in range(n_models)])


def compared(n_models, n_datasets, spread=0.1, **options):
    table = benchmark(n_models, n_datasets, spread)
    table.index = [f"set {k}" for k in range(n_datasets)]
    return compare_over_datasets(table, score="accuracy", **options)


def tier_of_rows(text):
    """Return {name: letters} of the rows of a printed table with a column of tiers."""
    lines = text.splitlines()
    start = next(n for n, line in enumerate(lines) if line.endswith("tier"))
    rows = itertools.takewhile(bool, lines[start + 2 :])
    return {row.split()[0]: row.split()[-1] for row in rows}


def test_letters_are_of_the_adjusted_pvalues_of_means():
    result = compared(8, 6)  # too few data sets for ranks of 28 pairs
    letters = result.letters()
    for pair, pvalue in zip(result.pairs, result.pvalues_adjusted, strict=True):
        shared = set(letters[pair[0]]) & set(letters[pair[1]])
        assert bool(shared) == (pvalue > 0.05)
    means = result.mean_losses.mean(axis=0)
    names = [result.names[k] for k in np.argsort(means)]
    assert list(letters) == names


def test_letters_are_of_ranks_where_these_decide():
    result = compared(7, 15)
    letters, ranks = result.letters(), result.ranks()
    assert str(result).startswith("Over 15 data sets, m6 has the lowest mean rank")
    for (i, first), (j, second) in itertools.combinations(enumerate(ranks.names), 2):
        shared = set(letters[first]) & set(letters[second])
        assert bool(shared) == (ranks.wilcoxon_pvalues[i, j] > 0.05)


@pytest.mark.parametrize(
    ("n_datasets", "test"), [(6, "Student's t test"), (15, "Wilcoxon's")]
)
def test_report_names_the_test_of_the_table(n_datasets, test):
    report = " ".join(compared(8, n_datasets).report().split())
    assert f"p-values are from {test}" in report
    assert ("signed-rank test" in report) == (test == "Wilcoxon's")


@pytest.mark.parametrize(("n_datasets", "spread"), [(6, 0.1), (15, 0.03)])
def test_letters_are_of_the_level(n_datasets, spread):
    """At 20% more differ than at 5%, and at .2% fewer."""
    n_apart = []
    for alpha in (0.002, 0.05, 0.2):
        result = compared(8, n_datasets, spread, alpha=alpha)
        letters, frame = result.letters(), result.to_frame()
        column = "pvalue_adjusted"
        if result.decided_by == "wilcoxon":
            column = "pvalue_wilcoxon"
        is_apart = frame[column] <= alpha
        for row, differ in zip(frame.itertuples(), is_apart, strict=True):
            shared = set(letters[row.first]) & set(letters[row.second])
            assert bool(shared) != differ
        n_apart.append(is_apart.sum())
    assert n_apart[0] < n_apart[1] < n_apart[2]


@pytest.mark.parametrize("n_models", [7, 20])
def test_many_models_have_letters_in_their_rows(n_models):
    result = compared(n_models, 15)
    assert tier_of_rows(str(result)) == result.letters()
    assert len(str(result).splitlines()) < n_models + 15
    assert "Models that share a letter do not differ" in " ".join(str(result).split())


def test_sentences_name_the_top_tier():
    result = compared(9, 12, spread=0.04)
    sentence = " ".join(str(result).partition("\n\n")[0].split())
    (_, best), *others = result.letters().items()
    shared = [name for name, letters in others if set(letters) & set(best)]
    assert 1 < len(shared) < 5
    listed = f"{', '.join(shared[:-1])} and {shared[-1]}"
    assert f"; {listed} are not significantly worse;" in sentence


def test_few_models_have_no_letters_in_print():
    result = compared(6, 12)
    assert "tier" not in str(result)
    assert set(result.letters()) == {f"m{k}" for k in range(6)}


def test_the_rest_of_very_many_is_counted():
    text = " ".join(str(compared(40, 12)).split())
    assert "15 more models are in to_frame()" in text


def test_letters_need_all_pairs():
    with pytest.raises(ValueError, match=r"`reference` must be None for letters"):
        compared(7, 12, reference="m0").letters()


@pytest.mark.parametrize(("n_models", "has_tiers"), [(6, False), (7, True)])
def test_one_data_set_has_tiers_of_many_models(n_models, has_tiers):
    table = benchmark(n_models, 10).rename_axis("fold").reset_index()
    table = table.melt("fold", var_name="model", value_name="accuracy")
    result = compare_table(table, score="accuracy")
    assert ("tier" in str(result)) == has_tiers
    if has_tiers:
        assert tier_of_rows(str(result)) == result.letters()
    against = result.retest(reference="m0")
    assert "tier" not in str(against)
