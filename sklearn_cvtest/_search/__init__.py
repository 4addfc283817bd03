"""Searches: their candidates compared and chosen, and races that fit fewer."""
