"""The ocean step on the GPU against float64 numpy: several tiles, their independence, and what a run costs."""

from __future__ import annotations

import math
import signal
from dataclasses import replace

import moderngl
import numpy as np
import pytest
from support.ocean import assert_near, decibels
from support.pictures import ALGORITHMS
from support.tolerances import BLUESTEIN_DB, COMPOSED_DB

from glfft.errors import OptionError, ReleasedError, ShapeError
from glfft.gl.context import is_software
from glfft.plan import Plan
from glfft.sea.fields import reference_fields
from glfft.sea.settings import OceanSettings
from glfft.sea.step import FIELDS, STRETCH, SURFACE, OceanStep, sample_tiles
from glfft.sea.wave_textures import WaveTextures, read_layers

# Tiles that share nothing but their size.
TILES = (
    OceanSettings(size=64, tile=200.0, wind_direction=0.6),
    OceanSettings(size=64, tile=23.0, wind=7.0, wind_direction=-2.0, seed=5, depth=3.0),
    OceanSettings(size=64, tile=3.0, wind=5.0, wind_direction=1.6, seed=6, spreading="donelan-banner"),
)

# The transform itself reaches 130 dB on any input; evolution adds rounding of about the same size.
FIELD_DECIBELS = 128.0


@pytest.mark.parametrize("count", [1, 2, 3])
def test_every_tile_has_the_fields_of_float64(ctx, count):
    with OceanStep(ctx, TILES[:count]) as step:
        found = step.evaluate(12.34)
    assert len(found) == count
    for tile, fields in zip(TILES, found, strict=False):
        expected = reference_fields(tile, 12.34)
        for name in FIELDS:
            assert decibels(fields[name], expected[name]) > FIELD_DECIBELS, (tile.tile, name)


# Factors of 2, 3 and 5; and a large prime, with which lines are convolutions.
@pytest.mark.parametrize("size", [18, 118, 60])
def test_tiles_may_have_any_even_size(ctx, size):
    tiles = [replace(each, size=size) for each in TILES[:2]]
    with OceanStep(ctx, tiles) as step:
        assert step.dispatches == 2
        found = step.evaluate(12.34)
    for tile, fields in zip(tiles, found, strict=True):
        expected = reference_fields(tile, 12.34)
        for name in FIELDS:
            assert decibels(fields[name], expected[name]) > (FIELD_DECIBELS if size != 118 else BLUESTEIN_DB), name


def test_a_loop_comes_round_to_the_last_bit(ctx):
    tiles = [replace(each, loop=8.0) for each in TILES[:2]]
    with OceanStep(ctx, tiles) as step:
        for time in (0.0, 2.75):
            before, after = step.evaluate(time), step.evaluate(time + 8.0)
            halfway = step.evaluate(time + 4.0)
            for tile, first, again, between in zip(tiles, before, after, halfway, strict=True):
                expected = reference_fields(tile, time + 80.0)
                for name in FIELDS:
                    assert np.array_equal(first[name], again[name])
                    assert not np.allclose(first[name], between[name], atol=1e-3 * np.abs(first[name]).max())
                    assert decibels(first[name], expected[name]) > FIELD_DECIBELS - 6, name


def test_every_algorithm_gives_the_same_tiles(ctx):
    with OceanStep(ctx, [replace(tile, size=16) for tile in TILES[:2]]) as step:
        expected = step.evaluate(3.0)
        for algorithm in ALGORITHMS:
            step.set_algorithm(algorithm)
            for found, wanted in zip(step.evaluate(3.0), expected, strict=True):
                for name in FIELDS:
                    assert decibels(found[name], wanted[name]) > COMPOSED_DB, (algorithm, name)


@pytest.mark.parametrize("count", [1, 3])
def test_a_run_is_two_dispatches_and_nothing_else(ctx, count, monkeypatch):
    with OceanStep(ctx, sample_tiles(size=32, count=count)) as step:
        step.run(0.5)
        run, dispatched = moderngl.ComputeShader.run, []

        def counted(self, *groups, **options):
            dispatched.append(groups)
            return run(self, *groups, **options)

        def refused(*_, **__):
            raise AssertionError("a run draws nothing, copies nothing and builds no mipmaps")

        monkeypatch.setattr(moderngl.ComputeShader, "run", counted)
        monkeypatch.setattr(moderngl.VertexArray, "render", refused)
        for kind in (moderngl.Texture, moderngl.TextureArray):
            for method in ("write", "read", "read_into", "build_mipmaps"):
                monkeypatch.setattr(kind, method, refused)
        step.run(1.0)
        assert len(dispatched) == step.dispatches == 2
        step.run(1.1)
        assert len(dispatched) == 4


def test_tiles_do_not_touch_each_other(ctx):
    """Another sea in one layer leaves every bit of the others."""
    changed = [TILES[0], replace(TILES[1], seed=77, wind=12.0, depth=30.0), TILES[2]]
    with OceanStep(ctx, TILES) as step:
        before = step.evaluate(4.0)
        step.configure(changed)
        after = step.evaluate(4.0)
    with OceanStep(ctx, [changed[1]]) as alone:
        found = alone.evaluate(4.0)
    for index in (0, 2):
        assert all(np.array_equal(before[index][name], after[index][name]) for name in FIELDS)
    assert not np.array_equal(before[1]["height"], after[1]["height"])
    for name in FIELDS:
        assert decibels(after[1][name], found[0][name]) > COMPOSED_DB


def test_evaluation_leaves_the_textures_alone(ctx):
    with OceanStep(ctx, TILES[:1]) as step:
        step.run(1.0)
        textures = (step.surface, step.stretch)
        before = [texture.read() for texture in textures]
        step.evaluate(7.0)
        assert [texture.read() for texture in textures] == before
        step.run(7.0)
        assert [texture.read() for texture in textures] != before
        step.run(1.0)
        assert [texture.read() for texture in textures] == before, "and goes on drawing into its own textures"


def test_textures_hold_the_fields_in_the_precision_asked_for(ctx):
    for dtype, kind, off in (("f4", np.float32, 0.0), ("f2", np.float16, 2.0**-10)):
        with OceanStep(ctx, TILES, dtype=dtype) as step:
            found = step.evaluate(2.5)
            step.run(2.5)
            for texture, names in ((step.surface, SURFACE), (step.stretch, STRETCH)):
                layers = np.frombuffer(texture.read(), kind).reshape(3, 64, 64, 4)
                for layer, fields in zip(layers, found, strict=True):
                    for channel, name in enumerate(names):
                        assert_near(layer[..., channel], fields[name], rel=off, abs=6e-8 * (off > 0))
    with pytest.raises(OptionError, match="dtype"):
        OceanStep(ctx, TILES, dtype="f8")


def test_a_software_renderer_is_spared_anisotropy(ctx):
    """Minutes for a frame, and llvmpipe lets it into textureLod: vertices at one place then come out at two."""
    with OceanStep(ctx, [OceanSettings(size=16)]) as step:
        for texture in (step.surface, step.stretch):
            assert (texture.anisotropy <= 1.0) == (is_software(ctx) or ctx.max_anisotropy <= 1.0)


def test_tiles_that_do_not_go_together_are_refused(ctx):
    with pytest.raises(ShapeError, match="at least one"):
        OceanStep(ctx, [])
    with pytest.raises(OptionError, match="tiles_of"):
        OceanStep(ctx, [OceanSettings(size=128, cascades=3)])
    with pytest.raises(ShapeError, match="a sequence"):
        OceanStep(ctx, TILES[0])  # pyright: ignore[reportArgumentType]
    with pytest.raises(ShapeError, match="one size"):
        OceanStep(ctx, [TILES[0], replace(TILES[1], size=32)])
    with OceanStep(ctx, TILES[:2]) as step:
        before = step.evaluate(1.0)
        for others in (TILES, [replace(tile, size=32) for tile in TILES[:2]]):
            with pytest.raises(ShapeError, match="new ocean step"):
                step.configure(others)
        after = step.evaluate(1.0)
    assert all(np.array_equal(a[name], b[name]) for a, b in zip(before, after, strict=True) for name in FIELDS)


def test_misuse_is_an_error_in_words(ctx):
    step = OceanStep(ctx, sample_tiles(size=16, count=1))
    with pytest.raises(OptionError, match="time"):
        step.run(math.nan)
    for index in (-1, 1):
        with pytest.raises(OptionError, match="no tile"):
            step.set_amplitudes(index, np.zeros((16, 16), np.complex64))
    for depths in ([], [10.0, 20.0]):
        with pytest.raises(OptionError, match="one for each tile"):
            step.set_depths(depths)
    step.release()
    step.release()
    for use in (lambda: step.run(0.0), lambda: step.evaluate(0.0), lambda: step.set_algorithm("auto")):
        with pytest.raises(ReleasedError):
            use()


def test_sample_tiles_are_as_many_seas_as_asked_for():
    tiles = sample_tiles(size=64, count=3, seed=4)
    assert [tile.size for tile in tiles] == [64] * 3
    assert len({tile.tile for tile in tiles}) == len({tile.seed for tile in tiles}) == 3


def test_settings_that_cannot_be_taken_leave_those_before(ctx, monkeypatch):
    before = tuple(sample_tiles(size=32, count=2))
    with OceanStep(ctx, before) as step:

        def fails(index, tile):
            raise MemoryError

        monkeypatch.setattr(step.waves, "fill", fails)
        with pytest.raises(MemoryError):
            step.configure([replace(tile, wind=3.0) for tile in before])
        assert step.tiles == before


def test_an_interrupt_leaves_no_waves_of_other_settings(ctx, monkeypatch):
    calm, rough = (OceanSettings(size=16, tile=150.0, wind=wind) for wind in (9.0, 12.0))
    fill = WaveTextures.fill

    def interrupted(*arguments):
        fill(*arguments)
        signal.raise_signal(signal.SIGINT)

    with OceanStep(ctx, [calm], dtype="f4") as step:
        with monkeypatch.context() as patch:
            patch.setattr(WaveTextures, "fill", interrupted)
            with pytest.raises(KeyboardInterrupt):
                step.configure([rough])
        for settings in (calm, rough):
            step.configure([settings])
            assert decibels(step.evaluate(3.0)[0]["height"], reference_fields(settings, 3.0)["height"]) > COMPOSED_DB


def test_an_interrupted_evaluation_leaves_runs_their_textures(ctx, monkeypatch):
    settings, give = OceanSettings(size=16, tile=150.0), Plan.set_uniforms

    def interrupted(plan, **values):
        if values.get("surface") is step.surface:
            signal.raise_signal(signal.SIGINT)
        give(plan, **values)

    with OceanStep(ctx, [settings], dtype="f4") as step:
        with monkeypatch.context() as patch:
            patch.setattr(Plan, "set_uniforms", interrupted)
            with pytest.raises(KeyboardInterrupt):
                step.evaluate(1.0)
        step.run(3.0, next_use="read")
        assert decibels(read_layers(step.surface)[0, ..., 0], reference_fields(settings, 3.0)["height"]) > COMPOSED_DB
