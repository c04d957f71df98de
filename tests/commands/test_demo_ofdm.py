"""`glfft demo ofdm` as people use it: a picture where no window is asked for, and refusals in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from support.displays import QUICK_KERNELS, python
from support.files import left_behind
from support.kernels import kernels_that_compile_quickly
from support.sentences import one_line_of_error

from glfft.commands.cli import main

SMALL = ["demo", "ofdm", "--resolution", "320x200"]


def test_a_picture_is_written(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("imgui_bundle")
    from glfft.apps.ofdm import board

    # As many bits as tests/apps/ofdm/test_board_display.py counts: more say no more of the command.
    monkeypatch.setattr(board, "_BITS", 22 * 1344)
    monkeypatch.setattr(board, "_STEPS", 2)
    link = ("--channel", "flat", "--samples", "float16", "--ebn0", "12")
    with kernels_that_compile_quickly():
        assert main([*SMALL, "-o", "link.png", *link]) == 0
    assert capsys.readouterr().out.split() == ["link.png"]
    assert Image.open("link.png").size == (320, 200)
    assert left_behind(folder) == ["link.png"]


@pytest.mark.window
def test_a_window_closes_after_its_frames(folder: Path) -> None:
    pytest.importorskip("imgui_bundle")
    run = f"from glfft.commands.cli import main; raise SystemExit(main({[*SMALL, '--frames', '2']}))"
    done = python("-c", QUICK_KERNELS + run, display=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Escape: quit" in done.stdout
    assert left_behind(folder) == []


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--ebn0", "90"], 2, "from -10 to 60 dB"),
        (["--ebn0", "nan"], 2, "from -10 to 60 dB"),
        (["--samples", "fixed9"], 2, "choose from 'float32'"),
        (["-o", "a.jpg"], 2, "name a .png"),
        (["-o", "no/a.png"], 1, "there is no folder no"),
        (["--headless", "--frames", "3"], 2, "no window opens here"),
        (["--frames", "0"], 2, "1 or more"),
        (["--resolution", "big"], 2, "--resolution"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    folder: Path, arguments: list[str], code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "ofdm", *arguments]) == code
    assert words in one_line_of_error(capsys)
    assert left_behind(folder) == []
