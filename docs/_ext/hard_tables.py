"""Tables of the cells that are meant to fail.

Directives: hard-cell-rates (hard_classes.csv) and hard-kind-rates (hard_cells.csv).
"""

from rate_tables import Rate, Rates, grouped, is_over, mean, power

# Kinds of cells, each without what was a kind before.
FEW_HITS, MANY_NEAR, RARE = 10, 0.15, 0.12
MANY_FEATURES = {"optdigits-8", "spambase", "texture-4", "satimage-4"}


def kind_of(row):
    """Return the kind of a hard cell of predicted classes."""
    if float(row["hits"]) < FEW_HITS and row["metric"] != "accuracy":
        return "fewer than ten found in a run"
    if float(row["near"]) > MANY_NEAR:
        return "more than 15% near the threshold"
    if "bayes" in (row["first"], row["second"]):
        return "naive Bayes"
    if "5nn" in (row["first"], row["second"]) and row["population"] in MANY_FEATURES:
        return "nearest neighbours in 36 to 62 dimensions"
    if float(row["positives"]) < RARE:
        return "up to 12% of positives"
    return "others"


def hard_cells(rows):
    """Return rows by kind of cell: size, power, and whether there was a warning."""
    rows = [row | {"kind": kind_of(row)} for row in rows]
    rows = [row | {"what": label_or_rate(row["metric"])} for row in rows]
    for (kind, what), ours in sorted(grouped(rows, "kind", "what").items()):
        high = [row for row in ours if float(row["size"]) > 0.1]
        yield [kind, what, *told(ours, high, "power_2sd", "power_3sd")]


def label_or_rate(metric):
    return "error rate" if metric == "accuracy" else "other metrics"


def share_told(rows):
    """Return in what share of the false rejections there was a warning, in percent."""
    weights = [int(row["rejections"]) for row in rows]
    told = [float(row["warned_rejections"]) for row in rows]
    found = sum(n * share for n, share in zip(weights, told, strict=True))
    return 100 * found / max(sum(weights), 1)


def hard_kinds(rows):
    """Return rows by kind of cell: size, power, and whether there was a warning."""
    for (kind,), ours in sorted(grouped(rows, "kind").items()):
        over = list(filter(is_over, ours))
        yield [kind, *told(ours, over, "power_2sd_run", "power_3sd_run")]


def told(rows, high, *powers):
    """Return what is shown of a kind; `high` are its rows with too large a size."""
    size = mean(rows, "size")
    untold = [row for row in high if float(row["warned_rejections"]) < 0.5]
    return [
        Rate(str(len(rows))),
        Rate(f"{size:.1f}", is_high=size > 6),
        Rate(str(len(high))),
        Rate(str(len(untold))),
        *(power(mean(rows, name)) for name in powers),
        Rate(f"{mean(rows, 'warned'):.0f}"),
        Rate(f"{share_told(rows):.0f}"),
    ]


class HardCellRates(Rates):
    file = "hard_classes.csv"
    header = (
        *("cells", "what", "cells", "size", "above 10%", "not told"),
        *("power at 2", "power at 3", "warned", "told"),
    )
    rows_of = staticmethod(hard_cells)


class HardKindRates(Rates):
    file = "hard_cells.csv"
    header = (
        *("cells", "how many", "size", "above 6%", "not told"),
        *("power at 2", "power at 3", "warned", "told"),
    )
    rows_of, words = staticmethod(hard_kinds), 1


def setup(app):
    app.add_directive("hard-cell-rates", HardCellRates)
    app.add_directive("hard-kind-rates", HardKindRates)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
