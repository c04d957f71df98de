"""Channels in files: one array, or a folder of recordings; whole or not at all."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest
from support.channelizer import as_complex, as_format, channels_of
from support.tolerances import assert_close

from glfft.channelizer.channel_files import channelize_file, check_output
from glfft.channelizer.filters import FilterBank
from glfft.channelizer.recordings import FORMATS, META, Recording, open_recording
from glfft.errors import DataError, OutputError

BANK = FilterBank.design(8, 4, taps=2)
RATE, FREQUENCY = 8000.0, 1e6


@pytest.fixture
def recording(tmp_path: Path) -> Recording:
    noise = np.random.default_rng(3).uniform(-1, 1, (1003, 2)).view(np.complex128)[:, 0]
    path = tmp_path / "signal.ci16"
    path.write_bytes(as_format(noise, FORMATS["ci16"]).tobytes())
    return open_recording(path, rate=RATE, frequency=FREQUENCY)


@pytest.fixture
def exact(recording: Recording) -> np.ndarray:
    return channels_of(BANK, as_complex(recording.format, next(recording.samples())).astype(np.complex128))


def test_one_array_has_all_channels(
    ctx: moderngl.Context, recording: Recording, exact: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Several blocks to a row.
    monkeypatch.setattr("glfft.channelizer.filters._BLOCK_SAMPLES", 256)
    done: list[int] = []
    said = channelize_file(ctx, recording, BANK, recording.path.with_suffix(".npy"), progress=done.append)
    assert said.endswith("signal.npy: 8 channels of 251 samples at 2000 a second")
    assert_close(np.load(recording.path.with_suffix(".npy")), exact)
    assert done[-1] == recording.count
    assert len(done) > 3
    assert done == sorted(done)


def test_a_folder_has_a_recording_for_each_channel(
    ctx: moderngl.Context, recording: Recording, exact: np.ndarray, tmp_path: Path
) -> None:
    folder = tmp_path / "channels"
    channelize_file(ctx, recording, BANK, folder)
    found = []
    for channel in range(8):
        written = open_recording(folder / f"channel-{channel}{META}")
        found += written.samples()
        assert written.rate == RATE / 4
        assert written.frequency == FREQUENCY + (channel - 8 if channel > 4 else channel) * RATE / 8
    assert_close(np.array(found), exact)
    assert len([*folder.iterdir()]) == 16
    assert not [each for each in tmp_path.iterdir() if each.name.startswith(".glfft")]


@pytest.mark.parametrize("name", ["channels", "channels.npy"])
def test_nothing_stays_if_the_recording_ends_too_early(
    ctx: moderngl.Context, recording: Recording, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("glfft.channelizer.filters._BLOCK_SAMPLES", 256)
    monkeypatch.setattr("glfft.channelizer.recordings._AT_ONCE", 256)

    def cut(samples: int) -> None:
        recording.path.write_bytes(bytes(100))

    before = sorted(tmp_path.iterdir())
    with pytest.raises(DataError, match="now ends at byte"):
        channelize_file(ctx, recording, BANK, tmp_path / name, progress=cut)
    assert sorted(tmp_path.iterdir()) == before


def test_what_cannot_be_written_is_known_before_the_work(tmp_path: Path) -> None:
    source = tmp_path / "source.npy"
    source.write_bytes(bytes(64))
    full = tmp_path / "full"
    full.mkdir()
    (tmp_path / "probe").mkdir()  # any other folder beside it
    check_output(full, source)
    (full / "file").touch()
    with pytest.raises(OutputError, match="not empty"):
        check_output(full, source)
    with pytest.raises(OutputError, match=r"name a \.npy file, or a new folder"):
        check_output(full / "file", source)
    with pytest.raises(OutputError, match="no folder"):
        check_output(tmp_path / "none" / "channels.npy", source)
    with pytest.raises(OutputError, match="no folder"):
        check_output(tmp_path / "none" / "channels", source)
    (tmp_path / "link.npy").symlink_to(source)
    for path in (source, tmp_path / "link.npy"):
        with pytest.raises(OutputError, match="is the recording itself"):
            check_output(path, source)
    check_output(tmp_path / "other.npy", source)
