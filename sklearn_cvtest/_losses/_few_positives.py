"""Whether a metric of labels rests on few positives, which is known before any fit."""

FEW_POSITIVES = 30  # positives in all, with fewer of which intervals are too short


def few_positives(measure, y, splits):
    """Return on how many positives a measure rests, in each split and in all.

    None of each, and 0, unless they are few. Of models that are not fitted here, which
    have no training sets, nothing is said.
    """
    if len(splits[0][0]) == 0:
        return (), 0
    of_splits, total = measure.positives(y, splits)
    if total > FEW_POSITIVES:
        return (), 0
    return of_splits, int(total)
