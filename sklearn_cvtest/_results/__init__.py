"""Comparisons of estimators, of scores and of the candidates of a search."""
