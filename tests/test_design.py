"""Design: how splits relate to each other, by name or from our splitters."""

import json
import pickle

import numpy as np
import pytest
from sklearn.model_selection import KFold

from sklearn_cvtest import (
    BlockKFold,
    CVResiduals,
    FiveByTwo,
    PairedHalves,
    RepeatedSubsample,
)
from sklearn_cvtest.results import Design

# Design -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("design", "text"),
    [
        (Design("k-fold", 10), "10-fold cross-validation"),
        (Design("repeated k-fold", 10, 3), "3 x 10-fold cross-validation"),
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


@pytest.mark.parametrize(
    "cv",
    [
        BlockKFold(5),
        BlockKFold(5, n_repeats=2),
        RepeatedSubsample(4),
        RepeatedSubsample(1),
        FiveByTwo(stratify=True),
        PairedHalves(BlockKFold(3), 2),
    ],
)
def test_design_to_dict_survives_json(cv):
    design = cv.get_design()
    assert Design(**json.loads(json.dumps(design.to_dict()))) == design


def test_design_of_one_run_is_its_only_run():
    design = Design("repeated k-fold", 4, 3)
    assert design.runs() == [(slice(None), design, False)]
    assert design.full == slice(None)
    assert design.base_kind == "repeated k-fold"


@pytest.mark.parametrize("base", ["k-fold", "subsample"])
def test_design_of_paired_halves_has_the_runs_of_the_halves(base):
    design = Design("paired halves", 3, 1, base, 2)
    run = Design(base, 3)
    assert design.full == slice(3)
    assert design.base_kind == base
    assert design.runs() == [
        (slice(0, 3), run, False),
        *((slice(k, k + 3), run, True) for k in (3, 6, 9, 12)),
    ]


def test_design_is_frozen_and_hashable():
    design = Design("k-fold", 5)
    assert design in {Design("k-fold", 5)}
    with pytest.raises(AttributeError):
        design.kind = "other"


DesignKind = type(Design("k-fold").kind)


@pytest.mark.parametrize("kind", DesignKind)
def test_kind_of_a_design_is_the_string_that_users_write(kind):
    assert repr(kind) == repr(kind.value)
    assert f"{kind}" == str(kind) == json.loads(json.dumps(kind)) == kind.value
    assert pickle.loads(pickle.dumps(kind)) is kind


def test_strings_become_members_and_json_has_strings():
    design = Design("paired halves", 3, 1, "k-fold", 2)
    assert isinstance(design.kind, DesignKind)
    assert isinstance(design.base, DesignKind)
    fields = design.to_dict()
    assert (type(fields["kind"]), type(fields["base"])) == (str, str)
    assert repr(design) == (
        "Design(kind='paired halves', n_splits=3, n_repeats=1, base='k-fold', "
        "n_halvings=2)"
    )


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


def test_from_array_repeated_k_fold_by_name_leaves_k_open():
    design = CVResiduals.from_array(np.ones(10), design="repeated k-fold").design
    assert design.n_splits is None
    assert design.runs() == [(slice(None), design, False)]


def test_from_array_takes_exact_names_only():
    with pytest.raises(ValueError, match=r"must be one of 'k-fold', .*'other'"):
        CVResiduals.from_array(np.ones((10, 3)), design="K-fold")


@pytest.mark.parametrize(
    ("n_splits", "design", "error"),
    [
        (10, "bootstrap", ValueError),
        (10, "", ValueError),
        (10, "paired halves", ValueError),
        (10, 5, TypeError),
        (10, KFold(10), TypeError),
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
