"""Results of other packages, and files to read. Nothing is fitted."""

from ._sources._adapters import (
    compare_mlr3,
    compare_optuna,
    compare_skore,
    compare_tabarena,
)
from ._sources._inspect_logs import read_inspect
from ._sources._lm_eval_logs import read_lm_eval
from ._sources._tables import read_table

__all__ = [
    "compare_mlr3",
    "compare_optuna",
    "compare_skore",
    "compare_tabarena",
    "read_inspect",
    "read_lm_eval",
    "read_table",
]
