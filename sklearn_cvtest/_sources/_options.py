"""Options of functions that return one comparison or several, for type checkers."""

from typing import Literal, TypedDict

from .._inference._choose_tests import Tests
from .._losses._named_losses import Loss
from .._typing import Any, ArrayLike, Function, Sequence

OneScore = str | Function | None
SeveralScores = Sequence[str] | dict[str, Any]


class Fits(TypedDict, total=False):
    """Options of `cross_val_losses`."""

    cv: Any
    loss: str | Loss | Function
    groups: ArrayLike | None
    params: dict[str, Any] | None
    score_params: dict[str, Any] | None
    n_jobs: int | None
    verbose: int
    pre_dispatch: int | str
    error_score: Literal["raise"] | float
    memory: Any
    return_estimator: bool
    per_example: bool
    share_steps: bool
    check_threshold: bool
    progress: bool


class OfQuestion(TypedDict, total=False):
    """Options of a comparison."""

    test: Tests | None
    reference: str | None
    p_adjust: str | None
    alpha: float


class FitsAndQuestion(Fits, OfQuestion):
    """Options of `compare_estimators`."""


class Predictions(OfQuestion, total=False):
    """Options of `compare_predictions`."""

    loss: str | Loss | Function
    response: Literal["auto", "predict", "predict_proba", "decision_function"]
    splits: ArrayLike | Sequence[Any] | None
    groups: ArrayLike | None
    sample_weight: ArrayLike | None
    n_train: int | None


class Runs(OfQuestion, total=False):
    """Options of `compare_scores`."""

    model: str
    example: str
    run: str | None
    group: str | ArrayLike | None
    y_true: str | ArrayLike | None
    percent: bool


class ScoresOfSplits(TypedDict, total=False):
    """Options of `compare_cv_results` and `compare_candidates`."""

    reference: Any
    test: Any
    p_adjust: Any
    alpha: float
    cv: Any
    n_train: int | ArrayLike | None
    n_test: int | ArrayLike | None
    percent: bool


class Table(OfQuestion, total=False):
    """Options of `compare_table`."""

    model: str
    score: str | None
    loss: str | None
    fold: str
    repeat: str | None
    example: str | None
    group: str | None
    n_train: int | str | None
    n_test: int | str | None
    cv: Any
    percent: bool
