"""Twiddle tables: computed with more digits than kept, the angle reduced to an eighth of a turn, and then rounded once.

Tables for float32 are computed in float64. Those for float64 are computed in numpy's longdouble, which has 64 bits or
more on x86 and on Linux; where it is float64 (Windows, macOS on ARM) the last bit of a factor may be off by one. The
spectra of chirps and of Rader's roots have longdouble's digits with numpy 2 only.
"""

from functools import partial
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.algorithms.lengths import generator_of
from glfft.algorithms.tables import Chirp, Factors, RaderFactors, Roots, Table, TrigonometricFactors
from glfft.gl.context import state_of

_TABLES_KEPT = 64
_BYTES_KEPT = 1 << 28
_BLOCK = 1 << 20

_LONG_PI = np.longdouble("3.14159265358979323846264338327950288")

_Numbers = npt.NDArray[np.complexfloating]
_Tables = tuple[Table, ...]


def roots(length: int, double: bool = False) -> _Numbers:
    """All roots of unity of a length: [length], entry j = exp(-2 pi i j / length); `double` as in `powers`."""
    return powers(np.arange(length, dtype=np.int64), length, double)


def powers(exponents: npt.NDArray[np.int64], length: int, double: bool = False) -> _Numbers:
    """The powers exp(-2 pi i j / length) for exponents j from 0 to length - 1, as numpy's clongdouble if `double`, else
    as complex128. Sine and cosine are taken in the first eighth of a turn and mirrored into the others, so that exact
    values (1, -i, the equal parts at an eighth) come out exact and rounding is the same in every octant.
    """
    if len(exponents) > _BLOCK:
        starts = range(0, len(exponents), _BLOCK)  # a few at a time, as there are several numbers for each
        return np.concatenate([powers(exponents[start : start + _BLOCK], length, double) for start in starts])
    pi = _LONG_PI if double else np.float64(np.pi)
    eighths, rest = np.divmod(8 * exponents, length)
    mirrored = eighths % 2 == 1
    reduced = np.where(mirrored, length - rest, rest)
    angle = reduced * (pi / (4 * length))
    cosine = np.cos(angle)
    # At an eighth of a turn the two are equal, and their roundings are not.
    sine = np.where(reduced == length, cosine, np.sin(angle))
    # Within a quarter turn, the second eighth is the first with the parts swapped.
    real, imaginary = np.where(mirrored, sine, cosine), -np.where(mirrored, cosine, sine)
    return (real + 1j * imaginary) * np.array([1, -1j, -1, 1j])[eighths // 2]


def table(radices: tuple[int, ...], double: bool = False) -> _Numbers:
    """The forward twiddle factors of all stages of a transform, whose length N is the product of the radices in order,
    as shaders/common/twiddle.glsl reads them; `double` as in `powers`.

    Returns [N - 1]: stage after stage, for i = 1 .. radix - 1, exp(-2 pi i k i / (radix span)) for all k in [0, span),
    where span is the product of the radices before.
    """
    factors = []
    span = 1
    for radix in radices:
        unit = roots(radix * span, double)
        k = np.arange(span)
        factors += [unit[k * i] for i in range(1, radix)]
        span *= radix
    return np.concatenate(factors)


def entries(table: Table, double: bool = False) -> _Numbers:
    """The numbers of one of the tables that follow the twiddle factors: [table.size]; `double` as in `powers`."""
    count = partial(np.arange, dtype=np.int64)
    match table:
        case Roots(length):
            fine = 1 << table.fine_bits
            exponents, order = np.concatenate((count(fine), count(0, length, fine))) % length, length
        case Factors(first, second):
            exponents, order = np.outer(count(1, second), count(first)).ravel(), first * second
        case Chirp(length):
            exponents, order = count(length) ** 2 % (2 * length), 2 * length
        case TrigonometricFactors(4, points):
            exponents, order = np.concatenate((4 * count(points), 2 * count(points) + 1)), 8 * points
        case TrigonometricFactors(_, points):
            exponents, order = count(points), 4 * points
        case RaderFactors(cofactor, prime):
            orbit = np.array([pow(generator_of(prime), q, prime) for q in range(prime - 1)])
            back = np.roll(orbit[::-1], 1)
            spectrum = np.fft.fft(powers(back, prime, double)) / (prime - 1)
            return np.concatenate((spectrum, orbit + 1j * back, roots(cofactor, double)))
        case _:
            chirp = entries(table.chirp, double).conj()
            sequence = np.zeros(table.size, chirp.dtype)
            sequence[: len(chirp)] = chirp
            sequence[table.size - len(chirp) + 1 :] = chirp[:0:-1]
            spectrum = np.fft.fft(sequence) / table.size
            return spectrum.reshape(table.parts[::-1]).T.ravel() if table.parts else spectrum
    return powers(exponents, order, double)


def numbers(radices: tuple[int, ...], tables: _Tables = (), double: bool = False) -> _Numbers:
    """The table of a list of radices with other tables behind it, rounded to complex64 or complex128."""
    parts = [*([table(radices, double)] if radices else []), *(entries(each, double) for each in tables)]
    return np.concatenate(parts).astype(np.complex128 if double else np.complex64)


def held(
    ctx: moderngl.Context, radices: tuple[int, ...], tables: _Tables = (), double: bool = False, sampled: bool = False
) -> moderngl.Buffer | moderngl.Texture:
    """The table of `numbers` in a buffer or, `sampled`, as rg32f texels: shared in a context, which keeps the last."""

    def make() -> moderngl.Buffer | moderngl.Texture:
        found = numbers(radices, tables, double)
        made = ctx.texture((len(found), 1), 2, found, dtype="f4") if sampled else ctx.buffer(found)
        made.label = "glfft twiddles"
        return made

    def too_many(kept: list[Any]) -> bool:
        sizes = [each.size if isinstance(each, moderngl.Buffer) else each.width * 8 for each in kept]
        return len(sizes) > _TABLES_KEPT or (len(sizes) > 1 and sum(sizes) > _BYTES_KEPT)

    purpose = "twiddle textures" if sampled else "twiddle buffers"
    return state_of(ctx).kept(purpose, (radices, tables, double), make, too_many)
