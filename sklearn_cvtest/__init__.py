"""Is this model really better than that one, or is it the cross-validation talking?

Statistical tests for cross-validation that account for overlapping training sets, for
scikit-learn. ``help(sklearn_cvtest.NAME)`` explains each function:

- :func:`compare_estimators`: is A better than B, which of many may be the best;
- :func:`cross_val_interval`, :func:`interval_of_predictions`: how sure is a score;
- :func:`compare_predictions`, :func:`compare_scores`, :func:`compare_table`,
  :func:`compare_file`, :func:`compare_cv_results`, :func:`corrected_ttest`: predictions
  or scores at hand;
- :func:`compare_candidates`: searches;
- :func:`compare_over_datasets`: many data sets.

The documentation is in the folder `docs` of the repository and of the source
distribution. It begins with `docs/guide/which_test.md`, the call for each question.
"""

from . import exceptions as exceptions
from . import losses as losses
from . import results as results
from ._comparison import Comparison, load
from ._cv_results import compare_cv_results
from ._data import CVLosses, CVResiduals
from ._datasets.compare import compare_over_datasets
from ._engine import cross_val_losses
from ._estimators import compare_estimators
from ._fold_table import compare_table
from ._gate import assert_not_worse
from ._inference import (
    BayesianCorrelatedTTest,
    ConservativeZTest,
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    CrossedTest,
    DieboldMarianoTest,
    EquivalenceTest,
    FiveByTwoFTest,
    FiveByTwoTTest,
    HalfSampleTTest,
    HoldoutTTest,
    KFoldTTest,
    KFoldZTest,
    McNemarTest,
    PairedHalvesTTest,
    ResampledTTest,
    adjust_pvalues,
)
from ._interval import cross_val_interval
from ._metrics import make_loss
from ._predictions import compare_predictions, interval_of_predictions
from ._report.forest import ComparisonDisplay
from ._report.rho import RhoSensitivityDisplay
from ._scores import compare_scores
from ._search import NotSignificantlyWorse, compare_candidates, one_standard_error
from ._splits import BlockKFold, FiveByTwo, PairedHalves, RepeatedSubsample
from ._tables.answers import compare_file
from ._ttest import corrected_ttest
from ._version import __version__ as __version__

__all__ = [
    "BayesianCorrelatedTTest",
    "BlockKFold",
    "CVLosses",
    "CVResiduals",
    "Comparison",
    "ComparisonDisplay",
    "ConservativeZTest",
    "CorrectedRepeatedKFoldTTest",
    "CorrectedResampledTTest",
    "CrossedTest",
    "DieboldMarianoTest",
    "EquivalenceTest",
    "FiveByTwo",
    "FiveByTwoFTest",
    "FiveByTwoTTest",
    "HalfSampleTTest",
    "HoldoutTTest",
    "KFoldTTest",
    "KFoldZTest",
    "McNemarTest",
    "NotSignificantlyWorse",
    "PairedHalves",
    "PairedHalvesTTest",
    "RepeatedSubsample",
    "ResampledTTest",
    "RhoSensitivityDisplay",
    "adjust_pvalues",
    "assert_not_worse",
    "compare_candidates",
    "compare_cv_results",
    "compare_estimators",
    "compare_file",
    "compare_over_datasets",
    "compare_predictions",
    "compare_scores",
    "compare_table",
    "corrected_ttest",
    "cross_val_interval",
    "cross_val_losses",
    "interval_of_predictions",
    "load",
    "make_loss",
    "one_standard_error",
]
