"""`glfft ocean` as people use it: files that appear whole, refusals in one line, a window where there is a display."""

from __future__ import annotations

import ast
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from glfft.commands import ocean as command
from glfft.commands.cli import main
from glfft.demos.ocean import export
from glfft.demos.ocean.export import Film, PictureFolder, open_writer
from glfft.errors import MissingExtraError, OutputError, UsageError
from glfft.ui.window import Window, has_display

SMALL = ["--size", "32", "--tile", "60", "--resolution", "64x36"]


def glfft_command(*arguments: str, display: bool = False) -> subprocess.CompletedProcess:
    """Run in a process of its own: a command opens and releases its own context."""
    return python("-m", "glfft", *arguments, display=display)


def python(*arguments: str, display: bool) -> subprocess.CompletedProcess:
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    line = [sys.executable, *arguments]
    if display:
        line = ["xvfb-run", "-a", *line]
    return subprocess.run(line, capture_output=True, text=True, timeout=120, env=environment, cwd=os.getcwd())


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def left_behind(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


# --- What is written ----------------------------------------------------------------------------------------


def test_a_picture_a_film_a_profile_and_fields(folder):
    picture = glfft_command("ocean", *SMALL, "--time", "2", "--out", "a.png", "--export-fields", "f.npz")
    assert picture.returncode == 0, picture.stderr
    assert picture.stdout.split() == ["f.npz", "a.png"]
    assert Image.open("a.png").size == (64, 36)
    fields = np.load("f.npz")
    assert fields["height"].shape == (32, 32)
    assert fields["time"] == 2.0

    again = glfft_command("ocean", *SMALL, "--time", "2", "--out", "b.png", "--headless", "--no-overlay")
    assert again.returncode == 0, again.stderr
    assert (folder / "a.png").read_bytes() == (folder / "b.png").read_bytes()

    film = glfft_command("ocean", *SMALL, "--frames", "3", "--fps", "10", "--out", "c.mp4", "--profile", "p.json")
    assert film.returncode == 0, film.stderr
    assert "3/3" in film.stderr, "a progress bar"
    av = pytest.importorskip("av")
    with av.open("c.mp4") as container:
        stream = container.streams.video[0]
        assert sum(1 for _ in container.decode(stream)) == 3
        assert (stream.width, stream.height) == (64, 36)
        assert stream.average_rate == 10
    assert "water" in json.dumps(json.loads((folder / "p.json").read_text()))
    assert left_behind(folder) == ["a.png", "b.png", "c.mp4", "f.npz", "p.json"]


def test_without_display_or_out_it_says_so_and_writes_film_and_picture(folder):
    done = glfft_command("ocean", *SMALL, "--frames", "2")
    assert done.returncode == 0, done.stderr
    assert "no display" in done.stderr
    assert done.stdout.split() == ["out/ocean.mp4", "out/ocean.png"]
    assert Image.open("out/ocean.png").size == (64, 36)
    assert (folder / "out/ocean.mp4").stat().st_size > 500


def test_fields_alone_draw_nothing(folder):
    done = glfft_command("ocean", "--size", "32", "--export-fields", "f.npz", "--seed", "4", "--fetch", "50")
    assert done.returncode == 0, done.stderr
    assert left_behind(folder) == ["f.npz"]
    assert np.load("f.npz")["seed"] == 4
    assert np.load("f.npz")["fetch"] == 50e3


def test_a_folder_takes_numbered_pictures(folder):
    picture = np.zeros((4, 6, 3), np.uint8)
    with open_writer(folder / "frames", 24.0) as writer:
        for level in (0, 100):
            writer.add(picture + np.uint8(level))
    assert left_behind(folder) == ["00000.png", "00001.png"]
    assert np.asarray(Image.open(folder / "frames/00001.png")).max() == 100


def test_numbered_pictures_of_two_runs_are_never_mixed(folder, capsys, monkeypatch):
    frames = folder / "frames"
    old, new = (np.full((4, 6, 3), level, np.uint8) for level in (10, 200))
    with open_writer(frames, 24.0) as writer:
        for _ in range(3):
            writer.add(old)
    ours = {"notes.txt": b"keep", "0001.png": b"keep", "a00001.png": b"keep", "00001.png.bak": b"keep"}
    for name, content in ours.items():
        (frames / name).write_bytes(content)
    names = [*left_behind(frames)]

    with monkeypatch.context() as patch:
        patch.setattr("glfft.gl.context.open_context", lambda *_: pytest.fail("work had begun"))
        assert main(["ocean", *SMALL, "--frames", "2", "--out", "frames"]) == 1
    assert capsys.readouterr().err == (
        "glfft ocean: Cannot write into frames: it has numbered pictures already, such as 00002.png; name another "
        "folder, or add --overwrite to replace them.\n"
    )
    # The earlier pictures stay until all new ones are there.
    with open_writer(frames, 24.0, overwrite=True) as writer:
        for _ in range(2):
            writer.add(new)
        assert set(left_behind(frames)) >= set(names)
        assert all((np.asarray(Image.open(frames / f"0000{index}.png")) == 10).all() for index in range(3))
    assert left_behind(frames) == sorted([*ours, "00000.png", "00001.png"])
    assert all((np.asarray(Image.open(frames / f"0000{index}.png")) == 200).all() for index in range(2))
    assert all((frames / name).read_bytes() == content for name, content in ours.items())


def fill(folder: Path, levels: Iterable[int], **options: Any) -> None:
    """Write a small picture of one level after the other."""
    with PictureFolder(folder, **options) as writer:
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
    with PictureFolder(frames) as first:
        first.add(np.zeros((4, 6, 3), np.uint8))
        with pytest.raises(OutputError, match="another run is writing"), second:
            pass
    with pytest.raises(OutputError, match="numbered pictures already"), second:
        pass
    assert left_behind(frames) == ["00000.png"]


_KILLED = """
import os, signal
import numpy as np
from glfft.demos.ocean.export import PictureFolder
with PictureFolder("frames", overwrite=True, threads=1) as writer:
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
    with PictureFolder(folder, threads=2) as writer:
        for level in range(20):
            writer.add(np.full((4, 6, 3), 10 * level, np.uint8))
            assert len(writer._pending) <= 3
    assert written == [f"{index:05d}.png" for index in range(20)]
    assert list(levels_in(folder).values()) == [10 * level for level in range(20)]


def test_large_pictures_wait_one_at_a_time(folder, monkeypatch):
    monkeypatch.setattr(export, "_MOST_PENDING_BYTES", 100)
    with PictureFolder(folder, threads=4) as writer:
        for _ in range(4):
            writer.add(np.zeros((4, 6, 3), np.uint8))
            assert len(writer._pending) <= 1
    assert len(left_behind(folder)) == 4


_INTERRUPTED = """
import signal, sys
from glfft.commands.cli import main
from glfft.demos.ocean import export
writer = getattr(export, sys.argv[1])
add, count = writer.add, 0
def add_and_interrupt(self, picture):
    global count
    add(self, picture)
    count += 1
    for _ in range(TIMES if count == 3 else 0):
        signal.raise_signal(signal.SIGINT)
writer.add = add_and_interrupt
sys.exit(main(["ocean", *sys.argv[2:]]))
"""


@pytest.mark.parametrize(("writer", "out"), [("Film", "a.mp4"), ("PictureFolder", "frames")])
def test_ctrl_c_completes_the_film_with_the_pictures_there_are(folder, writer, out):
    options = (writer, *SMALL, "--frames", "50", "--out", out, "--profile", "p.json")
    done = python("-c", _INTERRUPTED.replace("TIMES", "1"), *options, display=False)
    assert done.returncode == 130, done.stderr
    assert done.stdout.split() == [out, "p.json"]
    assert done.stderr.splitlines()[-1] == "glfft ocean: stopped after 3 of 50 pictures, which are complete."
    assert "Ctrl-C again" in done.stderr
    if writer == "Film":
        av = pytest.importorskip("av")
        with av.open(out) as container:
            assert sum(1 for _ in container.decode(video=0)) == 3
    else:
        assert left_behind(folder / out) == ["00000.png", "00001.png", "00002.png"]


def test_ctrl_c_twice_ends_at_once(folder):
    (folder / "a.mp4").write_bytes(b"the old one")
    options = ("Film", *SMALL, "--frames", "50", "--out", "a.mp4")
    done = python("-c", _INTERRUPTED.replace("TIMES", "2"), *options, display=False)
    assert done.returncode == 130, done.stderr
    assert "Traceback" not in done.stderr
    assert (folder / "a.mp4").read_bytes() == b"the old one"
    assert left_behind(folder) == ["a.mp4"]


def test_a_film_that_breaks_off_leaves_what_stood_there(folder):
    pytest.importorskip("av")
    (folder / "a.mp4").write_bytes(b"the old one")

    def film_half() -> None:
        with Film(folder / "a.mp4", 24.0) as film:
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
    with Film(folder / "a.mp4", 24.0) as film:
        for _ in range(3):
            film.add(picture)
    with av.open(str(folder / "a.mp4")) as container:
        decoded = next(container.decode(video=0)).to_ndarray(format="rgb24").astype(int)
    assert abs(decoded[8:24] - (40, 90, 160)).max() < 12
    assert abs(decoded[40:56] - (200, 180, 120)).max() < 12


def test_without_av_films_name_the_extra_and_the_default_run_writes_pictures(folder, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(MissingExtraError, match=r"\.\[video\]"):
        open_writer(folder / "a.mp4", 24.0)
    arguments = command.argparse.Namespace(out=None, fps=None, overwrite=False)
    writers = command._writers(arguments)
    with writers[0] as pictures:
        pictures.add(np.zeros((4, 4, 3), np.uint8))
    assert [writer.path.as_posix() for writer in writers] == ["out/ocean", "out/ocean.png"]
    assert left_behind(folder) == ["00000.png"]
    assert "'.[video]'" in capsys.readouterr().err
    assert not export.PictureFile.takes_many


def test_a_run_without_a_name_for_its_files_replaces_none(folder):
    arguments = command.argparse.Namespace(out=None, fps=None, overwrite=False)
    (folder / "out").mkdir()
    for there, free in (("ocean.png", "out/ocean-2"), ("ocean-2.mp4", "out/ocean-3"), ("ocean-4.png", "out/ocean-3")):
        (folder / "out" / there).touch()
        assert [writer.path.as_posix() for writer in command._writers(arguments)] == [f"{free}.mp4", f"{free}.png"]


# --- What is refused ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "speaks_of"),
    [
        (["--size", "100"], "power of two"),
        (["--size", "0"], "power of two"),
        (["--size", "many"], "many"),
        (["--tile", "-5"], "tile"),
        (["--wind", "nan"], "wind"),
        (["--fetch", "0"], "--fetch: '0' must be a number from 0.001 to 100000 km"),
        (["--wind-direction", "nan"], "degrees"),
        (["--seed", "-1"], "seed"),
        (["--seed", "9223372036854775808"], "seed"),
        (["--wind", "fast"], "must be a number"),
        (["--out", ""], "empty"),
        (["--resolution", "640"], "640"),
        (["--resolution", "0x10"], "pixels"),
        (["--resolution", "99999x10"], "pixels"),
        (["--time", "inf"], "seconds"),
        (["--frames", "0"], "frames"),
        (["--fps", "0"], "per second"),
        (["--out", "a.gif"], ".mp4"),
        (["--out", "a.png", "--frames", "3"], "one picture"),
        (["--profile", "a.txt"], ".json"),
        (["--export-fields", "a.csv"], ".npz"),
        (["--algorithm", "stockham-radix5"], "stockham-radix4"),
        (["--waves", "3"], "--waves"),
        (["--out", "a.png", "--fps", "30"], "--fps has no effect"),
        (["--out", "frames", "--frames", "1", "--fps", "30"], "--fps has no effect"),
        (["--overwrite"], "--overwrite has no effect"),
    ],
)
def test_what_makes_no_sense_is_one_line_and_exit_code_2(folder, capsys, options, speaks_of):
    assert main(["ocean", "--headless", "--resolution", "64x36", *options]) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert speaks_of in said.err
    assert left_behind(folder) == []


@pytest.mark.parametrize(
    "option", [["--profile", "p.json"], ["--frames", "2"], ["--fps", "9"], ["--resolution", "64x36"], ["--no-overlay"]]
)
def test_what_needs_pictures_is_refused_where_none_are_drawn(folder, capsys, option):
    assert main(["ocean", "--size", "32", "--export-fields", "f.npz", *option]) == 2
    assert f"{option[0]} has no effect here: --export-fields alone draws nothing" in capsys.readouterr().err
    assert left_behind(folder) == []


@pytest.mark.parametrize(("option", "why"), [(["--overwrite"], "numbered pictures"), (["--fps", "30"], "clock")])
def test_what_a_window_cannot_use_is_refused(folder, capsys, monkeypatch, option, why):
    monkeypatch.setattr("glfft.ui.window.has_display", lambda: True)
    assert main(["ocean", *option]) == 2
    assert why in capsys.readouterr().err


def test_a_profile_of_many_frames_takes_the_memory_of_a_hundred_thousand(folder, monkeypatch):
    histories = []

    class Recorded:
        def __init__(self, _ctx: object, history: int) -> None:
            histories.append(history)

        def save(self, path: str) -> None: ...

        def release(self) -> None: ...

    monkeypatch.setattr("glfft.gl.context.open_context", lambda: Recorded(None, 0))
    monkeypatch.setattr("glfft.profiling.profiler.Profiler", Recorded)
    monkeypatch.setattr("glfft.demos.ocean.render.render", lambda _ctx, shot, *_: shot.frames)
    for frames in ("100000000", "30"):
        assert main(["ocean", "--frames", frames, "--out", "frames", "--profile", "p.json"]) == 0
    assert histories == [0, 100_000, 0, 30]


def test_a_slip_in_the_algorithm_is_answered_before_anything_is_said_or_made(folder):
    done = glfft_command("ocean", "--algorithm", "stokham")
    assert done.returncode == 2
    assert done.stderr == "glfft ocean: There is no algorithm 'stokham'; did you mean 'stockham'?\n"
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    "options",
    [
        ["--out", "nowhere/a.png"],
        ["--out", "nowhere/a.mp4"],
        ["--out", "nowhere/frames/deep"],
        ["--profile", "nowhere/p.json"],
        ["--export-fields", "nowhere/f.npz"],
        ["--out", "folder.png"],
    ],
)
def test_what_cannot_be_written_is_one_line_and_exit_code_1_before_any_work(folder, capsys, monkeypatch, options):
    (folder / "folder.png").mkdir()
    monkeypatch.setattr("glfft.gl.context.open_context", lambda *_: pytest.fail("work had begun"))
    assert main(["ocean", "--headless", *SMALL, *options]) == 1
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert "nowhere" in said.err or "folder" in said.err
    assert left_behind(folder) == []


def test_a_name_without_meaning_is_no_picture_format(folder):
    with pytest.raises(UsageError, match=r"\.png"):
        open_writer("a.jpeg", 24.0)
    with pytest.raises(OutputError):
        open_writer(folder / "no" / "a.png", 24.0)


# --- The window ---------------------------------------------------------------------------------------------

needs_xvfb = pytest.mark.skipif(shutil.which("xvfb-run") is None, reason="needs xvfb-run")


def test_without_a_display_there_is_none(monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not has_display()
    with pytest.raises(Exception, match="--headless"), Window("none", (64, 64)):
        pass


@pytest.mark.window
@needs_xvfb
def test_a_window_opens_draws_and_closes(folder):
    done = glfft_command(
        "ocean", *SMALL[:4], "--resolution", "320x200", "--frames", "4", "--profile", "p.json", display=True
    )
    assert done.returncode == 0, done.stderr
    *keys, last = done.stdout.splitlines()
    assert last == "p.json"
    assert "Esc quit" in keys[-1]
    assert "waves" in (folder / "p.json").read_text()


_PRESS_KEYS = """
import glfw
from glfft.demos.ocean import window
from glfft.demos.ocean.settings import OceanSettings
from glfft.demos.ocean.shot import Shot

seen = []
class Show(window._Show):
    def _draw(self, tuning_seconds):
        super()._draw(tuning_seconds)
        step = len(seen)
        seen.append((self._simulation.settings.wind, self._simulation.algorithm, self._controls.paused))
        key = {0: glfw.KEY_P, 1: glfw.KEY_RIGHT_BRACKET, 2: glfw.KEY_TAB, 3: glfw.KEY_SPACE, 4: glfw.KEY_O,
               5: glfw.KEY_H, 6: glfw.KEY_R, 8: glfw.KEY_ESCAPE}.get(step)
        if key is not None:
            self._on_key(key, 0)
window._Show = Show
window.show(Shot(OceanSettings(size=32, tile=60.0)), (320, 200), overlay=True)
print(seen)
"""


@pytest.mark.window
@needs_xvfb
def test_keys_take_a_picture_change_the_sea_and_quit(folder):
    done = python("-c", _PRESS_KEYS, display=True)
    assert done.returncode == 0, done.stderr
    assert Image.open("out/ocean-001.png").size == (320, 200)
    seen = ast.literal_eval(done.stdout.splitlines()[-1])
    assert seen[1][0] == 10.0
    assert seen[2][0] == 11.0
    assert seen[3][1] != "auto"
    assert seen[4][2]
    assert seen[7] == (10.0, "auto", False)
    assert len(seen) == 9


@pytest.mark.window
@needs_xvfb
@pytest.mark.parametrize("resolution", ["1280x10", "16x600"])
def test_a_very_wide_or_high_window_draws(folder, resolution):
    sea = ("--size", "32", "--tile", "300")
    done = glfft_command(
        "ocean", *sea, "--resolution", resolution, "--frames", "3", "--profile", "p.json", display=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "waves" in (folder / "p.json").read_text()


_TOO_LARGE = """
import sys
from glfft.commands.cli import main
from glfft.demos.ocean import waves
from glfft.gl.context import ContextState
class LittleRoom:
    def __init__(self, known): self.known = known
    def __getattr__(self, name): return 64 if name == "texture_size" else getattr(self.known, name)
ContextState.limits = property(lambda state: LittleRoom(state.device.limits))
def computed(settings): raise AssertionError("the sea was computed before its size was checked")
waves.energy_density = computed
sys.exit(main(["ocean", "--size", "128"]))
"""


@pytest.mark.window
@needs_xvfb
def test_a_sea_too_large_for_a_window_is_refused_before_it_is_computed(folder):
    done = python("-c", _TOO_LARGE, display=True)
    assert (done.returncode, done.stderr) == (
        1,
        "glfft ocean: The ocean's size is 128 and this device's textures end at 64.\n",
    )


_TUNE = """
from glfft.demos.ocean import window
from glfft.tuning import tuner
from glfft.tuning.precompile import NoPrecompiler
from glfft.demos.ocean.settings import OceanSettings
from glfft.demos.ocean.shot import Shot

class Show(window._Show):
    def _draw(self, tuning_seconds):
        super()._draw(tuning_seconds)
        if self._tuning.message.startswith("tuned"):
            self._window.close()
window._Show = Show
window._TUNING_SHARE = 10.0
tuner.RemotePrecompiler = lambda ctx, job: NoPrecompiler()  # a process takes longer to start than this to compile
draw_panel, lines = window.draw_panel, []
def draw(imgui, controls, readings, *given):
    lines.append(readings.tuning)
    draw_panel(imgui, controls, readings, *given)
window.draw_panel = draw
window.show(Shot(OceanSettings(size=16, tile=600.0)), (320, 200))
print(*dict.fromkeys(lines), sep="|")
"""


@pytest.mark.window
@needs_xvfb
def test_the_window_tunes_by_itself_and_says_what_it_found(folder):
    done = python("-c", _TUNE, display=True)
    assert done.returncode == 0, done.stderr
    first, *_, last = done.stdout.splitlines()[-1].split("|")
    assert first.startswith("tuning: ")
    assert re.fullmatch(r"tuned: (nothing faster was found|transforms \d+\.\d\d times as fast)", last)


@pytest.mark.window
@needs_xvfb
def test_without_imgui_the_window_runs_on_keys_and_says_so_once(folder):
    script = (
        "import sys; sys.modules['imgui_bundle'] = None\n"
        "from glfft.commands.cli import main\n"
        "sys.exit(main(['ocean', '--size', '32', '--resolution', '160x100', '--frames', '2']))"
    )
    done = python("-c", script, display=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("'.[ui]'") == 1
