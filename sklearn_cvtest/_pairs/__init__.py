"""The table of pairs: which estimators differ significantly."""
