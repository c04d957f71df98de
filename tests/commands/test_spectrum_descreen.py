"""`glfft spectrum descreen` as people use it."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest
from PIL import Image
from support.retouching import halftone, landscape, psnr
from support.spectrum import DONE, FAILED, USAGE, files

from glfft.apps.spectrum import retouching
from glfft.apps.spectrum.stored_pictures import read_stored
from glfft.apps.spectrum.strokes import Stroke, paint
from glfft.commands.cli import main


@pytest.fixture(autouse=True)
def one_context(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retouching, "open_context", lambda: ctx)


def striped(clean: np.ndarray, *waves: tuple[float, float, float]) -> np.ndarray:
    y, x = np.indices(clean.shape[:2])
    total = sum(height * np.cos(2 * np.pi * (down * y + across * x)) for down, across, height in waves)
    return np.clip(clean + np.asarray(total)[..., None], 0, 1)


def save(name: str, values: np.ndarray) -> None:
    Image.fromarray(np.rint(values * 255).astype(np.uint8)).save(name)


def test_stripes_go_and_other_pictures_stay(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clean = landscape((120, 160), bands=3) * 0.8 + 0.1
    save("clean.png", clean)
    save("striped.png", striped(clean, (0.21, 0.17, 0.06), (-0.3, 0.1, 0.03)))
    assert main(["spectrum", "descreen", "striped.png", "clean.png", "-o", "out"]) == DONE
    said = capsys.readouterr().out
    assert "striped.png: 160x120, 2 peaks removed -> out/striped.png\n" in said
    assert "clean.png: 160x120, no peaks found, copied unchanged -> out/clean.png\n" in said
    assert Path("out/clean.png").read_bytes() == Path("clean.png").read_bytes()
    with Image.open("out/striped.png") as written, Image.open("striped.png") as before:
        assert psnr(np.asarray(written) / 255, clean) > psnr(np.asarray(before) / 255, clean) + 8


def test_one_picture_goes_to_the_file_that_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save("striped.png", striped(landscape((60, 80), bands=3) * 0.8 + 0.1, (0.21, 0.17, 0.1)))
    assert main(["spectrum", "descreen", "striped.png", "-o", "clean.tif"]) == DONE
    assert capsys.readouterr().out == "striped.png: 80x60, 1 peak removed -> clean.tif\n"
    assert read_stored("clean.tif").samples.shape == (60, 80, 3)
    assert main(["spectrum", "descreen", "striped.png", "-o", "striped.png"]) == USAGE
    assert main(["spectrum", "descreen", "striped.png", "clean.tif", "-o", "both.png"]) == USAGE
    said = capsys.readouterr().err.splitlines()
    assert "striped.png is the picture itself; name another file" in said[0]
    assert "both.png is one file and there are 2 pictures; name a folder." in said[1]
    assert main(["spectrum", "descreen", "striped.png", "-o", "scans.v2"]) == DONE
    assert files(folder) == {"striped.png", "clean.tif", "scans.v2/striped.png"}


def test_a_file_that_holds_no_picture_as_it_is_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Icons would be made smaller without a word; of some kinds of pictures Pillow writes none."""
    save("a.png", landscape((20, 30), bands=3))
    for name in ("clean.ico", "clean.psd"):
        assert main(["spectrum", "descreen", "a.png", "-o", name]) == USAGE
        assert f"{name[-4:]!r} pictures cannot be written" in capsys.readouterr().err
    assert files(folder) == {"a.png"}
    assert main(["spectrum", "descreen", "a.png", "-o", "icons.ico/"]) == DONE
    assert main(["spectrum", "descreen", "a.png", "-o", "icons.ico"]) == DONE
    assert files(folder) == {"a.png", "icons.ico/a.png"}, "a folder's name may end so"


def test_a_jpeg_is_copied_whether_its_suffix_is_large_or_small(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save("a.JPG", landscape((20, 30), bands=3))
    assert main(["spectrum", "descreen", "a.JPG", "-o", "b.jpg"]) == DONE
    assert capsys.readouterr().out == "a.JPG: 30x20, no peaks found, copied unchanged -> b.jpg\n"
    assert Path("b.jpg").read_bytes() == Path("a.JPG").read_bytes()


def test_of_a_copy_is_not_said_what_a_change_would_lose(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Image.new("CMYK", (40, 30), (9, 8, 7, 6)).save("inks.tif")
    assert main(["spectrum", "descreen", "inks.tif", "-o", "out"]) == DONE
    assert capsys.readouterr().out == "inks.tif: 40x30, no peaks found, copied unchanged -> out/inks.tif\n"


def test_a_screen_of_dots_goes_as_a_whole_and_not_its_peaks_alone(
    ctx: moderngl.Context, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clean = landscape((192, 256), bands=3)
    save("dots.png", halftone(clean, 4.0, (15, 75, 0, 45)))
    assert main(["spectrum", "descreen", "dots.png", "-o", "out"]) == DONE
    picture, mask = read_stored("dots.png"), np.ones((192, 256), np.float32)
    with retouching.Retoucher(ctx) as retoucher, Image.open("out/dots.png") as written:
        paint(mask, Stroke("notch", tuple(peak.point for peak in retoucher.peaks(picture.planes())), 3.0))
        notched = retoucher.filtered(picture, mask).samples / 255
        assert psnr(np.asarray(written) / 255, clean) > psnr(notched, clean) + 5


def test_what_makes_no_sense_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["spectrum", "descreen", "a.png"]) == USAGE
    assert files(folder) == set()
    capsys.readouterr()
    assert main(["spectrum", "descreen", "a.png", "-o", "out"]) == FAILED
    assert "a.png: The picture cannot be read" in capsys.readouterr().err
