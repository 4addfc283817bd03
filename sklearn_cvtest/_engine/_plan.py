"""What is fitted, and on what: all checked, before the first fit."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from .._compat import (
    ignores_groups,
    is_pairwise,
    n_rows,
    routing_enabled,
)
from .._losses._formulas import as_target_array, unique_labels
from .._losses._measures import choose_measure, for_splits, measures_of
from .._losses._metric_measure import NOT_FEW, few_positives
from .._row_labels import by_position, labels_of_rows, warn_of_another_order
from .._splits import _groups
from .._splits._design import Design
from .._splits._indices import check_splits, recognise_design, train_size
from .._splits._splitters import DesignedSplitter, describe_splitter
from .._typing import Any
from .._validation import check_flag, invalid, warn
from ..exceptions import GroupLeakWarning
from . import _arguments
from ._fitting import Data, Job, check_square
from ._installed_checks import installed_checks
from ._routing import route


@dataclass(frozen=True)
class Plan:
    """All that is fitted, and on what.

    Attributes
    ----------
    data : Data
        What all fits have in common.
    splits : list of (ndarray, ndarray)
        Indices of training and test sets.
    jobs : list of Job
        The estimators.
    design : Design
        How the splits relate to each other.
    cv_description : str or None
        What made the splits.
    groups : ndarray of shape (n_samples,) or None
        Integer code of the group of each example; None if each is a group of its own.
    example_labels : sequence or None
        The index labels of the examples; None without any.
    min_complete : int
        How many estimators must have no failed fits for any result.
    """

    data: Data
    splits: list
    jobs: list
    design: Design
    cv_description: str | None = None
    groups: np.ndarray | None = None
    example_labels: Any = None
    min_complete: int = 0

    @property
    def names(self):
        """The names of the estimators, a tuple of str."""
        return tuple(job.name for job in self.jobs)

    @property
    def measures(self):
        """What is measured of each fit, a tuple."""
        return measures_of(self.data.measure)

    @cached_property
    def few_positives(self):
        """The FewPositives of each measure, a list; none of models that are given."""
        if train_size(self.splits[0]) == 0:
            return [NOT_FEW] * len(self.measures)
        return [
            few_positives(measure, self.data.y, self.splits)
            for measure in self.measures
        ]

    def has_examples(self, measure):
        """Whether there will be a value for each test example of a measure."""
        return measure.per_example and not self.data.only_means

    def is_weighted(self, number):
        """Whether examples have different weights in a measure."""
        weight = self.data.score_params[number].get("sample_weight")
        return weight is not None and bool(np.ptp(weight) > 0)

    def sizes(self, n_test):
        """Return how many values each measure has of a test set, a list of int."""
        sizes = []
        for measure in self.measures:
            sizes.append(n_test if self.has_examples(measure) else 1)
        return sizes

    @property
    def n_groups(self):
        """Number of groups, int; None without groups."""
        return None if self.groups is None else int(self.groups.max()) + 1

    def on(self, X, y, splits):
        """Return the plan for another sample of the same kind, and its splits."""
        measure, target = self.data.measure.on(y)
        data = self.data._replace(X=X, y=y, target=target, measure=measure)
        return replace(self, data=data, splits=splits)


def plan_fits(
    estimators,
    X,
    y,
    *,
    cv,
    groups=None,
    loss="auto",
    scoring=None,
    params=None,
    score_params=None,
    per_example=True,
    diagnostics=True,
    needs_examples=True,
    splits=None,
    design=None,
    example_labels=None,
):
    """Check all that can be checked before anything is fitted; return a plan."""
    check_flag("per_example", per_example)
    check_flag("diagnostics", diagnostics)
    estimators = _arguments.name_estimators(estimators)
    X, y, groups = _groups.check_lengths(X, y, groups)
    n_samples = n_rows(X)
    warn_of_another_order(
        {"X": X, "y": y, "groups": groups}, params=params, score_params=score_params
    )
    if example_labels is None:
        example_labels = labels_of_rows(X, y, groups)
    cv_groups = groups
    if groups is None and routing_enabled() and isinstance(params, dict):
        cv_groups = params.get("groups")
    cv = _arguments.resolve_cv(cv, estimators, y, cv_groups)
    measure, target = choose_measure(estimators, y, loss, scoring)
    measures = measures_of(measure)
    routed = route(estimators, cv, measures, groups, params, score_params, n_samples)
    if splits is None:
        splits = _draw_splits(cv, X, y, routed.split, n_samples)
    jobs = _jobs_of(estimators, routed.fit, X)
    if per_example and y is not None:
        measure = for_splits(measure, y, splits, is_asked=needs_examples)
    data = Data(
        X=X,
        y=y,
        target=target,
        measure=measure,
        score_params=routed.score,
        only_means=measure.per_example and not per_example,
        classes=_two_labels(y),
        diagnostics=diagnostics,
    )
    if design is None:
        design = _design_of(cv, splits, n_samples)
    split_groups = routed.split.get("groups")
    group_codes, leaks = _groups_of(split_groups, splits, design)
    described = describe_splitter(cv, None if leaks else split_groups)
    plan = Plan(data, splits, jobs, design, described, group_codes, example_labels)
    checks = installed_checks()
    if diagnostics and checks is not None:
        checks.warn_of_few_positives(plan)
    return plan


def _jobs_of(estimators, fit_params, X):
    """Return the Job of each estimator."""
    jobs = []
    for (name, estimator), params in zip(estimators.items(), fit_params, strict=True):
        jobs.append(Job(name, estimator, params, is_pairwise(estimator)))
    if any(job.pairwise for job in jobs):
        check_square(X)
    return jobs


def _design_of(cv, splits, n_samples):
    """Return the design that a splitter declares, or that the splits show."""
    is_declared = "design_from_indices" in vars(type(cv)) and not cv.design_from_indices
    if is_declared:
        return cv.get_design()
    return recognise_design(splits, n_samples)


def _two_labels(y):
    """Return the labels of y if these are two in one dimension, otherwise none."""
    try:
        y = as_target_array(y)
        if y.ndim != 1:
            return ()
        first = unique_labels(y[:200])  # most other targets have three values here
        if len(first) > 2:
            return ()
        labels = unique_labels(y)
    except (TypeError, ValueError):  # none that warnings could look at
        return ()
    return labels if len(labels) == 2 else ()


def _groups_of(groups, splits, design):
    """Return the groups as integers, and whether one is on both sides of a split."""
    if groups is None:
        return None, False
    group_codes, labels = _groups.encode_groups(groups)
    if not _groups.has_repeated_groups(group_codes):
        return None, False
    _groups.warn_of_few_groups(group_codes)
    leak = _groups.find_leaking_group(splits, group_codes)
    if leak is not None:
        split, group = leak
        label = labels[[group]].tolist()[0]  # not numpy's, which shows its type
        warn(_groups.leak_message(design, split, label), GroupLeakWarning)
    return group_codes, leak is not None


def _draw_splits(cv, X, y, params, n_samples):
    """Return what the splitter yields, checked; its errors say that they are."""
    most = max(_arguments.MAX_SPLITS, n_samples)  # as many as leave-one-out needs
    if isinstance(cv, DesignedSplitter):  # which names what is wrong itself
        if cv.get_n_splits() > most:
            raise _arguments.too_many(most, cv.get_n_splits())
        # without labels of rows, of which it would warn again
        X = np.zeros((n_samples, 1))
        y = by_position(y)
        params = {name: by_position(values) for name, values in params.items()}
        splits = cv.split(X, y, **params)
    else:
        params = dict(params)
        if ignores_groups(cv):  # it would warn; groups are used, and a leak is told
            params.pop("groups", None)
        splits = _splits_of_others(cv, X, y, params)
    # as they are drawn
    return check_splits(_arguments.at_most(most, splits), n_samples)


def _splits_of_others(cv, X, y, params):
    """Yield the splits of a splitter that is not the package's; name it in errors."""
    try:
        yield from cv.split(X, y, **params)
    except Exception as error:
        error_class = ValueError
        if type(error) is TypeError:
            error_class = TypeError
        raised = f"{type(error).__name__}: {error}"
        allowed = "able to split these data"
        raise invalid("cv", allowed, cv, error_class, raised) from error
