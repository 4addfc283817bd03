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

FEWEST_SPLITS = 3
KNOWN = "something whose content can be known"
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
        arrays = zip(("X", "y", "groups"), check_lengths(X, y, groups), strict=True)
        # copies, which nobody else can change while the ledger is open
        data = {k: array if array is None else copy_rows(array) for k, array in arrays}
        self.seed = seed
        self.given = data | options
        usual = usual_estimator(as_target_array(data["y"]))
        self.splits = self._drawn(cv, reserve, usual)
        self._plan("shown", "first", usual)  # checks the loss before any proposal

    def _drawn(self, cv, reserve, usual):
        """Return the checked splits of each part."""
        y = by_position(self.given["y"])
        groups = by_position(self.given["groups"])
        rows = np.arange(n_rows(y))
        unseen = []
        if reserve:
            stratify = estimator_kind(usual) == "classifier"
            options = {"stratify": stratify, "random_state": self.seed}
            holdout = RepeatedSubsample(1, test_size=reserve, **options)
            ((rows, unseen),) = holdout.split(rows, y, groups)
            rows = np.sort(rows)
        y = take_rows(y, rows)
        groups = take_rows(groups, rows)
        cv = at_most_groups(10, groups) if cv is None else cv
        folds = resolve_cv(cv, {"": usual}, y, groups)
        if isinstance(cv, int | np.integer):
            folds.random_state = self.seed
        splits = check_splits(folds.split(rows, y, groups), len(rows))
        design = recognise_design(splits, len(rows))
        if design.kind != DesignKind.K_FOLD or len(splits) < FEWEST_SPLITS:
            allowed = f"a K-fold of at least {FEWEST_SPLITS} folds, not repeated"
            raise invalid_words("cv", allowed, str(design))
        n = n_shown_of(len(splits))
        splits = [(rows[train], rows[test]) for train, test in splits]
        return {"shown": splits[:n], "sealed": splits[n:], "reserve": [(rows, unseen)]}

    def described(self):
        """Return what the file of a ledger must agree with."""
        contents = {k: check_content(k, v, KNOWN, v) for k, v in self.given.items()}
        for part, splits in self.splits.items():
            contents[f"n_rows_{part}"] = sum(len(test) for _, test in splits)
        splits = [split for part in self.splits.values() for split in part]
        return contents | {"seed": self.seed, "cv": split_digest(splits)}

    def _plan(self, part, name, estimator):
        """Return the plan of the fits of an estimator on the folds of a part."""
        folds = self.splits[part]
        options = {"cv": folds, "design": design_of_folds(len(folds)), **self.given}
        # signs would tell of sealed rows
        plan = plan_fits({name: estimator}, check_threshold=False, **options)
        if len(plan.measures) != 1 or len(plan.data.score_params) != 1:
            raise invalid("scoring", "one score", self.given["scoring"])
        return plan

    def losses(self, part, name, estimator):
        """Return the CVLosses of an estimator on the folds of a part.

        What is raised by a fit, or a loss that is not finite, is raised here.
        """
        plan = self._plan(part, name, estimator)
        losses = run_plan(plan, error_score="raise", advance=lambda *n: None)
        if not np.isfinite(losses.losses).all():
            raise ValueError("its losses are not finite")
        return losses

    def look(self, name, estimator, level):
        """Return how good an estimator is on the reserve, trained on all others."""
        options = {"cv": self.splits["reserve"], "error_score": "raise", **self.given}
        return cross_val_interval({name: estimator}, confidence_level=level, **options)


def usual_estimator(y):
    """Return a simple estimator of the kind that y asks for."""
    from sklearn.dummy import DummyClassifier, DummyRegressor  # slow to import

    try:
        is_label = type_of_target(y, input_name="y") in ("binary", "multiclass")
        counts = np.unique(y, return_counts=True)[1]
    except TypeError:
        types = sorted({type(label).__name__ for label in np.ravel(y).tolist()})
        allowed = "labels of one type, or numbers"
        raise invalid_words("y", allowed, f"labels of {', '.join(types)}") from None
    is_label = is_label and counts.mean() >= FEWEST_ROWS and counts.min() > 1
    return DummyClassifier() if is_label else DummyRegressor()


def gains_of(champion, proposal):
    """Return the champion's losses minus the proposal's, as residuals."""
    if champion.loss_name != proposal.loss_name:
        raise TypeError(f"`estimator` has another loss, {proposal.loss_name!r}.")
    losses = np.hstack([champion.losses, proposal.losses])
    both = {"estimator_names": ("champion", "proposal"), "losses": losses}
    return replace(champion, **both).residuals(0, 1)


def ahead_of(champion, proposal, margin=0.0):
    """Return the mean gain beyond a margin, in standard errors."""
    residuals = gains_of(champion, proposal)
    gains = residuals.values
    groups = residuals.groups
    if groups is not None:  # a mean for each group
        groups = np.unique(groups, return_inverse=True)[1]
        gains = np.bincount(groups, gains) / np.bincount(groups)
    return float(standing(gains, margin))


def pvalue_of(champion, proposal, margin):
    """Return the one-sided p-value of the default test."""
    residuals = gains_of(champion, proposal)
    design = residuals.design
    per_example = residuals.per_example
    tests = choose_tests(None, design, per_example, 0.05, n_groups=residuals.n_groups)
    (test,) = tests.values()
    test.set_params(alternative="greater", popmean=margin)
    with keep_warnings():  # they would tell of the sealed rows
        return float(full_evaluation(test, residuals).pvalue)


def cloned(estimator):
    """Return the fingerprint of an estimator, and a clone."""
    try:
        (clone,) = name_estimators([estimator]).values()
    except TypeError as error:
        allowed = "a scikit-learn estimator that can be cloned"
        hint = f"({error})"
        raise invalid("estimator", allowed, estimator, TypeError, hint) from None
    return check_content("estimator", clone, KNOWN, clone), clone


def hashed(estimator):
    """Return hashes of the parameters of an estimator by name, and of its class."""
    values = {"estimator": type(estimator).__name__} | estimator.get_params()
    return {name: joblib.hash(repr(value)) for name, value in values.items()}
