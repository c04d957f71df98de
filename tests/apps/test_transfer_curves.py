"""Curves of colour profiles: the standard's formulas, undone, and sRGB's where there are none."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from PIL import ImageCms
from support.profiles import COLOURS, profile

from glfft.apps.transfer_curves import SRGB, curves_of

X = np.linspace(0, 1, 1001)


def parametric(which: int, *numbers: float) -> bytes:
    return struct.pack(f">4s4xHxx{len(numbers)}i", b"para", which, *(round(65536 * each) for each in numbers))


def table(*stored: int) -> bytes:
    return struct.pack(f">4s4xI{len(stored)}H", b"curv", len(stored), *stored)


# From ICC.1:2022, tables 68 and 35.
FORMULAS: dict[str, tuple[bytes, np.ndarray]] = {
    "power": (parametric(0, 2.4), X**2.4),
    "flat below": (parametric(1, 2.0, 1.25, -0.25), np.where(X >= 0.2, (1.25 * np.maximum(X, 0.2) - 0.25) ** 2, 0)),
    "raised": (
        parametric(2, 2.0, 0.75, -0.15, 0.25),
        np.where(X >= 0.2, (0.75 * np.maximum(X, 0.2) - 0.15) ** 2, 0) + 0.25,
    ),
    "line below": (parametric(3, 2.2, 0.9, 0.1, 0.2, 0.0625), np.where(X >= 0.0625, (0.9 * X + 0.1) ** 2.2, 0.2 * X)),
    "both raised": (
        parametric(4, 2.0, 0.5, 0.25, 0.5, 0.25, 0.125, 0.0625),
        np.where(X >= 0.25, (0.5 * X + 0.25) ** 2 + 0.125, 0.5 * X + 0.0625),
    ),
    "as it is": (table(), X),
    "gamma": (table(round(1.8 * 256)), X ** (round(1.8 * 256) / 256)),
    "points": (table(0, 6553, 65535), np.interp(X, [0, 0.5, 1], [0, 6553 / 65535, 1])),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_curves_are_those_of_the_standard_and_are_undone(name: str) -> None:
    content, wanted = FORMULAS[name]
    for colours, tags in ((3, COLOURS), (1, (b"kTRC",))):
        curves, note = curves_of(profile(dict.fromkeys(tags, content)), colours)
        assert note == "light by its colour profile"
        assert len(curves) == colours
        light = curves[0].decoded(X)
        assert light == pytest.approx(wanted, abs=1e-4)
        assert curves[0].decoded(curves[0].encoded(light)) == pytest.approx(light, abs=1e-6)


def test_srgb_is_known_and_taken_where_there_is_no_curve() -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    assert curves_of(srgb, 3) == ([SRGB] * 3, None)
    assert curves_of(None, 1) == ([SRGB], None)
    falling, endless = table(65535, 0), struct.pack(">4s4xI", b"curv", 2**31)
    bad = [profile(dict.fromkeys(COLOURS, each)) for each in (falling, endless, table(0), parametric(0, -1.0), b"mft2")]
    for each in (b"profile", profile({}), profile({b"kTRC": table()}), *bad, srgb[:200]):
        curves, note = curves_of(each, 3)
        assert curves == [SRGB] * 3
        assert note == "its colour profile has no curves that can be read, so taken for sRGB"


def test_srgb_and_light_undo_each_other() -> None:
    assert SRGB.encoded(SRGB.decoded(X)) == pytest.approx(X, abs=1e-6)
    linear = np.where(X <= 0.04045, X / 12.92, ((X + 0.055) / 1.055) ** 2.4)
    assert SRGB.decoded(X) == pytest.approx(linear, abs=1e-6)
