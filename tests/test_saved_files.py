"""Files of comparisons: whole, without code, or refused."""

import hashlib
import json
import os
import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from pandas.testing import assert_frame_equal
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from sklearn_cvtest import (
    BlockKFold,
    Comparison,
    EquivalenceTest,
    KFoldTTest,
    compare_cv_results,
    compare_estimators,
    compare_predictions,
    compare_scores,
    load,
)

X, Y = (part[::5] for part in load_iris(return_X_y=True))
MODELS = {
    "bayes": GaussianNB(),
    "dummy": DummyClassifier(),
    "日本 \udcff": GaussianNB(),
}
FOLDS = BlockKFold(3, random_state=0)
RESULT = compare_estimators(MODELS, X, Y, cv=FOLDS)
RNG = np.random.default_rng(0)
TARGET = RNG.normal(size=40)
GUESSES = {name: TARGET + RNG.normal(size=40) for name in "abc"}
SAVED = {
    "default": lambda: RESULT,
    "asked": lambda: RESULT.retest(KFoldTTest(0.5), p_adjust=None, alpha=0.1),
    "reference": lambda: RESULT.retest(reference="dummy"),
    "margin": lambda: RESULT.retest(EquivalenceTest(KFoldTTest(), margin=0.1)),
    "groups": lambda: compare_estimators(
        MODELS, X, Y, cv=FOLDS, groups=np.repeat(np.arange(15), 2)
    ),
    "ratios": lambda: compare_predictions(
        TARGET, GUESSES, scoring="neg_root_mean_squared_error"
    ),
    "scores": lambda: compare_cv_results(
        {"a": [0.1, 0.5, 0.2], "b": [0.2, 0.1, 0.1]}, cv=3
    ),
    "several runs": lambda: compare_scores(
        {name: RNG.normal(size=(3, 20)) for name in "ab"}
    ),
    "own metric": lambda: compare_estimators(
        MODELS, X, Y, cv=FOLDS, loss=lambda y, guess: np.abs(y - guess)
    ),
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "file"


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("make", SAVED.values(), ids=SAVED)
def test_what_is_loaded_is_what_was_saved(make, path):
    result = make()
    result.save(path)
    loaded = load(path)
    assert str(loaded) == str(result)
    assert loaded.report() == result.report()
    assert_frame_equal(loaded.to_frame(), result.to_frame())
    assert_array_equal(loaded.losses.values, result.losses.values)
    assert loaded.best == result.best


def test_fitted_estimators_and_own_tests_are_not_saved(path):
    result = compare_estimators(MODELS, X, Y, cv=FOLDS, return_estimator=True)
    assert result.losses.estimators
    result.save(path)
    assert not load(path).losses.estimators

    class Own(KFoldTTest):
        pass

    with pytest.raises(TypeError, match="Only tests of sklearn_cvtest"):
        result.retest(Own()).save(path)


@pytest.mark.parametrize("name", ["file", "file.npz", "日本 ρ.x", ".hidden"])
def test_save_writes_the_path_given_and_replaces_a_file(name, tmp_path):
    (tmp_path / name).write_bytes(b"PK" + 30000 * b"x")
    RESULT.save(str(tmp_path / name))
    assert os.listdir(tmp_path) == [name]
    assert str(Comparison.load(str(tmp_path / name))) == str(RESULT)


def changed(content, change):
    """Return what is saved with a change, and a digest that is right."""
    content = json.loads(content)
    change(content)
    del content["sha256"]
    digest = hashlib.sha256(json.dumps(content).encode()).hexdigest()
    return json.dumps(content | {"sha256": digest}).encode()


def with_values(**parts):
    """Return a function that replaces parts of what is saved."""

    def change(content):
        for name, value in parts.items():
            *way, last = name.split("__")
            inside = content
            for key in way:
                inside = inside[key]
            inside[last] = value

    return change


FOREIGN = {
    "empty": b"",
    "text": b"hello\n",
    "json": b"[1, 2]",
    "numbers": b"3",
    "bytes": b"\x80\xff",
    "pickle": pickle.dumps([1, 2]),
    "deep": b"[" * 99999 + b"]" * 99999,
}
WRONG = {
    "another version": with_values(format="sklearn_cvtest 2"),
    "no losses": with_values(losses=None),
    "names of numbers": with_values(losses__names=3),
    "design unknown": with_values(losses__design=["nonsense"]),
    "an array of another type": with_values(losses__values={"array": [1], "dtype": 3}),
    "something more": with_values(losses__more=1),
    "unknown test": with_values(test={"class": "os.system", "params": {}}),
    "class of a list": with_values(test={"class": ["KFoldTTest"], "params": {}}),
    "unknown parameter": with_values(test={"class": "KFoldTTest", "params": {"x": 1}}),
    "bad parameter": with_values(test={"class": "KFoldTTest", "params": {"rho": 2}}),
    "test of another design": with_values(
        test={"class": "ResampledTTest", "params": {}}
    ),
    "unknown reference": with_values(options__reference="nobody"),
    "alpha of text": with_values(options__alpha="x"),
    "unknown option": with_values(options__more=1),
}


@pytest.mark.parametrize("data", FOREIGN.values(), ids=FOREIGN)
def test_foreign_files_are_refused(data, path):
    path.write_bytes(data)
    with pytest.raises(ValueError, match="`path` must be the intact file of a"):
        load(path)


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG)
def test_files_whose_parts_do_not_fit_are_refused(change, path):
    RESULT.save(path)
    path.write_bytes(changed(path.read_bytes(), change))
    with pytest.raises(ValueError, match="`path` must be the intact file of a"):
        load(path)


def test_a_changed_digit_and_a_lost_end_are_noticed(path):
    RESULT.save(path)
    whole = path.read_text(encoding="utf-8")
    for damaged in (whole.replace("1.0", "0.0", 1), whole[:-2], whole[:200]):
        assert damaged != whole
        path.write_text(damaged, encoding="utf-8")
        with pytest.raises(ValueError, match="`path` must be the intact file of a"):
            load(path)


def test_what_is_not_there_or_no_file_is_not_read(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        load(tmp_path / "nowhere")
    with pytest.raises((IsADirectoryError, ValueError)):
        load(tmp_path)
    with pytest.raises(ValueError, match="`path` must be"):
        load(os.devnull)
