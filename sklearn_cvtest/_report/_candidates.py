"""What is said of the candidates of a search."""


def candidate_remarks(n_compared, n_searched, n_failed):
    """Return which candidates were left out, and why, a tuple of sentences."""
    sentences = []
    if n_searched is not None:
        sentences.append(
            f"The search is one of successive halving: {n_compared} of {n_searched} "
            "candidates reached its last iteration and are compared; the others were "
            "scored on smaller samples."
        )
    if n_failed:
        plural = "s" if n_failed > 1 else ""
        sentences.append(
            f"{n_failed} candidate{plural} with scores that are not finite "
            f"{'are' if plural else 'is'} left out."
        )
    return tuple(sentences)
