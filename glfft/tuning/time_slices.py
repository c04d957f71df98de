"""Work cut into slices, of which as many are done at a time as a budget allows."""

import time
from collections.abc import Generator

# How a slice ends: the next one may follow at once, or there is nothing to do before the GPU or another process has
# got on.
CONTINUE = True
PAUSE = False

_FORGETTING = 0.9  # the longest slice counts this much less with each slice after it


class TimeSlices:
    """Does the slices of a generator that yields CONTINUE or PAUSE after each."""

    def __init__(self, slices: Generator[bool, None, None]) -> None:
        self._slices = slices
        self._longest = 0.0
        self.done = False

    def work(self, seconds: float) -> None:
        """Do slices until a PAUSE, one at least, while one as long as the longest fits. An error ends the work."""
        began = now = time.perf_counter()
        while now == began or now + self._longest <= began + seconds:
            try:
                ended_with = next(self._slices)
            except BaseException as error:
                self.done = True
                if isinstance(error, StopIteration):
                    return
                raise
            before, now = now, time.perf_counter()
            # A slice that only waits says nothing of how long the others take.
            self._longest = max(now - before, self._longest * (1.0 if ended_with is PAUSE else _FORGETTING))
            if ended_with is PAUSE:
                return

    def close(self) -> None:
        self.done = True
        self._slices.close()
