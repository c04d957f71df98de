"""The recipes do what docs/recipes.md says of them, beyond the one scene that the page itself runs on."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray
from support.documents import examples
from support.paths import ROOT

import glfft

Picture = NDArray[np.float64]


class Recipe:
    """The recipe's program, run on scenes of one shape."""

    def __init__(self, ctx: moderngl.Context, shape: tuple[int, int]) -> None:
        text = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
        program = next(each.code for each in examples.programs(text) if "BRIGHT" in each.code)
        self.scene = ctx.texture((shape[1], shape[0]), 4, dtype="f2")
        self.names: dict[str, Any] = {"ctx": ctx, "glfft": glfft, "np": np, "scene": self.scene}
        exec(program, self.names)
        self.shape = self.names["ROWS"], self.names["COLUMNS"]

    def glare(self, lights: Picture) -> Picture:
        """The glare of a scene of rows x columns x 3; of the plan's size, in 4 channels."""
        self.scene.write(np.dstack([lights, np.ones(lights.shape[:2])]).astype(np.float16).tobytes())
        self.names["plan"].convolve(None, self.names["glare"], next_use="read")
        result = np.frombuffer(self.names["glare"].read(), np.float16)
        return result.reshape(*self.shape, 4).astype(np.float64)

    def without_star(self) -> None:
        """Leave the convolution out, so that the glare is the bright part of the scene."""
        ones = np.ones(self.shape, np.complex64)
        self.names["plan"].set_uniforms(
            factor=self.scene.ctx.texture((self.names["COLUMNS"], self.names["ROWS"]), 2, ones.tobytes(), dtype="f4")
        )


def test_a_light_of_one_pixel_counts_alike_wherever_it_is(ctx: moderngl.Context) -> None:
    recipe = Recipe(ctx, (720, 1280))
    recipe.without_star()
    scene = np.zeros((720, 1280, 3))
    places = [(40 + 81 * row, 40 + 161 * column) for row, column in np.ndindex(8, 8)]
    for place in places:
        scene[place] = 90.0
    bright = recipe.glare(scene)[..., 0]
    scale = recipe.names["scale"]
    sums = []
    for row, column in places:
        y = round((row - 360) / scale + recipe.shape[0] / 2)
        x = round((column - 640) / scale + recipe.shape[1] / 2)
        sums.append(bright[y - 5 : y + 6, x - 5 : x + 6].sum() * scale**2)
    assert np.allclose(sums, 89.0, rtol=0.02)


@pytest.mark.parametrize("shape", [(720, 1280), (600, 400), (90, 160)], ids=["16:9", "2:3", "smaller than the plan"])
def test_a_round_light_has_a_round_glare(ctx: moderngl.Context, shape: tuple[int, int]) -> None:
    y, x = np.indices(shape) - (np.array(shape).reshape(2, 1, 1) - 1) / 2
    disc = np.hypot(x, y) < 0.2 * min(shape)
    result = Recipe(ctx, shape).glare(np.repeat(np.where(disc, 50.0, 0.0)[..., None], 3, axis=2))[..., 0]
    # The star has six rays, whose second moments along x and y are equal.
    across, down = np.indices(result.shape)[::-1]
    widths = [(result * (each - (result * each).sum() / result.sum()) ** 2).sum() for each in (across, down)]
    assert np.isclose(*widths, rtol=0.05)


@pytest.mark.parametrize("value", [np.inf, np.nan, -np.inf])
def test_one_pixel_that_is_no_number_spoils_nothing(ctx: moderngl.Context, value: float) -> None:
    scene = np.zeros((720, 1280, 3))
    scene[100:103, 200:203] = 60.0
    recipe = Recipe(ctx, scene.shape[:2])
    calm = recipe.glare(scene)
    scene[600, 1000, 0] = value
    result = recipe.glare(scene)
    assert np.isfinite(result).all()
    assert np.allclose(result[..., 1:3], calm[..., 1:3], atol=0.002 * calm.max())
    here = np.s_[:128, :200]  # far from the pixel
    assert np.allclose(result[here], calm[here], atol=0.01 * calm.max())


def test_a_wholly_bright_scene_fits_half_floats(ctx: moderngl.Context) -> None:
    result = Recipe(ctx, (512, 1024)).glare(np.full((512, 1024, 3), 60000.0))
    assert np.isfinite(result).all()
    assert np.isclose(result[128, 256, 0], 99.0, rtol=0.05)
