"""What is measured on a test example: losses by name, and losses of your own."""

import numpy as np

from ._formulas import concordance
from ._metrics import Metric, make_loss
from ._validation import check_array, invalid

__all__ = ["Metric", "concordance_index", "make_loss"]


def concordance_index(y_true, y_pred, *, sample_weight=None):
    """Return the share of pairs that are predicted in the right order.

    Harrell's C: among the pairs of which it is known which value is larger, the share
    where its prediction is, ties of predictions ½.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Values; or a structured array of two fields, whether the event was seen and
        its time (the time of last sight where it was not), as of scikit-survival.
    y_pred : array-like of shape (n_samples,)
        Predictions that increase with y; of a structured y, risks: the higher, the
        earlier the event.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the examples; a pair has the product of two.

    Returns
    -------
    concordance : float
        In [0, 1]; ½ is chance.

    Raises
    ------
    TypeError, ValueError
        If the arrays are not of one length and finite, or no pair can be compared.

    References
    ----------
    .. [1] F. E. Harrell, K. L. Lee and D. B. Mark, "Multivariable prognostic
       models", Statistics in Medicine 15, 361-387, 1996.
       :doi:`10.1002/(SICI)1097-0258(19960229)15:4<361::AID-SIM168>3.0.CO;2-4`

    Examples
    --------
    >>> from sklearn_cvtest.losses import concordance_index
    >>> concordance_index([1.0, 2.0, 3.0], [0.1, 0.5, 0.2])
    0.6666666666666666
    """
    y_true = np.asarray(y_true)
    if y_true.dtype.names is None:
        y_true = _finite("y_true", y_true, len(y_true))
    y_pred = _finite("y_pred", y_pred, len(y_true))
    if sample_weight is not None:
        sample_weight = _finite("sample_weight", sample_weight, len(y_true))
    with np.errstate(invalid="ignore"):
        value, _ = concordance(y_true, y_pred, None, sample_weight)
    if np.isnan(value):
        raise invalid("y_true", "of values that can be compared", y_true)
    return float(value)


def _finite(name, values, n_samples):
    """Return an array (n_samples,) of finite numbers."""
    array = check_array(name, values, (1,))
    if len(array) != n_samples or not np.isfinite(array).all():
        raise invalid(name, f"{n_samples} finite numbers", values)
    return array
