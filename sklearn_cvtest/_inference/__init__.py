"""Tests of the mean of cross-validation residuals; they never see an estimator."""

# Tests are chosen among those that are defined: all of them are.
from . import _crossed as _crossed
from . import _diebold_mariano as _diebold_mariano
from . import _equivalence as _equivalence
from . import _exchangeable as _exchangeable
from . import _five_by_two as _five_by_two
from . import _halves as _halves
from . import _kfold_z as _kfold_z
from . import _single_split as _single_split
