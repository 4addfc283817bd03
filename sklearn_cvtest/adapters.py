"""Results of other packages, and files to read. Nothing is fitted."""

import typing

from ._sources._skore import compare_skore
from ._tables._table_columns import read_table

if typing.TYPE_CHECKING:
    from ._search._compare_candidates import compare_optuna

__all__ = ["compare_optuna", "compare_skore", "read_table"]


def __getattr__(name):
    if name != "compare_optuna":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ._search._compare_candidates import compare_optuna

    return compare_optuna
