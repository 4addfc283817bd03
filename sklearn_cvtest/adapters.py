"""Results of other packages: skore, Optuna, mlr3 and TabArena. Nothing is fitted."""

from ._sources._adapters import (
    compare_mlr3,
    compare_optuna,
    compare_skore,
    compare_tabarena,
)

__all__ = ["compare_mlr3", "compare_optuna", "compare_skore", "compare_tabarena"]
