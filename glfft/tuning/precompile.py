"""Programs compiled before they are needed, so that no frame waits for a software renderer's compiler.

Such a renderer compiles on the CPU, for up to half a second a program, at the first dispatch and in the thread that
asks for it. What it has compiled goes into a cache on disk that all processes share. So another process compiles a
program first; after that, it takes this one a millisecond or two to get it from the cache. Where there is no cache or
no other process, compiling takes as long as ever.
"""

from collections.abc import Iterator
from dataclasses import replace

import moderngl

from glfft.algorithms.passes import PassSpec
from glfft.gl.context import state_of
from glfft.tuning.time_slices import PAUSE
from glfft.tuning.worker import Worker


class Precompiler:
    """Has a worker process compile one pass at a time. The process is started with the first pass and told its job. The
    context is the one that is to find the compiled programs in its cache.
    """

    def __init__(self, ctx: moderngl.Context, job: object) -> None:
        self._job = job
        self._worker: Worker | None = None
        # A program that is linked here may still be uncompiled: its renderer compiles it when it first runs.
        self._known: set[str] = state_of(ctx).cache("precompiled", set)
        self._begun = ""

    def begin(self, spec: PassSpec) -> None:
        """Begin with a pass."""
        if self._worker is None:
            self._worker = Worker(self._job)
        self._begun = spec.source.text
        # A copy holds no assembled text yet, and so is much less to send.
        self._worker.ask(replace(spec))

    def knows(self, spec: PassSpec) -> bool:
        """Whether a pass has been compiled before."""
        return spec.source.text in self._known

    def ready(self) -> bool:
        """Whether there is nothing left to wait for; does not wait."""
        if self._worker is None:
            return True
        if self._worker.answers():
            self._known.add(self._begun)
        return not self._worker.busy

    def release(self) -> None:
        """End the process."""
        if self._worker is not None:
            self._worker.release()


def precompiled(precompiler: Precompiler | None, spec: PassSpec) -> Iterator[bool]:
    """Pause until a pass is compiled, or waiting gains nothing; see `glfft.tuning.time_slices`."""
    yield PAUSE
    if precompiler is None or precompiler.knows(spec):
        return
    precompiler.begin(spec)
    yield PAUSE
    while not precompiler.ready():
        yield PAUSE
    # A renderer may write its cache in a thread of its own, a little later.
    yield PAUSE
