"""A sea and scenes that several tests draw."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import moderngl
import numpy as np
import pytest

from glfft.apps.ocean.quality import MEDIUM, Quality
from glfft.apps.ocean.scene import OceanScene
from glfft.apps.ocean.sky import Weather
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation

# Glare of few rows: its transforms are short then, and compile sooner. Tests of the film have it whole.
QUICK = replace(MEDIUM, glare_rows=15)


@pytest.fixture(scope="session")
def shared_sea(ctx: moderngl.Context) -> Iterator[OceanSimulation]:
    with OceanSimulation(ctx, OceanSettings(size=64, wind=12.0, tile=120.0)) as made:
        yield made


@pytest.fixture
def sea(shared_sea: OceanSimulation) -> OceanSimulation:
    """A small sea at 7 s, for tests to draw and not to change. Its foam is built up once for all of them."""
    shared_sea.update(7.0)
    return shared_sea


@pytest.fixture(scope="session")
def scene_of(ctx: moderngl.Context) -> Iterator[Callable[..., OceanScene]]:
    """Scenes of a size, weather and quality, as if just made: the same one again for the same quality."""
    made: dict[Quality, OceanScene] = {}

    def scene_of(
        size: tuple[int, int], weather: Weather | None = None, samples: int = 0, frugal: bool = False
    ) -> OceanScene:
        weather, quality = weather or Weather(), replace(QUICK, samples=samples, frugal=frugal)
        if quality not in made:
            made[quality] = OceanScene(ctx, size, weather, quality)
        scene = made[quality]
        scene.resize(size)
        if scene.sky.weather != weather:
            scene.sky.configure(weather)
        scene.exposure_stops, scene._exposure = 0.0, None
        scene.buoys.anchors = np.zeros((0, 2))
        return scene

    yield scene_of
    for scene in made.values():
        scene.release()
