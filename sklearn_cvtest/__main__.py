"""The command `sklearn-cvtest`: is this model really better than that one?

Reads an existing table of scores of cross-validation or of test examples, tests the
differences between the models, with a test that accounts for the overlap of training
sets, and says in a sentence what was found. Nothing is fitted.

The file is read as a tool or a person wrote it: a row for each model and fold,

    model,fold,accuracy
    forest,0,0.951
    ...
    tree,9,0.917

a column for each model or fold, data sets × models, predictions beside a column
"y_true", the results of a search (cv_results_), WEKA, mlr3, sktime, the AutoML
benchmark, or the logs of inspect-ai, lm-evaluation-harness and promptfoo. A line on
standard error says which layout was taken. What no layout says is not guessed but
asked, with the command to type. Name all files if a tool wrote one for each model.

examples:
  %(prog)s scores.csv --n-train 900 --n-test 100
      all pairs of models; with the sizes of the training and test sets
  %(prog)s scores.csv --score accuracy --repeat run --html report.html
      ten repeats of ten folds; a page to send to others
  %(prog)s seeds.csv --run seed
      one test set, with a row for each model and run: about new runs on this test set
  %(prog)s scores.csv --reference production --fail-if-worse
      in a build: fails (exit status 1) if a model is significantly worse than the one
      called "production"
  %(prog)s scores.csv --example id --run seed --reference production --margin 0.01
      one test set, with a row for each model, run and example: passes only if every
      model is shown not to be worse than "production" by more than 0.01 (one point)

exit status:
  0  the comparison was made
  1  with --fail-if-worse, a model is significantly worse than --reference; with
     --margin, one is worse by more than that
  2  the file or an option is not as described; a line on standard error says why
  3  with --margin, it is not known whether some model is worse by more than that
"""

import argparse
import os
import re
import shlex
import sys
import warnings

from ._files._compare_file import answer, is_over_datasets, read_answerable
from ._inference._multiplicity import METHODS
from ._inference._traits import TESTS
from ._report._as_text import json_text
from ._results._assertions import worse_than
from ._store._array_files import write_json
from ._tables._unclear import UnclearRolesWarning, UnclearTableError
from ._validation import invalid, nearest, one_line, printable
from ._version import __version__

__all__ = ["main"]


def main(arguments=None):
    """Run the command.

    Parameters
    ----------
    arguments : list of str, default=None
        The arguments; None takes the arguments of the process.

    Returns
    -------
    status : int
        0; 1 if a model is worse and this was to fail; 2 for bad input; 3 if that is not
        known.
    """
    options = _parser().parse_args(arguments)
    options.typed = sys.argv[1:] if arguments is None else list(arguments)
    for stream in (sys.stdout, sys.stderr):  # what an encoding lacks, as its escape
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        refuse_inputs(options)
        status = options.command(options)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # who reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except UnclearTableError as error:
        _say(printable(one_line(error.as_command(options.typed))))
        return 2
    except Exception as error:
        _say(printable(_shown(error, options)))
        return 2


def _shown(error, options):
    """Return an error on one line that names the files, with its type if it is odd."""
    text = " ".join(str(error).split())
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'standard output'}: {error.strerror}"
    if isinstance(error, (ImportError, TypeError, ValueError)):
        text = in_options(text)
    else:
        text = f"{type(error).__name__}: {text}"
    files = [os.path.basename(file) for file in getattr(options, "files", ())]
    if all(file in text for file in files):
        return text
    return f"{', '.join(files)}: {text}"


def refuse_inputs(options):
    """Refuse to write a file that is read."""
    for option in ("html", "json"):
        path = getattr(options, option)
        is_there = path not in (None, "-") and os.path.exists(path)
        inputs = options.files if hasattr(options, "files") else [options.file]
        inputs = [name for name in inputs if os.path.exists(name)]
        if is_there and any(os.path.samefile(path, name) for name in inputs):
            raise ValueError(f"--{option} {path} is the file that is read")


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        """Exit with a line that says what is wrong."""
        self.exit(2, f"sklearn-cvtest: {message} (--help shows how)\n")


FILE = "a .csv, .tsv, .json, .jsonl (each also as .gz), .eval, .arff or .parquet file"
# Titles of groups: {option: (metavar, help)}.
COLUMNS = {
    "model": "names of the models",
    "score": "scores, greater is better",
    "loss": "losses, smaller is better",
    "fold": "folds, or splits",
    "repeat": "repeats of a repeated K-fold",
    "example": "test examples, if there is a row for each",
    "run": "runs on one test set, such as seeds, of which there are no folds",
    "group": "groups of examples, such as patients",
    "dataset": "data sets, over which models are compared",
    "y_true": "targets, beside predictions of each model, or of one; --score or "
    "--loss is then a metric such as roc_auc",
}
MARGIN = (
    "exit with status 0, 1 or 3 as no model is worse than --reference by more than M "
    "(in units of the score or loss, or a percentage such as 5%%), one is, or that is "
    "not known"
)
GROUPS: dict[str, dict[str, tuple[str | None, str]]] = {
    "how the file is written": {
        "separator": ("CHAR", "between columns: , ; | or tab (default: the one found)"),
        "decimal": ("CHAR", "within numbers: . or , (default: the one found)"),
        "wide": (None, "there is a column of scores for each model"),
        "ignore": ("COLUMN", "a column to leave out; can be given several times"),
    },
    "columns": {name: ("COLUMN", f"column of {of}") for name, of in COLUMNS.items()},
    "how to compare": {
        "n_train": ("N", "size of the training sets, or the column that holds it"),
        "n_test": ("N", "size of the test sets, or the column that holds it"),
        "cv": ("CV", "how the splits were made: 10 for 10-fold, 5x10 for 5 repeats"),
        "each_dataset": (None, "a comparison for each data set by its folds"),
        "missing": ("HOW", "where a model failed on a data set: drop, or worst: last"),
        "reference": ("NAME", "compare all other models with this one"),
        "test": ("TEST", "such as KFoldTTest (default: chosen by the design)"),
        "percent": (None, "scores are in percent: 92.1 for an accuracy of 0.921"),
        "alpha": ("ALPHA", "level of decisions (default: 0.05)"),
        "p_adjust": ("METHOD", f"{', '.join(METHODS)} or none (default: holm)"),
    },
    "output": {
        "html": ("OUT", "write a page with everything"),
        "json": ("OUT", "write the numbers; - for stdout"),
        "fail_if_worse": (None, "exit with status 1 if a model is significantly worse"),
        "margin": ("M", MARGIN),
    },
}
OF_DESIGNS = "n_train", "n_test", "repeat"  # columns that make another test right
OPTIONS = {name for group in GROUPS.values() for name in group}
OF_FILES = sorted(OPTIONS - GROUPS["output"].keys())  # of `compare_file`


def _parser():
    description, *epilog_parts = re.split(r"\n\n(?=The file )", __doc__ or "")
    parser = _Parser(prog="sklearn-cvtest", description="Tests for cross-validation.")
    version = f"sklearn-cvtest {__version__}"
    parser.add_argument("--version", action="version", version=version)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    compare = commands.add_parser(
        "compare",
        help="compare models by a table of scores, losses or predictions",
        description=description,
        epilog="".join(epilog_parts),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    compare.add_argument("files", metavar="FILE", nargs="+", help=FILE)
    for title, options in GROUPS.items():
        _add(compare.add_argument_group(title), options)
    compare.set_defaults(command=_compare, alpha=0.05, p_adjust="holm", ignore=[])
    return parser


def _add(parser, options):
    """Add options; those without a metavar are flags."""
    for name, (metavar, text) in options.items():
        option = {"action": "store_true"}
        if metavar is not None:
            option_type = {"alpha": _number, "margin": _margin}.get(name, str)
            option = {"metavar": metavar, "type": option_type}
        if name == "ignore":
            option["action"] = "append"
        parser.add_argument(_option(name), help=text, **option)


def _compare(options):
    asks_reference = options.fail_if_worse or options.margin is not None
    if options.reference is None and asks_reference:
        needed = "--fail-if-worse and --margin need --reference"
        raise ValueError(f"{needed}, the model to compare with")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.simplefilter("error", UnclearRolesWarning)
        comparison = _compared(options)
        by_dataset = comparison if isinstance(comparison, dict) else {"": comparison}
        gates = {}
        if options.margin is not None:
            gates = {name: r.gate(options.margin) for name, r in by_dataset.items()}
    for message in dict.fromkeys(str(warning.message) for warning in caught):
        _say(f"warning: {in_options(message)}")
    if options.html and comparison is by_dataset:
        raise ValueError("--html is for one result; leave --each-dataset out")
    texts = []
    content = {}
    worse = []
    for name, result in by_dataset.items():
        title = one_line(name)  # the only one has no name
        text = f"{title}\n{'=' * len(title)}\n\n{result}\n" if name else f"{result}\n"
        content[name] = result.to_dict() if options.json else {}
        if name in gates:
            text += f"\n{gates[name]}\n"
            content[name]["gate"] = gates[name].to_dict()
        texts.append(text)
        if options.fail_if_worse:
            worse += worse_than(options.reference, result, name)
    content = {"datasets": content} if comparison is by_dataset else content[""]
    _put(options, comparison, json_text(content), "\n".join(texts))
    if worse:
        _say(one_line("; ".join(worse)))
    decisions = {gate.decision for gate in gates.values()}
    if worse or "refuted" in decisions:
        return 1
    return 3 if "inconclusive" in decisions else 0


def _put(options, result, content, text):
    """Write the page, and JSON, that were asked for; print the text, or JSON."""
    if options.html:
        result.to_html(options.html)
    if options.json not in (None, "-"):
        write_json(options.json, content)
    sys.stdout.write(content if options.json == "-" else text)


def _say(text):
    sys.stderr.write(f"sklearn-cvtest: {text}\n")


# What the file is compared by --------------------------------------------------------


def _compared(options):
    """Return the comparison that a layout is for, or a dict by data set."""
    typed = {name: getattr(options, name) for name in OF_FILES}
    typed["test"] = _test(options.test)
    typed["n_train"] = _size(options.n_train)
    typed["n_test"] = _size(options.n_test)
    if options.p_adjust.lower() == "none":
        typed["p_adjust"] = None
    table = read_answerable(options.files, typed)
    _say_taken(table, options)
    if options.fail_if_worse or options.margin is not None:
        typed["each_dataset"] |= {"fold", "dataset"} <= table.reading.roles.keys()
        if is_over_datasets(table, typed):
            raise ValueError("--fail-if-worse and --margin are for folds or examples")
    return answer(table, typed)


def _say_taken(table, options):
    """Say in one line which layout was taken, with which columns."""
    reading = table.reading
    roles = [
        f"{_option(role)} {shlex.quote(str(column))}"
        for role, column in reading.named.items()
        if getattr(options, role, "") is None and (column != role or role in OF_DESIGNS)
    ]
    text = reading.layout.name
    if table.predictions:
        text += f" ({', '.join(table.predictions)})"
    if roles:
        text += f" ({' '.join(roles)})"
    if reading.percent and not options.percent:
        text += "; numbers are percent"
    if table.left_out:
        text += f"; left out: {', '.join(table.left_out)}"
    _say(printable(one_line(f"taken: {text}")))


# Options -----------------------------------------------------------------------------

CALL = re.compile(r"compare_\w+\(\w+(?:, )?([^()]*)\)")
ARGUMENT = re.compile(r",? ?\b(\w+)=('[^']*'|True|0\.01|\[\.\.\.\])")
PARAMETER = re.compile(r"`(\w+)(?:\[('.*?')\])?`")


def in_options(text):
    """Return a message with options in place of calls, arguments and parameters."""
    text = text.replace("compare_predictions(y_true, predictions)", "--y-true COLUMN")
    text = text.replace(" to compare_file", "")
    text = re.sub(
        r"(?<=\.) [^.]*\bresponse='[^.]*\.", "", text
    )  # for which there is none
    text = ARGUMENT.sub(_argument, CALL.sub(r"\1", text))
    return printable(PARAMETER.sub(_parameter, text))


def _argument(match):
    name, value = match.groups()
    if value.startswith("'"):
        value = f" {shlex.quote(value[1:-1])}"
    else:
        value = f" {value}" if value == "0.01" else ""
    return f" {_option(name)}{value}"


def _parameter(match):
    name, column = match.groups()
    if column:
        return f"column {column}"
    return _option(name) if name in OPTIONS else f"the {name}"


def _option(name):
    """Return the option of a parameter."""
    return f"--{name.replace('_', '-')}"


def _number(text):
    """Return text as a number; "0_9", which Python reads as 9, is none."""
    try:
        if "_" in text:
            raise ValueError
        return float(text)
    except ValueError:
        message = f"must be a number such as 0.01; got {text!r}"
        raise argparse.ArgumentTypeError(message) from None


def _margin(text):
    """Return a percentage as text, anything else as a number."""
    if text.endswith("%"):
        return text
    try:
        return _number(text)
    except argparse.ArgumentTypeError:
        allowed = "a number such as 0.01, or a percentage such as 5%"
        message = f"must be {allowed}; got {text!r}"
        raise argparse.ArgumentTypeError(message) from None


def _size(text):
    """Return a number of examples, or the name of a column."""
    return int(text) if text is not None and text.isdecimal() else text


def _test(name):
    if name is None:
        return None
    test_class = TESTS.get(name)
    try:
        return test_class()
    except TypeError:  # also of None
        allowed = "a test that needs no arguments, such as KFoldTTest"
        hint = "" if test_class else nearest(name, TESTS)
        raise invalid("test", allowed, name, hint=hint) from None


if __name__ == "__main__":
    sys.exit(main())
