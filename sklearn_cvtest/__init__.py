"""Is this model really better than that one, or is it the cross-validation talking?

Statistical tests for cross-validation that account for overlapping training sets, for
scikit-learn. ``help(sklearn_cvtest.NAME)`` explains each function:

- :func:`compare_estimators`: is A better than B, which of many may be the best;
- :func:`cross_val_interval`, :func:`interval_of_predictions`: how sure is a score;
- :func:`compare_predictions`, :func:`compare_scores`, :func:`compare_table`,
  :func:`compare_file`, :func:`compare_cv_results`, :func:`corrected_ttest`:
  predictions, scores or files at hand;
- :func:`compare_candidates`: searches;
- :func:`compare_over_datasets`: many data sets.

The documentation is in the folder `docs` of the repository and of the source
distribution. It begins with `docs/guide/which_test.md`, the call for each question.
"""

from . import exceptions as exceptions
from . import losses as losses
from . import results as results
from . import simulation as simulation
from ._data._cvlosses import CVLosses
from ._data._residuals import CVResiduals
from ._datasets._compare import compare_over_datasets
from ._display._comparison_display import ComparisonDisplay
from ._display._rho import RhoSensitivityDisplay
from ._files._compare_file import compare_file
from ._inference._crossed import CrossedTest
from ._inference._diebold_mariano import DieboldMarianoTest
from ._inference._equivalence import BayesianCorrelatedTTest, EquivalenceTest
from ._inference._exchangeable import (
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    KFoldTTest,
    ResampledTTest,
)
from ._inference._five_by_two import FiveByTwoFTest, FiveByTwoTTest
from ._inference._halves import (
    ConservativeZTest,
    HalfSampleTTest,
    PairedHalvesTTest,
)
from ._inference._kfold_z import KFoldZTest
from ._inference._multiplicity import adjust_pvalues
from ._inference._single_split import HoldoutTTest, McNemarTest
from ._interval._corrected_ttest import corrected_ttest
from ._interval._cross_val_interval import cross_val_interval
from ._interval._interval_of_predictions import interval_of_predictions
from ._results._assertions import assert_not_worse
from ._results._estimator_comparison import Comparison
from ._scores._compare_scores import compare_scores
from ._search._compare_candidates import compare_candidates
from ._search._refit import NotSignificantlyWorse, one_standard_error
from ._sources._compare_cv_results import compare_cv_results
from ._sources._compare_estimators import compare_estimators
from ._sources._compare_predictions import compare_predictions
from ._sources._compare_table import compare_table
from ._sources._cross_val_losses import cross_val_losses
from ._splits._block_kfold import BlockKFold, FiveByTwo
from ._splits._subsample import PairedHalves, RepeatedSubsample
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
    "one_standard_error",
]
