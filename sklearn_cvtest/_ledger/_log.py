"""A file of records that only grows, and that several processes take turns to write.

After a first line that is the same in all, each line is a record as JSON and the digest
of it and of all before. A process that is killed while it writes leaves a torn last
line, which does not count and is written over; a last line that lacks only its newline
counts. Any other line that is not as it was written is an error, and so is a file that
is not the one that was read before.
"""

import contextlib
import hashlib
import json
import os

from .._store._files import damaged, open_regular
from .._validation import check_path

if os.name == "nt":
    import msvcrt
else:
    import fcntl

START = b"sklearn_cvtest ledger 3"  # the first line, and the digest of no record


class Log:
    """Records in a file, made with the mode 0600 if it is not there.

    Parameters
    ----------
    path : str or os.PathLike
        The file.
    takes : dict of str to callable
        What is called with the other fields of each record, in their order, by "kind".
    """

    def __init__(self, path, takes):
        self.path, self._takes = os.path.abspath(check_path("path", path)), takes
        self._file = self._known = None  # while it is locked; device and inode
        self._end, self._digest = len(START), START  # of the last record that was read

    def refused(self, why):
        """Return the error for a file that is no ledger, or not the one of before."""
        return damaged(self.path, "ledger", why)

    @contextlib.contextmanager
    def locked(self, mode="a+b"):
        """Keep processes and threads waiting, and read what they have written.

        Each opens the file for itself. The mode "a+b" makes a file, but never in the
        place of one that was read.
        """
        opened = open_regular(self.path, "r+b" if self._known else mode)
        with opened, opened.raw as file:
            _lock(file)
            try:
                found, there = os.fstat(file.fileno()), os.stat(self.path)
                known, same = (found.st_dev, found.st_ino), os.path.samestat
                if self._known not in (None, known) or not same(found, there):
                    raise self.refused("it was moved or replaced")
                if not found.st_size and file.writable() and not self._known:
                    file.write(START)
                self._file, self._known = file, known
                self._read()
                yield
            finally:
                self._file = None
                _lock(file, is_end=True)

    def _read(self):
        self._file.seek(self._end - len(self._digest))
        first, *lines = self._file.readall().split(b"\n")
        if first != self._digest:
            raise self.refused(f"it is none, or not as it was to byte {self._end}")
        for number, line in enumerate(lines, 1):
            text, _, digest = line.rpartition(b" ")
            if digest != self._chained(text):
                if number == len(lines):  # empty, or torn
                    break
                raise self.refused(f"byte {self._end} is where it ceases to be one")
            try:
                record = json.loads(text)
                self._takes[record.pop("kind")](**record)
            except Exception as error:  # of the many ways in which it can be forged
                raise self.refused(f"a record is wrong: {error!r}") from None
            self._end, self._digest = self._end + 1 + len(line), digest

    def _chained(self, text):
        found = hashlib.blake2b(self._digest + text, digest_size=16)
        return found.hexdigest().encode()

    def append(self, **record):
        """Write a record to the disk, in a locked file, and take it."""
        text = json.dumps(record, default=lambda values: values.tolist()).encode()
        rest = memoryview(b"\n" + text + b" " + self._chained(text) + b"\n")
        self._file.seek(self._end)
        self._file.truncate()  # what is torn, or the last newline
        while rest:
            rest = rest[self._file.write(rest) :]
        os.fsync(self._file.fileno())
        self._read()


def _lock(file, is_end=False):
    """Lock or unlock a file.

    Windows locks ranges of bytes, and nobody else can read or write these: hence one
    byte far behind what is ever written, which may be locked though it is not there.
    It gives up after ten seconds, with an OSError; no model is fitted under the lock.
    Both systems keep out other handles of the same process, too, and unlock when a
    process ends, however it ends.
    """
    if os.name != "nt":
        return fcntl.flock(file, fcntl.LOCK_UN if is_end else fcntl.LOCK_EX)
    file.seek(2**40)
    msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK if is_end else msvcrt.LK_LOCK, 1)
