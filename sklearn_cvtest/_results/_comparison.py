"""Comparison: the tests of several estimators over the same splits, as a result."""

from sklearn.base import clone

from .._compat import import_pandas
from .._data._cvlosses import CVLosses
from .._data._files import damaged, load_arrays, save_arrays
from .._inference._choice import choose_pairs, choose_tests, decode_test, encode_test
from .._pairs._adjustment import adjust_tests, check_adjustment
from .._pairs._letters import ComparisonGroups
from .._report._html import report_page, summary_html, write_page
from .._report._words import ComparisonWords
from .._validation import (
    OneWarningOfAKind,
    check_path,
    check_real,
    invalid,
    warn,
)

__all__ = ["Comparison"]


class Comparison(ComparisonGroups, ComparisonWords):
    """Tests of the differences between estimators over the same splits.

    Made by :func:`compare_estimators`. In every pair, the difference is loss(first)
    - loss(second): positive means that the second is better.

    Parameters
    ----------
    losses : CVLosses
        The losses of at least two estimators.
    test : test, list or dict of tests, or None, default=None
        As in :func:`compare_estimators`.
    reference : str, default=None
        Name of the estimator to compare all others with; None compares all
        pairs.
    p_adjust : str or None, default="holm"
        How p-values are adjusted for the number of pairs, as in
        :func:`compare_estimators`.
    alpha : float, default=0.05
        Level of decisions and, as 1 - alpha, of intervals, in (0, 1). A test that
        is passed keeps its own for `rho_alpha_`.

    Attributes
    ----------
    losses : CVLosses
        The losses.
    tests : dict
        {(first, second): fitted test}; with several tests,
        {(first, second): {name of test: fitted test}}.
    pvalue_, rho_alpha_ : float or dict
        Of two estimators and one test, a float; otherwise a dict with the keys of
        `tests`. Not adjusted.
    estimator_names : tuple of str
        The estimators.

    Raises
    ------
    ValueError
        If there is no pair of estimators without failed fits, or a test does not
        accept their residuals; the error's attribute `losses` holds what was
        computed.

    Warns
    -----
    UserWarning
        If an estimator is left out because its losses are not all finite.
    """

    def __init__(
        self, losses, *, test=None, reference=None, p_adjust="holm", alpha=0.05
    ):
        if not isinstance(losses, CVLosses):
            raise invalid("losses", "CVLosses", losses, TypeError)
        self.alpha = check_real("alpha", alpha, above=0, below=1)
        self.reference = reference
        self.losses = losses
        self._unfitted = choose_tests(test, losses.design, losses.per_example, alpha)
        self.p_adjust = check_adjustment(p_adjust, self._unfitted.values())
        self._single = not isinstance(test, (list, tuple, dict))
        pairs = choose_pairs(losses.estimator_names, reference)
        if not pairs:
            raise invalid(
                "estimators", "at least two to compare", list(losses.estimator_names)
            )
        self.pairs = self._pairs_without_failures(pairs)
        try:
            self._fitted = {
                name: self._fit_pairs(one) for name, one in self._unfitted.items()
            }
        except (TypeError, ValueError) as error:
            error.losses = losses  # nothing that was computed is lost
            raise
        self._adjusted = {
            name: self._adjust(fitted) for name, fitted in self._fitted.items()
        }

    def _fit_pairs(self, test):
        """Fit a test on every pair; of warnings of a kind, show one and a count."""
        with OneWarningOfAKind():
            return {
                pair: clone(test).fit(self.losses.residuals(*pair))
                for pair in self.pairs
            }

    def _adjust(self, fitted):
        adjusted = adjust_tests(self.p_adjust, fitted, self.losses)
        return dict(zip(fitted, adjusted.tolist(), strict=True))

    def _pairs_without_failures(self, pairs):
        failed = self.losses.failed_splits()
        usable = [pair for pair in pairs if not failed.keys() & set(pair)]
        if not failed:
            return usable
        where = "; ".join(
            f"{name!r} in split{'s' * (len(splits) > 1)} {', '.join(map(str, splits))}"
            for name, splits in failed.items()
        )
        why = " (fits failed)" if self.losses.fit_failed.any() else ""
        message = f"Losses must be finite; got nan or inf for {where}{why}."
        if not usable:
            error = ValueError(f"{message} No pair is left to compare.")
            error.losses = self.losses
            raise error
        warn(
            f"{message} Comparisons with {', '.join(map(repr, failed))} are left out.",
            UserWarning,
        )
        return usable

    @property
    def estimator_names(self):
        return self.losses.estimator_names

    @property
    def tests(self):
        if self._single:
            return dict(next(iter(self._fitted.values())))
        return {
            pair: {name: fitted[pair] for name, fitted in self._fitted.items()}
            for pair in self.pairs
        }

    @property
    def pvalue_(self):
        return self._attribute("pvalue_")

    @property
    def rho_alpha_(self):
        return self._attribute("rho_alpha_")

    def _attribute(self, attribute):
        if self._single and len(self.estimator_names) == 2:
            return getattr(next(iter(self.tests.values())), attribute)
        if self._single:
            return {pair: getattr(one, attribute) for pair, one in self.tests.items()}
        return {
            pair: {name: getattr(one, attribute) for name, one in tests.items()}
            for pair, tests in self.tests.items()
        }

    def retest(self, test, **options):
        """Test the same losses otherwise, without fitting anything.

        Parameters
        ----------
        test : test, list or dict of tests, or None
            The test or tests.
        **options : dict
            `reference`, `p_adjust` and `alpha` as in :class:`Comparison`; those not
            given stay as they are.

        Returns
        -------
        comparison : Comparison
            A new one on the same losses.
        """
        return Comparison(self.losses, test=test, **{**self._options(), **options})

    def _options(self):
        return {
            "reference": self.reference,
            "p_adjust": self.p_adjust,
            "alpha": self.alpha,
        }

    def _rows(self, *names):
        """Yield a dict for each pair and each of the named tests (all, if none is)."""
        for name in names or self._fitted:
            for pair, one in self._fitted[name].items():
                yield {
                    "first": pair[0],
                    "second": pair[1],
                    "test": name,
                    "estimate": one.estimate_,
                    **self._intervals(one),
                    "statistic": one.statistic_,
                    "df": one.df_,
                    "pvalue": one.pvalue_,
                    "pvalue_adjusted": self._adjusted[name][pair],
                    "rho": one.rho_,
                    "rho_alpha": one.rho_alpha_,
                }

    def _intervals(self, one):
        interval = one.confidence_interval(one._interval_level(self.alpha))
        ends = {"ci_low": interval.low, "ci_high": interval.high}
        if self._has_simultaneous_intervals():
            level = one._interval_level(self.alpha / len(self.pairs))
            interval = one.confidence_interval(level)
            ends["ci_low_simultaneous"] = interval.low
            ends["ci_high_simultaneous"] = interval.high
        return ends

    def _has_simultaneous_intervals(self):
        return len(self.pairs) > 1 and self.p_adjust not in ("fdr_bh", None)

    def to_frame(self):
        """Return a pandas DataFrame with one row per pair (and test).

        Returns
        -------
        frame : pandas.DataFrame
            Columns first, second, test, estimate (of loss(first) - loss(second)),
            ci_low, ci_high, statistic, df, pvalue, pvalue_adjusted, rho, rho_alpha.
            ci_low and ci_high are not adjusted for the number of pairs. Of several
            pairs, and if `p_adjust` controls the probability of any false rejection,
            there are also ci_low_simultaneous and ci_high_simultaneous: Bonferroni's
            intervals, which with probability 1 - alpha all hold. One may hold 0 where
            pvalue_adjusted, by a sharper method such as "holm", is below alpha.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return import_pandas("Comparison.to_frame").DataFrame(list(self._rows()))

    def _repr_html_(self):
        return summary_html(self)

    def plot(self, **options):
        """Plot the differences with their intervals.

        Parameters
        ----------
        **options : dict
            As in :meth:`ComparisonDisplay.from_comparison`, such as `ax`.

        Returns
        -------
        display : ComparisonDisplay
            The plot.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        from .._display import ComparisonDisplay  # a picture knows what it shows

        return ComparisonDisplay.from_comparison(self, **options)

    # Files ----------------------------------------------------------------------

    def save(self, path):
        """Write losses and tests to a file that can hold no code.

        Parameters
        ----------
        path : str or os.PathLike
            The file, replaced if it exists.

        Raises
        ------
        TypeError
            If a test is not one of this package.
        """
        header, arrays = self.losses._parts()
        header["comparison"] = {
            "tests": {name: encode_test(one) for name, one in self._unfitted.items()},
            "single": self._single,
            **self._options(),
        }
        save_arrays(path, "Comparison", header, arrays)

    def to_html(self, path):
        """Write a page to read, print or send: a single file that needs no other.

        It holds the conclusion, pictures (if matplotlib is installed), tables, how to
        read them, what the tests assume, sentences for a paper with the papers to
        cite, and the versions of the libraries.

        Parameters
        ----------
        path : str or os.PathLike
            The file, replaced if it exists.

        Raises
        ------
        TypeError
            If `path` is no path.
        """
        from .._display import comparison_pictures

        check_path("path", path)  # before what takes seconds
        write_page(path, report_page(self, comparison_pictures))

    @classmethod
    def load(cls, path):
        """Read a comparison written by :meth:`save`; the tests are fitted again.

        Parameters
        ----------
        path : str or os.PathLike
            The file.

        Returns
        -------
        comparison : Comparison
            The same comparison.

        Raises
        ------
        ValueError
            If it is not such a file, or damaged.
        """
        header, arrays = load_arrays(path, "Comparison")
        try:
            options = dict(header.pop("comparison"))
            single = options.pop("single")
            tests = {
                name: decode_test(one) for name, one in options.pop("tests").items()
            }
            test = next(iter(tests.values())) if single else tests
        except (
            AttributeError,
            KeyError,
            StopIteration,
            TypeError,
            ValueError,
        ) as error:
            raise damaged(path, "Comparison", error) from None
        losses = CVLosses._from_parts(path, header, arrays)
        try:
            return cls(losses, test=test, **options)
        except (TypeError, ValueError) as error:
            raise damaged(path, "Comparison", error) from None
