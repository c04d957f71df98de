"""A picture with glare as textures: in both ways as much light, and what displays show of it."""

from __future__ import annotations

import numpy as np
import pytest
from support.gl_objects import live_objects

from glfft.apps.bloom.bloom import Bloom
from glfft.apps.bloom.sources import LARGEST_LIGHT, Still, download, upload
from glfft.apps.glare.lens import Lens
from glfft.apps.picture_files import read_picture

# As in other tests of bloom, so that the transforms are the same programs.
SIZE = (96, 54)


@pytest.fixture
def bloom(ctx):
    with Bloom(ctx, SIZE, 31, 128) as made:
        made.glare.use(Lens(f_number=128.0))
        yield made


def lamp():
    picture = np.zeros((SIZE[1], SIZE[0], 3), np.float32)
    picture[30:34, 46:50] = 2000.0
    return picture


def test_both_ways_spread_as_much_light(ctx, bloom):
    source = upload(ctx, lamp())
    bloom.spread(source)
    glare = download(bloom.result).astype(float)
    bloom.spread_by_mipmaps(source)
    chain = download(bloom.result).astype(float)
    for spread in (glare, chain):
        assert spread.mean() == pytest.approx(lamp().mean(), rel=0.03)
        assert spread[31, 47].max() < 2000
        assert spread[31, 53].min() > 0
    source.release()


def test_plain_pictures_come_out_as_they_went_in(ctx, bloom):
    levels = np.random.default_rng(1).integers(0, 256, (SIZE[1], SIZE[0], 3))
    encoded = levels / 255
    light = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4).astype(np.float32)
    target = ctx.simple_framebuffer(SIZE, components=3)
    with Still(ctx, light, beyond_white=False) as source, ctx.scope(target):
        bloom.develop(source, source.light(0.0))
    # Dither is less than a step, half floats are less than one too.
    assert abs(read_picture(target).astype(int) - levels).max() <= 2
    target.release()


def test_light_beyond_white_has_a_filmic_curve_and_stops(ctx, bloom):
    target, levels = ctx.simple_framebuffer(SIZE, components=3), []
    with Still(ctx, np.full((SIZE[1], SIZE[0], 3), 2.0, np.float32), beyond_white=True) as source, ctx.scope(target):
        for stops in (-3.0, 0.0, 1.0):
            bloom.develop(source, source.light(0.0), stops)
            levels.append(read_picture(target).mean())
    assert 0 < levels[0] < levels[1] < levels[2] < 255
    target.release()


def test_two_pictures_lie_beside_each_other(ctx, bloom):
    target = ctx.simple_framebuffer((2 * SIZE[0], SIZE[1]), components=3)
    for index, value in enumerate((1.0, 0.0)):
        light = np.full((SIZE[1], SIZE[0], 3), value, np.float32)
        with Still(ctx, light, beyond_white=False) as source, ctx.scope(target):
            bloom.develop(source, source.light(0.0), area=(index * SIZE[0], 0, *SIZE))
    found = read_picture(target)
    assert found[:, : SIZE[0]].min() >= 254
    assert found[:, SIZE[0] :].max() <= 1
    target.release()


def test_light_beyond_half_floats_counts_as_the_most(ctx):
    picture = np.array([[[1e9, np.inf, np.nan], [-3.0, -np.inf, 5.0]]], np.float32)
    texture = upload(ctx, picture)
    np.testing.assert_array_equal(download(texture).astype(float), [[[LARGEST_LIGHT, LARGEST_LIGHT, 0], [0, 0, 5]]])
    texture.release()


def test_it_leaves_nothing_behind(ctx):
    def once():
        source = upload(ctx, lamp())
        with Bloom(ctx, SIZE, 31, 128) as made:
            made.glare.use(Lens())
            made.spread(source)
            made.spread_by_mipmaps(source)
        source.release()

    once()
    before = live_objects(ctx)
    once()
    assert live_objects(ctx) == before
