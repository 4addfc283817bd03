"""Are the rates of the pages still true? Few samples of each, beside docs/data.

Each line is a column of rates of a table: the mean that docs/data has | the mean of few
samples ± the standard error of their difference; rows that are more than three standard
errors apart follow. Of hundreds of rows a few are so by chance: draw more samples of
these (`--samples` of their script).

    python benchmarks/quick.py [table ...]

What the extra "peers" must be installed for is left out without it. Data sets that are
not with scikit-learn are left out, too.
"""

import importlib
import time

from harness import beside, measured, parser_of

SCRIPTS = (
    *("evaluate", "evaluate_tests", "evaluate_warnings", "evaluate_intervals"),
    *("equality", "one_class", "best_set", "winner", "crossed", "series", "datasets"),
    *("hidden_dependence", "practices", "peers"),
)


def main():
    parser = parser_of(__doc__)
    parser.add_argument("tables", nargs="*", help="all without a name")
    wanted = parser.parse_args().tables
    for script in SCRIPTS:
        try:
            tables = importlib.import_module(script).TABLES
        except ImportError as error:
            print(f"{script} is left out: {error}")
            continue
        for table in tables:
            if not wanted or table.name in wanted:
                start = time.process_time()
                lines = beside(table, measured(table, table.quick))
                print(
                    *lines,
                    f"    {time.process_time() - start:.0f} s",
                    sep="\n",
                    flush=True,
                )


if __name__ == "__main__":
    main()
