"""Work cut into parts, done as time allows."""

from __future__ import annotations

import time
from collections.abc import Generator

# What each part ends with: whether the next one may follow in the same step if there is time.
MORE = True
STOP = False


# By how much the longest part counts less with each one after it.
_FORGETTING = 0.9


class Parts:
    """Work whose parts end with MORE or STOP."""

    def __init__(self, parts: Generator[bool, None, None]) -> None:
        self._parts = parts
        self._longest = 0.0
        self.done = False

    def work(self, seconds: float) -> None:
        """Do the next part, and others for as long as the longest of late would still fit."""
        began = now = time.perf_counter()
        while now == began or now + self._longest <= began + seconds:
            try:
                then = next(self._parts)
            except BaseException as error:
                self.done = True
                if isinstance(error, StopIteration):
                    return
                raise
            before, now = now, time.perf_counter()
            # Parts that only wait, and end with STOP, are no reason to forget what others took.
            self._longest = max(now - before, self._longest * (1.0 if then is STOP else _FORGETTING))
            if then is STOP:
                return

    def close(self) -> None:
        """Do no more."""
        self.done = True
        self._parts.close()
