"""The backs of waves, which turn away from the eye: no rows of light and dark teeth along their crests."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
from scipy.ndimage import maximum_filter
from support.crops import CropCamera
from support.golden_seas import radiance_of
from support.tolerances import MOST_ROUGHNESS, MOST_ROUGHNESS_OF_CREST, MOST_TEETH, MOST_TEETH_OF_CREST

from glfft.apps.ocean.camera import Camera
from glfft.apps.ocean.quality import QUALITIES, Size
from glfft.apps.ocean.scene import OceanScene
from glfft.apps.ocean.shot import Shot
from glfft.apps.ocean.sky import Weather
from glfft.gl import programs
from glfft.gl.source import Source
from glfft.sea.presets import preset
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation

FULL = (1920, 1080)
TIME = 3.7083
FINER = 8
SIZE = (160, 30)
_DEVIATES = "vec3 own_deviates("

# The corner of a part of the picture in which pixels of such backs are many: found from the mesh.
_BACKS = {
    "ocean": [(400, 815)],
    "ocean's right": [(1320, 830)],
    "storm": [(1160, 860)],
    "lagoon": [(280, 530)],
    "beaufort-4": [(1120, 755)],
    "beaufort-6": [(1680, 890)],
    "beaufort-10": [(1080, 860)],
}
_ALL = [(name, quality) for name in _BACKS for quality in ("medium", "high")]
_SLOW = [pytest.param(*each, marks=pytest.mark.slow) for each in _ALL if each != ("ocean", "high")]


@pytest.fixture
def spark_draw(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """{"spark_draw": which of the many draws of sparks, all alike, the next picture has}, to be changed."""
    assemble, set_declared, draw = programs.assemble, programs.set_declared, {"spark_draw": 0.0}

    def with_draws(*asked: Any) -> Source:
        source = assemble(*asked)
        text = source.text.replace(_DEVIATES, "uniform float spark_draw;\n" + _DEVIATES)
        return replace(
            source, text=re.sub(r"(smooth_deviates\(still \* exp2\([^)]*\))", r"\1 + 331.0 * spark_draw", text)
        )

    monkeypatch.setattr(programs, "assemble", with_draws)
    monkeypatch.setattr(programs, "set_declared", lambda program, values: set_declared(program, {**values, **draw}))
    return draw


def _shown(
    ctx: moderngl.Context,
    simulation: OceanSimulation,
    shot: Shot,
    camera: CropCamera,
    finer: int = 1,
    time: float = TIME,
    spark_draw: dict[str, float] | None = None,
) -> npt.NDArray[np.float64]:
    """How bright a part of the picture is shown, [height, width], as the mean of so many times more pixels each way, or
    of as many pictures whose sparks alone differ.
    """
    size = (SIZE[0] * finer, SIZE[1] * finer)
    # Glare, of which the light is free, has few rows: its transforms compile sooner.
    scene = OceanScene(ctx, size, shot.weather(), replace(QUALITIES[shot.quality], glare_rows=15))
    target = ctx.simple_framebuffer(size, components=3)
    draws = range(1 if spark_draw is None else FINER**2)
    shown = np.zeros(size[::-1])
    for draw in draws:
        if spark_draw is not None:
            spark_draw["spark_draw"] = float(draw)
        scene.draw(simulation, camera, time, target)
        light = radiance_of(scene._picture) @ np.array([0.2126, 0.7152, 0.0722])
        # About as displays encode it: nothing is so bright that it shows no teeth, as foam and glitter would be.
        exposed = light * (scene._exposure or 0.0)
        shown += np.sqrt(exposed / (1.0 + exposed)) / len(draws)
    for each in (scene, target):
        each.release()
    return shown.reshape(SIZE[1], finer, SIZE[0], finer).mean(axis=(1, 3))


def _roughness(shown: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.abs(np.diff(shown, n=2, axis=1))


def _teeth(found: npt.NDArray[np.float64], exact: npt.NDArray[np.float64]) -> float:
    """Teeth in a single row, along an edge, hardly count in the mean; they are rough where nothing near them is."""
    return float(np.maximum(0.0, found - maximum_filter(exact, size=(3, 5))).mean() / exact.mean())


@pytest.mark.parametrize(("name", "quality"), [("ocean", "high"), *_SLOW])
def test_they_are_hardly_rougher_along_rows_than_in_a_picture_sampled_64_times(
    ctx: moderngl.Context, name: str, quality: str, spark_draw: dict[str, float]
) -> None:
    """Each pixel has sparks of its own, in a finer picture other ones: so as many pictures are as those have pixels."""
    ours = name.startswith("ocean")
    settings = OceanSettings() if ours else preset(name)
    # Foam that is soon built up.
    settings = replace(settings, size=512, foam_lifetime=0.1, foam_threshold=0.5)
    shot = Shot(settings, quality=quality, preset="" if ours else name)
    with OceanSimulation(ctx, settings) as simulation:
        simulation.update(TIME)
        for left, upper in _BACKS[name]:
            box = (left, upper, left + SIZE[0], upper + SIZE[1])
            camera = CropCamera.of(shot.first_camera(), FULL, box)
            found = _roughness(_shown(ctx, simulation, shot, camera, spark_draw=spark_draw))
            exact = _roughness(_shown(ctx, simulation, shot, camera, FINER))
            times = found.mean() / exact.mean()
            assert times <= MOST_ROUGHNESS, f"at {left}, {upper}: {times:.2f} times as rough"
            teeth = _teeth(found, exact)
            assert teeth <= MOST_TEETH, f"at {left}, {upper}: {teeth:.3f}"


@pytest.mark.slow
def test_the_edge_of_a_foamy_crest_is_no_row_of_dots(ctx: moderngl.Context) -> None:
    """A crest that turns away from the eye has foam in patterns of the same size as the sea around it."""
    camera = Camera((0.0, 14.0, 0.0), math.radians(-20.0), math.radians(-8.0))
    light = Weather(sun_elevation=math.radians(30.0), sun_heading=math.radians(60.0), low_clouds=0.3)
    found, exact = _roughness_in_storm(ctx, camera, light, (3840, 2160), (3100, 940), 30.0)
    assert _teeth(found, exact) < MOST_TEETH_OF_CREST
    # With one reading of the foam there are hardly any threads beside the dots.
    smooth, _ = _roughness_in_storm(ctx, camera, light, (3840, 2160), (3100, 940), 30.0, "low")
    assert smooth.mean() < MOST_ROUGHNESS_OF_CREST


@pytest.mark.slow
def test_foam_on_slopes_that_turn_away_is_no_rows_of_dots(ctx: moderngl.Context) -> None:
    """Its pattern is filtered by what a pixel covers there, not by what one covers of a level sea."""
    camera = Camera((0.0, 15.0, 0.0), math.radians(60.0), math.radians(-4.0))
    light = Weather(sun_elevation=math.radians(30.0), sun_heading=math.radians(200.0), low_clouds=0.75)
    found, exact = _roughness_in_storm(ctx, camera, light, (960, 540), (780, 490), 40.067)
    assert found.mean() / exact.mean() < MOST_ROUGHNESS


def _roughness_in_storm(
    ctx: moderngl.Context, camera: Camera, light: Weather, full: Size, corner: Size, time: float, quality: str = "high"
) -> list[npt.NDArray[np.float64]]:
    """The roughness of the part of a storm's picture of a `full` size at a corner, and of the same four times finer."""
    shot = Shot(preset("storm"), view=camera, light=light, quality=quality)
    part = CropCamera.of(camera, full, (*corner, corner[0] + SIZE[0], corner[1] + SIZE[1]))
    with OceanSimulation(ctx, shot.settings) as simulation:
        simulation.update(time)
        return [_roughness(_shown(ctx, simulation, shot, part, finer, time=time)) for finer in (1, 4)]
