"""Warnings raised by sklearn_cvtest."""

__all__ = [
    "AutocorrelatedResidualsWarning",
    "DegenerateResidualsWarning",
    "DependentRowsWarning",
    "FewExamplesWarning",
    "GroupLeakWarning",
    "HeavyTailedResidualsWarning",
    "ThresholdWarning",
    "UnequalGroupsWarning",
    "ValidationLeakWarning",
]


class AutocorrelatedResidualsWarning(UserWarning):
    """Loss differences over time are correlated for longer than a test allows for.

    The test of forecasts then takes the mean for more precise than it is, and rejects
    too often: with `horizon=1`, 200 times and an autocorrelation of 0.6, a third of
    true null hypotheses at the 5% level (docs/data/calibration_series.csv).
    """


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

    Raised where no groups are given, for one of four reasons. The first 20,000 rows are
    looked at. Rates of groups and of forecasts are in docs/data/hidden_dependence.csv.

    Neighbouring rows are predicted too high or too low alike, and folds mix them, as
    rows of a series: the ranks in test sets of y minus the prediction (of classifiers,
    of the probability, or the loss, within classes) correlate by more than four
    standard deviations. Tests then reject too often. Rows that are only sorted bring
    it, too, if errors depend on what they are sorted by and this is no column of X, nor
    the class, nor the predicted number; then nothing is wrong. If X is sorted by a
    column that does not just count the rows, the errors of all rows are ranked
    together, and each model's must correlate by two standard deviations. If what a
    model misses drifts without a direction, as slopes of features may, it does not
    come.

    Errors of rows with the same value of a column of X correlate; it asks whether these
    belong together. At least ten values stand in adjacent rows each, errors correlate
    by three standard deviations, and in rows with adjacent values by less than
    30% of that. In a column with a name like "patient_id", and an index with repeated
    labels, values may stand anywhere if errors correlate by four. With more than two
    classes, these are not looked at. Neither the container of X matters nor whether
    values are numbers, words, or one-hot columns.

    More than 1% of the test rows have an identical row, the target included, in their
    training set, as after oversampling, and at least twice as many rows are repeated as
    chance gives. With discrete values many rows are identical by chance, which is known
    from rows that differ in one or two columns, and nothing is wrong; then copies among
    them are not noticed either. All rows are looked at, with groups, too.

    Loss differences of models on one test set, of which the models have seen no rows,
    correlate between adjacent rows, or rows up to ten apart, as errors of forecasts do.
    Tests of independent rows then reject too often; `DieboldMarianoTest`, fitted to the
    differences in the order of time, is for such. Rows sorted by the target or a loss
    do not bring it, rows sorted by something else may.

    `diagnostics=False` of what fits switches it off.
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
    p-values and intervals can be far off. And a test set can be too small for
    per-example values of a metric: AUC and macro F1 are linearised, which says little
    about fewer than ten examples of a class (average precision: 15), or of fewer than
    thirty examples for R² and explained variance; metrics of one class's labels, such
    as F1, need one. Only one value per split is then kept, and only tests of fold means
    can be used. In :func:`compare_scores`, an array of fewer examples than runs may be
    transposed. And two or three examples do not show how differences are distributed.
    """


class HeavyTailedResidualsWarning(UserWarning):
    """The residuals are such that their mean is not close to normal.

    A few large losses, or a few errors, then dominate the mean, and tests of it do not
    keep their level. For squared errors it is raised where the L-skewness of the
    absolute errors of both estimators exceeds 0.31 (normal errors have 0.20): a
    sample that holds few of the large errors, and so rejects falsely, does not look
    skewed, but its errors do. For other losses it is raised
    where there are at least 40 examples and the skewness of their mean (theirs over the
    root of their number) exceeds 0.25: by the Edgeworth expansion one tail of the
    studentised mean is then about twice as heavy as the normal distribution's. If
    fewer than 20 examples differ from the median, the message says that errors are too
    few.

    Losses that are so rare and so large that most samples hold none of them cannot be
    seen: the skewness of a sample's mean is never above 1. No test keeps its level
    then, and no warning is raised.
    """


class ThresholdWarning(UserWarning):
    """A metric of predicted classes rests on few positives, or on the threshold.

    Which share of the examples a classifier calls positive is decided by its training
    sample as a whole. It varies between samples more than between the folds of one, so
    that tests of F1, precision, recall or Jaccard reject too often, and intervals are
    too short. Raised where at least 10% of the examples, and 30, have a probability
    within 0.05 of one half, and a threshold moved as far as the noise of the share of
    positives moves probabilities changes the metric of that class by more than its
    standard error. `predict_proba`, or `decision_function`, is called once a fit for
    that, of estimators that predict the more probable class.

    Also raised, before the fits, with 30 positives (or examples of the rarer of two
    classes) or fewer, for all metrics of predicted classes; and where in a run over all
    examples fewer than ten of them are predicted as such. Measures of the scores, such
    as AUC, average precision or the log loss, do not depend on a threshold.
    `diagnostics=False` of what fits switches it off.
    """


class UnequalGroupsWarning(UserWarning):
    """Groups, or the test sets of splits, are very unequal.

    The message says what weighs the same in the mean that is tested: examples, groups,
    or splits. Raised for tests of single examples where the groups weigh like fewer
    than 15 equal ones (by Kish's effective number), and that is less than three
    quarters of their number: they then rejected 8 to 32% of true null hypotheses at the
    5% level, and 5% where groups weigh the same. Raised for tests of the means of
    splits where their test sets weigh like fewer than three quarters of their number;
    they keep their level, but a small test set counts as much as a large one.
    """


class ValidationLeakWarning(UserWarning):
    """Rows for early stopping are passed to all fits, and may be tested, too.

    Raised for `eval_set`, `eval_X`, `X_val` and `validation_data` in `params`, which
    the fits of all splits share. Where these are rows of X, what a model is
    tested on chooses its number of rounds. Take them from each training set, as the
    guide's page on LightGBM, XGBoost and CatBoost does.
    """
