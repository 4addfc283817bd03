"""How good one model is, and the t test of two columns of scores."""
