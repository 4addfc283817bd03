"""Which ρ was measured in how many cells of docs/study.csv."""

# The largest ρ that Grandvalet and Bengio (2006) saw; and the ρ (of a 10-fold) that so
# many percent of the cells do not exceed.
HIGH_RHO, N_RHO = 0.7, 351
RHO_QUANTILES = {
    25: 0.078,
    50: 0.230,
    75: 0.335,
    80: 0.359,
    85: 0.394,
    90: 0.426,
    91: 0.439,
    92: 0.446,
    93: 0.451,
    94: 0.456,
    95: 0.469,
    96: 0.482,
    97: 0.557,
    98: 0.608,
    99: 0.712,
    100: 0.793,
}


def share_of_smaller_rho(rho):
    """Return the share of the cells whose ρ is at most this, in whole percent."""
    return max((p for p, seen in RHO_QUANTILES.items() if seen <= rho), default=0) / 100
