"""Twiddle tables: computed with more digits than they are kept with, the angle reduced to an eighth of a turn, and then
rounded once.

Tables for float32 are computed in float64. Those for float64 are computed in numpy's longdouble, which has 64 bits or
more on x86 and on Linux; where it is float64 (Windows, macOS on ARM) the last bit of a factor may be off by one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.gl.context import state_of

_TABLES_KEPT = 64

_LONG_PI = np.longdouble("3.14159265358979323846264338327950288")

_Table = TypeVar("_Table", moderngl.Buffer, moderngl.Texture)


def roots(length: int, double: bool = False) -> npt.NDArray[np.complexfloating]:
    """All roots of unity of a length: [length], entry j = exp(-2 pi i j / length).

    The sine and cosine are taken in the first eighth of a turn only and mirrored into the others, so that exact
    values (1, -i, the equal parts at an eighth) come out exact and rounding is the same in every octant.

    Args:
        length: of the transform.
        double: for float64: as numpy's clongdouble, and else as complex128.
    """
    pi = _LONG_PI if double else np.float64(np.pi)
    j = np.arange(length, dtype=np.int64)
    eighths, rest = np.divmod(8 * j, length)
    mirrored = eighths % 2 == 1
    reduced = np.where(mirrored, length - rest, rest)
    angle = reduced * (pi / (4 * length))
    cosine = np.cos(angle)
    # At an eighth of a turn the two are equal, and their roundings are not.
    sine = np.where(reduced == length, cosine, np.sin(angle))
    # Within a quarter turn, the second eighth is the first with the parts swapped.
    real = np.where(mirrored, sine, cosine)
    imaginary = -np.where(mirrored, cosine, sine)
    quarter_turn = np.array([1, -1j, -1, 1j])[eighths // 2]
    return (real + 1j * imaginary) * quarter_turn


def table(radices: tuple[int, ...], double: bool = False) -> npt.NDArray[np.complexfloating]:
    """The forward twiddle factors of all stages of a transform, in the order shaders/common/twiddle.glsl reads them.

    Args:
        radices: of the stages in order; their product is the length N.
        double: as in `roots`.

    Returns:
        [N - 1]: stage after stage, for i = 1 .. radix - 1, exp(-2 pi i k i / (radix span)) for all k in
        [0, span), where span is the product of the radices before.
    """
    factors = []
    span = 1
    for radix in radices:
        unit = roots(radix * span, double)
        k = np.arange(span)
        factors += [unit[k * i] for i in range(1, radix)]
        span *= radix
    return np.concatenate(factors)


def chirps(length: int, direction: int, padded: int, double: bool = False) -> npt.NDArray[np.complexfloating]:
    """The tables of Bluestein's transform, in the order its shader reads them.

    Args:
        length: of the transform, N.
        direction: -1 forward, +1 inverse.
        padded: length of the convolution, M >= 2 N - 1.
        double: as in `roots`.

    Returns:
        [N + M]: the chirp c[n] = exp(direction pi i n^2 / N), then the forward transform over M points of
        conj(c), which is even in n, divided by M.
    """
    n = np.arange(length, dtype=np.int64)
    forward = roots(2 * length, double)[n * n % (2 * length)]
    chirp = forward if direction < 0 else forward.conj()
    sequence = np.zeros(padded, chirp.dtype)
    sequence[:length] = chirp.conj()
    sequence[padded - length + 1 :] = chirp.conj()[:0:-1]
    return np.concatenate((chirp, np.fft.fft(sequence) / padded))


def buffer(
    ctx: moderngl.Context,
    radices: tuple[int, ...],
    chirp: tuple[int, int, int] | None = None,
    double: bool = False,
) -> moderngl.Buffer:
    """The table of a list of radices as a buffer of pairs, float32 or float64, followed by those of a chirp; shared by
    all plans of a context.
    """

    def factors() -> npt.NDArray[np.complexfloating]:
        parts = [table(radices, double)] if radices else []
        found = np.concatenate([*parts, chirps(*chirp, double)] if chirp is not None else parts)
        return found.astype(np.complex128 if double else np.complex64)

    return _kept(ctx, "twiddle buffers", (radices, chirp, double), factors, lambda found: ctx.buffer(found.tobytes()))


def texture(ctx: moderngl.Context, radices: tuple[int, ...]) -> moderngl.Texture:
    """The table of a list of radices as a row of rg32f texels; shared by all plans of a context."""

    def make(found: npt.NDArray[np.complexfloating]) -> moderngl.Texture:
        return ctx.texture((len(found), 1), 2, found.tobytes(), dtype="f4")

    return _kept(ctx, "twiddle textures", radices, lambda: table(radices).astype(np.complex64), make)


def _kept(
    ctx: moderngl.Context,
    purpose: str,
    key: Hashable,
    factors: Callable[[], npt.NDArray[np.complexfloating]],
    make: Callable[[npt.NDArray[np.complexfloating]], _Table],
) -> _Table:
    state = state_of(ctx)
    tables: OrderedDict[Hashable, _Table] = state.cache(purpose, OrderedDict)
    if key not in tables:
        tables[key] = make(factors())
        tables[key].label = "glfft twiddles"
        if len(tables) > _TABLES_KEPT:
            state.release_after_last_use(tables.popitem(last=False)[1])
    tables.move_to_end(key)
    return tables[key]
