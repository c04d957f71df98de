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


def test_a_screen_of_dots_goes_as_a_whole_and_not_its_peaks_alone(folder: Path) -> None:
    clean = landscape((192, 256), bands=3)
    save("dots.png", halftone(clean, 4.0, (15, 75, 0, 45)))
    found = []
    for options in ([], ["--radius", "3"]):
        assert main(["spectrum", "descreen", "dots.png", "-o", "out", *options]) == DONE
        with Image.open("out/dots.png") as written:
            found.append(psnr(np.asarray(written) / 255, clean))
    assert found[0] > found[1] + 5


def test_as_many_peaks_as_asked_for(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save("a.png", striped(landscape((120, 160), bands=3), (0.21, 0.17, 0.06), (-0.3, 0.1, 0.03)))
    assert main(["spectrum", "descreen", "a.png", "-o", "out", "--peaks", "1", "--radius", "2"]) == DONE
    assert "1 peak removed" in capsys.readouterr().out


def test_what_makes_no_sense_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for options in (["--peaks", "0"], ["--radius", "nan"], ["--radius", "0"]):
        assert main(["spectrum", "descreen", "a.png", "-o", "out", *options]) == USAGE
        assert capsys.readouterr().err.count("\n") == 1
    assert main(["spectrum", "descreen", "a.png"]) == USAGE
    assert files(folder) == set()
    capsys.readouterr()
    assert main(["spectrum", "descreen", "a.png", "-o", "out"]) == FAILED
    assert "a.png: The picture cannot be read" in capsys.readouterr().err
