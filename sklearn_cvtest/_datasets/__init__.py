"""Many data sets: differences pooled over them, ranks, words and pictures."""
