"""On how many examples a metric rests that is the same in all test sets.

If n independent examples all come out alike, at most a share 1 - (α/2)^(1/n) of others
does not, which is Clopper and Pearson's bound of means. Metrics of classes rest on the
smallest class alone, and n is its number of examples.

* Recall is a mean over its class; balanced accuracy and macro averages can be no
  further from what was seen than one of their classes is.
* ROC AUC 1 says that n pairs of a positive and a negative, none of which share an
  example, are all in order, each with a probability of at most the AUC; 0 is its mirror
  image, and at 0.5 all scores were equal.
* Jaccard is the share of hits among examples that have the label or were given it.
  These are at least n, and n if it is 1. F is no smaller, and (1 + β²)r/(β² + r) at
  most for a recall r, which is below what n β²/(1 + β²) examples allow for r.
* Matthews correlation and kappa at 1 are at least 2J - 1 for the smallest Jaccard index
  J of the classes. Kappa 0 of constant labels moves as far as n/2 examples allow, with
  quadratic weights and for the correlation further.
* With a share ε of negatives above all positives, and a = ε times the negatives per
  positive, average precision loses a log(1 + 1/a), which n/(1 + log n) examples allow.

Precision rests on the examples that are given the label, which the target does not say;
R² has no lower bound. benchmarks/metrics.py holds these against populations.
"""

import numpy as np

from ._bounds import NOTHING
from ._formulas import as_target_array, label_indicators, unique_labels


def counted(metric, y):
    """Return an array (n_samples, n_classes) of what a test set needs enough of."""
    y = as_target_array(y)
    everything = np.ones((len(y), 1), dtype=bool)
    if metric.needs == "examples":
        if y.dtype.names is not None:  # events seen, of the times of events
            return y[y.dtype.names[0]].astype(bool)[:, np.newaxis]
        return everything
    if y.ndim == 2:  # multilabel: those that have a label, and those that do not
        having = y != 0
        return np.hstack([having, ~having]) if metric.row.ranks else having
    labels = unique_labels(y) if metric.labels is None else np.asarray(metric.labels)
    of_labels = label_indicators(y, labels)
    return of_labels if len(labels) else everything


def more_in_each(metric, y, splits):
    """Return what gives each test set enough of what the metric needs, a sentence.

    Not what has been done: splits are stratified if each test set has its share.
    """
    of = counted(metric, y)
    share, total = of.mean(axis=0).min(), of.sum(axis=0).min()
    in_proportion = np.array([share * len(test) for _, test in splits])
    found = metric.smallest_classes(y, splits)
    if metric.needs != "examples" and in_proportion.min() >= metric.row.fewest:
        return "Use stratified splits."
    if total < 2 * metric.row.fewest:
        return f"With {total} in all, two folds would not hold as many, either."
    if len(splits) == 1:
        return "Use a larger test set."
    is_stratified = metric.needs == "examples" or (found > in_proportion - 1).all()
    return "Use fewer splits" + (", stratified ones." * (not is_stratified) or ".")


def rests_on(metric, y, rows, groups):
    """Return on how many of the tested examples, or groups, a metric rests.

    Parameters
    ----------
    metric : Metric
        The metric.
    y : array-like of shape (n_samples,) or (n_samples, n_labels)
        The target.
    rows : ndarray of int
        The examples tested, any number of times each.
    groups : ndarray of shape (n_samples,) or None
        Integer code of the group of each example.

    Returns
    -------
    n_examples : tuple of three floats
        Where it is the smallest that it can be in all test sets, where it is equal in
        all but at no end of its range, and where it is the largest; 0 if not known.
    """
    rows = np.unique(rows)
    is_mean = metric.needs == "nothing"
    of = np.ones((len(rows), 1), bool) if is_mean else counted(metric, y)[rows]
    if groups is not None:
        code = groups[rows]
        of = np.stack([np.bincount(code, column) > 0 for column in of.T], axis=1)
    n, average = float(of.sum(axis=0).min()), metric.options.get("average")
    rests = metric.row.rests(n, metric.options)
    if is_mean or average == "samples":
        rests = n, n, n
    elif average == "micro":  # of all labels, it is the accuracy, of Jaccard less
        is_accuracy = as_target_array(y).ndim == 1 and metric.labels is None
        rests = (n / 2,) * 3 if is_accuracy and not metric.row.ranks else NOTHING
    return rests if metric.sign > 0 else rests[::-1]
