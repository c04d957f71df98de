"""Delays Ctrl-C where an exception would do harm."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

# Those for which a program may raise an exception. Windows has no SIGHUP.
_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Let Python's handlers of the signals that end a program run after the block only.

    When moderngl makes a program, it calls Python for each uniform, and crashes if that call raises. A signal that
    arrives while the driver compiles would raise there.
    """
    if threading.current_thread() is not threading.main_thread():  # Python runs handlers in the main thread only
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
        for number, handler in reversed(ours.items()):  # SIGINT last: then nothing is left to restore if it raises
            signal.signal(number, handler)
        for number, frame in arrived:
            ours[signal.Signals(number)](number, frame)
