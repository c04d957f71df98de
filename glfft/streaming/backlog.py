"""Blocks that wait: a source is read at its own pace, and blocks that come too fast are dropped and counted."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt


class Backlog:
    """Reads a source in its own thread and keeps the newest blocks until they are asked for.

    Args:
        source: the blocks; it must not call OpenGL.
        kept: how many blocks may wait. If one more comes, the oldest is dropped.
    """

    def __init__(self, source: Iterable[npt.ArrayLike], kept: int) -> None:
        self._source = source
        self._kept = kept
        self._waiting: deque[tuple[int, npt.NDArray[Any]]] = deque()
        self._changed = threading.Condition()
        self._ended = False
        self._error: Exception | None = None
        self.dropped = 0
        # A daemon: a source that never gives its next block must not keep the program alive.
        self.thread = threading.Thread(target=self._read, name="glfft backlog", daemon=True)
        self.thread.start()

    def blocks(self) -> Iterator[tuple[int, npt.NDArray[Any]]]:
        """The blocks with their numbers in the source, in order.

        Raises:
            The source's error, after the blocks before it.
        """
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._ended)
                if not self._waiting:
                    break
                following = self._waiting.popleft()
            yield following
        if self._error is not None:
            raise self._error

    @property
    def empty(self) -> bool:
        """Whether no block waits and more may come."""
        with self._changed:
            return not self._waiting and not self._ended

    def stop(self) -> int:
        """Read no further; returns how many blocks were dropped, without those that still waited."""
        with self._changed:
            self._ended = True
            return self.dropped

    def _read(self) -> None:
        error = None
        try:
            for number, block in enumerate(self._source):
                # A copy: the source may use its memory for the next block.
                copied = np.array(block)
                with self._changed:
                    if self._ended:
                        return
                    if len(self._waiting) == self._kept:
                        self._waiting.popleft()
                        self.dropped += 1
                    self._waiting.append((number, copied))
                    self._changed.notify()
        except Exception as caught:
            error = caught
        with self._changed:
            self._error = error
            self._ended = True
            self._changed.notify()
