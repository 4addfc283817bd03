"""The papers that tests cite, by their first author and year."""

from .._validation import packaged_data


def cite(*keys):
    """Return papers, each a text and "doi:...", "arXiv:..." or nothing."""
    papers = packaged_data(__package__, "papers.json")
    return tuple(tuple(papers[key]) for key in keys)
