"""The rule of a ledger, and its file.

A file of records that only grows, and that several processes take turns to write.

After a first line that is the same in all, each line is a record as JSON and the digest
of it and of all before. A process that is killed while it writes leaves a torn last
line, which does not count and is written over; a last line that lacks only its newline
counts. Any other line that is not as it was written is an error, and so is a file that
is not the one that was read before.

The rule says when the working champion moves, when it is tested, and at which level.

Losses on the shown folds may be known to whoever proposes, and used in any way. About
the sealed folds nothing is told but whether a test confirms. Given the shown losses,
what is tested after m tests that all failed is fixed, so the levels a w(m) of a stage
with the budget a, which add up to a, bound the probability that one of these tests errs
(Blum & Hardt 2015, arXiv:1502.04585, with a level in place of a step).

A confirmation tells something of the sealed folds: after the m-th test there is another
future for each m. Let B(a) bound the probability of any false confirmation from a stage
with the budget a on. Its test m has either a true null hypothesis and errs with at most
a w(m), after which it does not matter what follows; or a false one, after whose
confirmation a stage with the budget a w(m) begins, that adds at most B(a w(m)). By
induction B(a) <= sum of a w(m) = a. So **the level at which a champion was confirmed is
the budget for all that follows**, and alpha holds for series with any number of
confirmations, without a fresh seal.
"""

import contextlib
import hashlib
import json
import os
from typing import NamedTuple

import numpy as np

from .._store._array_files import damaged, open_regular
from .._validation import check_path

# Other numbers need another START: a file was decided by these.
SHOWN = 0.4  # share of the folds
GAIN = 0.84  # standard errors by which the working champion is replaced
AHEAD = 1.5  # standard errors before the confirmed champion that a test needs
FURTHER = 0.5  # by how much that grows with a test that failed
HALF_AFTER = 5  # tests that failed: they use half of the budget


def n_shown_of(n_splits):
    """Return the number of splits whose losses are shown."""
    return max(1, round(SHOWN * n_splits))


def level_of(n_failed, budget):
    """Return the level of the next test: these add up to budget m/(m + 5) after m."""
    m = n_failed
    c = HALF_AFTER
    return budget * c / ((m + c) * (m + c + 1))


def is_due(ahead, last):
    """Whether to test what is `ahead`; the last test that failed was at `last`."""
    return ahead >= np.maximum(AHEAD, last + FURTHER)


def standing(gains, margin=0.0):
    """Return the mean of gains, (..., n), beyond a margin in standard errors."""
    n = gains.shape[-1]
    excess = np.asarray(gains.mean(axis=-1) - margin)
    spread = gains.std(axis=-1, ddof=1) if n > 1 else np.zeros_like(excess)
    is_alike = spread <= 1e-12 * np.abs(gains).max(axis=-1)  # rounding of the mean
    error = np.where(is_alike, 1.0, spread) / np.sqrt(n)
    certain = np.where(excess == 0, 0.0, np.copysign(np.inf, excess))
    return np.where(is_alike, certain, excess / error)


class Stage(NamedTuple):
    """Where the tests are: since the last confirmation, or since the start."""

    budget: float
    n_failed: int = 0
    ahead: float = -np.inf  # of the last test that failed

    @property
    def level(self):
        """Level of the next test, float."""
        return level_of(self.n_failed, self.budget)

    def after(self, ahead, is_confirmed):
        """Return the stage after a test."""
        if is_confirmed:
            return Stage(self.level)
        # equal gains are infinitely far ahead and show little: no measure for others
        last = ahead if np.isfinite(ahead) else self.ahead
        return Stage(self.budget, self.n_failed + 1, last)


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
        self.path = os.path.abspath(check_path("path", path))
        self._takes = takes
        self._file = self._known = None  # while it is locked; device and inode
        # of the last record that was read
        self._end = len(START)
        self._digest = START

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
                status = os.fstat(file.fileno())
                identity = status.st_dev, status.st_ino
                is_in_place = os.path.samestat(status, os.stat(self.path))
                if self._known not in (None, identity) or not is_in_place:
                    raise self.refused("it was moved or replaced")
                if not status.st_size and file.writable() and not self._known:
                    file.write(START)
                self._file = file
                self._known = identity
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
                record = json.loads(text, parse_int=_small_integer)
                self._takes[record.pop("kind")](**record)
            except Exception as error:  # of the many ways in which it can be forged
                raise self.refused(f"a record is wrong: {error!r}") from None
            self._end = self._end + 1 + len(line)
            self._digest = digest

    def _chained(self, text):
        digest = hashlib.blake2b(self._digest + text, digest_size=16)
        return digest.hexdigest().encode()

    def append(self, **record):
        """Write a record to the disk, in a locked file, and take it."""
        text = json.dumps(record, default=lambda values: values.tolist()).encode()
        unwritten = memoryview(b"\n" + text + b" " + self._chained(text) + b"\n")
        self._file.seek(self._end)
        self._file.truncate()  # what is torn, or the last newline
        while unwritten:
            unwritten = unwritten[self._file.write(unwritten) :]
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


def _small_integer(digits):
    """Return an integer of a record, which has to be one that a float can hold."""
    number = int(digits)
    if abs(number) >= 2**63:
        raise ValueError(f"an integer of {len(digits)} digits")
    return number
