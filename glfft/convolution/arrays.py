"""Arrays that are given in place of textures, checked."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glfft.errors import DataError, OptionError, ShapeError


def picture_array(name: str, given: ArrayLike) -> NDArray[np.float32]:
    """An array of real, finite numbers [rows, columns] as float32.

    Raises:
        ShapeError, OptionError, DataError: it is none.
    """
    values = np.asarray(given)
    if values.dtype.kind not in "biuf":
        raise OptionError(f"The {name} array must hold real numbers, not {values.dtype}.")
    if values.ndim != 2 or values.size == 0:
        raise ShapeError(f"The {name} array has the shape {values.shape} and must have rows and columns.")
    with np.errstate(over="ignore"):
        numbers = np.ascontiguousarray(values, np.float32)
    if not np.isfinite(numbers).all():
        raise DataError(f"The {name} array has a NaN or an infinity; replace it by a number.")
    return numbers
