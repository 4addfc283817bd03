"""What is kept in files that can hold no code: written, and read again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict

from .._typing import Any, PathLike, Self
from ._files import damaged, load_arrays, save_arrays


class Saved(ABC):
    """Writes itself to files that cannot contain executable code, and reads them.

    A class says how it is taken apart, by `to_parts`, and put together, by
    `_of_parts`.
    """

    @abstractmethod
    def to_parts(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return a header of JSON types and a dict of arrays, as files hold them.

        Returns
        -------
        header, arrays : dict
            What :meth:`from_parts` takes. Parameters that JSON does not know, such as
            estimators, are strings.

        Raises
        ------
        TypeError
            If a test is not one of this package.
        """

    @classmethod
    @abstractmethod
    def _of_parts(cls, path, header, arrays):
        """Make one of parts that are its own, with any error where they do not fit."""

    def save(self, path: PathLike) -> None:
        """Write a file that cannot contain executable code.

        Parameters
        ----------
        path : str or os.PathLike
            The file, replaced if it exists; if this is a symbolic link, the file that
            it leads to. An npz archive without pickles, with a JSON header.

        Raises
        ------
        TypeError
            If a test is not one of this package.
        """
        save_arrays(path, type(self).__name__, *self.to_parts())

    @classmethod
    def load(cls, path: PathLike) -> Self:
        """Read what :meth:`save` wrote; tests are fitted again, estimators are not.

        Parameters
        ----------
        path : str or os.PathLike
            The file.

        Returns
        -------
        found : Self
            The same, without fitted estimators.

        Raises
        ------
        ValueError
            If it is not such a file, or is damaged.
        """
        return cls.from_parts(path, *load_arrays(path, cls.__name__))

    @classmethod
    def from_parts(
        cls, path: PathLike, header: dict[str, Any], arrays: dict[str, Any]
    ) -> Self:
        """Make one from the parts of a file; tests are fitted again.

        Parameters
        ----------
        path : str or os.PathLike
            Where they come from, for errors.
        header, arrays : dict
            As :meth:`to_parts` returns them.

        Returns
        -------
        found : Self
            The same as was taken apart.

        Raises
        ------
        ValueError
            If they do not fit together.
        """
        try:
            return cls._of_parts(path, dict(header), dict(arrays))
        except (
            AttributeError,
            IndexError,
            KeyError,
            StopIteration,
            TypeError,
            ValueError,
        ) as error:
            raise damaged(path, cls.__name__, error) from None


def taken_apart(several):
    """Return the headers of several in a list, and the arrays of all in one dict."""
    headers, arrays = [], {}
    for number, saved in enumerate(several):
        header, own = saved.to_parts()
        headers.append(header)
        arrays |= {f"part{number}_{name}": array for name, array in own.items()}
    return headers, arrays


def by_number(arrays):
    """Return the arrays of each part by the names that they had, a list."""
    parts = defaultdict(dict)
    for key, array in arrays.items():
        number, _, name = key.removeprefix("part").partition("_")
        parts[int(number)][name] = array
    return [parts[number] for number in range(len(parts))]
