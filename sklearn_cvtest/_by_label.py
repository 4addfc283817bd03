"""The differences between models for each value of a label of the examples."""

from dataclasses import dataclass, replace

import numpy as np
from sklearn.base import clone

from ._design import HOLDOUT, design_of_folds
from ._excerpt import ahead_forest, ahead_rows
from ._inference import KFoldZTest
from ._inference.adjust import METHODS
from ._pairs import Effects, family_of
from ._report import sentences
from ._report.numbers import (
    at_most,
    counted,
    equals,
    join_names,
    percent,
    pvalue_text,
    quoted,
)
from ._report.result import Content, Result, Table, stacked
from ._report.units import Unit
from ._validation import check_labels, check_option, invalid, warn

MIN_EXAMPLES = 10
MIN_GROUPS = 10
MOST_ROWS = 25
MOST_CLAIMS = 4  # in a sentence


@dataclass(frozen=True, repr=False)
class DifferencesByLabel(Result):
    """Differences between models for each value of a label of the examples.

    Made by :meth:`Comparison.by`; `to_frame` has a row for each label and pair.

    Attributes
    ----------
    comparison : Comparison
        The comparison.
    test : test
        The test that was applied to each label.
    tables : dict
        {label: PairTable}, with p-values that are adjusted for all labels.
    sizes : dict
        {label: (number of examples, number of groups)}.
    p_adjust : str or None
        How p-values are adjusted.
    left_out : dict
        Labels with too few examples, and why.
    """

    comparison: object
    test: object
    tables: dict
    sizes: dict
    p_adjust: str | None
    left_out: dict

    def _columns(self):
        frames = {}
        for label, table in self.tables.items():
            columns = table.columns()
            pair = {name: columns.pop(name) for name in ("first", "second", "test")}
            n_examples, n_groups = self.sizes[label]
            sizes = {
                "n_examples": [n_examples] * len(table),
                "n_groups": [n_groups] * len(table),
            }
            frames[label] = pair | sizes | columns
        return stacked(frames, "label")

    @property
    def _unit(self):
        by_ratio = all(table.by_ratio for table in self.tables.values())
        return Unit(self.comparison.losses.metric, by_ratio)

    @property
    def _effects(self):
        """What people read, with intervals, of shape (3, n_rows)."""
        sides = [[t.effect, t.low, t.high] for t in self.tables.values()]
        return np.concatenate(sides, axis=1)

    def _content(self):
        comparison, columns = self.comparison, self._columns()
        unit = self._unit
        pairs = columns["first"], columns["second"]
        texts = ahead_rows(unit, *pairs, *self._effects)
        rows = []
        for number, text in enumerate(texts):
            p = pvalue_text(columns["pvalue_adjusted"][number], comparison.alpha)
            n_examples = str(columns["n_examples"][number])
            rows.append([str(columns["label"][number]), *text, p, n_examples])
        level = f"{percent(1 - comparison.alpha)} CI"
        p_header = f"p ({self.p_adjust})" if self.p_adjust and len(rows) > 1 else "p"
        headers = ["label", "ahead", "behind", unit.amount_header, level, p_header]
        method = [
            f"{sentences.words_of_test(self.test)}.",
            sentences.sentence_on_family(len(rows), self.p_adjust),
            "Significance for one label and not for another is no evidence that the "
            "difference depends on the label.",
            sentences.left_out_sentence(len(rows) - MOST_ROWS, "row"),
            self._left_out_sentence(),
        ]
        return Content(
            lead=counted(len(self.tables), "label"),
            verdict=self._verdict(),
            table=Table([*headers, "examples"], rows[:MOST_ROWS], n_left=3),
            method=" ".join(filter(None, method)),
            paragraph=[self._verdict(), *filter(None, method)],
        )

    def _verdict(self):
        """Return for which labels which model is better."""
        columns, alpha = self._columns(), self.comparison.alpha
        pvalues = np.array(columns["pvalue_adjusted"])
        symbol = "adjusted p" if self.p_adjust and len(pvalues) > 1 else "p"
        if not np.any(pvalues <= alpha):
            names = join_names(map(quoted, self.comparison.losses.names))
            p = equals(f"smallest {symbol}", np.min(pvalues), alpha)
            return f"No significant difference between {names} for any label ({p})."
        rows_of_claims = {}
        for row in np.flatnonzero(pvalues <= alpha):
            pair = columns["first"][row], columns["second"][row]
            if columns["estimate"][row] > 0:
                pair = pair[::-1]
            rows_of_claims.setdefault(pair, []).append(row)
        clauses = []
        for (better, worse), rows in list(rows_of_claims.items())[:MOST_CLAIMS]:
            where = join_names([str(columns["label"][row]) for row in rows])
            if len(rows) == len(self.tables) > 1:
                where = "every label"
            p = at_most(symbol, pvalues[rows], alpha)
            better, worse = quoted(better), quoted(worse)
            clauses.append(
                f"{better} is significantly better than {worse} for {where} ({p})"
            )
        n_more = len(rows_of_claims) - MOST_CLAIMS
        if n_more > 0:
            clauses.append(f"and {counted(n_more, 'more pair')}")
        return f"{'; '.join(clauses)}."

    def _left_out_sentence(self):
        if not self.left_out:
            return ""
        texts = [f"{label} ({why})" for label, why in self.left_out.items()]
        return f"Left out, with too few examples or groups: {join_names(texts)}."

    def _forest(self):
        columns, alpha = self._columns(), self.comparison.alpha
        forest = ahead_forest(
            self._unit,
            columns["first"],
            columns["second"],
            *self._effects,
            confidence=1 - alpha,
            filled=columns["significant"],
            texts=[pvalue_text(p, alpha) for p in columns["pvalue_adjusted"]],
        )
        labels = zip(columns["label"], forest.labels, strict=True)
        return replace(forest, labels=[f"{label}: {pair}" for label, pair in labels])


def differences_by_label(comparison, labels, p_adjust="holm"):
    """Return the DifferencesByLabel of a comparison."""
    losses = comparison.losses
    check_option("p_adjust", p_adjust, (*METHODS, None))
    if comparison.test.decides == "posterior":
        raise invalid("test", "one with p-values", comparison.test)
    if not losses.per_example:
        raise invalid("losses", "a value for each example", "one for each split")
    labels = check_labels("labels", labels, losses.n_samples)
    values, codes = np.unique(labels, return_inverse=True)
    table = comparison.table
    if len(values) > 1 and losses.metric.is_weighted:
        raise invalid("losses", "without weights", losses.metric.word)
    pairs = np.column_stack([table.first, table.second])
    code_of_row = codes[losses.row_index]
    test, reduce_to = _how_to_test(comparison.test, losses, code_of_row)
    effects, sizes, left_out = {}, {}, {}
    for code, label in enumerate(values.tolist()):
        rows = code_of_row == code
        why = "" if len(values) == 1 else _too_few(losses, rows)
        if reduce_to is _shares_of_splits and not _is_spread(losses, rows):
            why = "in too few splits"
        if why:
            left_out[label] = why
            continue
        of_label = losses if len(values) == 1 else reduce_to(losses, rows)
        effects[label] = Effects(test, of_label, pairs)
        groups = [] if losses.groups is None else np.unique(losses.groups[rows])
        sizes[label] = len(np.unique(losses.row_index[rows])), len(groups)
    if left_out:
        names = join_names([f"{label!r} ({why})" for label, why in left_out.items()])
        warn(f"Too few examples or groups for a test of {names}.")
    if not effects:
        raise invalid("labels", f"of {MIN_EXAMPLES} examples each", labels)
    tables = _tables_of_labels(effects, comparison.alpha, p_adjust)
    return DifferencesByLabel(comparison, test, tables, sizes, p_adjust, left_out)


def _too_few(losses, rows):
    """Return why the rows of a label are not tested, "" if they are."""
    n_examples = len(np.unique(losses.row_index[rows]))
    if n_examples < MIN_EXAMPLES:
        return counted(n_examples, "example")
    if losses.groups is not None:
        n_groups = len(np.unique(losses.groups[rows]))
        if 1 < n_groups < MIN_GROUPS:
            return counted(n_groups, "group")
    return ""


def _how_to_test(test, losses, code_of_row):
    """Return the test of a label, and what reduces losses to its rows.

    Tests of examples take the rows; tests of fold means what the rows contribute to
    the splits, if each label is in half of them.
    """
    if test.needs_examples:
        return clone(test), _rows_of_label
    codes = np.unique(code_of_row)
    is_spread = all(_is_spread(losses, code_of_row == code) for code in codes)
    if is_spread or not losses.design.is_k_fold:
        return test, _shares_of_splits
    return KFoldZTest(alpha=test.alpha), _rows_of_label


def _is_spread(losses, rows):
    """Whether the rows are in half of the splits."""
    n_splits = losses.row_split[-1] + 1
    return len(np.unique(losses.row_split[rows])) >= max(n_splits / 2, 2)


def _rows_of_label(losses, rows):
    """Return the losses of the rows of a label, as if they were all.

    Given the label, their number does not depend on the splits. An example in no group
    is a group of its own, so that Student's t takes the place of the normal: a label
    may have few.
    """
    index = losses.row_index[rows]
    _, split = np.unique(losses.row_split[rows], return_inverse=True)
    _, units = np.unique(index, return_inverse=True)
    design = losses.design
    if design.kind != HOLDOUT:
        n_runs = np.count_nonzero(index == index[0])
        design = design_of_folds(design.n_splits, n_runs)
    groups = units
    if losses.groups is not None:
        _, codes = np.unique(losses.groups[rows], return_inverse=True)
        has_repeats = 1 < codes.max() + 1 < units.max() + 1
        groups = codes if has_repeats else units
    if design.kind == HOLDOUT and losses.groups is None:
        groups = None
    return replace(
        losses,
        values=losses.values[rows],
        row_split=split,
        row_index=index,
        groups=groups,
        design=design,
        n_train=None,
        n_test=np.bincount(split),
        n_samples=int(units.max()) + 1,
        is_part=True,
    )


def _shares_of_splits(losses, rows):
    """Return what the examples of a label contribute to the splits.

    With p_j the share of test set j that has the label and a_j the sum of its losses
    over the size of the set, the mean is d = Σa_j/Σp_j, and the splits have the values
    d + (a_j - d p_j)/p̄ (linearisation of a ratio).
    """
    split = losses.row_split
    sizes = np.bincount(split)
    shares = np.bincount(split[rows], minlength=len(sizes)) / sizes
    sums = np.zeros((len(sizes), losses.values.shape[1]))
    np.add.at(sums, split[rows], losses.values[rows])
    contributions = sums / sizes[:, np.newaxis]
    mean = contributions.sum(axis=0) / shares.sum()
    values = mean + (contributions - mean * shares[:, np.newaxis]) / shares.mean()
    return replace(
        losses,
        values=values,
        row_split=np.arange(len(sizes)),
        row_index=None,
        groups=None,
    )


def _tables_of_labels(effects, alpha, p_adjust):
    """Return {label: PairTable}, adjusted for all labels, of their Effects."""
    pvalues = np.concatenate([of_label.pvalue for of_label in effects.values()])
    family = family_of(pvalues, alpha, p_adjust)
    numbers = np.split(np.array([family.pvalues, family.levels]), len(effects), axis=1)
    tables = {}
    for (label, of_label), (adjusted, levels) in zip(
        effects.items(), numbers, strict=True
    ):
        of_family = family._replace(pvalues=adjusted, levels=levels)
        tables[label] = of_label.table(alpha, p_adjust, of_family)
    return tables
