"""Samples in few bits: rounded as little as can be. The transform's own conversion is tested with the receiver."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from glfft.apps.ofdm.link.settings import WIDTHS
from glfft.apps.ofdm.link.symbols import Width
from glfft.errors import OptionError


def samples(power: float) -> np.ndarray:
    """Samples with a normal distribution."""
    numbers = np.random.default_rng(1).standard_normal((200_000, 2)) * np.sqrt(power / 2)
    return numbers.astype(np.float32).view(np.complex64)[:, 0]


def decoded(width: Width, encoded: np.ndarray, power: float) -> np.ndarray:
    """What integers stand for."""
    step = width.step(power) if width.bits else 1.0
    parts = (encoded.astype(float) + (0.5 if width.bits else 0.0)) * step
    return parts[:, 0] + 1j * parts[:, 1]


@pytest.mark.parametrize("name", WIDTHS)
def test_what_rounding_changes_is_what_is_said(name: str) -> None:
    width, power = Width(name), 1.7
    given = samples(power)
    encoded = width.encode(given, power)
    assert encoded.dtype == width.dtype
    assert encoded.shape == (len(given), 2)
    changed = (np.abs(decoded(width, encoded, power) - given) ** 2).mean()
    if width.bits:
        assert changed == pytest.approx(width.noise(power), rel=0.05)
        assert encoded.min() >= -(1 << (width.bits - 1))
        assert encoded.max() < 1 << (width.bits - 1)
    else:
        assert changed < 1e-7


def test_a_bit_more_rounds_less() -> None:
    noises = [Width(f"fixed{bits}").noise(1.0) for bits in range(2, 9)]
    assert all(3 < less / more < 4 for less, more in itertools.pairwise(noises))
    # The least error of 4 levels for a normal distribution (Max, Quantizing for minimum distortion, 1960, table II).
    assert noises[0] == pytest.approx(0.1188, abs=1e-4)


def test_widths_that_do_not_exist_are_refused() -> None:
    with pytest.raises(OptionError, match="float32, float16, fixed8"):
        Width("fixed9")
