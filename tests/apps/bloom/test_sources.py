"""Light for glare: pictures as they are, and an ocean that moves under a sun far beyond white."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.gl_objects import live_objects

from glfft.apps.bloom import sources
from glfft.apps.bloom.sources import Ocean, Still, download, low_sun

# As wide as a power of two and not as high, as what `OceanScene.prepare` draws: a software renderer has shaders of its
# own for textures of such sides.
SIZE = (64, 36)


def test_a_still_picture_is_the_same_at_any_time(ctx):
    light = np.random.default_rng(3).random((20, 30, 3)).astype(np.float32)
    with Still(ctx, light, beyond_white=False) as still:
        assert still.size == (30, 20)
        assert not still.moves
        assert not still.beyond_white
        for time in (0.0, 7.0):
            np.testing.assert_array_equal(download(still.light(time)), light.astype(np.float16))


@pytest.mark.filterwarnings("ignore:The tile is")
def test_the_ocean_moves_under_a_sun_far_beyond_white_and_leaves_nothing_behind(ctx, monkeypatch):
    shot = low_sun()
    clear = replace(shot.weather(), clouds=0.0, low_clouds=0.0)
    # On one tile, as most seas of tests are: theirs are the same programs.
    settings = replace(shot.settings, size=64, cascades=1, foam_lifetime=0.1, foam_threshold=0.5)
    small = replace(shot, settings=settings, light=clear)
    monkeypatch.setattr(sources, "low_sun", lambda: small)
    with Ocean(ctx, SIZE, quality="medium") as ocean:
        ocean.light(1.0)
    before = live_objects(ctx)
    with Ocean(ctx, SIZE, quality="medium") as ocean:
        first = download(ocean.light(1.0)).astype(float) * ocean.exposure
        second = download(ocean.light(2.0)).astype(float) * ocean.exposure
    assert live_objects(ctx) == before
    assert first.shape == (SIZE[1], SIZE[0], 3)
    assert first.max() > 200
    # Row 0 is at the bottom: the sun stands in the upper half.
    assert first[SIZE[1] // 2 :].max() == first.max()
    assert abs(first[: SIZE[1] // 3] - second[: SIZE[1] // 3]).max() > 0.01


@pytest.mark.filterwarnings("ignore:The tile is")
def test_no_cloud_hides_the_sun_whose_glare_is_shown(ctx, monkeypatch):
    shot = low_sun()
    settings = replace(shot.settings, size=64, cascades=1, foam_lifetime=0.1, foam_threshold=0.5)
    monkeypatch.setattr(sources, "low_sun", lambda: replace(shot, settings=settings))
    # As large as shows the disk in a pixel. Without clouds it has 50000 times white; behind the side of a low one 200.
    with Ocean(ctx, (160, 90), quality="medium") as ocean:
        assert download(ocean.light(1.0)).max() * ocean.exposure > 5000


def test_the_sun_is_low():
    weather = low_sun().weather()
    assert 0 < np.degrees(weather.sun_elevation) < 10
