"""Twiddle tables: computed in float64 with the angle reduced to an eighth of a turn, then rounded once."""

from __future__ import annotations

from collections import OrderedDict

import moderngl
import numpy as np

from glfft.gl import state_of

_TABLES_KEPT = 64


def table(length: int) -> np.ndarray:
    """All twiddle factors of a length: complex128 [length], entry j = exp(-2 pi i j / length).

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


def texture(ctx: moderngl.Context, length: int) -> moderngl.Texture:
    """The table as a texture of `length` x 1 texels, rg32f; shared by all plans of a context."""
    tables: OrderedDict[int, moderngl.Texture] = state_of(ctx).cache("twiddles", OrderedDict)
    if length in tables:
        tables.move_to_end(length)
        return tables[length]
    made = ctx.texture((length, 1), 2, table(length).astype(np.complex64).tobytes(), dtype="f4")
    made.filter = (moderngl.NEAREST, moderngl.NEAREST)
    made.label = f"glfft twiddles {length}"
    tables[length] = made
    if len(tables) > _TABLES_KEPT:
        tables.popitem(last=False)
    return made
