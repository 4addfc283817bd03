"""Whether a metric of labels rests on few positives, which is known before any fit."""

FEW_POSITIVES = 30  # positives in all, with fewer of which intervals are too short


def count_few_positives(measure, y, splits):
    """Return on how many positives a measure rests, 0 unless they are few."""
    _, total = measure.positives(y, splits)
    return int(total) if are_few_positives(total, splits) else 0


def are_few_positives(n_positives, splits):
    """Whether it is said before the fits; of models that are given, nothing is."""
    return len(splits[0][0]) > 0 and 0 < n_positives <= FEW_POSITIVES
