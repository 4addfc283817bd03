"""The rows and splits of a ledger, and what is fitted on them."""

import warnings
from dataclasses import replace

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.multiclass import type_of_target

from .._compat import copy_rows, n_rows, take_rows
from .._data._residuals import CVResiduals
from .._engine._arguments import at_most_groups, resolve_cv
from .._engine._plan import plan_fits
from .._engine._running import run_plan
from .._engine._workers import is_serial
from .._inference._choose_tests import choose_tests
from .._losses._formulas import as_target_array
from .._results._cross_val_interval import cross_val_interval
from .._splits._design import design_of_folds
from .._splits._groups import check_lengths, encode_groups, warn_of_another_order
from .._splits._indices import check_splits, recognise_design, split_digest
from .._splits._subsample import RepeatedSubsample
from .._validation import invalid, invalid_words
from ._proposals import known_content
from ._rule import n_shown_of, standing

FEWEST_SPLITS = 3
ROUNDING = 1e-12  # of losses, which is no difference
MOST_LABELS = 5  # examples of each label, in the mean; otherwise they are numbers


class Trials:
    """Open rows and their splits, of which the first are shown and others sealed.

    Parameters
    ----------
    X, y, groups : object
        The data.
    seed : int
        Seed of reserve and splits.
    cv : int, splitter or None
        As :class:`Ledger` takes it.
    reserve : float
        Share of the rows (or groups) that are in no split.
    **options : dict
        `loss` and `scoring`, as :func:`cross_val_losses` takes them.
    """

    def __init__(self, X, y, groups, *, seed, cv, reserve, **options):
        if y is None:
            raise invalid("y", "the target", y, TypeError)
        warn_of_another_order({"X": X, "y": y, "groups": groups})
        # copies, which nobody else can change while the ledger is open
        given = check_lengths(X, y, groups)
        self.whole = [part if part is None else copy_rows(part) for part in given]
        self.seed, self.options, model = seed, options, usual_estimator(y)
        self.open, self.reserve = np.arange(n_rows(X)), []
        if reserve:
            of_labels = y if is_classifier(model) else None
            options = {"stratify": of_labels is not None, "random_state": seed}
            drawn = RepeatedSubsample(1, test_size=reserve, **options)
            try:
                ((rows, self.reserve),) = drawn.split(self.open, of_labels, groups)
            except ValueError as error:
                allowed = "a share that leaves rows in the reserve and others"
                raise invalid("reserve", allowed, reserve, hint=str(error)) from None
            self.open = np.sort(rows)
        self.parts = [take_rows(part, self.open) for part in self.whole]
        self.splits = self._draw(cv, model)
        self._plan("first", model)  # checks the loss, before there is a proposal
        numbers, n_shown = list(range(len(self.splits))), n_shown_of(len(self.splits))
        self.shown, self.sealed = numbers[:n_shown], numbers[n_shown:]

    def _draw(self, cv, model):
        """Return the checked splits of the open rows."""
        (_, y, groups), is_own = self.parts, not hasattr(cv, "split")
        if is_own and not isinstance(cv, int | None):
            raise invalid("cv", "an integer, a splitter or None", cv, TypeError)
        cv = at_most_groups(10, groups) if cv is None else cv
        cv = resolve_cv(cv, {"": model}, y, groups)
        if is_own:
            cv.random_state = self.seed
        of_groups = {} if groups is None else {"groups": groups}
        splits = cv.split(np.arange(len(self.open)), y, **of_groups)
        splits = check_splits(splits, len(self.open))
        design = recognise_design(splits, len(self.open))
        if design.kind != "k-fold" or len(splits) < FEWEST_SPLITS:
            allowed = f"a K-fold of at least {FEWEST_SPLITS} folds, not repeated"
            raise invalid_words("cv", allowed, str(design))
        return splits

    def described(self):
        """Return what the file of a ledger must agree with."""
        n_tested = [len(test) for _, test in self.splits]
        n_shown = sum(n_tested[: len(self.shown)])
        data = zip(("X", "y", "groups"), self.whole, strict=True)
        return {
            name: known_content(name, value) for name, value in [*data, *self._asked()]
        } | {
            "cv": split_digest([(self.open, self.reserve), *self.splits]),
            "n_splits": len(self.splits),
            "n_shown": len(self.shown),
            "n_rows": [n_shown, sum(n_tested) - n_shown, len(self.reserve)],
        }

    def _asked(self):
        return [(k, v) for k, v in self.options.items() if v is not None]

    def _plan(self, name, estimator):
        """Return the plan of the fits of a proposal on all splits."""
        X, y, groups = self.parts
        n_splits = len(self.splits)
        folds = {"splits": self.splits, "design": design_of_folds(n_splits)}
        folds |= {"groups": groups, "cv": n_splits, **self.options}
        # signs would tell of scores that are sealed
        plan = plan_fits({name: estimator}, X, y, check_threshold=False, **folds)
        if len(plan.measures) != 1 or len(plan.data.score_params) != 1:
            raise invalid("scoring", "one score", self.options["scoring"])
        return plan

    def losses(self, name, estimator, numbers, n_jobs):
        """Yield the number of a split, the losses on it, and what they are.

        What is raised by a fit, or a loss that is not finite, is raised here.
        """
        plan = self._plan(name, estimator)
        measure = plan.measures[0].name, bool(plan.measures[0].is_score)
        options = {"error_score": "raise", "advance": lambda *n: None}
        for part in [[n] for n in numbers] if is_serial(n_jobs) else [numbers]:
            some = replace(plan, splits=[plan.splits[number] for number in part])
            found = run_plan(some, n_jobs=n_jobs, **options)
            for place, number in enumerate(part):
                values = found.losses[found.row_split == place, 0]
                if not np.isfinite(values).all():
                    raise ValueError("its losses are not finite")
                yield number, values, measure

    def shown_mean(self, fits):
        """Return the mean loss on the shown splits."""
        return float(np.mean([fits[number].mean() for number in self.shown]))

    def ahead(self, champion, proposal, margin=0.0):
        """Return the gain on shown rows beyond a margin, in standard errors."""
        gains, codes = self._gains(champion, proposal, self.shown)
        if codes is not None:  # a mean for each group
            codes = np.unique(codes, return_inverse=True)[1]
            gains = np.bincount(codes, gains) / np.bincount(codes)
        return float(standing(gains, margin))

    def pvalue(self, champion, proposal, margin):
        """Return the one-sided p-value on the sealed rows."""
        gains, codes = self._gains(champion, proposal, self.sealed)
        sizes = [len(champion[number]) for number in self.sealed]
        splits = [self.splits[number] for number in self.sealed]
        n_train, n_test = np.transpose([list(map(len, split)) for split in splits])
        residuals = CVResiduals(
            values=gains,
            row_split=np.repeat(np.arange(len(splits)), sizes),
            n_train=n_train,
            n_test=n_test,
            n_samples=int(n_test.sum()),
            design=design_of_folds(len(splits)),
            names=("champion", "proposal"),
            per_example=sum(sizes) > len(sizes),
            groups=codes,
        )
        asked = residuals.design, residuals.per_example, 0.05
        (test,) = choose_tests(None, *asked, n_groups=residuals.n_groups).values()
        test.set_params(alternative="greater", popmean=margin)
        with warnings.catch_warnings():  # they would tell of the sealed rows
            warnings.simplefilter("ignore")
            return float(test.evaluate(residuals).pvalue)

    def _gains(self, champion, proposal, numbers):
        """Return the champion's losses minus the proposal's, and groups or None."""
        old, new = (
            np.concatenate([f[n] for n in numbers]) for f in (champion, proposal)
        )
        least = ROUNDING * np.maximum(np.abs(old), np.abs(new))
        gains = np.where(np.abs(old - new) <= least, 0.0, old - new)
        rows = np.concatenate([self.splits[number][1] for number in numbers])
        if self.parts[2] is None or len(rows) != len(gains):
            return gains, None
        codes = encode_groups(self.parts[2])[0][rows]
        return gains, None if np.bincount(codes).max() == 1 else codes

    def look(self, name, estimator, level):
        """Return how good an estimator is on the reserve, trained on all others."""
        X, y, groups = self.whole
        options = {"confidence_level": level, "error_score": "raise", **self.options}
        options |= {"groups": groups, "cv": [(self.open, self.reserve)]}
        return cross_val_interval({name: estimator}, X, y, **options)


def usual_estimator(y):
    """Return a simple estimator of the kind that y asks for."""
    from sklearn.dummy import DummyClassifier, DummyRegressor  # slow to import

    y = as_target_array(y)
    is_label = type_of_target(y, input_name="y") in ("binary", "multiclass")
    is_class = is_label and MOST_LABELS * len(np.unique(y)) <= len(y)
    return DummyClassifier() if is_class else DummyRegressor()
