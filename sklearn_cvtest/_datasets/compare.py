"""compare_over_datasets: which model is better on data sets like these."""

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
    missing="drop",
    score=None,
    loss=None,
    model="model",
    dataset="dataset",
    **options,
):
    """Compare estimators over many data sets.

    Is one better than another on data sets like these, and by how much on the next one?
    The difference on each data set comes with the standard error of its corrected test,
    and their random-effects mean accounts for both: how uncertain each difference is,
    and how much the true differences vary between data sets.

    Parameters
    ----------
    results : dict, or table
        Name of each data set, at least two, and what there is of it: a
        :class:`Comparison`, a :class:`CVLosses`, or data (X, y) or (X, y, groups), with
        `estimators`. Data sets may differ in size, design and loss. Or a long table, a
        data frame or the path of a file, as :func:`compare_table` takes it, with a
        column of data sets. Or a benchmark, one number for each data set and model: a
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
        :func:`adjust_pvalues` but "max-t".
    alpha : float, default=0.05
        Level of decisions and, as 1 - alpha, of intervals, in (0, 1).
    scale : {"auto", "log"} or None, default="auto"
        None compares losses as they are, which needs a common scale, such as error
        rates have. "log": by ratios, as differences of logarithms of losses, of the
        means that the test takes, over examples or over splits; all must be above 0.
        "auto" takes ratios of errors on a scale that begins at 0 and has no end, such
        as squared and absolute errors; of others differences.
    missing : {"drop", "worst"}, default="drop"
        What a data set counts for an estimator without a result on it: "drop": it is
        left out of the estimator's pairs. "worst": the estimator is ranked last there,
        and ranks decide the conclusion, by Wilcoxon's signed-rank test; mean
        differences are then of the others.
    **options : dict
        For data: as in :func:`compare_estimators`, such as `cv`, `loss`, `n_jobs`,
        `memory` (one folder for all; a run that was interrupted goes on from there) and
        `progress`. For a table: as in :func:`compare_table`, such as `score`, `fold`
        and `dataset` (the column of data sets, "dataset" by default). For a wide
        table, `score` or `loss` is what its numbers are called.

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
    d_i ~ N(δ_i, v_i) is the difference on data set i, δ_i ~ N(μ, τ²) the true one. √v_i
    is the standard error of its test with all that the test assumes, ρ too. The result
    is the mean of the d_i and its t test; the v_i say what of their variance is τ²,
    for the prediction interval. In the simulations of benchmarks/datasets.py it
    rejected 0.7 to 7.5% of true null hypotheses at the 5% level, and 3.7 to 13.4% with
    cross-validated models whose true differences are skewed (the most with three data
    sets, at most 9.1% with ten or more).

    All data sets weigh the same. The weights 1/(v_i + τ²) of a meta-analysis make the
    mean one over large data sets, where models may differ by more or less; for these,
    and for REML, give `estimates` and `standard_errors` to
    ``statsmodels.stats.meta_analysis.combine_effects``. For τ², the v_i are shrunk
    towards each other [1]_, per example.

    Where both models agree on all examples, the standard error is zero, which does not
    mean that the difference is known; the v_i is then what the others let expect. If
    they disagree on k examples, it counts as known with at most 2k degrees of freedom.

    References
    ----------
    .. [1] G. K. Smyth, "Linear models and empirical Bayes methods for assessing
       differential expression in microarray experiments", Statistical Applications in
       Genetics and Molecular Biology 3(1), 2004. :doi:`10.2202/1544-6115.1027`

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
    >>> result.to_frame()[["wins", "ties", "losses"]].values.tolist()
    [[0, 1, 2]]

    A benchmark with a failed run, which is ranked last:

    >>> import pandas as pd
    >>> knn = [0.91, 0.82, 0.74, 0.88, 0.93, 0.79, 0.85]
    >>> svm = [0.92, None, 0.75, 0.89, 0.94, 0.80, 0.86]
    >>> table = pd.DataFrame({"knn": knn, "svm": svm}, index=[*"abcdefg"])
    >>> result = compare_over_datasets(table, score="accuracy", missing="worst")
    >>> result.ranks().mean_ranks.round(2).tolist()
    [1.14, 1.86]
    """
    if hasattr(results, "columns"):
        means = means_of_frame(results, score, loss, model, dataset)
    else:
        if loss is not None:
            options["loss"] = loss
        means = means_of_results(results, estimators, test, alpha, options)
    return DatasetComparison(
        means, reference=reference, p_adjust=p_adjust, alpha=alpha, missing=missing
    )
