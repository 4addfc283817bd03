"""The papers that tests cite, by their first author and year."""

import functools
import json

from .._validation import packaged


@functools.cache
def _papers():
    return json.loads(packaged(__package__, "papers.json"))


def cite(*keys):
    """Return papers, each a text and "doi:...", "arXiv:..." or nothing."""
    return tuple(tuple(_papers()[key]) for key in keys)
