"""Files that can hold no code: npz without pickles, and a JSON header."""

import contextlib
import hashlib
import json
import math
import os
import uuid
import zipfile
import zlib

import numpy as np

from ._validation import check_path

__all__ = ["content_digest", "damaged", "load_arrays", "save_arrays", "written_whole"]


MAX_RATIO = 1032  # the most that deflate can compress


def save_arrays(path, kind, header, arrays):
    """Write a JSON header and arrays to `path`, whole or not at all."""
    arrays = {name: np.asarray(array) for name, array in arrays.items()}
    header = {"format": f"sklearn_cvtest {kind}", "version": 1, **header}
    header = json.loads(json.dumps(header, default=_as_python))
    header["digest"] = content_digest(header, arrays)
    with written_whole(path) as file:
        np.savez_compressed(file, header=np.array(json.dumps(header)), **arrays)


@contextlib.contextmanager
def written_whole(path):
    """Open a binary file that becomes `path` once it is written, or never does."""
    path = check_path("path", path)
    temporary = f"{path}.{uuid.uuid4().hex}.part"
    try:
        with open(temporary, "xb") as file:
            yield file
        os.replace(temporary, path)
    finally:
        with contextlib.suppress(FileNotFoundError):  # it is gone where all went well
            os.unlink(temporary)


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
