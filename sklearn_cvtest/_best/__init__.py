"""Which of several models may be the best, and how good the selected one is."""
