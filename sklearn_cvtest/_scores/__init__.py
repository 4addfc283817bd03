"""Scores in hand: runs and examples of one test set."""
