"""Sections of a frame and waits of the calling thread, told to whatever profiler there is: this module knows none."""

import time
import weakref
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Protocol

import moderngl

from glfft.errors import require
from glfft.gl.context import state_of

UNTIMED = nullcontext()


class Sections(Protocol):
    """The part of a `glfft.Profiler` that code with sections needs."""

    def section(self, name: str, /, moved: int = 0) -> AbstractContextManager[None]: ...


class Listener(Protocol):
    """Told of each wait when it is over: its name, its start and its end by time.perf_counter_ns."""

    def waited(self, name: str, start: int, end: int) -> None: ...


def timed(profiler: Sections | None, name: str, moved: int = 0) -> AbstractContextManager[None]:
    """A section of a profiler's open frame, which must move so many bytes; without a profiler, it does nothing."""
    require(profiler is None or hasattr(profiler, "section"), "profiler", profiler, "a Profiler, or left out")
    return UNTIMED if profiler is None else profiler.section(name, moved)


def tell(ctx: moderngl.Context, listener: Listener) -> None:
    """Tell a listener of the waits in a context from now on, as long as it lives."""
    _listeners(ctx).add(listener)


@contextmanager
def waiting(ctx: moderngl.Context, name: str) -> Iterator[None]:
    """The `with` block waits: for the display ("swap"), the GPU ("finish", "readback") or the driver ("compile")."""
    start = time.perf_counter_ns()
    try:
        yield
    finally:
        end = time.perf_counter_ns()
        for listener in tuple(_listeners(ctx)):
            listener.waited(name, start, end)


def _listeners(ctx: moderngl.Context) -> weakref.WeakSet[Listener]:
    return state_of(ctx).cache("waits", weakref.WeakSet)
