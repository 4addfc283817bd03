"""The command `sklearn-cvtest`: a table of scores, or a ledger, in; the verdict out."""

import argparse
import os
import sys
import warnings

from ._inference._multiplicity import ADJUSTMENTS
from ._inference._traits import package_test, test_names
from ._ledger._history import read_history
from ._report._as_json import json_text
from ._report._doctor import doctor_lines
from ._sources._compare_scores import compare_scores
from ._sources._compare_table import compare_table
from ._sources._doctor import diagnose, of_logs
from ._sources._inspect_logs import is_inspect, read_inspect
from ._sources._lm_eval_logs import is_lm_eval, read_lm_eval
from ._sources._tables import check_column, read_table
from ._validation import invalid, nearest, printable
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

"sklearn-cvtest doctor FILE" says what a file supports, and the command to type.

examples:
  %(prog)s scores.csv --score accuracy --n-train 900 --n-test 100
      all pairs of models, with the sizes of the training and test sets
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
  %(prog)s logs --scorer match
      logs of inspect-ai or lm-evaluation-harness; epochs and seeds are runs

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
    files = getattr(options, "files", None) or [getattr(options, "file", None)]
    for option in ("html", "json"):
        path = getattr(options, option, None)
        if path in (None, "-") or not os.path.exists(path):
            continue
        for file in filter(None, files):
            if os.path.exists(file) and os.path.samefile(path, file):
                raise ValueError(f"--{option} {path} is the file that is read")


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        """Exit with a line that says what is wrong."""
        self.exit(2, f"sklearn-cvtest: {message} (--help shows how)\n")


FILES = (
    "a .csv, .tsv, .jsonl (each also as .gz) or .parquet file; or logs, or folders "
    "with logs, of inspect-ai (.eval, .json) or lm-evaluation-harness (samples_*.jsonl)"
)
COLUMNS = {  # option, which is an argument of compare_table: default, help
    "model": ("model", "names of the models"),
    "score": (None, "scores, greater is better (default: 'score')"),
    "loss": (None, "losses, smaller is better (default: 'loss')"),
    "fold": ("fold", "folds, or splits"),
    "repeat": (None, "repeats of a repeated K-fold"),
    "example": (None, "test examples, if there is a row for each"),
    "run": (None, "runs on one test set, such as seeds; needs --example, no folds"),
    "group": (None, "groups of examples, such as patients"),
    "dataset": (None, "data sets, each compared by itself"),
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
    add("files", metavar="FILE", nargs="+", help=FILES)
    _add_form(compare.add_argument_group("how the file is written").add_argument)
    _add_log_choices(compare.add_argument_group("logs").add_argument)
    _add_columns(compare.add_argument_group("columns").add_argument)
    _add_choices(compare.add_argument_group("how to compare").add_argument)
    _add_output(compare.add_argument_group("output").add_argument)
    compare.set_defaults(command=_compare)
    text = "say what a file supports, what is missing, and what to type"
    doctor = commands.add_parser("doctor", help=text, description=text.capitalize())
    doctor.add_argument("files", metavar="FILE", nargs="+", help=FILES)
    _add_log_choices(doctor.add_argument_group("logs").add_argument)
    doctor.set_defaults(command=_doctor)
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


def _add_log_choices(add):
    text = "the scorer, or metric, if logs have several"
    add("--scorer", "--metric", metavar="NAME", help=text)
    text = "the task, if logs have several; given several times, all of these"
    add("--task", metavar="NAME", action="append", help=text)
    text = "the filter of answers of lm-evaluation-harness, if logs have several"
    add("--filter", metavar="NAME", help=text)
    text = "what to do with examples without a score: error (default), drop or zero"
    add("--missing", metavar="WHAT", default="error", help=text)


def _add_columns(add):
    for name, (default, text) in COLUMNS.items():
        shown = f"{text} (default: '{default}')" if default else text
        add(f"--{name}", metavar="COLUMN", default=default, help=f"column of {shown}")


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
    if options.html and options.dataset:
        raise ValueError("--html is for one data set; leave --dataset out")
    found, gates = _found(options)
    by_dataset = found if isinstance(found, dict) else {"": found}
    if options.html:
        found.to_html(options.html)
    if options.json:
        _write_json(options.json, by_dataset, gates)
    if options.json != "-":
        parts = []
        for name, result in by_dataset.items():
            heading = f"{name}\n{'=' * len(name)}\n\n" if name else ""
            gate = f"\n{gates[name]}\n" if gates else ""
            parts.append(f"{heading}{result}\n{gate}")
        sys.stdout.write("\n".join(parts))
    worse = [
        f"{loser} is significantly worse than {options.reference}"
        + f" on {name}" * bool(name)
        for name, result in by_dataset.items()
        for loser in _worse(result)
    ]
    if options.fail_if_worse and worse:
        sys.stderr.write(f"sklearn-cvtest: {'; '.join(worse)}\n")
        return 1
    found = {gate.decision for gate in gates.values()}
    return 1 if "refuted" in found else 3 if "inconclusive" in found else 0


def _ledger(options):
    """Print a ledger; return 1 if it has to fail."""
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


def _read_logs(options):
    """Return the table of logs, whose columns have their own names."""
    choices = {"task": options.task, "missing": options.missing}
    if is_lm_eval(options.files[0]):
        read, choices["metric"] = read_lm_eval, options.scorer
        choices["filter"] = options.filter
    else:
        read, choices["scorer"] = read_inspect, options.scorer
    table = read(options.files, group=options.group, **choices)
    options.model, options.example, options.run = "model", "example", "run"
    options.group = "group" if options.group else None
    return table


def _read(options):
    """Return the columns of the file, or the table of logs."""
    path, *more = options.files
    if is_lm_eval(path) or is_inspect(path):
        return _read_logs(options)
    if more:
        raise ValueError(f"several files are for logs only; got {path!r} and others")
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
        return columns
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


def _doctor(options):
    """Print what is said of a file."""
    parse, path = _parser().parse_args, options.files[0]
    if is_lm_eval(path) or is_inspect(path):
        chosen = [("--scorer", options.scorer), ("--filter", options.filter)]
        chosen += [("--task", name) for name in options.task or ()]
        chosen += [("--missing", options.missing)] * (options.missing != "error")
        chosen = [part for pair in chosen if pair[1] for part in pair]
        given = [*options.files, *chosen]
        found = of_logs(given, _read(parse(["compare", *given])))
    else:
        found = diagnose(*options.files)
    result = error = None
    given = parse(["compare", *found.arguments])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = _compared(_read(given), given, percent=given.percent)
    except (TypeError, ValueError) as caught:
        error = caught
    if isinstance(result, dict):  # of several data sets
        result = next(iter(result.values()))
    sys.stdout.write("\n".join([*doctor_lines(found, result, error), ""]))
    return 0 if error is None else 2


def _compared(table, options, **choices):
    """Compare by folds, or, without such a column, by examples of one test set."""
    columns = {name: getattr(options, name) for name in COLUMNS}
    run, fold = columns.pop("run"), columns["fold"]
    is_one_set = _levels(fold, table) < 2
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
    return compare_scores(table, **columns, run=run, **choices)


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
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    sys.exit(main())
