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
        "accuratezza acurácia acuracia nauwkeurigheid точность 精度 正確率 准确率 "
        "précision precisión precisione precisão precisie rappel clicked converted "
        "specificity sensitivity g_mean gmean acc_norm hit_rate success_rate win_rate "
        "tpr tnr ppv npv 正解率 正确率 true_positive_rate true_negative_rate lrap",
        True,
        SHARE,
    ),
    ("ap map m_ap miou m_io_u dice dcg ndcg mrr nmi ssim purity ami δ1", True, UNIT),
    (
        "kappa kappa_statistic ari pearson spearman kendall correlation silhouette "
        "gini youden",
        True,
        SIGNED,
    ),
    (
        "d2 explained_variance explained_variance_score d2_absolute_error_score "
        "d2_pinball_score d2_tweedie_score d2_log_loss_score d2_brier_score r_squared "
        "r² r_2 nse kge",
        True,
        {"low": -np.inf, "high": 1.0},
    ),
    (
        "bleu sacrebleu rouge elo reward return chrf meteor comet bertscore punkte "
        "points log_likelihood psnr throughput fps iou mean_reciprocal_rank "
        "chr_f cider spice mota idf1 pq modularity elbo profit utility",
        True,
        UNBOUNDED,
    ),
    (
        "wer cer percent_incorrect fehlerrate eer fpr fnr fdr far frr ter miss_rate "
        "false_positive_rate false_negative_rate false_discovery_rate false_alarm_rate "
        "hallucination",
        False,
        SHARE,
    ),
    (
        "smape mase rmsse wape nrmse crps mean_tweedie_deviance owa wis mdape rmspe "
        "wmape msse msis rae rse rrse gmrae fid lpips sse rss mad "
        "med_ae medae md_ape abs_rel absrel wql w_ql kid mpjpe inertia",
        False,
        {"by_ratio": True},
    ),
    ("ece", False, UNIT),
    (
        "err error errors loss losses perplexity ppl deviance regret metric_error "
        "misclassification errore erro fehler erreur verlust perte perdita pérdida "
        "perda fout ошибка потери 誤差 误差 错误率 損失 损失 aic bic bce kl kld bpb "
        "hausdorff hd95 assd idsw dcf ibs davies_bouldin toxicity bits",
        False,
        {},
    ),
]
BY_NAME = {
    name: (is_score, facts)
    for names, is_score, facts in METRIC_NAMES
    for name in names.split()
}
# Words that leave open what a greater number means; that say it as the last, not as in
# the name of a model such as TimeNet; that may follow those; and that say where, or how
# often, was measured.
UNCLEAR, LAST_WORDS, UNITS, PLACES = (
    frozenset(words.split())
    for words in (
        "drop gap diff difference delta change reduction improvement gain increase "
        "skill decrease rank std sd se sem stderr stdev var variance ci lower upper "
        "lo hi low high inverse inv count p pvalue log bias signed relative neg minus",
        "error errors err loss losses fehler erreur latency runtime time duration "
        "memory cost costs energy flops distance divergence interval entropy winkler",
        "score s sec secs seconds ms min minutes h mb gb kwh usd macro micro weighted",
        "test val valid validation eval holdout cv oof mean avg average classif regr",
    )
)
MINUS = re.compile(r"\s*(1\s*)?[-−]")
GREATER = re.compile(r"[↑⬆]|\b(higher|greater|larger|more) (is )?better")
SMALLER = re.compile(r"[↓⬇]|\b(lower|smaller|less) (is )?better")


def metric_named(name, is_score=None, values=None):
    """Return the Metric that a name means, None if its direction is not known.

    Parameters
    ----------
    name : str
        As people write it.
    is_score : bool or None
        The direction, if a user has said it.
    values : ndarray or None
        The numbers; a loss below 0 is perhaps minus a loss.
    """
    words = plain_name(name).split("_")
    bare = _without_places(words)
    is_minus = bare[0] in ("neg", "negative", "minus")
    is_minus |= MINUS.match(str(name)) is not None
    if is_minus and bare[0] in ("neg", "negative", "minus", "1"):
        words = bare[1:]
        bare = _without_places(words)
    direction, facts = _standard("_".join(words))
    if direction is None:
        direction, facts = _standard("_".join(bare))
    if direction is None:
        direction, facts = _direction_of_words(bare), UNBOUNDED
    if is_minus and direction is not None:
        direction = not direction
        facts = {"low": -np.inf, "high": 0.0} if direction else UNBOUNDED
    for is_greater, pattern in ((True, GREATER), (False, SMALLER)):
        if pattern.search(str(name).lower().replace("_", " ")):
            direction = is_greater if direction in (None, is_greater) else None
    metric = Metric(str(name), _word(name), None, is_score=bool(direction), **facts)
    if values is not None and _has_other_sign(metric, values):
        direction, facts = None, UNBOUNDED
    if direction is not None and is_score not in (None, direction):
        kinds = {True: "score", False: "loss"}
        answer = {kinds[is_score]: None, kinds[direction]: str(name)}
        raise TableError(f"{str(name)!r} is the name of a {kinds[direction]}", **answer)
    if direction is None:
        direction = is_score
    if direction is None:
        return None
    return Metric(str(name), _word(name), None, is_score=direction, **facts)


def _word(name):
    standard = find_metric(plain_name(name))
    if standard is not None:
        return standard.word
    return str(name).replace("_", " ").replace("\n", " ").strip()


def _has_other_sign(metric, values):
    """Whether a loss from 0 is below it, or minus a loss above it."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return False
    if metric.high == 0:
        return finite.max() > 0
    is_loss = not metric.is_score and metric.low == 0
    return is_loss and finite.max() <= 0 > finite.min()


def _without_places(words):
    """Return words without those that say where, or how often, was measured."""
    start, end = 0, len(words)
    while start < end - 1 and words[start] in PLACES:
        start += 1
    while start < end - 1 and words[end - 1] in PLACES:
        end -= 1
    return words[start:end]


def _standard(plain):
    """Return whether a standard name is that of a score, and the range."""
    metric = find_metric(plain)
    if metric is None:
        return BY_NAME.get(plain, (None, UNBOUNDED))
    facts = {name: getattr(metric, name) for name in FACTS}
    return metric.is_score, facts


def _direction_of_words(words):
    """Return whether a name is that of a score, None if its words do not agree."""
    if UNCLEAR & set(words) or words[0] == "1":
        return None
    nouns = [word for word in words if word not in UNITS]
    if nouns and nouns[-1] in LAST_WORDS:
        return False
    directions = {_standard(word)[0] for word in nouns if word not in ("l1", "l2")}
    directions -= {None}
    if not directions and "score" in words:
        return True
    return directions.pop() if len(directions) == 1 else None


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
