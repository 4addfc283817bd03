"""DatasetComparison: differences between estimators over many data sets."""

from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from .._compat import import_pandas
from .._data._cvlosses import CVLosses
from .._data._files import damaged, load_arrays, save_arrays
from .._data._read_only import ReadOnlyArrays
from .._inference._choice import choose_pairs, decode_test, encode_test
from .._inference._hierarchical import (
    next_dataset_probabilities,
    sample_hierarchical,
    signed_rank_probabilities,
)
from .._inference._multiplicity import adjust_pvalues
from .._inference._ranks import (
    average_ranks,
    critical_difference,
    friedman,
    nemenyi_pvalues,
    wilcoxon_holm_pvalues,
)
from .._inference._scale_free import (
    log_ratio_residuals,
    logit_residuals,
    relative_residuals,
)
from .._inference._synthesis import (
    Synthesis,
    prediction_interval,
    synthesis_interval,
    synthesis_pvalue,
    synthesise,
)
from .._pairs._table import pair_table
from .._report._datasets import (
    datasets_html,
    datasets_latex,
    datasets_page,
    datasets_report,
    datasets_text,
    ranks_html,
    ranks_text,
    wins_table_text,
)
from .._report._html import write_page
from .._validation import (
    check_option,
    check_path,
    check_real,
    invalid,
    invalid_words,
    warn,
)
from ._base import displays

__all__ = ["SCALES", "DatasetComparison", "RankComparison", "synthesise_datasets"]

SCALES = (None, "relative", "log", "logit")


@dataclass(frozen=True, eq=False, repr=False)
class DatasetComparison(ReadOnlyArrays):
    """Differences between estimators over many data sets.

    Made by :func:`compare_over_datasets`. In every pair, a difference is loss(first) -
    loss(second): positive means that the second is better.

    Attributes
    ----------
    datasets : tuple of str
        Names of the D data sets.
    estimator_names : tuple of str
        The E estimators.
    losses : dict of str to CVLosses
        The losses on each data set.
    tests : dict of str to test
        The test used on each data set, not fitted.
    mean_losses : ndarray of shape (D, E)
        Mean losses, nan where there are none.
    pairs : list of (str, str)
        The pairs; the arrays below follow their order.
    estimates, standard_errors, dfs : ndarray of shape (n_pairs, D)
        Difference on each data set, its standard error and degrees of freedom, on the
        scale asked for; nan where the two were not both evaluated.
    marks : ndarray of shape (n_pairs, D)
        1 where the second is significantly better on a data set (not adjusted), -1
        where the first is, else 0.
    synthesis : Synthesis
        The random-effects mean of each pair.
    statistics, pvalues, pvalues_adjusted : ndarray of shape (n_pairs,)
        Of the mean difference being zero.
    left_out : dict of str to list of str
        For each data set with failed fits, the estimators that are left out there.
    reference : str or None
        What all others were compared with; None of all pairs.
    p_adjust : str or None
        How p-values are adjusted for the number of pairs.
    alpha : float
        Level of decisions and, as 1 - alpha, of intervals.
    scale : str or None
        What the differences are: None of losses; "relative", "log" or "logit".
    """

    datasets: tuple
    estimator_names: tuple
    losses: dict
    tests: dict
    mean_losses: np.ndarray
    pairs: list
    estimates: np.ndarray
    standard_errors: np.ndarray
    dfs: np.ndarray
    marks: np.ndarray
    synthesis: Synthesis
    statistics: np.ndarray
    pvalues: np.ndarray
    pvalues_adjusted: np.ndarray
    left_out: dict
    reference: str | None
    p_adjust: str | None
    alpha: float
    scale: str | None
    options: dict = field(default_factory=dict)

    @property
    def present(self):
        """Whether both of a pair were evaluated on a data set, (n_pairs, D) of bool."""
        return np.isfinite(self.estimates)

    @property
    def significant(self):
        """Whether the adjusted p-value is not above alpha, (n_pairs,) of bool."""
        return self.pvalues_adjusted <= self.alpha

    def to_frame(self):
        """Return a pandas DataFrame with one row per pair.

        Returns
        -------
        frame : pandas.DataFrame
            Columns first, second, n_datasets, estimate (the mean difference over data
            sets), standard_error, df, ci_low, ci_high, statistic, pvalue,
            pvalue_adjusted, tau2 (variance of the true differences), i2, pi_low,
            pi_high (prediction interval for a new data set), wins (data sets on which
            the second is significantly better), ties, losses.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pd = import_pandas("DatasetComparison.to_frame")
        low, high = self.intervals.T
        pi_low, pi_high = prediction_interval(self.synthesis, 1 - self.alpha)
        wins, ties, losses = self.win_tie_loss.T
        columns = {
            "first": [first for first, _ in self.pairs],
            "second": [second for _, second in self.pairs],
            "n_datasets": self.synthesis.n_datasets,
            "estimate": self.synthesis.estimate,
            "standard_error": self.synthesis.standard_error,
            "df": self.synthesis.df,
            "ci_low": low,
            "ci_high": high,
            "statistic": self.statistics,
            "pvalue": self.pvalues,
            "pvalue_adjusted": self.pvalues_adjusted,
            "tau2": self.synthesis.tau2,
            "i2": self.synthesis.i2,
            "pi_low": pi_low,
            "pi_high": pi_high,
            "wins": wins,
            "ties": ties,
            "losses": losses,
        }
        return pd.DataFrame(columns)

    @property
    def intervals(self):
        """Confidence intervals of the mean differences, (n_pairs, 2); not adjusted."""
        return np.column_stack(synthesis_interval(self.synthesis, 1 - self.alpha))

    @property
    def win_tie_loss(self):
        """Numbers of data sets by pair: second better, no difference, first better."""
        counts = [
            np.sum((self.marks == sign) & self.present, axis=1) for sign in (1, 0, -1)
        ]
        return np.column_stack(counts)

    @property
    def has_ranks(self):
        """Whether two data sets or more have losses of all estimators."""
        return bool(np.isfinite(self.mean_losses).all(axis=1).sum() > 1)

    def ranks(self):
        """Compare the mean ranks of the estimators.

        Returns
        -------
        ranks : RankComparison
            Mean ranks, Friedman's test, and p-values of all pairs by Nemenyi's and by
            Wilcoxon's signed-rank test with Holm's method. Of the data sets on which
            all estimators were evaluated.

        Raises
        ------
        ValueError
            If there are fewer than two such data sets.

        Notes
        -----
        Ranks forget how large a difference is and how uncertain; the random-effects
        mean does not. They need no common scale.
        """
        whole = np.isfinite(self.mean_losses).all(axis=1)
        if not self.has_ranks:
            raise ValueError(
                "Ranks need at least 2 data sets on which all estimators were "
                f"evaluated; got {whole.sum()}."
            )
        losses = self.mean_losses[whole]
        order = np.argsort(average_ranks(losses), kind="stable")
        return RankComparison(
            estimator_names=tuple(self.estimator_names[i] for i in order),
            mean_ranks=average_ranks(losses)[order],
            friedman=friedman(losses),
            nemenyi_pvalues=nemenyi_pvalues(losses)[np.ix_(order, order)],
            wilcoxon_pvalues=wilcoxon_holm_pvalues(losses)[np.ix_(order, order)],
            critical_difference=float(
                critical_difference(losses.shape[1], len(losses), self.alpha)
            ),
            n_datasets=len(losses),
            alpha=self.alpha,
        )

    def posterior(self, first, second, *, rope=0.0, random_state=0):
        """Return what the hierarchical Bayesian model says of a new data set.

        Parameters
        ----------
        first, second : str
            The pair.
        rope : float, default=0.0
            Half the width of the region of practical equivalence, in units of the loss.
        random_state : int, RandomState instance or None, default=0
            Seed of the sampler.

        Returns
        -------
        probabilities : dict of str to float
            "less", "rope", "greater": probabilities that the difference on a new data
            set is below -rope (the first is better), within, and above (the second is);
            and "signed_rank_less", ... the same by the Bayesian signed-rank test.

        Raises
        ------
        ValueError
            If the pair is unknown, or was evaluated on fewer than two data sets.

        References
        ----------
        .. [1] G. Corani, A. Benavoli, J. Demšar, F. Mangili and M. Zaffalon,
           "Statistical comparison of classifiers through Bayesian hierarchical
           modelling", Machine Learning 106, 1817-1837, 2017.
           :doi:`10.1007/s10994-017-5641-9`
        """
        rope = check_real("rope", rope, above=0, closed="low")
        usable = self._usable(first, second)
        blocks = [_block_means(self.losses[name], first, second) for name in usable]
        shares = [_test_share(self.losses[name]) for name in usable]
        found = sample_hierarchical(
            np.array([values.mean() for values in blocks]),
            np.array([np.sum((values - values.mean()) ** 2) for values in blocks]),
            np.array([len(values) for values in blocks]),
            np.array(shares),
            random_state=random_state,
        )
        predictive = next_dataset_probabilities(found, rope).mean(axis=(0, 1))
        ranked = signed_rank_probabilities(
            np.array([values.mean() for values in blocks]),
            rope,
            random_state=random_state,
        ).mean(axis=0)
        sides = ("less", "rope", "greater")
        return dict(zip(sides, predictive.tolist(), strict=True)) | {
            f"signed_rank_{side}": value
            for side, value in zip(sides, ranked.tolist(), strict=True)
        }

    def _usable(self, first, second):
        for parameter, name in (("first", first), ("second", second)):
            if not isinstance(name, str) or name not in self.estimator_names:
                allowed = "one of " + ", ".join(map(repr, self.estimator_names))
                raise invalid(parameter, allowed, name)
        columns = [self.estimator_names.index(name) for name in (first, second)]
        known = np.isfinite(self.mean_losses[:, columns]).all(axis=1)
        usable = [self.datasets[row] for row in np.flatnonzero(known)]
        if len(usable) < 2:
            raise ValueError(
                f"The model needs at least 2 data sets with {first!r} and {second!r}; "
                f"got {len(usable)}."
            )
        return usable

    def wins_table(self, baseline=None):
        """Return a table of data sets by estimators with marks, as WEKA prints it.

        Parameters
        ----------
        baseline : str, default=None
            The estimator that all others are marked against; None is the reference or,
            without one, the first.

        Returns
        -------
        text : str
            Mean losses, with "o" where an estimator is significantly better than the
            baseline and "*" where it is worse, not adjusted; in the last line wins,
            ties and losses.

        Raises
        ------
        ValueError
            If there is no such estimator, or it was not compared with all others.
        """
        return wins_table_text(self, self.baseline_position(baseline))

    def baseline_position(self, baseline=None):
        """Return the position of the baseline of tables.

        Parameters
        ----------
        baseline : str, default=None
            As in :meth:`wins_table`.

        Returns
        -------
        position : int
            In `estimator_names`.

        Raises
        ------
        ValueError
            If there is no such estimator, or it was not compared with all others.
        """
        baseline = self.reference if baseline is None else baseline
        if baseline is None:
            return 0
        allowed = list(self.estimator_names)
        if self.reference is not None:
            allowed = [self.reference]
        if not isinstance(baseline, str) or baseline not in allowed:
            names = "one of " + ", ".join(map(repr, allowed))
            raise invalid("baseline", names, baseline)
        return self.estimator_names.index(baseline)

    def marks_against(self, position):
        """Return marks of all estimators against that at a position.

        Parameters
        ----------
        position : int
            Of the baseline, in `estimator_names`.

        Returns
        -------
        marks : ndarray of shape (D, E)
            1 where the estimator is significantly better, -1 where it is worse.
        """
        marks = np.zeros(self.mean_losses.shape, dtype=int)
        baseline = self.estimator_names[position]
        for row, (first, second) in enumerate(self.pairs):
            if first == baseline:
                marks[:, self.estimator_names.index(second)] = self.marks[row]
            elif second == baseline:
                marks[:, self.estimator_names.index(first)] = -self.marks[row]
        return marks

    def __str__(self):
        return datasets_text(self)

    def __repr__(self):
        return (
            f"<DatasetComparison of {len(self.estimator_names)} estimators on "
            f"{len(self.datasets)} data sets>"
        )

    def _repr_html_(self):
        return datasets_html(self)

    def report(self):
        """Return sentences for a paper.

        Returns
        -------
        text : str
            The verdict, the data sets with their designs, how differences were
            averaged, each difference with its interval, and the versions.
        """
        return datasets_report(self)

    def to_latex(self, baseline=None):
        """Return the table of data sets by estimators for LaTeX, with booktabs.

        Parameters
        ----------
        baseline : str, default=None
            As in :meth:`wins_table`.

        Returns
        -------
        text : str
            A tabular environment; better and worse are marked by circles.
        """
        return datasets_latex(self, self.baseline_position(baseline))

    def to_html(self, path):
        """Write a page: the verdict, pictures, the table of data sets, all pairs.

        Parameters
        ----------
        path : str or os.PathLike
            The file, replaced if it exists.

        Raises
        ------
        TypeError
            If `path` is not a path.
        """
        check_path("path", path)
        draw = partial(displays().dataset_pictures, displays())
        write_page(path, datasets_page(self, draw))

    def plot(self, first=None, second=None, **options):
        """Plot the difference of a pair on every data set, and its mean.

        Parameters
        ----------
        first, second : str, default=None
            The pair, in this order; None takes the only pair, or the first.
        **options : dict
            As in :meth:`DatasetDisplay.from_comparison`, such as `ax`.

        Returns
        -------
        display : DatasetDisplay
            The plot.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        display = displays().DatasetDisplay
        return display.from_comparison(self, first=first, second=second, **options)

    def save(self, path):
        """Write losses and tests to a file that can hold no code.

        Parameters
        ----------
        path : str or os.PathLike
            The file, replaced if it exists.
        """
        header = {"datasets": [], "tests": [], "options": self.options}
        arrays = {}
        for number, name in enumerate(self.datasets):
            part, values = self.losses[name].to_parts()
            header["datasets"].append({"name": name, "losses": part})
            header["tests"].append(encode_test(self.tests[name]))
            arrays |= {f"d{number}_{key}": value for key, value in values.items()}
        save_arrays(path, "DatasetComparison", header, arrays)

    @classmethod
    def load(cls, path):
        """Read a comparison written by :meth:`save`; it is computed again.

        Parameters
        ----------
        path : str or os.PathLike
            The file.

        Returns
        -------
        comparison : DatasetComparison
            The same comparison.

        Raises
        ------
        ValueError
            If it is not such a file, or damaged.
        """
        header, arrays = load_arrays(path, "DatasetComparison")
        try:
            losses, tests = {}, {}
            for number, part in enumerate(header["datasets"]):
                prefix = f"d{number}_"
                own = {
                    key.removeprefix(prefix): value
                    for key, value in arrays.items()
                    if key.startswith(prefix)
                }
                name = str(part["name"])
                losses[name] = CVLosses.from_parts(path, dict(part["losses"]), own)
                tests[name] = decode_test(header["tests"][number])
            return synthesise_datasets(losses, tests, **header["options"])
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise damaged(path, "DatasetComparison", error) from None


@dataclass(frozen=True, eq=False, repr=False)
class RankComparison(ReadOnlyArrays):
    """Mean ranks of estimators over data sets.

    Made by :meth:`DatasetComparison.ranks`.

    Attributes
    ----------
    estimator_names : tuple of str
        The E estimators, the best mean rank first.
    mean_ranks : ndarray of shape (E,)
        1 is the best.
    friedman : FriedmanResult
        Friedman's χ² test that all are equally good, and Iman and Davenport's F.
    nemenyi_pvalues, wilcoxon_pvalues : ndarray of shape (E, E)
        p-values of all pairs, adjusted for their number.
    critical_difference : float
        Nemenyi's: mean ranks that differ by more differ significantly.
    n_datasets : int
        Number of data sets.
    alpha : float
        The level.
    """

    estimator_names: tuple
    mean_ranks: np.ndarray
    friedman: tuple
    nemenyi_pvalues: np.ndarray
    wilcoxon_pvalues: np.ndarray
    critical_difference: float
    n_datasets: int
    alpha: float

    def __repr__(self):
        return (
            f"<RankComparison of {len(self.mean_ranks)} estimators on "
            f"{self.n_datasets} data sets>"
        )

    def __str__(self):
        return ranks_text(self)

    def _repr_html_(self):
        return ranks_html(self)

    def plot(self, ax=None, *, test="nemenyi"):
        """Draw a critical-difference diagram.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.
        test : {"nemenyi", "wilcoxon"}, default="nemenyi"
            Whose p-values say which estimators do not differ.

        Returns
        -------
        ax : matplotlib Axes
            The axes.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        check_option("test", test, ("nemenyi", "wilcoxon"))
        pvalues = getattr(self, f"{test}_pvalues")
        names = list(self.estimator_names)
        return displays().draw_critical_differences(
            names, self.mean_ranks, pvalues, self.alpha, ax
        )


def synthesise_datasets(losses, tests, **settings):
    """Return the comparison of losses by checked tests and settings."""
    alpha, scale = settings["alpha"], settings["scale"]
    names = tuple(
        dict.fromkeys(
            n for of_dataset in losses.values() for n in of_dataset.estimator_names
        )
    )
    if len(names) < 2:
        raise invalid("results", "of at least two estimators", list(names))
    positions, _ = choose_pairs(names, settings["reference"])
    shape = len(positions), len(losses)
    estimates, errors, dfs = (np.full(shape, np.nan) for _ in range(3))
    marks = np.zeros(shape, dtype=int)
    means, left_out = np.full((len(losses), len(names)), np.nan), {}
    for column, (dataset, of_dataset) in enumerate(losses.items()):
        failed = of_dataset.failed_splits()
        if failed:
            left_out[dataset] = list(failed)
        own = [n for n in of_dataset.estimator_names if n not in failed]
        place = {name: of_dataset.estimator_names.index(name) for name in own}
        for name, position in place.items():
            # the same but for rounding is a tie
            means[column, names.index(name)] = _rounded(
                of_dataset.mean_losses[position]
            )
        rows = [
            row
            for row, (first, second) in enumerate(positions)
            if names[first] in place and names[second] in place
        ]
        if not rows:
            continue
        pairs = np.array([[place[names[i]] for i in positions[row]] for row in rows])
        table = pair_table(
            tests[dataset], of_dataset, pairs, alpha=alpha, p_adjust=None
        )
        marks[rows, column] = np.sign(table.direction) * (table.winner >= 0)
        found = table
        if scale is not None:
            baseline = place.get(settings["reference"])
            found = _on_scale(
                scale, dataset, of_dataset, pairs, baseline, tests[dataset]
            )
        estimates[rows, column] = found.estimate
        errors[rows, column] = found.standard_error
        dfs[rows, column] = found.df
    if left_out:
        shown = "; ".join(f"{k!r}: {', '.join(v)}" for k, v in left_out.items())
        warn(f"Left out because of failed fits: {shown}.", UserWarning)
    present = np.isfinite(estimates)
    synthesis = synthesise(
        np.where(present, estimates, 0.0),
        np.where(present, errors, 1.0),
        np.where(present, dfs, 1.0),
        present=present,
        tau2=settings["tau2"],
        weights=settings["weights"],
        interval=settings["interval"],
    )
    statistics, pvalues = map(np.atleast_1d, synthesis_pvalue(synthesis))
    adjusted = pvalues
    if settings["p_adjust"] is not None:
        adjusted = adjust_pvalues(pvalues, settings["p_adjust"])
    return DatasetComparison(
        datasets=tuple(losses),
        estimator_names=names,
        losses=losses,
        tests=tests,
        mean_losses=means,
        pairs=[(names[first], names[second]) for first, second in positions],
        estimates=estimates,
        standard_errors=errors,
        dfs=dfs,
        marks=marks,
        synthesis=synthesis,
        statistics=statistics,
        pvalues=pvalues,
        pvalues_adjusted=adjusted,
        left_out=left_out,
        reference=settings["reference"],
        p_adjust=settings["p_adjust"],
        alpha=alpha,
        scale=scale,
        options=settings,
    )


def _rounded(value):
    """Return a number with twelve significant digits."""
    return float(f"{value:.12g}")


def _on_scale(scale, dataset, losses, pairs, baseline, test):
    """Return what a test finds of scale-free differences of pairs."""
    stack = losses.pair_residuals(pairs)
    by_estimator = losses.losses.T
    first, second = by_estimator[pairs[:, 0]], by_estimator[pairs[:, 1]]
    all_means = losses.mean_losses
    means = [all_means[pairs[:, 0]], all_means[pairs[:, 1]]]
    try:
        if scale == "relative":
            base = pairs[:, 1] if baseline is None else np.full(len(pairs), baseline)
            means = (*means, all_means[base])
            values = relative_residuals(first, second, by_estimator[base], means=means)
        elif scale == "log":
            values = log_ratio_residuals(first, second, means=means)
        else:
            n = None if losses.n_test is None else losses.n_test.sum()
            values = logit_residuals(first, second, means=means, n_examples=n)
    except ValueError as error:
        what = f"possible on data set {dataset!r}"
        raise invalid_words("scale", what, f"{scale!r}: {error}") from None
    return test.evaluate(replace(stack, values=values, magnitude=None))


def _block_means(losses, first, second):
    """Return the difference of block means of a pair."""
    residuals = losses.residuals(first, second)
    return residuals.runs()[0].block_means


def _test_share(losses):
    """Return the correlation of two splits, n_test/(n_train + n_test)."""
    if losses.n_train is not None and losses.n_test is not None:
        n_test = losses.n_test[losses.design.full].sum()
        return float(n_test / (n_test + losses.n_train[losses.design.full].sum()))
    return 1 / losses.design.n_splits
