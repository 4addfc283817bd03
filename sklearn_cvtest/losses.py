"""What is measured on a test example: losses by name, and losses of your own."""

from ._formulas import concordance_index
from ._metrics import Metric, make_loss

__all__ = ["Metric", "concordance_index", "make_loss"]
