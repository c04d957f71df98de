"""`glfft channelize`: files of channels, and refusals in one line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.sentences import one_line_of_error

from glfft.commands.cli import main


@pytest.fixture
def signal(tmp_path: Path) -> Path:
    path = tmp_path / "signal.cf32"
    path.write_bytes(np.exp(2j * np.pi * np.arange(512) / 4).astype(np.complex64).tobytes())
    return path


def test_a_tone_is_in_its_channel(signal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["channelize", str(signal), "--channels", "8", "--decimation", "4", "--taps", "4", "--rate", "800"]
    assert main(arguments) == 0
    assert "8 channels of 128 samples at 200 a second" in capsys.readouterr().out
    channels = np.load(signal.with_name("signal-channels.npy"))
    level = np.abs(channels[:, 64:]).mean(axis=1)
    assert level[2] == pytest.approx(1, abs=1e-3)
    assert np.delete(level, 2).max() < 0.51


def test_channels_may_be_staggered(signal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["channelize", str(signal), "--channels", "4", "--taps", "2", "--staggered"]) == 0
    assert "4 channels of 128 samples" in capsys.readouterr().out
    level = np.abs(np.load(signal.with_name("signal-channels.npy"))[:, 64:]).mean(axis=1)
    assert level.argmax() == 1


def test_the_transform_may_be_del_mundos(signal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["channelize", str(signal), "--taps", "2", "--algorithm", "four-by-four", "--channels"]
    assert main([*arguments, "16"]) == 0
    assert np.abs(np.load(signal.with_name("signal-channels.npy"))[:, 16:]).mean(axis=1).argmax() == 4
    assert main([*arguments, "8"]) == 1
    assert "lines of 16 points" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--channels", "1"], "2 or more"),
        (["--decimation", "65"], "number of channels, 64"),
        (["--staggered", "--decimation", "64"], "--decimation is not for --staggered"),
        (["--staggered", "--channels", "7"], "must be even"),
        (["--rate", "0"], "rate is 0"),
        (["--samples", "cf64"], "cf64"),
        (["--samples", "cu8"], "as its name says, not cu8"),
        (["--channels", "100000000"], "samples; choose at most as many --channels"),
        (["--taps", "100000"], "from 1 to 1000"),
    ],
)
def test_what_makes_no_sense_is_refused(
    signal: Path, more: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["channelize", str(signal), *more]) == 2
    assert words in one_line_of_error(capsys)
    assert not signal.with_name("signal-channels.npy").exists()


def test_a_new_folder_has_no_ending(signal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["channelize", str(signal), "--output", "channels.txt"]) == 1
    assert "name a .npy file, or a new folder" in one_line_of_error(capsys)


def test_a_truncated_recording_names_the_byte(signal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    signal.write_bytes(bytes(803))
    assert main(["channelize", str(signal)]) == 1
    assert "byte 803" in capsys.readouterr().err


def test_a_recording_is_not_written_over(signal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    raw = signal.with_name("raw.npy")
    raw.write_bytes(before := np.ones(1000, np.complex64).tobytes())
    assert main(["channelize", str(raw), "--samples", "cf32", "--output", str(raw)]) == 1
    assert "is the recording itself" in one_line_of_error(capsys)
    assert raw.read_bytes() == before
