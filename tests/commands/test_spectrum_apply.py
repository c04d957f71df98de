"""`glfft spectrum apply` as people use it."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest
from PIL import Image
from support.sentences import one_line_of_error
from support.spectrum import DONE, FAILED, USAGE, files, picture

from glfft.apps.spectrum import retouching
from glfft.apps.spectrum.strokes import Stroke, paint
from glfft.commands.cli import main


@pytest.fixture(autouse=True)
def one_context(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retouching, "open_context", lambda: ctx)


def test_a_mask_is_applied_to_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pixels = picture("a.png", 20, 30)
    picture("b.png", 20, 31)
    mask = np.ones((20, 30), np.float32)
    paint(mask, Stroke("ring", ((0.0, 8.0),), radius=2.0))
    np.savez("m.npz", mask=mask)
    assert main(["spectrum", "apply", "m.npz", "a.png", "b.png", "-o", "out"]) == FAILED
    said = capsys.readouterr()
    assert said.out == "a.png: 30x20 -> out/a.png\n"
    assert "b.png: The picture is 31x20 and the mask 30x20" in said.err
    assert files(folder) == {"a.png", "b.png", "m.npz", "out/a.png"}
    with Image.open("out/a.png") as written:
        restored = np.asarray(written)
    expected = np.fft.ifft2(np.fft.fft2(pixels, axes=(0, 1)) * mask[..., None], axes=(0, 1)).real
    assert np.abs(restored - np.clip(expected, 0, 255)).max() <= 0.51


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.gif"])
def test_a_mask_of_nothing_changes_nothing(folder: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    picture(name)
    Image.new("L", (30, 20), 255).save("m.png")
    assert main(["spectrum", "apply", "m.png", name, "-o", "out"]) == DONE
    if name == "a.gif":
        with Image.open(name) as before, Image.open("out/a.png") as after:
            assert np.array_equal(np.asarray(before.convert("RGB")), np.asarray(after))
    else:
        assert Path("out", name).read_bytes() == Path(name).read_bytes()
        assert "copied unchanged" in capsys.readouterr().out


def test_a_mask_of_one_half_is_mirrored(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    y, x = np.indices((20, 30))
    wave = np.rint(128 + 100 * np.cos(2 * np.pi * (4 * y / 20 + 6 * x / 30))).astype(np.uint8)
    Image.fromarray(wave).save("a.png")
    pixels = np.full((20, 30), 255, np.uint8)
    pixels[10 + 4, 15 + 6] = 0
    Image.fromarray(pixels).save("m.png")
    assert main(["spectrum", "apply", "m.png", "a.png", "-o", "out"]) == DONE
    assert "mask mirrored" in capsys.readouterr().out
    with Image.open("out/a.png") as written:
        assert np.ptp(np.asarray(written)) <= 2


def test_a_picture_in_place_of_the_mask_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture("a.png")
    Image.new("L", (30, 20), 255).save("m.png")
    assert main(["spectrum", "apply", "a.png", "m.png", "-o", "out"]) == FAILED
    said = one_line_of_error(capsys)
    assert "a.png: A mask is grey and this has colours" in said
    assert files(folder) == {"a.png", "m.png"}


def test_a_grey_picture_in_place_of_the_mask_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture("a.png")
    with Image.open("a.png") as colours:
        colours.convert("L").save("grey.png")
    Image.new("L", (30, 20), 255).save("m.png")
    assert main(["spectrum", "apply", "grey.png", "m.png", "-o", "out"]) == DONE
    assert "mask mirrored, as grey.png is not symmetric" in capsys.readouterr().out


def test_a_mask_may_have_been_a_jpeg(folder: Path) -> None:
    picture("a.png")
    levels = np.kron(np.random.default_rng(1).integers(0, 2, (5, 6)), np.ones((4, 5))) * 255
    Image.fromarray(levels.astype(np.uint8)).convert("RGB").save("m.jpg", quality=30)
    assert main(["spectrum", "apply", "m.jpg", "a.png", "-o", "out"]) == DONE


def test_the_mask_is_never_replaced(folder: Path) -> None:
    Path("in").mkdir()
    picture("in/m.png")
    Image.new("L", (30, 20), 255).save("m.png")
    before = Path("m.png").read_bytes()
    assert main(["spectrum", "apply", "m.png", "in/m.png", "-o", "."]) == DONE
    assert Path("m.png").read_bytes() == before
    assert files(folder) == {"m.png", "m-2.png", "in/m.png"}


def test_the_pictures_themselves_are_never_replaced(folder: Path) -> None:
    before = picture("a.png")
    Image.new("L", (30, 20), 0).save("m.png")
    assert main(["spectrum", "apply", "m.png", "a.png", "-o", "."]) == DONE
    assert files(folder) == {"a.png", "m.png", "a-2.png"}
    with Image.open("a.png") as kept:
        assert np.array_equal(np.asarray(kept), before)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["m.png", "a.png"], USAGE, "--output"),
        (["m.png", "-o", "out"], USAGE, "IMAGE"),
        (["none.png", "a.png", "-o", "out"], FAILED, "none.png"),
        (["m.png", "a.png", "-o", "none/out"], FAILED, "no folder"),
        (["m.png", "a.png", "-o", "out.npz"], USAGE, "'.npz' pictures cannot be written"),
        (["m.png", "a.png", "-o", "out.exr"], USAGE, "'.exr' pictures cannot be written"),
    ],
)
def test_what_makes_no_sense_is_one_line(
    folder: Path, arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    picture("a.png")
    Image.new("L", (30, 20), 0).save("m.png")
    assert main(["spectrum", "apply", *arguments]) == code
    assert said in one_line_of_error(capsys)
    assert files(folder) == {"a.png", "m.png"}
