"""To how many digits this package agrees with others that compute the same thing.

Each row is a function of another package and what gives the same number here: on
arrays drawn with fixed seeds or, where the other package fits models, on the same
splits of the breast cancer data. "digits" is the number of significant digits on which
*all* numbers of the row agree, 12 meaning "at least 12".

Run: python benchmarks/agreement.py               prints the table, writes the CSV
     python benchmarks/agreement.py --check       exit status 1 if it is not current
Needs: pip install -e ".[test,peers]"; rows of what is not installed stay as they are.
"""

import contextlib
import io
import sys
import warnings

import numpy as np
from harness import DATA, parser_of, read, version, write
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


def adjusted(name, functions):
    """Yield a row of adjusted p-values; `functions` are theirs by our names."""
    ours, theirs = [], []
    for p in np.random.default_rng(0).uniform(size=(20, 12)) ** 3:
        for method, function in functions.items():
            ours += list(ct.adjust_pvalues(p, method))
            theirs += list(function(p))
    yield name, "adjust_pvalues", "p: " + ", ".join(functions), ours, theirs


CSV = DATA / "agreement.csv"
HEADER = ["package", "version", "theirs", "ours", "what", "numbers", "digits"]
MOST = 12
CANCER = load_breast_cancer(return_X_y=True)
PAIR = [GaussianNB(), DecisionTreeClassifier(max_depth=2, random_state=0)]


def agreement(ours, theirs):
    """Return the number of pairs, and the digits of the worst one."""
    ours, theirs = np.ravel(ours).astype(float), np.ravel(theirs).astype(float)
    size = np.maximum(np.abs(ours), np.abs(theirs))
    errors = np.abs(ours - theirs) / np.where(size > 0, size, 1)
    n_digits = -np.log10(max(errors.max(), 10.0**-MOST))
    return len(ours), max(0, int(np.floor(n_digits)))


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


def evalconfidence():
    from evalconfidence import ItemResult, compare, standard_error

    def items(scores, groups=range(60)):
        numbered = enumerate(zip(scores, groups, strict=True))
        return [ItemResult(str(k), "a", x, 0, str(group)) for k, (x, group) in numbered]

    def interval(first, second, **options):
        result = ct.compare_scores({"a": first, "b": second}, **options)
        low, high = result.tests["a", "b"].confidence_interval()
        return [result.pvalue_, -high, -low]  # of losses

    scores = arrays(60, (2,)).T
    peer = compare(*map(items, scores))
    theirs = [peer.p_value, *peer.ci_diff]
    yield "compare", "compare_scores", "p, 95% interval", interval(*scores), theirs
    groups = np.arange(60) // 5
    values = scores[0] + scores[1, groups]
    ours = interval(values, np.zeros(60), group=groups)[1:]
    theirs = standard_error(items(values, groups)).ci
    yield "standard_error", "compare_scores", "95% interval, groups", ours, theirs


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
    "evalconfidence": evalconfidence,
}


def row_of(package, theirs, ours, what, our_numbers, their_numbers):
    cells = package, version(package), theirs, ours, what
    cells += agreement(our_numbers, their_numbers)
    return dict(zip(HEADER, map(str, cells), strict=True))


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
        rows.setdefault(row["package"], []).append(row)
    return rows


def compared_of(row):
    return [row[name] for name in ("theirs", "ours", "what", "numbers")]


def differences(measured, known):
    """Yield what is wrong with the CSV: rows that are not as measured, versions apart.

    More digits than stored are no fault: the last ones depend on the machine.
    """
    for package, rows in measured.items():
        old = known.get(package, [])
        if list(map(compared_of, rows)) != list(map(compared_of, old)):
            yield f"{package}: the rows are not those of the CSV"
            continue
        for new, row in zip(rows, old, strict=True):
            if int(new["digits"]) < int(row["digits"]):
                digits = f"{new['digits']} digits, CSV {row['digits']}"
                yield f"{package} {new['version']}, {new['theirs']}: {digits}"


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
    write(CSV, rows)
    for row in rows:
        print(*row.values(), sep="  ")


if __name__ == "__main__":
    main()
