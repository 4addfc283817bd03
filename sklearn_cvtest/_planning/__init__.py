"""Gates, plans, and what makes a difference uncertain."""
