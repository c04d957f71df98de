"""How pictures read the sea from its tiles: twice each, so that nobody sees them repeat; as readings.glsl does."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# By how much the second reading is rotated: enough that the two never repeat together, and little enough that the waves
# of both run with the wind.
ROTATION = math.cos(math.radians(-23.0)), math.sin(math.radians(-23.0))

# Where it begins, in tiles, as in readings.glsl.
_SECOND_ORIGIN = (0.371, 0.618)


def blended(points: Array, tile: float, read: Callable[[Array], dict[str, Array]]) -> dict[str, Array]:
    """The eight fields of a tile as a picture shows them: those of its two readings, weighted.

    The squares of the weights, which vary over the sea, add up to one: the variance is that of one reading. Derivatives
    leave out those of the weights. Points are of the undisturbed water, m, [points, 2]; `tile` is its side, m, and
    `read` gives the fields of the tile at points, [points] each.
    """
    cosine, sine = ROTATION
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
