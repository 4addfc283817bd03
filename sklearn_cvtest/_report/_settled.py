"""What is said of estimators that were not fitted again, as they were settled."""

from ._format import listed, one_line


def repeats_of(losses):
    """Return the number of repeats of each estimator, None if all have the same."""
    if losses.n_splits_run is None:
        return None
    return (losses.n_splits_run // losses.design.n_splits).tolist()


def fewer(losses):
    """Return what follows the design where estimators have different ones."""
    return "" if losses.n_splits_run is None else " (settled estimators fewer times)"


def settled_note(losses):
    """Return which estimators have fewer repeats, "" if none."""
    if losses.n_splits_run is None:
        return ""
    most, by_number = losses.design.n_repeats, {}
    for name, n in zip(losses.estimator_names, repeats_of(losses), strict=True):
        by_number.setdefault(n, []).append(one_line(name))
    del by_number[most]
    after = "; ".join(
        f"{listed(names)} after {n}" for n, names in sorted(by_number.items())
    )
    return (
        "Estimators were not fitted again once all decisions about them were settled: "
        f"{after} of {most} repeats. A pair is compared on the repeats that both have; "
        "a mean over fewer is moved by what the others changed for the rest."
    )
