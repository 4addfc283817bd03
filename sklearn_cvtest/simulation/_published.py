"""The numbers of the papers."""

import json
from importlib.resources import files


def load_published():
    """Load the published tables that the examples reproduce.

    Returns
    -------
    published : dict
        A dict for each key of paper and table, such as "GB06-table2" (Grandvalet &
        Bengio 2006), with its "source" (the citation) and numbers or claims.

    Examples
    --------
    >>> from sklearn_cvtest.simulation import load_published
    >>> load_published()["GB06-table2"]["letter"]["rho"][0]
    52.45
    """
    text = files(__package__).joinpath("published.json").read_text(encoding="utf-8")
    return json.loads(text)
