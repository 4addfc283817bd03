"""What columns are called that hold models, folds and scores, and what none is."""

import re

from .._losses._metric_names import is_bounded_by_one, named_loss
from ._column_types import distinct
from ._table_columns import LOSSES, plain_name

# What the column of each role is called, in lower case and without blanks.
NAMES = {
    "model": "model models model_name model_id estimator estimator_name classifier "
    "classifier_name clf regressor learner learner_id algorithm algo method "
    "method_name system approach technique forecaster framework pipeline provider "
    "provider.id architecture backbone modell verfahren methode modele modèle modelo",
    "fold": "fold folds split cv_fold fold_id fold_number split_id",
    "repeat": "repeat repeats repetition rep",
    "run": "run runs seed seeds random_seed random_state init inits initialisation "
    "initialization iteration iterations iter replicate replication lauf durchlauf",
    "example": "example item sample id doc_id item_id example_id sample_id question "
    "question_id instance instance_id row testidx frage",
    "subject": "subject subject_id patient patient_id participant user group document "
    "cluster",
    "dataset": "dataset datasets dataset_name dataset_id data_set data task task_id "
    "task_name problem benchmark datensatz",
    "n_train": "n_train train_size",
    "n_test": "n_test test_size",
    "y_true": "y_true true truth true_label actual ground_truth gold y target label",
}
ROLES = {role: frozenset(names.split()) for role, names in NAMES.items()}
ROLES_OF_ROWS = ("fold", "repeat", "run", "example", "dataset")
NO_VALUES = frozenset().union(*(ROLES[role] for role in ROLES_OF_ROWS))  # nor models
# Targets of predictions are called so; targets of data are y, target or label.
TARGETS = ROLES["y_true"] - {"y", "target", "label"}
PREDICTIONS = re.compile(r"pred|prob|y_?hat|guess|forecast")

# Columns that hold no score: parameters, summaries, times, sizes.
NO_SCORES = re.compile(
    r"(param|params|avg|average|std|rank|min)_.*|max_(?!error).*|"
    r"mean_(?!absolute|squared|pinball|poisson|gamma|tweedie).*|"
    r".*_(time|times|secs|seconds|duration|mean|avg|std|sd|se|stderr|rank|size|id)|"
    r"(time|runtime|duration|timestamp|date)(_.*)?|tt(_.*)?|.*\((sec|secs|s|ms)\)|"
    r"mean|average|avg|median|std|sd|se|sem|stderr|standard_error|all|total|rank|"
    r"seconds|secs|index|unnamed:_\d+|n|n_.*|num_.*|number(_.*)?|size|samples|features|"
    r"classes|instances|attributes|length|dimensions|epoch|epochs|step|steps|cost|"
    r"latency.*|version.*|year|.*(accuracy|score|loss|error)_(drop|gap|diff|delta)"
)
# Rows, or columns, that summarise others.
SUMMARIES = re.compile(
    r"mean|std|sd|std_dev|se|sem|stderr|average|avg|avg_rank|average_rank|mean_rank|"
    r"rank|median|all|total|overall|sum|min|max|±|\+/_|mean[_±].*"
)
SCORES = re.compile(
    r"(?<![a-z0-9])(acc|accuracy|balacc|auc|auroc|roc_auc|auprc|aucpr|ap|map|f1|fbeta|"
    r"precision|prec|recall|r2|kappa|mcc|iou|dice|jaccard|ndcg|mrr|bleu|rouge\w*|"
    r"score|exact_match|em|correct|hit|hits|specificity|sensitivity|pass|passed|"
    r"success|gini|ari|nmi|concordance|c_index|pearson|spearman|correlation|"
    r"genauigkeit|trefferquote|treffer|punkte|exactitude|exactitud|précision)"
    r"(?![a-z])"
)
# What else names a score or a loss beside its metric: "test_acc", "accuracy (val)".
PART_OF_DATA = re.compile(
    r"^(test|val|valid|validation|eval)_|_\(?(test|val|valid)\)?$"
)
FOLD = r"(?:fold|folds|split|cv)[_ ]?(?P<key>\d+)"
RUN = r"(?:run|seed|init|iteration|iter)[_ ]?(?P<key>\d+)"


def is_summary(cell):
    """Whether a row, or a column, is called as a mean or another summary is."""
    return SUMMARIES.fullmatch(plain_name(str(cell)).strip("._: ")) is not None


def holds_no_score(name):
    """Whether a column is called as parameters, summaries, times or sizes are."""
    plain = plain_name(str(name))
    return NO_SCORES.fullmatch(plain) is not None and named_loss(plain) is None


def metric_of(name):
    """Return the metric of a column: "accuracy" of "Accuracy (test)"."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(name))  # of MeanAbsoluteError
    plain = plain_name(words).rstrip(".")
    short = PART_OF_DATA.sub("", plain)
    return short if direction_of_metric(short) else plain


def direction_of(name):
    """Return "score" or "loss" if the name of a column tells which, else None."""
    if holds_no_score(name) or not str(name):
        return None
    return direction_of_metric(metric_of(name))


def direction_of_metric(plain):
    """Return "score" or "loss" for the name of a metric, None if it is not known."""
    if plain.startswith("neg_"):
        return "score"
    if plain.startswith(("1_", "one_minus")):
        return None
    if named_loss(plain) is not None or LOSSES.search(plain):
        return "loss"
    if SCORES.search(plain) or is_bounded_by_one(plain, True):
        return "score"
    return None


def are_metrics(cells):
    """Whether most cells of a column are names of metrics."""
    names = set(map(str, distinct(cells)))
    return 2 * sum(direction_of(name) is not None for name in names) >= len(names)


# A fold, or a column of folds, may be called so: "fold 3", 3, "split".
OF_FOLDS = {
    *("fold", "folds", "split", "cv", "part", "f", "k", "s", "r", "run", "seed"),
    *("rep", "repeat", "repetition", "resample", "iter", "iteration"),
}
LETTERS = re.compile(r"[^\W\d_]+")


def may_be_fold(name):
    """Whether a fold, or a column of folds, may be called so."""
    return OF_FOLDS.issuperset(LETTERS.findall(name.lower()))
