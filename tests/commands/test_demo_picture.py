"""What demos share: a picture if it is asked for or there is no display, else a window."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from glfft.apps import plots
from glfft.commands import demo
from glfft.commands.cli import main

_PIXELS = np.full((4, 6, 3), 99, np.uint8)


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """A demo named example, and what its windows are opened with."""
    opened: list[tuple[object, ...]] = []
    monkeypatch.setitem(sys.modules, "example_of_a_demo", SimpleNamespace(Board=lambda *given: given))
    monkeypatch.setattr(
        plots, "open_board", lambda title, size, make, *given: opened.append((make("ctx"), size, *given))
    )
    monkeypatch.setattr(plots, "draw_board", lambda *given: _PIXELS)
    entry = ("show all", lambda parser: None, lambda arguments: ("example_of_a_demo", 7))
    monkeypatch.setitem(demo._DEMOS, "example", entry)
    return opened


@pytest.mark.parametrize(
    ("words", "display", "shown", "written"),
    [
        ([], True, True, None),
        ([], False, False, "out/example.png"),
        (["-o", "own.png"], True, False, "own.png"),
    ],
)
def test_a_window_or_a_picture(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    windows: list[tuple[object, ...]],
    words: list[str],
    display: bool,
    shown: bool,
    written: str | None,
) -> None:
    monkeypatch.setattr("glfft.ui.window.has_display", lambda: display)
    assert main(["demo", "example", *words]) == 0
    assert windows == ([((7, "ctx"), (1280, 720), None, None)] if shown else [])
    if written is not None:
        assert np.array_equal(np.asarray(Image.open(folder / written)), _PIXELS)
    assert ("no display" in capsys.readouterr().err) == (not display)


def test_a_timeline_is_for_windows_and_pictures(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    windows: list[tuple[object, ...]],
) -> None:
    monkeypatch.setattr("glfft.ui.window.has_display", lambda: True)
    assert main(["demo", "example", "--trace", "a.trace.json"]) == 0
    assert [trace for *_, trace in windows] == ["a.trace.json"]
    assert main(["demo", "example", "--trace", "nowhere/a.trace.json"]) == 1
    assert "nowhere" in capsys.readouterr().err
    assert len(windows) == 1
    assert not [*folder.iterdir()]
