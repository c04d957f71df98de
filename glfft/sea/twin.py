"""The sea in numpy alone, for machines without a GPU: equal settings give the sea of `OceanSimulation`."""

import math
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from glfft.errors import OptionError, ShapeError
from glfft.sea import cascades, waves
from glfft.sea.fields import Array, field_spectra, reference_fields, surface_spectrum
from glfft.sea.settings import OceanSettings

_TERMS_AT_ONCE = 2**22  # bounds the memory of direct sums: waves times points


class OceanTwin:
    """A sea in float64 with the waves of `OceanSimulation` and no foam.

    Attributes:
        tiles: the settings of each tile, the longest first.
        significant_height: 4 sqrt(sum Psi dk²), m: the mean wave height over seeds.
    """

    def __init__(self, settings: OceanSettings) -> None:
        self.settings, self.tiles = settings, cascades.tiles_of(settings)
        self.significant_height = cascades.significant_height(settings)

    def evaluate(self, time: float) -> dict[str, Array]:
        """The eight fields at a finite time (else OptionError), float64 [N, N] (row = z) or [tiles, N, N]."""
        _check(time)
        tiles = [reference_fields(each, time) for each in self.tiles]
        return tiles[0] if len(tiles) == 1 else {name: np.stack([each[name] for each in tiles]) for name in tiles[0]}

    def at(self, points: ArrayLike, time: float, blended: bool = False) -> dict[str, Array]:
        """The eight fields of the whole sea, [points], summed wave by wave.

        The points are x and z of the undisturbed water, m, [points, 2] (else ShapeError); `blended` gives the sea as
        pictures show it, see `SeaQueries`.
        """
        _check(time)
        places = np.asarray(points, dtype=np.float64)
        if places.ndim != 2 or places.shape[1] != 2:
            raise ShapeError(f"The points have shape {places.shape} and must have (points, 2): x and z of each.")
        total: dict[str, Array] = {}
        for tile in self.tiles:
            read = partial(_sums, tile, time)
            fields = cascades.blended(places, tile.tile, read) if blended else read(places)
            for name, values in fields.items():
                total[name] = total.get(name, 0.0) + values
        return total


def _check(time: float) -> None:
    if not math.isfinite(time):
        raise OptionError(f"The time is {time!r} and must be a finite number of seconds.")


def _sums(tile: OceanSettings, time: float, places: Array) -> dict[str, Array]:
    """The fields of one tile at points."""
    k = waves.wave_vectors(tile.size, tile.tile)
    spectra_now = field_spectra(tile, surface_spectrum(tile, time))
    some = np.abs(spectra_now["height"]) > 0
    vectors = np.stack([k.x[some], k.z[some]])
    amplitudes = np.stack([spectrum[some] for spectrum in spectra_now.values()])
    at_once = max(1, _TERMS_AT_ONCE // max(1, vectors.shape[1]))
    parts = [
        (amplitudes @ np.exp(1j * (places[first : first + at_once] @ vectors).T)).real
        for first in range(0, len(places), at_once)
    ]
    sums = np.concatenate(parts, axis=1) if parts else np.zeros((len(spectra_now), 0))
    return dict(zip(spectra_now, sums, strict=True))
