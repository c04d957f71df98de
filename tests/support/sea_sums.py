"""A sea in float64 summed wave by wave at any points: plain, and as pictures show it, each tile read twice."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from glfft.sea import cascades, waves
from glfft.sea.fields import field_spectra, surface_spectrum

if TYPE_CHECKING:
    from collections.abc import Callable

    from glfft.sea.settings import OceanSettings
    from glfft.sea.waves import Array

_TERMS_AT_ONCE = 2**22  # bounds the memory of direct sums: waves times points
_SECOND_ORIGIN = (0.371, 0.618)  # where the second reading begins, in tiles, as in readings.glsl


def fields_at(settings: OceanSettings, places: Array, time: float, blended: bool = False) -> dict[str, Array]:
    """The eight fields of the whole sea, [points]: at x and z of the undisturbed water, m, [points, 2].

    `blended` gives the sea as pictures show it, see `SeaQueries`.
    """
    total: dict[str, Array] = {}
    for tile in cascades.tiles_of(settings):
        read = partial(_sums, tile, time)
        fields = _blended(places, tile.tile, read) if blended else read(places)
        for name, values in fields.items():
            total[name] = total.get(name, 0.0) + values
    return total


def _sums(tile: OceanSettings, time: float, places: Array) -> dict[str, Array]:
    k = waves.wave_vectors(tile.size, tile.tile)
    spectra_now = field_spectra(tile, surface_spectrum(tile, time))
    some = np.abs(spectra_now["height"]) > 0
    vectors = np.stack([k.x[some], k.z[some]])
    amplitudes = np.stack([spectrum[some] for spectrum in spectra_now.values()])
    at_once = max(1, _TERMS_AT_ONCE // max(1, vectors.shape[1]))
    starts = range(0, len(places), at_once)
    parts = [(amplitudes @ np.exp(1j * (places[at : at + at_once] @ vectors).T)).real for at in starts]
    sums = np.concatenate(parts, axis=1) if parts else np.zeros((len(spectra_now), 0))
    return dict(zip(spectra_now, sums, strict=True))


def _blended(points: Array, tile: float, read: Callable[[Array], dict[str, Array]]) -> dict[str, Array]:
    """The eight fields of a tile as a picture shows them: those of its two readings, weighted.

    The squares of the weights, which vary over the sea, add up to one: the variance is that of one reading. Derivatives
    leave out those of the weights. Points are of the undisturbed water, m, [points, 2]; `tile` is its side, m, and
    `read` gives the fields of the tile at points, [points] each.
    """
    cosine, sine = cascades.ROTATION
    first_weight, second_weight = _weights(points / tile)
    back = np.stack([cosine * points[:, 0] + sine * points[:, 1], cosine * points[:, 1] - sine * points[:, 0]], -1)
    first, second = read(points), read(back + tile * np.array(_SECOND_ORIGIN))
    turned = {"height": second["height"]}
    for x, z in (("dx", "dz"), ("slope_x", "slope_z")):
        turned[x] = cosine * second[x] - sine * second[z]
        turned[z] = sine * second[x] + cosine * second[z]
    xx, zz, xz = second["dxx"], second["dzz"], second["dxz"]
    turned["dxx"] = cosine**2 * xx - 2 * cosine * sine * xz + sine**2 * zz
    turned["dzz"] = sine**2 * xx + 2 * cosine * sine * xz + cosine**2 * zz
    turned["dxz"] = cosine * sine * (xx - zz) + (cosine**2 - sine**2) * xz
    return {name: first_weight * first[name] + second_weight * turned[name] for name in first}


def _weights(p: Array) -> tuple[Array, Array]:
    """Amplitudes of the two readings at points in tiles."""
    x, z = p[:, 0], p[:, 1]
    wander = np.sin(1.13 * x + 0.67 * z + 2.1 * np.sin(-0.41 * x + 0.83 * z))
    wander += np.sin(-0.79 * x + 1.37 * z + 1.7 * np.sin(0.93 * x + 0.29 * z))
    angle = math.pi / 4 + 0.55 * np.clip(0.7 * wander, -1.2, 1.2)
    return np.cos(angle), np.sin(angle)
