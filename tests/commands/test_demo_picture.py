"""What demos share: a picture if it is asked for or there is no display, else a window."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from glfft.commands import demo_picture


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
    demo_picture.add_arguments(parser, "example")
    windows: list[int] = []
    pixels = np.full((4, 6, 3), 99, np.uint8)
    parsed = parser.parse_args(words)
    assert demo_picture.run(parsed, "example", lambda: windows.append(1), lambda ctx: pixels) == 0
    assert bool(windows) == shown
    if written is not None:
        assert np.array_equal(np.asarray(Image.open(folder / written)), pixels)
    assert ("no display" in capsys.readouterr().err) == (not display)
