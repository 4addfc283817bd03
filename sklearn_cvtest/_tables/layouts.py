"""The layouts in which people and tools write results: a row is a layout."""

import re
from dataclasses import dataclass, field

import numpy as np

from .._cells import NO_MODEL, are_numbers, holds_no_model, is_summary, plain_name
from .._metric_names import metric_named

# What a row of values is.
FOLDS = "folds"
RUNS = "runs"
EXAMPLES = "examples"
DATASETS = "datasets"
PREDICTIONS = "predictions"
FORECASTS = "forecasts"
SEARCH = "search"

# What the column of a role is called, and parts of a data set.
ROLE_NAMES = {
    "model": "model models model_name model_id estimator estimator_name classifier "
    "classifier_name clf regressor learner learner_id algorithm algo method "
    "method_name system approach technique forecaster framework pipeline provider "
    "architecture "
    "backbone modell verfahren methode modele modèle modelo",
    "fold": "fold folds split cv_fold fold_id fold_number split_id resample",
    "repeat": "repeat repeats repetition rep",
    "run": "run runs seed seeds random_seed random_state init inits initialisation "
    "initialization replicate replication lauf durchlauf",
    "step": "iteration iterations iter epoch epochs step steps",
    "part": "part subset partition",
    "example": "example item sample id doc_id item_id example_id sample_id question "
    "question_id instance instance_id row testidx frage user_id",
    "group": "group subject subject_id patient patient_id participant document cluster",
    "dataset": "dataset datasets dataset_name dataset_id data_set data task task_id "
    "task_name problem benchmark datensatz",
    "metric": "metric metrics measure metric_name name scorer kennzahl métrique "
    "métrica",
    "n_train": "n_train train_size len_train_window",
    "n_test": "n_test test_size",
    "y_true": "y_true y_test true truth true_label actual ground_truth gold obs target "
    "label y observed",
    "y_pred": "y_pred pred prediction predicted predictions y_hat yhat forecast",
}
ROLES = {role: frozenset(names.split()) for role, names in ROLE_NAMES.items()}
PARTS = re.compile(
    r"(in_|out_of_)?(train(ing)?|val|valid(ation)?|dev|test(ing)?|eval|holdout|sample|"
    r"treino|teste|prueba|entrenamiento|validación|validação|validierung|训练|验证|测试|"
    r"apprentissage|entraînement|addestramento)集?(_set|_data)?"
)


@dataclass(frozen=True)
class Layout:
    """One way to write results.

    Attributes
    ----------
    name : str
    unit : str
        What a row of values is.
    needs : dict of str to str
        Patterns of headers by role; "" takes the usual names of the role.
    optional : dict of str to str
    without : tuple of str
        Roles that the table must not have.
    spread : str
        The role whose values are headers; "" of a table with a column of values.
    values : str
        A pattern of the headers that are spread, or of the column of values.
    is_score : bool or None
        The direction, where the layout says it.
    """

    name: str
    unit: str
    needs: dict
    optional: dict = field(default_factory=dict)
    without: tuple = ()
    spread: str = ""
    values: str = ""
    is_score: bool | None = None

    @property
    def is_free(self):
        """Whether headers are names of models or data sets as they are."""
        return self.spread in ("model", "dataset") and not self.values


USUAL = dict.fromkeys(("dataset", "repeat", "run", "n_train", "n_test", "metric"), "")
LAYOUTS = [
    # of tools
    Layout(
        "results of a search (cv_results_)",
        SEARCH,
        {"model": "params"},
        spread="fold",
        values=r"split_?(?P<key>\d+)_test_(?P<metric>.+)",
        is_score=True,
    ),
    Layout(
        "the WEKA Experimenter",
        FOLDS,
        {
            "model": "key_scheme",
            "dataset": "key_dataset",
            "repeat": "key_run",
            "fold": "key_fold",
        },
        {
            "options": "key_scheme_options",
            "n_train": "number_of_training_instances",
            "n_test": "number_of_testing_instances",
        },
        values="percent_correct|root_mean_squared_error",
    ),
    Layout(
        "a benchmark of sktime",
        FOLDS,
        {"dataset": "validation_id", "model": "model_id"},
        spread="fold",
        values=r"(?P<metric>.+)_fold_(?P<key>\d+)_test",
    ),
    Layout(
        "windows of sktime's evaluate",
        FOLDS,
        {"window": "cutoff", "n_train": "len_train_window", "model": "model"},
        values="test_.+",
    ),
    Layout(
        "benchmark results of mlr",
        FOLDS,
        {
            "dataset": "task_id",
            "model": "learner_id",
            "fold": "iter|iteration",
        },
    ),
    Layout(
        "metrics of tidymodels",
        FOLDS,
        {
            "model": "wflow_id|config|model",
            "fold": "id",
            "metric": "metric",
        },
        {"repeat": "id_repeat"},
        values="estimate",
    ),
    Layout(
        "resamples of caret",
        FOLDS,
        {"fold": "resample"},
        spread="model",
        values="(?P<key>.+)~(?P<metric>.+)",
    ),
    Layout(
        "the AutoML benchmark",
        FOLDS,
        {
            "dataset": "task",
            "model": "framework",
            "fold": "fold",
            "metric_of_task": "metric",
        },
        values="result",
        is_score=True,
    ),
    Layout(
        "TabArena",
        FOLDS,
        {
            "dataset": "dataset",
            "model": "method",
            "fold": "fold",
            "metric_of_task": "metric",
        },
        values="metric_error",
        is_score=False,
    ),
    Layout(
        "a file of tsml-eval or aeon for each model",
        DATASETS,
        {"dataset": "folds|resamples", "model": "model"},
        spread="fold",
        values=r"(?P<key>\d+)",
    ),
    Layout(
        "metrics of skore",
        FOLDS,
        {"metric": "column_1|metric"},
        spread="fold",
        values=r"(?P<model>.+)_split_(?P<key>\d+)",
    ),
    Layout(
        "Nixtla's cross_validation",
        FORECASTS,
        {"dataset": "unique_id", "step": "ds", "y_true": "y"},
        {"fold": "cutoff"},
        spread="model",
    ),
    Layout(
        "Nixtla's evaluate",
        DATASETS,
        {"dataset": "unique_id", "metric": "metric"},
        {"fold": "cutoff"},
        spread="model",
    ),
    Layout(
        "samples of HumanEval",
        EXAMPLES,
        {"model": "model", "example": "task_id"},
        {"result": "result"},
        values="passed",
    ),
    # of people
    Layout(
        "predictions, a row for each model and example",
        PREDICTIONS,
        {"model": "", "y_true": "", "y_pred": "", "example": ""},
        {"fold": "", "group": ""},
    ),
    Layout(
        "predictions of models beside the target",
        PREDICTIONS,
        {"y_true": ""},
        {"fold": "", "group": "", "example": ""},
        without=("model", "dataset"),
        spread="model",
    ),
    Layout(
        "a row for each model and example",
        EXAMPLES,
        {"model": "", "example": ""},
        {
            **dict.fromkeys(("group", "fold", "run", "step", "metric"), ""),
            "task": "task|subject|category",
        },
    ),
    Layout(
        "a row for each model and fold",
        FOLDS,
        {"model": "", "fold": ""},
        USUAL,
        without=("example",),
    ),
    Layout(
        "a row for each model and random split",
        FOLDS,
        {"model": "", "run": "", "n_train": "", "n_test": ""},
        {"dataset": "", "metric": ""},
        without=("fold", "example"),
    ),
    Layout(
        "a row for each model and run on one test set",
        RUNS,
        {"model": "", "run": ""},
        {"metric": ""},
        without=("fold", "example", "dataset", "n_train"),
    ),
    Layout(
        "a row for each model and subject, the subjects being folds",
        FOLDS,
        {"model": "", "group": ""},
        without=("fold", "run", "example", "dataset"),
    ),
    Layout(
        "models × folds",
        FOLDS,
        {"model": ""},
        {"dataset": ""},
        spread="fold",
        values=r"(?:(?P<metric>.+)_)?(?:fold|folds|split|cv|resample)_?(?P<key>\d+)",
    ),
    Layout(
        "models × runs on one test set",
        RUNS,
        {"model": ""},
        spread="run",
        values=r"(?:(?P<metric>.+)_)?(?:run|seed|init|rep)_?(?P<key>\d+)",
    ),
    Layout(
        "a row for each data set and model",
        DATASETS,
        {"model": "", "dataset": ""},
        {"metric": "", "run": ""},
        without=("fold", "example", "step"),
    ),
    Layout(
        "frames of cross_validate, one below another",
        FOLDS,
        {"model": "", "time": "fit_time", "score_time": "score_time"},
        without=("fold", "run", "example", "dataset"),
        values="test_.+",
    ),
    Layout(
        "folds × models",
        FOLDS,
        {"fold": ""},
        USUAL,
        without=("model", "example"),
        spread="model",
    ),
    Layout(
        "runs on one test set × models",
        RUNS,
        {"run": ""},
        without=("model", "example", "dataset", "fold"),
        spread="model",
    ),
    Layout(
        "data sets × models",
        DATASETS,
        {"dataset": ""},
        without=("model", "example", "fold", "run"),
        spread="model",
    ),
    Layout(
        "examples × models",
        EXAMPLES,
        {"example": ""},
        {"group": ""},
        without=("model", "dataset", "fold", "run", "y_true"),
        spread="model",
    ),
    Layout(
        "models × benchmarks",
        DATASETS,
        {"model": ""},
        without=("fold", "run", "example", "dataset", "step", "group", "part"),
        spread="dataset",
    ),
]

# Headers of columns whose cells are kept as texts: 1.10 is not 1.1, nor 007 7.
VALUES = ("y_true", "y_pred", "n_train", "n_test", "time", "score_time")
LABELS = re.compile(
    "|".join(
        pattern
        for roles in (*(layout.needs | layout.optional for layout in LAYOUTS), ROLES)
        for role, names in roles.items()
        for pattern in ([names] if isinstance(names, str) else names)
        if role not in VALUES
    )
)


@dataclass(frozen=True)
class Match:
    """A layout with the columns of a table that have its roles.

    Attributes
    ----------
    layout : Layout
    roles : dict of str to str
        Columns by role.
    values : list of str
        The columns of values.
    left_out : list of str
        Columns that are neither.
    """

    layout: Layout
    roles: dict
    values: list
    left_out: list


def match_layout(frame, named):
    """Return the Match of the first layout that a frame has, None if there is none.

    Parameters
    ----------
    frame : pandas.DataFrame
        A table of texts.
    named : dict of str to str
        Columns by role, as a user names them.
    """
    usual = usual_roles(frame, named)
    has_units = "model" in usual and {"fold", "run"} & set(usual)
    example = usual.get("example") if has_units else None
    if example and "example" not in named and frame[example].is_unique:
        del usual["example"]  # which numbers the rows
    for layout in LAYOUTS:
        match = _match(layout, frame, usual, named)
        if match is not None:
            return match
    return None


def usual_roles(frame, named):
    """Return columns by role: those that a user names, and those called as usual."""
    roles = dict(named)
    for name in frame.columns:
        plain = plain_name(name)
        for role, names in ROLES.items():
            if plain in names and role not in roles and name not in roles.values():
                roles[role] = name
    return roles


def _match(layout, frame, usual, named):
    if any(role in usual for role in layout.without):
        return None
    roles = {}
    for role, pattern in (layout.needs | layout.optional).items():
        column = (
            named.get(role) or _column(frame, pattern) if pattern else usual.get(role)
        )
        if column is not None:
            roles[role] = column
        elif role in layout.needs:
            return None
    if not set(named) <= set(roles):
        return None
    if "metric" in roles and not hold_metrics(frame[roles["metric"]]):
        if "metric" in layout.needs:
            return None
        del roles["metric"]
    others = [name for name in frame.columns if name not in roles.values()]
    values = _columns_of_values(layout, frame, others, roles)
    if not values:
        return None
    if layout.spread == "dataset" and not frame[roles["model"]].is_unique:
        return None
    are_models = named or layout.unit == PREDICTIONS
    if layout.is_free and not are_models and are_metrics(values):
        return None
    used = set(values)
    unused = [name for name in others if name not in used]
    return Match(layout, roles, values, unused)


def _column(frame, pattern):
    """Return the column whose header has a pattern."""
    for name in frame.columns:
        if re.fullmatch(pattern, plain_name(name)):
            return name
    return None


def _columns_of_values(layout, frame, others, roles):
    """Return the columns that hold values, or predictions, of a layout."""
    if layout.values:
        pattern = re.compile(layout.values)
        return [name for name in others if pattern.fullmatch(header_of(name))]
    if "y_pred" in roles:
        return [roles["y_pred"]]
    if layout.unit == PREDICTIONS:
        return _predictions(layout, frame, others, roles["y_true"])
    numeric = [name for name in others if are_numbers(frame[name])]
    if not layout.spread:
        plain = [name for name in numeric if not NO_MODEL.fullmatch(plain_name(name))]
        return plain or numeric
    return [
        name
        for name in numeric
        if not LABELS.fullmatch(plain_name(name))
        and not holds_no_model(name)
        and not (layout.spread == "dataset" and is_summary(name))
    ]


def header_of(name):
    """Return a header as patterns of layouts have it."""
    return plain_name(name) if "~" not in name else name


def _predictions(layout, frame, others, target):
    """Return the columns of predictions: numbers, or labels of the target."""
    has_numbers = are_numbers(frame[target])
    labels = set() if has_numbers else set(frame[target].unique())
    columns = []
    for name in others:
        is_right = has_numbers and are_numbers(frame[name])
        are_labels = 0 < len(labels) < 100 and frame[name].isin(labels).mean() >= 0.5
        if (is_right or are_labels) and not holds_no_model(name):
            columns.append(name)
    return columns


def hold_metrics(column):
    """Whether most cells of a column are names of metrics."""
    names = column.drop_duplicates()
    return np.mean([metric_named(name) is not None for name in names]) >= 0.5


def are_metrics(names):
    """Whether columns are called as metrics are, of which each is another question."""
    named = [name for name in names if metric_named(name) is not None]
    return len(named) >= len(names) / 2
