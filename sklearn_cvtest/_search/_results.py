"""`cv_results_` of a race, from rows of one candidate on one split each."""

import re

import numpy as np

SPLIT = re.compile(r"split0_(.+)", re.DOTALL)
MEAN = re.compile(r"(mean|std)_(.+)", re.DOTALL)
RANK = re.compile(r"rank_(.+)", re.DOTALL)


def results_of_race(results, rows, race):
    """Return what GridSearchCV would keep, nan where nothing was fitted.

    Parameters
    ----------
    results : dict
        `cv_results_` of one split for each candidate of each round.
    rows : list of (int, ndarray)
        The split of each round and its candidates; all of them in the first one.
    race : Race
        The race.
    """
    n_candidates, n_splits = race.scores.shape
    splits, rows = zip(*rows, strict=True)
    candidate = np.concatenate(rows)
    split = np.repeat(splits, list(map(len, rows)))

    def spread(key):
        values = np.full((n_candidates, n_splits), np.nan)
        values[candidate, split] = results[key]
        return values

    def over_splits(name, statistic):
        runs = zip(spread(f"mean_{name}"), race.n_splits_run.tolist(), strict=True)
        return np.array([statistic(row[:n_run]) for row, n_run in runs])

    whole = {}
    for key in results:
        if found := SPLIT.fullmatch(key):
            columns = spread(key).T
            whole |= {f"split{j}_{found[1]}": part for j, part in enumerate(columns)}
        elif found := MEAN.fullmatch(key):
            statistic = np.mean if found[1] == "mean" else np.std
            whole[key] = over_splits(found[2], statistic)
        elif found := RANK.fullmatch(key):
            whole[key] = race.ranks(whole[f"mean_{found[1]}"])
        else:  # parameters
            whole[key] = results[key][:n_candidates]
    return whole
