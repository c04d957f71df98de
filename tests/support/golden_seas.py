"""The golden pictures of the sea, and the light in them: drawn on any device, and read from tests/golden."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import moderngl
import numpy as np
import numpy.typing as npt
from PIL import Image

from glfft.apps.ocean.picture import Picture
from glfft.apps.ocean.quality import MEDIUM
from glfft.apps.ocean.scene import OceanScene
from glfft.apps.ocean.shot import Shot
from glfft.apps.picture_files import read_picture
from glfft.sea.presets import PRESETS, preset
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation

NAMES = ("ocean", *PRESETS)
SIZE = (160, 90)
TIME = 7.0
FOLDER = Path(__file__).resolve().parents[1] / "golden"
_LIGHT = FOLDER / "light.json"
# No foam grows, and nothing need be built up.
_NO_FOAM = {"foam_gain": 0.0, "foam_lifetime": 0.1}
# Less is a few pixels, whose mean may be anything.
_LEAST_FOAM = 0.05

Light = dict[str, float]


def shot_of(name: str) -> tuple[Shot, int]:
    """What a golden picture shows, an ocean of its own or a preset on few samples; and how many samples a pixel has."""
    if name == "ocean":
        return Shot(OceanSettings(size=64, tile=160.0, wind=14.0, seed=5)), 0
    return Shot(replace(preset(name), size=64, cascades=2, seed=5), preset=name), 4


def drawn(
    ctx: moderngl.Context, name: str, foam: npt.NDArray[np.bool_] | None = None
) -> tuple[npt.NDArray[np.uint8], Light, npt.NDArray[np.bool_]]:
    """A golden picture, [height, width, 3]; the mean radiance of its sky, its water and its foam; and where foam is.

    White on the display is 1, and what is brighter counts as 1: glitter and the sun would outweigh all the rest.
    Pixels have foam if the water there looks otherwise without foam; the mean is 0 where there are few.

    Args:
        ctx: the context to draw in.
        name: one of NAMES.
        foam: the pixels with foam, [height // 3, width], the lowest row first. None finds them; pixels close to the
            limit are found on one device and not on another, so means are compared over the same pixels.
    """
    shot, samples = shot_of(name)
    scene = OceanScene(ctx, SIZE, shot.weather(), replace(MEDIUM, samples=samples))
    target = ctx.simple_framebuffer(SIZE, components=3)
    radiances = []
    for settings in (replace(shot.settings, **_NO_FOAM), shot.settings):
        with OceanSimulation(ctx, settings) as simulation:
            simulation.update(TIME)
            scene.draw(simulation, shot.first_camera(), TIME, target)
        radiances.append(np.minimum(1.0, radiance_of(scene._picture) * (scene._exposure or 0.0)))
    picture = read_picture(target)
    for each in (scene, target):
        each.release()
    clean, whole = radiances
    # The horizon lies a little above the middle, and waves stand over it.
    sky, water = whole[-(SIZE[1] // 3) :], whole[: SIZE[1] // 3]
    found = np.abs(water - clean[: len(water)]).mean(axis=-1) > 0.03 * water.mean() if foam is None else foam
    of_foam = water[found].mean() if found.mean() > _LEAST_FOAM else 0.0
    return picture, {"sky": float(sky.mean()), "water": float(water.mean()), "foam": float(of_foam)}, found


def radiance_of(picture: Picture) -> npt.NDArray[np.float64]:
    """The radiance of a picture, [height, width, 3], the lowest row first."""
    width, height = picture.radiance.size
    radiance = np.frombuffer(picture.radiance.read(), np.float16).reshape(height, width, 4)
    return radiance[..., :3].astype(np.float64)


def golden(name: str) -> tuple[npt.NDArray[np.uint8], Light, npt.NDArray[np.bool_]]:
    """The picture, the light and the pixels with foam as they were on llvmpipe."""
    picture = np.asarray(Image.open(FOLDER / f"{name}.png").convert("RGB"))
    foam = np.asarray(Image.open(FOLDER / f"{name}-foam.png")) > 0
    return picture, json.loads(_LIGHT.read_text("utf-8"))[name], foam


def write(ctx: moderngl.Context, names: tuple[str, ...]) -> None:
    """Draw golden pictures anew."""
    light = json.loads(_LIGHT.read_text("utf-8")) if _LIGHT.exists() else {}
    for name in names:
        picture, light[name], foam = drawn(ctx, name)
        Image.fromarray(picture).save(FOLDER / f"{name}.png", optimize=True)
        Image.fromarray(foam).save(FOLDER / f"{name}-foam.png", optimize=True)
    rounded = {name: {of: float(f"{value:.6g}") for of, value in light[name].items()} for name in NAMES}
    _LIGHT.write_text(json.dumps(rounded, indent=1) + "\n", "utf-8")
