"""best_estimator_set: the estimators that cannot be told apart from the best."""

from dataclasses import dataclass

import numpy as np

from .._data._cvlosses import CVLosses
from .._data._moments import block_sums, cluster_sums
from .._inference._student import ROUNDING
from .._report._best_set import best_set_document
from .._splits._groups import MIN_GROUPS
from .._validation import (
    check_integer,
    check_level,
    check_seed,
    invalid,
    invalid_words,
    warn,
)
from ._result import Result

BLOCK = 2**21  # floats held at a time: 16 MB
MAX_BOOT = 10**7  # which only a mistake exceeds


@dataclass(frozen=True, repr=False)
class BestEstimatorSet(Result):
    """The estimators that cannot be told apart from the best.

    Made by :func:`best_estimator_set`. Its `str` is a table.

    Attributes
    ----------
    names : tuple of str
        The estimators kept, in order of mean loss: those with p-values above `alpha`.
    pvalues : dict of str to float
        For every estimator, in order of mean loss; small if another one is better.
    mean_losses : dict of str to float
        Mean over splits of the mean loss of each test set.
    alpha : float
        One minus the confidence that the best is kept.
    loss_name : str
        The loss.
    """

    names: tuple
    pvalues: dict
    mean_losses: dict
    alpha: float
    loss_name: str

    no_picture = "plot the comparison of the estimators."
    no_file = "save the losses."

    def _document(self):
        return best_set_document(self)

    def _columns(self):
        return {
            "estimator": list(self.pvalues),
            "mean_loss": list(self.mean_losses.values()),
            "pvalue": list(self.pvalues.values()),
            "kept": [name in self.names for name in self.pvalues],
        }


def best_estimator_set(losses, *, alpha=0.05, n_boot=2000, random_state=None):
    """Find the estimators that cannot be told apart from the best of a K-fold.

    Keeps every estimator for which no other one is significantly better, judged by the
    losses of the test examples; nothing is fitted. This is Lei's "cross-validation with
    confidence". The size of the set shows how certain the choice of the best estimator
    is.

    Parameters
    ----------
    losses : CVLosses
        Per-example losses of at least two estimators over a K-fold.
    alpha : float, default=0.05
        One minus the confidence that the best is kept, in (0, 0.5).
    n_boot : int, default=2000
        Number of bootstrap draws, at least 100; an odd number is increased by one.
    random_state : int, RandomState instance or None, default=None
        Seed of the bootstrap.

    Returns
    -------
    best : BestEstimatorSet
        With `names`, never empty, and `pvalues`.

    Raises
    ------
    TypeError, ValueError
        If an argument is out of range, the losses are not those of the examples of a
        K-fold, or fewer than two estimators have finite losses.

    Warns
    -----
    UserWarning
        If an estimator is left out because its losses are not all finite.

    See Also
    --------
    Comparison.tied_with_best : From tests of all pairs, for any design.

    Notes
    -----
    For estimator m, with ξ_j the differences loss(m) - loss(j) of the n examples and
    s_j their standard deviation around the means of the folds, the statistic is the
    largest √n mean(ξ_j)/s_j, and its p-value comes from the Gaussian multiplier
    bootstrap of the centred differences; all j and m share the draws, and each draw is
    used with both signs [1]_. The estimator with the smallest mean loss has a statistic
    of at most 0 and so a p-value of at least 1/2: the set is never empty. If the
    difference between j and m is the same for all examples of each fold, j makes the
    p-value the smallest possible if it is better, and is ignored otherwise. The
    screening of [1]_, which ignores j that are much worse, is not used; without it the
    set can only be larger.

    "Best" refers to the K-fold risk, the expected loss of the K models *as fitted*: the
    examples are taken to be independent given the models. As a statement about the
    expected risk of the learning algorithms it is liberal, because other data would
    give other models; compare those with :func:`compare_estimators`. With groups, of
    which there must be ten, the groups are taken to be independent: s_j is from the
    sums over groups of deviations from the mean of all, each group has one multiplier,
    and draws are scaled to Student's t with G - 1 degrees of freedom. The p-values are
    asymptotic: among equally good estimators with independent losses, 95% sets kept
    each with probability 0.95 (20 estimators, 500 examples, normal losses), 0.93 (5,
    100, exponential) and 0.90 (10, 60, errors of a fifth of the examples).

    References
    ----------
    .. [1] J. Lei, "Cross-Validation With Confidence", Journal of the American
       Statistical Association 115, 1978-1997, 2020.
       :doi:`10.1080/01621459.2019.1672556`

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_cvtest import best_estimator_set, cross_val_losses
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> trees = {
    ...     f"depth {d}": DecisionTreeClassifier(max_depth=d, random_state=0)
    ...     for d in (1, 2, 4)
    ... }
    >>> losses = cross_val_losses({"bayes": GaussianNB(), **trees}, X, y, cv=10)
    >>> best_estimator_set(losses, random_state=0).names
    ('depth 4', 'bayes')
    """
    if not isinstance(losses, CVLosses):
        raise invalid("losses", "CVLosses", losses, TypeError)
    check_level("alpha", alpha, 0.5)
    n_boot = check_integer("n_boot", n_boot, 100, MAX_BOOT)
    rng = check_seed("random_state", random_state)
    _check_design(losses)
    _check_groups(losses.n_groups)
    columns = _finite_columns(losses)
    values = losses.losses[:, columns]
    pvalues = _pvalues(values, losses, n_boot, rng)
    means = values.mean(axis=0)
    shown = losses.mean_losses[columns]
    by_loss = [
        (losses.estimator_names[columns[i]], float(pvalues[i]), float(shown[i]))
        for i in np.argsort(means, kind="stable")
    ]
    return BestEstimatorSet(
        names=tuple(name for name, pvalue, _ in by_loss if pvalue > alpha),
        pvalues={name: pvalue for name, pvalue, _ in by_loss},
        mean_losses={name: mean for name, _, mean in by_loss},
        alpha=float(alpha),
        loss_name=losses.loss_name,
    )


def _check_design(losses):
    if not losses.per_example:
        raise invalid_words(
            "losses",
            "of examples",
            "one value per split, as from `scoring` or `per_example=False`",
            hint="Use a per-example `loss`, or Comparison.tied_with_best.",
        )
    if losses.design.kind != "k-fold":
        hint = "Use cv=BlockKFold(...), or Comparison.tied_with_best."
        raise invalid_words(
            "losses", "those of one K-fold", str(losses.design), hint=hint
        )


def _check_groups(n_groups):
    if n_groups is not None and n_groups < MIN_GROUPS:
        raise invalid_words(
            "losses",
            f"of at least {MIN_GROUPS} groups, because its variance is that between "
            "groups",
            f"{n_groups} groups",
            hint="Use Comparison.tied_with_best with a test of the means of splits.",
        )


def _finite_columns(losses):
    """Return the positions of estimators without failed fits, at least two."""
    failed = losses.failed_splits()
    columns = [
        column
        for column, name in enumerate(losses.estimator_names)
        if name not in failed
    ]
    shown = ", ".join(map(repr, failed))
    if len(columns) < 2:
        what = f"{len(columns)}" + f"; nan or inf for {shown}" * bool(failed)
        raise invalid_words(
            "losses", "of at least two estimators without nan or inf", what
        )
    if failed:
        warn(
            f"Losses must be finite; got nan or inf for {shown}. Estimators left out.",
            UserWarning,
        )
    return columns


def _pvalues(values, losses, n_boot, rng):
    means, n_draws = values.mean(axis=0), -(-n_boot // 2)
    if losses.groups is None:
        centred = _within_folds(values - means, losses.row_split, losses.n_test)
        sums = _bootstrap_sums(centred, n_draws, rng)
    else:  # a multiplier for each group
        centred = cluster_sums((values - means).T, losses.groups).T
        sums = _bootstrap_sums(centred, n_draws, rng)
        sums *= _student_factors(losses.n_groups, n_draws, rng)
    rounding = ROUNDING * np.abs(values).max()
    n = len(values)
    return np.array(
        [_pvalue(m, means, centred, sums, rounding, n) for m in range(len(means))]
    )


def _within_folds(deviations, row_split, sizes):
    """Return deviations from the means of the folds."""
    fold_means = block_sums(deviations, row_split, len(sizes)) / sizes[:, np.newaxis]
    return deviations - np.repeat(fold_means, sizes, axis=0)


def _student_factors(n_groups, n_draws, rng):
    """Return factors that make normal draws those of Student's t with G - 1.

    The variance between few groups is not known well; G/(G - 1) makes it unbiased.
    """
    df = n_groups - 1
    factors = np.sqrt(n_groups / df) / np.sqrt(rng.chisquare(df, n_draws) / df)
    return factors[:, np.newaxis]


def _bootstrap_sums(centred, n_draws, rng):
    """Return G @ centred, G of shape (n_draws, n) standard normal."""
    sums = np.zeros((n_draws, centred.shape[1]))
    step = max(BLOCK // n_draws, 1)
    for start in range(0, len(centred), step):
        rows = centred[start : start + step]
        sums += rng.standard_normal((n_draws, len(rows))) @ rows
    return sums


def _pvalue(m, means, centred, sums, rounding, n):
    """Return the p-value of the hypothesis that no column is better than `m`.

    Lei (2020), section 3, for all j at once; the bootstrap is linear in the losses,
    so that of a difference is the difference of `sums`. A mean difference or standard
    deviation below `rounding` is none.
    """
    others = np.arange(len(means)) != m
    excess = (means[m] - means)[others]
    root = _root_sum_of_squares(centred, m)[others]
    flat = root <= rounding * np.sqrt(n)
    if np.any(excess[flat] > rounding):
        return 1 / (2 * len(sums) + 1)
    if flat.all():
        return 1.0
    # √n mean/s = n mean/√(Σξ²), and the same for the sums
    statistic = np.max(n * excess[~flat] / root[~flat])
    drawn = (sums[:, [m]] - sums)[:, others][:, ~flat] / root[~flat]
    extremes = np.append(drawn.max(axis=1), -drawn.min(axis=1))
    return (1 + np.count_nonzero(extremes >= statistic)) / (1 + len(extremes))


def _root_sum_of_squares(centred, m):
    """Return √Σξ² of the centred differences of column `m` from each."""
    difference = centred[:, [m]] - centred
    return np.sqrt(np.einsum("ij,ij->j", difference, difference))
