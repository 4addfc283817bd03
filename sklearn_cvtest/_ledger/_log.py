"""A file of records that only grows, and that several processes take turns to write.

Each line is a record as JSON and the digest of it and of all before. A process that is
killed while it writes leaves a torn last line, which does not count and is written
over; a last line that lacks only its newline counts. Any other line that is not as it
was written is an error, and so is a file that is not the one that was read before.
"""

import contextlib
import hashlib
import json
import os

from .._store._files import damaged, open_regular
from .._validation import check_path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None
    import msvcrt

START = b"sklearn_cvtest ledger 2"  # the digest of no record


class Log:
    """Records in a file, made with the mode 0600 if it is not there.

    Parameters
    ----------
    path : str or os.PathLike
        The file.
    """

    def __init__(self, path):
        self.path = os.path.abspath(check_path("path", path))
        self._file = self._known = None  # while it is locked; device and inode
        self._end, self._digest = 0, START  # of the last record, without newline

    def refused(self, why):
        """Return the error for a file that is no ledger, or not the one of before."""
        return damaged(self.path, "ledger", why)

    @contextlib.contextmanager
    def locked(self, mode="a+b"):
        """Keep processes and threads waiting, which open the file for themselves.

        The mode "a+b" makes a file, but never in the place of one that was read.
        """
        try:
            opened = open_regular(self.path, "r+b" if self._known else mode)
        except ValueError as error:
            raise self.refused(error) from None
        with opened, opened.raw as file:
            _lock(file, True)
            try:
                self._check(os.fstat(file.fileno()), os.stat(self.path))
                self._file = file
                yield
            finally:
                self._file = None
                _lock(file, False)

    def _check(self, found, there):
        known = found.st_dev, found.st_ino
        if self._known not in (None, known) or not os.path.samestat(found, there):
            raise self.refused("it was moved or replaced")
        if found.st_size < self._end:
            raise self.refused("it has become shorter")
        self._known = known

    def read(self):
        """Return the records that were written since the last call, a list of dict."""
        tail = self._digest if self._end else b""
        self._file.seek(self._end - len(tail))
        first, *lines = self._file.readall().split(b"\n")
        if tail and first != tail:
            raise self.refused("what was read before has changed")
        lines = lines if tail else [first, *lines]
        has_newline = not lines or not lines[-1]
        lines = lines[:-1] if has_newline else lines
        records = []
        for number, line in enumerate(lines, 1):
            text, _, digest = line.rpartition(b" ")
            if digest != self._chained(text):
                if number == len(lines) and not has_newline and self._end:
                    break  # torn
                raise self.refused(f"byte {self._end} is where it ceases to be one")
            try:
                records.append(json.loads(text))
            except (ValueError, RecursionError) as error:
                raise self.refused(error) from None
            self._end += len(line) + (self._end > 0)
            self._digest = digest
        return records

    def _chained(self, text):
        found = hashlib.blake2b(self._digest + text, digest_size=16)
        return found.hexdigest().encode()

    def append(self, record):
        """Write a record to the disk, all before it having been read."""
        text = json.dumps(record, separators=(",", ":")).encode()
        line = b"\n" * (self._end > 0) + text + b" " + self._chained(text)
        rest = memoryview(line + b"\n")
        self._file.seek(self._end)
        self._file.truncate()  # what is torn, or the last newline
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError:  # such as a full disk
            with contextlib.suppress(OSError):
                self._file.truncate(self._end)
            raise
        self._digest, self._end = line[-32:], self._end + len(line)


def _lock(file, is_to_be):
    """Lock or unlock a file.

    Windows locks ranges of bytes, and nobody else can read or write these: hence one
    byte far behind what is ever written, which may be locked though it is not there.
    It gives up after ten seconds, and is asked again. Both systems keep out other
    handles of the same process, too, and unlock when a process ends, however it ends.
    """
    if fcntl is not None:
        return fcntl.flock(file, fcntl.LOCK_EX if is_to_be else fcntl.LOCK_UN)
    while True:
        file.seek(2**40)
        try:
            how = msvcrt.LK_LOCK if is_to_be else msvcrt.LK_UNLCK
            return msvcrt.locking(file.fileno(), how, 1)
        except OSError:
            if not is_to_be:
                raise
