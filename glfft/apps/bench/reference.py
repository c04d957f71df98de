"""Textbook Fourier transforms in numpy, on the CPU: simple code to read, to test with and to compare speeds with; and a
cosine transform to compare results with.

The Fourier transforms are those of Mota, High Performance Fourier Transforms on GPUs, chapter 2 and Table 2. Each takes
a 1-D sequence whose length is a power of two, and else raises ShapeError (`dft` takes any length), and returns
complex128 of the same length:

    F[k] = sum over j of f[j] exp(sign * 2 pi i j k / N)

with sign = -1 forward and +1 inverse; the inverse is divided by N. Array operations do all butterflies of a stage.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from glfft.errors import ShapeError

ComplexArray = npt.NDArray[np.complex128]


def dft(sequence: npt.ArrayLike, inverse: bool = False) -> ComplexArray:
    """The discrete Fourier transform by its definition: N sums of N products, for any length."""
    points = np.asarray(sequence, dtype=np.complex128)
    length = len(points)
    k = np.arange(length)
    # j k modulo N gives the same factor, and small angles keep sine and cosine accurate.
    factors = _roots(length, inverse)[np.outer(k, k) % length] if length else np.zeros((0, 0))
    return _normalised(factors @ points, inverse)


def dit(sequence: npt.ArrayLike, inverse: bool = False) -> ComplexArray:
    """Decimation in time: bit reversal first, then stages of growing span (Mota, algorithm 1)."""
    points = _checked(sequence)
    length = len(points)
    points = points[bit_reversal(length)]
    span = 2
    while span <= length:
        blocks = points.reshape(-1, 2, span // 2)
        upper, lower = blocks[:, 0], blocks[:, 1] * _roots(span, inverse)[: span // 2]
        points = np.stack((upper + lower, upper - lower), axis=1).reshape(length)
        span *= 2
    return _normalised(points, inverse)


def dif(sequence: npt.ArrayLike, inverse: bool = False) -> ComplexArray:
    """Decimation in frequency: stages of shrinking span, bit reversal last (Mota, algorithm 2; Gentleman-Sande)."""
    points = _checked(sequence)
    length = len(points)
    span = length
    while span >= 2:
        blocks = points.reshape(-1, 2, span // 2)
        upper, lower = blocks[:, 0], blocks[:, 1]
        points = np.stack((upper + lower, (upper - lower) * _roots(span, inverse)[: span // 2]), axis=1)
        points = points.reshape(length)
        span //= 2
    return _normalised(points[bit_reversal(length)], inverse)


def recursive(sequence: npt.ArrayLike, inverse: bool = False) -> ComplexArray:
    """Decimation in time by recursion on the even and the odd elements, without bit reversal (Mota, section 3)."""
    return _normalised(_recursive(_checked(sequence), inverse), inverse)


def _recursive(points: ComplexArray, inverse: bool) -> ComplexArray:
    length = len(points)
    if length <= 1:
        return points.copy()
    even = _recursive(points[0::2], inverse)
    odd = _recursive(points[1::2], inverse) * _roots(length, inverse)[: length // 2]
    return np.concatenate((even + odd, even - odd))


REFERENCES: dict[str, Callable[..., ComplexArray]] = {"dft": dft, "dit": dit, "dif": dif, "recursive": recursive}


def bit_reversal(length: int) -> npt.NDArray[np.intp]:
    """The permutation that reverses the bits of each index in [0, length)."""
    reversed_bits = np.zeros(length, dtype=np.intp)
    for bit in range(length.bit_length() - 1):
        reversed_bits |= ((np.arange(length) >> bit) & 1) << (length.bit_length() - 2 - bit)
    return reversed_bits


def _roots(length: int, inverse: bool) -> ComplexArray:
    return np.exp((2j if inverse else -2j) * np.pi * np.arange(length) / length)


def _checked(sequence: npt.ArrayLike) -> ComplexArray:
    points = np.asarray(sequence, dtype=np.complex128)
    if points.ndim != 1 or len(points) == 0 or len(points) & (len(points) - 1):
        raise ShapeError(f"A sequence of shape {points.shape} is given; its length must be a power of two.")
    return points


def _normalised(points: ComplexArray, inverse: bool) -> ComplexArray:
    return points / len(points) if inverse and len(points) else points


def cosine_transform(array: npt.NDArray[Any], axes: Sequence[int]) -> npt.NDArray[np.float64]:
    """The orthonormal cosine transform of type 2 over some axes, by the Fourier transform of lines continued evenly."""
    result = array.astype(np.float64)
    for axis in axes:
        lines = np.moveaxis(result, axis, -1)
        points = lines.shape[-1]
        spectrum = np.fft.rfft(np.concatenate((lines, lines[..., ::-1]), axis=-1))[..., :points]
        cosines = (spectrum * np.exp(-0.5j * np.pi / points * np.arange(points))).real / np.sqrt(2 * points)
        cosines[..., 0] /= np.sqrt(2.0)
        result = np.moveaxis(cosines, -1, axis)
    return result
