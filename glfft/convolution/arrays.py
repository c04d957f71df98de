"""Arrays that are given in place of textures, checked."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glfft.errors import DataError, OptionError, ShapeError


def picture_array(name: str, given: ArrayLike, layered: bool = False) -> NDArray[np.float32]:
    """An array of real, finite numbers [rows, columns] as float32; [layers, rows, columns] if layered.

    Raises:
        ShapeError, OptionError, DataError: it is none.
    """
    values = np.asarray(given)
    if values.dtype.kind not in "biuf":
        raise OptionError(f"The {name} array must hold real numbers, not {values.dtype}.")
    if values.ndim != 2 + layered or values.size == 0:
        wanted = "layers, rows and columns" if layered else "rows and columns"
        raise ShapeError(f"The {name} array has the shape {values.shape} and must have {wanted}.")
    with np.errstate(over="ignore"):
        numbers = np.ascontiguousarray(values, np.float32)
    if not np.isfinite(numbers).all():
        raise DataError(f"The {name} array has a NaN or an infinity; replace it by a number.")
    return numbers
