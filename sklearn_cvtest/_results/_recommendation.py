"""recommend: which design and test, as a result."""

from dataclasses import dataclass, fields
from typing import Literal

from .._advice._recommend import recommended
from .._report._advice import recommendation_document
from ._result import Result


@dataclass(frozen=True)
class Recommendation(Result):
    """What to do. Made by :func:`recommend`; its `str` says it.

    Attributes
    ----------
    cv, test : str
        The splitter and the test, as code.
    n_fits : int
        Fits of each estimator.
    seconds : float
        What they take for two estimators, one fit at a time; nan if not known.
    detectable_difference : float
        The share of errors (such as 0.03) found with probability 80%, for two
        classifiers one of which is wrong on 10% of examples where the other is not, or
        the other way round; above 0.1, if the worse is right nowhere where the better
        is wrong; nan if this was not measured.
    size : float
        Share of true null hypotheses rejected at the 5% level, in the study; nan if
        it was not in the study.
    why : str
        The reason.
    code : str
        The code to paste.
    """

    cv: str
    test: str
    n_fits: int
    seconds: float
    detectable_difference: float
    size: float
    why: str
    code: str

    no_picture = "it holds only words."
    no_file = "save its code instead."

    def _document(self):
        return recommendation_document(self)

    def _columns(self):
        return {field.name: [getattr(self, field.name)] for field in fields(self)}


def recommend(
    n_samples: int,
    *,
    metric: str = "zero_one",
    n_groups: int | None = None,
    seconds_per_fit: float | None = None,
    budget: float | None = None,
    purpose: Literal[
        "compare",
        "conservative",
        "high rho",
        "reproducible",
        "fitted models",
        "forecasts",
    ] = "compare",
) -> Recommendation:
    """Recommend a design and a test.

    Parameters
    ----------
    n_samples : int
        Number of examples.
    metric : str, default="zero_one"
        The loss, one of :func:`.get_loss_names`, or the score, as `scoring` takes it.
        Scores without a value for each example need other tests.
    n_groups : int, default=None
        Number of groups (such as patients), if examples belong to groups.
    seconds_per_fit : float, default=None
        What a fit of one estimator takes.
    budget : float, default=None
        Seconds to spend on two estimators; None is ten fits of each, thirty if the
        answer is to be reproducible, or 65 where ρ is high. Needs `seconds_per_fit`.
    purpose : {"compare", "conservative", "high rho", "reproducible", \
            "fitted models", "forecasts"}, default="compare"
        "compare": which learning algorithm is better? "conservative": the same, where
        a false positive would be costly; "high rho": the same, where the models are
        known to share much (see :ref:`high_rho`); "reproducible": the same, where
        another seed should give the same answer; "fitted models": which of two models
        that will be used as they are; "forecasts": of rows in time order.

    Returns
    -------
    recommendation : Recommendation
        Design, test, price, what it can find, and the code.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or the budget is too small for any design.

    Notes
    -----
    Among the designs and tests that were measured (:ref:`which_test`) and fit the
    budget, the ones with the largest power.

    Examples
    --------
    >>> from sklearn_cvtest import recommend
    >>> advice = recommend(1000, metric="accuracy", seconds_per_fit=3)
    >>> advice.n_fits, advice.test
    (10, 'IntegratedRhoTest()')
    """
    return Recommendation(
        **recommended(n_samples, metric, n_groups, seconds_per_fit, budget, purpose)
    )
