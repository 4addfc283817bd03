"""Leading steps that pipelines share: fitted once a split, with the same losses."""

import os

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from numpy.testing import assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.exceptions import FitFailedWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.feature_selection import RFECV, SelectKBest
from sklearn.linear_model import LogisticRegression, Perceptron, RidgeClassifier
from sklearn.model_selection import KFold
from sklearn.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import BlockKFold, cross_val_losses

IRIS = load_iris(return_X_y=True)
FOLDS = BlockKFold(3, random_state=0)
TREE = DecisionTreeClassifier(max_depth=2, random_state=0)
WEIGHTS = np.random.default_rng(0).integers(1, 9, 150).astype(float)
WORDS = np.array(["alpha", "beta", "gamma", "delta", "omega", "kappa", "sigma"])
RNG = np.random.default_rng(1)
TEXTS = [" ".join(RNG.choice(WORDS, 6)) for _ in range(60)]
LABELS = np.array(["alpha" in text for text in TEXTS]).astype(int)


def note(path, word):
    with open(path, "a") as file:
        file.write(f"{word}\n")


class Counted(TransformerMixin, BaseEstimator):
    """Writes a line to a file at every fit; adds a number, in place on request."""

    def __init__(self, path, shift=1.0, in_place=False, break_on=None):
        self.path = path
        self.shift = shift
        self.in_place = in_place
        self.break_on = break_on

    def fit(self, X, y=None, weight=None):
        note(self.path, f"{self.shift:g}")
        if self.break_on is not None:
            X *= 0.0
            raise RuntimeError(f"broken by {self.break_on}")
        self.scale_ = 1.0 if weight is None else np.mean(weight)
        return self

    def transform(self, X):
        if self.in_place:
            X += self.shift * self.scale_
            return X
        return X + self.shift * self.scale_


class Undecided(Counted):
    """Says that it is not deterministic."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.non_deterministic = True
        return tags


class Scribbler(ClassifierMixin, BaseEstimator):
    """Learns as a tree does, and then overwrites what it was given."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.tree_ = clone(TREE).fit(X.copy(), y.copy())
        X[:] = 0
        y[:] = 0
        return self

    def predict(self, X):
        y_pred = self.tree_.predict(X)
        X[:] = 0
        return y_pred


def fits(path):
    return path.read_text().split() if path.exists() else []


def losses_of(models, X=IRIS[0], y=IRIS[1], **options):
    return cross_val_losses(models, X, y, **{"cv": FOLDS, **options})


def assert_shares_and_changes_nothing(models, *data, **options):
    """Check that results are those of pipelines fitted one by one."""
    shared = losses_of(models, *data, **options)
    apart = losses_of(models, *data, share_steps=False, **options)
    for name, model in models.items():
        alone = losses_of({name: model}, *data, **options)
        assert_array_equal(apart.residuals(name).values, alone.residuals(name).values)
    assert_array_equal(shared.losses, apart.losses)


# Same losses, fewer fits ------------------------------------------------------

SCIPY_FREE = [TEXTS, np.array(TEXTS, dtype=object), pd.Series(TEXTS)]


@pytest.mark.parametrize("texts", SCIPY_FREE, ids=["list", "array", "pandas"])
@pytest.mark.parametrize("loss", ["zero_one", "log_loss"])
def test_texts_are_vectorised_once_with_the_same_losses(texts, loss):
    finals = [MultinomialNB(), BernoulliNB(), LogisticRegression()]
    models = {
        type(final).__name__: make_pipeline(TfidfVectorizer(), final)
        for final in finals
    }
    assert_shares_and_changes_nothing(models, texts, LABELS, loss=loss)


@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.DependentRowsWarning")
def test_sparse_data_are_scaled_once_with_the_same_losses():
    X = TfidfVectorizer().fit_transform(TEXTS)
    finals = {"nb": MultinomialNB(), "ridge": RidgeClassifier()}
    models = {
        name: make_pipeline(MaxAbsScaler(copy=False), final)
        for name, final in finals.items()
    }
    assert_shares_and_changes_nothing(models, X, LABELS)


@pytest.mark.parametrize(("share", "n_fits"), [(True, 3), (False, 12)])
def test_shared_step_is_fitted_once_a_split(share, n_fits, tmp_path):
    log = tmp_path / "log"
    models = [
        make_pipeline(Counted(log), TREE),
        make_pipeline(Counted(log), GaussianNB()),
    ]
    models += [clone(model) for model in models]
    losses_of(models, share_steps=share)
    assert len(fits(log)) == n_fits


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (0, 2, 1, 3)])
def test_nested_beginnings_are_fitted_once_each(order, n_jobs, tmp_path):
    log = tmp_path / "log"
    a, b, c = (Counted(log, shift, in_place=True) for shift in (1.0, 2.0, 3.0))
    chains = [
        (a, b, TREE),
        (a, b, GaussianNB()),
        (a, c, Perceptron()),
        (a, Scribbler()),
    ]
    models = {str(n): make_pipeline(*map(clone, chains[n])) for n in order}
    with joblib.parallel_config(backend="threading"):
        shared = losses_of(models, n_jobs=n_jobs)
    assert sorted(fits(log)) == ["1"] * 3 + ["2"] * 3 + ["3"] * 3
    apart = losses_of(models, share_steps=False)
    assert_array_equal(shared.losses, apart.losses)


def test_names_of_steps_may_differ(tmp_path):
    log = tmp_path / "log"
    models = {
        "x": Pipeline([("shift", Counted(log)), ("last", TREE)]),
        "y": Pipeline([("other", Counted(log)), ("end", GaussianNB())]),
    }
    losses = losses_of(models, return_estimator=True)
    assert len(fits(log)) == 3
    for name, model in models.items():
        assert [*losses.estimators[name][0].named_steps] == [*model.named_steps]


# Nothing leaks ----------------------------------------------------------------


@pytest.mark.parametrize(
    "first",
    [
        StandardScaler(copy=False),
        FunctionTransformer(),  # returns what it is given
        "passthrough",
    ],
    ids=["in place", "identity", "passthrough"],
)
def test_final_estimators_do_not_see_what_others_write(first):
    models = {
        "s1": make_pipeline(first, Scribbler()),
        "deeper": make_pipeline(first, StandardScaler(copy=False), Scribbler()),
        "s2": make_pipeline(first, Scribbler()),
        "same": make_pipeline(first, FunctionTransformer(), Scribbler()),
        "same too": make_pipeline(first, FunctionTransformer(), TREE),
        "tree": make_pipeline(first, TREE),
    }
    X, y = IRIS[0].copy(), IRIS[1].copy()
    assert_shares_and_changes_nothing(models, X, y)
    assert_array_equal(X, IRIS[0])
    assert_array_equal(y, IRIS[1])


def test_estimators_given_are_untouched(tmp_path):
    models = {
        name: make_pipeline(StandardScaler(), final)
        for name, final in {"tree": TREE, "bayes": GaussianNB()}.items()
    }
    before = {name: repr(model.get_params()) for name, model in models.items()}
    losses = losses_of(models, return_estimator=True)
    assert before == {name: repr(model.get_params()) for name, model in models.items()}
    assert not any(hasattr(model[0], "mean_") for model in models.values())
    for name, fitted in losses.estimators.items():
        assert repr(fitted[0].get_params()) == before[name]


@pytest.mark.parametrize("loss", [{"loss": "zero_one"}, {"scoring": "accuracy"}])
def test_fitted_pipelines_are_whole_and_their_own(loss):
    models = {
        name: make_pipeline(StandardScaler(), PCA(2, random_state=0), final)
        for name, final in {"tree": TREE, "bayes": GaussianNB()}.items()
    }
    losses = losses_of(models, return_estimator=True, **loss)
    for name, model in models.items():
        for (train, _), fitted in zip(
            FOLDS.split(*IRIS), losses.estimators[name], strict=True
        ):
            expected = clone(model).fit(IRIS[0][train], IRIS[1][train])
            assert_array_equal(fitted.predict(IRIS[0]), expected.predict(IRIS[0]))
    tree, bayes = (losses.estimators[name][0] for name in models)
    assert tree[0] is not bayes[0]
    before = bayes.predict(IRIS[0])
    tree[0].mean_ += 100
    assert_array_equal(bayes.predict(IRIS[0]), before)


def test_scorers_get_the_whole_pipeline_and_the_data_as_they_are(tmp_path):
    log = tmp_path / "log"
    frame = pd.DataFrame(IRIS[0], columns=list("abcd"))
    seen = []

    def scorer(estimator, X, y):
        seen.append((len(estimator.steps), list(X.columns), X["a"].sum()))
        return estimator.score(X, y)

    models = {
        "x": make_pipeline(Counted(log), TREE),
        "y": make_pipeline(Counted(log), GaussianNB()),
    }
    assert_shares_and_changes_nothing(models, frame, IRIS[1], scoring=scorer)
    sums = [frame["a"].iloc[test].sum() for _, test in FOLDS.split(*IRIS)]
    for n_steps, columns, total in seen:
        assert (n_steps, columns) == (2, list("abcd"))
        assert np.isclose(sums, total).any()
    losses_of(models, frame, scoring=scorer)
    assert len(fits(log)) == 3 + 6 + 6 + 3


# What is not shared -----------------------------------------------------------


def is_shared(make_step, tmp_path, **options):
    """Whether two pipelines with a step each have it fitted once a split."""
    log = tmp_path / "log"
    models = [
        make_pipeline(make_step(), Counted(log), final)
        for final in (TREE, GaussianNB())
    ]
    losses_of(models, **options)
    return {3: True, 6: False}[len(fits(log))]


def unseeded_selection():
    return RFECV(RidgeClassifier(random_state=0), cv=KFold(2, shuffle=True))


@pytest.mark.parametrize(
    ("make_step", "expected"),
    [
        (StandardScaler, True),
        (lambda: PCA(2, random_state=0), True),
        (lambda: PCA(2, random_state=np.int64(0)), True),
        (lambda: PCA(2), False),
        (lambda: PCA(2, random_state=np.random.RandomState(0)), False),
        (lambda: make_pipeline(StandardScaler(), PCA(2)), False),
        (lambda: make_column_transformer((PCA(2), slice(4))), False),
        (lambda: make_column_transformer((StandardScaler(), slice(4))), True),
        (unseeded_selection, False),
        (lambda: FunctionTransformer(np.abs), True),
        (lambda: FunctionTransformer(lambda X: X), False),
        (lambda: Undecided(os.devnull), False),
        (lambda: SelectKBest(k=2), True),
    ],
)
def test_only_deterministic_steps_that_are_equal_are_shared(
    make_step, expected, tmp_path
):
    assert is_shared(make_step, tmp_path) == expected


def test_steps_with_other_parameters_are_not_shared(tmp_path):
    log = tmp_path / "log"
    losses_of([make_pipeline(Counted(log, shift), TREE) for shift in (1.0, 2.0)])
    assert sorted(fits(log)) == ["1"] * 3 + ["2"] * 3


def test_steps_with_another_output_are_not_shared():
    class_of = []

    class Watcher(TransformerMixin, BaseEstimator):
        def fit(self, X, y=None):
            class_of.append(type(X))
            return self

        def transform(self, X):
            return X

    frames = make_pipeline(
        StandardScaler().set_output(transform="pandas"), Watcher(), TREE
    )
    arrays = make_pipeline(StandardScaler(), Watcher(), TREE)
    losses_of([frames, arrays, frames, arrays])
    assert class_of.count(pd.DataFrame) == class_of.count(np.ndarray) == 6


def test_set_output_of_shared_steps_reaches_final_estimators():
    models = {
        name: make_pipeline(StandardScaler(), final).set_output(transform="pandas")
        for name, final in {"tree": TREE, "bayes": GaussianNB()}.items()
    }
    frame = pd.DataFrame(IRIS[0], columns=list("abcd"))
    assert_shares_and_changes_nothing(models, frame, IRIS[1])
    fitted = losses_of(models, frame, return_estimator=True).estimators["tree"][0]
    assert list(fitted.feature_names_in_) == list("abcd")
    assert list(fitted[-1].feature_names_in_) == list("abcd")


def test_pipelines_with_options_of_their_own_are_not_shared(tmp_path):
    log = tmp_path / "log"
    memory = joblib.Memory(None)
    models = [Pipeline([("a", Counted(log)), ("b", TREE)], memory=memory)] * 2
    losses_of(models)
    assert len(fits(log)) == 6


def test_nothing_is_shared_with_metadata_routing(tmp_path):
    with sklearn.config_context(enable_metadata_routing=True):
        assert not is_shared(StandardScaler, tmp_path)


# Fit parameters ---------------------------------------------------------------


@pytest.mark.parametrize(
    "params", [{"last__sample_weight": WEIGHTS}, {"shift__weight": WEIGHTS}]
)
def test_steps_are_shared_with_fit_parameters(params, tmp_path):
    log = tmp_path / "log"
    models = {
        name: Pipeline([("shift", Counted(log)), ("last", final)])
        for name, final in {"tree": TREE, "bayes": GaussianNB()}.items()
    }
    losses_of(models, params=params)
    assert len(fits(log)) == 3
    assert_shares_and_changes_nothing(models, params=params)


def test_fit_parameters_of_steps_of_another_name_are_not_shared(tmp_path):
    log = tmp_path / "log"
    models = [
        Pipeline([("shift", Counted(log)), ("last", TREE)]),
        Pipeline([("scale", Counted(log)), ("last", TREE)]),
    ]
    with pytest.warns(FitFailedWarning, match="3 of 6 fits failed"):
        losses_of(models, params={"shift__weight": WEIGHTS})
    assert len(fits(log)) == 3


# Failures and times -----------------------------------------------------------


def test_pipelines_with_a_failing_shared_step_fail_one_by_one(tmp_path):
    log = tmp_path / "log"
    broken = Counted(log, 2.0, break_on="design")
    good = Counted(log, 1.0)
    models = {
        "x": make_pipeline(good, broken, TREE),
        "y": make_pipeline(good, broken, GaussianNB()),
        "z": make_pipeline(good, TREE),
        "alone": TREE,
    }
    with pytest.warns(FitFailedWarning, match="'x' 3, 'y' 3") as caught:
        losses = losses_of(models, error_score=7.0)
    assert "broken by design" in str(caught[0].message)
    assert (losses.losses[:, :2] == 7.0).all()
    assert losses.fit_failed.tolist() == [[True, True, False, False]] * 3
    expected = losses_of({name: models[name] for name in ("z", "alone")})
    assert_array_equal(losses.losses[:, 2:], expected.losses)
    with pytest.raises(RuntimeError, match="broken by design"):
        losses_of(models, error_score="raise")


def test_time_of_a_shared_step_counts_for_every_pipeline(monkeypatch, tmp_path):
    clock = [0.0]
    monkeypatch.setattr("time.perf_counter", lambda: clock[0])

    class Costly(Counted):
        def fit(self, X, y=None):
            clock[0] += 5.0
            return super().fit(X, y)

    monkeypatch.setattr("test_shared_pipeline_steps.Costly", Costly, raising=False)
    Costly.__qualname__, Costly.__module__ = "Costly", "test_shared_pipeline_steps"
    log = tmp_path / "log"
    finals = (TREE, GaussianNB(), Perceptron())
    losses = losses_of([make_pipeline(Costly(log), final) for final in finals])
    assert len(fits(log)) == 3
    assert_array_equal(losses.fit_time, np.full((3, 3), 5.0))
    assert_array_equal(losses.score_time, np.zeros((3, 3)))
