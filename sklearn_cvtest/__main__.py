"""The command `sklearn-cvtest`: a table of scores, or a ledger, in; the verdict out."""

import argparse
import os
import shlex
import sys
import warnings

from ._inference._multiplicity import ADJUSTMENTS
from ._inference._traits import package_test, test_names
from ._report._as_json import json_text
from ._sources._compare_table import compare_table
from ._sources._found_columns import found_columns
from ._sources._tables import Columns, check_column, read_table
from ._store._files import write_json
from ._validation import invalid, nearest, one_line, printable
from ._version import __version__

__all__ = ["main"]

DESCRIPTION = """\
Is this model really better than that one?

Reads an existing table of cross-validation scores (or of scores of test examples),
tests the differences between the models with a test that accounts for the
overlap of training sets, and says in a sentence what was found. Nothing is fitted.
"""
EPILOG = """\
The file is a long table, with a row for each model and fold, in any order:

    model,fold,accuracy
    forest,0,0.951
    forest,1,0.944
    ...
    tree,0,0.917

Columns that no option names are found by their names ("classifier", "cv_fold", "acc"),
and a line on standard error says what was taken.

examples:
  %(prog)s scores.csv
      all pairs of models
  %(prog)s scores.csv --score accuracy --n-train 900 --n-test 100
      with the sizes of the training and test sets
  %(prog)s scores.csv --score accuracy --repeat run --html report.html
      ten repeats of ten folds, with a column "run"; a page to send to others
  %(prog)s losses.csv --loss zero_one --example id
      a row for each model, fold and test example
  %(prog)s scores.csv --score accuracy --reference production --fail-if-worse
      in a build: fails (exit status 1) if a model is significantly worse than the one
      called "production"
  %(prog)s scores.csv --score accuracy --example id --run seed \\
      --reference production --margin 0.01
      one test set, with a row for each model, run and example: passes only if every
      model is shown not to be worse than "production" by more than 0.01 (one point)

exit status:
  0  the comparison was made
  1  with --fail-if-worse, a model is significantly worse than --reference; with
     --margin, one is worse by more than that
  2  the file or an option is not as described; a line on standard error says why
  3  with --margin, it is not known whether some model is worse by more than that
"""


def main(arguments=None):
    """Run the command.

    Parameters
    ----------
    arguments : list of str, default=None
        The arguments; None takes the arguments of the process.

    Returns
    -------
    status : int
        0; 1 if a model is worse, or the last proposal of a ledger is not confirmed,
        and this was to fail; 2 for bad input; 3 if that is not known.
    """
    options = _parser().parse_args(arguments)
    _write_any_character(sys.stdout, sys.stderr)
    try:
        refuse_inputs(options)
        status = options.command(options)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # who reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except Exception as error:
        sys.stderr.write(f"sklearn-cvtest: {printable(_shown(error))}\n")
        return 2


def _write_any_character(*streams):
    """Write what an encoding has no character for as its escape."""
    for stream in streams:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _shown(error):
    """Return an error on one line, with its type if it is none of bad input."""
    text = " ".join(str(error).split())
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'standard output'}: {error.strerror}"
    expected = isinstance(error, (ImportError, TypeError, ValueError))
    return text if expected else f"{type(error).__name__}: {text}"


def refuse_inputs(options):
    """Refuse to write a file that is read."""
    for option in ("html", "json"):
        path = getattr(options, option, None)
        if path in (None, "-") or not os.path.exists(path):
            continue
        if os.path.exists(options.file) and os.path.samefile(path, options.file):
            raise ValueError(f"--{option} {path} is the file that is read")


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        """Exit with a line that says what is wrong."""
        self.exit(2, f"sklearn-cvtest: {message} (--help shows how)\n")


FILE = "a .csv, .tsv, .jsonl (each also as .gz) or .parquet file"
COLUMNS = {  # option, which is an argument of compare_table: help
    "model": "names of the models",
    "score": "scores, greater is better",
    "loss": "losses, smaller is better",
    "fold": "folds, or splits",
    "repeat": "repeats of a repeated K-fold",
    "example": "test examples, if there is a row for each",
    "run": "runs on one test set, such as seeds; needs --example, no folds",
    "group": "groups of examples, such as patients",
    "dataset": "data sets, each compared by itself",
}


def _parser():
    parser = _Parser(prog="sklearn-cvtest", description="Tests for cross-validation.")
    parser.add_argument(
        "--version", action="version", version=f"sklearn-cvtest {__version__}"
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    compare = commands.add_parser(
        "compare",
        help="compare models by a table of scores or losses",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = compare.add_argument
    add("file", metavar="FILE", help=FILE)
    _add_form(compare.add_argument_group("how the file is written").add_argument)
    _add_columns(compare.add_argument_group("columns").add_argument)
    _add_choices(compare.add_argument_group("how to compare").add_argument)
    _add_output(compare.add_argument_group("output").add_argument)
    compare.set_defaults(command=_compare)
    _add_ledger(commands)
    return parser


def _add_ledger(commands):
    text = "print the champions and the last decisions of a ledger"
    ledger = commands.add_parser(
        "ledger",
        help=text,
        description=f"{text.capitalize()}. Exit status: 0; 2 if the file is no ledger "
        "with a proposal; 1 if that was asked for.",
    )
    ledger.add_argument("file", metavar="FILE", help="the file of a Ledger")
    _add_pages(ledger.add_argument)
    text = "exit with status 1 if the last proposal was not confirmed"
    ledger.add_argument("--fail-unless-confirmed", action="store_true", help=text)
    ledger.set_defaults(command=_ledger)


def _add_form(add):
    text = "what separates columns of a CSV file: , ; | or tab (default: the one found)"
    add("--separator", metavar="CHAR", help=text)
    text = "what separates decimals in a CSV file: . (default) or ,"
    add("--decimal", metavar="CHAR", default=".", help=text)
    text = "there is a column for each model: every one that no option names"
    add("--wide", action="store_true", help=text)
    text = "with --wide, a column that is no model; can be given several times"
    add("--ignore", metavar="COLUMN", action="append", default=[], help=text)


def _add_columns(add):
    for name, text in COLUMNS.items():
        add(f"--{name}", metavar="COLUMN", help=f"column of {text}")


def _add_choices(add):
    for name, sets in (("train", "training"), ("test", "test")):
        text = f"size of the {sets} sets, or the column that holds it"
        add(f"--n-{name}", metavar="N", help=text)
    add("--reference", metavar="NAME", help="compare all other models with this one")
    text = "a test such as KFoldTTest (default: chosen by the design)"
    add("--test", metavar="TEST", help=text)
    text = "scores (or losses) are in percent: 92.1 for an accuracy of 0.921"
    add("--percent", action="store_true", help=text)
    text = "level of decisions (default: 0.05)"
    add("--alpha", type=_number, default=0.05, help=text)
    text = f"{', '.join(ADJUSTMENTS)} or none (default: holm)"
    add("--p-adjust", metavar="METHOD", default="holm", help=text)


def _add_pages(add):
    add("--html", metavar="OUT", help="write a page with everything")
    add("--json", metavar="OUT", help="write the numbers; - for stdout")


def _add_output(add):
    _add_pages(add)
    text = "exit with status 1 if a model is significantly worse than --reference"
    add("--fail-if-worse", action="store_true", help=text)
    text = "exit with status 0, 1 or 3 as no model is worse than --reference by more"
    text += " than M (in units of the score or loss), one is, or that is not known"
    add("--margin", metavar="M", type=_number, help=text)


def _compare(options):
    if options.fail_if_worse and options.reference is None:
        raise ValueError("--fail-if-worse needs --reference, the model to compare with")
    if options.margin is not None and options.reference is None:
        raise ValueError("--margin needs --reference, the model to compare with")
    found, gates = _found(options)
    if options.html and isinstance(found, dict):
        raise ValueError("--html is for one data set; leave --dataset out")
    by_dataset = found if isinstance(found, dict) else {"": found}
    if options.html:
        found.to_html(options.html)
    if options.json:
        _write_json(options.json, by_dataset, gates)
    if options.json != "-":
        parts = []
        for name, result in by_dataset.items():
            title = one_line(name)
            heading = f"{title}\n{'=' * len(title)}\n\n" if name else ""
            gate = f"\n{gates[name]}\n" if gates else ""
            parts.append(f"{heading}{result}\n{gate}")
        sys.stdout.write("\n".join(parts))
    if not options.fail_if_worse and not gates:
        return 0
    worse = [
        f"{loser} is significantly worse than {options.reference}"
        + f" on {name}" * bool(name)
        for name, result in by_dataset.items()
        for loser in _worse(result)
    ]
    if options.fail_if_worse and worse:
        sys.stderr.write(f"sklearn-cvtest: {one_line('; '.join(worse))}\n")
        return 1
    found = {gate.decision for gate in gates.values()}
    return 1 if "refuted" in found else 3 if "inconclusive" in found else 0


def _ledger(options):
    """Print a ledger; return 1 if it has to fail."""
    from ._ledger._history import read_history

    history = read_history(options.file)
    if options.html:
        history.to_html(options.html)
    if options.json:
        _write_text(options.json, history.to_json())
    if options.json != "-":
        sys.stdout.write(f"{history}\n")
    is_confirmed = history.entries[-1].decision == "confirmed"
    return int(options.fail_unless_confirmed and not is_confirmed)


def _found(options):
    """Return the comparison, or those by data set, and their gates by data set.

    Warnings go to standard error, each once.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = _compared(
            _read(options),
            options,
            percent=options.percent,
            test=_test(options.test),
            reference=options.reference,
            p_adjust=None if options.p_adjust == "none" else options.p_adjust,
            alpha=options.alpha,
        )
        gates = {}
        if options.margin is not None:
            by_dataset = found if isinstance(found, dict) else {"": found}
            gates = {name: r.gate(options.margin) for name, r in by_dataset.items()}
    for message in dict.fromkeys(str(warning.message) for warning in caught):
        sys.stderr.write(f"sklearn-cvtest: warning: {message}\n")
    return found, gates


def _read(options):
    """Return the columns of the file."""
    path = options.file
    form = {
        "separator": {"tab": "\t", "\\t": "\t"}.get(
            options.separator, options.separator
        ),
        "decimal": options.decimal,
    }
    columns = read_table(path, **form)
    if not options.wide:
        if options.ignore:
            raise ValueError("--ignore is for --wide; leave it out")
        _find_columns(options, columns)
        return columns
    options.fold = options.fold or "fold"
    if options.score is None and options.loss is None:
        options.score = "score"
    of_rows = {name: getattr(options, name) for name in COLUMNS}
    of_rows |= {"n_train": options.n_train, "n_test": options.n_test}
    named = {check_column("--ignore", name, columns) for name in options.ignore}
    for name in of_rows.keys() - {"model", "score", "loss"}:
        given = of_rows[name]
        if isinstance(_size(given), str) and (
            name != "fold" or _levels(given, columns)
        ):
            named.add(check_column(f"--{name}", given, columns))
    options.model = "model"
    models = [name for name in columns if name not in named]
    value = options.loss if options.score is None else options.score
    return read_table(path, **form, wide=models, value=value)


def _find_columns(options, columns):
    """Take columns that are not named, and say which."""
    roles = [*COLUMNS, "n_train", "n_test"]
    given = {role: getattr(options, role) for role in roles}
    found = found_columns(columns, given)
    taken = []
    for role, column in found.items():
        if given[role] is None and column is not None:
            setattr(options, role, column)
            if column != role:
                taken.append(f"--{role.replace('_', '-')} {shlex.quote(str(column))}")
    options.model = options.model or "model"
    options.fold = options.fold or "fold"
    if taken:
        sys.stderr.write(f"sklearn-cvtest: taken: {printable(' '.join(taken))}\n")


def _compared(table, options, **choices):
    """Compare by folds, or, without such a column, by examples of one test set."""
    columns = {name: getattr(options, name) for name in COLUMNS}
    run, fold = columns.pop("run"), columns["fold"]
    is_one_set = _levels(fold, table) < 2
    if (
        columns["dataset"]
        and columns["example"] is run is None
        and not _levels(fold, table)
    ):
        return _over_datasets(table, options, **choices)
    if run is None and not (is_one_set and columns["example"]):
        sizes = {"n_train": _size(options.n_train), "n_test": _size(options.n_test)}
        return compare_table(table, **columns, **sizes, **choices)
    if columns["example"] is None:
        raise ValueError("--run needs --example, the column with the test examples")
    of_folds = ["repeat", "dataset"] + ["fold"] * (not is_one_set)
    for name in [*of_folds, "n_train", "n_test"]:
        if getattr(options, name) is not None:
            option = f"--{name.replace('_', '-')}"
            raise ValueError(f"{option} is not for runs on one test set; leave it out")
    columns = {name: columns[name] for name in columns.keys() - {"fold", *of_folds}}
    from . import compare_scores

    return compare_scores(table, **columns, run=run, **choices)


def _over_datasets(table, options, **choices):
    """Compare by one number for each data set and model."""
    from . import compare_over_datasets

    for name in ("margin", "fail_if_worse"):
        if getattr(options, name):
            option = f"--{name.replace('_', '-')}"
            raise ValueError(f"{option} is for one data set; leave it out")
    columns = {name: getattr(options, name) for name in COLUMNS}
    given = {name: column for name, column in columns.items() if column is not None}
    return compare_over_datasets(Columns(table), **given, **choices)


def _levels(name, table):
    """Return how many values a column has, 0 if there is none of that name."""
    try:
        return len(set(table[check_column("--fold", name, table)]))
    except ValueError:
        return 0


def _number(text):
    """Return text as a number; "0_9", which Python reads as 9, is none."""
    if "_" in text:
        raise ValueError
    return float(text)


def _size(text):
    """Return a number of examples, or the name of a column."""
    return int(text) if text is not None and text.isdecimal() else text


def _test(name):
    if name is None:
        return None
    kind = package_test(name)
    if kind is None:
        hint = nearest(name, test_names())
        raise invalid(
            "--test", "the name of a test such as KFoldTTest", name, hint=hint
        )
    try:
        return kind()
    except TypeError:
        raise invalid("--test", "a test that needs no arguments", name) from None


def _worse(result):
    """Return the names of the models that are worse than the reference."""
    (table,) = result.tables.values()
    lost = table.winner == table.first
    return [table.names[other] for other in table.second[lost]]


def _write_json(path, by_dataset, gates):
    content = {name: result.to_dict() for name, result in by_dataset.items()}
    for name, gate in gates.items():
        content[name]["gate"] = gate.to_dict()
    content = content[""] if list(content) == [""] else {"datasets": content}
    _write_text(path, json_text(content))


def _write_text(path, text):
    if path == "-":
        sys.stdout.write(text)
        return
    write_json(path, text)


if __name__ == "__main__":
    sys.exit(main())
