"""Ctrl-C kept back where it would do harm."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Let Python's handlers of SIGINT and SIGTERM wait until the end of the block.

    moderngl makes a program's uniforms by calling Python, and crashes where that raises: a KeyboardInterrupt that
    arrived while the driver was compiling.
    """
    if threading.current_thread() is not threading.main_thread():  # others are not interrupted
        yield
        return
    handlers = {number: signal.getsignal(number) for number in _SIGNALS}
    ours = {number: handler for number, handler in handlers.items() if callable(handler)}
    arrived: list[tuple[int, FrameType | None]] = []
    try:
        for number in ours:
            signal.signal(number, lambda number, frame: arrived.append((number, frame)))
        yield
    finally:
        for number, handler in reversed(ours.items()):  # SIGINT last: once it can raise, nothing is left to put back
            signal.signal(number, handler)
        for number, frame in arrived:
            ours[signal.Signals(number)](number, frame)
