"""`glfft match` as people use it."""

from __future__ import annotations

import json
from pathlib import Path

import moderngl
import numpy as np
import pytest
from PIL import Image
from support.sentences import assert_one_sentence
from support.spectrum import DONE, FAILED, USAGE, files, picture

from glfft.apps import matching
from glfft.commands.cli import main


@pytest.fixture(autouse=True)
def one_context(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "open_context", lambda: ctx)


def test_text_json_and_a_marked_picture(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pixels = picture("photo.png", 40, 60)
    Image.fromarray(pixels[12:30, 25:50]).save("part.png")
    assert main(["match", "photo.png", "part.png", "-o", "marked.png"]) == DONE
    assert capsys.readouterr().out == "part.png in photo.png: x 25.0, y 12.0, score 1.000 of 1 -> marked.png\n"
    with Image.open("marked.png") as written:
        assert np.array_equal(np.asarray(written)[12:30, 25:50], pixels[12:30, 25:50])
        assert not np.array_equal(np.asarray(written), pixels)
    assert main(["match", "photo.png", "part.png", "--json"]) == DONE
    found = json.loads(capsys.readouterr().out)
    assert found.pop("score") == pytest.approx(1.0, abs=1e-3)
    assert found == {"image": "photo.png", "template": "part.png", "x": 25.0, "y": 12.0, "width": 25, "height": 18}
    assert files(folder) == {"photo.png", "part.png", "marked.png"}


@pytest.mark.parametrize("suffix", ["png", "tif"])
def test_a_template_of_another_depth_is_found(folder: Path, suffix: str, capsys: pytest.CaptureFixture[str]) -> None:
    pixels = picture("photo.png", 30, 40, bands=1)
    Image.fromarray(pixels[5:20, 7:30].astype(np.uint16) * 100 + 3000).save(f"part.{suffix}")
    assert main(["match", "photo.png", f"part.{suffix}"]) == DONE
    assert "x 7.0, y 5.0, score 1.000 of 1" in capsys.readouterr().out


def test_what_cannot_be_found_is_refused_and_writes_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pixels = picture("photo.png", 20, 30)
    picture("large.png", 21, 10)
    Image.new("RGB", (5, 5), (3, 4, 5)).save("flat.png")
    Image.fromarray(pixels[:5, :5]).save("part.png")
    bad = np.zeros((6, 6), np.float32)
    bad[2, 3] = np.nan
    Image.fromarray(bad).save("nan.tif")
    Path("text.png").write_text("no picture")
    before = files(folder)
    for arguments, code, said in (
        (["photo.png", "large.png", "-o", "out.png"], FAILED, "10x21 and larger than photo.png, which is 30x20"),
        (["part.png", "photo.png"], FAILED, "which is 5x5; crop it, or name the picture first."),
        (["photo.png", "flat.png", "-o", "out.png"], FAILED, "one colour"),
        (["photo.png", "nan.tif", "-o", "out.png"], FAILED, "NaN"),
        (["nan.tif", "part.png", "-o", "out.png"], FAILED, "NaN"),
        (["photo.png", "text.png", "-o", "out.png"], FAILED, "text.png: This is not a picture"),
        (["missing.png", "part.png"], FAILED, "missing.png"),
        (["photo.png", "part.png", "-o", "photo.png"], USAGE, "is the picture itself"),
        (["photo.png", "part.png", "-o", "part.png"], USAGE, "is the picture itself"),
        (["photo.png", "part.png", "-o", "out.xyz"], USAGE, "cannot be written"),
        (["photo.png", "part.png", "-o", "no/out.png"], FAILED, "there is no folder"),
    ):
        assert main(["match", *arguments]) == code, arguments
        error = capsys.readouterr().err
        assert said in error
        sentence = error.removeprefix("glfft match: ").rstrip("\n")
        for name in ("text.png: ", "missing.png: ", "photo.png ", "part.png "):
            sentence = sentence.removeprefix(name)
        assert_one_sentence(sentence)
        assert files(folder) == before
