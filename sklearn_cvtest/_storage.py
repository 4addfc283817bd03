"""Files that can hold no code: npz without pickles, and a JSON header."""

import contextlib
import json
import os
import threading
import zipfile
import zlib

import numpy as np

__all__ = ["damaged", "load_arrays", "save_arrays", "written_whole"]


def save_arrays(path, kind, header, arrays):
    """Write a JSON header and arrays to `path`, whole or not at all."""
    header = {"format": f"sklearn_cvtest {kind}", "version": 1, **header}
    header = json.dumps(header, default=_as_python)
    with written_whole(path) as file:
        np.savez_compressed(file, header=np.array(header), **arrays)


@contextlib.contextmanager
def written_whole(path):
    """Open a binary file that becomes `path` once it is written, or never does."""
    path = os.fsdecode(path)
    temporary = f"{path}.{os.getpid()}-{threading.get_ident()}.part"
    try:
        with open(temporary, "xb") as file:
            yield file
        os.replace(temporary, path)
    finally:
        with contextlib.suppress(FileNotFoundError):  # it is gone where all went well
            os.unlink(temporary)


def _as_python(value):
    """Return a numpy scalar as the number it is."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be saved")


def load_arrays(path, kind):
    """Return the header and arrays of a file written by `save_arrays`."""
    path = os.fsdecode(path)
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        header = json.loads(str(arrays.pop("header")))
        form, version = header.pop("format"), header.pop("version")
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
    return header, arrays


def damaged(path, kind, why):
    """Return the error for a file that does not hold what it should."""
    path = os.fsdecode(path)
    return ValueError(f"`path` must be an intact {kind} file; got {path!r} ({why}).")
