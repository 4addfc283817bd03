"""What a comparison of candidates says: its tables and sentences."""

import numbers
import textwrap
from html import escape

import numpy as np

from ._format import format_number, format_pvalue, html_table, text_table

__all__ = ["CandidateWords"]

MAX_ROWS = 10
MAX_PARAMS = 60


class CandidateWords:
    """The words of a CandidateComparison, which keeps the data."""

    def _title(self):
        return (
            f"{len(self.candidates)} candidates, {self.design}, {self.metric} "
            "(higher is better)"
        )

    def _test_title(self):
        rhos = self.rho[[0]] if np.ptp(self.rho) == 0 else self.rho[:0]
        shown = f", rho = {rhos[0]:.3g}" if rhos.size else ""
        name = " ".join(repr(self.test).split())
        return f"{name}: {self.test.title}{shown}"

    def _is_adjusted(self):
        return len(self.pairs) > 1 and self.p_adjust is not None

    # Tables: the best rows only, whatever the number of candidates ----------------

    def _table(self):
        if self.reference is not None:
            return self._reference_table()
        if len(self.pairs) <= MAX_ROWS:
            return self._pair_table()
        return self._ranking_table()

    def _result_headers(self):
        level = 100 * self.test._interval_level(self.alpha)
        headers = ["difference", f"{level:g}% interval", self.test.symbol, "p"]
        headers += [f"p ({self.p_adjust})"] * self._is_adjusted()
        return headers + ["rho_alpha"] * self._shows_rho()

    def _shows_rho(self):
        return not np.isnan(self.rho_alpha).all()

    def _result_cells(self, pair):
        low, high = self.intervals[pair]
        return [
            format_number(self.estimates[pair]),
            f"[{format_number(low)}, {format_number(high)}]",
            format_number(self.statistics[pair]),
            format_pvalue(self.pvalues[pair]),
            *[format_pvalue(self.pvalues_adjusted[pair])] * self._is_adjusted(),
            *[format_number(self.rho_alpha[pair], 3)] * self._shows_rho(),
        ]

    def _reference_table(self):
        results = self._result_headers()
        headers = ["candidate", f"mean {self.metric}", *results, "parameters"]
        pair_of = dict(
            zip(self.pairs[:, 1].tolist(), range(len(self.pairs)), strict=True)
        )
        top = self._by_score(self.candidates)[:MAX_ROWS].tolist()
        if self.reference not in top:
            top = [self.reference, *top]
        rows = [
            [
                str(row),
                format_number(self.mean_scores[row]),
                *(
                    self._result_cells(pair_of[row])
                    if row in pair_of
                    else ["reference"] + ["-"] * (len(results) - 1)
                ),
                self._shown_params(row),
            ]
            for row in top
        ]
        return headers, rows, ">" * (len(headers) - 1) + "<"

    def _pair_table(self):
        headers = ["first", "second", *self._result_headers()]
        rows = [
            [str(first), str(second), *self._result_cells(pair)]
            for pair, (first, second) in enumerate(self.pairs)
        ]
        return headers, rows, ">" * len(headers)

    def _ranking_table(self):
        top = self._by_score(self.candidates)[:MAX_ROWS]
        headers = ["candidate", f"mean {self.metric}"]
        counts = []
        if self._names_winner():
            headers += ["better than", "worse than"]
            counts = self._counts()
        rows = [
            [
                str(row),
                format_number(self.mean_scores[row]),
                *[str(count[row]) for count in counts],
                self._shown_params(row),
            ]
            for row in top.tolist()
        ]
        return [*headers, "parameters"], rows, ">" * len(headers) + "<"

    def _counts(self):
        """Return how many others each row is significantly better, and worse, than."""
        first, second = self.pairs[self.significant].T
        is_second = self.directions[self.significant] > 0
        size = len(self.mean_scores)
        better = np.bincount(np.where(is_second, second, first), minlength=size)
        worse = np.bincount(np.where(is_second, first, second), minlength=size)
        return better, worse

    def _shown_params(self, row):
        """Return the parameters that differ between candidates."""
        params = self.params[row]
        if isinstance(params, dict):
            varying = self._varying()
            params = ", ".join(
                f"{name}={_shown(value)}"
                for name, value in params.items()
                if name in varying
            )
        return textwrap.shorten(str(params), MAX_PARAMS, placeholder=" ...")

    def _varying(self):
        seen = {}
        for row in self.candidates.tolist():
            for name, value in self.params[row].items():
                seen.setdefault(name, {}).setdefault(repr(value), 0)
                seen[name][repr(value)] += 1
        n_rows = len(self.candidates)
        return {name for name, counts in seen.items() if n_rows not in counts.values()}

    # Sentences --------------------------------------------------------------------

    def _sentences(self):
        yield self._sign_convention()
        yield self._summary()
        hidden = self._hidden()
        if hidden:
            yield hidden
        if self.reference is not None and self.reference_is_best:
            yield (
                f"Candidate {self.reference} was taken because it scored best in these "
                "very splits: part of its lead is luck, so the p-values are smaller "
                "than they should be. With reference=None (all pairs) they are not."
            )
        if self._is_adjusted():
            yield (
                f"Decisions are by p adjusted for {len(self.pairs)} comparisons "
                f"({self.p_adjust}); intervals and rho_alpha are not adjusted."
            )
        if self.failed.size:
            yield (
                f"Left out, with scores that are not finite: {self.failed.size} "
                f"candidate{'s' * (self.failed.size > 1)}."
            )

    def _sign_convention(self):
        if self.reference is None:
            return (
                "difference = score(second) - score(first): above 0 the second is "
                "better, below 0 the first."
            )
        best = ", the best" if self.reference_is_best else ""
        return (
            f"difference = score(candidate) - score(candidate {self.reference}{best}): "
            f"above 0 the candidate is better than {self.reference}, below 0 worse."
        )

    def _summary(self):
        level = f"at the {100 * self.alpha:g}% level"
        n_pairs, n_found = len(self.pairs), int(self.significant.sum())
        if not self._names_winner():
            return f"The null hypothesis is rejected for {n_found} of {n_pairs} pairs."
        if self.reference is None:
            return f"{n_found} of {n_pairs} pairs differ significantly {level}."
        found = self.directions[self.significant]
        n_worse, n_better = int((found < 0).sum()), int((found > 0).sum())
        better = f"; better: {n_better}" if n_better else ""
        return (
            f"Significantly worse than candidate {self.reference} {level}: {n_worse} "
            f"of {n_pairs} candidates{better}; not told apart from it: "
            f"{n_pairs - n_found}."
        )

    def _hidden(self):
        """Return what the table leaves out."""
        shown = len(self._table()[1])
        if self.reference is None and len(self.pairs) <= MAX_ROWS:
            return ""
        n_hidden = len(self.candidates) - shown
        if self.reference is None:
            return f"All {len(self.pairs)} pairs are in to_frame()."
        return f"{n_hidden} more candidates are in to_frame()." if n_hidden > 0 else ""

    def __str__(self):
        parts = [_wrap(self._title())]
        parts.append(f"{_wrap(self._test_title())}\n{text_table(*self._table())}")
        return "\n\n".join([*parts, *map(_wrap, self._sentences())])

    def __repr__(self):
        return f"<CandidateComparison of {self._title()}>"

    def _repr_html_(self):
        parts = [f"<p>{escape(text)}</p>" for text in self._sentences()]
        head = f"<p>{escape(self._title())}</p><p>{escape(self._test_title())}</p>"
        body = head + html_table(*self._table()) + "".join(parts)
        return f'<div class="sklearn-cvtest-comparison">{body}</div>'


def _shown(value):
    """Return a value of a parameter, real numbers with four digits."""
    if isinstance(value, numbers.Integral):
        return str(value)
    return f"{value:.4g}" if isinstance(value, numbers.Real) else repr(value)


def _wrap(text):
    return "\n".join(textwrap.wrap(text, 88, break_long_words=False))
