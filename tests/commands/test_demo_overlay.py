"""`glfft demo overlay`: its picture, and refusals in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from glfft.apps import cubes
from glfft.commands.cli import main

pytest.importorskip("imgui_bundle")


def test_it_writes_a_picture(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = cubes.draw_picture
    monkeypatch.setattr(cubes, "draw_picture", lambda *given: draw(*given, frames=1))
    assert main(["demo", "overlay", "--headless", "--resolution", "200x100", "--cubes", "5", "-o", "cubes.png"]) == 0
    assert Image.open(folder / "cubes.png").size == (200, 100)


@pytest.mark.parametrize("words", [["--frames", "0"], ["--resolution", "big"], ["--cubes", "-3"]])
def test_wrong_numbers_are_refused_in_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "overlay", *words]) == 2
    error = capsys.readouterr().err
    assert error.startswith("glfft demo overlay: Argument")
    assert error.count("\n") == 1
