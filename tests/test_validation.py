"""Parameter checks: what passes, what does not, and the one error grammar."""

import copy
import math
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.dummy import DummyClassifier
from sklearn.feature_selection import SelectKBest

from sklearn_cvtest import (
    adjust_pvalues,
    compare_cv_results,
    compare_estimators,
    compare_predictions,
    compare_table,
    cross_val_interval,
    cross_val_losses,
)
from sklearn_cvtest._report._result import Result
from sklearn_cvtest._validation import (
    check_flag,
    check_integer,
    check_option,
    check_real,
    check_real_array,
    invalid,
)
from sklearn_cvtest.losses import get_loss

TWO = [DummyClassifier(), DummyClassifier()], np.ones((20, 1)), np.resize([0, 1], 20)
GRAMMAR = r"(?s)^`size` must be .+; got .+\.$"


class NoRepr:
    def __repr__(self):
        raise RuntimeError("no repr")


# fail -------------------------------------------------------------------------


def test_fail_follows_the_grammar():
    error = invalid("n_splits", "an integer >= 2", 1)
    assert type(error) is ValueError
    assert str(error) == "`n_splits` must be an integer >= 2; got 1."


def test_fail_puts_the_hint_after_the_value():
    error = invalid("cv", "a splitter", None, TypeError, "Use BlockKFold.")
    assert type(error) is TypeError
    assert str(error) == "`cv` must be a splitter; got None. Use BlockKFold."


@pytest.mark.parametrize(
    "value",
    [
        "x" * 10_000,
        list(range(10_000)),
        np.arange(10_000.0),
        pd.DataFrame(np.zeros((500, 50))),
        {k: k for k in range(10_000)},
        10**4000,
    ],
)
def test_fail_shortens_a_long_value(value):
    assert len(str(invalid("size", "small", value))) < 300


def test_fail_survives_a_value_without_repr():
    assert "NoRepr" in str(invalid("size", "small", NoRepr()))


# check_integer ----------------------------------------------------------------


@pytest.mark.parametrize("value", [2, 10**30, np.int8(3), np.uint64(2**63)])
def test_check_integer_returns_an_int(value):
    got = check_integer("size", value, 2)
    assert type(got) is int
    assert got == value


@pytest.mark.parametrize("value", [1, 0, -5, np.int8(-1), -(10**30)])
def test_check_integer_below_the_minimum_raises(value):
    with pytest.raises(ValueError, match=r"^`size` must be an integer >= 2; got "):
        check_integer("size", value, 2)


@pytest.mark.parametrize(
    "value",
    [True, np.True_, 2.0, np.float64(3), "3", b"3", None, [3], np.array([3]), 3j, int],
)
def test_check_integer_of_another_type_raises(value):
    with pytest.raises(TypeError, match=GRAMMAR):
        check_integer("size", value, 2)


# check_real -------------------------------------------------------------------


@pytest.mark.parametrize(
    "value", [0.5, np.float32(0.5), np.float16(0.5), Fraction(1, 2), np.longdouble(0.5)]
)
def test_check_real_returns_a_float(value):
    got = check_real("size", value, above=0, below=1)
    assert type(got) is float
    assert got == 0.5


@pytest.mark.parametrize("value", [-1e308, 0, 7, np.int64(-3), 1e-320])
def test_check_real_unbounded_takes_any_finite_number(value):
    assert check_real("size", value) == value


@given(st.floats(), st.sampled_from(["", "low", "high", "low high"]))
@settings(max_examples=80, deadline=None)
def test_check_real_accepts_just_the_interval(value, closed):
    inside = 0 < value < 1
    inside |= "low" in closed and value == 0
    inside |= "high" in closed and value == 1
    if inside:
        assert check_real("size", value, above=0, below=1, closed=closed) == value
    else:
        with pytest.raises(ValueError, match=GRAMMAR):
            check_real("size", value, above=0, below=1, closed=closed)


@pytest.mark.parametrize("closed", ["", "low", "high", "low high"])
@pytest.mark.parametrize("end", [0, 1, 0.0, 1.0])
def test_check_real_end_of_the_interval_only_if_closed(end, closed):
    name = "low" if end == 0 else "high"
    if name in closed:
        assert check_real("size", end, above=0, below=1, closed=closed) == end
    else:
        with pytest.raises(ValueError, match=GRAMMAR):
            check_real("size", end, above=0, below=1, closed=closed)


@pytest.mark.parametrize("bounds", [{}, {"above": 0}, {"below": 1}])
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, np.float32(np.nan)])
def test_check_real_not_finite_raises(value, bounds):
    with pytest.raises(ValueError, match=GRAMMAR):
        check_real("size", value, **bounds)


@pytest.mark.parametrize(
    "value",
    [10**400, -(10**400), Fraction(10**400)],
    ids=["10**400", "-10**400", "Fraction(10**400)"],
)
def test_check_real_beyond_the_floats_raises(value):
    with pytest.raises(ValueError, match=GRAMMAR):
        check_real("size", value)


@pytest.mark.parametrize(
    "value",
    [True, np.False_, "0.5", None, [0.5], np.array([0.5]), 0.5j, Decimal("0.5"), float],
)
def test_check_real_of_another_type_raises(value):
    with pytest.raises(TypeError, match=GRAMMAR):
        check_real("size", value, above=0, below=1)


@pytest.mark.parametrize(
    ("options", "allowed"),
    [
        ({}, "a finite real number"),
        (dict(above=0, below=1), "a real number in (0, 1)"),
        (dict(above=0, below=1, closed="low"), "a real number in [0, 1)"),
        (dict(above=0, below=1, closed="low high"), "a real number in [0, 1]"),
        (dict(above=0), "a real number in (0, inf)"),
        (dict(below=0.5, closed="high"), "a real number in (-inf, 0.5]"),
    ],
)
def test_check_real_error_shows_the_interval(options, allowed):
    with pytest.raises(ValueError) as info:  # noqa: PT011
        check_real("size", math.nan, **options)
    assert str(info.value) == f"`size` must be {allowed}; got nan."


# check_option and check_flag --------------------------------------------------


@pytest.mark.parametrize("value", ["less", "greater", np.str_("less")])
def test_check_option_returns_the_option(value):
    assert check_option("size", value, ("less", "greater")) == value


def test_check_option_takes_none_where_it_is_one():
    assert check_option("size", None, ("holm", None)) is None


@pytest.mark.parametrize("value", ["Less", "", "les"])
def test_check_option_unknown_raises_listing_all(value):
    with pytest.raises(ValueError, match=r"one of 'less', None; got '"):
        check_option("size", value, ("less", None))


@pytest.mark.parametrize(
    "value", [None, 1, True, b"less", ["less"], {}, np.array(["less"]), str]
)
def test_check_option_of_another_type_raises(value):
    with pytest.raises(TypeError, match=GRAMMAR):
        check_option("size", value, ("less", "greater"))


@pytest.mark.parametrize("value", [True, False, np.True_, np.False_])
def test_check_flag_returns_a_bool(value):
    assert check_flag("size", value) is bool(value)


@pytest.mark.parametrize("value", [0, 1, None, "True", [], np.array([True]), 1.0])
def test_check_flag_of_another_type_raises(value):
    with pytest.raises(TypeError, match=r"^`size` must be True or False; got .+\.$"):
        check_flag("size", value)


# check_real_array -------------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [
        [1, 2],
        (1.0, 2.0),
        range(1, 3),
        np.array([1, 2], dtype=np.int8),
        np.array([1, 2], dtype=np.float16),
        np.array([1, 2], dtype=object),
        [Fraction(1), Decimal(2)],
        pd.Series([1, 2], index=[5, 4]),
        pd.Series([1, 2], dtype="Int64"),
    ],
)
def test_check_real_array_returns_floats(values):
    got = check_real_array("size", values, (1,))
    assert got.dtype == np.float64
    np.testing.assert_array_equal(got, [1, 2])


def test_check_real_array_takes_booleans_for_zero_and_one():
    got = check_real_array("size", [True, False], (1,))
    np.testing.assert_array_equal(got, [1.0, 0.0])


def test_check_real_array_returns_a_copy():
    values = np.array([1.0, 2.0])
    check_real_array("size", values, (1,))[0] = 5
    np.testing.assert_array_equal(values, [1, 2])


def test_check_real_array_leaves_nan_to_the_caller():
    assert np.isnan(check_real_array("size", [np.nan, 1], (1,))[0])


@pytest.mark.parametrize(
    ("values", "ndims", "shape"),
    [
        (5, (1,), "()"),
        ([[1]], (1,), "(1, 1)"),
        ([1], (2,), "(1,)"),
        (np.zeros((2, 2, 2)), (1, 2), "(2, 2, 2)"),
        ([], (1,), "(0,)"),
        (np.zeros((0, 3)), (2,), "(0, 3)"),
        (np.zeros((3, 0)), (2,), "(3, 0)"),
    ],
)
def test_check_real_array_of_another_shape_shows_it(values, ndims, shape):
    with pytest.raises(ValueError, match=GRAMMAR) as info:
        check_real_array("size", values, ndims)
    assert f"got an array of shape {shape}." in str(info.value)


@pytest.mark.parametrize(
    ("ndims", "allowed"),
    [((1,), "with 1 dimension;"), ((2,), "2 dimensions;"), ((1, 2), "1 or 2 dim")],
)
def test_check_real_array_error_says_how_many_dimensions(ndims, allowed):
    with pytest.raises(ValueError, match=allowed):
        check_real_array("size", np.zeros((1, 1, 1)), ndims)


@pytest.mark.parametrize(
    "values",
    [
        None,
        "12",
        ["1", "2"],
        [1, "b"],
        [[1], [1, 2]],
        {1, 2},
        {0: 1},
        (value for value in [1, 2]),
        [1 + 2j, 3],
        [object()],
        np.array(["2020-01-01"], dtype="datetime64[D]"),
        np.array([5], dtype="timedelta64[s]"),
        sparse.csr_matrix(np.eye(2)),
        [10**400, 1],
    ],
    ids=lambda values: type(values).__name__,
)
def test_check_real_array_of_no_numbers_raises(values):
    with pytest.raises((TypeError, ValueError), match=GRAMMAR):
        check_real_array("size", values, (1, 2))


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        (lambda: get_loss("zero-one"), "zero_one"),
        (lambda: get_loss("mse"), "squared_error"),
        (lambda: get_loss("MAE"), "absolute_error"),
        (lambda: get_loss("acc"), "zero_one"),
        (lambda: adjust_pvalues([0.1], "bh"), "fdr_bh"),
        (lambda: compare_estimators(*TWO, scoring="auc"), "roc_auc"),
        (lambda: compare_estimators(*TWO, scoring="mse"), "neg_mean_squared_error"),
        (lambda: compare_estimators(*TWO, p_adjust="Holm"), "holm"),
        (
            lambda: compare_estimators(
                {"bayes": TWO[0][0], "tree": TWO[0][1]}, *TWO[1:], reference="Bayes"
            ),
            "bayes",
        ),
        (lambda: compare_estimators(*TWO, test="KFoldTtest"), "KFoldTTest"),
    ],
)
def test_what_was_meant_is_asked(call, meant):
    with pytest.raises((TypeError, ValueError), match=f"Did you mean '{meant}'\\?"):
        call()


@pytest.mark.parametrize(
    ("scoring", "hint"),
    [
        ("neg_mean_pinball_loss", "make_scorer(mean_pinball_loss, greater_is_better"),
        ("hamming_loss", "make_scorer(hamming_loss, greater_is_better=False)"),
        ("cohen_kappa_score", "make_scorer(cohen_kappa_score), from sklearn.metrics"),
        ("mean_squared_error", "Did you mean 'neg_mean_squared_error'?"),
        ("brier_score_loss", "Did you mean 'neg_brier_score'?"),
        ("f1_score", "Did you mean 'f1'?"),
    ],
)
def test_metrics_that_are_no_scorers_get_the_way_to_make_one(scoring, hint):
    with pytest.raises(ValueError, match=re.escape(hint)):
        compare_estimators(*TWO, scoring=scoring)


@pytest.mark.parametrize("run", [compare_estimators, cross_val_losses])
@pytest.mark.parametrize(
    ("option", "instead"),
    [
        ({"n_repeats": 5}, "cv=BlockKFold(n_repeats=5)"),
        ({"random_state": 0}, "cv=BlockKFold(random_state=0)"),
        ({"test_size": 0.2}, "cv=RepeatedSubsample(test_size=0.2)"),
    ],
)
def test_options_of_splitters_belong_into_cv(run, option, instead):
    with pytest.raises(TypeError, match=re.escape(f"splitter: pass {instead}")):
        run(*TWO, **option)


@pytest.mark.parametrize("structured", [False, True])
@pytest.mark.parametrize(
    "compare", [compare_estimators, lambda m, *Xy: cross_val_interval(m["a"], *Xy)]
)
def test_what_is_no_classifier_or_regressor_is_sent_to_the_concordance(
    compare, structured
):
    y = TWO[2]
    if structured:
        y = np.zeros(len(y), dtype=[("event", bool), ("time", float)])
    models = {"a": SelectKBest(), "b": SelectKBest(k=3)}
    with pytest.raises(ValueError, match=r"make_scorer\(concordance_index\), from"):
        compare(models, TWO[1], y)


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("pvalue", "`pvalue_`"),
        ("p_values", "`pvalue_`"),
        ("rho_alpha", "`rho_alpha_`"),
        ("to_csv", "`to_frame().to_csv(...)`"),
        ("to_pandas", "`to_frame()`"),
    ],
)
def test_attributes_of_other_packages_get_a_hint(name, instead):
    result = compare_estimators(*TWO)
    message = f"'Comparison' object has no attribute {name!r}. Use {instead}."
    with pytest.raises(AttributeError, match=re.escape(message)):
        getattr(result, name)
    assert not hasattr(result, "anything_else")
    assert copy.deepcopy(result).pvalue_ == result.pvalue_


def test_a_property_that_fails_keeps_its_own_words():
    class Broken(Result):
        _document = _columns = None

        @property
        def broken(self):
            return None.missing

    with pytest.raises(AttributeError, match=r"'NoneType' object .* 'missing'"):
        _ = Broken().broken


def test_none_as_a_word_is_none():
    with pytest.raises(ValueError, match=r"got 'none'\. Did you mean None\?"):
        check_option("p_adjust", "none", ("holm", None))


@pytest.mark.parametrize(
    "call",
    [
        lambda: compare_estimators(TWO[0][:1], *TWO[1:]),
        lambda: compare_cv_results({"a": {"test_score": [0.1, 0.2]}}, cv=2),
        lambda: compare_table({"model": ["a", "a"], "fold": [0, 1], "loss": [1, 2]}),
    ],
)
def test_one_model_is_sent_to_its_function(call):
    with pytest.raises(ValueError, match=r"For one model, use cross_val_interval\.$"):
        call()


def test_predictions_of_one_model_are_sent_to_their_function():
    with pytest.raises(
        ValueError, match=r"For one model, use interval_of_predictions\.$"
    ):
        compare_predictions([0, 1], {"a": [0, 1]})


def test_nothing_is_asked_where_nothing_is_near():
    with pytest.raises(ValueError, match=r"'nonsense'\. Pass a scikit-learn scorer"):
        get_loss("nonsense")
