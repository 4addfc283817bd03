"""What a comparison of mean ranks says."""

from .._report import _document, _format


def ranks_document(result):
    """Return the Document of a RankComparison."""
    n_datasets = result.n_datasets
    n_estimators = len(result.mean_ranks)
    tests = (
        f"Mean ranks of {n_estimators} estimators over {n_datasets} data sets, 1 is "
        f"the best. Friedman's test that all rank alike: {_friedman_text(result)}. "
        f"Mean ranks that differ by more than {result.critical_difference:.3g} differ "
        f"significantly at the {_format.percent(result.alpha)} level (Nemenyi)."
    )
    pvalues_are = (
        "The p-values compare each estimator with the first, adjusted for all pairs: "
        "Nemenyi's test, and Wilcoxon's signed-rank test by Holm's method."
    )
    columns = {
        "estimator": result.estimator_names,
        "mean rank": [f"{rank:.2f}" for rank in result.mean_ranks],
    }
    for test in ("Nemenyi", "Wilcoxon"):
        pvalues = getattr(result, f"{test.lower()}_pvalues")[0, 1:]  # against the best
        columns[f"p, {test}"] = [
            "-",
            *(_format.shown_pvalue(p, result.alpha) for p in pvalues),
        ]
    summary = (
        _document.Sentence(tests),
        _document.table_of(columns, "Mean ranks"),
        _document.Sentence(pvalues_are),
    )
    lead = f"{n_estimators} estimators on {n_datasets} data sets"
    return _document.Document("Mean ranks over data sets", lead, lambda: summary)


def _friedman_text(result):
    """Return Friedman's statistic and its p-value."""
    friedman = result.friedman
    statistic = _format.statistic_words(f"χ²({friedman.df})", friedman.statistic)
    return f"{statistic}, {_format.equals('p', friedman.pvalue, result.alpha)}"
