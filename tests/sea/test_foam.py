"""Foam's cover against Monahan and O'Muircheartaigh's law, and its growth from all tiles of a sea together."""

from __future__ import annotations

import math
from dataclasses import replace

import moderngl
import numpy as np
import pytest
from support.ocean import assert_near

from glfft.sea import cascades, foam
from glfft.sea.maps import SeaMaps
from glfft.sea.settings import OceanSettings
from glfft.sea.step import OceanStep

STEP = 1 / 16  # s: of the frames here, and of the calibration for the default lifetime


def covers(
    ctx: moderngl.Context, settings: OceanSettings, seeds: int, seconds: float, step: float = STEP
) -> np.ndarray:
    """The mean cover of seas with these seeds, after three lifetimes, [seeds]."""
    seas = [cascades.tiles_of(replace(settings, seed=seed)) for seed in range(1, seeds + 1)]
    warm = math.ceil(3 * settings.foam_lifetime / step)
    found = []
    with OceanStep(ctx, [tile for sea in seas for tile in sea]) as ocean:
        maps = SeaMaps(ocean, len(seas[0]))
        for frame in range(warm + math.ceil(seconds / step)):
            ocean.run(frame * step)
            maps.age_foam(step)
            if frame >= warm and frame % max(1, round(1 / step)) == 0:
                layers = np.frombuffer(maps.foam.read(), np.float32).reshape(len(seas), len(seas[0]), -1)
                assert not layers[:, 1:].any()
                found.append(layers[:, 0].mean(axis=1))
        maps.release()
    return np.mean(found, axis=0)


def test_the_law_is_that_of_the_paper():
    assert foam.whitecap_cover(10.0) == pytest.approx(3.84e-6 * 10**3.41)
    assert foam.whitecap_cover(100.0) == 0.9


def test_the_mean_excess_is_that_of_random_numbers():
    covariance = np.array([[0.03, 0.004, 0.002], [0.004, 0.01, -0.001], [0.002, -0.001, 0.006]])
    dxx, dzz, dxz = np.random.default_rng(3).multivariate_normal(np.zeros(3), covariance, 400_000).T
    least = 1 + 0.5 * (dxx + dzz) - np.hypot(0.5 * (dxx - dzz), dxz)
    for threshold in (0.6, 0.8, 1.1):
        expected = np.maximum(0, threshold - least).mean()
        assert foam._mean_excess(threshold, covariance) == pytest.approx(expected, rel=0.02)


def test_a_threshold_of_ones_own_is_kept_and_still_water_has_none():
    settings = OceanSettings(size=16, foam_threshold=0.5)
    assert foam.threshold_of((settings,)) == 0.5
    assert foam.threshold_of((replace(settings, foam_threshold=None, choppiness=0.0),)) == 0.0


def test_the_threshold_does_not_depend_on_seed_or_loop_and_follows_the_waves_left_in():
    settings = OceanSettings(size=16, tile=100.0)
    found = foam.threshold_of((settings,))
    assert foam.threshold_of((replace(settings, seed=9, loop=20.0),)) == found
    # More waves compress the surface further: foam of the same cover needs a lower threshold.
    assert foam.threshold_of((replace(settings, size=32),)) < found
    assert foam.threshold_of((replace(settings, choppiness=0.5),)) > found


@pytest.mark.parametrize(("first", "further"), [(1, 1), (250, 47), (100, 30), (100, 60)])
@pytest.mark.parametrize("size", [64, 90, 360])
def test_every_texel_of_a_further_tile_counts_once(size, first, further):
    times = foam.repeats(OceanSettings(size=size, tile=first), OceanSettings(size=size, tile=further))
    assert len({each * times % size for each in range(size)}) == size
    assert abs(times - first / further) < 4


def test_foam_grows_where_all_tiles_together_compress_the_surface(ctx: moderngl.Context):
    settings = OceanSettings(size=48, tile=60.0, wind=15.0, cascades=2, foam_spread=0.0, choppiness=1.2)
    tiles = cascades.tiles_of(settings)
    with OceanStep(ctx, tiles, dtype="f4") as step:
        maps = SeaMaps(step, 2)
        fields = step.evaluate(3.0)
        step.run(3.0)
        maps.age_foam(0.25)
        found = np.frombuffer(maps.foam.read(), np.float32).reshape(2, 48, 48)[0]
        maps.release()
    at = np.arange(48) * foam.repeats(*tiles) % 48
    dxx, dzz, dxz = (1.2 * (fields[0][name] + fields[1][name][np.ix_(at, at)]) for name in ("dxx", "dzz", "dxz"))
    gradient = np.stack([np.stack([1 + dxx, dxz], -1), np.stack([dxz, 1 + dzz], -1)], -1)
    least = np.linalg.eigvalsh(gradient.astype(np.float64))[..., 0]
    kept = math.exp(-0.25 / settings.foam_lifetime)
    grown = settings.foam_gain * settings.foam_lifetime * (1 - kept) * np.maximum(0, foam.threshold_of(tiles) - least)
    assert 20 < np.count_nonzero(grown) < 48**2 / 2
    assert_near(found, np.clip(grown, 0, 1), abs=1e-4)


# Each of the three seas varies by about 30 % with its seed and time: three standard errors of their mean are 52 %.
def test_cover_is_about_that_of_the_law(ctx: moderngl.Context):
    settings = OceanSettings(size=48, tile=250.0, wind=12.0, fetch=300e3, cascades=3, foam_lifetime=0.6)
    assert covers(ctx, settings, seeds=3, seconds=2.0).mean() == pytest.approx(foam.whitecap_cover(12.0), rel=0.52)


# Three standard errors, from the scatter of the seeds, and 5 % for what the samples of the calibration leave open.
@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("wind", [5.0, 7.0, 10.0, 15.0, 20.0, 30.0])
def test_cover_is_that_of_the_law(ctx: moderngl.Context, wind: float, count: int):
    settings = OceanSettings(size=64, tile=500.0, wind=wind, fetch=300e3, cascades=count)
    found = covers(ctx, settings, seeds=12, seconds=20.0)
    error = found.std(ddof=1) / math.sqrt(len(found))
    law = foam.whitecap_cover(wind)
    print(f"U {wind:g}, {count} tiles: {found.mean() / law:.3f} of the law, error {error / found.mean():.3f}")
    assert abs(found.mean() - law) < 3 * error + 0.05 * law


@pytest.mark.slow
def test_cover_hardly_depends_on_the_frame_rate(ctx: moderngl.Context):
    settings = OceanSettings(size=64, tile=250.0, wind=15.0, fetch=300e3, cascades=3)
    often, seldom = (covers(ctx, settings, 4, 10.0, step) for step in (1 / 48, 1 / 12))
    # The same waves each: only the frames differ.
    assert seldom.mean() == pytest.approx(often.mean(), rel=0.1)
