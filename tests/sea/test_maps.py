"""What is drawn of an ocean step: mipmaps, products of slopes and foam of several tiles, against numpy."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from unittest.mock import MagicMock

import moderngl
import numpy as np
import pytest
from support.gl_objects import live_objects, strange_samplers
from support.ocean import assert_near

from glfft.errors import ContextError, OptionError, ShapeError
from glfft.sea import maps as maps_module
from glfft.sea.maps import SeaMaps
from glfft.sea.settings import OceanSettings
from glfft.sea.step import STRETCH, OceanStep, sample_tiles

Array = np.ndarray

STORMY = tuple(
    replace(tile, wind=20.0, foam_threshold=0.9, foam_spread=0.5 * tile.spacing**2)
    for tile in sample_tiles(size=64, count=3)
)

_READ_LEVEL = """
#version 430
layout(local_size_x = 8, local_size_y = 8) in;
uniform sampler2DArray picture;
uniform int level;
layout(std430, binding = 0) writeonly buffer Read { vec4 texels[]; };
void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID);
    ivec3 size = textureSize(picture, level);
    if (at.x < size.x && at.y < size.y) texels[(at.z * size.y + at.y) * size.x + at.x] = texelFetch(picture, at, level);
}
"""

ReadLevel = Callable[[moderngl.TextureArray, int], Array]


@pytest.fixture
def read_level(ctx: moderngl.Context) -> ReadLevel:
    """A mipmap as float64 [layer, row, column, component]."""
    shader = ctx.compute_shader(_READ_LEVEL)

    def read(texture: moderngl.TextureArray, level: int) -> Array:
        side = texture.width >> level
        buffer = ctx.buffer(reserve=16 * texture.layers * side**2)
        texture.use(0)
        buffer.bind_to_storage_buffer(0)
        shader["level"] = level
        shader.run(-(-side // 8), -(-side // 8), texture.layers)
        ctx.memory_barrier()
        found = np.frombuffer(buffer.read(), np.float32).reshape(texture.layers, side, side, 4)
        buffer.release()
        return found[..., : texture.components].astype(np.float64)

    return read


def foam_of(maps: SeaMaps) -> Array:
    foam = maps.foam
    return np.frombuffer(foam.read(), np.float32).reshape(-1, foam.height, foam.width)


def halved(finer: Array) -> Array:
    """The next level of [layer, row, column, component]: means by area."""
    side = finer.shape[1]
    edges = np.linspace(0, side, side // 2 + 1)
    left, right = (np.clip(edges[:, None] - np.arange(side), 0, 1)[part] for part in (slice(-1), slice(1, None)))
    shares = (left - right) * (side // 2) / side
    return np.einsum("ij,tjkc,lk->tilc", shares, finer, shares, optimize=True)


def _foamy(size: int, count: int) -> list[OceanSettings]:
    """Tiles with much foam, whose threshold need not be computed from the waves."""
    return [replace(tile, foam_threshold=0.9) for tile in sample_tiles(size, count)]


@pytest.fixture
def no_transforms(monkeypatch: pytest.MonkeyPatch) -> None:
    """For steps whose fields `_fill` writes: transforms of every size would take long to compile."""
    monkeypatch.setattr("glfft.sea.step.Plan", MagicMock())


def _fill(step: OceanStep) -> None:
    """Put random numbers in the place of fields."""
    random = np.random.default_rng(3)
    for texture in (step.surface, step.stretch):
        shape = (texture.layers, texture.height, texture.width, texture.components)
        texture.write((0.3 * random.standard_normal(shape)).astype({"f2": np.float16, "f4": np.float32}[texture.dtype]))


# Sizes with one odd level or several, in the first pass and after it, and blocks that reach beyond the edge.
@pytest.mark.parametrize("size", [18, 90, 130, 200])
@pytest.mark.usefixtures("no_transforms")
def test_mipmaps_of_any_size_share_the_picture_evenly(ctx, read_level, size):
    with OceanStep(ctx, _foamy(size, 2)) as step:
        maps = SeaMaps(step)
        _fill(step)
        maps.run(0.3)
        for texture in (step.surface, step.stretch, maps.slope_products, maps.foam):
            expected = read_level(texture, 0)
            largest = np.abs(expected).max()
            assert largest > 0
            tolerance = 2.0**-10 if texture.dtype == "f2" else 1e-6
            whole = expected.mean((1, 2))
            for level in range(1, size.bit_length()):
                expected = halved(expected)
                assert expected.mean((1, 2)) == pytest.approx(whole, abs=1e-9 * largest)
                assert np.abs(read_level(texture, level) - expected).max() <= tolerance * largest, (texture, level)
        maps.release()


# Coarser levels in one more round, in none to speak of, in one that is full, and in more than one.
@pytest.mark.parametrize(("size", "levels_a_round"), [(16, 6), (64, 6), (256, 5), (128, 2)])
@pytest.mark.usefixtures("no_transforms")
def test_every_mipmap_is_the_mean_of_its_texels(ctx, read_level, monkeypatch, size, levels_a_round):
    monkeypatch.setattr(maps_module, "_MORE_LEVELS", levels_a_round)
    tiles = _foamy(size, 2 if size < 256 else 1)
    with OceanStep(ctx, tiles) as step:
        maps = SeaMaps(step)
        _fill(step)
        maps.run(0.3)
        for texture in (step.surface, step.stretch, maps.slope_products, maps.foam):
            expected = read_level(texture, 0)
            largest = np.abs(expected).max()
            assert largest > 0
            # Half precision is cut off by some drivers.
            tolerance = 2.0**-10 if texture.dtype == "f2" else 1e-6
            for level in range(1, int(math.log2(size)) + 1):
                # Means of four means, in float64: as good as those of all texels.
                expected = expected.reshape(len(tiles), size >> level, 2, size >> level, 2, -1).mean((2, 4))
                assert np.abs(read_level(texture, level) - expected).max() <= tolerance * largest, (texture, level)
        maps.release()


def test_products_are_those_of_the_slopes_of_every_tile(ctx, read_level):
    with OceanStep(ctx, STORMY) as step:
        maps = SeaMaps(step)
        step.run(2.0)
        maps.run()
        slope_x, slope_z = np.moveaxis(read_level(step.surface, 0)[..., 2:], -1, 0)
        products = read_level(maps.slope_products, 0)
        for channel, expected in enumerate((slope_x**2, slope_z**2, slope_x * slope_z)):
            assert_near(products[..., channel], expected, rel=2.0**-10, abs=6e-8)
        maps.release()


def test_a_step_of_foam_is_what_its_equation_says_in_every_tile(ctx, read_level):
    tiles = [
        replace(tile, foam_lifetime=1.0 + index, choppiness=0.7 + 0.2 * index) for index, tile in enumerate(STORMY)
    ]
    with OceanStep(ctx, tiles) as step:
        maps = SeaMaps(step)
        before = _lived_through(step, maps)
        assert all(0.01 < layer.mean() < 0.99 for layer in before)
        step.run(3.0)
        maps.run(0.25)
        found, stretch = foam_of(maps), read_level(step.stretch, 0)
        maps.release()
    for index, tile in enumerate(tiles):
        assert_near(found[index], _aged(tile, before[index], stretch[index], 0.25), abs=2e-6)


def _aged(tile: OceanSettings, foam: Array, stretch: Array, seconds: float) -> Array:
    around = sum(np.roll(foam.astype(np.float64), shift, axis) for shift in (1, -1) for axis in (0, 1)) / 4
    mixed = min(0.5, 4 * tile.foam_spread * seconds / tile.spacing**2)
    spread = (1 - mixed) * foam + mixed * around
    assert tile.foam_threshold is not None
    part = {name: tile.choppiness * stretch[..., channel] for channel, name in enumerate(STRETCH)}
    half_difference = 0.5 * (part["dxx"] - part["dzz"])
    least = 1 + 0.5 * (part["dxx"] + part["dzz"]) - np.sqrt(half_difference**2 + part["dxz"] ** 2)
    kept = math.exp(-seconds / tile.foam_lifetime)
    grown = tile.foam_gain * tile.foam_lifetime * (1 - kept) * np.maximum(0, tile.foam_threshold - least)
    return np.clip(spread * kept + grown, 0, 1)


def _lived_through(step: OceanStep, maps: SeaMaps) -> Array:
    for frame in range(5):
        step.run(2.0 + 0.1 * frame)
        maps.age_foam(0.1)
    return foam_of(maps)


def test_foam_of_one_tile_does_not_touch_the_others(ctx):
    changed = [STORMY[0], replace(STORMY[1], choppiness=0.4, foam_lifetime=1.0), STORMY[2]]
    found = []
    for tiles in (STORMY, changed, [changed[1]]):
        with OceanStep(ctx, tiles) as step:
            maps = SeaMaps(step)
            found.append(_lived_through(step, maps))
            maps.release()
    before, after, alone = found
    for index in (0, 2):
        assert np.array_equal(before[index], after[index])
        assert after[index].any()
    assert not np.array_equal(before[1], after[1])
    assert_near(after[1], alone[0], abs=1e-5)


def test_samplers_that_are_left_on_the_units_change_nothing(ctx):
    with OceanStep(ctx, STORMY) as step:
        step.run(20.0)
        found = []
        for left in (nullcontext(), strange_samplers(ctx)):
            with SeaMaps(step) as maps, left:
                maps.run(0.3)
                maps.run(0.3)
                found.append(foam_of(maps))
        assert np.array_equal(*found)


def test_foam_can_be_aged_without_the_rest_and_cleared(ctx):
    with OceanStep(ctx, STORMY[:1]) as step:
        maps = SeaMaps(step)
        step.run(2.0)
        maps.age_foam(0.5)
        aged = foam_of(maps)
        assert aged.any()
        maps.clear_foam()
        assert not foam_of(maps).any()
        maps.run(0.5)
        assert np.array_equal(foam_of(maps), aged)
        maps.release()


@pytest.mark.parametrize("seconds", [-0.1, math.nan, math.inf])
def test_foam_does_not_grow_younger(ctx, seconds):
    with OceanStep(ctx, STORMY[:1]) as step:
        maps = SeaMaps(step)
        step.run(2.0)
        maps.run(0.5)
        before = foam_of(maps)
        with pytest.raises(OptionError, match="from 0"):
            maps.run(seconds)
        assert np.array_equal(foam_of(maps), before)
        maps.release()


def test_settings_of_the_foam_are_followed_while_it_lives(ctx):
    with OceanStep(ctx, STORMY[:1]) as step:
        maps = SeaMaps(step)
        _lived_through(step, maps)
        before = foam_of(maps)
        step.configure([replace(STORMY[0], foam_gain=0.0, foam_spread=0.0, foam_lifetime=2.0)])
        maps.age_foam(0.1)
        assert_near(foam_of(maps), before * math.exp(-0.1 / 2.0), abs=1e-6)
        maps.release()


@pytest.mark.parametrize("tiles", [-1, 0, 2, 6])
def test_seas_that_are_not_the_steps_tiles_are_refused(ctx, tiles):
    with (
        OceanStep(ctx, STORMY) as step,
        pytest.raises(ShapeError, match=f"no whole number of seas of {tiles}"),
    ):
        SeaMaps(step, tiles)


@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_maps_that_cannot_be_made_leave_nothing(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    with OceanStep(ctx, STORMY) as step:
        SeaMaps(step).release()
        before = live_objects(ctx)
        whole = step.drawing_texture

        def too_much(components: int, dtype: str) -> moderngl.TextureArray:
            if components == 1:
                raise ContextError("no memory left")
            return whole(components, dtype)

        monkeypatch.setattr(step, "drawing_texture", too_much)
        with pytest.raises(ContextError):
            SeaMaps(step)
        assert live_objects(ctx) == before
