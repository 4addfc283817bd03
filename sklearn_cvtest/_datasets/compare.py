"""compare_over_datasets: which model is better on data sets like these."""

from .._fold_table import compare_table
from .._validation import invalid
from .comparison import DatasetComparison
from .means import means_of_frame, means_of_results


def compare_over_datasets(
    results,
    estimators=None,
    *,
    test=None,
    reference=None,
    p_adjust="holm",
    alpha=0.05,
    scale="auto",
    missing="drop",
    score=None,
    loss=None,
    model="model",
    dataset="dataset",
    **options,
):
    """Compare estimators over many data sets.

    Is one better than another on data sets like these? Each data set is an observation:
    differences are tested by Wilcoxon's signed-rank test, or by Student's t test where
    so few data sets cannot be significant by ranks.

    Parameters
    ----------
    results : dict, or table
        Name of each data set, at least two, and what there is of it: a
        :class:`Comparison`, a :class:`CVLosses`, or data (X, y) or (X, y, groups), with
        `estimators`. Data sets may differ in size, design and loss. Or a data frame: a
        long table, as :func:`compare_table` takes it, with a column of data sets. Or a
        benchmark, one number for each data set and model: a
        long table without folds, or a wide one with a row for each data set and a
        column for each model. What these numbers would be on other examples is then
        not known, and not in any interval.
    estimators : list or dict, default=None
        The estimators to fit on data, as in :func:`compare_estimators`.
    test : test, default=None
        The test whose estimates and total errors are used on every data set. None takes
        the test of each Comparison, else the default of its design.
    reference : str, default=None
        Name of the estimator to compare all others with; None compares all pairs.
    p_adjust : str or None, default="holm"
        How p-values are adjusted for the number of pairs: a `method` of
        :func:`adjust_pvalues`.
    alpha : float, default=0.05
        Level of decisions and, as 1 - alpha, of intervals, in (0, 1).
    scale : {"auto", "log"} or None, default="auto"
        None compares losses as they are, which needs a common scale, such as error
        rates have. "log": by ratios, as differences of logarithms of losses, of the
        means that the test takes, over examples or over splits; all must be above 0.
        "auto" takes ratios of losses above 0 without an end that are known to be
        compared so, such as squared and absolute errors, or, if some are above 1, whose
        sizes on the data sets are more than a factor of 10 apart; of others
        differences.
    missing : {"drop", "worst"}, default="drop"
        What a data set counts for an estimator without a result on it: "drop": it is
        left out of the estimator's pairs. "worst": the estimator is ranked last there;
        mean differences are of the others.
    score, loss : str, default=None
        The column of a table with its numbers, or what the numbers of a wide one are
        called. `loss` is also that of the fits, for data.
    model : str, default="model"
        The column of a long table with the model of each row.
    dataset : str, default="dataset"
        The column of a table with the data set of each row.
    **options : dict
        For data: as in :func:`compare_estimators`, such as `cv`, `n_jobs`, `memory`
        (one folder for all; a run that was interrupted goes on from there) and
        `progress`. For a table: as in :func:`compare_table`, such as `fold`.

    Returns
    -------
    comparison : DatasetComparison
        Means, intervals, prediction intervals, ranks and tables.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Warns
    -----
    UserWarning
        If an estimator is left out on a data set because fits failed, or the data sets
        look like folds of one data set.

    See Also
    --------
    compare_estimators : On one data set.

    Notes
    -----
    Ranks decide if the smallest p-value of D data sets, 2/2^D times the number of pairs
    if it is adjusted, is at most alpha. The difference is then Hodges and Lehmann's
    estimate, the median of the averages of two data sets' differences, with the shifts
    that Wilcoxon's test [1]_ does not reject; differences of zero are left out. Else it
    is the mean, with its t test. Intervals have the levels of the adjusted p-values, so
    that 0 is outside exactly if p is at most alpha. All data sets weigh the same.

    In the simulations of benchmarks/datasets.py, of 3 to 50 data sets, the test that
    decides rejected symmetric differences in at most 5.9% (±0.4) of samples at the 5%
    level, and the t test exponential ones of mean 0 in up to 12%.

    References
    ----------
    .. [1] J. Demšar, "Statistical Comparisons of Classifiers over Multiple Data Sets",
       JMLR 7, 1-30, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer, load_digits
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_cvtest import compare_over_datasets
    >>> data = {
    ...     "cancer": load_breast_cancer(return_X_y=True),
    ...     "digits": load_digits(return_X_y=True),
    ...     "noisy": make_classification(200, flip_y=0.2, random_state=0),
    ... }
    >>> bayes = GaussianNB(var_smoothing=0.01)
    >>> models = {"bayes": bayes, "tree": DecisionTreeClassifier(random_state=0)}
    >>> result = compare_over_datasets(data, models, cv=5)
    >>> result.pairs, result.win_tie_loss.tolist()
    ([('bayes', 'tree')], [[0, 1, 2]])

    A benchmark with a failed run, which is ranked last:

    >>> import pandas as pd
    >>> knn = [0.91, 0.82, 0.74, 0.88, 0.93, 0.79, 0.85]
    >>> svm = [0.92, None, 0.75, 0.89, 0.94, 0.80, 0.86]
    >>> table = pd.DataFrame({"knn": knn, "svm": svm}, index=[*"abcdefg"])
    >>> result = compare_over_datasets(table, score="accuracy", missing="worst")
    >>> result.ranks().mean_ranks.round(2).tolist()
    [1.14, 1.86]
    """
    if hasattr(results, "columns") and options.get("fold", "fold") in results:
        roles = {"model": model, "dataset": dataset, "score": score, "loss": loss}
        results = compare_table(results, test=test, alpha=alpha, **roles, **options)
        score, loss, options = None, None, {}
    if hasattr(results, "columns"):
        percent = options.pop("percent", False)
        if test is not None:
            options["test"] = test
        for name, value in options.items():
            hint = "There is one number for each data set and model."
            raise invalid(name, "left out", value, TypeError, hint=hint)
        means = means_of_frame(results, score, loss, model, dataset, percent)
    else:
        if loss is not None:
            options["loss"] = loss
        means = means_of_results(results, estimators, test, alpha, options)
    return DatasetComparison(
        means,
        reference=reference,
        p_adjust=p_adjust,
        alpha=alpha,
        scale=scale,
        missing=missing,
    )
