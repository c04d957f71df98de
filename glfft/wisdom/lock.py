"""One process at a time between reading a file and replacing it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Who holds the lock reads and writes one small file. Whoever holds it for longer hangs, and is not waited for.
_LONGEST_WAIT = 5.0  # seconds
_PAUSE = 0.01


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Keep other processes and threads that ask for the same file waiting until the block ends.

    The system's own lock is taken, which ends with its process, however that ends; on an empty file beside, NAME.lock,
    since a file that is replaced takes its lock along. That file stays: who removed it could have it locked by two.

    Where there can be no lock, as in some folders of a network, or where it is not had within seconds, the block runs
    without.
    """
    lock = _open(path)
    if lock is None:
        yield
        return
    try:
        held = _take(lock)
        try:
            yield
        finally:
            if held:
                _give_back(lock)
    finally:
        os.close(lock)


def _open(path: Path) -> int | None:
    try:
        # Two names of one file have one lock.
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            return None
        return os.open(f"{target}.lock", os.O_RDWR | os.O_CREAT, 0o666)
    except OSError:
        return None


def _take(lock: int) -> bool:
    end = time.monotonic() + _LONGEST_WAIT
    while True:
        try:
            _ask(lock)
            return True
        except (BlockingIOError, PermissionError):  # another has it; systems name that differently
            if time.monotonic() > end:
                return False
            time.sleep(_PAUSE)
        except OSError:
            return False


if sys.platform == "win32":
    import msvcrt

    def _ask(lock: int) -> None:
        msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)

    def _give_back(lock: int) -> None:
        msvcrt.locking(lock, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _ask(lock: int) -> None:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _give_back(lock: int) -> None:
        fcntl.flock(lock, fcntl.LOCK_UN)
