"""Spray: thrown from crests that break in a strong wind, and nowhere else."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from support.crops import CropCamera
from support.golden_seas import radiance_of

from glfft.apps.ocean import spray
from glfft.apps.ocean.camera import Camera
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

FOAMY = OceanSettings(size=32, tile=120.0, wind=18.0, foam_threshold=1.1, foam_gain=30.0)


@pytest.fixture
def drawn(ctx, scene_of, monkeypatch):
    """Gives a function that draws the light, [height, width, 3], with spray or without it."""

    def drawn(simulation, camera, size, spray=True):
        scene, target = scene_of(size), ctx.simple_framebuffer(size)
        with monkeypatch.context() as patched:
            if not spray:
                patched.setattr(scene._spray, "draw", lambda *_: None)
            scene.draw(simulation, camera, 4.0, target)
        target.release()
        return radiance_of(scene._picture)

    return drawn


@pytest.mark.parametrize(
    ("settings", "height", "sprays"),
    [
        (FOAMY, 6.0, True),
        (replace(FOAMY, foam_gain=0.0), 6.0, False),
        (replace(FOAMY, wind=6.0), 6.0, False),
        (FOAMY, -5.0, False),
    ],
)
def test_only_foam_in_a_strong_wind_sprays(ctx, drawn, settings, height, sprays):
    camera = Camera((0.0, height, 0.0), pitch=-0.1)
    with OceanSimulation(ctx, settings) as simulation:
        simulation.update(4.0)
        pictures = [drawn(simulation, camera, (96, 54), spray) for spray in (True, False)]
    assert (pictures[0] != pictures[1]).any() == sprays
    assert np.isfinite(pictures[0]).all()
    assert ctx.error == "GL_NO_ERROR"


def test_puffs_do_not_vanish_where_their_middle_leaves_the_picture(ctx, drawn):
    """A part of a picture shows what the whole one shows there, up to its edge."""
    camera, full, width = Camera((0.0, 6.0, 0.0), pitch=-0.1), (192, 108), 96
    part = CropCamera.of(camera, full, (0, 0, width, full[1]))
    with OceanSimulation(ctx, FOAMY) as simulation:
        simulation.update(4.0)
        whole, clean = (drawn(simulation, camera, full, spray)[:, width - 4 : width] for spray in (True, False))
        there, bare = (drawn(simulation, part, (width, full[1]), spray)[:, -4:] for spray in (True, False))
    added = whole - clean
    assert np.abs(added).max() > 0.3 * clean.mean()
    np.testing.assert_allclose(there - bare, added, atol=0.05 * np.abs(added).max())


def test_near_puffs_cover_as_much_of_a_larger_picture(ctx, drawn):
    camera, covered = Camera((0.0, 6.0, 0.0), pitch=-0.5), []
    with OceanSimulation(ctx, FOAMY) as simulation:
        simulation.update(4.0)
        for size in ((128, 72), (512, 288)):
            pictures = [drawn(simulation, camera, size, spray) for spray in (True, False)]
            covered.append(np.abs(pictures[0] - pictures[1]).mean())
    assert covered[1] == pytest.approx(covered[0], rel=0.1)


def test_gales_draw_spray_out_into_spindrift(drawn, monkeypatch, ctx):
    """From the same crests, with the wind across the view: more is seen of it, in streaks along the wind."""
    uniforms, camera, size = spray.spray_uniforms, Camera((0.0, 5.0, 0.0), heading=math.pi / 2, pitch=-0.1), (192, 108)
    added = []
    with OceanSimulation(ctx, replace(FOAMY, size=64)) as simulation:
        simulation.update(4.0)
        for wind in (13.0, 27.0):
            monkeypatch.setattr(spray, "spray_uniforms", lambda *asked, wind=wind: {**uniforms(*asked), "wind": wind})
            with_spray, without = (drawn(simulation, camera, size, shown)[..., 1] for shown in (True, False))
            added.append(np.abs(with_spray - without))
    fresh, gale = added
    assert gale.mean() > 3 * fresh.mean()
    along, across = (np.abs(np.diff(gale, axis=axis)).mean() for axis in (1, 0))
    assert along < 0.4 * across


def test_spindrift_seen_along_the_wind_is_no_comb(ctx, drawn, monkeypatch):
    """Streaks end within a puff there, or those above a crest would all be lines from the point the wind blows to."""
    uniforms, camera = spray.spray_uniforms, Camera((0.0, 12.0, 0.0), math.pi, -0.1, 0.2)
    monkeypatch.setattr(spray, "spray_uniforms", lambda *asked: {**uniforms(*asked), "wind": 27.0})
    along = across = 0.0
    for seed in (1, 2, 3):
        with OceanSimulation(ctx, replace(FOAMY, size=64, wind_direction=math.pi, seed=seed)) as simulation:
            simulation.update(4.0)
            with_spray, without = (drawn(simulation, camera, (384, 216), shown)[..., 1] for shown in (True, False))
        down, right = np.gradient(np.abs(with_spray - without)[108:])
        # The horizon is at the picture's upper edge; the sun, with its sparks, is behind the eye.
        row, column = np.indices(down.shape) - np.array([108, 384 / 2 - 0.5])[:, None, None]
        outwards = np.hypot(row, column)
        along += ((down * row + right * column) ** 2 / outwards**2).sum()
        across += ((right * row - down * column) ** 2 / outwards**2).sum()
    assert along > 0.37 * across
