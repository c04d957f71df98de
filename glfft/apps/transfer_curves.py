"""How the numbers of a picture stand for light: the curves of its colour profile, or sRGB's."""

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Planes = NDArray[np.floating[Any]]

_SAME = 0.002  # curves this near to sRGB's are sRGB's: profiles store tables of 16 bits, or rounded numbers
_PARAMETERS = ("g", "gab", "gabc", "gabcd", "gabcdef")  # of each type of curve, in the order of ICC.1:2022, 10.18


@dataclass(frozen=True)
class Power:
    """Light (a x + b)^g + e from x = d on, and c x + f below."""

    g: float
    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 0.0
    e: float = 0.0
    f: float = 0.0

    def decoded(self, values: Planes) -> Planes:
        above = np.maximum(self.a * values + self.b, 0.0) ** self.g + self.e
        return np.where(values >= self.d, above, self.c * values + self.f)

    def encoded(self, light: Planes) -> Planes:
        """Numbers of light; where several have one light, the first."""
        begin = max(self.a * self.d + self.b, 0.0) ** self.g + self.e
        above = (np.maximum(light - self.e, 0.0) ** (1 / self.g) - self.b) / self.a
        below = (light - self.f) / self.c if self.c else np.zeros_like(light)
        return np.where(light >= begin, above, below)


@dataclass(frozen=True)
class Table:
    """Light at numbers that are evenly apart from 0 to 1, straight between them."""

    light: NDArray[np.float64]

    def decoded(self, values: Planes) -> Planes:
        return np.interp(values, np.linspace(0, 1, len(self.light)), self.light)

    def encoded(self, light: Planes) -> Planes:
        return np.interp(light, self.light, np.linspace(0, 1, len(self.light)))


Curve = Power | Table
SRGB = Power(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)  # IEC 61966-2-1


def curves_of(profile: bytes | None, colours: int) -> tuple[list[Curve], str | None]:
    """The curve of each colour by an ICC profile, else sRGB's, and what a reader of the result ought to know."""
    if not profile:
        return [SRGB] * colours, None
    try:
        tags = _tags(profile)
        curves = [_curve(tags[name]) for name in ((b"kTRC",) if colours == 1 else (b"rTRC", b"gTRC", b"bTRC"))]
    except (KeyError, ValueError, IndexError, struct.error):
        return [SRGB] * colours, "its colour profile has no curves that can be read, so taken for sRGB"
    values = np.linspace(0, 1, 65)
    if all(np.abs(curve.decoded(values) - SRGB.decoded(values)).max() < _SAME for curve in curves):
        return [SRGB] * colours, None
    return curves, "light by its colour profile"


def _tags(profile: bytes) -> dict[bytes, bytes]:
    """The contents of a profile by signature (ICC.1:2022, 7.3)."""
    (count,) = struct.unpack_from(">I", profile, 128)
    if count > len(profile) // 12:
        raise ValueError
    entries = [struct.unpack_from(">4sII", profile, 132 + 12 * index) for index in range(count)]
    return {name: profile[begin : begin + size] for name, begin, size in entries}


def _curve(content: bytes) -> Curve:
    """A curveType or parametricCurveType (ICC.1:2022, 10.6 and 10.18). Raises ValueError where it cannot be undone."""
    kind, number = content[:4], content[8:]
    if kind == b"para":
        (which,) = struct.unpack_from(">H", number)
        found = struct.unpack_from(f">{len(_PARAMETERS[which])}i", number, 4)
        curve = Power(**{name: value / 65536 for name, value in zip(_PARAMETERS[which], found, strict=True)})
        if which in (1, 2):
            # The third number is added everywhere, and the curve is flat below its zero.
            curve = Power(curve.g, curve.a, curve.b, 0.0, -curve.b / (curve.a or 1.0), curve.c, curve.c)
        if curve.g <= 0 or curve.a <= 0 or curve.c < 0:
            raise ValueError
        return curve
    if kind != b"curv":
        raise ValueError
    (count,) = struct.unpack_from(">I", number)
    if count == 0:
        return Power(1.0)
    stored = np.frombuffer(number, ">u2", count, 4)
    if count == 1:
        if not stored[0]:
            raise ValueError
        return Power(float(stored[0]) / 256)
    light = stored / 65535
    if (np.diff(light) < 0).any() or light[-1] == light[0]:
        raise ValueError
    return Table(light)
