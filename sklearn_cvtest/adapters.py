"""Results of other packages, and files to read. Nothing is fitted."""

from ._search._compare_candidates import compare_optuna
from ._sources._skore import compare_skore
from ._tables._table_columns import read_table

__all__ = ["compare_optuna", "compare_skore", "read_table"]
