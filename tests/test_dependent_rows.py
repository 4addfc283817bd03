"""Errors of neighbouring rows that are alike, though folds mix the rows."""

import itertools
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from scipy.stats import rankdata
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import KFold, ShuffleSplit, TimeSeriesSplit
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sklearn_cvtest import (
    BlockKFold,
    compare_estimators,
    cross_val_interval,
    cross_val_losses,
)
from sklearn_cvtest.exceptions import DependentRowsWarning

MIXED = BlockKFold(5, n_repeats=2, random_state=0)
ONE_RUN = BlockKFold(5, random_state=0)
MODELS = {
    "line": LinearRegression(),
    "tree": DecisionTreeRegressor(max_depth=2, random_state=0),
}


def series(seed, n=200, memory=0.8):
    """Return X, and y with errors that remember the last ones."""
    rng = np.random.default_rng(seed)
    X, errors = rng.normal(size=(n, 2)), rng.normal(size=n)
    for t in range(1, n):
        errors[t] += memory * errors[t - 1]
    return X, X[:, 0] + errors


def told(run, *args, **options):
    """Return the messages on neighbouring rows."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run(*args, **options)
    return [str(w.message) for w in caught if w.category is DependentRowsWarning]


def splits_and_predictions(model, method, X, y):
    """Return the folds and the predictions of two runs, arrays (2, n)."""
    folds, predicted = np.zeros((2, len(y)), dtype=int), np.zeros((2, len(y)))
    for number, (train, test) in enumerate(MIXED.split(X)):
        run, fold = divmod(number, 5)
        found = getattr(clone(model).fit(X[train], y[train]), method)(X[test])
        folds[run, test] = fold
        predicted[run, test] = found if found.ndim == 1 else found[:, 1]
    return folds, predicted


def by_hand(errors, classes, folds):
    """Return the correlation and its z, by loops; of errors (n_runs, n)."""
    ranks = np.zeros(errors.shape[1])
    for of_run, fold in zip(errors, folds, strict=True):
        for k in np.unique(fold):
            for c in np.unique(classes):
                where = (fold == k) & (classes == c)
                rank = rankdata(of_run[where])
                ranks[where] += (rank - rank.mean()) / rank.std() / len(folds)
    n = len(ranks)
    pairs = [(i, i + 1) for i in range(n - 1) if folds[0, i] != folds[0, i + 1]]
    products = [ranks[i] * ranks[j] for i, j in pairs]
    square = np.mean(ranks**2)
    error = max(np.sqrt(np.sum(np.square(products))), np.sqrt(len(pairs)) * square)
    return np.mean(products) / square, np.sum(products) / error


@pytest.mark.parametrize(("memory", "is_told"), [(0.8, True), (0.0, False)])
def test_is_that_of_loops_over_rows(memory, is_told):
    X, y = series(1, memory=memory)
    folds, predicted = splits_and_predictions(MODELS["line"], "predict", X, y)
    correlation, z = by_hand(y - predicted, np.zeros(len(y)), folds)
    assert (z > 4) == is_told
    found = told(cross_val_interval, MODELS["line"], X, y, cv=MIXED)
    assert len(found) == is_told
    if is_told:
        shown = f"neighbouring rows correlate by {correlation:.2f} (ranks; z = {z:.1f})"
        assert shown in found[0]


def classes_of_series():
    """Return one feature of a series, and independent classes that follow it."""
    X = series(6, 300)[1][:, np.newaxis]
    chance = np.random.default_rng(6).random(300)
    return X, np.where(chance < 1 / (1 + np.exp(-X[:, 0])), "yes", "no")


@pytest.mark.parametrize("how", [{"loss": "log_loss"}, {"loss": "brier"}])
def test_ranks_are_of_probabilities_within_classes(how):
    X, y = classes_of_series()
    model = LogisticRegression()
    folds, predicted = splits_and_predictions(model, "predict_proba", X, y)
    correlation, z = by_hand(predicted, y, folds)
    (message,) = told(cross_val_losses, model, X, y, cv=MIXED, **how)
    assert f"correlate by {correlation:.2f} (ranks; z = {z:.1f})" in message


def test_pseudo_losses_of_classes_tell_it_too():
    X, y = classes_of_series()
    options = {"scoring": "roc_auc", "cv": MIXED}
    assert len(told(cross_val_losses, LogisticRegression(), X, y, **options)) == 1


def test_independent_rows_are_not_told_of_whatever_their_tails():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(60, 2)), rng.standard_cauchy(60)
        assert not told(cross_val_losses, LinearRegression(), X, y, cv=MIXED)


class Reads(ClassifierMixin, BaseEstimator):
    """Predicts what X says."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return X[:, 0]


def test_a_few_errors_that_are_all_alone_are_not_told_of():
    # all other ranks of their folds are a little lower, and so alike
    y = (np.arange(1000) >= 500) * 1
    X = y[:, np.newaxis].copy()
    X[[42, 404]] = 1
    assert not told(cross_val_losses, Reads(), X, y, cv=MIXED)


@pytest.mark.parametrize(
    "options",
    [
        {"cv": KFold(5, shuffle=True, random_state=0)},
        {"cv": ShuffleSplit(8, random_state=0)},
        {"cv": MIXED, "scoring": ["r2", "neg_mean_absolute_error"]},
        {"cv": MIXED, "loss": "absolute_error", "per_example": False},
    ],
)
def test_series_are_told_of_once(options):
    (message,) = told(compare_estimators, MODELS, *series(4), **options)
    assert message.startswith("'line' (and 1 more): errors of neighbouring rows")


@pytest.mark.parametrize(
    "options",
    [
        {"cv": BlockKFold(5, shuffle=False)},
        {"cv": TimeSeriesSplit(5)},
        {"cv": BlockKFold(5, random_state=0), "groups": np.arange(200) // 20},
        {"cv": MIXED, "diagnostics": False},
    ],
)
def test_nothing_is_said_of_blocks_of_rows_nor_groups(options):
    assert not told(compare_estimators, MODELS, *series(4), **options)


def test_a_series_is_told_of_whatever_counts_its_rows():
    X, y = series(4)
    time = np.arange(200.0) / 7
    for X_of_time in (
        np.column_stack([X, time]),
        pd.DataFrame(X, columns=["a", "b"]).assign(time=time),
    ):
        assert told(cross_val_losses, MODELS["line"], X_of_time, y, cv=MIXED)


def test_rows_in_another_order_are_not_told_of():
    X, y = series(4)
    order = np.random.default_rng(0).permutation(len(y))
    assert not told(compare_estimators, MODELS, X[order], y[order], cv=MIXED)


def test_rows_sorted_by_what_is_predicted_are_not_told_of():
    X, y = series(5, memory=0.0)
    for order in (np.argsort(y), np.argsort(-y)):
        assert not told(compare_estimators, MODELS, X[order], y[order], cv=MIXED)
    models = {"line": LinearDiscriminantAnalysis(), "k": DecisionTreeClassifier()}
    for load in (load_iris, load_wine):  # sorted by class
        X, y = load(return_X_y=True)
        assert not told(compare_estimators, models, X, y, cv=MIXED)


def test_rows_sorted_by_one_of_two_classes_are_not_told_of():
    models = {"line": LogisticRegression(), "k": DecisionTreeClassifier(max_depth=2)}
    rng = np.random.default_rng(0)
    y = np.arange(300) // 150
    X = rng.normal(size=(300, 3)) + y[:, np.newaxis]
    for blocks in (y, np.arange(300) // 60 % 2):  # of one source after the other
        order = np.argsort(blocks, kind="stable")
        X_sorted = np.empty_like(X)
        X_sorted[order] = X
        assert not told(compare_estimators, models, X_sorted, blocks, cv=MIXED)


def of_two_classes(rng, errors):
    """Return features and classes of 300 rows, with errors."""
    X = rng.normal(size=(300, 3))
    return X, (X[:, 0] + errors > 0).astype(int)


def test_independent_rows_sorted_by_a_feature_are_hardly_told_of():
    models = {"line": LogisticRegression(), "k": DecisionTreeClassifier(max_depth=3)}
    n_told = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X, y = of_two_classes(rng, rng.normal(size=300))
        X[:, 1] += y / 2
        order = np.argsort(X[:, seed % 2])
        n_told += len(told(compare_estimators, models, X[order], y[order], cv=MIXED))
    assert n_told <= 1


def test_what_one_model_misses_of_the_feature_that_rows_are_sorted_by_is_not_told_of():
    rng = np.random.default_rng(0)
    X = np.sort(rng.normal(size=(300, 1)), axis=0)
    y = X[:, 0] ** 2 + rng.normal(size=300) / 2
    tree = DecisionTreeRegressor(max_depth=4, random_state=0)
    models = {"line": LinearRegression(), "tree": tree}
    assert not told(compare_estimators, models, X, y, cv=MIXED)
    both = {"line": LinearRegression(), "mean": DummyRegressor(), "also": Ridge()}
    assert len(told(compare_estimators, both, X, y, cv=MIXED)) == 1


def test_stored_fits_tell_the_same(tmp_path):
    X, y = series(4)
    options = {"cv": MIXED, "memory": tmp_path}
    first = told(compare_estimators, MODELS, X, y, **options)
    assert len(first) == 1
    assert told(compare_estimators, MODELS, X, y, **options) == first


class NeverFits(LinearRegression):
    def fit(self, X, y):
        raise ValueError("never")


def test_a_model_that_fails_says_nothing_of_rows():
    models = {"bad": NeverFits(), **MODELS}
    (message,) = told(cross_val_losses, models, *series(4), cv=MIXED, error_score=9.0)
    assert message.startswith("'line' (and 1 more)")


def test_a_constant_is_not_told_of_whatever_the_models_beside_it():
    X, y = series(4)
    models = {"mean": DummyRegressor(), **MODELS}
    (message,) = told(cross_val_losses, models, X, y, cv=MIXED)
    assert message.startswith("'line' (and 1 more)")
    for shift in (0.0, 1e6):
        assert not told(cross_val_losses, DummyRegressor(), X, y + shift, cv=MIXED)


@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_numbers_far_from_zero_are_told_of_like_others(shift):
    X, y = series(4)
    assert len(told(cross_val_losses, MODELS, X, y + shift, cv=MIXED)) == 1


def of_patients(seed, own=1.5, n_patients=12):
    """Return X with a column of patients, and y of which a part is each one's own."""
    rng = np.random.default_rng(seed)
    patient = np.repeat(rng.permutation(n_patients), 6)
    X = pd.DataFrame({"dose": rng.normal(size=len(patient)), "patient": patient})
    noise = rng.normal(size=len(patient)) + own * rng.normal(size=n_patients)[patient]
    return X, X["dose"].to_numpy() + noise


TREE = DecisionTreeRegressor(max_depth=2, random_state=0)
BY_DOSE = make_pipeline(ColumnTransformer([("dose", "passthrough", [0])]), TREE)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda X: X, "X['patient']"),
        (lambda X: X.set_axis(["dose", "lot"], axis=1), "X['lot']"),
        (lambda X: X.assign(patient=X["patient"].map("p{}".format)), "X['patient']"),
        (lambda X: X[["dose"]].set_axis(X["patient"]), "X.index"),
        (lambda X: X.to_numpy(), "X[:, 1]"),
    ],
)
def test_it_is_asked_whether_rows_with_a_value_in_common_belong_together(change, where):
    X, y = of_patients(1)
    (message,) = told(cross_val_losses, BY_DOSE, change(X), y, cv=MIXED)
    assert f"rows with the same {where} correlate" in message
    assert f"pass groups={where}" in message


def test_correlation_of_rows_with_a_value_in_common_is_that_of_pairs():
    X, y = of_patients(2)
    folds, predicted = splits_and_predictions(BY_DOSE, "predict", X.to_numpy(), y)
    ranks = np.zeros(len(y))
    for fold, of_run in zip(folds, y - predicted, strict=True):
        for k in range(5):
            rank = rankdata(of_run[fold == k].astype(np.float32))
            ranks[fold == k] += (rank - rank.mean()) / rank.std() / 2
    products = np.array([
        ranks[i] * ranks[j]
        for i, j in itertools.combinations(range(len(y)), 2)
        if X["patient"][i] == X["patient"][j] and folds[0, i] != folds[0, j]
    ])  # fmt: skip
    error = max(np.sqrt(np.sum(products**2)), np.mean(ranks**2) * len(products) ** 0.5)
    (message,) = told(cross_val_losses, BY_DOSE, X.to_numpy(), y, cv=MIXED)
    shown = products.mean() / np.mean(ranks**2), products.sum() / error
    assert "correlate by {:.2f} (ranks; z = {:.1f})".format(*shown) in message


def test_nothing_is_asked_of_groups_that_are_given():
    X, y = of_patients(1)
    cv = BlockKFold(5, random_state=0)
    assert not told(cross_val_losses, BY_DOSE, X, y, cv=cv, groups=X["patient"])


def test_nothing_is_asked_of_values_that_do_not_stand_together():
    X, y = of_patients(1)
    order = np.random.default_rng(0).permutation(len(y))
    X = X.iloc[order].reset_index(drop=True).set_axis(["dose", "lot"], axis=1)
    assert not told(cross_val_losses, BY_DOSE, X, y[order], cv=MIXED)
    named = X.rename(columns={"lot": "patient_id"})  # but of these
    assert len(told(cross_val_losses, BY_DOSE, named, y[order], cv=MIXED)) == 1


def test_hardly_anything_is_asked_of_batches_that_mean_nothing():
    asked = [
        len(told(cross_val_losses, BY_DOSE, *of_patients(seed, own=0.0), cv=MIXED))
        for seed in range(20)
    ]
    assert sum(asked) <= 1


@pytest.mark.parametrize("value", [None, pd.NA, np.nan, "text", (1, 2), []])
def test_columns_may_hold_anything(value):
    X, y = of_patients(1)
    X = X.assign(other=pd.Series([value] * 3 + [1.0] * (len(y) - 3), dtype=object))
    assert len(told(cross_val_losses, BY_DOSE, X, y, cv=MIXED)) <= 1
    assert "patient" in told(cross_val_losses, BY_DOSE, X.drop(columns="other"), y)[0]


# Whatever the container, and however values are coded ---------------------------------


def first_column(X):
    """Return the first column of any container, of shape (n_rows, 1)."""
    if sparse.issparse(X):
        return X.tocsr()[:, [0]].toarray()
    if isinstance(X, pd.DataFrame):
        return X.iloc[:, [0]].to_numpy()
    if isinstance(X, pl.DataFrame):
        return X[:, [0]].to_numpy()
    return np.array([[float(row[0])] for row in X])


class OfFirstColumn(LinearRegression):
    """Does not look at the other columns."""

    def fit(self, X, y):
        return super().fit(first_column(X), y)

    def predict(self, X):
        return super().predict(first_column(X))


def codings(dose, lot):
    """Return the same rows in other containers and codings."""
    n_lots = lot.max() + 1
    order = np.random.default_rng(0).permutation(n_lots)
    words = np.array([f"lot {number}" for number in order])[lot]
    hot = np.eye(n_lots)[lot]
    days = np.datetime64("2020-01-01") + lot.astype("timedelta64[D]")
    rows = [list(row) for row in zip(dose.tolist(), words.tolist(), strict=True)]
    forms = {
        "in order": np.column_stack([dose, lot]),
        "in any order": np.column_stack([dose, order[lot]]),
        "32 bits": np.column_stack([dose, order[lot]]).astype(np.float32),
        "list": np.column_stack([dose, lot]).tolist(),
        "list of words": rows,
        "objects": np.array(rows, dtype=object),
        "one-hot": np.column_stack([dose, hot]),
        "one-hot, first dropped": np.column_stack([dose, hot[:, 1:]]),
        "one-hot, scaled": np.column_stack([dose, (hot - hot.mean(0)) / hot.std(0)]),
        "csr": sparse.csr_matrix(np.column_stack([dose, lot])),
        "csc, one-hot": sparse.csc_array(np.column_stack([dose, hot])),
        "pandas, one-hot": pd.DataFrame(np.column_stack([dose, hot])),
        "pandas, nullable": pd.DataFrame({"dose": dose, "lot": pd.array(order[lot])}),
        "pandas, categories": pd.DataFrame(
            {"dose": dose, "lot": pd.Categorical(words)}
        ),
        "polars, categories": pl.DataFrame(
            {"dose": dose, "lot": pl.Series(words.tolist(), dtype=pl.Categorical)}
        ),
    }
    columns = {
        "in order": lot,
        "in any order": order[lot],
        "8 bits": lot.astype(np.int8),
        "floats": lot / 7,
        "words": words,
        "numbers as words": order[lot].astype(str),
        "dates": days,
    }
    for name, column in columns.items():
        forms[f"pandas, {name}"] = pd.DataFrame({"dose": dose, "lot": column})
        forms[f"polars, {name}"] = pl.DataFrame({"dose": dose, "lot": column})
    return forms


def rows_of_lots(seed, own, memory=0.0):
    """Return a dose, the lots of adjacent rows in order, and a target."""
    rng = np.random.default_rng(seed)
    lot = np.repeat(np.arange(20), 6)
    dose, noise = rng.normal(size=len(lot)), rng.normal(size=len(lot))
    for t in range(1, len(lot)):
        noise[t] += memory * noise[t - 1]
    return dose, lot, dose + noise + own * rng.normal(size=20)[lot]


@pytest.mark.parametrize(
    ("own", "memory", "words"),
    [
        (1.5, 0.0, "errors of rows with the same X"),
        (0.0, 0.9, "errors of neighbouring rows correlate"),
        (0.0, 0.0, None),
    ],
)
def test_the_container_and_the_coding_make_no_difference(own, memory, words):
    dose, lot, y = rows_of_lots(0, own, memory)
    answers = {}
    for name, X in codings(dose, lot).items():
        messages = told(cross_val_losses, OfFirstColumn(), X, y, cv=MIXED)
        answers[name] = [
            message.partition("correlate by")[2][:24] for message in messages
        ]
        assert len(messages) == (words is not None)
        assert all(words in message for message in messages)
    assert len({str(answer) for answer in answers.values()}) == 1


def test_one_hot_columns_can_be_passed_as_groups():
    dose, lot, y = rows_of_lots(0, 1.5)
    forms = codings(dose, lot)
    for name in (
        "one-hot",
        "one-hot, first dropped",
        "csc, one-hot",
        "pandas, one-hot",
    ):
        X = forms[name]
        (message,) = told(cross_val_losses, OfFirstColumn(), X, y, cv=MIXED)
        code = message.partition("groups=")[2].partition(". If")[0]
        groups = eval(code, {"np": np, "X": X})
        assert len(np.unique(groups)) == len(
            np.unique(np.column_stack([groups, lot]), axis=0)
        )


def test_rows_sorted_by_a_rounded_feature_are_hardly_told_of():
    tree = DecisionTreeRegressor(min_samples_leaf=8, random_state=0)
    models, n_told = {"line": LinearRegression(), "tree": tree}, 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        dose = np.sort(rng.normal(size=150))
        level = np.arange(150) // 10
        X = np.column_stack([rng.normal(size=150), level])
        y = X[:, 0] + dose**2 + rng.normal(size=150)
        messages = told(compare_estimators, models, X, y, cv=ONE_RUN)
        n_told += any("with the same" in message for message in messages)
    assert n_told <= 3
