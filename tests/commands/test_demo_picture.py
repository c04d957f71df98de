"""What demos share: a picture if it is asked for or there is no display, else a window."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from glfft.commands import demo
from glfft.errors import OutputError


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
    words: list[str],
    display: bool,
    shown: bool,
    written: str | None,
) -> None:
    monkeypatch.setattr("glfft.ui.window.has_display", lambda: display)
    parser = argparse.ArgumentParser()
    demo.add_picture(parser, "example")
    windows: list[int] = []
    pixels = np.full((4, 6, 3), 99, np.uint8)
    parsed = parser.parse_args(words)
    assert demo.show_or_write(parsed, "example", lambda: windows.append(1), lambda ctx: pixels) == 0
    assert bool(windows) == shown
    if written is not None:
        assert np.array_equal(np.asarray(Image.open(folder / written)), pixels)
    assert ("no display" in capsys.readouterr().err) == (not display)


def test_a_timeline_is_for_windows_and_pictures(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glfft.ui.window.has_display", lambda: True)
    parser = argparse.ArgumentParser()
    demo.add_picture(parser, "example")
    shown: list[str] = []
    windowed = parser.parse_args(["--trace", "a.trace.json"])
    assert demo.show_or_write(windowed, "example", lambda: shown.append(windowed.trace), lambda ctx: None) == 0
    assert shown == ["a.trace.json"]
    missing = parser.parse_args(["--trace", "nowhere/a.trace.json"])
    with pytest.raises(OutputError, match="nowhere"):
        demo.show_or_write(missing, "example", lambda: None, lambda ctx: None)
    assert not [*folder.iterdir()]
