"""Spray: thrown from crests that break in a strong wind, and nowhere else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from glfft.apps.ocean.camera import Camera
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

FOAMY = OceanSettings(size=32, tile=120.0, wind=18.0, foam_threshold=1.1, foam_gain=30.0)


@pytest.mark.parametrize(
    ("settings", "height", "sprays"),
    [
        (FOAMY, 6.0, True),
        (replace(FOAMY, foam_gain=0.0), 6.0, False),
        (replace(FOAMY, wind=6.0), 6.0, False),
        (FOAMY, -5.0, False),
    ],
)
def test_only_foam_in_a_strong_wind_sprays(ctx, scene_of, monkeypatch, settings, height, sprays):
    scene, target = scene_of((96, 54)), ctx.simple_framebuffer((96, 54))
    camera, pictures = Camera((0.0, height, 0.0), pitch=-0.1), []
    with OceanSimulation(ctx, settings) as simulation:
        simulation.update(4.0)
        draw = scene._spray.draw
        for drawn in (draw, lambda *_: None):
            monkeypatch.setattr(scene._spray, "draw", drawn)
            scene.draw(simulation, camera, 4.0, target)
            radiance = scene._picture.radiance
            pictures.append(np.frombuffer(radiance.read(), np.float16).astype(float).reshape(54, 96, 4)[..., :3])
    target.release()
    changed = (pictures[0] != pictures[1]).any(axis=2)
    assert changed.any() == sprays
    assert np.isfinite(pictures[0]).all()
    assert ctx.error == "GL_NO_ERROR"
