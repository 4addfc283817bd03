"""How much metrics of predicted classes hang on where the threshold lies.

The share of examples that a classifier calls positive is decided by the training sample
as a whole. The folds of one sample have nearly the same, so that they do not show how
much it varies, unless there are scores to tell.
"""

import numpy as np
from sklearn.model_selection import TunedThresholdClassifierCV
from sklearn.pipeline import Pipeline

from .._compat import n_rows
from .._losses._formulas import as_target_array
from ..exceptions import ThresholdWarning

# Positives that are predicted as such in a run: with fewer, whether there are any
# decides the metric, and tests rejected 17 to 99% (docs/data/predicted_classes.csv).
MIN_HITS = 10
# Standard errors by which the metric may change with the threshold, moved as far as a
# share of positives that is one standard deviation off moves probabilities; the share
# near the threshold, and the examples, from which this is worth saying; all from
# docs/data/hard_classes.csv.
MAX_SHIFT, MIN_SHARE, MIN_NEAR = 1.0, 0.1, 30
SHIFTS = -0.05, -0.02, 0.0, 0.02, 0.05
ENDS = (1, 3), (0, 4)
# share of positives, share within 0.05 of the threshold; the score at each shift
N_MEANS = 2 + len(SHIFTS)
ROUNDING = 1e-7  # of probabilities of 32 bits
TUNE = ", or tune the threshold in each training set (TunedThresholdClassifierCV)"
MOST_ROWS = 500  # of a test set, so that predictions cost little where they are dear


def is_tuned(estimator):
    """Whether an estimator, or the last step of a pipeline, tunes its threshold."""
    while isinstance(estimator, Pipeline):
        estimator = estimator.steps[-1][1]
    return isinstance(estimator, TunedThresholdClassifierCV)


def threshold_warnings(fits, losses):
    """Return warnings of estimators whose score hangs on where the threshold lies.

    Parameters
    ----------
    fits : Collector
        Of all fits.
    losses : CVLosses or dict of CVLosses
        What it collected.

    Returns
    -------
    warnings : list of (str, type)
        Messages and categories.
    """
    plan = fits.plan
    numbers = np.arange(len(fits.n_test))[plan.design.full]
    n_runs = fits.n_test[numbers].sum() / n_rows(plan.data.X)
    of_measures = losses.values() if isinstance(losses, dict) else [losses]
    found, y = [], as_target_array(plan.data.y)
    rows = zip(
        plan.measures, of_measures, plan.data.score_params, fits.hits, strict=True
    )
    for measure, of_measure, params, hits in rows:
        means = np.full((len(plan.jobs), N_MEANS), np.nan)
        if measure.takes_labels and plan.data.n_classes == 2:
            weight = params.get("sample_weight")
            means = _means_of_shifts(fits, numbers, measure, y, weight)
        hits = hits[numbers].sum(axis=0) / n_runs
        found += _of_measure(hits, means, of_measure, plan.jobs)
    return found


def _means_of_shifts(fits, numbers, measure, y, weight):
    """Return means over splits, of shape (n_estimators, N_MEANS).

    Of the share of positives, of near ones, and of scores by moved thresholds;
    nan where probabilities are not known. The scores are computed only where enough
    are near.
    """
    classes, n_jobs = np.unique(y), len(fits.plan.jobs)
    tests = [fits.plan.splits[k][1][fits.near[k]] for k in numbers]
    kept = [_some(len(rows), weight is None) for rows in tests]
    shares = np.array(
        [
            np.mean(y[rows[some]] == classes[1])
            for rows, some in zip(tests, kept, strict=True)
        ]
    )
    signs = np.full((len(numbers), n_jobs, N_MEANS), np.nan)
    for at, (number, some) in enumerate(zip(numbers, kept, strict=True)):
        proba = fits.seen[number][some].astype(np.float64)
        # labels that are all the same turn with the share that was trained on, or not
        noise = np.sqrt(shares[at] * (1 - shares[at]) / max(fits.n_train[number], 1))
        is_constant = np.ptp(proba, axis=0) == 0
        reach = np.where(is_constant, min(SHIFTS[-1], 2 * noise), SHIFTS[-1])
        signs[at, :, 0] = shares[at]
        near_ones = np.abs(proba - 0.5) < reach - ROUNDING
        signs[at, :, 1] = np.where(
            np.isnan(proba).any(axis=0), np.nan, near_ones.mean(axis=0)
        )
    for column in np.flatnonzero(signs[..., 1].mean(axis=0) >= MIN_SHARE):
        for at, (number, rows, some) in enumerate(
            zip(numbers, tests, kept, strict=True)
        ):
            proba, rows = fits.seen[number][some, column], rows[some]
            of_rows = None if weight is None else weight[rows]
            signs[at, column, 2:] = [
                measure.score_of_labels(
                    y[rows], classes[(proba > 0.5 + s + ROUNDING) * 1], of_rows
                )
                for s in SHIFTS
            ]
    return signs.mean(axis=0)


def _some(n, is_plain):
    """Return the rows of a test set that are looked at."""
    if n <= MOST_ROWS or not is_plain:
        return slice(None)
    return np.linspace(0, n - 1, MOST_ROWS).astype(int)


def _of_measure(hits, means, losses, jobs):
    """Return the warnings of one measure."""
    is_few = hits < MIN_HITS  # not of nan
    near = means[:, 1]
    is_crowded = (near >= MIN_SHARE) & (near * losses.n_samples >= MIN_NEAR) & ~is_few
    for column in np.flatnonzero(is_crowded):
        shift = _shift_of_noise(means[column], losses, column)
        is_crowded[column] = shift > MAX_SHIFT
    found = []
    for mask, describe in ((is_few, _few_hits), (is_crowded, _crowd)):
        if mask.any():
            column = int(np.argmax(mask))
            others = np.count_nonzero(mask) - 1
            also = f" (and {others} more)" if others else ""
            what = describe(losses, hits, means, column)
            tune = TUNE * (not is_tuned(jobs[column].estimator))
            message = (
                f"{losses.estimator_names[column]!r}{also}: {what} Use a measure of "
                "the scores, such as 'roc_auc', 'average_precision' or "
                f"'neg_log_loss'{tune}."
            )
            found.append((message, ThresholdWarning))
    return found


def _shift_of_noise(means, losses, column):
    """Return what a threshold moved by the noise of the sample changes, in errors.

    A share of positives q that is one standard deviation √(q(1-q)/n) higher moves
    log odds by 1/√(nq(1-q)), and a probability of one half by a quarter of that. The
    standard error is as if folds shared nothing.
    """
    q, scores = means[0], means[2:]
    if not losses.per_example or not 0 < q < 1:
        return np.nan
    slope = abs(scores[-1] - scores[0]) / (SHIFTS[-1] - SHIFTS[0])
    n_train = max(losses.n_train.mean(), 1)  # of given predictions, 0
    noise = 0.25 / np.sqrt(n_train * q * (1 - q))
    values, example = losses.losses[:, column], np.arange(len(losses.losses))
    if losses.row_index is not None:
        _, example = np.unique(losses.row_index, return_inverse=True)
    counts = np.bincount(example)
    mean = np.bincount(example, weights=values) / counts
    error = mean.std(ddof=1) / np.sqrt(len(counts))
    return slope * noise / error if error else np.nan


def _few_hits(losses, hits, means, column):
    n_found = round(float(hits[column]))
    shown = f"only about {n_found}" if n_found else "hardly any"
    return (
        f"{shown} of the positives (or of the rarer class) are predicted as such in a "
        f"run over all examples. Intervals of {losses.loss_name!r} are then too short, "
        "and tests reject too often."
    )


def _crowd(losses, hits, means, column):
    all_scores = means[:, 2:] if losses.is_score else -means[:, 2:]
    scores = all_scores[column]
    by_02, by_05 = (" and ".join(f"{scores[i]:.3f}" for i in at) for at in ENDS)
    of_both = ""
    if len(means) == 2 and np.isfinite(means).all():
        first, second = losses.estimator_names
        down, _, now, _, up = all_scores[0] - all_scores[1]
        of_both = (
            f" (and {first!r} minus {second!r} {down:.3f} and {up:.3f} in place of "
            f"{now:.3f})"
        )
    return (
        f"{means[column, 1]:.0%} of its probabilities are within 0.05 of the "
        f"threshold: moved down and up by 0.02, {losses.loss_name!r} is {by_02} in "
        f"place of {scores[2]:.3f}; by 0.05, {by_05}{of_both}. Intervals are then too "
        "short, and tests reject too often."
    )
