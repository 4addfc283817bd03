"""What is measured on a test set: the loss of each example, or one score."""
