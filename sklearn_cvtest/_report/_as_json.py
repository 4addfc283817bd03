"""The numbers of a result as JSON."""

import json
import math

import numpy as np

from ._versions import versions


def json_text(content):
    """Return a dict as JSON, with the versions of the libraries."""
    content = content | {"versions": versions()}
    text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    if text.replace("\n", "").isprintable():
        return text
    # what would not be seen, or turn the text around, in a terminal
    shown = (c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)
    return "".join(shown)


def json_content(document, columns):
    """Return what was found, and a dict for each row of the columns, as JSON types."""
    values = (_plain(list(column)) for column in columns.values())
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]
    return _plain(document.findings()) | {document.rows: rows}


def _plain(value):
    """Return a value as JSON types; numbers that are not finite are None."""
    if isinstance(value, dict):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return list(map(_plain, value))
    return None if isinstance(value, float) and not math.isfinite(value) else value
