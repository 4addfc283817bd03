"""cross_val_interval: how good a model is, and how sure that is."""

from dataclasses import dataclass

import numpy as np
from sklearn.base import clone

from .._compat import import_pandas
from .._display import draw_intervals
from .._engine._arguments import at_most_groups, name_estimators
from .._engine._plan import plan_fits
from .._engine._running import run_plan
from .._inference._choose_tests import choose_tests
from .._pairs._intervals import estimator_intervals, interval_test
from .._report._format import format_number, html_table, html_text, text_table
from .._report._text import wrap
from .._splits._groups import few_groups_note
from .._validation import check_level, invalid, one_line

__all__ = ["CrossValInterval", "cross_val_interval"]


@dataclass(frozen=True)
class CrossValInterval:
    """How good each of some models is, and how sure that is.

    Made by :func:`cross_val_interval`. Its `str` is a table and what it is about.

    Attributes
    ----------
    losses : dict of str to CVLosses
        The losses, or minus scores, by metric.
    intervals : dict of str to EstimatorIntervals
        Columns of estimates, standard errors and interval ends, by metric.
    confidence_level : float
        The level of the intervals.
    """

    losses: dict
    intervals: dict
    confidence_level: float

    @property
    def estimate_(self):
        """The mean loss or score: a float of one model and metric, else a dict.

        By model; of several metrics, by (metric, model).
        """
        return self._of_rows("estimate")

    @property
    def standard_error_(self):
        """Its standard error, as `estimate_`."""
        return self._of_rows("standard_error")

    @property
    def interval_(self):
        """Its interval, a tuple of two floats, as `estimate_`."""
        return self._of_rows("ci_low", "ci_high")

    def _of_rows(self, *columns):
        values = {
            (row["metric"], row["model"]): tuple(row[column] for column in columns)
            for row in self._rows()
        }
        if len(columns) == 1:
            values = {key: value for key, (value,) in values.items()}
        if len(values) == 1:
            return next(iter(values.values()))
        if len(self.losses) == 1:
            return {model: value for (_, model), value in values.items()}
        return values

    def _rows(self):
        return [
            {
                "model": name,
                "metric": metric,
                "estimate": float(found.estimate[column]),
                "standard_error": float(found.standard_error[column]),
                "ci_low": float(found.ci_low[column]),
                "ci_high": float(found.ci_high[column]),
                "n_train": self._n_train(metric),
            }
            for metric, found in self.intervals.items()
            for column, name in enumerate(found.names)
        ]

    def _n_train(self, metric):
        """Return the number of examples that what is estimated is trained on."""
        losses = self.losses[metric]
        if losses.design.kind == "nested k-fold":
            return losses.n_samples
        return int(np.round(losses.n_train[losses.design.full].mean()))

    def to_frame(self):
        """Return a pandas DataFrame with one row per metric and model.

        Returns
        -------
        frame : pandas.DataFrame
            Columns model, metric, estimate (loss or score, with the sign of the
            metric), standard_error, ci_low, ci_high and n_train, the mean number of
            examples trained on.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return import_pandas("CrossValInterval.to_frame").DataFrame(self._rows())

    def plot(self, *, ax=None, metric=None):
        """Plot the estimates with their intervals.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        metric : str, default=None
            Which metric; None: the first.

        Returns
        -------
        ax : matplotlib Axes
            The picture.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        if metric is None:
            metric = next(iter(self.intervals))
        if not isinstance(metric, str) or metric not in self.intervals:
            raise invalid("metric", f"one of {list(self.intervals)}", metric)
        found = self.intervals[metric]
        label = f"{_kind(self.losses[metric])} {metric}, {self._level()} interval"
        return draw_intervals(found, label, ax)

    def report(self):
        """Return sentences for a paper.

        Returns
        -------
        text : str
            The estimates, what they are about and whose variance was taken.
        """
        values = " ".join(
            f"{row['model']}: {row['metric']} {format_number(row['estimate'])} "
            f"({self._level()} interval [{format_number(row['ci_low'])}, "
            f"{format_number(row['ci_high'])}])."
            for row in self._rows()
        )
        return "\n".join(map(one_line, [values, *self._notes()]))

    def __str__(self):
        return "\n\n".join(
            [self._title(), text_table(*self._table()), *map(wrap, self._notes())]
        )

    def __repr__(self):
        return f"<CrossValInterval of {self._title()}>"

    def _repr_html_(self):
        notes = "".join(f"<p>{html_text(note)}</p>" for note in self._notes())
        return f"<p>{html_text(self._title())}</p>{html_table(*self._table())}{notes}"

    def _title(self):
        losses = next(iter(self.losses.values()))
        n_models = len(losses.estimator_names)
        models = "1 model" if n_models == 1 else f"{n_models} models"
        return f"{models} on {losses.n_samples} examples, {losses.design}"

    def _level(self):
        return f"{100 * self.confidence_level:g}%"

    def _table(self):
        headers = ["model", "metric", "estimate", "standard error"]
        headers += [f"{self._level()} interval", "trained on"]
        rows = [
            [
                row["model"],
                f"{_kind(self.losses[row['metric']])} {row['metric']}",
                format_number(row["estimate"]),
                format_number(row["standard_error"], 3),
                f"[{format_number(row['ci_low'])}, {format_number(row['ci_high'])}]",
                str(row["n_train"]),
            ]
            for row in self._rows()
        ]
        return headers, rows, "<<>>>>"

    def _notes(self):
        """Return what the intervals are about, and whose variance they take."""
        by_test = {}
        for metric, found in self.intervals.items():
            by_test.setdefault(type(found.test), (found.test, []))[1].append(metric)
        notes = []
        for test, metrics in by_test.values():
            n_train = self._n_train(metrics[0])
            about = f"the algorithm trained on {n_train} examples, on data like these"
            if test.traits.concerns != "algorithms":
                about = (
                    f"these fits, of {n_train} examples, on data like these; other "
                    "training sets would give other fits"
                )
            of = f" ({', '.join(metrics)})" if len(by_test) > 1 else ""
            notes.append(f"The intervals{of} are about {about}.")
            name = _without_level(test)
            note = f"They are those of {name}: {test.traits.title}. "
            note += test.traits.interval_note
            notes.append(note.strip())
        n_groups = next(iter(self.losses.values())).n_groups
        return notes + [note for note in (few_groups_note(n_groups),) if note]


def _without_level(test):
    """Return a test whose text does not show its level, which the intervals' is."""
    shown = clone(test)
    shown.alpha = 0.05
    return shown


def _kind(losses):
    return "score" if losses.is_score else "loss"


def cross_val_interval(
    estimators,
    X,
    y=None,
    *,
    scoring=None,
    loss="auto",
    cv=None,
    confidence_level=0.95,
    test=None,
    groups=None,
    params=None,
    score_params=None,
    n_jobs=None,
    verbose=0,
    pre_dispatch="2*n_jobs",
    error_score=np.nan,
    memory=None,
    progress=False,
):
    """Estimate how good a model is, with an interval, by cross-validation.

    Parameters
    ----------
    estimators : estimator, list or dict
        One estimator or several, as in :func:`cross_val_losses`.
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), default=None
        The target.
    scoring : str, callable, list or dict, default=None
        One or several scikit-learn scorers in place of `loss`, such as "roc_auc", as
        in :func:`cross_val_losses`. Estimates have their sign, where greater is better.
    loss : str, Loss or callable, default="auto"
        As in :func:`cross_val_losses`: smaller is better.
    cv : int, splitter, iterable of (train, test), or None, default=None
        None means 10-fold, stratified for classifiers if that is possible, or as many
        folds as there are groups;
        :class:`NestedKFold` gives the estimate for all n examples.
    confidence_level : float, default=0.95
        Level of the intervals, in (0, 1).
    test : test, default=None
        Whose interval it is. None: for a K-fold :class:`IntegratedRhoTest` with
        `rho_max=0.6` if there are values of examples, which ones of one model rarely
        exceed, else :class:`CorrectedResampledTTest`; the default test of other
        designs.
    groups : array-like of shape (n_samples,), default=None
        Label of the group of each example, as in :func:`cross_val_losses`.
    params, score_params : dict, default=None
        As in :func:`cross_val_losses`.
    n_jobs, verbose, pre_dispatch, error_score, memory, progress : object
        As in :func:`cross_val_losses`.

    Returns
    -------
    interval : CrossValInterval
        Estimates, standard errors and intervals.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or no test has an interval for the design.

    Warns
    -----
    FewExamplesWarning
        If a test set has too few examples of a class for values per example.
    FitFailedWarning
        If some fits fail and `error_score` is a number.

    See Also
    --------
    compare_estimators : Whether one is better than another.

    Notes
    -----
    The interval of the test is carried over to the scale on which the metric has no
    bounds (logit or logarithm, by the delta method), so that it stays within the range
    of the metric. A model without any error gets that of Clopper and Pearson [1]_.
    How often 95% intervals hold the truth was measured where it is known (see
    docs/calibration.md): 96% in the mean; 98% and more where ρ is near 0, that is,
    where another training set hardly matters; 93 to 97% mostly where it is 0.1 to 0.45;
    79 to 93% above that, as for trees with a few hundred examples, or F1 of a rule that
    is not made for it. Intervals of two models may overlap although one is
    significantly better: compare them by :func:`compare_estimators`.

    References
    ----------
    .. [1] C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits
       illustrated in the case of the binomial", Biometrika 26, 404-413, 1934.
       :doi:`10.1093/biomet/26.4.404`

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn_cvtest import cross_val_interval
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> result = cross_val_interval(GaussianNB(), X, y, scoring="roc_auc")
    >>> print([round(end, 3) for end in result.interval_])
    [0.976, 0.994]
    """
    level = check_level("confidence_level", confidence_level)
    if isinstance(test, (list, tuple, dict)):
        raise invalid("test", "one test or None", test, TypeError)
    plan = plan_fits(
        name_estimators(estimators),
        X,
        y,
        groups=groups,
        cv=at_most_groups(10, groups) if cv is None else cv,
        loss=loss,
        scoring=scoring,
        params=params,
        score_params=score_params,
    )
    tests = [_choose(test, plan, measure, 1 - level) for measure in plan.measures]
    losses = run_plan(
        plan,
        n_jobs=n_jobs,
        verbose=verbose,
        pre_dispatch=pre_dispatch,
        error_score=error_score,
        memory=memory,
        return_estimator=False,
        progress=progress,
    )
    if not isinstance(losses, dict):
        losses = {losses.loss_name: losses}
    if len(tests) == 1:  # of a callable that returned several scores
        tests = tests * len(losses)
    intervals = {
        metric: estimator_intervals(of_metric, 1 - level, its_test)
        for (metric, of_metric), its_test in zip(losses.items(), tests, strict=True)
    }
    return CrossValInterval(losses, intervals, level)


def _choose(test, plan, measure, alpha):
    """Return the checked test of one measure."""
    per_example = plan.has_examples(measure)
    if test is None:
        test = interval_test(
            plan.design, per_example, plan.n_groups, measure.value_range
        )
    (test,) = choose_tests(
        test, plan.design, per_example, alpha, n_groups=plan.n_groups
    ).values()
    return test
