"""Settings of an ocean: what is out of range is refused in one sentence."""

from __future__ import annotations

import math

import numpy as np
import pytest

from glfft.errors import OptionError, ShapeError
from glfft.sea.settings import OceanSettings, Swell


@pytest.mark.parametrize("size", [0, -64, 8, 14, 101, 255, 64.5, "64", None, math.nan])
def test_a_size_that_is_odd_or_small_is_refused(size):
    with pytest.raises(ShapeError, match="even number from 16"):
        OceanSettings(size=size)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tile", 0.0),
        ("tile", -5.0),
        ("tile", math.inf),
        ("wind", 0.0),
        ("wind", math.nan),
        ("wind", "strong"),
        ("wind_direction", math.nan),
        ("fetch", 0.0),
        ("fetch", -1.0),
        ("fetch", math.inf),
        ("seed", -1),
        ("seed", 1.5),
        ("choppiness", -0.1),
        ("choppiness", math.nan),
        ("gamma", 0.5),
        ("swell", 1.5),
        ("depth", 0.0),
        ("depth", math.nan),
        ("loop", 0.0),
        ("loop", math.nan),
        ("loop", 1e9),
        ("spectrum", "jonswop"),
        ("spreading", "cos2"),
        ("spreading", None),
        ("foam_lifetime", 0.0),
    ],
)
def test_a_value_out_of_range_is_refused_in_one_sentence(name, value):
    with pytest.raises(OptionError) as raised:
        OceanSettings(**{name: value})
    message = str(raised.value)
    assert message.endswith((".", "?"))
    assert repr(value) in message
    assert "\n" not in message


def test_swell_is_refused_where_it_would_do_nothing():
    with pytest.raises(OptionError, match="Swell"):
        OceanSettings(swell=0.5, spreading="donelan-banner")


def test_numpy_numbers_are_numbers():
    settings = OceanSettings(size=np.int64(64), wind=np.float32(8), seed=np.uint8(3))  # pyright: ignore
    assert settings == OceanSettings(size=64, wind=8.0, seed=3)


@pytest.mark.parametrize(
    "values",
    [(-1.0, 10.0), (2.0, 0.0), (2.0, math.nan), (2.0, 10.0, math.inf), (2.0, 10.0, 0.0, 0.0), (2.0, 10.0, 0.0, 3.0)],
)
def test_swells_out_of_range_are_refused(values):
    with pytest.raises(OptionError, match=r"of a swell is .* must be a number from"):
        Swell(*values)


def test_swells_that_are_none_are_refused():
    with pytest.raises(OptionError, match="tuple of Swell"):
        OceanSettings(swells=((2.0, 10.0),))  # pyright: ignore[reportArgumentType]
