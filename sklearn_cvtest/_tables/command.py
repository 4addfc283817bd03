"""Compare models by files of their scores, losses or predictions.

sklearn-cvtest compare scores.csv, where scores.csv is, for example,

  model,fold,accuracy
  forest,0,0.95
  tree,0,0.91

Files of many tools are known by their columns: a line "taken: ..." says as what a file
was read. What it does not say is asked, with the command to type. Nothing is fitted.

exit status:
  0  the comparison was made
  1  with --fail-if-worse a model is significantly worse than --reference; with
     --margin one is worse by more than that
  2  not answered: a line on standard error says why, or asks
  3  with --margin, it is not known whether a model is worse by more than that
"""

import argparse
import json
import os
import re
import sys
import warnings

from .._compat import write_file
from .._inference import ALL_TESTS, HoldoutTTest
from .._questions import TableError, with_files
from .._version import __version__
from .answers import ROLE_OPTIONS, answer_of_files

TEXTS = {
    "score": "the column of scores (greater is better), or what they are called",
    "loss": "the column of losses (smaller is better), or what they are called",
    "cv": "how splits were made: 10 for 10-fold, 5x10 for 5 repeats",
    "n_train": "size of the training sets",
    "n_test": "size of the test sets",
    "separator": "between columns (default: as found)",
    "decimal": "within numbers, . or , (default: as found)",
    "missing": "a model without a result on a data set: drop, or worst",
    "reference": "the model that all others are compared with",
    "test": "such as KFoldTTest (default: by the design)",
    "p_adjust": "holm, bonferroni, hochberg, fdr_bh or none (default: holm)",
    "alpha": "level of the tests (default: 0.05)",
    "margin": "0.01 or 5%%: show that no model is worse than --reference by more",
    "html": "write a page",
    "json": "write the numbers; - for standard output",
}


def _margin(text):
    """Return a margin as a number, or a percentage as it is."""
    try:
        return float(text)
    except ValueError:
        return text


KINDS = {
    "n_train": {"type": int},
    "n_test": {"type": int},
    "alpha": {"type": float},
    "margin": {"type": _margin},
    "missing": {"choices": ["drop", "worst"]},
    "decimal": {"choices": [".", ","]},
}
NO_OPTIONS = ("files", "command", "html", "json", "fail_if_worse", "margin")


def main(arguments=None):
    """Run the command and return the exit status."""
    options = vars(_parser().parse_args(arguments))
    typed = {name: value for name, value in options.items() if name not in NO_OPTIONS}
    try:
        return _compare(options, typed)
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except TableError as question:
        _say(question.command(options["files"], typed))
    except Exception as error:  # whatever a file leads to: one line, with its name
        text = str(error)
        if not isinstance(error, (ValueError, OSError, ImportError)):
            text = f"{type(error).__name__}: {error}"
        for name in options:  # as they are typed
            text = text.replace(f"`{name}`", _option(name))
            text = re.sub(rf"\b{name}=", f"{_option(name)} ", text)
        _say(with_files(options["files"], text))
    return 2


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"sklearn-cvtest: {message}\n")


def _parser():
    parser = _Parser(prog="sklearn-cvtest")
    version = f"sklearn-cvtest {__version__}"
    parser.add_argument("--version", action="version", version=version)
    commands = parser.add_subparsers(dest="command", required=True)
    compare = commands.add_parser(
        "compare",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    compare.add_argument("files", nargs="+", metavar="FILE")
    columns = compare.add_argument_group("columns")
    plurals = {"dataset": "data sets", "y_true": "true values"}
    for role in ROLE_OPTIONS:
        text = f"the column of {plurals.get(role, role + 's')}, or ROWS"
        columns.add_argument(_option(role), metavar="COLUMN", help=text)
    columns.add_argument(
        "--ignore",
        metavar="COLUMN",
        action="append",
        default=[],
        help="a column to leave out",
    )
    for name, text in TEXTS.items():
        compare.add_argument(_option(name), help=text, **KINDS.get(name, {}))
    compare.add_argument("--fail-if-worse", action="store_true", help="see exit status")
    return parser


def _option(name):
    return f"--{name.replace('_', '-')}"


def _say(text):
    _write_line(sys.stderr, f"sklearn-cvtest: {' '.join(str(text).split())}")


def _write_line(stream, text):
    """Write a line to a stream whose encoding may lack some of its characters."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    stream.write(text.encode(encoding, "replace").decode(encoding) + "\n")
    stream.flush()


def _compare(options, typed):
    """Print, or write, what was found; return the exit status."""
    is_gate = options["margin"] is not None or options["fail_if_worse"]
    if is_gate and options["reference"] is None:
        raise ValueError("--margin and --fail-if-worse need --reference")
    _refuse_inputs(options)
    test = typed["test"] and _test(typed["test"])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result, description = answer_of_files(options["files"], typed | {"test": test})
        gate = None
        texts = [str(result)]
        if options["margin"] is not None:
            gate = _gate(result, options["margin"])
            texts.append(str(gate))
    _say(f"taken: {description}")
    for message in dict.fromkeys(str(warning.message) for warning in caught):
        _say(f"warning: {message}")
    _write(result, gate, "\n\n".join(texts), options)
    decisions = set() if gate is None else set(gate.decisions.values())
    if options["fail_if_worse"]:
        decisions |= {row.decision for row in result.models.rows}
    if decisions & {"worse", "refuted"}:
        return 1
    return 3 if "inconclusive" in decisions else 0


def _refuse_inputs(options):
    """Raise where a file that is read would be written."""
    for name in ("html", "json"):
        path = options[name]
        if path in (None, "-") or not os.path.exists(path):
            continue
        if any(os.path.samefile(path, file) for file in options["files"]):
            raise ValueError(f"--{name} {path} is a file that is read")


def _test(name):
    names = [name for name in ALL_TESTS if name != "EquivalenceTest"]  # see --margin
    if name not in names:
        raise ValueError(f"--test must be one of {', '.join(names)}; got {name}")
    return ALL_TESTS[name]()


def _gate(result, margin):
    if not hasattr(result, "gate"):
        raise ValueError("--margin is for folds, runs and examples")
    if not result.test.is_directed:  # McNemar's, of no difference alone
        result = result.retest(HoldoutTTest())
    return result.gate(margin)


def _write(result, gate, text, options):
    """Write the page and the numbers that were asked for, and print the text."""
    if options["html"]:
        result.to_html(options["html"])
    if options["json"]:
        content = result.to_dict() | ({"gate": gate.to_dict()} if gate else {})
        content = json.dumps(content, indent=2, ensure_ascii=False)
        if options["json"] == "-":
            text = content
        else:
            write_file(options["json"], content)
    _write_line(sys.stdout, text)


if __name__ == "__main__":
    sys.exit(main())
