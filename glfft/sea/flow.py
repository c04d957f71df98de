"""The water's velocity at a depth below the still sea, as amplitudes of waves, by linear theory."""

from __future__ import annotations

import math

import numpy as np

from glfft.errors import OptionError
from glfft.sea import waves
from glfft.sea.settings import OceanSettings

# Sines of more overflow float64; so deep the water stands still.
_LARGEST_KH = 300.0


def on_finer_grid(amplitudes: waves.ComplexArray) -> waves.ComplexArray:
    """The same waves, [N, N] in FFT order, on a grid of twice as many samples each way."""
    size = len(amplitudes)
    fine = np.zeros((2 * size, 2 * size), dtype=np.complex128)
    places = np.fft.ifftshift(np.arange(-(size // 2), size // 2)) % (2 * size)
    fine[np.ix_(places, places)] = amplitudes
    return fine


def flows(tiles: tuple[OceanSettings, ...], depth: float | None) -> list[list[waves.ComplexArray]]:
    """Amplitudes, one per tile, with (dx, dz) as horizontal velocity, and amplitudes with the vertical one as height.

    By linear theory a wave h0 exp(i (k.x - w t)) moves the water at the depth d with (k / |k|) w h0 cosh(k (h - d)) /
    sinh(k h), and upwards with -i w h0 sinh(k (h - d)) / sinh(k h). As (dx, dz) of an amplitude a is i k / |k| a, both
    are -i w h0 times a factor. In deep water both factors are exp(-k d), and a single list is returned. Raises
    OptionError if the depth is not in the water.
    """
    if depth is None:
        return []
    ground = min(each.depth for each in tiles)
    if not 0 <= depth <= ground or math.isinf(depth):  # written so that NaN fails too
        below = f" to the ground at {ground:g} m" if math.isfinite(ground) else ""
        raise OptionError(f"The depth of the velocities is {depth!r} and must be a number of metres from 0{below}.")
    horizontal, vertical = [], []
    for each in tiles:
        ground = each.depth
        k = waves.wave_vectors(each.size, each.tile).length
        moving = -1j * waves.frequencies(each) * waves.amplitudes(each)
        fall = np.exp(-k * depth)
        if math.isinf(ground):
            horizontal.append(moving * fall)
            vertical.append(moving * fall)
            continue
        # exp(-k d) (1 ± exp(-2 k (h - d))) / (1 - exp(-2 k h)), where nothing overflows.
        mirrored = np.exp(-np.minimum(2 * k * (ground - depth), _LARGEST_KH))
        base = moving * fall / -np.expm1(-np.minimum(2 * k * ground, _LARGEST_KH))
        horizontal.append(base * (1 + mirrored))
        vertical.append(base * (1 - mirrored))
    deep = all(math.isinf(each.depth) for each in tiles)
    return [horizontal] if deep else [horizontal, vertical]
