"""Times the first frames of films of each preset, and a later one: no frame should be much longer than the others.

`python docs/time_frames.py` prints a table for this device; with names of presets, only those.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter

import moderngl
import numpy as np

import glfft
from glfft.demos.ocean.render import pictures
from glfft.demos.ocean.shot import Shot
from glfft.ocean.presets import PRESETS, preset
from glfft.ocean.settings import OceanSettings

_FRAMES = 12
_SIZE = (1920, 1080)


def table(names: list[str]) -> None:
    """Print for each preset: until the first picture, the longest frame from then on, and their median, ms."""
    with glfft.open_context() as ctx:
        print(ctx.info["GL_RENDERER"], ctx.info["GL_VERSION"])
        print(f"{'film':28} first picture   longest frame   median  ms")
        for name in names:
            settings = OceanSettings() if name == "ocean" else preset(name)
            for label, each in ((name, settings), (f"{name}, looping", replace(settings, loop=20.0))):
                shot = Shot(each, frames=_FRAMES, quality="high", preset="" if name == "ocean" else name)
                times = np.array(list(_times(ctx, shot))) * 1e3
                print(f"{label:28} {times[0]:13.0f} {times[1:].max():15.1f} {np.median(times[1:]):8.1f}", flush=True)


def _times(ctx: moderngl.Context, shot: Shot) -> Iterator[float]:
    before = perf_counter()
    for _ in pictures(ctx, shot, _SIZE):
        now = perf_counter()
        yield now - before
        before = now


if __name__ == "__main__":
    table(sys.argv[1:] or ["ocean", *PRESETS])
