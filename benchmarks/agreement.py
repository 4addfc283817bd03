"""To how many digits this package agrees with others that compute the same thing.

Each row is a function of another package and what gives the same number here: on
arrays drawn with fixed seeds or, where the other package fits models, on the same
splits of the breast cancer data. "digits" is the number of significant digits on which
*all* numbers of the row agree, 12 meaning "at least 12"; where it is fewer, the pair
that agrees least is shown. "right" is said of rows that answer the same question in
another way: they need not agree.

Run: python benchmarks/agreement.py               prints the table, writes the CSV
     python benchmarks/agreement.py --check       exit status 1 if it is not current
Needs: pip install -e ".[test,peers]"; rows of what is not installed stay as they are.
"""

import contextlib
import io
import sys
import warnings

import numpy as np
from harness import DATA, parser_of, read, version, write_rows
from scipy import stats
from sklearn import metrics
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import KFold, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import sklearn_cvtest as ct

RNG_SEED = 0
METHODS = {"holm": "holm", "fdr_bh": "benjamini_hochberg"}
ZERO_ONE = "an end of the 95% interval, 50 examples right or wrong"
RUNS = "half-width of the 95% interval, five runs that differ"
PLANNED = "difference found with 80%, 15 examples"
WALD = "ours: Wald's interval is too short where few answers differ"
OF_ITEMS = "ours for new runs, theirs for these: it averages over runs"


def numbers(n=60):
    return np.random.default_rng(RNG_SEED).normal(size=(2, n))


def answers(n=50, n_first=7, n_second=2):
    """Return 0/1 scores of two models, each right alone on so many examples."""
    first, second = np.zeros((2, n))
    first[: n // 2] = second[: n // 2] = 1
    first[n // 2 : n // 2 + n_first] = 1
    second[n - n_second :] = 1
    return first, second


def of_runs(n_runs=5, n=100):
    rng = np.random.default_rng(RNG_SEED)
    run = 0.15 * rng.normal(size=(2, n_runs, 1))
    return rng.normal(size=n) + run + rng.normal(size=(2, n_runs, n))


def compared(first, second, **options):
    """Return the comparison and the interval of mean(first) - mean(second)."""
    result = ct.compare_scores({"a": first, "b": second}, **options)
    low, high = result.tests[next(iter(result.tests))].confidence_interval()
    return result, (-high, -low)


def half_width(interval):
    return (interval[1] - interval[0]) / 2


def adjusted(name, functions):
    """Yield a row of adjusted p-values; `functions` are theirs by our names."""
    ours, theirs = [], []
    for p in np.random.default_rng(RNG_SEED).uniform(size=(20, 12)) ** 3:
        for method, function in functions.items():
            ours += list(ct.adjust_pvalues(p, method))
            theirs += list(function(p))
    yield name, "adjust_pvalues", "p: " + ", ".join(functions), ours, theirs


def mcnemar(name, pvalue, methods):
    """Yield a row of McNemar's p-values; `pvalue(first, second, method)` is theirs."""
    ours, theirs = [], []
    for method, pairs in methods.items():
        for n_first, n_second in pairs:
            first, second = answers(100, n_first, n_second)
            ours.append(ct.McNemarTest(method).fit(second - first).pvalue_)
            theirs.append(pvalue(first, second, method))
    yield name, "McNemarTest()", "p: " + ", ".join(methods), ours, theirs


FEW, MANY = [(11, 1), (7, 2), (9, 0)], [(31, 15), (20, 8)]
BOTH = {"exact": FEW, "chi2": MANY}


def evalstats():
    import evalstats as es
    import pandas as pd
    from evalstats.core.stats_utils import correct_pvalues

    def asked(scores):
        names = pd.MultiIndex.from_product(
            [list("ab"), *map(range, np.shape(scores)[1:])],
            names=["model", *(["run"] if np.ndim(scores) == 3 else []), "item"],
        )
        table = pd.DataFrame({"score": np.ravel(scores)}, index=names).reset_index()
        (pair,) = es.compare(es.load_from(table), factors="model").to_dict()["pairwise"]
        return pair

    def interval(pair):
        return pair["ci_low"], pair["ci_high"]

    methods = "holm", "bonferroni", "hochberg", "fdr_bh"
    yield from adjusted(
        "core.stats_utils.correct_pvalues",
        {name: lambda p, name=name: correct_pvalues(p, name) for name in methods},
    )
    result, ours = compared(*numbers())
    pair = asked(numbers())
    yield "compare()", "compare_scores", "95% interval", ours, interval(pair)
    why = (
        "both: theirs is of the signed ranks, and may contradict the interval of means"
    )
    yield "compare()", "compare_scores", "p", [result.pvalue_], [pair["p_value"]], why
    yield of_averages("compare()", interval(asked(of_runs())))


def of_averages(name, theirs):
    """Return a row of the half-widths where runs differ."""
    _, ours = compared(*of_runs())
    widths = [half_width(ours)], [half_width(theirs)]
    return name, "compare_scores", RUNS, *widths, OF_ITEMS


def evalconfidence():
    from evalconfidence import ItemResult, compare, power, standard_error

    def items(scores, clusters=None):
        return [
            ItemResult(
                str(k), "a", value, run, None if clusters is None else str(clusters[k])
            )
            for run, line in enumerate(np.atleast_2d(scores))
            for k, value in enumerate(line)
        ]

    def asked(scores):
        return compare(*map(items, scores))

    result, ours = compared(*numbers())
    theirs = asked(numbers())
    ours = [result.pvalue_, *ours]
    theirs = [theirs.p_value, *theirs.ci_diff]
    yield "compare", "compare_scores", "p, 95% interval", ours, theirs
    yield from mcnemar("compare", lambda *pair: asked(pair[:2]).p_value, BOTH)
    groups = np.arange(60) // 5
    values = numbers()[0] + np.repeat(numbers(12)[1], 5)
    _, ours = compared(values, np.zeros(60), group=groups)
    theirs = standard_error(items(values, groups)).ci
    yield "standard_error", "compare_scores", "95% interval, groups", ours, theirs
    scores = values, np.zeros(60)
    theirs = compare(*(items(one, groups) for one in scores)).ci_diff
    widths = [half_width(ours)], [half_width(theirs)]
    why = "ours: it takes the examples of a group for independent"
    what = "half-width of the 95% interval, groups"
    yield "compare", "compare_scores", what, *widths, why
    yield zero_one("compare", asked(answers()).ci_diff)
    yield of_averages("compare", asked(of_runs()).ci_diff)
    planned = power(tuple(map(items, numbers(15))), n=15).mde_detectable
    yield detectable("power", planned)


def zero_one(name, theirs):
    """Return a row of the intervals of answers that are right or wrong."""
    ours = ct.McNemarTest().fit(np.subtract(*answers())).confidence_interval()
    return name, "McNemarTest()", ZERO_ONE, ours, theirs, WALD


def detectable(name, theirs):
    """Return a row of the difference that would be found."""
    result, _ = compared(*numbers(15))
    ours = result.detectable_difference()
    why = "ours: a normal quantile in place of t's promises too much for few examples"
    return name, "detectable_difference", PLANNED, ours, [theirs], why


def evalsig():
    from evalsig.inference import mcnemar as module
    from evalsig.inference import multiplicity, paired
    from evalsig.inference.mde import mde

    names = {"bonferroni": "bonferroni", **METHODS}
    yield from adjusted(
        "inference.multiplicity",
        {
            ours: lambda p, name=name: getattr(multiplicity, name)(p).p_adjusted
            for ours, name in names.items()
        },
    )
    yield from mcnemar(
        "mcnemar_test", lambda *pair: module.mcnemar_test(*pair[:2]).p_value, BOTH
    )
    first, second = numbers()
    result, interval = compared(first, second)
    theirs = paired.paired_t_test(second, first)
    ours = [result.pvalue_, *interval]
    theirs = [theirs.p_value, *theirs.ci]
    yield "paired_t_test", "compare_scores", "p, 95% interval", ours, theirs
    yield zero_one("mcnemar_test", module.mcnemar_test(*answers()[::-1]).ci)
    sd = np.diff(numbers(15), axis=0).std(ddof=1)
    yield detectable("mde", mde(sd, 15).mde)


def truescore():
    import truescore

    names = {"holm": truescore.holm, "fdr_bh": truescore.benjamini_hochberg}
    yield from adjusted("holm, benjamini_hochberg", names)

    def asked(first, second, _, midp=False):
        return truescore.mcnemar(first.astype(int), second.astype(int), midp=midp)

    yield from mcnemar(
        "mcnemar(midp=False)", lambda *pair: asked(*pair).p_value, {"exact": FEW + MANY}
    )
    name, ours, _, *values = next(
        mcnemar("mcnemar()", lambda *pair: asked(*pair, True).p_value, {"exact": FEW})
    )
    why = "both: the exact test is conservative, its mid-p closer to the level"
    yield name, ours, "p: exact", *values, why
    found = asked(*answers(), None)
    yield zero_one("mcnemar()", (found.low, found.high))


def evalci():
    import evalci
    import pandas as pd
    from evalci._correction import correct_pvalues

    yield from adjusted(
        "_correction.correct_pvalues",
        {
            name: lambda p, name=name: correct_pvalues(p, name)
            for name in ("holm", "fdr_bh", "bonferroni")
        },
    )
    yield from mcnemar(
        'compare(method="mcnemar")',
        lambda *pair: (
            evalci.compare(*pair[:2], method="mcnemar", n_resamples=10).p_value
        ),
        BOTH,
    )
    names = pd.MultiIndex.from_product(
        [list("ab"), range(5), range(100)], names=["model", "sample_idx", "item_id"]
    )
    table = pd.DataFrame({"score": of_runs().ravel()}, index=names).reset_index()
    found = evalci.multi_compare(table, random_state=0)
    yield of_averages("multi_compare", (found.ci_low[0], found.ci_high[0]))


def stambo():
    import stambo

    yield from adjusted(
        "holm_bonferroni_correction", {"holm": stambo.holm_bonferroni_correction}
    )
    rng = np.random.default_rng(0)
    y = (rng.random(200) < 0.4).astype(int)
    predictions = np.clip(0.4 + 0.2 * y + rng.normal(0, 0.2, (2, 200)), 0.01, 0.99)
    names = {
        "ROCAUC": "roc_auc",
        "AP": "average_precision",
        "MCC": "matthews_corrcoef",
    }
    options = {"n_bootstrap": 1000, "seed": 1, "silent": True}
    found = stambo.compare_models(y, *predictions, metrics=tuple(names), **options)
    results = {
        name: compared(*predictions, y_true=y, scoring=scoring)
        for name, scoring in names.items()
    }
    ours = [result.table.estimate[0] for result, _ in results.values()]
    theirs = [found[name][1] for name in names]
    what = "differences of AUC, AP, MCC"
    yield "compare_models", "compare_scores", what, ours, theirs
    for name, (_, interval) in results.items():
        widths = [half_width(interval)], [half_width(found[name][2:4])]
        what = f"half-width of the 95% interval of {name.removeprefix('ROC')}"
        why = "both: a percentile bootstrap, and the influence of each example"
        yield "compare_models", "compare_scores", what, *widths, why


COMPARED = evalstats, stambo, truescore, evalsig, evalci, evalconfidence
SCORE_PEERS = {checks.__name__: checks for checks in COMPARED}


CSV = DATA / "agreement.csv"
HEADER = ["package", "version", "theirs", "ours", "what", "numbers", "digits"]
HEADER += ["our_number", "their_number", "right"]
MOST = 12
CANCER = load_breast_cancer(return_X_y=True)
PAIR = [GaussianNB(), DecisionTreeClassifier(max_depth=2, random_state=0)]


def agreement(ours, theirs):
    """Return the number of pairs, the digits of the worst one, and that pair."""
    ours, theirs = np.ravel(ours).astype(float), np.ravel(theirs).astype(float)
    size = np.maximum(np.abs(ours), np.abs(theirs))
    errors = np.abs(ours - theirs) / np.where(size > 0, size, 1)
    worst = errors.argmax()
    if errors[worst] < 10.0**-MOST:
        return [len(ours), MOST, "", ""]
    n_digits = max(0, int(np.floor(-np.log10(errors[worst]))))
    pair = [f"{one[worst]:.4g}" for one in (ours, theirs)]
    return [len(ours), n_digits, *pair]


def arrays(n, shape, seed=0):
    return np.random.default_rng(seed).normal(0.3, size=(n, *shape))


def subsample(e, n_train, n_test):
    return ct.CVResiduals.from_array(
        e, design="subsample", n_train=n_train, n_test=n_test
    )


def on_cancer(cv, **how):
    return ct.cross_val_losses(PAIR, *CANCER, cv=cv, **how).residuals(0, 1)


# Peers: each yields (theirs, ours, what, our numbers, their numbers) ---------------


def scipy():
    theirs, ours = [], []
    for e in arrays(20, (10,)):
        test = ct.KFoldTTest(rho=0.0).fit(e)
        peer = stats.ttest_1samp(e, 0)
        ours += [test.statistic_, test.pvalue_, *test.confidence_interval()]
        theirs += [peer.statistic, peer.pvalue, *peer.confidence_interval()]
    yield "stats.ttest_1samp", "KFoldTTest(rho=0)", "t, p, interval", ours, theirs
    losses = ct.cross_val_losses(
        PAIR, *CANCER, cv=ct.RepeatedSubsample(1, test_size=0.4, random_state=0)
    )
    test = ct.HoldoutTTest().fit(losses.residuals(0, 1))
    peer = stats.ttest_rel(*losses.values.T)
    ours = [test.statistic_, test.pvalue_]
    yield "stats.ttest_rel", "HoldoutTTest()", "t, p", ours, peer[:2]
    scores = arrays(12, (3,))
    ranks = ranks_of(scores)
    peer = stats.friedmanchisquare(*scores.T)
    ours = ranks.friedman[0], ranks.friedman[2]
    yield "stats.friedmanchisquare", "ranks().friedman", "χ², p", ours, peer


def ranks_of(scores):
    """Return the ranks of three models on as many data sets as there are rows."""
    folds = np.linspace(-1e-3, 1e-3, 10)
    results = {
        f"set {row}": ct.compare_cv_results(
            {name: score + (k + 1) * folds for k, (name, score) in enumerate(named)},
            cv=10,
        )
        for row, named in enumerate([zip("abc", line, strict=True) for line in scores])
    }
    return ct.compare_over_datasets(results).ranks()


def scikit_learn():
    X, y = CANCER
    model = make_pipeline(StandardScaler(), LogisticRegression())
    cv = KFold(5, shuffle=True, random_state=0)
    scorers = {
        "zero_one": lambda y, p: metrics.zero_one_loss(y, p[:, 1] > 0.5),
        "log_loss": lambda y, p: metrics.log_loss(y, p),
        "brier": lambda y, p: metrics.brier_score_loss(y, p[:, 1]),
    }
    predictions = [
        (test, model.fit(X[train], y[train]).predict_proba(X[test]))
        for train, test in cv.split(X)
    ]
    ours, theirs = [], []
    for name, metric in scorers.items():
        losses = ct.cross_val_losses(model, X, y, cv=cv, loss=name)
        ours += list(losses.residuals(0).block_means)
        theirs += [metric(y[test], p) for test, p in predictions]
    yield "metrics", "cross_val_losses", "means of losses on folds", ours, theirs
    ours, theirs = [], []
    for name in ("roc_auc", "f1", "average_precision", "matthews_corrcoef"):
        losses = ct.cross_val_losses(model, X, y, cv=cv, scoring=name)
        ours += list(-losses.residuals(0).block_means)
        scorer = metrics.get_scorer(name)
        theirs += [
            scorer(model.fit(X[train], y[train]), X[test], y[test])
            for train, test in cv.split(X)
        ]
    yield "get_scorer", "scoring=", "AUC, F1, AP, MCC of folds", ours, theirs
    X, y = load_diabetes(return_X_y=True)
    losses = ct.cross_val_losses(LinearRegression(), X, y, cv=cv, scoring="r2")
    theirs = [
        LinearRegression().fit(X[train], y[train]).score(X[test], y[test])
        for train, test in cv.split(X)
    ]
    ours = -losses.residuals(0).block_means
    yield "r2_score", 'scoring="r2"', "R² of folds", ours, theirs


def mlxtend():
    from mlxtend import evaluate

    def same(ours, peer, sign=-1):
        return [sign * ours.statistic_, ours.pvalue_], list(peer)

    peer = evaluate.paired_ttest_kfold_cv(
        *PAIR, *CANCER, cv=10, shuffle=True, random_seed=1
    )
    test = ct.KFoldTTest(rho=0.0)
    test.fit(on_cancer(KFold(10, shuffle=True, random_state=1)))
    yield "paired_ttest_kfold_cv", "KFoldTTest(rho=0)", "t, p", *same(test, peer)

    def drawn(n_rounds, test_size):
        rng = np.random.RandomState(3)
        for _ in range(n_rounds):
            seed = rng.randint(low=0, high=32767)
            yield train_test_split(
                np.arange(len(CANCER[1])), test_size=test_size, random_state=seed
            )

    peer = evaluate.paired_ttest_resampled(*PAIR, *CANCER, num_rounds=20, random_seed=3)
    test = ct.ResampledTTest().fit(on_cancer(list(drawn(20, 0.3))))
    yield "paired_ttest_resampled", "ResampledTTest()", "t, p", *same(test, peer)
    halves = [pair for a, b in drawn(5, 0.5) for pair in ((a, b), (b, a))]
    residuals = on_cancer(halves)
    peer = evaluate.paired_ttest_5x2cv(*PAIR, *CANCER, random_seed=3)
    test = ct.FiveByTwoTTest().fit(residuals)
    yield "paired_ttest_5x2cv", "FiveByTwoTTest()", "t, p", *same(test, peer)
    peer = evaluate.combined_ftest_5x2cv(*PAIR, *CANCER, random_seed=3)
    test = ct.FiveByTwoFTest().fit(residuals)
    yield "combined_ftest_5x2cv", "FiveByTwoFTest()", "F, p", *same(test, peer, 1)
    ours, theirs = [], []
    for b, c in ((11, 1), (25, 12), (9, 0)):
        table = np.array([[50, b], [c, 20]])
        e = [1.0] * b + [-1.0] * c + [0.0] * 70
        for method, correction in (("chi2", True), ("chi2", False), ("exact", True)):
            exact = method == "exact"
            ours.append(ct.McNemarTest(method, correction).fit(e).pvalue_)
            theirs.append(evaluate.mcnemar(table, corrected=correction, exact=exact)[1])
    yield "mcnemar", "McNemarTest()", "p: exact, χ², corrected", ours, theirs


def baycomp():
    import baycomp

    ours, theirs, pvalues, expected = [], [], [], []
    for e in arrays(20, (10,)):
        residuals = ct.CVResiduals.from_array(e)
        test = ct.BayesianCorrelatedTTest(rope=0.1).fit(residuals)
        ours += [test.prob_less_, test.prob_rope_, test.prob_greater_]
        theirs += list(baycomp.two_on_single(np.zeros(10), e, rope=0.1))
        pvalues.append(ct.KFoldTTest("nadeau-bengio").fit(residuals).pvalue_)
        expected.append(2 * min(baycomp.two_on_single(np.zeros(10), e)))
    name = "BayesianCorrelatedTTest(rope)"
    yield "two_on_single, one K-fold", name, "three probabilities", ours, theirs
    yield (
        "two_on_single",
        'KFoldTTest("nadeau-bengio")',
        "p is twice the smaller tail",
        pvalues,
        expected,
    )
    ours, theirs = [], []
    for e in arrays(20, (50,)):
        residuals = ct.CVResiduals.from_array(
            e, design="repeated k-fold", n_train=4, n_test=1
        )
        test = ct.BayesianCorrelatedTTest(rope=0.1).fit(residuals)
        ours += [test.prob_less_, test.prob_rope_, test.prob_greater_]
        theirs += list(baycomp.two_on_single(np.zeros(50), e, rope=0.1, runs=10))
    yield "two_on_single, runs=10", name, "three probabilities", ours, theirs


def statsmodels():
    import statsmodels.api as sm
    from statsmodels.stats.contingency_tables import mcnemar
    from statsmodels.stats.multitest import multipletests

    ours, theirs = [], []
    for b, c in ((11, 1), (25, 12), (9, 0)):
        for method, correction in (("chi2", True), ("chi2", False), ("exact", True)):
            test = ct.McNemarTest(method, correction)
            test.fit([1.0] * b + [-1.0] * c + [0.0] * 70)
            peer = mcnemar([[50, b], [c, 20]], method == "exact", correction)
            ours += [test.statistic_, test.pvalue_]
            theirs += [peer.statistic, peer.pvalue]
    yield "mcnemar", "McNemarTest()", "statistic, p", ours, theirs
    names = {
        "holm": "holm",
        "bonferroni": "bonferroni",
        "hochberg": "simes-hochberg",
        "fdr_bh": "fdr_bh",
    }
    yield from adjusted(
        "multipletests",
        {
            name: lambda p, peer=peer: multipletests(p, method=peer)[1]
            for name, peer in names.items()
        },
    )
    rng = np.random.default_rng(0)
    e, groups = rng.normal(size=(5, 40)), rng.permutation(np.arange(200) % 40)
    groups = np.sort(groups).reshape(5, 40)  # 8 groups in each of 5 folds
    residuals = ct.CVResiduals.from_array(e, groups=groups)
    fitted = sm.OLS(e.ravel(), np.ones(200)).fit(
        cov_type="cluster", cov_kwds={"groups": groups.ravel()}
    )
    test = ct.KFoldZTest(rho=0).fit(residuals)
    yield (
        'OLS, cov_type="cluster"',
        "KFoldZTest(rho=0) of groups",
        "standard error",
        [test.standard_error_],
        [fitted.bse[0]],
    )


def scikit_posthocs():
    import scikit_posthocs

    scores = arrays(12, (3,))
    ranks = ranks_of(scores)
    order = ["abc".index(name) for name in ranks.names]
    upper = np.triu_indices(3, 1)
    peer = scikit_posthocs.posthoc_nemenyi_friedman(scores).to_numpy()
    ours = ranks.nemenyi_pvalues[upper]
    theirs = peer[np.ix_(order, order)][upper]
    yield "posthoc_nemenyi_friedman", "ranks()", "p of all pairs", ours, theirs
    peer = scikit_posthocs.posthoc_wilcoxon(list(scores.T), p_adjust="holm").to_numpy()
    ours = ranks.wilcoxon_pvalues[upper]
    theirs = peer[np.ix_(order, order)][upper]
    yield "posthoc_wilcoxon, Holm", "ranks()", "p of all pairs", ours, theirs


def nestkit():
    from nestkit.comparison import statistical_tests as nk

    ours, theirs, probabilities, expected = [], [], [], []
    for a, b in zip(arrays(20, (10,)), arrays(20, (10,), seed=1), strict=True):
        mine = ct.corrected_ttest(a, b, n_train=90, n_test=10)
        peer = nk.nadeau_bengio_corrected_ttest(a, b, 90, 10)
        ours += [mine.statistic_, mine.pvalue_, *mine.confidence_interval()]
        theirs += [peer[k] for k in ("t_statistic", "p_value", "ci_lower", "ci_upper")]
        test = ct.BayesianCorrelatedTTest(rope=0.1).fit(subsample(b - a, 90, 10))
        probabilities += [test.prob_less_, test.prob_rope_, test.prob_greater_]
        peer = nk.bayesian_correlated_ttest(a, b, 90, 10, rope=0.1)
        expected += [peer[k] for k in ("p_a_better", "p_equivalent", "p_b_better")]
    name = "nadeau_bengio_corrected_ttest"
    yield name, "corrected_ttest", "t, p, interval", ours, theirs
    yield (
        "bayesian_correlated_ttest",
        "BayesianCorrelatedTTest(rope)",
        "three probabilities",
        probabilities,
        expected,
    )
    holm = {"holm": lambda p: nk.holm_bonferroni_correction(list(p))}
    yield from adjusted("holm_bonferroni_correction", holm)


def autorank():
    import pandas as pd
    from autorank import autorank

    scores = arrays(12, (3,))
    table = pd.DataFrame(scores, columns=list("abc"))
    with contextlib.redirect_stdout(io.StringIO()):  # it prints
        peer = autorank(table, force_mode="nonparametric")
    ranks = ranks_of(scores)
    ours = [ranks.friedman[2]]
    yield "autorank()", "ranks().friedman", "p", ours, [peer.pvalue]
    ours = [ranks.critical_difference]  # theirs from an approximation
    yield "autorank()", "ranks()", "critical difference", ours, [peer.cd]


def dieboldmariano():
    import dieboldmariano

    ours, theirs = [], []
    for series in arrays(10, (60,)):
        for horizon in (1, 2, 4):
            test = ct.DieboldMarianoTest(horizon=horizon).fit(series)
            ours += [test.statistic_, test.pvalue_]
            theirs += dieboldmariano.dm_test(
                np.zeros(60),
                series,
                np.zeros(60),
                loss=lambda _, predicted: predicted,
                h=horizon,
                variance_estimator="acf",
            )
    yield "dm_test", "DieboldMarianoTest()", "statistic, p", ours, theirs


PEERS = {
    "scipy": scipy,
    "scikit-learn": scikit_learn,
    "statsmodels": statsmodels,
    "mlxtend": mlxtend,
    "baycomp": baycomp,
    "nestkit": nestkit,
    "scikit-posthocs": scikit_posthocs,
    "autorank": autorank,
    "dieboldmariano": dieboldmariano,
    **SCORE_PEERS,
}


def row_of(package, theirs, ours, what, our_numbers, their_numbers, right=""):
    found = map(str, agreement(our_numbers, their_numbers))
    return [package, version(package), theirs, ours, what, *found, right]


def measure():
    """Return rows by package, of the packages that are installed."""
    rows = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for package, peer in PEERS.items():
            if version(package) is not None:
                rows[package] = [row_of(package, *row) for row in peer()]
    return rows


def stored():
    """Return the rows of the CSV by package."""
    rows = {}
    for row in read(CSV):
        rows.setdefault(row["package"], []).append(list(row.values()))
    return rows


def differences(measured, known):
    """Yield what is wrong with the CSV: rows that are not as measured, versions apart.

    More digits than stored are no fault: the last ones depend on the machine.
    """
    for package, rows in measured.items():
        old = known.get(package, [])
        if [row[2:6] for row in rows] != [row[2:6] for row in old]:
            yield f"{package}: the rows are not those of the CSV"
            continue
        for new, row in zip(rows, old, strict=True):
            if int(new[6]) < int(row[6]):
                yield f"{package} {new[1]}, {new[2]}: {new[6]} digits, CSV {row[6]}"


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--check", action="store_true")
    measured = measure()
    known = stored() if CSV.exists() else {}
    if parser.parse_args().check:
        wrong = list(differences(measured, known))
        print("\n".join(wrong) or f"{CSV.name} is current: {', '.join(measured)}")
        sys.exit(bool(wrong))
    rows = [row for name in PEERS for row in measured.get(name, known.get(name, []))]
    write_rows(CSV, HEADER, rows)
    for row in rows:
        print("  ".join(row))


if __name__ == "__main__":
    main()
