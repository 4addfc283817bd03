"""Files of many small results, appended one after the other; they can hold no code.

A record is a prefix of 56 bytes, a header in JSON, and the bytes of arrays, compressed.
The prefix has the key, both lengths and a digest of all else. A record that is cut off
or damaged is passed over, and the next one is looked for behind it.
"""

import contextlib
import functools
import hashlib
import json
import mmap
import os
import struct
import uuid
import zlib
from typing import NamedTuple

import numpy as np

from ._array_files import StoreFolder, as_python, open_regular, refuse_links

MARK = b"\x93cvtest\n"  # begins each record
PREFIX = struct.Struct("<8s16sQQ16s")  # mark, key, two lengths, digest
SUFFIX = ".records"


class _Place(NamedTuple):
    """Where a record is."""

    path: str
    start: int
    end: int


@functools.lru_cache
def _name_of_process(process):
    """Return the name of the file that a process appends to."""
    return f"{process}-{uuid.uuid4().hex}{SUFFIX}"


class RecordFolder(StoreFolder):
    """The folder `memory`, in which each process appends results to a file of its own.

    What is stored when something is first looked for is read, and what other runs write
    later is not. A record that cannot be read counts as missing; failing to write one
    gives a warning. `memory` may be a link; in it none is followed.

    Parameters
    ----------
    memory : path
        The folder.
    kind : str
        What is stored.
    *names : str
        The folder in it, one in another.
    group : str
        The folder in that one that holds what may be looked for.
    """

    def __init__(self, memory, format_name, *names, group):
        super().__init__(memory, format_name, *names)
        self.group = group
        self._places = None  # of records, by key; not known before the first is read

    def __getstate__(self):
        return vars(self) | {"_places": None}  # a worker looks for nothing

    def records(self, key, expected):
        """Yield the header and the arrays of the records of a key, the last first.

        Parameters
        ----------
        key : str
            32 hexadecimal digits.
        expected : dict
            Dtype and shape of each array, by name.
        """
        if self._places is None:
            self._places = self._find_places()
        for place in reversed(self._places.get(bytes.fromhex(key), [])):
            with contextlib.suppress(OSError, ValueError, zlib.error):
                yield _read(place, expected)

    def _find_places(self):
        """Return {key: places of its records}, file by file from the oldest on."""
        places = {}
        for path in self._files():
            with contextlib.suppress(OSError, ValueError):
                for key, place in _scan(path):
                    places.setdefault(key, []).append(place)
        return places

    def _files(self):
        """Return the paths of all files of records, those written last at the end."""
        files = []
        with contextlib.suppress(OSError):
            refuse_links(self.path, self.group)
            with os.scandir(os.path.join(self.path, self.group)) as entries:
                for entry in entries:
                    is_own = entry.is_file(follow_symlinks=False)
                    if is_own and entry.name.endswith(SUFFIX):
                        files.append((entry.stat().st_mtime_ns, entry.path))
        return [path for _, path in sorted(files)]

    def append(self, key, header, arrays):
        """Append a record to the file of this process, in one piece."""
        name = _name_of_process(os.getpid())
        path = os.path.join(self.path, self.group, name)
        record = _record(key, header, arrays)
        try:
            refuse_links(self.path, self.group, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open_regular(path, "a+b", permissions=0o666) as file:
                n_written = os.write(file.fileno(), record)
            if n_written < len(record):
                raise OSError("it is full")
        except (OSError, ValueError) as error:  # ValueError: it is no regular file
            self.warn_of_not_stored(error)


def _record(key, header, arrays):
    """Return the bytes of a record."""
    header = json.dumps(header, default=as_python).encode()
    chunks = [_little_endian(arrays[name]).tobytes() for name in sorted(arrays)]
    body = zlib.compress(b"".join(chunks), level=1)
    lengths = len(header), len(body)
    key = bytes.fromhex(key)
    digest = _digest(key, header, body)
    return PREFIX.pack(MARK, key, *lengths, digest) + header + body


def _little_endian(array):
    array = np.ascontiguousarray(array)
    return array.astype(array.dtype.newbyteorder("<"), copy=False)


def _digest(key, header, body):
    digest = hashlib.blake2b(key, digest_size=16)
    digest.update(len(header).to_bytes(8, "little"))
    digest.update(header)
    digest.update(body)
    return digest.digest()


def _scan(path):
    """Yield the key and the place of each record of a file."""
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        if not size:
            return
        with mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ) as content:
            start = content.find(MARK)
            while 0 <= start <= size - PREFIX.size:
                _, key, n_header, n_body, _ = PREFIX.unpack_from(content, start)
                end = start + PREFIX.size + n_header + n_body
                if end <= size:
                    yield key, _Place(path, start, end)
                is_followed = content[end : end + len(MARK)] == MARK
                # else it is the last, or it or the next one is damaged
                start = end if is_followed else content.find(MARK, start + 1)


def _read(place, expected):
    """Return the header and the arrays of a record; a ValueError if it is damaged."""
    with open_regular(place.path) as file:
        file.seek(place.start)
        content = file.read(place.end - place.start)
    _, key, n_header, n_body, digest = PREFIX.unpack_from(content)
    header = content[PREFIX.size : PREFIX.size + n_header]
    body = content[PREFIX.size + n_header :]
    if len(body) != n_body or _digest(key, header, body) != digest:
        raise ValueError("a record is damaged")
    return json.loads(header), _arrays(body, expected)


def _arrays(body, expected):
    """Return the arrays, which must be as large as expected."""
    forms = [(name, *expected[name]) for name in sorted(expected)]
    sizes = [dtype.itemsize * int(np.prod(shape)) for _, dtype, shape in forms]
    decompressor = zlib.decompressobj()
    content = decompressor.decompress(body, sum(sizes) + 1)
    if len(content) != sum(sizes):
        raise ValueError("arrays of another size are stored")
    arrays = {}
    start = 0
    for (name, dtype, shape), size in zip(forms, sizes, strict=True):
        of_file = dtype.newbyteorder("<")
        array = np.frombuffer(content[start : start + size], of_file)
        arrays[name] = array.astype(dtype).reshape(shape)
        start += size
    return arrays
