"""Files that cannot contain code: npz without pickles, and a JSON header with a digest.

What is cut off, damaged or foreign is refused. A digest is no signature: who makes a
new file can put in it what he likes, but no code.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import stat
import uuid
from abc import ABC, abstractmethod
from collections import defaultdict

import numpy as np

from .._typing import PathLike, Self
from .._validation import check_path, invalid, warn


def save_arrays(path, format_name, header, arrays):
    """Write a JSON header and arrays to `path`, completely or not at all."""
    arrays = {name: np.asarray(array) for name, array in arrays.items()}
    sizes = {name: (array.dtype.str, array.shape) for name, array in arrays.items()}
    form = {"format": f"sklearn_cvtest {format_name}", "version": 1, "arrays": sizes}
    header = json.loads(json.dumps(form | header, default=as_python))
    header["digest"] = content_digest(header, arrays)
    with written_whole(path, begins=b"PK") as file:
        np.savez_compressed(file, header=np.array(json.dumps(header)), **arrays)


@contextlib.contextmanager
def written_whole(path, *, begins):
    """Open a binary file that becomes `path` only when it is written completely.

    Until then it is next to it. A file that is replaced keeps its permissions; it must
    begin as such a file `begins`, or be empty. A link stays, and the file that it leads
    to is replaced.
    """
    path = check_path("path", path)
    goal = os.path.realpath(path) if os.path.islink(path) else path
    mode = _mode_of_regular(path, goal)
    if mode is not None:
        _refuse_foreign(path, goal, begins)
    part = f"{goal}.{uuid.uuid4().hex}.part"
    try:
        with open(part, "xb") as file:
            if mode is not None:
                os.chmod(part, mode)
            yield file
        os.replace(part, goal)
    except OSError as error:
        if error.filename != part:
            raise
        raise type(error)(error.errno, error.strerror, path) from None
    finally:
        with contextlib.suppress(OSError):  # it is gone if all went well
            os.unlink(part)


def write_json(path, text):
    """Write an object in JSON, whole or not at all."""
    with written_whole(path, begins=b"{") as file:
        file.write(text.encode())


def _mode_of_regular(path, goal):
    """Return the permissions of the file to replace, None if there is none."""
    try:
        mode = os.lstat(goal).st_mode  # a link here is one of a circle of links
    except OSError:  # what is wrong, if anything, shows when the part is opened
        return None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not stat.S_ISREG(mode):
        raise invalid("path", "the path of a regular file, or of none yet", path)
    if not os.access(goal, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    return stat.S_IMODE(mode)


def _refuse_foreign(path, goal, begins):
    """Raise if the file that is to be replaced holds something else."""
    try:
        with open(goal, "rb") as file:
            first_bytes = file.read(len(begins))
    except PermissionError:  # it can be written only
        return
    if first_bytes and first_bytes.lower() != begins.lower():
        allowed = "no file yet, or one of the same kind to replace"
        raise invalid("path", allowed, path, hint="It holds something else.")


class ArrayFolder:
    """The folder `memory`, or one in it, of npz files that are found by a key.

    Several runs may use it at the same time: each file is written as a whole. One that
    is damaged counts as missing, with a warning, as does failing to write one.
    """

    def __init__(self, memory, *names):
        self.path = os.path.join(os.path.abspath(memory), *names)
        try:
            os.makedirs(self.path, exist_ok=True)
        except (OSError, ValueError) as error:  # ValueError: an impossible file name
            allowed = "a folder that can be written to"
            raise invalid("memory", allowed, memory, hint=str(error)) from None

    def load(self, key, names):
        """Return the named arrays of a key, None if they are not there."""
        path = os.path.join(self.path, f"{key}.npz")
        try:
            with open(path, "rb") as file, np.load(file) as archive:  # without pickles
                return {name: archive[name] for name in names}
        except FileNotFoundError:
            return None
        except Exception as error:  # of the many ways in which a zip can be broken
            why = f"{type(error).__name__}: {error}"
            text = f"{path!r} is damaged ({why}). Its result is computed again."
            warn(text, UserWarning)
            return None

    def save(self, key, **arrays):
        """Write the arrays of a key, all or none."""
        path = os.path.join(self.path, f"{key}.npz")
        try:
            with written_whole(path, begins=b"") as file:
                np.savez(file, **arrays)
        except (OSError, ValueError) as error:  # ValueError: it is no regular file
            why = getattr(error, "strerror", None) or error
            where = f"`memory`, {self.path!r}"
            warn(f"A result could not be stored in {where} ({why}).", UserWarning)


def content_digest(header, arrays):
    """Return a hash of a JSON header, except its own "digest", and of named arrays.

    The checksum of an archive member does not show whether it is the right member.
    """
    fields = {name: value for name, value in header.items() if name != "digest"}
    digest = hashlib.blake2b(digest_size=16)
    digest.update(json.dumps(fields, sort_keys=True).encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {arrays[name].shape};".encode())
        digest.update(array.reshape(-1).view(np.uint8) if array.nbytes else b"")
    return digest.hexdigest()


def as_python(value):
    """Return a numpy scalar as the number it is."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be saved")


# Reading ----------------------------------------------------------------------


def load_arrays(path, format_name):
    """Return the header and arrays of a file written by `save_arrays`."""
    path = check_path("path", path)
    try:
        file = open_regular(path)
    except (FileNotFoundError, PermissionError, IsADirectoryError):
        raise
    except (OSError, ValueError) as error:
        raise damaged(path, format_name, error) from None
    with file:
        try:
            header, arrays = _read_archive(file)
            digest = content_digest(header, arrays)
            form = header.pop("format")
            version = header.pop("version")
            is_as_saved = header.pop("digest") == digest
            del header["arrays"]
        except (OSError, MemoryError) as error:
            raise damaged(path, format_name, error) from None
        except Exception:  # of the many ways in which zip and JSON can be broken
            why = "it is no npz archive with a header, or the header of other arrays"
            raise damaged(path, format_name, why) from None
    if form != f"sklearn_cvtest {format_name}" or version != 1:
        raise damaged(
            path, format_name, f"its header says {form!r}, version {version!r}"
        )
    if not is_as_saved:
        raise damaged(path, format_name, "its content is not what was saved")
    return header, arrays


def open_regular(path, mode="rb", permissions=0o600):
    """Open a file; refuse what would wait for a writer, or never end.

    With the mode "a+b" it is made if it is not there, for its owner alone unless other
    permissions are given, and is written at its end; "r+b" takes one that is there.
    """
    flags = (getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
    access_flags = {"rb": os.O_RDONLY, "r+b": os.O_RDWR}
    makes = os.O_RDWR | os.O_APPEND | os.O_CREAT
    file = os.open(path, sum(flags) | access_flags.get(mode, makes), permissions)
    file_mode = os.fstat(file).st_mode
    if stat.S_ISREG(file_mode):
        return os.fdopen(file, mode)
    os.close(file)
    if stat.S_ISDIR(file_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    raise invalid("path", "the path of a regular file", path)


def _read_archive(file):
    """Return the header and the arrays, whose names and forms it says."""
    with np.load(file, allow_pickle=False) as archive:
        header = json.loads(str(archive["header"]))
        forms = header["arrays"]
        if sorted(archive.files) != sorted([*forms, "header"]):
            raise ValueError
        return header, {name: archive[name] for name in forms}


def damaged(path, format_name, why):
    """Return the error for a file that does not hold what it should."""
    path = os.fsdecode(path)
    return ValueError(
        f"`path` must be an intact {format_name} file; got {path!r} ({why})."
    )


# What is kept in files that can hold no code: written, and read again -----------


class Saved(ABC):
    """Writes itself to files that cannot contain executable code, and reads them.

    A class says how it is taken apart, by `_to_parts`, and put together, by
    `_of_parts`.
    """

    @abstractmethod
    def _to_parts(self):
        """Return a header of JSON types and a dict of arrays, as files hold them.

        Parameters that JSON does not know, such as estimators, are strings; a test that
        is not one of this package is an error.
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
        save_arrays(path, type(self).__name__, *self._to_parts())

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
        return of_parts(cls, path, *load_arrays(path, cls.__name__))


def parts_of(saved):
    """Return the header and the arrays of something that is saved."""
    return saved._to_parts()


def of_parts(result_class, path, header, arrays):
    """Make one of a kind from parts as `parts_of` returns them; tests are fitted again.

    `path` says where they come from, for the error if they do not fit together.
    """
    try:
        return result_class._of_parts(path, dict(header), dict(arrays))
    except (
        AttributeError,
        IndexError,
        KeyError,
        OverflowError,
        StopIteration,
        TypeError,
        ValueError,
    ) as error:
        raise damaged(path, result_class.__name__, error) from None


def taken_apart(several):
    """Return the headers of several in a list, and the arrays of all in one dict."""
    headers = []
    arrays = {}
    for number, saved in enumerate(several):
        header, part_arrays = saved._to_parts()
        headers.append(header)
        arrays |= {f"part{number}_{name}": array for name, array in part_arrays.items()}
    return headers, arrays


def by_number(arrays):
    """Return the arrays of each part by the names that they had, a list."""
    numbered = defaultdict(dict)
    for key, array in arrays.items():
        number, _, name = key.removeprefix("part").partition("_")
        numbered[int(number)][name] = array
    return [numbered[number] for number in range(len(numbered))]
