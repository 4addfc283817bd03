"""Cells of text: numbers, what is missing, and rows and columns that summarise."""

import re

import numpy as np

from ._compat import import_extra
from ._questions import TableError

MISSING = frozenset(
    [
        "na",
        "nan",
        "n/a",
        "n.a.",
        "n.a",
        "none",
        "null",
        "nil",
        "-",
        "–",
        "—",
        "--",
        "?",
        ".",
        "x",
        "failed",
        "fail",
        "failure",
        "error",
        "err",
        "oom",
        "dnf",
        "timeout",
        "t/o",
        "tle",
        "mem",
        "crash",
        "crashed",
        "missing",
        "n/d",
        "nd",
        "#n/a",
        "not_run",
    ]
) | {"", "time out", "out of memory", "did not finish", "not run"}
TRUTHS = {"true": "1", "false": "0"}
MARKS = "*_†‡§¶•°▲▼↑↓●○^ \u00a0$"  # of significance, and of the best in Markdown
SPREAD = re.compile(r"(±|\+/-|\+-|\().*$")  # "68.4 (7.1)", "0.81 ± 0.02"
THOUSANDS = re.compile(r"-?[1-9]\d{0,2}(,\d{3})+")
SUMMARY = re.compile(
    r"(macro|micro|weighted|grand|overall|total|geometric)?_?"
    r"(mean|avg|average|mittelwert|durchschnitt|moyenne|media|promedio|mittel|"
    r"median|std|sd|std_dev|stddev|stdev|se|sem|stderr|var|variance|min|max|"
    r"rank|ranks|ranking|rang|wins?|win_rate|w_t_l|wtl|ties|losses|total|totals|"
    r"sum|all|overall|gesamt|summe|count|best|worst|p|p_?values?|friedman|wilcoxon|"
    r"delta|diff|difference|gain|improvement|ci)"
    r"(_(of_)?(ranks?|accuracy|acc|auc|f1|error|score|value|wins?|dev|ties?|losses|"
    r"t|l|95|lower|upper|performance|all|diff))*"
)

# Columns that describe data sets or models, bound intervals or measure costs.
NO_MODEL = re.compile(
    r"ir|imbalance(_ratio)?|difficulty|(n|num|no|#)(_.*)?|size|samples|features|"
    r"instances|attributes|classes|ex|examples|index|year|domain|type|category|"
    r".*_(lo|hi|lower|upper|low|high)(_\d+)?|(lo|hi)_\d+|.*_p_value|rank_.*|"
    r"(fit|score|pred|train|test|run)_time|.*(time|secs|seconds|duration|runtime)|"
    r"tt_sec|time_.*|.*_?cost.*|params_b|.*params(_.*)?|threshold|price.*|"
    r"run|seed|step|epoch|iteration|fold|example|.*_(std|se|stderr|sd)|std_.*|date.*|"
    r"param_.*|mean_(test|train|fit|score)_.*|column_1"
)


def plain_name(name):
    """Return a header in lower case, its words joined by underscores."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(name))
    return re.sub(r"[^\w²%]+", "_", words.lower()).strip("_%")


def is_summary(name):
    """Whether a row or a column is called as a mean, a rank or a p-value is."""
    return SUMMARY.fullmatch(plain_name(name)) is not None or str(name).strip() == "±"


def holds_no_model(name):
    """Whether a column describes, summarises or bounds."""
    return bool(NO_MODEL.fullmatch(plain_name(name))) or is_summary(name)


def as_numbers(column, decimal=None, headers=None):
    """Return a column of texts as numbers, nan where a cell is missing.

    Parameters
    ----------
    column : pandas.Series
        Texts; the index has the numbers of the rows.
    decimal : str or None
        The sign before decimals; None: what the cells show.
    headers : Series or None
        The header of each cell, where columns of models stand below one another.

    Raises
    ------
    TableError
        If a cell is neither a number nor a known sign of what is missing, if some have
        a percent sign and others none, or if a comma may be a decimal or thousands.
    """
    pd = import_extra("pandas")

    values = pd.to_numeric(column, errors="coerce").to_numpy(np.float64, copy=True)
    unread = np.flatnonzero(~np.isfinite(values))
    texts = [str(cell).strip() for cell in column.iloc[unread]]
    decimal = decimal or _decimal_of(column.name, texts)
    for place, text in zip(unread, texts, strict=True):
        values[place] = _number(text, decimal)
        if np.isinf(values[place]):
            problem = "is no number and no known sign of a failed run, such as NA"
            raise _cell_error(column, headers, place, f"{text!r} {problem}")
    if decimal == ",":
        has_point = [("." in cell) and ("," not in cell) for cell in column.astype(str)]
        for place in np.flatnonzero(has_point):
            text = f"{column.iloc[place]!r} has a point, and decimals have commas"
            raise _cell_error(column, headers, place, text)
    has_sign = np.zeros(len(values), dtype=bool)
    has_sign[unread] = ["%" in SPREAD.sub("", text) for text in texts]
    is_number = np.isfinite(values)
    if has_sign.any() and not has_sign[is_number].all():
        place = np.flatnonzero(has_sign)[0]
        text = f"{column.iloc[place]!r} has a percent sign and other cells have none"
        raise _cell_error(column, headers, place, text)
    return values


def _cell_error(column, headers, place, text):
    """Return the error that names the row and the column of a cell."""
    name = column.name if headers is None else headers.iloc[place]
    return TableError(f"Row {column.index[place]}, column {name!r}: {text}")


def are_numbers(column):
    """Whether at least half of the filled cells of a column are numbers."""
    if column.dtype.kind in "iufb":
        return True
    cells = column.iloc[:: 1 + len(column) // 2000].drop_duplicates().astype(str)
    cells = cells[~cells.str.strip().str.lower().isin(MISSING)].head(200)
    if not len(cells):
        return False
    numbers = np.array([_number(cell.strip(), ",") for cell in cells])
    return np.isfinite(numbers).mean() >= 0.5


def _decimal_of(name, texts):
    """Return what separates the decimals of a column."""
    with_comma = [text for text in texts if "," in text]
    for text in with_comma:
        if "." in text:
            return max(",.", key=text.rfind)
    are_thousands = [THOUSANDS.fullmatch(text.strip(MARKS)) for text in with_comma]
    if with_comma and all(are_thousands):
        text = f"Does the comma of {with_comma[0]!r} in column {name!r} mark thousands"
        raise TableError(f"{text} (--decimal , if decimals)?", decimal=".")
    return "," if with_comma else "."


def _number(text, decimal):
    """Return a cell as a number: nan if it is missing, inf if it is neither."""
    text = TRUTHS.get(text.lower(), text)
    if text.lower() in MISSING:
        return np.nan
    text = SPREAD.sub("", text).strip(MARKS).removesuffix("%").strip(MARKS)
    text = text.replace("−", "-").replace(" ", "")
    is_comma_last = text.rfind(",") > text.rfind(".")
    if is_comma_last and decimal == ",":
        text = text.replace(".", "").replace(",", ".")
    text = text.replace(",", "")
    try:
        return float(text) if text.isascii() and "_" not in text else np.inf
    except ValueError:
        return np.inf
