"""What tests of the ocean share: a sea, sums over spectra, and how close fields come."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

import moderngl
import numpy as np
import pytest

from glfft.apps.ocean.scene import SmallGlare
from glfft.gl.context import is_software
from glfft.sea.settings import OceanSettings

# Rows of the glare: its transforms are short then, and all pictures of a shape have the same.
FEW_ROWS = 15


@contextmanager
def glare_of_few_rows() -> Iterator[None]:
    """Let a software renderer compute glare coarsely: its transforms take as long to compile as the water."""
    made = SmallGlare.__init__

    def make(glare: SmallGlare, ctx: moderngl.Context, size: tuple[int, int], glare_rows: int) -> None:
        made(glare, ctx, size, FEW_ROWS if is_software(ctx) else glare_rows)

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(SmallGlare, "__init__", make)
        yield


def integral(values: np.ndarray, over: np.ndarray) -> float:
    return float(np.sum((values[1:] + values[:-1]) * np.diff(over)) / 2)


def significant_height_of(spectrum, frequencies: np.ndarray) -> float:
    return 4 * math.sqrt(integral(spectrum, frequencies))


# Off every axis, so that no field is zero by symmetry. Foam of a short life is soon built up before a first update.
SEA = OceanSettings(size=64, tile=200.0, wind_direction=0.6, foam_lifetime=0.5)

# The transform itself reaches 130 dB on any input; evolution adds rounding of about the same size.
TRANSFORM_DECIBELS = 128.0


def assert_near(found: np.ndarray, expected: np.ndarray, rel: float = 0.0, abs: float = 0.0) -> None:
    """What `found == pytest.approx(expected, rel, abs)` asserts, without a Python number for each of an array's."""
    assert found.shape == expected.shape
    apart = np.abs(found.astype(np.float64) - expected)
    assert np.all(apart <= np.maximum(rel * np.abs(expected.astype(np.float64)), abs)), apart.max()


def decibels(found: np.ndarray, expected: np.ndarray) -> float:
    """Signal over error; more is better."""
    error = found.astype(np.float64) - expected
    return -10 * math.log10(np.mean(error**2) / np.mean(expected**2) + 1e-30)
