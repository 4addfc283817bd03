"""Papers that reports cite: those of one test are named there, shared ones here."""

from typing import NamedTuple

__all__ = [
    "DIETTERICH_1998",
    "GRANDVALET_BENGIO_2006",
    "NADEAU_BENGIO_2003",
    "Reference",
]


class Reference(NamedTuple):
    """A paper to cite.

    Attributes
    ----------
    text : str
        Authors, title, journal and year.
    identifier : str
        "doi:..." or "arXiv:...", "" without one.
    """

    text: str
    identifier: str = ""


DIETTERICH_1998 = Reference(
    'T. G. Dietterich, "Approximate Statistical Tests for Comparing Supervised '
    'Classification Learning Algorithms", Neural Computation 10(7), 1895-1923, 1998.',
    "doi:10.1162/089976698300017197",
)
GRANDVALET_BENGIO_2006 = Reference(
    'Y. Grandvalet and Y. Bengio, "Hypothesis Testing for Cross-Validation", Technical '
    "Report 1285, DIRO, Université de Montréal, 2006.",
)
NADEAU_BENGIO_2003 = Reference(
    'C. Nadeau and Y. Bengio, "Inference for the Generalization Error", Machine '
    "Learning 52, 239-281, 2003.",
    "doi:10.1023/A:1024068626366",
)
