"""The aperture's picture: the area of its opening, its edges, and what lies on it, against float64."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from support.gl_objects import live_objects
from support.tolerances import TABLE_DB, assert_close

from glfft.apps.glare.glare import AperturePicture
from glfft.apps.glare.lens import Lens, strokes

CLEAN = Lens(dust=0, scratches=0, rotation=0.3)
SIDE, DIAMETER = 192, 150.0


def drawn(ctx, lens):
    with AperturePicture(ctx, SIDE) as aperture:
        aperture.draw(lens, DIAMETER)
        return np.frombuffer(aperture.texture.read(), np.float32).reshape(SIDE, SIDE)


def exact(lens):
    """The same in float64, row 0 at the top."""
    middles = (np.arange(SIDE) + 0.5 - SIDE / 2) / DIAMETER
    place = np.stack(np.meshgrid(middles, -middles), axis=-1)
    outside = np.full((SIDE, SIDE), -1.0) if lens.blades else np.linalg.norm(place, axis=-1) - 0.5
    for blade in range(lens.blades):
        angle = lens.rotation + 2 * math.pi * blade / lens.blades
        normal = np.array([math.cos(angle), math.sin(angle)])
        outside = np.maximum(outside, place @ normal - 0.5 * math.cos(math.pi / lens.blades))
    passes = np.clip(0.5 - outside * DIAMETER, 0, 1)
    for x0, y0, x1, y1, first, last, opacity in strokes(lens).astype(np.float32).astype(float):
        start, along = np.array([x0, y0]), np.array([x1 - x0, y1 - y0])
        t = np.clip((place - start) @ along / max(along @ along, 1e-12), 0, 1)
        width = first + (last - first) * t
        away = np.linalg.norm(place - start - t[..., None] * along, axis=-1) - width
        passes *= 1 - opacity * np.clip(0.5 - away * DIAMETER, 0, 1) * np.minimum(1, 2 * width * DIAMETER)
    return passes


@pytest.mark.parametrize("blades", [0, 3, 5, 6, 9])
def test_the_area_is_that_of_the_polygon(ctx, blades):
    area = drawn(ctx, replace(CLEAN, blades=blades)).sum() / DIAMETER**2
    polygon = blades / 8 * math.sin(2 * math.pi / blades) if blades else math.pi / 4
    assert area == pytest.approx(polygon, rel=2e-3)


@pytest.mark.parametrize(
    "lens",
    [
        replace(CLEAN, blades=5, dust=40, scratches=5),
        replace(CLEAN, blades=7, lashes=5),
        replace(CLEAN, blades=0, fibres=40, dust=9),
    ],
    ids=["dust and scratches", "lashes", "fibres"],
)
def test_it_is_what_numpy_draws(ctx, lens):
    # The edges of things are a texel wide, and their places have 24 bits: some 2^-24 * 150 texels off.
    assert_close(drawn(ctx, lens), exact(lens), TABLE_DB - 45)


def test_it_leaves_nothing_behind(ctx):
    drawn(ctx, Lens())
    before = live_objects(ctx)
    drawn(ctx, Lens())
    assert live_objects(ctx) == before
