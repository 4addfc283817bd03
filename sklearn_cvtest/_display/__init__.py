"""Plots, following scikit-learn's convention; matplotlib is imported only by `plot`."""
