"""What the columns of tables mean, and what the tests assume: sections of a page."""

import numpy as np

from .._pairs._model_table import is_about_set
from ._document import Papers, Section, Sentence


def glossary(result):
    """Return what the columns mean, of those that there are, as sentences."""
    tables = result.tables.values()
    if all(table.is_bayesian for table in tables):
        return (
            Sentence(
                "P(worse), P(equiv.), P(better): The probability, given these results "
                "and the prior of the test, that the model is worse, practically "
                "equivalent, or better."
            ),
        )
    meaning_of_p = (
        "p: The probability of a difference at least this large if there is none and "
        "the test's assumptions hold. A large p is no evidence of equality."
    )
    if any(is_about_set(result, name) for name in result.tables):
        meaning_of_p = (
            "p: The probability that some model is behind another at least as clearly "
            "if all are equally good. Small if a model is worse than the best. Models "
            "that are more clearly worse are left out (step-down)."
        )
    meanings = [
        meaning_of_p,
        "ρ (rho): The share of the variance of the mean difference that is due to the "
        "correlation between splits, which share training examples. The usual t test "
        "takes it for 0. One cross-validation gives no unbiased estimate of it.",
    ]
    if any(np.isfinite(table.rho_alpha).any() for table in tables):
        meanings.append(
            "ρ_α (rho_alpha): The largest ρ at which the difference is significant, "
            "before adjustment. None: it is not significant even at ρ = 0."
        )
    return tuple(Sentence(meaning) for meaning in meanings)


def traits_of_tests(result):
    """Return the traits of each kind of test, and of the tests inside them."""
    traits_by_name = {}
    for table in result.tables.values():
        traits = table.test.traits
        while traits is not None:
            traits_by_name.setdefault(traits.name, traits)
            traits = traits.inner
    return list(traits_by_name.values())


def assumptions(result):
    """Return the description of each kind of test."""
    sections = []
    for traits in traits_of_tests(result):
        blocks = [Papers(traits.references)]
        if traits.about:
            blocks.insert(0, Sentence(traits.about))
        sections.append(Section(f"{traits.name}: {traits.title}", tuple(blocks)))
    return tuple(sections)
