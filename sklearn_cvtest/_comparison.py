"""Comparison: the tests of several estimators over the same splits, as a result."""

import textwrap
import warnings
from html import escape

import numpy as np
from sklearn.base import clone

from ._choice import choose_pairs, choose_tests, decode_test, encode_test
from ._compat import import_pandas
from ._cvlosses import CVLosses
from ._multiplicity import METHODS, adjust_pvalues
from ._render import format_number, format_pvalue, html_table, text_table
from ._storage import damaged, load_arrays, save_arrays
from ._validation import check_option, check_real, fail, warn

__all__ = ["Comparison"]


class Comparison:
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
    p_adjust : {"holm", "bonferroni", "hochberg", "fdr_bh"} or None, default="holm"
        How p-values are adjusted for the number of pairs.
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
            raise fail("losses", "CVLosses", losses, TypeError)
        self.alpha = check_real("alpha", alpha, above=0, below=1)
        self.p_adjust = check_option("p_adjust", p_adjust, (*METHODS, None))
        self.reference = reference
        self.losses = losses
        self._unfitted = choose_tests(test, losses.design, losses.per_example, alpha)
        self._single = not isinstance(test, (list, tuple, dict))
        pairs = choose_pairs(losses.estimator_names, reference)
        if not pairs:
            raise fail(
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

    def _fit_pairs(self, test):
        """Fit a test on every pair; of warnings of a kind, show one and a count."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            fitted = {
                pair: clone(test).fit(self.losses.residuals(*pair))
                for pair in self.pairs
            }
        kinds = [warning.category for warning in caught]
        for kind in dict.fromkeys(kinds):
            message = next(str(w.message) for w in caught if w.category is kind)
            others = kinds.count(kind) - 1
            if others:
                message += f" (The same holds for {others} other pairs.)"
            warn(message, kind)
        return fitted

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
            fitted = self._fitted[name]
            pvalues = [one.pvalue_ for one in fitted.values()]
            adjusted = pvalues
            if self.p_adjust is not None:
                adjusted = adjust_pvalues(pvalues, self.p_adjust)
            for (pair, one), p_adjusted in zip(fitted.items(), adjusted, strict=True):
                level = one._interval_level(self.alpha)
                interval = one.confidence_interval(level)
                yield {
                    "first": pair[0],
                    "second": pair[1],
                    "test": name,
                    "estimate": one.estimate_,
                    "ci_low": interval.low,
                    "ci_high": interval.high,
                    "statistic": one.statistic_,
                    "df": one.df_,
                    "pvalue": one.pvalue_,
                    "pvalue_adjusted": float(p_adjusted),
                    "rho": one.rho_,
                    "rho_alpha": one.rho_alpha_,
                }

    def to_frame(self):
        """Return a pandas DataFrame with one row per pair (and test).

        Returns
        -------
        frame : pandas.DataFrame
            Columns first, second, test, estimate (of loss(first) - loss(second)),
            ci_low, ci_high, statistic, df, pvalue, pvalue_adjusted, rho, rho_alpha.
            Intervals are not adjusted for the number of pairs.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return import_pandas("Comparison.to_frame").DataFrame(list(self._rows()))

    # Words and tables -----------------------------------------------------------

    def _title(self):
        losses = self.losses
        measure = f"{self._mean_values()[0]} {losses.loss_name}"
        return (
            f"{len(self.estimator_names)} estimators on {losses.n_samples} examples, "
            f"{losses.design}, {measure}"
        )

    def _level(self, name):
        one = self._unfitted[name]
        return f"{100 * one._interval_level(self.alpha):g}%"

    def _notes(self):
        """Return sentences on failed fits and on what is not adjusted."""
        notes = []
        names = self.losses.failed_splits()
        if names:
            notes.append(f"Left out, with losses that are nan: {', '.join(names)}.")
        failed = self.losses.fit_failed.sum(axis=0)
        counts = [
            f"{name} {count} of {len(self.losses.n_test)}"
            for name, count in zip(self.estimator_names, failed, strict=True)
            if count
        ]
        if counts:
            notes.append(f"Fits failed and got error_score: {', '.join(counts)}.")
        if self._is_adjusted():
            notes.append(
                f"Decisions are by p adjusted for {len(self.pairs)} comparisons "
                f"({self.p_adjust}); intervals and rho_alpha are not adjusted."
            )
        return notes

    def _is_adjusted(self):
        return len(self.pairs) > 1 and self.p_adjust is not None

    def _mean_values(self):
        """Return the name of what is averaged over splits, and its means."""
        if self.losses.per_example:
            return "loss", self.losses.mean_losses
        return "score", -self.losses.mean_losses

    def _estimator_table(self):
        kind, means = self._mean_values()
        rows = [
            [name, format_number(mean), format_number(seconds, 3)]
            for name, mean, seconds in zip(
                self.estimator_names,
                means,
                self.losses.fit_time.sum(axis=0),
                strict=True,
            )
        ]
        return ["estimator", f"mean {kind}", "fit seconds"], rows, "<>>"

    def _test_table(self, name):
        adjusted = self._is_adjusted()
        shows_rho = any(
            not np.isnan(one.rho_alpha_) for one in self._fitted[name].values()
        )
        headers = ["first", "second", "difference", f"{self._level(name)} interval"]
        headers += [next(iter(self._fitted[name].values())).symbol, "p"]
        headers += [f"p ({self.p_adjust})"] * adjusted + ["rho_alpha"] * shows_rho
        headers.append("better")
        rows = [
            [
                row["first"],
                row["second"],
                format_number(row["estimate"]),
                f"[{format_number(row['ci_low'])}, {format_number(row['ci_high'])}]",
                format_number(row["statistic"]),
                format_pvalue(row["pvalue"]),
                *[format_pvalue(row["pvalue_adjusted"])] * adjusted,
                *[format_number(row["rho_alpha"], 3)] * shows_rho,
                self._better(row) or "-",
            ]
            for row in self._rows(name)
        ]
        return headers, rows, "<<" + ">" * (len(headers) - 3) + "<"

    def _sign_convention(self):
        text = "difference = loss(first) - loss(second): "
        if not self.losses.per_example:
            text = "difference = score(second) - score(first): "
        if len(self.pairs) > 1:
            return text + "above 0 the second is better, below 0 the first."
        first, second = self.pairs[0]
        return text + f"above 0, {second} is better; below 0, {first} is."

    def _better(self, row):
        """Return the name of the significantly better estimator, "" if none."""
        one = self._fitted[row["test"]][row["first"], row["second"]]
        if row["pvalue_adjusted"] > self.alpha or not one.names_winner or one.popmean:
            return ""
        return row["second"] if one._direction() > 0 else row["first"]

    def _test_title(self, name):
        """Return the name of a test, what it is, and the ρ it takes if only one."""
        rhos = {one.rho_ for one in self._fitted[name].values()}
        rho = rhos.pop()
        shown = f", rho = {rho:.3g}" if not rhos and not np.isnan(rho) else ""
        return f"{name}: {self._unfitted[name].title}{shown}"

    def _conclusion(self, row):
        """Return what one row says, with the condition it stands under."""
        one = self._fitted[row["test"]][row["first"], row["second"]]
        adjusted = self._is_adjusted()
        significant = row["pvalue_adjusted"] <= self.alpha
        p = f"p = {format_pvalue(row['pvalue'])}"
        if one.alternative != "two-sided":
            p = f"one-sided {p}"
        if adjusted:
            p += f", {format_pvalue(row['pvalue_adjusted'])} after {self.p_adjust}"
        text = (
            f"{one._proviso(significant)}{one._finding(significant)} at the "
            f"{100 * self.alpha:g}% level ({one._statistic_text()}, {p})"
        )
        text = text[0].upper() + text[1:]
        if self._better(row):
            text += f", in favour of {self._better(row)}"
        remark = one._remark(row["first"], row["second"])
        return f"{text}.{remark}{self._rho_sentence(one, adjusted)}"

    @staticmethod
    def _rho_sentence(one, adjusted):
        same = one.statistic_ == 0 and one.standard_error_ == 0
        if same and one.estimate_ == one.popmean:
            return " Their mean losses are the same in every split."
        if np.isnan(one.rho_alpha_):
            return ""
        rejected = (
            "Unadjusted, the null hypothesis" if adjusted else "The null hypothesis"
        )
        level = f"rejected at the {100 * one.alpha:g}% level"
        if one.rho_alpha_ < 0:
            shown = f"(rho_alpha = {one.rho_alpha_:.3g})"
            return f" {rejected} is not {level} even at ρ = 0 {shown}."
        return (
            f" {rejected} is {level} for any ρ up to rho_alpha = {one.rho_alpha_:.3g}."
        )

    def __str__(self):
        parts = [self._title(), text_table(*self._estimator_table())]
        for name in self._fitted:
            table = text_table(*self._test_table(name))
            parts.append(f"{_wrap(self._test_title(name))}\n{table}")
        parts.append(_wrap(self._sign_convention()))
        if len(self.pairs) == 1:
            parts += [_wrap(self._conclusion(row)) for row in self._rows()]
        parts += map(_wrap, self._notes())
        return "\n\n".join(parts)

    def __repr__(self):
        return f"<Comparison of {self._title()}>"

    def _repr_html_(self):
        parts = [
            f"<p>{escape(self._title())}</p>",
            html_table(*self._estimator_table()),
        ]
        for name in self._fitted:
            title = escape(self._test_title(name))
            parts.append(f"<p>{title}</p>{html_table(*self._test_table(name))}")
        parts.append(f"<p>{escape(self._sign_convention())}</p>")
        if len(self.pairs) == 1:
            parts += [f"<p>{escape(self._conclusion(row))}</p>" for row in self._rows()]
        parts += [f"<p>{escape(sentence)}</p>" for sentence in self._notes()]
        return f'<div class="sklearn-cvtest-comparison">{"".join(parts)}</div>'

    def report(self):
        """Return sentences for a paper.

        Returns
        -------
        text : str
            How the estimators were compared, their mean losses, and for each pair
            and test the estimate, interval, statistic, p-value, the condition it
            stands under, and rho_alpha.
        """
        losses = self.losses
        kind, means = self._mean_values()
        shown = ", ".join(
            f"{name} {format_number(mean)}"
            for name, mean in zip(self.estimator_names, means, strict=True)
        )
        sentences = [
            f"We compared {len(self.estimator_names)} estimators by {losses.design} on "
            f"{losses.n_samples} examples (training on {_range(losses.n_train)}, "
            f"testing on {_range(losses.n_test)}), all over the same splits, by the "
            f"{kind} {losses.loss_name}. Mean {kind} over splits: {shown}. "
            f"A difference is {self._sign_convention().partition(' = ')[2]}"
        ]
        sentences += self._notes()
        for name in self._fitted:
            sentences.append(f"Test: {self._test_title(name)}.")
            sentences += map(self._pair_sentence, self._rows(name))
        return "\n".join(sentences)

    def _pair_sentence(self, row):
        interval = ", ".join(format_number(row[end]) for end in ("ci_low", "ci_high"))
        what = f"loss, {row['first']} - {row['second']}"
        if not self.losses.per_example:
            what = f"score, {row['second']} - {row['first']}"
        return (
            f"The difference in mean {what}, is {format_number(row['estimate'])} "
            f"({self._level(row['test'])} confidence interval [{interval}]). "
            f"{self._conclusion(row)}"
        )

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


def _range(sizes):
    low, high = sizes.min(), sizes.max()
    return f"{low}" if low == high else f"{low} to {high}"


def _wrap(text):
    return "\n".join(textwrap.wrap(text, 88, break_long_words=False))
