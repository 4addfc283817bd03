"""A file of records that only grows, and that several processes take turns to write.

Each line is the digest of a record and of all before it, and the record as JSON. A
process that is killed while it writes leaves an incomplete last line, which does not
count and is written over; any other line that is not as it was written is an error.
"""

import contextlib
import hashlib
import json
import os
import threading

from .._validation import check_path
from ._files import damaged, open_regular

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None
    import msvcrt

PLACE_OF_LOCK = 2**40  # a byte far behind what is written


class Journal:
    """Records in a file.

    Parameters
    ----------
    path : str or os.PathLike
        The file; it is made when the first record is written.
    kind : str
        What the records are about.
    """

    def __init__(self, path, kind):
        self.path = os.path.abspath(check_path("path", path))
        self.kind = kind
        self._mutex = threading.RLock()
        self._file = None  # while it is locked
        self._end, self._digest = 0, kind.encode()
        self._is_open = False  # whether the last line lacks its end
        self._torn = b""  # what is behind the last line

    def __getstate__(self):
        """Return what another process needs."""
        return {"path": self.path, "kind": self.kind}

    def __setstate__(self, state):
        self.__init__(**state)

    @contextlib.contextmanager
    def locked(self):
        """Wait until no other process or thread writes, and keep them waiting."""
        with self._mutex:
            if self._file is not None:
                yield
                return
            # what was read before is there, or the file is not the same one
            with self._open("r+b" if self._end else "a+b") as self._file:
                _lock(self._file, True)
                try:
                    yield
                finally:
                    _lock(self._file, False)
                    self._file = None

    def _open(self, mode):
        try:
            return open_regular(self.path, mode)
        except FileNotFoundError:
            if not self._end:
                raise
            raise damaged(self.path, self.kind, "it is no longer there") from None
        except ValueError as error:  # no regular file
            raise damaged(self.path, self.kind, error) from None

    def read(self):
        """Return the records that were written since the last call, a list of dict."""
        with contextlib.ExitStack() as stack:
            stack.enter_context(self._mutex)
            file = self._file or stack.enter_context(self._open("rb"))
            if os.fstat(file.fileno()).st_size < self._end:
                raise damaged(self.path, self.kind, "it has become shorter")
            file.seek(self._end)
            *lines, last = file.read().split(b"\n")
            records = list(map(self._record, lines))
            digest, _, text = last.partition(b" ")
            if last and digest == _chained(self._digest, text):
                records.append(self._record(last))  # whole but for the line's end
                self._end, self._is_open = self._end - 1, True
            self._torn = last
            return records  # anything else behind the last line is torn

    def _record(self, line):
        digest, _, text = line.partition(b" ")
        expected = _chained(self._digest, text)
        if digest != expected:
            why = f"byte {self._end} is where something else was written"
            raise damaged(self.path, self.kind, why)
        self._digest, self._end = digest, self._end + len(line) + 1
        return json.loads(text)

    def append(self, record, *, is_safe=False):
        """Write a record; with `is_safe`, it is on the disk on return.

        All records before must have been read, and the file be locked.
        """
        text = json.dumps(record, separators=(",", ":")).encode()
        digest = _chained(self._digest, text)
        is_first = not (self._end or self._is_open)
        if is_first and not (digest + b" " + text).startswith(self._torn):
            raise damaged(self.path, self.kind, "its first line is none of ours")
        self._file.seek(self._end)
        self._file.truncate()
        line_end, self._is_open = b"\n" * self._is_open, False
        self._end += len(line_end)
        self._file.write(line_end + digest + b" " + text + b"\n")
        self._file.flush()
        if is_safe:
            os.fsync(self._file.fileno())
        self._digest, self._end = digest, self._end + len(digest) + len(text) + 2


def _chained(digest, text):
    return hashlib.blake2b(digest + text, digest_size=16).hexdigest().encode()


def _lock(file, is_to_be):
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX if is_to_be else fcntl.LOCK_UN)
        return
    file.seek(PLACE_OF_LOCK)
    msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if is_to_be else msvcrt.LK_UNLCK, 1)
