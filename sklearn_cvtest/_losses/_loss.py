"""What a per-example loss is: its function, and all that is to be known of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .._compat import n_rows
from .._row_labels import check_same_index
from .._typing import Any, Array
from .._validation import as_numpy, invalid
from . import _formulas

UNIT, POSITIVE, ENDLESS = (0.0, 1.0), (0.0, math.inf), (-math.inf, math.inf)
DIFFERENCE, RATIO = "difference", "ratio"


@dataclass(frozen=True)
class Loss:
    """A per-example loss and what it needs to know about an estimator.

    Made by :func:`.get_loss` and :func:`.make_loss`; pass it as `loss=` wherever
    the name of a loss is accepted.

    Attributes
    ----------
    name : str
        The name shown in tables.
    function : callable
        The loss itself, called by :meth:`evaluate`.
    response_method : {"predict", "predict_proba", "decision_function"}
        The method of the estimator whose output the loss is computed from.
    task : {"classification", "regression"} or None
        The kind of target it is for; None if not known.
    domain : str or None
        The values of the target for which it is defined: ">=0", ">0" or ">-1".
    value_ranges : tuple of tuples of two floats
        The smallest and largest value; where there are two, the first holds with two
        classes. Infinite where there is no end, or none is known.
    largest : float or None
        The largest value that occurs, where the range has no end; None if not known.
    other_names : tuple of str
        What others call it, or its mean.
    compared_by : {"difference", "ratio"}
        How the means of two models are compared: by their difference, or by their ratio
        where the scale begins at 0 and has no end.
    is_squared : bool
        Whether it is in squared units, so that people read the root of its mean.
    constant : callable or None
        Its mean if the best constant is predicted, of a target; None if not known.
    """

    name: str
    function: Callable
    response_method: str = "predict"
    task: str | None = None
    domain: str | None = None
    value_ranges: tuple = (ENDLESS,)
    largest: float | None = None
    other_names: tuple = ()
    compared_by: str = DIFFERENCE
    is_squared: bool = False
    constant: Callable | None = None

    def check_target(self, y: Array) -> None:
        """Check that the loss is defined for every value of the target.

        Parameters
        ----------
        y : ndarray of shape (n_samples,) or (n_samples, n_outputs)
            The target.

        Raises
        ------
        ValueError
            If a value is outside the domain of the loss.
        """
        y = np.asarray(as_numpy("y", y))
        if self.task == "classification":
            _formulas.check_labels(y, self.name)
        if self.task == "regression":
            y = _formulas.as_float("y", y, self.name)
            _formulas.refuse_missing(y)
            infinite = y[~np.isfinite(y)]
            if infinite.size:
                raise invalid("y", f"finite for loss {self.name!r}", infinite[0])
            _formulas.check_domain("y", y, self.domain, self.name)

    def evaluate(
        self,
        y_true: Array,
        response: Any,
        classes: Any = None,
        n_classes: int | list[int] | None = None,
    ) -> Array:
        """Compute the loss of every example.

        Parameters
        ----------
        y_true : ndarray of shape (n_samples,) or (n_samples, n_outputs)
            The target.
        response : array-like or list of array-like
            What `response_method` of the estimator returned.
        classes : array-like or list of array-like, default=None
            The `classes_` of the fitted estimator, which name the columns of
            `response`; for losses of probabilities and decision values.
        n_classes : int or list of int, default=None
            Number of classes in the whole sample (for each output), some of which a
            training set may lack; None takes the number of `classes`.

        Returns
        -------
        losses : ndarray of shape (n_samples,)
            The loss of every example.

        Raises
        ------
        ValueError
            If the response has the wrong shape or is outside the domain.
        """
        check_same_index({"y_true": y_true, "response": response}, n_rows(y_true))
        y_true = _formulas.as_target_array(y_true, "y_true")
        response, classes = as_numpy("response", response), as_numpy("classes", classes)
        _formulas.refuse_masked(response, "Predictions")
        if self.response_method == "predict":
            losses = self.function(y_true, _formulas.as_target_array(response))
        elif self.task is None:  # from make_loss: the response as it is
            if not isinstance(response, list):
                response = np.asarray(response)
            losses = self.function(y_true, response)
        elif classes is None:
            raise invalid("classes", f"given for loss {self.name!r}", classes)
        else:
            losses = _formulas.mean_over_outputs(
                self.function, y_true, response, classes, n_classes
            )
        return self._checked(losses, len(y_true))

    def _checked(self, losses, n_samples):
        _formulas.refuse_masked(losses, f"Losses of {self.name!r}")
        try:
            losses = np.asarray(as_numpy(f"Losses of {self.name!r}", losses))
        except ValueError:  # lists of different lengths
            losses = np.asarray(losses, dtype=object)
        if losses.shape != (n_samples,) or losses.dtype.kind not in "biuf":
            raise ValueError(
                f"`loss` must return one number per example, an array of shape "
                f"({n_samples},); {self.name!r} returned an array of {losses.dtype} of "
                f"shape {losses.shape}. For one number per split use `scoring`."
            )
        losses = losses.astype(np.float64)  # a copy: the callable may reuse its array
        if self.task is None and self.compared_by == RATIO and (losses < 0).any():
            allowed = (
                f"values of at least 0, as it is compared by ratio ({self.name!r})"
            )
            raise invalid("loss", allowed, losses[losses < 0][0])
        return losses
