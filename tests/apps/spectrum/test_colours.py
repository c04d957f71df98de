"""Colour maps rise evenly, or keep one lightness all round; those of matplotlib are its own."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from glfft.apps.spectrum import colours as glfft_colours
from glfft.apps.spectrum.colours import (
    CONES_FROM_SRGB,
    CYCLIC,
    OKLAB_FROM_ROOTS,
    colour_table,
    linear_from_oklch,
    srgb_from_linear,
)
from glfft.apps.spectrum.options import COLORMAPS
from glfft.errors import MissingExtraError, OptionError


def linear_from_srgb(colours: np.ndarray) -> np.ndarray:
    """IEC 61966-2-1 display values to linear light, both 0..1."""
    return np.where(colours <= 0.04045, colours / 12.92, ((np.maximum(colours, 0) + 0.055) / 1.055) ** 2.4)


def test_srgb_and_light_undo_each_other() -> None:
    levels = np.linspace(0, 1, 1001)
    light = glfft_colours.linear_from_srgb(levels)
    np.testing.assert_allclose(light, linear_from_srgb(levels), atol=1e-12)
    np.testing.assert_allclose(srgb_from_linear(light), levels, atol=1e-6)


def oklab_from_linear(light: np.ndarray) -> np.ndarray:
    """Linear sRGB [..., 3] to Oklab L, a, b [..., 3]."""
    return np.cbrt(light @ CONES_FROM_SRGB.T) @ OKLAB_FROM_ROOTS.T


def test_ember_rises_in_even_steps() -> None:
    colours = colour_table("ember")[0].astype(np.float64)
    lab = oklab_from_linear(linear_from_srgb(colours))
    rise = np.diff(lab[:, 0])
    assert rise.min() > 0.9 * rise.mean()
    steps = np.linalg.norm(np.diff(lab, axis=0), axis=1)
    assert steps.max() < 1.5 * steps.min()


def test_the_hue_map_has_one_lightness_and_closes() -> None:
    colours = colour_table("hue")[0].astype(np.float64)
    lab = oklab_from_linear(linear_from_srgb(colours))
    np.testing.assert_allclose(lab[:, 0], lab[0, 0], atol=1e-3)
    steps = np.linalg.norm(lab - np.roll(lab, 1, axis=0), axis=1)
    assert steps.max() < 1.05 * steps.min()


@pytest.mark.parametrize("name", ["viridis", "magma"])
def test_maps_of_matplotlib_are_its_own(name: str) -> None:
    import matplotlib as mpl

    table = colour_table(name)
    assert table.shape == (1, 256, 3)
    assert name not in CYCLIC
    expected = mpl.colormaps[name].resampled(256)(np.arange(256))[:, :3]
    np.testing.assert_allclose(table[0], expected, atol=1e-6)


def test_without_matplotlib_its_maps_are_missing_and_ours_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    colour_table.cache_clear()
    for name in COLORMAPS:
        if name in ("viridis", "magma"):
            with pytest.raises(MissingExtraError, match=rf"{name}.*'\.\[plot\]'.*ember"):
                colour_table(name)
        else:
            assert colour_table(name).size


def test_unknown_names_are_refused() -> None:
    with pytest.raises(OptionError, match="ember"):
        colour_table("jet")


@pytest.mark.parametrize("name", [name for name in COLORMAPS if name not in ("viridis", "magma")] + ["complex"])
def test_every_colour_can_be_displayed(name: str) -> None:
    table = colour_table(name)
    assert table.dtype == np.float32
    assert table.min() >= 0
    assert table.max() <= 1
    # A wheel ends where it begins.
    ends = np.abs(table[:, -1] - table[:, 0]).max()
    assert (ends < 0.05) == (name in CYCLIC)


def test_the_complex_map_goes_up_in_lightness_alike_for_every_hue() -> None:
    colours = colour_table("complex").astype(np.float64)
    assert np.abs(colours[0]).max() < 0.5 / 255, "no magnitude is black"
    lab = oklab_from_linear(linear_from_srgb(colours))
    np.testing.assert_allclose(lab[..., 0], np.broadcast_to(lab[:, :1, 0], lab.shape[:2]), atol=5e-3)
    assert np.all(np.diff(lab[:, 0, 0]) > 0)


def test_colour_spaces_are_undone() -> None:
    light = np.random.default_rng(0).random((100, 3))
    np.testing.assert_allclose(linear_from_srgb(srgb_from_linear(light)), light, atol=1e-9)
    lightness, a, b = np.moveaxis(oklab_from_linear(light), -1, 0)
    np.testing.assert_allclose(linear_from_oklch(lightness, np.hypot(a, b), np.arctan2(b, a)), light, atol=1e-6)
    white = oklab_from_linear(np.ones(3))
    np.testing.assert_allclose(white, [1, 0, 0], atol=1e-4)
