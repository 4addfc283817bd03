"""How often common ways to compare three models find a difference that is not there.

Three models of the same learner see one of three blocks of features each. The blocks
are exchangeable, and the target depends on all of them in the same way, so no model is
better than another, exactly. On each sample, every procedure is asked at the 5% level
whether any two of the three differ.

    python benchmarks/practices.py    # writes docs/data/practices.csv

It needs: pip install -e ".[test,peers]"
"""

import contextlib
import io
import itertools

import numpy as np
import pandas as pd
from harness import Table, command, version
from scipy import stats
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

import sklearn_cvtest as ct

ALPHA = 0.05
N = 100
SIZE = 5  # features of a block
LEARNERS = {"naive Bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
PAIRS = list(itertools.combinations(range(3), 2))


def draw(rng, n):
    X = rng.normal(size=(n, 3 * SIZE))
    return X, (X.sum(axis=1) + rng.normal(size=n) > 0).astype(int)


def columns(X, block):
    return X[:, SIZE * block : SIZE * (block + 1)]


def models_of(learner):
    return [
        make_pipeline(FunctionTransformer(columns, kw_args={"block": block}), learner)
        for block in range(3)
    ]


def scores(losses, n_splits=None):
    """Return accuracies (splits, models)."""
    means = [losses.residuals(model).block_means for model in range(3)]
    return 1 - np.transpose(means)[:n_splits]


# Procedures: each returns whether it calls any two of the three different ----------


def paired_t(table):
    """Return the decision of the usual paired t test, Bonferroni for three pairs."""
    pvalues = [stats.ttest_rel(table[:, a], table[:, b]).pvalue for a, b in PAIRS]
    return 3 * np.nanmin([*pvalues, 1]) <= ALPHA


def tukey_hsd(table):
    """Repeated-measures ANOVA and Tukey's HSD, the folds as subjects (Ash et al.)."""
    from statsmodels.stats.libqsturng import psturng

    rows, columns = table.shape
    rest = table - table.mean(1, keepdims=True) - table.mean(0) + table.mean()
    df = (rows - 1) * (columns - 1)
    spread = np.ptp(table.mean(0)) / np.sqrt(np.sum(rest**2) / df / rows)
    return float(np.squeeze(psturng(spread, columns, df))) <= ALPHA


def nemenyi(table):
    import scikit_posthocs

    if stats.friedmanchisquare(*table.T).pvalue > ALPHA:
        return False
    return scikit_posthocs.posthoc_nemenyi_friedman(table).min(axis=None) <= ALPHA


def autorank(table):
    from autorank import autorank

    with contextlib.redirect_stdout(io.StringIO()):  # it prints
        result = autorank(pd.DataFrame(table, columns=list("abc")))
    return result.pvalue < ALPHA


def nestkit(table, n_train, n_test):
    from nestkit.comparison.statistical_tests import (
        holm_bonferroni_correction,
        nadeau_bengio_corrected_ttest,
    )

    pvalues = [
        nadeau_bengio_corrected_ttest(table[:, a], table[:, b], n_train, n_test)
        for a, b in PAIRS
    ]
    return min(holm_bonferroni_correction([p["p_value"] for p in pvalues])) <= ALPHA


def ours(losses, test):
    pvalues = [test.fit(losses.residuals(a, b)).pvalue_ for a, b in PAIRS]
    return ct.adjust_pvalues(pvalues, "holm").min() <= ALPHA


def decisions(learner, n, rng):
    """Return {(fits, procedure, package): decision} of one sample."""
    X, y = draw(rng, n)
    seed = int(rng.integers(2**31))
    models = models_of(learner)

    def losses(cv):
        return ct.cross_val_losses(models, X, y, cv=cv, loss="zero_one")

    tenfold = losses(ct.BlockKFold(10, random_state=seed))
    fives = losses(ct.BlockKFold(5, n_repeats=5, random_state=seed))
    twice = losses(ct.BlockKFold(5, n_repeats=2, random_state=seed))
    ten, five, repeated = scores(tenfold), scores(fives, 5), scores(fives)
    return {
        ("10-fold", "paired t, Bonferroni", "scipy"): paired_t(ten),
        ("5 x 5-fold", "paired t, Bonferroni", "scipy"): paired_t(repeated),
        ("5 x 5-fold", "ANOVA and Tukey's HSD", "statsmodels"): tukey_hsd(repeated),
        ("5 x 5-fold", "Friedman and Nemenyi", "scikit-posthocs"): nemenyi(repeated),
        ("5 x 5-fold", "autorank()", "autorank"): autorank(repeated),
        ("5-fold", "corrected t, Holm", "nestkit"): nestkit(five, 0.8 * n, 0.2 * n),
        ("5 x 5-fold", "CorrectedRepeatedKFoldTTest(), Holm", "this package"): ours(
            fives, ct.CorrectedRepeatedKFoldTTest()
        ),
        ("2 x 5-fold", "KFoldZTest(), Holm", "this package"): ours(
            twice, ct.KFoldZTest()
        ),
    }


def rows(n_samples):
    """Yield the rows of the table."""
    for name, learner in LEARNERS.items():
        rng = np.random.default_rng([5, N])
        samples = [decisions(learner, N, rng) for _ in range(n_samples)]
        for key in samples[0]:
            row = {"learner": name, "n": N}
            row |= dict(zip(("splits", "procedure", "package"), key, strict=True))
            rate = np.mean([found[key] for found in samples])
            row |= {"version": version(key[2]), "false_findings": rate}
            yield row | {"samples": n_samples}


KEYS = "learner", "n", "splits", "procedure", "package"
RATES = {"false_findings": None}
TABLES = [Table("practices", rows, KEYS, RATES, 500, 60)]


if __name__ == "__main__":
    command(__doc__, *TABLES)
