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

from glfft.algorithms.passes import PassSpec
from glfft.gl.context import state_of
from glfft.tuning.worker import Worker


class CompileAhead(Protocol):
    """Compiles one pass at a time, beside what the program does."""

    def begin(self, spec: PassSpec) -> None:
        """Begin with a pass."""

    def knows(self, spec: PassSpec) -> bool:
        """Whether a pass has been compiled so before, or never will be."""
        ...

    def ready(self) -> bool:
        """Whether there is nothing left to wait for; does not wait."""
        ...

    def release(self) -> None:
        """Stop."""


class NotAhead:
    """Nothing is compiled ahead."""

    def begin(self, spec: PassSpec) -> None:
        pass

    def knows(self, spec: PassSpec) -> bool:
        return True

    def ready(self) -> bool:
        return True

    def release(self) -> None:
        pass


class CompilesElsewhere:
    """A worker compiles; it is started with the first pass.

    Args:
        ctx: the context that is to find in its cache what is compiled.
        job: for `Worker`.
    """

    def __init__(self, ctx: moderngl.Context, job: object) -> None:
        self._job = job
        self._worker: Worker | None = None
        # That a program is linked here says nothing: its renderer compiles it when it first runs.
        self._known: set[str] = state_of(ctx).cache("compiled elsewhere", set)
        self._begun = ""

    def begin(self, spec: PassSpec) -> None:
        if self._worker is None:
            self._worker = Worker(self._job)
        self._begun = spec.source.text
        # A copy has not put its text together yet, which would be a long way to send.
        self._worker.ask(replace(spec))

    def knows(self, spec: PassSpec) -> bool:
        return spec.source.text in self._known

    def ready(self) -> bool:
        if self._worker is None:
            return True
        if self._worker.answers():
            self._known.add(self._begun)
        return not self._worker.busy

    def release(self) -> None:
        if self._worker is not None:
            self._worker.release()


def compiled_ahead(compiler: CompileAhead, spec: PassSpec) -> Iterator[None]:
    """Pauses until a pass is compiled, or there is nothing to be gained by waiting."""
    yield
    if compiler.knows(spec):
        return
    compiler.begin(spec)
    yield
    while not compiler.ready():
        yield
    # A renderer may write its cache in a thread of its own, a little later.
    yield
