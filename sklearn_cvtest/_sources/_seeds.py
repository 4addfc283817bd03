"""Estimators fitted with several seeds on one split: their seeds are runs."""

from dataclasses import replace

import numpy as np
from sklearn.base import clone

from .._engine._arguments import name_estimators
from .._splits._design import Design
from .._validation import check_integer, invalid, invalid_words

MOST_SEEDS = 10_000  # each is a fit


class Seeds:
    """Each estimator with the seeds 0, 1, ..., fitted as if they were estimators.

    Parameters
    ----------
    estimators : list or dict
        The estimators. One without a parameter `random_state` is fitted once.
    n_seeds : int
        Number of seeds.

    Attributes
    ----------
    estimators : dict of str to estimator
        What is to be fitted.
    names : list of str
        The estimators without seeds.
    """

    def __init__(self, estimators, n_seeds):
        self.n_seeds = check_integer("n_seeds", n_seeds, 2, MOST_SEEDS)
        self.estimators, self._columns = {}, {}
        for name, estimator in name_estimators(estimators).items():
            seeds = range(self.n_seeds) if _random_states(estimator) else range(1)
            made = {
                f"{name}, seed {seed}" if len(seeds) > 1 else name: seed
                for seed in seeds
            }
            first = len(self.estimators)
            self._columns[name] = first + np.arange(self.n_seeds) % len(seeds)
            self.estimators |= {
                label: with_seed(estimator, seed) for label, seed in made.items()
            }
        if len(self.estimators) == len(self._columns):
            shown = f"{n_seeds} of estimators without a random_state"
            raise invalid_words("n_seeds", "None", shown)

    @property
    def names(self):
        """The estimators, as they were named."""
        return list(self._columns)

    def tests(self, question, plan):
        """Return the tests of each measure, a list of dicts."""
        if plan.design.kind != "holdout":
            hint = (
                "Where every split has another seed, a comparison is about new seeds "
                "already."
            )
            raise invalid(
                "n_seeds", "None with several splits", self.n_seeds, hint=hint
            )
        return question.tests_of_plan(plan, Design("crossed", self.n_seeds))

    def as_runs(self, losses):
        """Return losses of one split with a column for each estimator, by run."""
        if isinstance(losses, dict):
            return {name: self.as_runs(of_metric) for name, of_metric in losses.items()}
        columns = np.array(list(self._columns.values())).T  # (n_seeds, k)
        n_rows = len(losses.losses)
        by_run = np.moveaxis(losses.losses[:, columns], 1, 0)
        tiled = {
            field: _tiled(getattr(losses, field), self.n_seeds)
            for field in ("row_index", "groups", "n_train", "n_test")
        }
        fits = {
            field: getattr(losses, field)[0][columns]
            for field in ("fit_time", "score_time", "fit_failed")
        }
        return replace(
            losses,
            **tiled,
            **fits,
            estimator_names=tuple(self.names),
            losses=by_run.reshape(-1, len(self.names)),
            row_split=np.repeat(np.arange(self.n_seeds), n_rows),
            design=Design("crossed", self.n_seeds),
            estimators=self._of_versions(losses.estimators),
            errors=self._first_errors(losses.errors),
        )

    def _of_versions(self, fitted):
        """Return the fitted estimators of each name, one for each run."""
        if fitted is None:
            return None
        versions = list(self.estimators)
        return {
            name: [fitted[versions[column]][0] for column in columns]
            for name, columns in self._columns.items()
        }

    def _first_errors(self, errors):
        """Return why the first fit of each name that failed did."""
        if not errors:
            return None
        versions = list(self.estimators)
        found = {}
        for name, columns in self._columns.items():
            failed = [versions[c] for c in columns if versions[c] in errors]
            found |= {name: errors[failed[0]]} if failed else {}
        return found


def _tiled(values, count):
    return None if values is None else np.tile(values, count)


def _random_states(estimator):
    """Return the names of the parameters that are seeds, also of nested estimators."""
    names = estimator.get_params(deep=True)
    return [name for name in names if name.split("__")[-1] == "random_state"]


def with_seed(estimator, seed):
    """Return a clone with the seed, also of nested estimators."""
    made = clone(estimator)
    return made.set_params(**dict.fromkeys(_random_states(made), seed))
