"""CVLosses and CVResiduals: plain data left behind by a cross-validation."""

import dataclasses
import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    BlockKFold,
    CVLosses,
    CVResiduals,
    PairedHalves,
    cross_val_losses,
)
from sklearn_cvtest.results import Design

X, Y = load_iris(return_X_y=True)
ESTIMATORS = {
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=2, random_state=0),
    "dummy": DummyClassifier(),
}


class FailsOnFirstExample(ClassifierMixin, BaseEstimator):
    """Fails where example 0 is in the training set."""

    def fit(self, X, y):
        if (X == X_FIRST).all(axis=1).any():
            raise RuntimeError("no")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


X_FIRST = X[0]


@pytest.fixture(scope="module")
def losses():
    return cross_val_losses(ESTIMATORS, X, Y, cv=BlockKFold(5, random_state=0))


@pytest.fixture(scope="module")
def scores():
    cv = BlockKFold(5, random_state=0)
    # a callable gives one value a split
    return cross_val_losses(
        ESTIMATORS, X, Y, cv=cv, scoring=lambda fitted, X, y: fitted.score(X, y)
    )


# from_array


def test_from_array_of_two_dimensions_is_a_k_fold():
    residuals = CVResiduals.from_array([[1, 2, 6], [3, 5, 1]])
    assert residuals.design == Design("k-fold", 2)
    assert residuals.per_example
    assert_array_equal(residuals.values, [1, 2, 6, 3, 5, 1])
    assert_array_equal(residuals.row_split, [0, 0, 0, 1, 1, 1])
    assert_array_equal(residuals.n_test, [3, 3])
    assert_array_equal(residuals.n_train, [3, 3])
    assert_array_equal(residuals.block_means, [3, 3])


def test_from_array_of_one_dimension_is_one_value_a_split():
    residuals = CVResiduals.from_array([0.5, 1.5, 4.0])
    assert residuals.design == Design("k-fold", 3)
    assert not residuals.per_example
    assert residuals.n_train is residuals.n_test is None
    assert_array_equal(residuals.block_means, [0.5, 1.5, 4.0])


@pytest.mark.parametrize(
    ("shape", "design", "expected"),
    [
        ((3, 2), "subsample", Design("subsample", 3)),
        ((6,), "repeated k-fold", Design("repeated k-fold", None)),
        ((10,), "5x2", Design("5x2", 2, 5)),
        ((10, 4), "5x2", Design("5x2", 2, 5)),
        ((1, 7), "holdout", Design("holdout", 1)),
        ((4,), "other", Design("other", 4)),
        ((6,), Design("repeated k-fold", 3, 2), Design("repeated k-fold", 3, 2)),
    ],
)
def test_from_array_takes_a_design(shape, design, expected):
    assert CVResiduals.from_array(np.ones(shape), design=design).design == expected


@pytest.mark.parametrize("n_train", [18, [18, 18, 17]])
def test_from_array_takes_sizes(n_train):
    residuals = CVResiduals.from_array(
        [1.0, 2.0, 4.0], design="subsample", n_train=n_train, n_test=2
    )
    assert_array_equal(residuals.n_train, np.broadcast_to(n_train, 3))
    assert_array_equal(residuals.n_test, [2, 2, 2])


def test_from_array_n_train_overrides_that_of_the_k_fold():
    residuals = CVResiduals.from_array(np.eye(3), n_train=5)
    assert_array_equal(residuals.n_train, [5, 5, 5])


def test_from_array_5x2_knows_its_training_sizes():
    residuals = CVResiduals.from_array(np.ones((10, 4)), design="5x2")
    assert_array_equal(residuals.n_train, np.full(10, 4))


def test_from_array_copies():
    array = np.arange(6.0).reshape(2, 3)
    residuals = CVResiduals.from_array(array)
    array[:] = 9
    assert_array_equal(residuals.values, np.arange(6.0))


def test_from_array_takes_a_dataframe():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame([[1, 2], [3, 4]], index=["a", "b"])
    assert_array_equal(CVResiduals.from_array(frame).block_means, [1.5, 3.5])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_from_array_names_the_splits_that_are_not_finite(bad):
    e = np.zeros((4, 3))
    e[1, 2] = e[3, 0] = bad
    with pytest.raises(ValueError, match=r"must be finite; got .* in split 1, 3"):
        CVResiduals.from_array(e)


@pytest.mark.parametrize("value", [3, [2, 3], [2, [2]], "a"])
def test_from_array_refuses_test_sizes_other_than_the_columns(value):
    with pytest.raises((TypeError, ValueError), match=r"^`n_test` must be .+; got "):
        CVResiduals.from_array(np.ones((2, 2)), n_test=value)


@pytest.mark.parametrize(
    ("shape", "design"),
    [
        ((3,), "nonsense"),
        ((3,), 3),
        ((3,), "paired halves"),
        ((9,), "5x2"),
        ((3, 2), "holdout"),
    ],
)
def test_from_array_refuses_a_design_that_does_not_fit(shape, design):
    with pytest.raises((TypeError, ValueError), match=r"^`\w+` must be .+; got "):
        CVResiduals.from_array(np.ones(shape), design=design)


@pytest.mark.parametrize(
    ("n_splits", "design"),
    [
        (9, Design("k-fold", 4)),
        (9, Design("5x2", 2, 5)),
        (7, Design("repeated k-fold", 3, 2)),
        (14, Design("paired halves", 3, 1, "k-fold", 2)),
    ],
    ids=str,
)
def test_from_array_refuses_a_design_object_of_other_splits(n_splits, design):
    with pytest.raises(ValueError, match=r"^`\w+` must be .+; got "):
        CVResiduals.from_array(np.arange(float(n_splits)), design=design)


# CVResiduals as data


def test_residuals_block_means_of_unequal_blocks():
    losses = cross_val_losses(GaussianNB(), X, Y, cv=BlockKFold(4, random_state=1))
    residuals = losses.residuals(0)
    means = [residuals.values[residuals.row_split == k].mean() for k in range(4)]
    assert set(residuals.n_test) == {37, 38}
    assert_allclose(residuals.block_means, means, rtol=1e-14)


@pytest.mark.parametrize("field", ["values", "design", "n_train", "new"])
def test_residuals_are_frozen(field):
    residuals = CVResiduals.from_array([[1.0, 2.0], [3.0, 5.0]])
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(residuals, field, None)


def test_residuals_pickle(losses):
    residuals = losses.residuals("tree", "dummy")
    copy = pickle.loads(pickle.dumps(residuals))
    for field in ("values", "row_split", "row_index", "n_train", "n_test"):
        assert_array_equal(getattr(copy, field), getattr(residuals, field))
    for field in ("design", "names", "metric", "per_example", "value_range"):
        assert getattr(copy, field) == getattr(residuals, field)
    assert_array_equal(copy.block_means, residuals.block_means)


def test_residuals_repr_names_estimators_and_design(losses):
    text = repr(losses.residuals("tree", "dummy"))
    assert "tree - dummy" in text
    assert "5-fold" in text


# subtraction


def test_subtracting_losses_gives_the_residuals(losses):
    difference = losses.residuals("tree") - losses.residuals("bayes")
    expected = losses.residuals("tree", "bayes")
    assert difference.names == expected.names
    assert_array_equal(difference.row_split, expected.row_split)
    assert_array_equal(difference.values, expected.values)


def test_subtraction_takes_losses_of_another_call_with_the_same_splits(losses):
    again = cross_val_losses(GaussianNB(), X, Y, cv=BlockKFold(5, random_state=0))
    difference = losses.residuals("bayes") - again.residuals(0)
    assert_array_equal(difference.values, np.zeros(len(X)))


@pytest.mark.parametrize(
    "cv", [BlockKFold(5, random_state=1), BlockKFold(6, random_state=0)]
)
def test_subtraction_of_other_splits_is_refused(losses, cv):
    other = cross_val_losses(GaussianNB(), X, Y, cv=cv)
    with pytest.raises(ValueError, match="same splits"):
        losses.residuals("tree") - other.residuals(0)


def test_subtraction_of_arrays_without_splits_is_refused():
    residuals = CVResiduals.from_array([1.0, 2.0])
    with pytest.raises(ValueError, match="over known splits"):
        residuals - residuals


def test_subtraction_of_another_loss_is_refused(losses, scores):
    with pytest.raises(ValueError, match="same loss"):
        losses.residuals("tree") - scores.residuals("tree")


@pytest.mark.parametrize(
    ("first", "second"),
    [((0, 1), (0, 2)), ((0, 1), (2,)), ((0,), (1, 2))],
    ids=["two differences", "difference first", "difference second"],
)
def test_subtraction_takes_losses_of_one_estimator_only(losses, first, second):
    with pytest.raises(ValueError, match="losses of one estimator"):
        losses.residuals(*first) - losses.residuals(*second)


@pytest.mark.parametrize("other", [1.0, np.ones(150), None])
def test_subtraction_of_anything_else_is_a_type_error(losses, other):
    with pytest.raises(TypeError):
        losses.residuals("tree") - other


# CVLosses


def test_losses_row_of_each_tested_example(losses):
    assert losses.values.shape == (150, 3)
    assert_array_equal(np.sort(losses.row_index), np.arange(150))
    assert np.all(np.diff(losses.row_split) >= 0)
    for k, (_, test) in enumerate(BlockKFold(5, random_state=0).split(X)):
        assert_array_equal(losses.row_index[losses.row_split == k], test)


def test_block_losses_are_means_of_each_split(losses, scores):
    for k in range(5):
        expected = losses.values[losses.row_split == k].mean(axis=0)
        assert_allclose(losses.block_losses[k], expected, rtol=1e-14)
    assert_allclose(scores.block_losses, losses.block_losses - 1, atol=1e-14)


def test_mean_losses_are_means_over_splits(losses):
    assert_allclose(losses.mean_losses, losses.block_losses.mean(axis=0), rtol=1e-14)


def test_mean_losses_of_paired_halves_are_those_of_the_whole_sample():
    cv = PairedHalves(BlockKFold(5, random_state=0), 2, random_state=0)
    paired = cross_val_losses(ESTIMATORS, X, Y, cv=cv)
    plain = cross_val_losses(ESTIMATORS, X, Y, cv=BlockKFold(5, random_state=0))
    assert_array_equal(paired.mean_losses, plain.mean_losses)


@pytest.mark.parametrize(
    ("first", "second"), [("tree", "dummy"), (1, 2), (np.int64(1), "dummy")]
)
def test_losses_residuals_is_first_minus_second(losses, first, second):
    residuals = losses.residuals(first, second)
    assert residuals.names == ("tree", "dummy")
    assert_array_equal(residuals.values, losses.values[:, 1] - losses.values[:, 2])
    assert residuals.values.mean() < 0  # the tree is better: smaller loss


def test_losses_residuals_of_one_estimator_is_its_loss(losses):
    residuals = losses.residuals("dummy")
    assert residuals.names == ("dummy",)
    assert_array_equal(residuals.values, losses.values[:, 2])


def test_losses_residuals_of_scores_is_one_value_a_split(scores):
    residuals = scores.residuals("tree", "dummy")
    assert not residuals.per_example
    assert len(residuals.values) == 5


@pytest.fixture(scope="module")
def failed():
    estimators = {"fails": FailsOnFirstExample(), "bayes": GaussianNB()}
    with pytest.warns(FitFailedWarning):
        return cross_val_losses(estimators, X, Y, cv=BlockKFold(3, random_state=0))


def test_failed_splits_are_those_without_losses(failed):
    of_first = int(failed.row_split[failed.row_index == 0][0])
    is_failed = np.isnan(failed.block_losses[:, 0])
    assert np.flatnonzero(is_failed).tolist() == [k for k in range(3) if k != of_first]
    assert len(failed.errors["fails"]) == 2


@pytest.mark.parametrize("pair", [("fails",), ("fails", "bayes"), ("bayes", "fails")])
def test_residuals_of_a_failed_estimator_name_it_and_its_splits(failed, pair):
    is_failed = np.isnan(failed.block_losses[:, 0])
    splits = ", ".join(map(str, np.flatnonzero(is_failed)))
    with pytest.raises(ValueError, match=f"must be finite.* in split {splits} of "):
        failed.residuals(*pair)


def test_residuals_of_the_others_do_not_mind_a_failed_estimator(failed):
    assert np.isfinite(failed.residuals("bayes").values).all()


@pytest.mark.parametrize("field", ["losses", "design", "new"])
def test_losses_are_frozen(losses, field):
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(losses, field, None)


def assert_same_losses(first, second):
    assert type(first) is type(second) is CVLosses
    for field in dataclasses.fields(CVLosses):
        if field.name != "estimators":
            a, b = getattr(first, field.name), getattr(second, field.name)
            assert_array_equal(a, b)
            assert type(a) is type(b)


def test_losses_pickle(losses):
    assert_same_losses(pickle.loads(pickle.dumps(losses)), losses)


def test_losses_to_frame(losses):
    pytest.importorskip("pandas")
    frame = losses.to_frame()
    assert list(frame.columns) == ["split", "index", "bayes", "tree", "dummy"]
    assert_array_equal(frame["split"], losses.row_split)
    assert_array_equal(frame["index"], losses.row_index)
    assert_array_equal(frame["tree"], losses.values[:, 1])


def test_losses_to_frame_of_scores_has_no_index(scores):
    pytest.importorskip("pandas")
    frame = scores.to_frame()
    assert list(frame.columns) == ["split", "bayes", "tree", "dummy"]
    assert len(frame) == 5


def test_losses_repr_names_estimators_design_and_loss(losses):
    for part in ("bayes, tree, dummy", "5-fold", "error"):
        assert part in repr(losses)
