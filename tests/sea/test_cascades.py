"""A sea on several tiles: no wave is on two, none is left out, and the tiles do not repeat together."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import moderngl
import numpy as np
import pytest
from support.ocean import TRANSFORM_DECIBELS, decibels

from glfft.errors import OptionError, ShapeError
from glfft.sea import cascades, waves
from glfft.sea.fields import export_fields, reference_fields
from glfft.sea.measured import MeasuredSpectrum
from glfft.sea.settings import MOST_CASCADES, SPECTRA, OceanSettings, Swell
from glfft.sea.simulation import OceanSimulation
from glfft.sea.step import FIELDS

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

SMALL = OceanSettings(size=64, tile=120.0, wind=7.0, cascades=3, foam_lifetime=0.1)


@pytest.mark.parametrize("count", range(1, MOST_CASCADES + 1))
def test_tiles_together_have_the_height_of_the_continuous_spectrum(count):
    settings = OceanSettings(size=256, tile=250.0, cascades=count)
    tiles = cascades.tiles_of(settings)
    assert len(tiles) == count
    assert cascades.significant_height(settings) == pytest.approx(2.139, rel=2e-3)
    assert 0.009 < tiles[-1].spacing < 0.02 or count < 3


@pytest.mark.parametrize("spectrum", SPECTRA)
def test_bands_meet_and_every_wave_is_on_one_tile(spectrum):
    settings = OceanSettings(size=128, tile=400.0, spectrum=spectrum, cascades=(93.0, 21.0))
    tiles = cascades.tiles_of(settings)
    assert [each.tile for each in tiles] == [400.0, 93.0, 21.0]
    assert tiles[0].band[0] == 0
    assert math.isinf(tiles[-1].band[1])
    for before, after in itertools.pairwise(tiles):
        assert before.band[1] == after.band[0] == pytest.approx(6 * 2 * math.pi / after.tile)
        # Up to half of the shortest wave that the grid holds.
        assert before.band[1] <= math.pi / before.spacing / 2
    for tile in tiles:
        length = waves.wave_vectors(tile.size, tile.tile).length
        energy = waves.energy_density(tile)
        cell = 2 * math.pi / tile.tile  # the energy of a cell that a band's end cuts is on both sides
        assert not energy[(length < tile.band[0] - cell) | (length >= tile.band[1] + cell)].any()
        assert energy.sum() > 0
    # One grid that is as wide as the first tile and nearly as fine as the last one.
    whole = replace(settings, size=1024, cascades=1)
    fine = math.pi / whole.spacing
    together = sum(waves.slope_variance(replace(tile, band=(tile.band[0], min(fine, tile.band[1])))) for tile in tiles)
    alone = waves.slope_variance(replace(whole, band=(0.0, fine)))
    assert together == pytest.approx(alone, rel=0.02)


@pytest.mark.parametrize("band", [(0.5, 2.0), (5.0, 6.0), (0.01, 0.1), (0.0, 8.0), (1e9, 1e10)])
def test_a_band_may_leave_out_whole_tiles(band):
    settings = replace(SMALL, band=band)
    whole = cascades.tiles_of(SMALL)
    for tile, all_of_it in zip(cascades.tiles_of(settings), whole, strict=True):
        k = waves.wave_vectors(tile.size, tile.tile).length
        # A cell across an end of the band may carry a part of its energy.
        half = 2 * math.pi / tile.tile * math.sqrt(0.5) * 1.001
        inside = (k > band[0] + half) & (k < band[1] - half)
        outside = (k < band[0] - half) | (k > band[1] + half)
        found, exact = waves.energy_density(tile), waves.energy_density(all_of_it)
        assert np.array_equal(found[inside], exact[inside])
        assert not found[outside].any()


def test_seas_of_many_seeds_have_the_height_of_the_spectrum():
    settings = replace(SMALL, swells=(Swell(0.5, 5.0, 1.0),))
    variances = []
    for seed in range(40):
        tiles = cascades.tiles_of(replace(settings, seed=seed))
        assert len({each.seed for each in tiles}) == 3
        variances.append(sum(2 * np.sum(np.abs(waves.amplitudes(each)) ** 2) for each in tiles))
    assert 4 * math.sqrt(np.mean(variances)) == pytest.approx(cascades.significant_height(settings), rel=0.05)


def test_a_simulation_has_a_layer_for_each_tile_in_two_dispatches(ctx: moderngl.Context, tmp_path):
    with OceanSimulation(ctx, SMALL) as simulation:
        assert sum(plan.dispatches for plan in simulation.plans) == 2
        simulation.update(3.0)
        assert simulation.surface.layers == 3
        assert simulation.significant_height == cascades.significant_height(SMALL)
        found = simulation.evaluate(12.34)
        for index, tile in enumerate(cascades.tiles_of(SMALL)):
            expected = reference_fields(tile, 12.34)
            for name in FIELDS:
                assert decibels(found[name][index], expected[name]) > TRANSFORM_DECIBELS, (index, name)
        export_fields(simulation, 12.34, tmp_path / "sea.npz")
        with np.load(tmp_path / "sea.npz") as file:
            assert file["height"].shape == file["h0"].shape == (3, 64, 64)
            assert file["tile"] == pytest.approx(cascades.sides_of(SMALL))
        # Other waves on as many tiles, then more tiles.
        textures = simulation.surface, simulation.stretch
        simulation.configure(replace(SMALL, wind=9.0))
        assert (simulation.surface, simulation.stretch) == textures
        simulation.configure(replace(SMALL, cascades=2))
        assert simulation.surface.layers == len(simulation.tiles) == 2


def test_tiles_are_suited_to_the_longest_waves():
    settings = cascades.suited_to(OceanSettings(swells=(Swell(1.0, 12.0),)))
    assert settings.tile == pytest.approx(12 * 9.81 * 12.0**2 / (2 * math.pi), rel=1e-3)
    assert len(cascades.tiles_of(settings)) == 3
    assert not waves.too_few_waves(settings)
    assert cascades.suited_to(OceanSettings(size=32)).cascades == 1
    # A measured wind sea of 7 s over a low swell of 20 s, of which 12 and 4 waves fit.
    sea = MeasuredSpectrum((0.04, 0.05, 0.06, 0.13, 0.143, 0.2), (0.0, 1.0, 0.0, 0.2, 5.0, 1.0))
    assert cascades.suited_to(OceanSettings(measured=sea)).tile == pytest.approx(
        4 * 9.81 * 20**2 / (2 * math.pi), rel=0.01
    )
    alone = replace(sea, density=(0.0, 0.4, 0.0, 0.2, 5.0, 1.0))
    assert cascades.suited_to(OceanSettings(measured=alone)).tile == pytest.approx(
        12 * 9.81 * 7**2 / (2 * math.pi), rel=0.01
    )


@pytest.mark.parametrize(
    ("changes", "speaks_of"),
    [
        ({"cascades": 0}, "from 1 to 6"),
        ({"cascades": 7}, "from 1 to 6"),
        ({"cascades": 2.5}, "from 1 to 6"),
        ({"cascades": ()}, "2 to 6"),
        ({"cascades": (50.0,)}, "repeat together, 5 to 1"),
        ({"cascades": (1.0,)}, "no waves are left out"),
        ({"cascades": (260.0,)}, "each must be shorter"),
        ({"cascades": (47.0, 47.0)}, "each must be shorter"),
        ({"cascades": (math.nan,)}, "the tile|The tile"),
        ({"band": (2.0, 1.0)}, "band"),
        ({"band": (math.nan, 1.0)}, "band"),
        ({"band": 3.0}, "band"),
    ],
)
def test_tiles_that_make_no_sea_are_refused(changes, speaks_of):
    with pytest.raises(OptionError, match=speaks_of):
        OceanSettings(**changes)


def test_cascades_need_a_size():
    with pytest.raises(ShapeError, match="at least 48"):
        OceanSettings(size=32, cascades=2)
