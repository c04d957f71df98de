"""A plan's fast kernels, compiled while it runs others."""

from collections.abc import Generator
from contextlib import closing
from typing import Any

import moderngl

from glfft.algorithms.passes import PassSpec
from glfft.gl.context import state_of
from glfft.tuning.precompile import Precompiler, precompiled
from glfft.tuning.time_slices import CONTINUE, TimeSlices
from glfft.tuning.worker_main import PrecompileJob


def compiled_later(ctx: moderngl.Context, compiling: Generator[PassSpec, None, None], owned: list[Any]) -> TimeSlices:
    """The work of a generator that yields each pass before it compiles it. A worker process compiles the pass first, so
    that the driver finds it in its cache on disk. What ends the process is added to `owned`.
    """
    precompiler = Precompiler(ctx, PrecompileJob(state_of(ctx).device))
    owned.append(precompiler)
    return TimeSlices(_slices(precompiler, compiling))


def _slices(precompiler: Precompiler, compiling: Generator[PassSpec, None, None]) -> Generator[bool, None, None]:
    try:
        with closing(compiling):
            for spec in compiling:
                yield CONTINUE
                yield from precompiled(precompiler, spec)
    finally:
        precompiler.release()
