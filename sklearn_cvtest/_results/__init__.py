"""Which tests of which pairs: comparisons of estimators, scores and candidates."""
