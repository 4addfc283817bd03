"""Write docs/data/study.csv: the cases without heavy tails, the designs and tests of the docs.

Run: python to_docs.py --results results.csv --out ../../docs/data/study.csv
"""

import argparse
import csv
import pathlib

INTEGRATED, SUBSAMPLES = "IntegratedRhoTest()", "CorrectedResampledTTest()"
REPEATED = "CorrectedRepeatedKFoldTTest()"
TESTS = {
    ("1x10", "t 0.7"): "KFoldTTest()",
    ("1x10", "corrected t"): 'KFoldTTest("nadeau-bengio")',
    **{(f"{r}x5", "integrated"): INTEGRATED for r in (1, 2, 3, 6, 20)},
    **{(f"{r}x10", "integrated"): INTEGRATED for r in (1, 3)},
    **{(design, "corrected t"): REPEATED for design in ("2x5", "3x10")},
    **{(design, "corrected t"): SUBSAMPLES for design in ("s10", "s20")},
    ("halves J=6", "sharp score"): "SharpTest()",
    ("halves J=6", "sharp reml"): 'SharpTest("reml")',
    ("halves J=6", "pair t"): "PairedHalvesTTest()",
}
DESIGNS = {
    "1x10": "10-fold",
    "1x5": "5-fold",
    **{f"{r}x5": f"{r} x 5-fold" for r in (2, 3, 6, 20)},
    "3x10": "3 x 10-fold",
    "s10": "15 subsamples of 10%",
    "s20": "15 subsamples of 20%",
    "halves J=6": "6 pairs of halves, 5-fold",
}
LOSSES = {"zo": "zero_one", "squared": "squared_error", "absolute": "absolute_error"}
HALVES = {"tune": "decide", "verify": "verify"}
HEADER = [
    "population",
    "n",
    "first",
    "second",
    "loss",
    "half",
    "samples",
    "rho",
    "design",
    "test",
    "fits",
    "size",
    "power_2sd",
    "power_3sd",
    "seeds_differ_2sd",
]
MOST_SKEWNESS, FEWEST_DIFFERING = 0.25, 10  # of the mean; of examples


def rows_of(results):
    """Yield the rows of the table."""
    for row in results:
        key = row["design"], row["test"]
        heavy = abs(float(row["skew"])) > MOST_SKEWNESS
        few = float(row["ndiff"]) < FEWEST_DIFFERING
        if key not in TESTS or row["loss"] not in LOSSES or heavy or few:
            continue
        yield [
            *(row[name] for name in ("population", "n", "first", "second")),
            LOSSES[row["loss"]],
            HALVES[row["half"]],
            row["samples"],
            rounded(row["rho_1x10"]),
            DESIGNS[row["design"]],
            TESTS[key],
            row["fits"],
            *(rounded(row[name]) for name in ("size", "p2", "p3", "dis2")),
        ]


def rounded(text):
    return "" if text in ("", "nan") else f"{float(text):.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--results", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    with arguments.results.open() as file:
        rows = list(rows_of(csv.DictReader(file)))
    with arguments.out.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADER, *rows])
    print(len(rows), "rows of", len({tuple(row[:5]) for row in rows}), "cases")


if __name__ == "__main__":
    main()
