"""`glfft demo overlay`: its picture, and refusals in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from glfft.apps import cubes
from glfft.commands.cli import main

pytest.importorskip("imgui_bundle")


def test_it_writes_a_picture(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = cubes.draw_cubes
    monkeypatch.setattr(cubes, "draw_cubes", lambda *given: draw(*given, frames=1))
    assert main(["demo", "overlay", "--headless", "--resolution", "200x100", "--cubes", "5", "-o", "cubes.png"]) == 0
    assert Image.open(folder / "cubes.png").size == (200, 100)


def test_it_writes_the_timeline_of_the_frames_before_its_picture(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    draw = cubes.draw_cubes
    monkeypatch.setattr(cubes, "draw_cubes", lambda *given: draw(*given, frames=2))
    size = ("--resolution", "200x100", "--cubes", "5")
    assert main(["demo", "overlay", *size, "-o", "cubes.png", "--trace", "cubes.trace.json"]) == 0
    assert capsys.readouterr().out.split() == ["cubes.trace.json", "cubes.png"]
    events = json.loads((folder / "cubes.trace.json").read_text())["traceEvents"]
    sections = {event["args"]["section"] for event in events if event["ph"] == "X"}
    assert sections >= {"frame", "move", "scene/clear", "scene/cubes", "resolve"}


@pytest.mark.parametrize("words", [["--frames", "0"], ["--resolution", "big"], ["--cubes", "-3"]])
def test_wrong_numbers_are_refused_in_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "overlay", *words]) == 2
    error = capsys.readouterr().err
    assert error.startswith("glfft demo overlay: Argument")
    assert error.count("\n") == 1
