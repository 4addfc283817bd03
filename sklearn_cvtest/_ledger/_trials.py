"""The rows and splits of a ledger, and what is fitted on them."""

from dataclasses import replace

import joblib
import numpy as np
from sklearn.utils.multiclass import type_of_target

from .._compat import copy_rows, estimator_kind, n_rows, take_rows
from .._engine._arguments import at_most_groups, name_estimators, resolve_cv
from .._engine._plan import plan_fits
from .._engine._running import run_plan
from .._inference._choose_tests import choose_tests
from .._inference._zero_variance import full_evaluation
from .._interval._cross_val_interval import cross_val_interval
from .._losses._formulas import as_target_array
from .._row_labels import by_position, warn_of_another_order
from .._splits._design import DesignKind, design_of_folds
from .._splits._groups import check_lengths
from .._splits._indices import check_splits, recognise_design, split_digest
from .._splits._subsample import RepeatedSubsample
from .._store._fingerprint import check_content
from .._validation import invalid, invalid_words, keep_warnings
from ._log import n_shown_of, standing

FEWEST_SPLITS = 3  # of which one is shown and two are sealed
HASHABLE = "something whose content can be known"
FEWEST_ROWS = 5  # of a label, in the mean; otherwise labels are numbers


class Trials:
    """Rows, and their splits: those that are shown, those sealed, and the reserve.

    Parameters
    ----------
    X, y, groups : object
        The data.
    seed : int
        Seed of reserve and splits.
    cv : int, splitter or None
        As :class:`Ledger` takes it.
    reserve : float
        Share of the rows (or groups) that are in no other split.
    **options : dict
        `loss` and `scoring`, as :func:`cross_val_losses` takes them.
    """

    def __init__(self, X, y, groups, *, seed, cv, reserve, **options):
        if y is None:
            raise invalid("y", "the target", y, TypeError)
        warn_of_another_order({"X": X, "y": y, "groups": groups})
        X, y, groups = check_lengths(X, y, groups)
        # copies, which nobody else can change while the ledger is open
        X = copy_rows(X)
        y = copy_rows(y)
        if groups is not None:
            groups = copy_rows(groups)
        self.seed = seed
        self.arguments = {"X": X, "y": y, "groups": groups} | options
        usual = usual_estimator(as_target_array(y))
        self.splits = self._draw_splits(cv, reserve, usual)
        self._plan("shown", "first", usual)  # checks the loss before any proposal

    def _draw_splits(self, cv, reserve, usual):
        """Return the splits of each part, {part: list of (train, test)}."""
        all_y = by_position(self.arguments["y"])
        all_groups = by_position(self.arguments["groups"])
        rows, reserved_rows = self._draw_reserve(reserve, all_y, all_groups, usual)
        y = take_rows(all_y, rows)
        groups = take_rows(all_groups, rows)
        if cv is None:
            cv = at_most_groups(10, groups)
        folds = resolve_cv(cv, {"": usual}, y, groups)
        if isinstance(cv, int | np.integer):
            folds.random_state = self.seed
        splits = check_splits(folds.split(rows, y, groups), len(rows))
        design = recognise_design(splits, len(rows))
        if design.kind != DesignKind.K_FOLD or len(splits) < FEWEST_SPLITS:
            allowed = f"a K-fold of at least {FEWEST_SPLITS} folds, not repeated"
            raise invalid_words("cv", allowed, str(design))
        # folds number the rows that are not reserved; the data number all rows
        splits_of_data = [(rows[train], rows[test]) for train, test in splits]
        n_shown = n_shown_of(len(splits))
        return {
            "shown": splits_of_data[:n_shown],
            "sealed": splits_of_data[n_shown:],
            "reserve": [(rows, reserved_rows)],
        }

    def _draw_reserve(self, share, y, groups, usual):
        """Return the rows that proposals may use, and the rows that are reserved."""
        all_rows = np.arange(n_rows(y))
        if not share:
            return all_rows, all_rows[:0]
        holdout = RepeatedSubsample(
            1,
            test_size=share,
            stratify=estimator_kind(usual) == "classifier",
            random_state=self.seed,
        )
        rows, reserved_rows = next(iter(holdout.split(all_rows, y, groups)))
        return np.sort(rows), reserved_rows

    def settings(self):
        """Return what the file of a ledger must agree with."""
        settings = {}
        for name, value in self.arguments.items():
            settings[name] = check_content(name, value, HASHABLE, value)
        all_splits = []
        for part, splits in self.splits.items():
            settings[f"n_rows_{part}"] = sum(len(test) for _, test in splits)
            all_splits += splits
        settings["seed"] = self.seed
        settings["cv"] = split_digest(all_splits)
        return settings

    def _plan(self, part, name, estimator):
        """Return the plan of the fits of an estimator on the folds of a part."""
        folds = self.splits[part]
        plan = plan_fits(
            {name: estimator},
            cv=folds,
            design=design_of_folds(len(folds)),
            diagnostics=False,  # its warnings would tell of sealed rows
            **self.arguments,
        )
        if len(plan.measures) != 1 or len(plan.data.score_params) != 1:
            raise invalid("scoring", "one score", self.arguments["scoring"])
        return plan

    def losses(self, part, name, estimator):
        """Return the CVLosses of an estimator on the folds of a part.

        What is raised by a fit, or a loss that is not finite, is raised here.
        """
        plan = self._plan(part, name, estimator)
        losses = run_plan(plan, error_score="raise", advance=_show_no_progress)
        if not np.isfinite(losses.losses).all():
            raise ValueError("its losses are not finite")
        return losses

    def look(self, name, estimator, level):
        """Return how good an estimator is on the reserve, trained on all other rows."""
        return cross_val_interval(
            {name: estimator},
            cv=self.splits["reserve"],
            error_score="raise",
            confidence_level=level,
            **self.arguments,
        )


def _show_no_progress(*counts):
    """Take the counts of a progress bar, and show none."""


def usual_estimator(y):
    """Return a simple estimator of the kind that y asks for."""
    from sklearn.dummy import DummyClassifier, DummyRegressor  # slow to import

    try:
        target_type = type_of_target(y, input_name="y")
        _, counts = np.unique(y, return_counts=True)
    except TypeError:
        types = sorted({type(label).__name__ for label in np.ravel(y).tolist()})
        allowed = "labels of one type, or numbers"
        raise invalid_words("y", allowed, f"labels of {', '.join(types)}") from None
    are_labels = target_type in ("binary", "multiclass")
    if are_labels and counts.mean() >= FEWEST_ROWS and counts.min() > 1:
        return DummyClassifier()
    return DummyRegressor()


def gains_of(champion, proposal):
    """Return the champion's losses minus the proposal's, as residuals."""
    if champion.loss_name != proposal.loss_name:
        raise TypeError(f"`estimator` has another loss, {proposal.loss_name!r}.")
    both = replace(
        champion,
        estimator_names=("champion", "proposal"),
        losses=np.hstack([champion.losses, proposal.losses]),
    )
    return both.residuals(0, 1)


def ahead_of(champion, proposal, margin=0.0):
    """Return the mean gain beyond a margin, in standard errors."""
    residuals = gains_of(champion, proposal)
    gains = residuals.values
    if residuals.groups is not None:
        _, group = np.unique(residuals.groups, return_inverse=True)
        sums = np.bincount(group, weights=gains)
        gains = sums / np.bincount(group)  # the mean gain of each group
    return float(standing(gains, margin))


def pvalue_of(champion, proposal, margin):
    """Return the one-sided p-value of the default test."""
    residuals = gains_of(champion, proposal)
    tests = choose_tests(
        None,
        residuals.design,
        residuals.per_example,
        0.05,  # the level; only the p-value is read
        n_groups=residuals.n_groups,
    )
    (test,) = tests.values()
    test.set_params(alternative="greater", popmean=margin)
    with keep_warnings():  # they would tell of the sealed rows
        return float(full_evaluation(test, residuals).pvalue)


def key_and_clone(estimator):
    """Return the fingerprint of an estimator, and a clone."""
    try:
        (clone,) = name_estimators([estimator]).values()
    except TypeError as error:
        allowed = "a scikit-learn estimator that can be cloned"
        hint = f"({error})"
        raise invalid("estimator", allowed, estimator, TypeError, hint) from None
    key = check_content("estimator", clone, HASHABLE, clone)
    return key, clone


def hashes_of_params(estimator):
    """Return hashes of the parameters of an estimator by name, and of its class."""
    values = {"estimator": type(estimator).__name__} | estimator.get_params()
    return {name: joblib.hash(repr(value)) for name, value in values.items()}
