"""Pictures one after the other: the same options give the same ones."""

from __future__ import annotations

import math
from collections import OrderedDict
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import cast

import numpy as np
import pytest

from glfft.apps.ocean import quality, render
from glfft.apps.ocean.shot import Shot
from glfft.gl import programs
from glfft.gl.context import state_of
from glfft.profiling.profiler import Profiler
from glfft.sea.settings import OceanSettings
from glfft.sea.step import OceanStep

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

# As wide as a power of two and not as high, as what `OceanScene.prepare` draws: a software renderer has shaders of its
# own for textures of such sides.
SIZE = (64, 36)
SEA = OceanSettings(size=64, wind=12.0, tile=120.0, foam_lifetime=0.5)


def test_the_same_options_give_the_same_pictures(ctx):
    shot = Shot(settings=SEA, time=3.0, frames=2, frames_per_second=10.0, quality="low")
    first = list(render.pictures(ctx, shot, SIZE))
    second = list(render.pictures(ctx, shot, SIZE))
    assert len(first) == 2
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))
    assert not np.array_equal(first[0], first[1])
    fewer = list(render.pictures(ctx, replace(shot, frames=1), SIZE))
    assert len(fewer) == 1
    assert np.array_equal(first[0], fewer[0])
    other = list(render.pictures(ctx, replace(shot, settings=replace(SEA, seed=2), frames=1), SIZE))
    assert not np.array_equal(first[0], other[0])


def test_a_loop_has_no_seam(ctx):
    shot = Shot(settings=replace(SEA, wind=16.0, loop=2.0, foam_lifetime=1.0), frames=5, frames_per_second=2.0)
    assert shot.frames_a_loop == 4
    shown = list(render.pictures(ctx, shot, SIZE))
    # Six millionths of the foam's start are left, which may round a pixel in some thousand differently.
    apart = np.abs(shown[0].astype(int) - shown[4])
    assert apart.max() <= 1
    assert (apart > 0).mean() < 1e-3
    assert not np.array_equal(shown[0], shown[2])
    assert replace(shot, frames_per_second=2.1).frames_a_loop is None


class _Frames:
    """Takes the place of a profiler, and knows whether a frame is being drawn."""

    def __init__(self):
        self.drawing = False

    @contextmanager
    def frame(self):
        self.drawing = True
        yield
        self.drawing = False

    def section(self, _name, _moved=0):
        return nullcontext()


@pytest.mark.parametrize("loop", [math.inf, 2.0])
def test_nothing_is_compiled_in_a_frame_and_no_foam_built_up(ctx, monkeypatch, loop):
    frames, compiled, steps = _Frames(), [], []
    build, run = programs.compute_alone, OceanStep.run
    # What other tests have compiled is out of reach, though the driver may know it.
    monkeypatch.setitem(state_of(ctx).caches, "programs", OrderedDict())
    samples = 0 if loop == 2.0 else quality.MEDIUM.samples
    monkeypatch.setitem(quality.QUALITIES, "medium", replace(quality.MEDIUM, samples=samples))
    monkeypatch.setattr(programs, "compute_alone", lambda *asked: compiled.append(frames.drawing) or build(*asked))
    monkeypatch.setattr(OceanStep, "run", lambda *at, **given: steps.append(frames.drawing) or run(*at, **given))
    shot = Shot(replace(SEA, size=32, loop=loop), frames=2, frames_per_second=2.0, quality="medium")
    assert len(list(render.pictures(ctx, shot, SIZE, cast(Profiler, frames)))) == 2
    assert compiled
    assert not any(compiled)
    assert sum(steps) == 2 < len(steps)
