"""Work cut into parts, done as time allows."""

from __future__ import annotations

import time
from collections.abc import Generator

# What each part ends with: whether the next one may follow in the same step if there is time.
MORE = True
STOP = False


class Parts:
    """Work whose parts end with MORE or STOP."""

    def __init__(self, parts: Generator[bool, None, None]) -> None:
        self._parts = parts
        self.done = False

    def work(self, seconds: float) -> None:
        """Do parts: the next one, and others for as long as the longest so far would still fit."""
        began = now = time.perf_counter()
        longest = 0.0
        while now + longest <= began + seconds or now == began:
            try:
                if next(self._parts) is STOP:
                    return
            except BaseException as error:
                self.done = True
                if isinstance(error, StopIteration):
                    return
                raise
            before, now = now, time.perf_counter()
            longest = max(longest, now - before)

    def close(self) -> None:
        """Do no more."""
        self.done = True
        self._parts.close()
