"""What is said of the corrected t test of two columns of scores."""

from .._report import _format
from .._report._document import Document, Sentence
from .._report._metric_format import NUMBERS
from . import _ttest_sentences as sentences


def ttest_document(result):
    """Return the Document of a CorrectedTTestResult."""
    (by,), (interval,) = NUMBERS.intervals(
        [result.estimate], *([end] for end in result.confidence_interval())
    )
    symbol = "p" if result.alternative == "two-sided" else "one-sided p"
    t = _format.statistic_words(f"t({result.df})", result.statistic)
    p = _format.equals(symbol, result.pvalue, 0.05)
    if result.standard_error:
        text = sentences.ttest_of_splits(by, interval, t, p)
    else:
        text = sentences.ttest_of_equal_splits(by, result.df + 1, p)
    return Document("Corrected resampled t test", "a and b", lambda: (Sentence(text),))
