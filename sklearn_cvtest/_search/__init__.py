"""Searches that fit a candidate only as long as it may be the best."""
