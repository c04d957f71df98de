"""Points looked up on the GPU against direct sums in float64: heights, normals, velocities, and the ring of batches."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import moderngl
import numpy as np
import pytest
from support.gl_objects import live_objects
from support.sea_sums import fields_at

from glfft.errors import OptionError, ReleasedError, ShapeError
from glfft.gl import mapped_buffers
from glfft.gl.fences import Fences
from glfft.sea import cascades, spectra, waves
from glfft.sea.presets import preset
from glfft.sea.queries import SeaPoints, SeaQueries
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation
from glfft.sea.step import OceanStep

pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

STORM = preset("storm", OceanSettings(size=64, tile=1200.0, cascades=3, wind_direction=0.7))
SEA = OceanSettings(size=32, tile=150.0, wind=9.0, wind_direction=0.6, choppiness=1.1)


def solved(
    settings: OceanSettings, places: np.ndarray, start: np.ndarray, time: float, blended: bool
) -> dict[str, np.ndarray]:
    """The fields of the surface points over places, by Newton's method on direct sums in float64."""
    still, chop = start.astype(np.float64), settings.choppiness
    # The gradient leaves out that of the readings' weights: one step more.
    for _ in range(3 if blended else 2):
        fields = fields_at(settings, still, time, blended)
        missing = places - still - chop * np.stack([fields["dx"], fields["dz"]], -1)
        gradient = np.eye(2) + chop * np.stack(
            [np.stack([fields["dxx"], fields["dxz"]], -1), np.stack([fields["dxz"], fields["dzz"]], -1)], -2
        )
        still = still + np.linalg.solve(gradient, missing[..., None])[..., 0]
    fields = fields_at(settings, still, time, blended)
    across = [np.stack([1 + chop * fields["dxx"], fields["slope_x"], chop * fields["dxz"]], -1)]
    across.append(np.stack([chop * fields["dxz"], fields["slope_z"], 1 + chop * fields["dzz"]], -1))
    normal = np.cross(across[1], across[0])
    fields["missing"] = np.hypot(*(places - still - chop * np.stack([fields["dx"], fields["dz"]], -1)).T)
    fields["normal"] = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    return fields


def check(
    settings: OceanSettings,
    found: SeaPoints,
    places: np.ndarray,
    time: float,
    centimetres: float,
    blended: bool = False,
) -> None:
    # Where the surface folds over, several of its points are over one place; the rest is found.
    good = found.residual < 1e-3
    assert good.mean() > 0.99
    exact = solved(settings, places[good].astype(np.float32).astype(np.float64), found.still[good], time, blended)
    assert exact["missing"].max() < 1e-5
    assert np.abs(found.height[good] - exact["height"]).max() < centimetres / 100
    angles = np.linalg.norm(found.normal[good] - exact["normal"], axis=1)
    assert np.quantile(angles, 0.99) < 0.015
    assert np.abs(np.linalg.norm(found.normal, axis=1) - 1).max() < 1e-5


@pytest.mark.parametrize("blended", [False, True], ids=["tiles", "blended"])
def test_heights_in_a_storm_are_those_of_a_direct_sum(ctx: moderngl.Context, blended: bool):
    places = np.random.default_rng(5).uniform(-1500, 1500, (30, 2))
    with SeaQueries(ctx, STORM, most=100, blended=blended) as queries:
        found = queries.query(places, 60.0)
    assert found.velocity is None
    assert found.height.std() > 0.5
    check(STORM, found, places, 60.0, 1.0, blended)


@pytest.mark.slow
@pytest.mark.parametrize("blended", [False, True], ids=["tiles", "blended"])
def test_ten_thousand_points_of_a_storm(ctx: moderngl.Context, blended: bool):
    settings = preset("storm", OceanSettings(size=64, tile=1200.0, cascades=3))
    places = np.random.default_rng(6).uniform(-1500, 1500, (10_000, 2))
    with SeaQueries(ctx, settings, blended=blended) as queries:
        found = queries.query(places, 100.0)
    check(settings, found, places, 100.0, 1.0, blended)


def test_what_follows_a_simulation_lies_on_a_mesh_displaced_by_its_textures(ctx: moderngl.Context):
    """In any place of a triangle's corner, without being asked for."""
    settings = replace(SEA, size=64, foam_lifetime=0.1, foam_threshold=0.5)
    with OceanSimulation(ctx, settings) as simulation, SeaQueries.following(simulation, most=4096) as queries:
        simulation.update(5.0)
        fields = simulation.evaluate(5.0)
        z, x = np.indices((64, 64)) * settings.spacing
        corners = np.stack([x + settings.choppiness * fields["dx"], z + settings.choppiness * fields["dz"]], axis=-1)
        found = queries.query(corners.reshape(-1, 2)).height.reshape(64, 64)
        # Half precision, and where a crest folds over there are several heights.
        assert np.quantile(np.abs(found - fields["height"]), 0.95) < 0.01 * fields["height"].std()


def test_queries_of_a_running_simulation_follow_it(ctx: moderngl.Context):
    places = np.random.default_rng(10).uniform(-400, 400, (200, 2))
    settings = replace(SEA, size=64, cascades=2, foam_lifetime=0.1, foam_threshold=0.5)
    with (
        OceanSimulation(ctx, settings) as simulation,
        SeaQueries.following(simulation, most=200, blended=True) as queries,
    ):
        with pytest.raises(OptionError, match="no moment yet"):
            queries.submit(places)
        simulation.update(5.0)
        with pytest.raises(OptionError, match=r"is at 5\.0 s, and not at 6\.0 s"):
            queries.submit(places, 6.0)
        found = queries.query(places, 5.0)
        exact = SeaQueries(ctx, settings, blended=True)
        expected = exact.query(places, 5.0)
        # Linear between samples: a wave of eight samples loses 8 % of its height.
        assert np.std(found.height - expected.height) < 0.08 * expected.height.std()
        assert np.corrcoef(found.normal[:, 0], expected.normal[:, 0])[0, 1] > 0.95
        assert found.velocity is None
        calmer = replace(settings, wind=6.0)
        simulation.morph(calmer, 2.0)
        assert np.array_equal(queries.query(places).height, found.height)
        simulation.update(7.0)
        smaller = queries.query(places).height
        exact.release()
        with SeaQueries(ctx, calmer, blended=True) as exact:
            expected = exact.query(places, 7.0)
        assert np.std(smaller - expected.height) < 0.08 * expected.height.std()
        simulation.configure(replace(settings, cascades=3))  # other textures, and more of them
        simulation.update(8.0)
        assert queries.query(places).height.std() > 0.1
        with pytest.raises(OptionError, match="follow a simulation"):
            queries.move(1.0)


@pytest.mark.parametrize("ground", [math.inf, 6.0, 300.0])
def test_velocities_are_those_of_linear_theory(ctx: moderngl.Context, ground: float):
    settings, depth, time = replace(SEA, depth=ground), 1.5, 33.0
    places = np.random.default_rng(7).uniform(-100, 100, (40, 2))
    with SeaQueries(ctx, settings, most=64, depth=depth) as queries:
        velocity = queries.query(places, time).velocity
    assert velocity is not None
    expected = np.zeros((40, 3))
    for tile in cascades.tiles_of(settings):
        k, h0 = waves.wave_vectors(tile.size, tile.tile), waves.amplitudes(tile)
        w = spectra.angular_frequency(k.length, ground)
        some = np.abs(h0) > 0
        kx, kz, length, w, h0 = k.x[some], k.z[some], k.length[some], w[some], h0[some]
        if math.isinf(ground):
            level = rise = np.exp(-length * depth)
        else:
            scale = np.sinh(np.minimum(length * ground, 600))
            level, rise = (
                function(np.minimum(length * (ground - depth), 600)) / scale for function in (np.cosh, np.sinh)
            )
        # The real part of a wave and its mirror image is twice that of one.
        wave = 2 * h0 * np.exp(1j * (np.outer(places[:, 0], kx) + np.outer(places[:, 1], kz) - w * time))
        expected[:, 0] += (wave * w * level * kx / length).real.sum(axis=1)
        expected[:, 1] += (wave * w * rise * -1j).real.sum(axis=1)
        expected[:, 2] += (wave * w * level * kz / length).real.sum(axis=1)
    assert np.abs(expected).max() > 0.1
    # Between four samples of the shortest waves, polynomials of degree 5 are off by 7 %: here, of a tenth of the speed.
    assert np.abs(velocity - expected).max() < 5e-3 * np.abs(expected).max()


def test_the_vertical_velocity_at_the_top_is_how_the_surface_rises(ctx: moderngl.Context):
    flat = replace(SEA, choppiness=0.0)
    places = np.random.default_rng(8).uniform(-100, 100, (20, 2))
    with SeaQueries(ctx, flat, most=20, depth=0.0) as queries:
        before, now, after = (queries.query(places, 5.0 + shift) for shift in (-0.01, 0.0, 0.01))
    assert now.velocity is not None
    assert np.all(now.still == places.astype(np.float32))
    assert (after.height - before.height) / 0.02 == pytest.approx(now.velocity[:, 1], abs=0.02)


def test_batches_come_back_later_in_any_order_and_the_ring_is_bounded(ctx: moderngl.Context, monkeypatch):
    places = [np.full((count, 2), 10.0 * count) for count in (3, 1, 0)]
    for mapped in (True, False):
        if not mapped:
            monkeypatch.setattr(mapped_buffers, "can_stay_mapped", lambda ctx: False)
        with SeaQueries(ctx, SEA, most=3, ring=3) as queries:
            expected = [queries.query(each, float(time)) for time, each in enumerate(places)]
            batches = [queries.submit(each, float(time)) for time, each in enumerate(places)]
            with pytest.raises(OptionError, match="All 3 batches"):
                queries.submit(places[0], 0.0)
            for index in (1, 2, 0):
                found = batches[index].result()
                assert batches[index].ready
                assert np.array_equal(found.height, expected[index].height)
                assert len(found.height) == len(places[index])
                assert batches[index].result() is found
            ctx.finish()
            late = queries.submit(places[0], 0.0)
            ctx.finish()
            assert late.ready
            assert np.array_equal(late.result().height, expected[0].height)


@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_what_makes_no_sense_is_refused_and_leaves_nothing(ctx: moderngl.Context, monkeypatch):
    SeaQueries(ctx, SEA).release()
    before = live_objects(ctx)
    wrong: list[dict[str, Any]] = [
        {"most": 0},
        {"ring": 1.5},
        {"ring": 1001},
        {"most": 10**30},
        {"depth": -1.0},
        {"depth": math.nan},
        {"depth": math.inf},
    ]
    for options in wrong:
        with pytest.raises(OptionError):
            SeaQueries(ctx, SEA, **options)
    with SeaQueries(ctx, SEA) as queries, pytest.raises(OptionError, match="time is missing"):
        queries.submit(np.zeros((1, 2)))
    with pytest.raises(OptionError, match="to the ground at 4 m"):
        SeaQueries(ctx, replace(SEA, depth=4.0), depth=5.0)
    assert live_objects(ctx) == before
    with monkeypatch.context() as patch:
        patch.setattr(waves, "on_finer_grid", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            SeaQueries(ctx, SEA)
    assert live_objects(ctx) == before
    queries = SeaQueries(ctx, SEA, most=2)
    for points in (np.zeros((3, 2)), np.zeros((2, 3)), np.zeros(2)):
        with pytest.raises(ShapeError, match="at most 2"):
            queries.submit(points, 0.0)
    no_number: Any = "a"
    for points, time in ((np.full((1, 2), np.nan), 0.0), (np.zeros((1, 2)), math.inf), (np.zeros((1, 2)), no_number)):
        with pytest.raises(OptionError, match="finite"):
            queries.submit(points, time)
    no_points: Any = [[("a", 0)], [(1j, 0)], [(10**400, 0)], "a", [(1, 2), (3,)]]
    for points in no_points:
        with pytest.raises(ShapeError, match="pairs of numbers"):
            queries.submit(points, 0.0)
    batch = queries.submit(np.zeros((1, 2)), 0.0)
    queries.release()
    queries.release()
    with pytest.raises(ReleasedError):
        batch.result()
    with pytest.raises(ReleasedError):
        queries.submit(np.zeros((1, 2)), 0.0)


def test_only_a_simulation_can_be_followed(ctx: moderngl.Context) -> None:
    wrong: Any = ctx
    with pytest.raises(OptionError, match="takes an OceanSimulation, not Context"):
        SeaQueries.following(wrong)


def test_queries_of_a_released_simulation_say_so(ctx: moderngl.Context) -> None:
    with OceanSimulation(ctx, SEA) as simulation:
        simulation.update(0.0)
        queries = SeaQueries.following(simulation)
        batch = queries.submit([(0.0, 0.0)])
    with pytest.raises(ReleasedError):
        queries.submit([(0.0, 0.0)])
    assert np.isfinite(batch.result().height).all(), "it was on its way before"
    queries.release()


def test_an_interrupt_leaves_room_in_the_ring_and_heights_of_the_moment(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
):
    place = np.array([[3.0, 4.0]])
    with SeaQueries(ctx, SEA, ring=1) as queries:
        height, run = queries.query(place, 1.0).height, OceanStep.run

        def interrupted(*arguments: Any) -> None:
            run(*arguments)
            raise KeyboardInterrupt

        for owner, name, instead in (
            (Fences, "wait", Mock(side_effect=KeyboardInterrupt)),
            (OceanStep, "run", interrupted),
        ):
            with monkeypatch.context() as patch:
                patch.setattr(owner, name, instead)
                with pytest.raises(KeyboardInterrupt):
                    queries.query(place, 9.0)
            assert not queries._fences._standing
            assert queries.query(place, 1.0).height == height


def test_queries_released_while_one_waits_say_so(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch):
    queries = SeaQueries(ctx, SEA)

    def released(*_: Any) -> None:
        queries.release()
        queries._check_alive()

    monkeypatch.setattr(Fences, "wait", released)
    with pytest.raises(ReleasedError):
        queries.query(np.array([[3.0, 4.0]]), 1.0)
