"""Programs compiled before they are needed, so that a frame does not wait for a software renderer's compiler.

It is the processor that compiles there, for each kernel a good part of a second, with the first dispatch and in the
thread that asks for it. But what one process has compiled is in the renderer's cache for all: a pass begun here is then
compiled as any other, in a millisecond or two. Where there is no cache, or no other process, it takes as long as it
always does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

import moderngl

from glfft.passes import PassSpec
from glfft.shaders import is_compiled
from glfft.tuning.worker import Worker


class CompileAhead(Protocol):
    """Compiles one pass at a time, beside what the program does."""

    def begin(self, spec: PassSpec) -> None:
        """Begin with a pass."""

    def ready(self) -> bool:
        """Whether there is nothing left to wait for; does not wait."""
        ...

    def release(self) -> None:
        """Stop."""


class NotAhead:
    """Nothing is compiled ahead."""

    def begin(self, spec: PassSpec) -> None:
        pass

    def ready(self) -> bool:
        return True

    def release(self) -> None:
        pass


class CompilesElsewhere:
    """A worker compiles; it is started with the first pass.

    Args:
        job: for `Worker`.
    """

    def __init__(self, job: object) -> None:
        self._job = job
        self._worker: Worker | None = None

    def begin(self, spec: PassSpec) -> None:
        if self._worker is None:
            self._worker = Worker(self._job)
        # A copy has not put its text together yet, which would be a long way to send.
        self._worker.ask(replace(spec))

    def ready(self) -> bool:
        if self._worker is None:
            return True
        self._worker.answers()
        return not self._worker.busy

    def release(self) -> None:
        if self._worker is not None:
            self._worker.release()


def compiled_ahead(ctx: moderngl.Context, compiler: CompileAhead, spec: PassSpec) -> Iterator[None]:
    """Pauses until a pass is compiled, or there is nothing to be gained by waiting."""
    if not spec.snippets and is_compiled(ctx, spec.source):
        return
    yield
    compiler.begin(spec)
    yield
    while not compiler.ready():
        yield
