"""`glfft demo channelizer` as people use it: a picture where no window is asked for, and refusals in one line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from support.files import left_behind
from support.sentences import one_line_of_error

from glfft.commands.cli import main

SMALL = ["demo", "channelizer", "--channels", "16", "--taps", "2", "--resolution", "320x200"]


@pytest.fixture
def recording(folder: Path) -> str:
    (folder / "tone.cf32").write_bytes(np.ones(20_000, np.complex64).tobytes())
    return "tone.cf32"


def test_a_picture_of_a_recording_is_written(folder: Path, recording: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("imgui_bundle")
    assert main([*SMALL, "--file", recording, "--rate", "1e6", "-o", "scan.png"]) == 0
    assert capsys.readouterr().out.split() == ["scan.png"]
    assert Image.open("scan.png").size == (320, 200)
    assert left_behind(folder) == ["scan.png", "tone.cf32"]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--channels", "1", "-o", "a.png"], 2, "2 or more"),
        (["--decimation", "300", "-o", "a.png"], 2, "number of channels, 256"),
        (["--rate", "1"], 2, "name it with --file"),
        (["--samples", "ci8"], 2, "name it with --file"),
        (["--file", "tone.cf32", "--rate", "nan"], 2, "rate is nan"),
        (["--file", "none.cf32", "-o", "a.png"], 1, "none.cf32 cannot be read"),
        (["-o", "a.jpg"], 2, "name a .png"),
        (["--headless", "--frames", "3"], 2, "no window opens here"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    folder: Path,
    recording: str,
    arguments: list[str],
    code: int,
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["demo", "channelizer", *arguments]) == code
    assert words in one_line_of_error(capsys)
    assert left_behind(folder) == [recording]
