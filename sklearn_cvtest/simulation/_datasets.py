"""The two data sets of the papers, as two-class problems, and their numbers."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import numpy as np
from sklearn.datasets import fetch_covtype, fetch_openml

from .._typing import Any, Array, PathLike
from .._validation import check_flag, check_path, check_regular


def load_letter(
    folder: PathLike | None = None, *, binary: bool = True
) -> tuple[Array, Array]:
    """Load the UCI letter recognition data.

    Parameters
    ----------
    folder : str or os.PathLike, default=None
        Where `letter-recognition.csv` is: a header, then in each row the letter and 16
        features. None fetches the data from OpenML.
    binary : bool, default=True
        If true, the target is whether the letter is one of N to Z: two classes about
        as frequent, as the papers describe [1]_. Otherwise it is the letter.

    Returns
    -------
    X : ndarray of shape (20000, 16)
        The features.
    y : ndarray of shape (20000,)
        Whether the letter is one of N to Z, bool; or the letter, str.

    Raises
    ------
    TypeError
        If `folder` is not a path.

    References
    ----------
    .. [1] Y. Grandvalet and Y. Bengio, "Hypothesis Testing for
       Cross-Validation", Technical Report 1285, DIRO, Université de Montréal, 2006.
       Section 5.

    Examples
    --------
    >>> from sklearn_cvtest.simulation import load_letter
    >>> X, y = load_letter()  # doctest: +SKIP
    """
    check_flag("binary", binary)
    if folder is None:
        X, y = fetch_openml("letter", version=1, return_X_y=True, as_frame=False)
        y = np.asarray(y, dtype=str)
    else:
        path = Path(check_path("folder", folder)) / "letter-recognition.csv"
        check_regular("folder", path)
        table = np.loadtxt(path, delimiter=",", skiprows=1, dtype=str)
        y, X = table[:, 0], table[:, 1:].astype(float)
    return X, (y >= "N") if binary else y


def load_forest(folder: PathLike | None = None) -> tuple[Array, Array]:
    """Load the UCI forest cover type data, class 2 against the rest.

    Parameters
    ----------
    folder : str or os.PathLike, default=None
        Where `forest-cover.csv.gz` is, all 581,012 rows: a header, then in each row 54
        features and the cover type. Without it `forest-cover-15k.csv` is read, a sample
        of 15,000 rows in the same form. None fetches all rows.

    Returns
    -------
    X : ndarray of shape (n_samples, 54)
        The features.
    y : ndarray of shape (n_samples,)
        Whether the cover type is 2, bool.

    Raises
    ------
    TypeError
        If `folder` is not a path.

    Examples
    --------
    >>> from sklearn_cvtest.simulation import load_forest
    >>> X, y = load_forest()  # doctest: +SKIP
    """
    if folder is None:
        X, y = fetch_covtype(return_X_y=True)
    else:
        path = Path(check_path("folder", folder)) / "forest-cover.csv.gz"
        check_regular("folder", path)
        if not path.exists():
            path = path.with_name("forest-cover-15k.csv")
        table = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
        X, y = table[:, :-1], table[:, -1]
    return X, y == 2


def load_published() -> dict[str, Any]:
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
