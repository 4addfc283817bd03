"""What packages for scores in hand compute, beside what this one computes.

For agreement.py, which takes its rows from here: each function yields (theirs, ours,
what, our numbers, their numbers) and, where the numbers answer the same question but
differ, who is right.
"""

import numpy as np

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
    from evalstats.core.resampling import tango_scc_paired_ci
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
    first, second = answers()
    test = ct.HoldoutTTest(method="score").fit(first - second)
    theirs = tango_scc_paired_ci(first, second, 0.05, c=0)
    name = 'HoldoutTTest(method="score")'
    ours = test.confidence_interval()
    yield "core.resampling.tango_scc_paired_ci", name, "Tango's interval", ours, theirs
    result, ours = compared(*numbers())
    pair = asked(numbers())
    yield "compare()", "compare_scores", "95% interval", ours, interval(pair)
    why = (
        "both: theirs is of the signed ranks, and may contradict the interval of means"
    )
    yield "compare()", "compare_scores", "p", [result.pvalue_], [pair["p_value"]], why
    _, ours = compared(*answers())
    why = "both: Bonett and Price's interval, and Tango's"
    yield "compare()", "compare_scores", ZERO_ONE, ours, interval(asked(answers())), why
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
    return name, "compare_scores", ZERO_ONE, compared(*answers())[1], theirs, WALD


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
    ours = [result.estimates[0] for result, _ in results.values()]
    theirs = [found[name][1] for name in names]
    what = "differences of AUC, AP, MCC"
    yield "compare_models", "compare_scores", what, ours, theirs
    for name, (_, interval) in results.items():
        widths = [half_width(interval)], [half_width(found[name][2:4])]
        what = f"half-width of the 95% interval of {name.removeprefix('ROC')}"
        why = "both: a percentile bootstrap, and the influence of each example"
        yield "compare_models", "compare_scores", what, *widths, why


COMPARED = evalstats, stambo, truescore, evalsig, evalci, evalconfidence
PEERS = {checks.__name__: checks for checks in COMPARED}
