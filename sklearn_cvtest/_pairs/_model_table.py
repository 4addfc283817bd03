"""ModelTable: what one family of tests decides about each of several models.

Decisions are values that are made here, once; print, page, report, tables for papers
and JSON read them.
"""

from dataclasses import dataclass

import numpy as np

from .._inference._ends import POSTERIOR
from ._ranking import pairs_with, ranking_of, why_no_letters


class Decision:
    """What is decided of a pair, or of a model beside the best or the reference.

    BEST and REFERENCE stand for the best and the reference themselves, TIED for all
    decisions by which a model may be as good as they are.
    """

    BEST = "best"
    REFERENCE = "reference"
    BETTER = "better"
    WORSE = "worse"
    NOT_SIGNIFICANT = "not significant"
    DIFFERENT = "different"
    EQUIVALENT = "equivalent"
    NOT_EQUIVALENT = "not equivalent"
    INCONCLUSIVE = "inconclusive"
    SAME = "same"

    TIED = (BEST, NOT_SIGNIFICANT, SAME, INCONCLUSIVE)


MANY = 100  # models; of more, no intervals of single models and no letters are shown
FEW_MODELS = 6  # of more, a table says by letters who differs from whom


@dataclass(frozen=True)
class ModelRow:
    """One model against the one that all are compared with, the reference.

    Attributes
    ----------
    position : int
        Of the model.
    decision : str
        "best" or "reference" of the reference itself; of others "better", "worse", "not
        significant", "equivalent", "not equivalent", "different", "inconclusive" or
        "same".
    effect : float
        loss(model) - loss(reference) or, by ratio, the logarithm of their ratio; nan of
        the reference.
    low, high : float
        Its interval.
    difference : tuple of three floats
        The difference and its interval in units of the loss.
    pvalue : float
        The p-value that decides, adjusted; nan of the reference.
    stability : float
        How probable the same decision is with another seed, nan if that is unknown.
    chances : tuple of float
        Posterior probabilities that the model is worse, equivalent and better than the
        reference; empty where p-values decide.
    """

    position: int
    decision: str
    effect: float = np.nan
    low: float = np.nan
    high: float = np.nan
    difference: tuple = (np.nan, np.nan, np.nan)
    pvalue: float = np.nan
    stability: float = np.nan
    chances: tuple = ()

    @property
    def is_reference(self):
        """Whether it is the one that all are compared with."""
        return self.decision in (Decision.BEST, Decision.REFERENCE)


@dataclass(frozen=True)
class ModelTable:
    """What one family of tests decides about models.

    Attributes
    ----------
    family : str
        "best set" or "pairs".
    rows : tuple of ModelRow
        By mean loss, the best first; without those whose fits failed.
    reference : int
        The position of the one that all others are compared with.
    table : PairTable
        The pairs.
    """

    family: str
    rows: tuple
    reference: int
    table: object

    def positions(self, *decisions):
        """Return the positions of the models with one of these decisions, a list."""
        return [row.position for row in self.rows if row.decision in decisions]

    @property
    def is_about_best(self):
        """Whether all are compared with the best one, not with a reference."""
        return any(row.decision == Decision.BEST for row in self.rows)

    @property
    def others(self):
        """The rows but the reference's."""
        return [row for row in self.rows if not row.is_reference]


def is_about_set(result, name):
    """Whether the verdict of a test is about the set that may hold the best."""
    model_table = result.decisions.get(name)
    return model_table is not None and model_table.family == "best set"


def names_pairs_only(result, table):
    """Whether no model can be compared with a best one: only pairs can be shown."""
    if len(table) == 1:
        return False
    if result.reference_position is not None:
        return bool(table.test.popmean)
    has_no_letters = bool(why_no_letters(table.test, None))
    return has_no_letters or not table.names_winner


def has_tiers(result, table):
    """Whether a table of models says by letters which of many differ.

    It does not for candidates of a search, of which only the best are shown.
    """
    if result.noun == "candidate":
        return False
    if not FEW_MODELS < len(table.names) <= MANY:
        return False
    if table.test.traits.decides == "posterior":
        return False
    return not why_no_letters(table.test, result.reference)


def model_table(result, name, best=None):
    """Return the ModelTable of a test of a comparison.

    Parameters
    ----------
    result : PairwiseResult
        The comparison.
    name : str
        The name of the test.
    best : BestSet or None
        The set of those that may be the best, if the verdict is about it.
    """
    table = result.tables[name]
    if best is not None:
        return _of_set(best, table)
    ranking = ranking_of(result.losses)
    reference = result.reference_position
    decision_of_reference = Decision.REFERENCE
    if reference is None:
        reference = ranking[0]
        decision_of_reference = Decision.BEST
    numbers, others = pairs_with(table, reference)
    number_of_pair = dict(zip(others.tolist(), numbers.tolist(), strict=True))
    rows = []
    for position in ranking:
        if position == reference:
            rows.append(ModelRow(reference, decision_of_reference))
        elif position in number_of_pair:
            number = number_of_pair[position]
            rows.append(_row(table, number, position, reference))
    return ModelTable("pairs", tuple(rows), reference, table)


def _row(table, number, position, reference):
    """Return the row of a model by its pair with the reference."""
    sides = []
    for effects, (lows, highs) in (
        (table.shown_effect, table.shown_intervals),
        (table.estimate, table.intervals_in_units),
    ):
        sides.append(np.array([effects[number], lows[number], highs[number]]))
    is_first = table.first[number] == position
    if not is_first:
        sides = [-side[[0, 2, 1]] for side in sides]
    effect, low, high = sides[0].tolist()
    decision = decision_of(table, number)
    if decision == Decision.BETTER and table.winner[number] == reference:
        decision = Decision.WORSE
    chances = []
    if table.is_bayesian:
        chances = [float(table.columns[column][number]) for column in POSTERIOR]
        # they begin with the first of the pair being better; a row, with being worse
        if is_first:
            chances.reverse()
    return ModelRow(
        position=position,
        decision=decision,
        effect=effect,
        low=low,
        high=high,
        difference=tuple(sides[1].tolist()),
        pvalue=float(table.pvalue_adjusted[number]),
        stability=float(stability_of(table)[number]),
        chances=tuple(chances),
    )


def _of_set(best, table):
    """Return the ModelTable of the set of those that may be the best.

    Of many models only the first have a stability.
    """
    best_test = best.found
    n_models = len(best_test.order)
    first = np.arange(min(n_models, MANY))
    stability = np.full(n_models, np.nan)
    stability[first] = best_test.stability_of(first)
    effects = np.column_stack(best_test.differences).tolist()
    differences = np.column_stack(best_test.differences_in_units).tolist()
    reference = int(best_test.order[0])
    rows = [ModelRow(reference, Decision.BEST)]
    for place in range(1, n_models):
        decision = Decision.WORSE
        if best_test.kept[place]:
            decision = Decision.NOT_SIGNIFICANT
        effect, low, high = effects[place]
        row = ModelRow(
            position=int(best_test.order[place]),
            decision=decision,
            effect=effect,
            low=low,
            high=high,
            difference=tuple(differences[place]),
            pvalue=float(best_test.pvalues[place]),
            stability=float(stability[place]),
        )
        rows.append(row)
    return ModelTable("best set", tuple(rows), reference, table)


def stability_of(table):
    """Return how probable the same decisions are with another seed, (n_pairs,).

    nan if unknown. Of posterior probabilities it is unknown: the column is about p.
    """
    if table.is_bayesian or "seed_stability" not in table.columns:
        return np.full(len(table), np.nan)
    return table.columns["seed_stability"]


def _is_beyond(table, number):
    """Whether the interval of a difference lies wholly outside a margin."""
    centre = table.test.popmean
    margin = table.region
    lows, highs = table.shown_intervals
    is_above = lows[number] >= centre + margin
    return bool(is_above or highs[number] <= centre - margin)


def decision_of(table, number):
    """Return what is decided of a pair: "better" if one of the two is, and so on."""
    no_difference = table.estimate[number] == 0
    no_variation = table.standard_error[number] == 0
    if no_difference and no_variation and table.statistic[number] == 0:
        return Decision.SAME
    if table.is_bayesian:
        return _decision_by_probability(table, number)
    is_significant = bool(table.pvalue_adjusted[number] <= table.alpha)
    if table.test.traits.decides == "equivalence":
        if is_significant:
            return Decision.DIFFERENT if table.test.popmean else Decision.EQUIVALENT
        if _is_beyond(table, number):
            return Decision.NOT_EQUIVALENT
        return Decision.INCONCLUSIVE
    if table.winner[number] >= 0:
        return Decision.BETTER
    return Decision.DIFFERENT if is_significant else Decision.NOT_SIGNIFICANT


def _decision_by_probability(table, number):
    """Return what is decided of a pair by posterior probabilities."""
    if table.test.popmean:
        return Decision.INCONCLUSIVE
    if table.winner[number] >= 0:
        return Decision.BETTER
    _, equivalent, _ = POSTERIOR
    is_equivalent = table.columns[equivalent][number] >= 1 - table.alpha
    return Decision.EQUIVALENT if is_equivalent else Decision.INCONCLUSIVE
