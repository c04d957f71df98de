"""Fitting a picture to powers of two and back; and windows, which fade it out towards its edges."""

from dataclasses import dataclass

import numpy as np

from glfft.algorithms.lengths import power_of_two_above, power_of_two_below
from glfft.apps.picture_files import map_strips
from glfft.apps.spectrum.options import FITS, WINDOWS
from glfft.errors import LimitError, check_choice

Shape = tuple[int, int]
_LEAST_LIMIT = 16384  # OpenGL 4.3 asks every device for textures of this size
_SYMMETRIC = {"hann": np.hanning, "hamming": np.hamming, "blackman": np.blackman}


@dataclass(frozen=True)
class Fit:
    """How a picture becomes another size: "exact" leaves it as it is. The others make both sides powers of two: "pad"
    puts zeros below and to the right; "crop" keeps the middle; "resize" resamples (see `resample`).
    """

    kind: str
    original: Shape  # original, fitted: rows and columns
    fitted: Shape

    @property
    def offset(self) -> Shape:
        """The row and column of the original at which the crop begins; 0, 0 for the other kinds."""
        (rows, columns), (height, width) = self.original, self.fitted
        return ((rows - height) // 2, (columns - width) // 2) if self.kind == "crop" else (0, 0)

    @property
    def padding(self) -> Shape:
        """Rows of zeros below and columns of zeros to the right."""
        (rows, columns), (height, width) = self.original, self.fitted
        return (height - rows, width - columns) if self.kind == "pad" else (0, 0)

    @property
    def reversible(self) -> bool:
        """Whether `undo` gives every pixel of the original back."""
        return self.fitted[0] >= self.original[0] and self.fitted[1] >= self.original[1]

    @property
    def is_possible(self) -> bool:
        """Whether `choose_fit` may return this: settings read from a file may be anything."""
        if min(*self.original, *self.fitted) < 1:
            return False
        rows, columns = _wanted(self.kind, self.original)
        limit = max(rows, columns) if self.kind in ("exact", "pad") else max(_LEAST_LIMIT, *self.fitted)
        return self.fitted == (min(rows, limit), min(columns, limit))

    def apply(self, planes: np.ndarray, window: str = "none") -> np.ndarray:
        """Fit planes [..., rows, columns] and window them: float32. A window covers the picture, never the padding."""
        if self.kind == "resize":
            return apply_window(window, resample(planes, self.fitted))
        (top, left), (rows, columns), (bottom, right) = self.offset, self.fitted, self.padding
        windowed = apply_window(window, planes[..., top : top + rows, left : left + columns])
        if self.kind != "pad":
            return windowed
        return np.pad(windowed, [(0, 0)] * (planes.ndim - 2) + [(0, bottom), (0, right)])

    def undo(self, planes: np.ndarray) -> np.ndarray:
        """Planes of the original size; what a crop left out is black."""
        (rows, columns), (top, left), (height, width) = self.original, self.offset, self.fitted
        if self.kind == "resize":
            return resample(planes, self.original)
        if self.kind != "crop":
            return planes[..., :rows, :columns]
        cut = (top, rows - height - top), (left, columns - width - left)
        return np.pad(planes, [(0, 0)] * (planes.ndim - 2) + [*cut])

    def __str__(self) -> str:
        if self.original == self.fitted:
            return "exact size" if self.kind == "exact" else "no fitting needed"
        done = {"pad": "padded", "crop": "cropped", "resize": "resized"}[self.kind]
        return f"{done} to {self.fitted[1]}x{self.fitted[0]}"


def choose_fit(kind: str, original: Shape, limit: int) -> Fit:
    """The fit of a kind for a picture of some rows and columns. Padding and resizing go up to powers of two, cropping
    down, and resizing too where a side would be over the device's `limit`. Raises OptionError where no fit has that
    name, LimitError where the picture, or the picture with its padding, is over the limit.
    """
    wanted = _wanted(check_choice("fit", kind, FITS), original)
    largest = limit if kind == "exact" else power_of_two_below(limit)
    if kind in ("exact", "pad") and max(wanted) > largest:
        size = f"{wanted[1]}x{wanted[0]}"
        picture = f"The picture is {size}," if kind == "exact" else f"Padded to {size} the picture is"
        raise LimitError(f"{picture} over this device's limit of {largest} a side; use --fit crop or --fit resize.")
    return Fit(kind, original, (min(wanted[0], largest), min(wanted[1], largest)))


def _wanted(kind: str, original: Shape) -> Shape:
    rows, columns = original
    if kind == "exact":
        return original
    nearest = power_of_two_below if kind == "crop" else power_of_two_above
    return nearest(rows), nearest(columns)


def resample(planes: np.ndarray, shape: Shape) -> np.ndarray:
    """Resample planes [..., rows, columns] to a shape by the cosine series of the picture: float32.
    It is band-limited, and exactly undone by going back down. The type-2 cosine transform is that of the picture
    mirrored at its edges, so no edge wraps around; its coefficients are cut off or filled up with zeros (Martucci,
    Symmetric convolution and the discrete sine and cosine transforms, IEEE Trans. Signal Processing 42 (1994)). Pixels
    are areas: the outer edges stay where they are.
    """
    resampled = _resample_last_axis(planes, shape[1])
    resampled = _resample_last_axis(np.swapaxes(resampled, -1, -2), shape[0])
    return np.ascontiguousarray(np.swapaxes(resampled, -1, -2), np.float32)


def _resample_last_axis(values: np.ndarray, length: int) -> np.ndarray:
    old = values.shape[-1]
    if old == length:
        return values
    mirrored = np.concatenate([values, values[..., ::-1]], axis=-1, dtype=np.float64)
    # The transform of the mirrored line is a cosine series times this half-sample turn.
    series = np.fft.rfft(mirrored)[..., :old] * np.exp(-0.5j * np.pi * np.arange(old) / old)
    kept = min(old, length)
    coefficients = np.zeros((*values.shape[:-1], length + 1), np.complex128)
    coefficients[..., :kept] = series[..., :kept] * np.exp(0.5j * np.pi * np.arange(kept) / length)
    return np.fft.irfft(coefficients, 2 * length)[..., :length] * (length / old)


def window(name: str, length: int) -> np.ndarray:
    """A window of WINDOWS in its periodic form (scipy's `get_window(name, length)`), float64 [length]; half of "tukey"
    is tapered (Harris, On the Use of Windows for Harmonic Analysis with the Discrete Fourier Transform, Proc. IEEE 66,
    1978, equation 38, alpha 0.5). Raises OptionError where no window has that name.
    """
    if check_choice("window", name, WINDOWS) == "none" or length == 1:
        return np.ones(length)
    if name != "tukey":
        return _SYMMETRIC[name](length + 1)[:-1]
    position = np.arange(length) / length
    return 0.5 - 0.5 * np.cos(np.pi * np.minimum(4 * np.minimum(position, 1 - position), 1))


def apply_window(name: str, planes: np.ndarray) -> np.ndarray:
    """Multiply planes [..., rows, columns] by a window along their rows and one along their columns."""
    if name == "none":
        return planes
    rows, columns = planes.shape[-2:]
    down, across = window(name, rows), window(name, columns)
    windowed = np.empty(planes.shape, np.float32)

    def taper(strip: slice) -> None:
        windowed[..., strip, :] = planes[..., strip, :] * np.outer(down[strip], across)

    map_strips(taper, rows, height=32)  # some megabytes of a large picture in float64
    return windowed
