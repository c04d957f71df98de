"""The steps of `glfft spectrum` in order: the spectra are numpy's, and every view has something on it."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import moderngl
import numpy as np
import pytest
from PIL import Image
from support.spectrum import DONE, SHAPES, TRANSFORM_TOLERANCE, picture, spectrum
from support.spectrum import one_context as one_context

from glfft.apps.spectrum.display import Display, SpectrumMaker, read_complex
from glfft.apps.spectrum.options import FITS, Treatment, View
from glfft.apps.spectrum.painting import archive_input, paint, save_painting


@pytest.mark.parametrize("channel", ["luminance", "r", "rgb"])
@pytest.mark.parametrize("fit", FITS)
def test_saved_spectra_are_numpys_of_the_saved_input(folder: Path, channel: str, fit: str) -> None:
    picture("a.png", 21, 37)
    assert spectrum("a.png", "--channel", channel, "--fit", fit, "--window", "blackman", "--save-data", "d.npz") == DONE
    with np.load("d.npz") as data:
        assert data["spectrum"].dtype == np.complex64
        assert data["input"].dtype == np.float32
        expected = np.fft.fft2(data["input"].astype(np.float64))
        np.testing.assert_allclose(data["spectrum"], expected, atol=TRANSFORM_TOLERANCE * np.abs(expected).max())
        assert tuple(data["original_shape"]) == (21, 37)
        stored = {name: str(data[name]) for name in ("channel", "fit", "window", "view", "scale", "mode")}
        assert bool(data["shift"])
    assert stored == {
        "channel": channel,
        "fit": fit,
        "window": "blackman",
        "view": "magnitude",
        "scale": "log",
        "mode": "RGB",
    }


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_transform_of_a_picture_is_numpys(folder: Path, shape: tuple[int, int]) -> None:
    pixels = picture("a.png", *shape, bands=1)
    assert spectrum("a.png", "--save-data", "d.npz", "-o", "o.png") == DONE
    with np.load("d.npz") as data:
        expected = np.fft.fft2(pixels / 255.0)
        assert data["spectrum"].shape == shape
        np.testing.assert_allclose(data["spectrum"], expected, atol=TRANSFORM_TOLERANCE * np.abs(expected).max())


@pytest.mark.parametrize("channel", ["luminance", "rgb"])
@pytest.mark.parametrize("view", ["magnitude", "phase", "power", "complex", "radial"])
def test_every_view_writes_a_picture_with_something_on_it(folder: Path, view: str, channel: str) -> None:
    picture("a.png", 16, 16)
    assert spectrum("a.png", "--view", view, "--channel", channel, "-o", "o.png") == DONE
    with Image.open("o.png") as written:
        size, values = written.size, np.asarray(written)
    panels = 3 if channel == "rgb" and view in ("phase", "complex") else 1
    assert values.std() > 5
    if view != "radial":
        assert size == (16 * panels + 8 * (panels - 1), 16)


def test_no_shift_has_the_zero_frequency_at_the_top_left(folder: Path) -> None:
    for rows, columns in SHAPES:
        Image.new("L", (columns, rows), 200).save("a.png")
        for option, place in (("--shift", (rows // 2, columns // 2)), ("--no-shift", (0, 0))):
            assert spectrum("a.png", option, "--colormap", "grey", "-o", "o.png") == DONE
            with Image.open("o.png") as written:
                brightest = np.asarray(written.convert("L")).argmax()
            assert np.unravel_index(brightest, (rows, columns)) == place


# Plots of profiles without a finite number: tests/apps/spectrum/test_radial.py.
@pytest.mark.parametrize(
    ("view", "value"),
    [*itertools.product(("magnitude", "phase", "complex"), (np.nan, np.inf, -np.inf)), ("radial", np.nan)],
)
def test_values_that_are_not_finite_pass_as_in_numpy(
    folder: Path, capsys: pytest.CaptureFixture[str], view: str, value: float
) -> None:
    values = np.random.default_rng(0).random((16, 16)).astype(np.float32)
    values[3, 4] = value
    Image.fromarray(values).save("a.tif")
    assert spectrum("a.tif", "--view", view, "--save-data", "d.npz") == DONE
    assert "1 pixel is not a finite number" in capsys.readouterr().out
    with np.load("d.npz") as data:
        np.testing.assert_array_equal(data["input"], values)
        assert not np.isfinite(data["spectrum"]).any()
    assert spectrum("--inverse", "d.npz", "-o", "b.png") == DONE
    assert ", 256 numbers that are not finite -> b.png" in capsys.readouterr().out


def painted(ctx: moderngl.Context, plane: np.ndarray, view: View) -> np.ndarray:
    Image.fromarray(plane).save("plane.tif")
    archive = archive_input(Path("plane.tif"), Treatment(), max(plane.shape))
    with SpectrumMaker(ctx) as maker, Display(ctx) as display:
        textures = maker.forward(archive.input)
        return paint(display, textures, replace(archive, spectrum=read_complex(textures)), view)


def test_files_hold_the_pixels_that_are_painted(folder: Path, ctx: moderngl.Context) -> None:
    drawn = painted(ctx, np.random.default_rng(2).random((150, 24), np.float32), View())
    for name in ("a.png", "b.PNG", "c.tif", "d.bmp"):
        save_painting(folder / name, drawn)
        with Image.open(name) as written:
            assert np.array_equal(np.asarray(written), drawn)


def test_float32_noise_stays_black(folder: Path, ctx: moderngl.Context) -> None:
    drawn = painted(ctx, np.full((64, 64), 0.3, np.float32), View(colormap="grey", shift=False))
    assert np.all(drawn[0, 0] == 255)
    assert np.count_nonzero(drawn.max(axis=-1) > 60) == 1
