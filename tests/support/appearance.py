"""How pictures look: how different two are, and where one has dots.

Differences are distances in the CIELAB colour space, where equal ones are seen as about equal.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import ndimage

# From linear sRGB to CIE XYZ (IEC 61966-2-1), divided by D65's white.
_TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
_TO_XYZ /= _TO_XYZ.sum(axis=1, keepdims=True)


def lab(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """A picture [height, width, 3], sRGB, as L*, a*, b* of the means of its squares of 2 x 2 pixels."""
    encoded = picture.astype(np.float64) / 255
    linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    rows, columns = (side // 2 for side in linear.shape[:2])
    linear = linear[: 2 * rows, : 2 * columns].reshape(rows, 2, columns, 2, 3).mean(axis=(1, 3))
    x, y, z = np.moveaxis(np.cbrt(np.maximum(linear @ _TO_XYZ.T, 216 / 24389)), -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def differences(picture: npt.NDArray[np.uint8], other: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """The distance of colours in each square; one of 2.3 is just seen beside each other (Mahy et al. 1994)."""
    return np.linalg.norm(lab(picture) - lab(other), axis=-1)


def dark_dots(picture: npt.NDArray[np.uint8], darker: float = 16.0, unusual: float = 8.0) -> npt.NDArray[np.bool_]:
    """Where a picture [height, width, 3] has dark dots, of less than 4 pixels' width and 3 pixels' height.

    Lines are none, neither are dots where the picture is as rough everywhere around.

    Args:
        picture: sRGB.
        darker: how much darker at least, of 255.
        unusual: how many times more than pixels nearby usually differ from their neighbours.
    """
    light = picture @ np.array([0.2126, 0.7152, 0.0722])
    filled = np.minimum(ndimage.grey_closing(light, size=(1, 4)), ndimage.grey_closing(light, size=(3, 1)))
    usual = ndimage.median_filter(np.abs(light - ndimage.median_filter(light, size=(3, 5))), size=(7, 11))
    return filled - light > np.maximum(darker, unusual * usual)
