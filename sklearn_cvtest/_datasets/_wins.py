"""Wins, ties and losses against a baseline over data sets, as WEKA prints them."""

import numpy as np

from .._report._document import Cell, PaperTable, Sentence, Table
from .._report._format import format_by_unit, short_names
from .._report._measure import measure_of, minus, without_noise

MISSING = "-"
IN_PRINT, IN_PAPERS = ("o", "*"), ("∘", "•")  # better, worse
LEGEND = "{} significantly better, {} significantly worse than {}"
LAST_ROW = "the last row counts better, neither, and worse"


def wins_blocks(result, position, longest=None):
    """Return the table of data sets by estimators, with marks against a baseline.

    With `longest`, names at the heads of columns have at most as many characters.
    """
    headers, rows = _cells(result, position, IN_PRINT)
    legend = f"Mean {_word(result)}; "
    legend += _legend(result, IN_PRINT, headers[1]) + f"; {LAST_ROW}."
    if longest is not None:
        headers = short_names(headers, longest)
    texts = [[*map(_text, row[:2]), *map(_marked, row[2:])] for row in rows]
    align = "<" + ">" * (len(headers) - 1)
    table = Table(headers, texts, align, label="Data sets")
    return table, Sentence(legend, "legend")


def _text(cell):
    return cell.text


def _marked(cell):
    """Return a cell with its mark, or a blank, so that numbers stay aligned."""
    return cell.text if cell.text.startswith("(") else f"{cell.text} {cell.mark or ' '}"


def wins_paper_table(result, position):
    """Return the same as a table for a paper."""
    headers, rows = _cells(result, position, IN_PAPERS)
    note = (
        f"Mean {_word(result)} on {len(result.datasets)} data sets. "
        f"{_legend(result, IN_PAPERS, headers[1])}, at the {100 * result.alpha:g}% "
        f"level, not adjusted; {LAST_ROW}."
    )
    if not result.has_errors:
        note = f"{_word(result).capitalize()} on {len(result.datasets)} data sets. "
        note += _legend(result, IN_PAPERS, headers[1]) + f"; {LAST_ROW}."

    return PaperTable(["Data set", *headers[1:]], rows, note, n_footer=1)


def _legend(result, signs, baseline):
    legend = LEGEND.format(*signs, baseline)
    return legend if result.has_errors else legend.replace("significantly ", "")


def _word(result):
    """Return what means are of."""
    measures = {measure_of(losses) for losses in result.losses.values()}
    return measures.pop().header if len(measures) == 1 else "loss"


def _cells(result, position, signs):
    """Return headers and rows of cells: the baseline first, then the others.

    The last row holds wins, ties and losses; what is missing is none of these.
    """
    values, names = result.mean_losses, result.estimator_names
    others = [column for column in range(len(names)) if column != position]
    known = np.isfinite(values) & np.isfinite(values[:, [position]])
    marks = np.where(known, result.marks_against(position), 0)
    better, worse = signs
    signs = {1: better, 0: "", -1: worse}
    texts = _texts(result)
    rows = [
        [
            Cell(dataset),
            Cell(_known(texts[position][row])),
            *(
                Cell(_known(texts[column][row]), mark=signs[marks[row, column]])
                for column in others
            ),
        ]
        for row, dataset in enumerate(result.datasets)
    ]
    counts = ((marks == sign) & known for sign in (1, 0, -1))
    sums = np.array([count.sum(axis=0) for count in counts])
    totals = [Cell(f"({'/'.join(map(str, sums[:, column]))})") for column in others]
    rows.append([Cell(""), Cell(f"({better}/ /{worse})"), *totals])
    return ["", *(names[column] for column in (position, *others))], rows


def _texts(result):
    """Return the means of each estimator on each data set, in the user's sign."""
    measures = [measure_of(result.losses[name]) for name in result.datasets]
    signs = np.array([measure.sign for measure in measures])[:, np.newaxis]
    values = signs * result.mean_losses
    if all(measure.is_share for measure in measures):
        return [
            [f"{without_noise(100 * v):.1f}" for v in column] for column in values.T
        ]
    columns = format_by_unit(range(len(values)), *values.T, sizes=values)
    return [[minus(text) for text in column] for column in columns]


def _known(text):
    return MISSING if text == "nan" else text
