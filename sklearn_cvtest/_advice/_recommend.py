"""Which design and test, from what was measured."""

import math
import sys

from sklearn.metrics import get_scorer_names

from .._losses._metrics import find_metric
from .._losses._named_losses import find_loss, get_loss_names
from .._validation import check_integer, check_option, check_real, invalid, nearest
from ._seen_rho import HIGH_RHO
from ._study import HALVES, INTEGRATED, MEASURED, ZERO_ONE_RHO

DEFAULT_FITS = {
    "compare": 10,
    "conservative": 10,
    "high rho": HALVES.fits,
    "reproducible": 30,
}
PURPOSES = (*DEFAULT_FITS, "fitted models", "forecasts")
POWER, DISAGREE = 0.8, 0.1
MIN_GROUPS = 10


def recommended(n_samples, metric, n_groups, seconds_per_fit, budget, purpose):
    """Return the fields of a Recommendation, as :func:`recommend` takes arguments."""
    n_samples, metric, n_groups, seconds_per_fit, budget, purpose = _checked(
        n_samples, metric, n_groups, seconds_per_fit, budget, purpose
    )
    if purpose in ("fitted models", "forecasts"):
        return _without_study(purpose, metric, n_groups, seconds_per_fit)
    most = DEFAULT_FITS[purpose]
    if budget is not None:
        most = int(min(budget / (2 * seconds_per_fit), sys.maxsize))
    per_example = _has_examples(metric)
    few_groups = n_groups is not None and n_groups < MIN_GROUPS
    found = _measured(most, purpose, per_example and not few_groups)
    if found is None:
        allowed = f"enough for 5 fits of two, {10 * (seconds_per_fit or 0):g} seconds"
        raise invalid("budget", allowed, budget)
    cv, n_fits = _design(found, n_groups, ", stratify=True" * _is_of_classes(metric))
    return dict(
        cv=cv,
        test=found.test,
        n_fits=n_fits,
        seconds=2 * n_fits * seconds_per_fit if seconds_per_fit else math.nan,
        detectable_difference=_detectable(found.found_with(POWER), n_samples)
        if metric in ("zero_one", "accuracy") and n_groups is None
        else math.nan,
        size=found.size,
        why=_why(found, purpose, per_example, few_groups),
        code=_code(cv, found.test, metric, n_groups),
    )


def _detectable(deviations, n_samples):
    """Return the difference in error rates that is so many standard deviations.

    With a difference d, of classifiers that are right on different examples with
    probability s, the variance is s - d^2; and s >= d.
    """
    ratio = float(deviations) ** 2 / n_samples / (1 - ZERO_ONE_RHO)
    found = math.sqrt(DISAGREE * ratio / (1 + ratio))
    return found if found <= DISAGREE else max(ratio / (1 + ratio), DISAGREE)


def _checked(n_samples, metric, n_groups, seconds_per_fit, budget, purpose):
    n_samples = check_integer("n_samples", n_samples, 10)
    if n_samples > sys.maxsize:
        raise invalid("n_samples", f"at most {sys.maxsize}", n_samples)
    check_option("purpose", purpose, PURPOSES)
    if n_groups is not None:
        n_groups = check_integer("n_groups", n_groups, 2)
        if n_groups > n_samples:
            raise invalid("n_groups", f"at most n_samples, {n_samples}", n_groups)
    if seconds_per_fit is not None:
        seconds_per_fit = check_real("seconds_per_fit", seconds_per_fit, above=0)
    if budget is not None:
        budget = check_real("budget", budget, above=0)
        if seconds_per_fit is None:
            raise invalid("seconds_per_fit", "given with `budget`", None)
    if not isinstance(metric, str):
        raise invalid("metric", "the name of a loss or a score", metric, TypeError)
    if metric not in get_scorer_names():
        try:
            find_loss("metric", metric, {})
        except ValueError:
            hint = nearest(metric, [*get_loss_names(), *get_scorer_names()])
            allowed = "one of get_loss_names(), or the name of a scikit-learn scorer"
            raise invalid("metric", allowed, metric, hint=hint) from None
    return n_samples, metric, n_groups, seconds_per_fit, budget, purpose


def _has_examples(metric):
    return _is_loss(metric) or find_metric(metric) is not None


def _is_loss(metric):
    """Whether it is the name of a loss, such as "pinball(0.9)"."""
    return metric.partition("(")[0] in get_loss_names()


def _is_of_classes(metric):
    words = ("error", "deviance", "r2", "pinball", "huber", "cosh", "variance")
    return not any(word in metric for word in words)


def _measured(most, purpose, per_example):
    """Return what has the largest power at this price, None if nothing is."""
    if purpose == "high rho" and per_example and most >= HALVES.fits:
        return HALVES
    if purpose in ("conservative", "high rho"):
        allowed = [measured for measured in MEASURED if measured.test == "KFoldTTest()"]
    elif per_example:
        allowed = [measured for measured in MEASURED if measured.test == INTEGRATED]
    else:
        allowed = [measured for measured in MEASURED if measured.test != INTEGRATED]
    allowed = [measured for measured in allowed if measured.fits <= most]
    return max(allowed, key=lambda measured: measured.power_3sd, default=None)


def _design(found, n_groups, stratify):
    """Return the code of a design, and its number of fits."""
    if found is HALVES:
        halves = f"PairedHalves(BlockKFold(5{stratify}), 6{stratify}, random_state=0)"
        return halves, HALVES.fits
    n_repeats, _, folds = found.design.rpartition(" x ")
    n_folds = int(folds.partition("-")[0])
    if n_groups is not None:
        n_folds = min(n_folds, n_groups)
    repeats = f", n_repeats={n_repeats}" if n_repeats else ""
    code = f"BlockKFold({n_folds}{repeats}{stratify}, random_state=0)"
    return code, n_folds * int(n_repeats or 1)


def _why(found, purpose, per_example, few_groups):
    if found is HALVES:
        return (
            "models trained on disjoint halves share no examples, so nothing is "
            "assumed about ρ. It compares models trained on half as many examples."
        )
    if purpose in ("conservative", "high rho"):
        return f"it assumes ρ = {HIGH_RHO:g}, the largest that its authors saw."
    if few_groups:
        return "fewer than ten groups leave only tests of the means of folds."
    if not per_example:
        return "the score has one value per fold, which the corrected t tests accept."
    if purpose == "reproducible":
        return "more repeats make the answers of two seeds agree more often."
    return (
        "the most powerful design at this cost among those found to hold their level."
    )


def _without_study(purpose, metric, n_groups, seconds_per_fit):
    """Return the advice for questions about fitted models and about forecasts."""
    if purpose == "forecasts":
        cv, test, n_fits = "TimeSeriesSplit(5)", "DieboldMarianoTest()", 5
        why = "training sets come before their test sets; it is about these forecasts."
    else:
        cv, n_fits = "RepeatedSubsample(1, test_size=0.3, random_state=0)", 1
        test = "McNemarTest()" if metric in ("zero_one", "accuracy") else ""
        if n_groups is not None or not test:
            test = "HoldoutTTest()"
        why = "one test set that neither model has seen; it is about these two models."
    return dict(
        cv=cv,
        test=test,
        n_fits=n_fits,
        seconds=2 * n_fits * seconds_per_fit if seconds_per_fit else math.nan,
        detectable_difference=math.nan,
        size=math.nan,
        why=why,
        code=_code(cv, test, metric, n_groups),
    )


def _code(cv, test, metric, n_groups):
    """Return code to paste."""
    measure = "loss" if _is_loss(metric) else "scoring"
    if metric == "accuracy":
        measure, metric = "loss", "zero_one"
    kinds = [cv.partition("(")[0], test.partition("(")[0], "compare_estimators"]
    kinds += ["BlockKFold"] * ("(BlockKFold" in cv)
    imports = "from sklearn_cvtest import " + ", ".join(sorted(kinds))
    if cv.startswith("TimeSeries"):
        imports = (
            "from sklearn.model_selection import TimeSeriesSplit\n"
            f"from sklearn_cvtest import {kinds[1]}, compare_estimators"
        )
    by_groups = "    groups=groups,\n" * (n_groups is not None)
    return (
        f"{imports}\n\n"
        "result = compare_estimators(\n"
        "    models, X, y,\n"
        f"    cv={cv},\n"
        f"    test={test},\n"
        f'    {measure}="{metric}",\n'
        f"{by_groups})\nprint(result)\n"
    )
