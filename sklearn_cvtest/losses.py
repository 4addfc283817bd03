"""What is measured on a test example: losses by name, and losses of your own."""

from ._losses._named_losses import Loss, get_loss, get_loss_names, make_loss

__all__ = ["Loss", "get_loss", "get_loss_names", "make_loss"]
