"""What a Comparison says: its tables and sentences."""

import textwrap

import numpy as np

from ._format import format_number, format_pvalue, text_table

__all__ = ["ComparisonWords"]

VERDICTS = ("significantly better", "significantly worse", "not told apart from it")
MAX_PAIRS = 15  # of more, tables and sentences show those with the best


class ComparisonWords:
    """The words of a Comparison, which keeps the data."""

    def _title(self):
        losses = self.losses
        measure = f"{self._mean_values()[0]} {losses.loss_name}"
        sample = f" on {losses.n_samples} examples" if losses.n_samples else ""
        estimators = f"{len(self.estimator_names)} estimators{sample}"
        return f"{estimators}, {losses.design}, {measure}"

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
            f"{name} {count} of {len(self.losses.fit_failed)}"
            for name, count in zip(self.estimator_names, failed, strict=True)
            if count
        ]
        if counts:
            notes.append(f"Fits failed and got error_score: {', '.join(counts)}.")
        if self._is_adjusted():
            rest = "intervals and rho_alpha are not adjusted"
            if self._has_simultaneous_intervals():
                rest = (
                    "intervals are simultaneous (Bonferroni), rho_alpha is not adjusted"
                )
            notes.append(
                f"Decisions are by p adjusted for {len(self.pairs)} comparisons "
                f"({self.p_adjust}); {rest}."
            )
        if self._pairs_shown() != self.pairs:
            notes.append(
                f"Pairs shown are those with {self._ranking()[0]}, the best; "
                f"to_frame() has all {len(self.pairs)}."
            )
        return notes

    def _is_adjusted(self):
        return len(self.pairs) > 1 and self.p_adjust is not None

    def _mean_values(self):
        """Return the name of what is averaged over splits, and its means."""
        if self.losses.is_score:
            return "score", -self.losses.mean_losses
        return "loss", self.losses.mean_losses

    def _estimator_table(self):
        headers = ["estimator", f"mean {self._mean_values()[0]}", "fit seconds"]
        rows = list(self._estimator_rows())
        if len(rows) == 2:  # in the order of the pair
            rows.sort(key=lambda row: self.estimator_names.index(row["estimator"]))
        cells = [
            [
                row["estimator"],
                format_number(row["mean"]),
                format_number(row["fit_seconds"], 3),
            ]
            for row in rows
        ]
        if self._shown_letters() is None:
            return headers, cells, "<>>"
        for row, line in zip(rows, cells, strict=True):
            line.insert(1, row["letters"] or "-")
        return [headers[0], "letters", *headers[1:]], cells, "<<>>"

    def _pairs_shown(self):
        """Return the pairs of tables and sentences: of many, those with the best."""
        if len(self.pairs) <= MAX_PAIRS or self.reference is not None:
            return self.pairs
        best = self._ranking()[0]
        return [pair for pair in self.pairs if best in pair]

    def _rows_shown(self, name):
        shown = set(self._pairs_shown())
        rows = self._rows(name)
        return [row for row in rows if (row["first"], row["second"]) in shown]

    def _interval_shown(self, row):
        """Return the simultaneous interval where there is one, else that of a pair."""
        ends = [
            row.get(f"{end}_simultaneous", row[end]) for end in ("ci_low", "ci_high")
        ]
        return f"[{', '.join(map(format_number, ends))}]"

    def _interval_name(self, name):
        kind = "simultaneous " * self._has_simultaneous_intervals()
        return f"{kind}{self._level(name)}"

    def _test_table(self, name):
        adjusted = self._is_adjusted()
        shows_rho = any(
            not np.isnan(one.rho_alpha_) for one in self._fitted[name].values()
        )
        headers = ["first", "second", "difference"]
        headers.append(f"{self._level(name)} interval")
        headers += [next(iter(self._fitted[name].values())).symbol, "p"]
        headers += [f"p ({self.p_adjust})"] * adjusted + ["rho_alpha"] * shows_rho
        headers.append("better")
        rows = [
            [
                row["first"],
                row["second"],
                format_number(row["estimate"]),
                self._interval_shown(row),
                format_number(row["statistic"]),
                format_pvalue(row["pvalue"]),
                *[format_pvalue(row["pvalue_adjusted"])] * adjusted,
                *[format_number(row["rho_alpha"], 3)] * shows_rho,
                self._better(row) or "-",
            ]
            for row in self._rows_shown(name)
        ]
        return headers, rows, "<<" + ">" * (len(headers) - 3) + "<"

    def _sign_convention(self):
        text = "difference = loss(first) - loss(second): "
        if self.losses.is_score:
            text = "difference = score(second) - score(first): "
        if len(self.pairs) > 1:
            return text + "above 0 the second is better, below 0 the first."
        first, second = self.pairs[0]
        return text + f"above 0, {second} is better; below 0, {first} is."

    def _better(self, row):
        return self._winner(row["test"], (row["first"], row["second"]))

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

    def _conclusions(self):
        """Return what the tests say: of one pair, or of groups of estimators."""
        if len(self.pairs) == 1:
            return [self._conclusion(row) for row in self._rows()]
        return [text for name in self._fitted for text in self._group_sentences(name)]

    def _group_sentences(self, name):
        """Return which estimators are told apart from the best or the reference."""
        if self.reference is None and self._why_no_groups():
            return []
        ranking = self._ranking()
        pivot = self.reference or ranking[0]
        verdicts = {verdict: [] for verdict in VERDICTS}
        for other in sorted({one for pair in self.pairs for one in pair} - {pivot}):
            verdicts[self._verdict(name, pivot, other)].append(other)
        found = "; ".join(
            f"{', '.join(sorted(names, key=ranking.index))} "
            f"{'are' if len(names) > 1 else 'is'} {verdict}"
            for verdict, names in verdicts.items()
            if names
        )
        against = f"Compared with {pivot}"
        if self.reference is None:
            against += f", the best by mean {self._mean_values()[0]}"
        one = next(iter(self._fitted[name].values()))
        proviso = one._proviso(any(map(verdicts.get, VERDICTS[:2])))
        proviso = proviso and f" and {proviso[0].lower()}{proviso[1:].rstrip(', ')}"
        prefix = f"{name}: " if len(self._fitted) > 1 else ""
        level = f"at the {100 * self.alpha:g}% level"
        return [f"{prefix}{against}, {level}{proviso}: {found}."]

    def _verdict(self, name, pivot, other):
        """Return how another estimator compares with the best or the reference."""
        pair = next(pair for pair in self.pairs if set(pair) == {pivot, other})
        winner = self._winner(name, pair)
        if not winner:
            return VERDICTS[2]
        return VERDICTS[winner != other]

    def __str__(self):
        parts = [self._title(), text_table(*self._estimator_table())]
        for name in self._fitted:
            table = text_table(*self._test_table(name))
            parts.append(f"{_wrap(self._test_title(name))}\n{table}")
        parts.append(_wrap(self._sign_convention()))
        parts += map(_wrap, [*self._conclusions(), *self._notes()])
        return "\n\n".join(parts)

    def __repr__(self):
        return f"<Comparison of {self._title()}>"

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
            f"We compared {len(self.estimator_names)} estimators by {losses.design}"
            f"{self._sample()}, all over the same splits, by the "
            f"{kind} {losses.loss_name}. Mean {kind} over splits: {shown}. "
            f"A difference is {self._sign_convention().partition(' = ')[2]}"
        ]
        sentences += self._notes()
        for name in self._fitted:
            sentences.append(f"Test: {self._test_title(name)}.")
            sentences += map(self._pair_sentence, self._rows_shown(name))
            if len(self.pairs) > 1:
                sentences += self._group_sentences(name)
        return "\n".join(sentences)

    def _sample(self):
        """Return the sizes of the sample and of its splits, "" if not known."""
        losses = self.losses
        if losses.n_train is None or losses.n_test is None:
            return ""
        return (
            f" on {losses.n_samples} examples (training on {_range(losses.n_train)}, "
            f"testing on {_range(losses.n_test)})"
        )

    def _pair_sentence(self, row):
        what = f"loss, {row['first']} - {row['second']}"
        if self.losses.is_score:
            what = f"score, {row['second']} - {row['first']}"
        return (
            f"The difference in mean {what}, is {format_number(row['estimate'])} "
            f"({self._interval_name(row['test'])} confidence interval "
            f"{self._interval_shown(row)}). "
            f"{self._conclusion(row)}"
        )


def _range(sizes):
    low, high = sizes.min(), sizes.max()
    return f"{low}" if low == high else f"{low} to {high}"


def _wrap(text):
    return "\n".join(textwrap.wrap(text, 88, break_long_words=False))
