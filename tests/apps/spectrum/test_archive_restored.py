"""From saved data back to the picture: its values, size and depth, and never over the picture they were made from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from support.spectrum import DONE, USAGE, picture, spectrum
from support.spectrum import one_context as one_context


def test_archives_from_before_exact_fits_are_read(folder: Path) -> None:
    # As they were written: a fit of pad and its sizes, under the same name of the format.
    pixels = picture("a.png", 5, 7, bands=1)
    padded = np.pad((pixels / 255).astype(np.float32), [(0, 3), (0, 1)])
    settings = {"format": "glfft spectrum 1", "source": "a.png", "channel": "luminance", "window": "none"}
    sizes = {"original_shape": (5, 7), "crop_offset": (0, 0), "padding": (3, 1), "fit": "pad"}
    shown = {"view": "magnitude", "scale": "log", "colormap": "ember", "shift": True}
    depth = {"mode": "L", "bit_depth": 8, "white": 255.0, "input_range": "0 is black, 1 is white"}
    before: dict[str, Any] = {**settings, **sizes, **shown, **depth}
    np.savez("d.npz", spectrum=np.fft.fft2(padded).astype(np.complex64), input=padded, **before)
    assert spectrum("--inverse", "d.npz", "-o", "back.png") == DONE
    with Image.open("back.png") as back:
        assert np.abs(np.asarray(back).astype(int) - pixels).max() <= 1


def test_sixteen_bits_survive_the_round_trip(folder: Path) -> None:
    values = np.random.default_rng(0).integers(0, 65536, (20, 13), dtype=np.uint16)
    Image.fromarray(values).save("a.png")
    assert spectrum("a.png", "--save-data", "d.npz") == DONE
    for name in ("back.png", "back.tif"):
        assert spectrum("--inverse", "d.npz", "-o", name) == DONE
        with Image.open(name) as back:
            restored = np.asarray(back).astype(int)
        assert np.abs(restored - values).max() <= 1


def test_floats_survive_the_round_trip_beyond_black_and_white(folder: Path) -> None:
    values = np.random.default_rng(0).normal(0, 3, (20, 13)).astype(np.float32)
    Image.fromarray(values).save("a.tif")
    assert spectrum("a.tif", "--save-data", "d.npz") == DONE
    assert spectrum("--inverse", "d.npz", "-o", "back.tif") == DONE
    with Image.open("back.tif") as back:
        np.testing.assert_allclose(np.asarray(back), values, atol=1e-5)


@pytest.mark.parametrize("fit", ["exact", "resize"])  # resized pictures go beyond black and white on the way
@pytest.mark.parametrize(("dtype", "white"), [("uint16", 65535), ("int32", 65535), ("float32", 1)])
def test_values_cut_off_are_spoken_of(
    folder: Path, capsys: pytest.CaptureFixture[str], dtype: str, white: int, fit: str
) -> None:
    for factor, is_cut in ((1, False), (3, True))[: 1 if dtype == "uint16" else 2]:
        Image.fromarray(np.linspace(0, factor * white, 60).reshape(5, 12).astype(dtype)).save("a.tif")
        assert spectrum("a.tif", "--fit", fit, "--save-data", "d.npz") == DONE
        assert spectrum("--inverse", "d.npz", "-o", "back.png") == DONE
        assert ("above white cut off" in capsys.readouterr().out) == is_cut


def test_a_crop_comes_back_in_its_place_and_a_window_is_spoken_of(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pixels = picture("a.png", 20, 30, bands=1)
    assert spectrum("a.png", "--fit", "crop", "--save-data", "d.npz") == DONE
    assert spectrum("--inverse", "d.npz", "-o", "back.png") == DONE
    assert "black where the crop" in capsys.readouterr().out
    with Image.open("back.png") as back:
        restored = np.asarray(back).astype(int)
    expected = np.zeros((20, 30), int)
    expected[2:18, 7:23] = pixels[2:18, 7:23]
    assert np.abs(restored - expected).max() <= 1
    assert spectrum("a.png", "--window", "hann", "--save-data", "w.npz") == DONE
    assert spectrum("--inverse", "w.npz", "-o", "back.png") == DONE
    assert "hann window is still in it" in capsys.readouterr().out


@pytest.mark.parametrize("output", ["photo.png", "PHOTO.png", ".", "./", "link.png", "d.npz"])
def test_the_source_of_the_data_and_the_data_are_not_written_over(
    folder: Path, capsys: pytest.CaptureFixture[str], output: str
) -> None:
    picture("photo.png")
    assert spectrum("photo.png", "--save-data", "d.npz") == DONE
    if output == "link.png":
        Path(output).symlink_to("photo.png")
    if output == "PHOTO.png":
        Path("photo.png").rename(output)
    data = "d.npz"
    if output.startswith("."):
        data = str(Path("d.npz").rename("photo.npz"))
    before = {path: path.read_bytes() for path in folder.iterdir()}
    capsys.readouterr()
    assert spectrum("--inverse", data, "-o", output) == USAGE
    error = capsys.readouterr().err
    assert "cannot be written" in error if output == "d.npz" else "was made from; name another file" in error
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_data_without_their_source_beside_them_may_take_its_name(folder: Path) -> None:
    pixels = picture("photo.png", bands=1)
    assert spectrum("photo.png", "--save-data", "d.npz") == DONE
    Path("photo.png").unlink()
    assert spectrum("--inverse", "d.npz", "-o", "photo.png") == DONE
    # Any other picture is replaced.
    Path("again.png").write_bytes(b"earlier")
    assert spectrum("--inverse", "d.npz", "-o", "again.png") == DONE
    for name in ("photo.png", "again.png"):
        with Image.open(name) as back:
            assert np.abs(np.asarray(back).astype(int) - pixels).max() <= 1
