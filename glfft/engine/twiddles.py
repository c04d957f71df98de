"""Twiddle tables: computed in float64 with the angle reduced to an eighth of a turn, then rounded once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.gl.context import state_of

_TABLES_KEPT = 64

_Table = TypeVar("_Table", moderngl.Buffer, moderngl.Texture)


def roots(length: int) -> npt.NDArray[np.complex128]:
    """All roots of unity of a length: complex128 [length], entry j = exp(-2 pi i j / length).

    The sine and cosine are taken in the first eighth of a turn only and mirrored into the others, so that exact
    values (1, -i, the equal parts at an eighth) come out exact and rounding is the same in every octant.
    """
    j = np.arange(length, dtype=np.int64)
    eighths, rest = np.divmod(8 * j, length)
    mirrored = eighths % 2 == 1
    reduced = np.where(mirrored, length - rest, rest)
    angle = reduced * (np.pi / (4.0 * length))
    cosine = np.cos(angle)
    # At an eighth of a turn the two are equal, and their roundings are not.
    sine = np.where(reduced == length, cosine, np.sin(angle))
    # Within a quarter turn, the second eighth is the first with the parts swapped.
    real = np.where(mirrored, sine, cosine)
    imaginary = -np.where(mirrored, cosine, sine)
    quarter_turn = np.array([1, -1j, -1, 1j])[eighths // 2]
    return (real + 1j * imaginary) * quarter_turn


def table(radices: tuple[int, ...]) -> npt.NDArray[np.complex128]:
    """The forward twiddle factors of all stages of a transform, in the order shaders/common/twiddle.glsl reads them.

    Args:
        radices: of the stages in order; their product is the length N.

    Returns:
        complex128 [N - 1]: stage after stage, for i = 1 .. radix - 1, exp(-2 pi i k i / (radix span)) for all k in
        [0, span), where span is the product of the radices before.
    """
    factors = []
    span = 1
    for radix in radices:
        unit = roots(radix * span)
        k = np.arange(span)
        factors += [unit[k * i] for i in range(1, radix)]
        span *= radix
    return np.concatenate(factors)


def chirps(length: int, direction: int, padded: int) -> npt.NDArray[np.complex128]:
    """The tables of Bluestein's transform, in the order its shader reads them.

    Args:
        length: of the transform, N.
        direction: -1 forward, +1 inverse.
        padded: length of the convolution, M >= 2 N - 1.

    Returns:
        complex128 [N + M]: the chirp c[n] = exp(direction pi i n^2 / N), then the forward transform over M points of
        conj(c), which is even in n, divided by M.
    """
    n = np.arange(length, dtype=np.int64)
    forward = roots(2 * length)[n * n % (2 * length)]
    chirp = forward if direction < 0 else forward.conj()
    sequence = np.zeros(padded, np.complex128)
    sequence[:length] = chirp.conj()
    sequence[padded - length + 1 :] = chirp.conj()[:0:-1]
    return np.concatenate((chirp, np.fft.fft(sequence) / padded))


def buffer(
    ctx: moderngl.Context, radices: tuple[int, ...], chirp: tuple[int, int, int] | None = None
) -> moderngl.Buffer:
    """The table of a list of radices as a buffer of float32 pairs, followed by those of a chirp; shared by all plans of
    a context.
    """

    def factors() -> npt.NDArray[np.complex128]:
        parts = [table(radices)] if radices else []
        return np.concatenate([*parts, chirps(*chirp)] if chirp is not None else parts)

    return _kept(ctx, "twiddle buffers", (radices, chirp), factors, lambda found: ctx.buffer(found.tobytes()))


def texture(ctx: moderngl.Context, radices: tuple[int, ...]) -> moderngl.Texture:
    """The table of a list of radices as a row of rg32f texels; shared by all plans of a context."""

    def make(found: npt.NDArray[np.complex64]) -> moderngl.Texture:
        return ctx.texture((len(found), 1), 2, found.tobytes(), dtype="f4")

    return _kept(ctx, "twiddle textures", radices, lambda: table(radices), make)


def _kept(
    ctx: moderngl.Context,
    purpose: str,
    key: Hashable,
    factors: Callable[[], npt.NDArray[np.complex128]],
    make: Callable[[npt.NDArray[np.complex64]], _Table],
) -> _Table:
    state = state_of(ctx)
    tables: OrderedDict[Hashable, _Table] = state.cache(purpose, OrderedDict)
    if key not in tables:
        tables[key] = make(factors().astype(np.complex64))
        tables[key].label = "glfft twiddles"
        if len(tables) > _TABLES_KEPT:
            state.release_after_last_use(tables.popitem(last=False)[1])
    tables.move_to_end(key)
    return tables[key]
