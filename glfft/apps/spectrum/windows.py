"""Windows: they fade a picture out towards its edges, so that no jump between opposite edges draws a cross."""

import numpy as np

from glfft.apps.spectrum.options import WINDOWS
from glfft.apps.spectrum.strips import map_strips
from glfft.errors import OptionError

TUKEY_ALPHA = 0.5

# Some megabytes of a large picture in float64.
_STRIP_ROWS = 32

# Weights of cos(2 pi k n / N) with alternating sign: Harris, On the Use of Windows for Harmonic Analysis with the
# Discrete Fourier Transform, Proc. IEEE 66 (1978), equations 27a, 30a and 32; Hamming and Blackman rounded as usual.
_COSINE_SUMS = {"hann": (0.5, 0.5), "hamming": (0.54, 0.46), "blackman": (0.42, 0.5, 0.08)}


def window(name: str, length: int) -> np.ndarray:
    """A one-dimensional window in its periodic form, float64: sample `length` would be sample 0 again.

    Transforms need the periodic form (scipy's `get_window(name, length)`, or `sym=False`). It is symmetric about sample
    length / 2, which is 1 if the length is even. Names are those of WINDOWS; half of "tukey" is tapered (Harris,
    equation 38, alpha 0.5). Raises OptionError where no window has that name.
    """
    if name not in WINDOWS:
        raise OptionError(f"There is no window named {name!r}; choose one of {', '.join(WINDOWS)}.")
    if name == "none" or length == 1:
        return np.ones(length)
    position = np.arange(length) / length
    if name == "tukey":
        from_edge = np.minimum(position, 1 - position) / (TUKEY_ALPHA / 2)
        return 0.5 - 0.5 * np.cos(np.pi * np.minimum(from_edge, 1))
    return np.sum(
        [
            weight * (-1) ** harmonic * np.cos(2 * np.pi * harmonic * position)
            for harmonic, weight in enumerate(_COSINE_SUMS[name])
        ],
        axis=0,
    )


def apply_window(name: str, planes: np.ndarray) -> np.ndarray:
    """Multiply planes [..., rows, columns] by the window of their rows and that of their columns."""
    if name == "none":
        return planes
    rows, columns = planes.shape[-2:]
    down, across = window(name, rows), window(name, columns)
    windowed = np.empty(planes.shape, np.float32)

    def taper(strip: slice) -> None:
        windowed[..., strip, :] = planes[..., strip, :] * np.outer(down[strip], across)

    map_strips(taper, rows, _STRIP_ROWS)
    return windowed
