"""What the names of columns say of a metric: its word, range and direction."""

import re
from dataclasses import replace

import numpy as np

from ._cells import plain_name
from ._metrics import Metric, find_metric
from ._questions import TableError

SHARE = {"low": 0.0, "high": 1.0, "is_share": True}
UNIT = {"low": 0.0, "high": 1.0}
SIGNED = {"low": -1.0, "high": 1.0}
UNBOUNDED = {"low": -np.inf}
FACTS = ("low", "high", "is_share", "by_ratio", "rho")

# What is in files beside the metrics of scikit-learn: (names, is a score, its range).
METRIC_NAMES = [
    (
        "top1 top_1 percent_correct correct is_correct passed pass pass_1 exact_match "
        "em hit hits success genauigkeit treffer trefferquote exactitude exactitud "
        "précision clicked converted specificity sensitivity g_mean gmean acc_norm",
        True,
        SHARE,
    ),
    ("ap map miou dice ndcg mrr nmi", True, UNIT),
    ("kappa kappa_statistic ari pearson spearman correlation", True, SIGNED),
    (
        "d2 explained_variance d2_absolute_error_score d2_pinball_score "
        "d2_tweedie_score d2_log_loss_score d2_brier_score",
        True,
        {"low": -np.inf, "high": 1.0},
    ),
    (
        "score bleu rouge elo reward return chrf meteor punkte points log_likelihood",
        True,
        UNBOUNDED,
    ),
    ("wer cer percent_incorrect fehlerrate", False, SHARE),
    (
        "smape mase rmsse wape nrmse crps mean_tweedie_deviance",
        False,
        {"by_ratio": True},
    ),
    ("ece", False, UNIT),
    ("err loss perplexity ppl deviance regret metric_error fehler erreur", False, {}),
]
BY_NAME = {
    name: (is_score, facts)
    for names, is_score, facts in METRIC_NAMES
    for name in names.split()
}
LOSS_WORDS = frozenset(
    [
        "error",
        "errors",
        "err",
        "loss",
        "losses",
        "mse",
        "rmse",
        "mae",
        "mape",
        "smape",
        "mase",
        "logloss",
        "deviance",
        "regret",
        "perplexity",
        "brier",
        "wer",
        "cer",
        "fehler",
        "mmce",
    ]
)
SCORE_WORDS = frozenset(
    [
        "acc",
        "accuracy",
        "auc",
        "auroc",
        "f1",
        "precision",
        "recall",
        "score",
        "kappa",
        "mcc",
        "ndcg",
        "iou",
        "dice",
        "bleu",
        "rouge",
        "r2",
        "correct",
    ]
)
UNCLEAR = re.compile(
    r"(1|one_minus)_.*|.*_(drop|gap|diff|delta|rank|time|std|se|stderr)"
)
PLACE = re.compile(
    r"^(test|val|valid|validation|eval|mean|avg|classif|regr)_|_(test|val|valid|mean)$"
)


def metric_named(name, is_score=None):
    """Return the Metric that a name means, None if its direction is not known.

    Parameters
    ----------
    name : str
        As people write it.
    is_score : bool or None
        The direction, if a user has said it.
    """
    plain = plain_name(name)
    short = PLACE.sub("", plain)
    direction, facts = None, UNBOUNDED
    for candidate in (plain, short, PLACE.sub("", short)):
        direction, facts = _standard(candidate)
        if direction is not None:
            break
    else:
        direction = _direction_of_words(plain)
        facts = {} if direction is False else UNBOUNDED
    if plain.startswith("neg_"):
        direction, facts = True, {"low": -np.inf, "high": 0.0}
    if direction is not None and is_score not in (None, direction):
        kinds = {True: "score", False: "loss"}
        answer = {kinds[is_score]: None, kinds[direction]: str(name)}
        raise TableError(f"{str(name)!r} is the name of a {kinds[direction]}", **answer)
    if direction is None and is_score is not None:
        direction, facts = is_score, UNBOUNDED
    if direction is None:
        return None
    standard = find_metric(plain)
    word = str(name).replace("_", " ").replace("\n", " ").strip()
    if standard is not None:
        word = standard.word
    return Metric(str(name), word, None, is_score=direction, **facts)


def _standard(plain):
    """Return whether a standard name is that of a score, and the range."""
    metric = find_metric(plain)
    if metric is None:
        return BY_NAME.get(plain, (None, UNBOUNDED))
    facts = {name: getattr(metric, name) for name in FACTS}
    return metric.is_score, facts


def _direction_of_words(plain):
    """Return whether a name is that of a score, None if it does not say."""
    if UNCLEAR.fullmatch(plain):
        return None
    words = set(plain.split("_"))
    if words & LOSS_WORDS:
        return False
    return True if words & SCORE_WORDS else None


def as_losses(values, metric):
    """Return losses of numbers as they stand in a file, and the Metric.

    Percentages of a share become shares. Scores are turned round. A metric whose
    range the numbers leave has none.
    """
    finite = values[np.isfinite(values)]
    is_part = metric.low == 0 and metric.high == 1
    if is_part and finite.size and 1.5 < finite.max() <= 100:
        if np.median(finite) <= 1:
            text = f"Most numbers are shares, and {finite.max():g} is none"
            raise TableError(f"{text}. Write all as shares, or all in percent")
        values = values / 100
        finite = finite / 100
    is_outside = (finite < metric.low).any() or (finite > metric.high).any()
    if is_outside:
        low = 0.0 if finite.min() >= 0 else -np.inf
        by_ratio = metric.by_ratio and low == 0
        metric = replace(
            metric, low=low, high=np.inf, is_share=False, by_ratio=by_ratio
        )
    return metric.sign * values, metric
