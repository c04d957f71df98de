"""Saved spectra as numpy arrays: what is read, written and refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from support.spectrum import DONE, picture, spectrum
from support.spectrum import one_context as one_context

import glfft
from glfft.errors import DataError, OutputError


@pytest.mark.parametrize("channel", ["r", "rgb"])
@pytest.mark.parametrize("shifted", [False, True])
def test_a_spectrum_is_read_as_numpy_has_it(folder: Path, channel: str, shifted: bool) -> None:
    pixels = picture("a.png", 15, 22) / 255
    assert spectrum("a.png", "--channel", channel, "--save-data", "d.npz") == DONE
    loaded = glfft.spectrum.load("d.npz", shifted=shifted)
    expected = np.fft.fft2(np.moveaxis(pixels, -1, 0) if channel == "rgb" else pixels[..., 0])
    if shifted:
        expected = np.fft.fftshift(expected, (-2, -1))
    assert (loaded.shape, loaded.dtype) == (expected.shape, np.complex64)
    assert np.abs(loaded - expected).max() <= 1e-6 * np.abs(expected).max()


@pytest.mark.parametrize("shifted", [False, True])
@pytest.mark.parametrize(("rows", "columns"), [(20, 30), (15, 21)])
def test_three_lines_remove_a_wave(
    folder: Path, shifted: bool, rows: int, columns: int, capsys: pytest.CaptureFixture[str]
) -> None:
    y, x = np.indices((rows, columns))
    wave = np.rint(128 + 100 * np.cos(2 * np.pi * (4 * y / rows + 6 * x / columns))).astype(np.uint8)
    Image.fromarray(wave).save("a.png")
    assert spectrum("a.png", "--save-data", "d.npz") == DONE
    values = glfft.spectrum.load("d.npz", shifted=shifted)
    row, column = (rows // 2, columns // 2) if shifted else (0, 0)
    values[row + 4, column + 6] = values[row - 4, column - 6] = 0
    glfft.spectrum.save("e.npz", values, like="d.npz", shifted=shifted)
    assert spectrum("--inverse", "e.npz", "-o", "back.png") == DONE
    assert "imaginary" not in capsys.readouterr().out
    with Image.open("back.png") as back:
        assert np.ptp(np.asarray(back)) <= 2


def test_half_of_a_peak_leaves_an_imaginary_part_which_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    y, x = np.indices((20, 30))
    wave = np.rint(128 + 100 * np.cos(2 * np.pi * (4 * y / 20 + 6 * x / 30))).astype(np.uint8)
    Image.fromarray(wave).save("a.png")
    assert spectrum("a.png", "--save-data", "d.npz") == DONE
    values = glfft.spectrum.load("d.npz")
    values[4, 6] = 0
    glfft.spectrum.save("d.npz", values, like="d.npz")
    assert spectrum("--inverse", "d.npz", "-o", "back.png") == DONE
    # Half of the wave's amplitude, 50 of 255 levels, and its root mean square.
    assert f"imaginary part of rms {50 / 255 / np.sqrt(2):.2g} dropped (white is 1)" in capsys.readouterr().out


def test_what_is_no_data_or_has_another_shape_is_refused(folder: Path) -> None:
    picture("a.png", 15, 22)
    assert spectrum("a.png", "--save-data", "d.npz") == DONE
    values = glfft.spectrum.load("d.npz")
    before = Path("d.npz").read_bytes()
    for wrong in (values[:-1], values[None], np.array("text"), values.astype(str)):
        with pytest.raises(DataError, match="shape"):
            glfft.spectrum.save("d.npz", wrong, like="d.npz")
    with pytest.raises(DataError, match="not finite"):
        glfft.spectrum.save("d.npz", values.astype(complex) * 1e39, like="d.npz")
    with pytest.raises(DataError, match="not finite"):
        glfft.spectrum.save("d.npz", np.where(values == values[0, 0], np.nan, values), like="d.npz")
    with pytest.raises(OutputError):
        glfft.spectrum.save("none/e.npz", values, like="d.npz")
    with pytest.raises(OutputError, match="npz"):
        glfft.spectrum.save("e.png", values, like="d.npz")
    assert Path("d.npz").read_bytes() == before
    np.savez("other.npz", spectrum=np.ones((4, 4)), input=np.ones((4, 4)))
    np.savez("long.npz", spectrum=values, input=np.ones(values.shape), note=np.zeros(1 << 16))
    np.savez("alone.npz", spectrum=values)
    for name in ("none.npz", "other.npz", "long.npz", "alone.npz", "a.png"):
        with pytest.raises(DataError):
            glfft.spectrum.load(name)
