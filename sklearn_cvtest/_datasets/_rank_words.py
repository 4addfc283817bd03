"""What a comparison of mean ranks says."""

from .._report import _document, _format
from . import _sentences


def ranks_document(result):
    """Return the Document of a RankComparison."""
    n_datasets, n_estimators = result.n_datasets, len(result.mean_ranks)
    tests = _sentences.mean_ranks_compared(
        n_estimators,
        n_datasets,
        _friedman_text(result),
        _iman_davenport_text(result),
        result.critical_difference,
        _format.percent(result.alpha),
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
        _document.Sentence(_sentences.pvalues_of_ranks()),
    )
    lead = f"{n_estimators} estimators on {n_datasets} data sets"
    return _document.Document("Mean ranks over data sets", lead, lambda: summary)


def _friedman_text(result):
    """Return Friedman's statistic and its p-value."""
    friedman = result.friedman
    statistic = _format.statistic_words(f"χ²({friedman.df})", friedman.statistic)
    return f"{statistic}, {_format.equals('p', friedman.pvalue, result.alpha)}"


def _iman_davenport_text(result):
    """Return Iman and Davenport's statistic and its p-value."""
    friedman = result.friedman
    df = ", ".join(map(str, friedman.f_df))
    statistic = _format.statistic_words(f"F({df})", friedman.f_statistic)
    return f"{statistic}, {_format.equals('p', friedman.f_pvalue, result.alpha)}"
