"""Times the frames of films of each preset, the first by itself: none should be much longer than the others.

`python docs/time_frames.py` prints a table for this device; with names of presets, only those.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from time import perf_counter
from typing import cast

import moderngl
import numpy as np

import glfft
from glfft.apps.ocean.render import pictures
from glfft.apps.ocean.shot import Shot
from glfft.profiling.profiler import Profiler
from glfft.sea.presets import PRESETS, preset
from glfft.sea.settings import OceanSettings

_FRAMES = 12
_SIZE = (1920, 1080)


class _Frames:
    """Takes the place of a profiler, and waits for the GPU after each frame."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self.milliseconds: list[float] = []

    @contextmanager
    def frame(self) -> Iterator[None]:
        self._ctx.finish()
        began = perf_counter()
        yield
        self._ctx.finish()
        self.milliseconds.append(1e3 * (perf_counter() - began))

    def section(self, _name: str, _moved: int = 0) -> AbstractContextManager[None]:
        return nullcontext()


def table(names: list[str]) -> None:
    """Print for each preset: how long it takes to begin, the first frame, the longest later one, their median, ms."""
    with glfft.open_context() as ctx:
        print(ctx.info["GL_RENDERER"], ctx.info["GL_VERSION"])
        print(f"{'film':28} before it   first frame   longest later   median  ms")
        for name in names:
            settings = OceanSettings() if name == "ocean" else preset(name)
            for label, each in ((name, settings), (f"{name}, looping", replace(settings, loop=20.0))):
                shot = Shot(each, frames=_FRAMES, quality="high", preset="" if name == "ocean" else name)
                frames, began = _Frames(ctx), perf_counter()
                for _ in pictures(ctx, shot, _SIZE, cast(Profiler, frames)):
                    pass
                before = 1e3 * (perf_counter() - began) - sum(frames.milliseconds)
                first, *later = frames.milliseconds
                print(f"{label:28} {before:9.0f} {first:13.1f} {max(later):15.1f} {np.median(later):8.1f}", flush=True)


if __name__ == "__main__":
    table(sys.argv[1:] or ["ocean", *PRESETS])
