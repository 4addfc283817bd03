"""What is measured on a test example: losses by name, and losses of your own."""

from ._losses._named_losses import Loss, get_loss, get_loss_names
from ._losses._own_loss import make_loss
from ._losses._rank_metrics import concordance_index

__all__ = ["Loss", "concordance_index", "get_loss", "get_loss_names", "make_loss"]
