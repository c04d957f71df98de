"""Colour maps in which equal steps of the value look like equal steps.

Ours are made from lightness, chroma and hue in Oklab (Ottosson, A perceptual color space for image processing, 2020),
and turned to sRGB; viridis and magma are matplotlib's. Columns of a table are the value or, for cyclic maps, the angle.
Rows are the lightness of the "complex" table; all others have one row.
"""

from functools import cache

import numpy as np

from glfft.apps.spectrum.options import COLORMAPS
from glfft.errors import OptionError, import_extra

COLUMNS = 256
CYCLIC = ("hue", "complex")  # tables whose column 0 follows the last column

# Ottosson 2020: linear sRGB to cone responses, and their cube roots to L, a, b.
CONES_FROM_SRGB = np.array([
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
])  # fmt: skip
OKLAB_FROM_ROOTS = np.array([
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
])  # fmt: skip

# Hues in degrees, and chromas, evenly spaced over the value.
_EMBER = (285, 305, 350, 385, 410, 438, 466), (0.04, 0.14, 0.19, 0.19, 0.17, 0.155, 0.09)
# Column 0 is the phase 0. It is red, the usual start of a colour wheel: 29 degrees in Oklab.
_WHEEL = np.radians(29.0) + np.arange(COLUMNS) * (2 * np.pi / COLUMNS)


@cache
def colour_table(name: str) -> np.ndarray:
    """A colour map, float32 [rows, columns, 3], sRGB as displayed, 0..1: "grey", "ember" (black, violet, red, amber,
    cream), "hue" (of one lightness), "viridis", "magma", or "complex" (hue along the columns, lightness along the
    rows). OptionError for other names, MissingExtraError without matplotlib.
    """
    if name == "grey":
        return np.tile(np.linspace(0, 1, COLUMNS, dtype=np.float32)[None, :, None], 3)
    if name == "ember":
        lightness = np.linspace(0.06, 0.97, COLUMNS)  # a straight line makes the steps even
        places = np.linspace(0, len(_EMBER[0]) - 1, COLUMNS)
        hue, chroma = (np.interp(places, np.arange(len(each)), each) for each in _EMBER)
        hue = np.radians(hue)
        chroma = np.minimum(chroma, _largest_chroma(lightness, hue))
        return _display(lightness, chroma, hue)[None]
    if name in ("viridis", "magma"):
        others = ", or choose one of grey, ember and hue"
        matplotlib = import_extra("matplotlib", "plot", f"The colour map {name} needs matplotlib", others)
        return matplotlib.colormaps[name](np.linspace(0, 1, COLUMNS))[None, :, :3].astype(np.float32)
    if name == "hue":
        lightness = np.array([[0.74]])
        return _display(lightness, _largest_chroma(lightness, _WHEEL).min(), _WHEEL)
    if name == "complex":
        lightness = np.linspace(0, 0.82, COLUMNS)[:, None]  # short of white, so that the strongest bins keep their hue
        largest = _largest_chroma(lightness, _WHEEL)
        # The chroma that all hues can have looks grey. The most that each can have breaks the wheel into sectors.
        chroma = np.minimum(largest, 1.5 * largest.min(axis=1, keepdims=True))
        return _display(lightness, chroma, _WHEEL)
    raise OptionError(f"There is no colour map named {name!r}; choose one of {', '.join(COLORMAPS)}.")


def srgb_from_linear(light: np.ndarray) -> np.ndarray:
    """Linear light to IEC 61966-2-1 display values, both 0..1."""
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * np.maximum(light, 0.0031308) ** (1 / 2.4) - 0.055)


def linear_from_srgb(encoded: np.ndarray) -> np.ndarray:
    """IEC 61966-2-1 display values to linear light, both 0..1."""
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


def linear_from_oklch(lightness: np.ndarray, chroma: np.ndarray, hue: np.ndarray) -> np.ndarray:
    """Oklab's lightness, chroma and hue (radians) to linear sRGB [..., 3]; outside 0..1 no display has the colour."""
    lightness, chroma, hue = np.broadcast_arrays(lightness, chroma, hue)
    lab = np.stack([lightness, chroma * np.cos(hue), chroma * np.sin(hue)], axis=-1)
    return (lab @ np.linalg.inv(OKLAB_FROM_ROOTS).T) ** 3 @ np.linalg.inv(CONES_FROM_SRGB).T


def _largest_chroma(lightness: np.ndarray, hue: np.ndarray) -> np.ndarray:
    """The chroma at which a colour leaves the display's range, by bisection."""
    lightness, hue = np.broadcast_arrays(lightness, hue)
    inside, outside = np.zeros(lightness.shape), np.full(lightness.shape, 0.4)
    for _ in range(24):
        middle = (inside + outside) / 2
        light = linear_from_oklch(lightness, middle, hue)
        fits = np.all((light >= -1e-6) & (light <= 1 + 1e-6), axis=-1)
        inside, outside = np.where(fits, middle, inside), np.where(fits, outside, middle)
    return inside


def _display(lightness: np.ndarray, chroma: np.ndarray, hue: np.ndarray) -> np.ndarray:
    return srgb_from_linear(np.clip(linear_from_oklch(lightness, chroma, hue), 0, 1)).astype(np.float32)
