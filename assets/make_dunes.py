"""Makes dunes.jpg, the example picture: wind ripples on sand, seen from above, computed and not photographed.

The crests are level lines of a bent phase with the forks that real ripples have; low light from the upper left shades
them; grains and broad swells follow power laws. `python assets/make_dunes.py FILE.jpg` writes it anew.
"""

from __future__ import annotations

import sys

import numpy as np
from PIL import Image

_ROWS, _COLUMNS = 427, 640


def _power_law_noise(generator: np.random.Generator, exponent: float) -> np.ndarray:
    """Real noise of unit spread whose amplitude falls like |k| ** -exponent."""
    distance = np.hypot(np.fft.fftfreq(_ROWS)[:, None], np.fft.rfftfreq(_COLUMNS)[None, :])
    distance[0, 0] = np.inf
    spectrum = np.fft.rfft2(generator.standard_normal((_ROWS, _COLUMNS))) * distance**-exponent
    noise = np.fft.irfft2(spectrum, (_ROWS, _COLUMNS))
    return noise / noise.std()


def make_dunes(seed: int = 7) -> Image.Image:
    """The picture: 640 x 427, RGB."""
    generator = np.random.default_rng(seed)
    y, x = np.mgrid[0:_ROWS, 0:_COLUMNS].astype(float)
    phase = 2 * np.pi * (0.035 * x + 0.052 * y) + 1.5 * _power_law_noise(generator, 2.2)
    for row, column, sign in zip(
        generator.uniform(0, _ROWS, 14), generator.uniform(0, _COLUMNS, 14), (1, -1) * 7, strict=True
    ):
        # A fork: around this point the phase gains one turn.
        phase += sign * np.arctan2(y - row, x - column)
    # Steeper on the lee side, as ripples are.
    height = np.sin(phase + 0.45 * np.sin(phase)) * 1.6 + 5.0 * _power_law_noise(generator, 2.4)
    height += 0.11 * _power_law_noise(generator, 0.4)
    slope_y, slope_x = np.gradient(height)
    light = np.array([-0.62, -0.45, 0.64])
    shade = (light[2] - light[0] * slope_x - light[1] * slope_y) / np.sqrt(1 + slope_x**2 + slope_y**2)
    shade = np.clip(0.16 + 0.84 * shade, 0, None)
    warm, cool = np.array([1.0, 0.80, 0.56]), np.array([0.36, 0.34, 0.42])
    colour = cool + (warm - cool) * np.clip(shade, 0, 1.2)[..., None]
    fall_off = 1.06 - 0.35 * np.hypot(x / _COLUMNS - 0.4, y / _ROWS - 0.35)
    return Image.fromarray(np.clip(colour * fall_off[..., None] * 255, 0, 255).astype(np.uint8))


if __name__ == "__main__":
    make_dunes().save(sys.argv[1], quality=88)
