"""The rows and splits of a ledger, and the fits of a proposal on some of them."""

from dataclasses import replace

import numpy as np
from sklearn.utils.multiclass import type_of_target

from .._compat import copy_rows, estimator_kind, n_rows, take_rows
from .._data._residuals import CVResiduals
from .._engine._arguments import at_most_groups, resolve_cv
from .._engine._plan import plan_fits
from .._engine._running import run_plan
from .._engine._workers import is_serial
from .._inference._choose_tests import choose_tests
from .._losses._formulas import as_target_array
from .._splits._design import design_of_folds
from .._splits._groups import check_lengths, encode_groups
from .._splits._indices import check_splits, recognise_design
from .._splits._subsample import RepeatedSubsample
from .._validation import invalid, invalid_words
from ._rule import is_promising, n_shown_of

FEWEST_SPLITS = 3
MOST_LABELS = 5  # examples of each label, in the mean; otherwise they are numbers


class Trials:
    """Open rows and their splits, of which the first are shown and others sealed.

    Parameters
    ----------
    X, y, groups : object
        The data.
    cv : int, splitter or None
        As :class:`Ledger` takes it.
    reserve : float
        Share of the rows (or groups) that are in no split.
    random_state : int
        Seed of both.
    loss, scoring : object
        As :func:`cross_val_losses` takes them.
    """

    def __init__(self, X, y, groups, *, cv, reserve, random_state, loss, scoring):
        X, y, groups = check_lengths(X, y, groups)
        if y is None:
            raise invalid("y", "the target", y, TypeError)
        # copies, which nobody else can change while the ledger is open
        self.whole = tuple(p if p is None else copy_rows(p) for p in (X, y, groups))
        X, y, groups = self.whole
        self.open, self.reserve = np.arange(n_rows(X)), np.arange(0)
        labels = as_target_array(y)
        kind = usual_estimator(labels)
        if reserve:
            by_class = estimator_kind(kind) == "classifier"
            drawn = RepeatedSubsample(
                1, test_size=reserve, stratify=by_class, random_state=random_state
            )
            labels = labels if by_class else None
            try:
                (split,) = drawn.split(self.open, labels, groups)
            except ValueError as error:
                allowed = "a share that leaves rows in the reserve and others"
                raise invalid("reserve", allowed, reserve, hint=str(error)) from None
            self.open, self.reserve = split
            self.open = np.sort(self.open)
        self.parts = [take_rows(part, self.open) for part in self.whole]
        self.options = {"loss": loss, "scoring": scoring}
        self.splits = self._draw(cv, kind, random_state)
        self.plan("first", kind)  # checks the loss, before there is a proposal
        self.n_shown = n_shown_of(len(self.splits))
        self.shown = list(range(self.n_shown))
        self.sealed = list(range(self.n_shown, len(self.splits)))

    def _draw(self, cv, kind, random_state):
        """Return the checked splits of the open rows."""
        X, y, groups = self.parts
        if cv is not None and not isinstance(cv, int) and not hasattr(cv, "split"):
            allowed = "an integer, a splitter or None"
            raise invalid("cv", allowed, cv, TypeError)
        is_own = not hasattr(cv, "split")
        cv = at_most_groups(10, groups) if cv is None else cv
        cv = resolve_cv(cv, {"": kind}, y, groups)
        if is_own:
            cv.random_state = random_state
        rows = np.arange(n_rows(X))
        of_groups = {} if groups is None else {"groups": groups}
        splits = check_splits(cv.split(rows, y, **of_groups), len(rows))
        design = recognise_design(splits, len(rows))
        if design.kind != "k-fold" or len(splits) < FEWEST_SPLITS:
            allowed = f"a K-fold of at least {FEWEST_SPLITS} folds, not repeated"
            raise invalid_words("cv", allowed, str(design))
        return splits

    def plan(self, name, estimator):
        """Return the plan of the fits of a proposal on all splits."""
        X, y, groups = self.parts
        plan = plan_fits(
            {name: estimator},
            X,
            y,
            groups=groups,
            cv=len(self.splits),
            splits=self.splits,
            design=design_of_folds(len(self.splits)),
            check_threshold=False,  # which would tell of scores that are not shown
            **self.options,
        )
        if len(plan.measures) != 1 or len(plan.data.score_params) != 1:
            raise invalid("scoring", "one score", self.options["scoring"])
        return plan

    def fit(self, plan, numbers, n_jobs):
        """Yield the number of a split and the losses of the proposal on it.

        What is raised by a fit, or a loss that is not finite, is raised here.
        """
        parts = [[number] for number in numbers]
        if not is_serial(n_jobs):
            parts = [numbers] if numbers else []
        for part in parts:
            splits = [plan.splits[number] for number in part]
            found = run_plan(
                replace(plan, splits=splits),
                n_jobs=n_jobs,
                error_score="raise",
                advance=lambda *n: None,
            )
            for place, number in enumerate(part):
                values = found.losses[found.row_split == place, 0]
                if not np.isfinite(values).all():
                    raise ValueError("its losses are not finite")
                yield number, values

    def shown_mean(self, fits):
        """Return the mean loss on the shown splits."""
        return float(np.mean([fits[number].mean() for number in self.shown]))

    def looks_better(self, champion, proposal, margin):
        """Whether the proposal is worth fits on sealed rows, by the shown ones."""
        gains = gains_of(champion, proposal, self.shown)
        codes = self._codes(self.shown, len(gains))
        if codes is not None:
            codes = np.unique(codes, return_inverse=True)[1]
            gains = np.bincount(codes, gains) / np.bincount(codes)
        return bool(is_promising(gains, margin))

    def pvalue(self, champion, proposal, margin):
        """Return the one-sided p-value on the sealed rows."""
        splits = [self.splits[number] for number in self.sealed]
        gains = gains_of(champion, proposal, self.sealed)
        sizes = [len(champion[number]) for number in self.sealed]
        n_test = np.array([len(test) for _, test in splits])
        per_example = sum(sizes) > len(sizes)
        codes = self._codes(self.sealed, len(gains))
        residuals = CVResiduals(
            values=gains,
            row_split=np.repeat(np.arange(len(splits)), sizes),
            n_train=np.array([len(train) for train, _ in splits]),
            n_test=n_test,
            n_samples=int(n_test.sum()),
            design=design_of_folds(len(splits)),
            names=("champion", "proposal"),
            per_example=per_example,
            groups=codes,
        )
        options = {"n_groups": residuals.n_groups}
        tests = choose_tests(None, residuals.design, per_example, 0.05, **options)
        (test,) = tests.values()
        test.set_params(alternative="greater", popmean=margin)
        return float(test.evaluate(residuals).pvalue)

    def _codes(self, numbers, n_values):
        """Return the group of each value of splits, None without groups."""
        rows = np.concatenate([self.splits[number][1] for number in numbers])
        if self.parts[2] is None or len(rows) != n_values:
            return None
        codes = encode_groups(self.parts[2])[0][rows]
        return None if np.bincount(codes).max() == 1 else codes


def usual_estimator(y):
    """Return an estimator of the kind that y asks for, of labels or of numbers."""
    is_label = type_of_target(y, input_name="y") in ("binary", "multiclass")
    are_few = is_label and MOST_LABELS * len(np.unique(y)) <= len(y)
    from sklearn.dummy import DummyRegressor
    from sklearn.linear_model import LogisticRegression  # slow to import

    return LogisticRegression() if are_few else DummyRegressor()


def gains_of(champion, proposal, numbers):
    """Return the champion's losses minus the proposal's, on some splits."""
    return np.concatenate([champion[k] - proposal[k] for k in numbers])
