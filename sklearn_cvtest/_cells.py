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
SPREAD = re.compile(r"(±|\+/-|\+-|[(\[]).*$")  # "68.4 (7.1)", "0.81 ± 0.02"
THOUSANDS = re.compile(r"-?[1-9]\d{0,2}(,\d{3})+")
# What rows and columns are called that summarise others; words beside that; and those
# that are names of models, too, such as vector autoregression.
SUMMARIES, BESIDE_SUMMARIES, MODELS = (
    frozenset(words.split())
    for words in (
        "mean means avg average averages mittelwert durchschnitt mittel schnitt ø ⌀ ∅ "
        "μ moyenne moyen media média promedio medio gemiddelde gem genomsnitt "
        "gjennomsnitt gennemsnit medelvärde keskiarvo średnia srednia průměr prumer "
        "átlag ortalama среднее средний 平均 平均値 平均值 均值 평균 geomean gmean "
        "medel snitt durchschn moy promed متوسط ממוצע "
        "hmean median mediane médiane mediana медиана 中央値 中位数 std sd stddev "
        "stdev stabw standardabweichung streuung écart ecart desviación desviacion "
        "desvio deviazione отклонение 标准差 標準偏差 σ se sem stderr var variance "
        "varianz min minimum max maximum rank ranks ranking rang ränge rango posto "
        "ранг 排名 順位 wins win siege victoires victorias vitórias vittorie победы "
        "draws ties losses wtl total totals totale gesamt summe sum suma soma somme "
        "итого всего 合計 总计 合计 all overall insgesamt count anzahl best worst w p "
        "pvalue pvalues pval friedman wilcoxon nemenyi delta δ diff difference "
        "differenz gain improvement ci iqr n",
        "geo geom of the over across on in macro micro weighted grand geometric "
        "arithmetic harmonic accuracy acc auc f1 error score scores value values "
        "performance datasets dataset data sets folds tasks number no dev deviation "
        "standard стандартное arithm estándar estandar padrão tipo type test w d t l "
        "tie loss lower upper",
        "var gain mean average avg median best worst all total sum max min overall se "
        "sd n p ci delta media count diff",
    )
)

# Columns that describe data sets or models, bound intervals or measure costs.
COUNTED = (
    "(samples|features|instances|attributes|classes|rows|columns|examples|ex|obs|"
    "observations|train|test|params|parameters|estimators|folds)_?"
)
NO_MODEL = re.compile(
    rf"ir|imbalance(_ratio)?|difficulty|((n|num|no|nr|number_of)_)?({COUNTED}){{1,2}}|n|"
    r"(.*_)?params(_(b|m|k|bn|millions?))?|((train|test|sample|model)_)?size|index|year|domain|type|"
    r"category|.*_(lo|hi|low|high)_\d+|.*_(lower|upper)(_.*)?|(lo|hi)_\d+|.*_p_value|"
    r"((fit|score|pred|predict|train|training|test|run|inference|wall|cpu|total)_)*"
    r"(time|secs|seconds|duration|runtime)(_(s|sec|secs|seconds|ms|min|h))?|tt_sec|"
    r"(.*_)?(costs?|price)(_(per.*|usd|eur|kg|kwh))?|threshold|run|seed|step|epoch|iteration|"
    r"fold|example|(.*_)?window|(rank|std|mean)_(test|train|fit|score)_.*|date(_.*)?|param_.*|"
    r"column_1"
)


def plain_name(name):
    """Return a header in lower case, its words joined by underscores."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(name))
    return re.sub(r"[^\w²%]+", "_", words.lower()).strip("_%")


def is_summary(name):
    """Whether a row or a column is called as a mean, a rank or a p-value is."""
    words = {word.strip("%") for word in plain_name(name).split("_")}
    words = {word for word in words if not word.isdecimal()}
    is_named = words <= SUMMARIES | BESIDE_SUMMARIES and words & SUMMARIES
    is_counts = len(words) > 2 and words <= set("wtdl")
    sign = str(name).strip()
    return bool(is_named) or is_counts or sign == "±" or sign.startswith("#")


def may_be_model(name):
    """Whether the name of a summary is that of models, too."""
    plain = plain_name(name)
    return plain in MODELS or re.search(r"\d", plain) is not None


def holds_no_model(name):
    """Whether a column describes, summarises or bounds, by its name alone."""
    is_summarised = is_summary(name) and not may_be_model(name)
    return is_summarised or NO_MODEL.fullmatch(plain_name(name)) is not None


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
    decimal = decimal or _decimal_of(column.name, texts, values)
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


def _decimal_of(name, texts, values):
    """Return what separates the decimals of a column."""
    texts = [SPREAD.sub("", text) for text in texts]
    with_comma = [text for text in texts if "," in text]
    for text in with_comma:
        if "." in text:
            return max(",.", key=text.rfind)
    are_thousands = [THOUSANDS.fullmatch(text.strip(MARKS)) for text in with_comma]
    if with_comma and all(are_thousands):
        others = np.abs(values[np.isfinite(values)])
        is_near = len(others) and np.median(others) > 30 * _number(with_comma[0], ",")
        text = f"Does the comma of {with_comma[0]!r} in column {name!r} mark thousands"
        text = f"{text} (--decimal .) or decimals (--decimal ,)?"
        raise TableError(text, decimal="." if is_near else ",")
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
