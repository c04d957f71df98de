"""Shapes drawn once and copied look the same as drawn anew."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.drawing import BACKGROUND, pixels, run

from glfft.overlay import Overlay

pytest.importorskip("imgui_bundle")


def test_recorded_numbers_look_the_same_as_drawn_ones(ctx, profiler, framebuffer):
    with Overlay(ctx, profiler, rate=math.inf) as overlay:
        run(profiler, framebuffer, overlay, frames=10)
        profiler.enabled = False
        overlay.refresh()
        images = []
        for _ in range(2):  # drawn, then copied
            framebuffer.clear(*BACKGROUND)
            overlay.render()
            images.append(pixels(framebuffer).copy())
            overlay._panel._numbers_due = math.inf
    assert np.array_equal(images[0], images[1])
