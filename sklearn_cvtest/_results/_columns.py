"""Columns of data frames of pairs."""

import numpy as np


def stacked(parts):
    """Return tables of columns in one, nan where one lacks a column."""
    names = dict.fromkeys(name for part in parts for name in part)
    lengths = [len(part["first"]) for part in parts]
    return {
        name: [
            value
            for part, length in zip(parts, lengths, strict=True)
            for value in part.get(name, np.full(length, np.nan))
        ]
        for name in names
    }


def pair_columns(name, table):
    """Return the columns of a data frame of the pairs, by one test."""
    columns = table.to_columns()
    winners = [row.winner or None for row in table.rows()]
    first, second = columns.pop("first"), columns.pop("second")
    return {
        "first": first,
        "second": second,
        "test": [name] * len(table),
        **columns,
        "significant": table.significant,
        "detectable_difference": table.detectable_difference(),
        "better": np.array(winners, dtype=object),
    }
