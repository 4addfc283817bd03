"""Searches: their candidates compared and chosen."""
