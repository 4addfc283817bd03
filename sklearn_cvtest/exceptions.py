"""Warnings raised by sklearn_cvtest."""

__all__ = [
    "DegenerateResidualsWarning",
    "DependentRowsWarning",
    "FewExamplesWarning",
    "GroupLeakWarning",
    "ThresholdWarning",
]


class DegenerateResidualsWarning(UserWarning):
    """The residuals have no variance, so a test returns what is defined for that.

    Raised when all values a statistic is computed from are equal but differ from the
    tested mean, which says more about the experiment (too few examples, a loss too
    coarse) than about the estimators. The statistic is then infinite. For losses
    and scores, p and the interval are what so many equal values show: Clopper and
    Pearson's bounds where the metric has a range, else p = 1 and an interval
    without ends. For an array given to `fit`, whose metric is not known, p is 0 and
    the interval is the one value. Two models with the same losses on all tested
    examples are no such case, and bring no warning.
    """


class DependentRowsWarning(UserWarning):
    """Rows that are taken for independent depend on each other.

    Raised without groups, for one of three reasons.

    Errors of adjacent rows correlate, as in a series, and folds mix these rows: the
    ranks of y minus the prediction (of classifiers, of the losses, within classes)
    correlate by more than four standard deviations. Tests then reject too often. Rows
    that are sorted by the target are not looked at, nor those of classifiers that are
    sorted by a feature. Rows that are sorted by something else may raise it, too,
    although nothing is wrong.

    More than 2% of the test rows have an identical row, the target included, in their
    training set, as after oversampling. Rows with two columns of numbers that hardly
    repeat, or with such a column of texts, are looked at; others may be identical by
    chance.

    Loss differences of models on one test set correlate in adjacent rows, as errors of
    forecasts do. :class:`DieboldMarianoTest`, with rows in the order of time, is for
    these.
    """


class GroupLeakWarning(UserWarning):
    """Splits put examples of one group into both a training and its test set.

    A model can then score well by memorising a patient, a site or a molecule, and
    losses are too small. The message names a group, and a splitter that keeps groups
    whole.
    """


class FewExamplesWarning(UserWarning):
    """There are too few examples for what is asked of them.

    With fewer than ten groups, the variation between groups is hardly known, and
    p-values and intervals can be far off. A test set can be too small for values per
    example of a metric: AUC and averages of F1 are linearised, which says little about
    fewer than ten examples of a class (average precision: 15), or of fewer than thirty
    examples for R². Only one value per split is then kept, and only tests of fold means
    can be used. A verdict by labels, such as the accuracy, that rests on thirty
    examples of a rare class or fewer is hardly ever reliable: use a measure of the
    scores. In :func:`compare_scores`, an array of fewer examples than runs may be
    transposed. And two or three examples do not show how differences are distributed.
    """


class ThresholdWarning(UserWarning):
    """A metric of the labels of one class is sensitive to the decision threshold.

    What share of the examples a classifier calls positive is decided by its training
    sample as a whole. It varies between samples more than between the folds of one, so
    that tests of F1, precision, recall and Jaccard of a class reject too often, and
    intervals are too short. Raised if at least 10% of the examples, and 30, have a
    probability within 0.05 of one half, and a threshold that is moved as far as the
    noise of the share of positives moves probabilities changes the metric by more than
    its standard error. `predict_proba` is asked once a fit, of models whose labels are
    made of it. Measures of the scores, such as AUC, average precision or the log loss,
    do not depend on a threshold. `diagnostics=False` looks at nothing.
    """
