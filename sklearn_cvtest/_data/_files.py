"""Files that can hold no code: npz without pickles, and a JSON header."""

import contextlib
import hashlib
import json
import math
import os
import re
import time
import uuid
import zipfile
import zlib

import numpy as np

from .._validation import check_path, invalid, warn

__all__ = [
    "StoreFolder",
    "check_memory",
    "content_digest",
    "damaged",
    "load_arrays",
    "save_arrays",
    "written_whole",
]


MAX_RATIO = 1032  # the most that deflate can compress

# Parts of files that are older, in seconds, are those of writers that were killed.
MAX_AGE = 3600
PART = re.compile(r"\.npz\.[0-9a-f]{32}\.part$")


def save_arrays(path, kind, header, arrays, parts=None):
    """Write a JSON header and arrays to `path`, whole or not at all."""
    arrays = {name: np.asarray(array) for name, array in arrays.items()}
    header = {"format": f"sklearn_cvtest {kind}", "version": 1, **header}
    header = json.loads(json.dumps(header, default=_as_python))
    header["digest"] = content_digest(header, arrays)
    with written_whole(path, parts) as file:
        np.savez_compressed(file, header=np.array(json.dumps(header)), **arrays)


@contextlib.contextmanager
def written_whole(path, parts=None):
    """Open a binary file that becomes `path` once it is written, or never does.

    Until then it is in the folder `parts`, by default next to `path`.
    """
    path = check_path("path", path)
    if "\0" in path:
        raise invalid("path", "the path of a file", path)
    part = f"{path}.{uuid.uuid4().hex}.part"
    if parts is not None:
        part = os.path.join(parts, os.path.basename(part))
    try:
        with open(part, "xb") as file:
            yield file
        os.replace(part, path)
    except OSError as error:
        if error.filename != part:
            raise
        raise type(error)(error.errno, error.strerror, path) from None
    finally:
        with contextlib.suppress(OSError):  # it is gone where all went well
            os.unlink(part)


def check_memory(memory, allowed):
    """Return the path of the folder `memory` as a str."""
    try:
        path = os.fsdecode(memory)
    except TypeError:
        raise invalid("memory", allowed, memory, TypeError) from None
    if not path:
        raise invalid("memory", allowed, memory)
    return path


class StoreFolder:
    """The folder `memory`, or one in it, of files that several runs read and write.

    What cannot be read counts as not there; what cannot be written is warned about.
    """

    def __init__(self, memory, kind, *names):
        self.kind = kind
        try:
            self.path = os.path.join(os.path.abspath(memory), *names)
            self.parts = os.path.join(self.path, "parts")
            os.makedirs(self.parts, exist_ok=True)
        except (OSError, ValueError) as error:  # ValueError: no file can be named so
            allowed = "a folder that can be written to"
            raise invalid("memory", allowed, memory, hint=str(error)) from None
        _remove_old_parts(self.parts)

    def load(self, name):
        """Return the header and the arrays of a file, both empty if none is intact."""
        try:
            return load_arrays(os.path.join(self.path, name), self.kind)
        except (OSError, ValueError):
            return {}, {}

    def save(self, name, header, arrays):
        """Write a file, whole or not at all."""
        path = os.path.join(self.path, name)
        try:
            for folder in (self.parts, os.path.dirname(path)):  # someone may clear them
                os.makedirs(folder, exist_ok=True)
            save_arrays(path, self.kind, header, arrays, self.parts)
        except OSError as error:
            why = error.strerror or error
            where = f"`memory`, {self.path!r}"
            warn(f"A result could not be stored in {where} ({why}).", UserWarning)


def _remove_old_parts(folder):
    """Remove what killed writers have left."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                age = time.time() - entry.stat(follow_symlinks=False).st_mtime
                if PART.search(entry.name) and age > MAX_AGE:
                    os.unlink(entry)


def content_digest(header, arrays):
    """Return a hash of a JSON header, but for its own "digest", and of named arrays.

    The checksum of each member of an archive does not tell if it is the right one.
    """
    fields = {name: value for name, value in header.items() if name != "digest"}
    digest = hashlib.blake2b(digest_size=16)
    digest.update(json.dumps(fields, sort_keys=True).encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape};".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def _as_python(value):
    """Return a numpy scalar as the number it is."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be saved")


def load_arrays(path, kind):
    """Return the header and arrays of a file written by `save_arrays`."""
    path = check_path("path", path)
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
            _check_members(archive.zip, os.fstat(file.fileno()).st_size)
            arrays = {name: archive[name] for name in archive.files}
        header = json.loads(str(arrays.pop("header")))
        digest = content_digest(header, arrays)
        form, version = header.pop("format"), header.pop("version")
        is_as_saved = header.pop("digest") == digest
    except (OSError, MemoryError) as error:
        if isinstance(error, (FileNotFoundError, PermissionError, IsADirectoryError)):
            raise
        raise damaged(path, kind, error) from None
    except (
        AttributeError,
        EOFError,
        KeyError,
        RuntimeError,
        SyntaxError,
        TypeError,
        ValueError,
        zipfile.BadZipFile,
        zlib.error,
    ):
        why = "it is no npz archive with a header"
        raise damaged(path, kind, why) from None
    if form != f"sklearn_cvtest {kind}" or version != 1:
        raise damaged(path, kind, f"its header says {form!r}, version {version!r}")
    if not is_as_saved:
        raise damaged(path, kind, "its content is not what was saved")
    return header, arrays


def _check_members(archive, size):
    """Raise a ValueError if arrays are not those a file of that size can hold.

    Reading them takes the memory that they declare.
    """
    members = archive.infolist()
    if len({member.filename for member in members}) < len(members):
        raise ValueError
    for member in members:
        with archive.open(member) as file:
            if np.lib.format.read_magic(file) != (1, 0):
                raise ValueError
            shape, _, dtype = np.lib.format.read_array_header_1_0(file)
            start = file.tell()
        plausible = (
            member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
            and member.compress_size <= size
            and member.file_size <= MAX_RATIO * member.compress_size
            and member.file_size == start + dtype.itemsize * math.prod(shape)
        )
        if not plausible:
            raise ValueError


def damaged(path, kind, why):
    """Return the error for a file that does not hold what it should."""
    path = os.fsdecode(path)
    return ValueError(f"`path` must be an intact {kind} file; got {path!r} ({why}).")
