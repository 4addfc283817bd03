"""Design: how splits relate to each other, by name or from our splitters."""

import numpy as np
import pytest
from sklearn.model_selection import KFold

from sklearn_cvtest import (
    CVResiduals,
)
from sklearn_cvtest.results import Design

# Design -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("design", "text"),
    [
        (Design("k-fold", 10), "10-fold cross-validation"),
        (Design("repeated k-fold", 10, 3), "10-fold cross-validation repeated 3 times"),
        (Design("subsample", 15), "15 subsamples"),
        (Design("5x2", 2, 5), "5x2 cross-validation"),
        (
            Design("paired halves", 10, 1, "k-fold", 4),
            "10-fold cross-validation with 4 pairs of halves",
        ),
        (Design("holdout", 1), "one train-test split"),
        (Design("time series", 4), "4 splits in time order"),
        (Design("other", 3), "3 splits of no recognised design"),
    ],
)
def test_design_str(design, text):
    assert str(design) == text


def test_design_is_frozen_and_hashable():
    design = Design("k-fold", 5)
    assert design in {Design("k-fold", 5)}
    with pytest.raises(AttributeError):
        design.kind = "other"


def test_design_of_an_unknown_kind_raises():
    with pytest.raises(ValueError, match=r"^`kind` must be .+; got 'bootstrap'\."):
        Design("bootstrap", 5)


@pytest.mark.parametrize(
    ("name", "design"),
    [
        ("k-fold", Design("k-fold", 10)),
        ("subsample", Design("subsample", 10)),
        ("5x2", Design("5x2", 2, 5)),
        ("time series", Design("time series", 10)),
        ("other", Design("other", 10)),
        (Design("subsample", 10), Design("subsample", 10)),
        (Design("repeated k-fold", 5, 2), Design("repeated k-fold", 5, 2)),
    ],
)
def test_from_array_takes_a_design_by_name(name, design):
    assert CVResiduals.from_array(np.ones((10, 3)), design=name).design == design


def test_from_array_takes_exact_names_only():
    with pytest.raises(ValueError, match=r"must be one of 'k-fold', .*'other'"):
        CVResiduals.from_array(np.ones((10, 3)), design="K-fold")


@pytest.mark.parametrize(
    ("n_splits", "design", "error"),
    [
        (10, "bootstrap", ValueError),
        (10, "", ValueError),
        (10, "paired halves", ValueError),
        (10, 5, ValueError),
        (10, KFold(10), ValueError),
        (9, "5x2", ValueError),
        (5, Design("k-fold", 10), ValueError),
        (5, Design("repeated k-fold", 2, 5), ValueError),
        (9, Design("5x2", 2, 5), ValueError),
        (5, Design("paired halves", 2, 1, "k-fold", 3), ValueError),
    ],
)
def test_from_array_design_that_does_not_fit_raises(n_splits, design, error):
    with pytest.raises(error, match=r"(?s)^`design` must be .+; got .+\."):
        CVResiduals.from_array(np.ones((n_splits, 3)), design=design)
