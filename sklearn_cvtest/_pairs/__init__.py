"""The table of pairs: which estimators a test tells apart."""
