"""Names of columns which every room reads."""

POSTERIOR = ("prob_less", "prob_rope", "prob_greater")  # first better, equal, second
