"""Films and numbered pictures: they appear whole or not at all."""

from __future__ import annotations

import itertools
import signal
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from support.displays import python
from support.files import left_behind

from glfft.apps.ocean import export
from glfft.apps.ocean.export import Film, PictureFolder, open_writer
from glfft.commands.cli import main
from glfft.errors import OutputError, UsageError

SMALL = ["--size", "32", "--tile", "60", "--resolution", "64x36"]


def test_a_folder_takes_numbered_pictures(folder):
    picture = np.zeros((4, 6, 3), np.uint8)
    with open_writer(folder / "frames", 24.0).writing() as writer:
        for level in (0, 100):
            writer.add(picture + np.uint8(level))
    assert left_behind(folder) == ["00000.png", "00001.png"]
    assert np.asarray(Image.open(folder / "frames/00001.png")).max() == 100


def test_numbered_pictures_of_two_runs_are_never_mixed(folder, capsys, monkeypatch):
    frames = folder / "frames"
    old, new = (np.full((4, 6, 3), level, np.uint8) for level in (10, 200))
    with open_writer(frames, 24.0).writing() as writer:
        for _ in range(3):
            writer.add(old)
    ours = {"notes.txt": b"keep", "0001.png": b"keep", "a00001.png": b"keep", "00001.png.bak": b"keep"}
    for name, content in ours.items():
        (frames / name).write_bytes(content)
    names = [*left_behind(frames)]

    with monkeypatch.context() as patch:
        patch.setattr("glfft.gl.context.open_context", lambda *_: pytest.fail("work had begun"))
        assert main(["ocean", *SMALL, "--frames", "2", "--output", "frames"]) == 1
    assert capsys.readouterr().err == (
        "glfft ocean: Cannot write into frames: it has numbered pictures already, such as 00002.png; name another "
        "folder, or add --overwrite to replace them.\n"
    )
    # The earlier pictures stay until all new ones are there.
    with open_writer(frames, 24.0, overwrite=True).writing() as writer:
        for _ in range(2):
            writer.add(new)
        assert set(left_behind(frames)) >= set(names)
        assert all((np.asarray(Image.open(frames / f"0000{index}.png")) == 10).all() for index in range(3))
    assert left_behind(frames) == sorted([*ours, "00000.png", "00001.png"])
    assert all((np.asarray(Image.open(frames / f"0000{index}.png")) == 200).all() for index in range(2))
    assert all((frames / name).read_bytes() == content for name, content in ours.items())


def fill(folder: Path, levels: Iterable[int], **options: Any) -> None:
    """Write a small picture of one level after the other."""
    with PictureFolder(folder, **options).writing() as writer:
        for level in levels:
            writer.add(np.full((4, 6, 3), level, np.uint8))


def levels_in(folder: Path) -> dict[str, int]:
    return {path.name: int(np.asarray(Image.open(path)).max()) for path in sorted(folder.glob("*.png"))}


@pytest.mark.parametrize("failing", ["encode_png", "write_whole"])
def test_a_run_that_fails_leaves_the_earlier_pictures_whole(folder, monkeypatch, failing):
    frames = folder / "frames"
    fill(frames, (10, 20, 30))
    works = getattr(export, failing)
    calls = itertools.count()

    def fail_at_last(*given: Any) -> Any:
        if next(calls) == 3:
            raise OutputError("The disk is full.")
        return works(*given)

    monkeypatch.setattr(export, failing, fail_at_last)
    with pytest.raises(OutputError, match="disk is full"):
        fill(frames, (100, 110, 120, 130, 140), overwrite=True)
    assert levels_in(frames) == {"00000.png": 10, "00001.png": 20, "00002.png": 30}
    assert left_behind(frames) == ["00000.png", "00001.png", "00002.png"]


def test_a_run_without_pictures_deletes_none(folder):
    fill(folder, (10, 20))
    fill(folder, (), overwrite=True)
    assert levels_in(folder) == {"00000.png": 10, "00001.png": 20}


def test_two_runs_at_once_are_kept_out_of_one_folder(folder):
    frames = folder / "frames"
    second = PictureFolder(frames)  # checked when the folder was still empty
    with PictureFolder(frames).writing() as first:
        first.add(np.zeros((4, 6, 3), np.uint8))
        with pytest.raises(OutputError, match="another run is writing"), second.writing():
            pass
    with pytest.raises(OutputError, match="numbered pictures already"), second.writing():
        pass
    assert left_behind(frames) == ["00000.png"]


_KILLED = """
import os, signal
import numpy as np
from glfft.apps.ocean.export import PictureFolder
with PictureFolder("frames", overwrite=True, threads=1).writing() as writer:
    for _ in range(4):
        writer.add(np.full((4, 6, 3), 200, np.uint8))
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_run_that_was_killed_leaves_the_earlier_pictures_and_the_next_one_cleans_up(folder):
    frames = folder / "frames"
    fill(frames, (10, 20, 30))
    assert python("-c", _KILLED, display=False).returncode == -signal.SIGKILL
    assert levels_in(frames) == {"00000.png": 10, "00001.png": 20, "00002.png": 30}
    fill(frames, (100,), overwrite=True)
    assert [path.name for path in frames.iterdir()] == ["00000.png"]
    assert levels_in(frames) == {"00000.png": 100}


def test_pictures_are_encoded_by_several_threads_written_in_order_and_few_wait(folder, monkeypatch):
    encode, written = export.encode_png, []
    both = threading.Barrier(2, timeout=60)  # passed only by two pictures at once

    def encode_two_at_once(picture: np.ndarray, *given: int) -> bytes:
        both.wait()
        return encode(picture, *given)

    monkeypatch.setattr(export, "encode_png", encode_two_at_once)
    write = export.write_whole
    monkeypatch.setattr(export, "write_whole", lambda path, content: (written.append(path.name), write(path, content)))
    with PictureFolder(folder, threads=2).writing() as writer:
        for level in range(20):
            writer.add(np.full((4, 6, 3), 10 * level, np.uint8))
            assert len(writer._pending) <= 3
    assert written == [f"{index:05d}.png" for index in range(20)]
    assert list(levels_in(folder).values()) == [10 * level for level in range(20)]


def test_large_pictures_wait_one_at_a_time(folder, monkeypatch):
    monkeypatch.setattr(export, "_MOST_PENDING_BYTES", 100)
    with PictureFolder(folder, threads=4).writing() as writer:
        for _ in range(4):
            writer.add(np.zeros((4, 6, 3), np.uint8))
            assert len(writer._pending) <= 1
    assert len(left_behind(folder)) == 4


def test_a_film_that_breaks_off_leaves_what_stood_there(folder):
    pytest.importorskip("av")
    (folder / "a.mp4").write_bytes(b"the old one")

    def film_half() -> None:
        with Film(folder / "a.mp4", 24.0).writing() as film:
            film.add(np.zeros((36, 64, 3), np.uint8))
            raise RuntimeError("halfway")

    with pytest.raises(RuntimeError, match="halfway"):
        film_half()
    assert (folder / "a.mp4").read_bytes() == b"the old one"
    assert left_behind(folder) == ["a.mp4"]


def test_a_film_keeps_the_picture(folder):
    """Colours come back within what 4:2:0 at this quality loses; rows are not upside down."""
    av = pytest.importorskip("av")
    picture = np.zeros((64, 64, 3), np.uint8)
    picture[:32] = (40, 90, 160)
    picture[32:] = (200, 180, 120)
    with Film(folder / "a.mp4", 24.0).writing() as film:
        for _ in range(3):
            film.add(picture)
    with av.open(str(folder / "a.mp4")) as container:
        decoded = next(container.decode(video=0)).to_ndarray(format="rgb24").astype(int)
    assert abs(decoded[8:24] - (40, 90, 160)).max() < 12
    assert abs(decoded[40:56] - (200, 180, 120)).max() < 12


def test_a_name_without_meaning_is_no_picture_format(folder):
    with pytest.raises(UsageError, match=r"\.png"):
        open_writer("a.jpeg", 24.0)
    with pytest.raises(OutputError):
        open_writer(folder / "no" / "a.png", 24.0)
