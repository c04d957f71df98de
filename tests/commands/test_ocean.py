"""`glfft ocean` as people use it: files that appear whole, refusals in one line. Windows: apps/ocean/test_window."""

from __future__ import annotations

import json
import re
import signal
import sys
from typing import Self

import numpy as np
import pytest
from PIL import Image
from support.displays import GLARE_OF_FEW_ROWS, QUICK_KERNELS, glfft_command, python
from support.files import left_behind
from support.outputs import own_output
from support.sentences import one_line_of_error

from glfft.apps.ocean import export
from glfft.apps.ocean.export import open_writer
from glfft.commands import ocean as command
from glfft.commands.cli import main
from glfft.errors import MissingExtraError
from glfft.profiling.timeline import Recorder, Statistics

_QUICK = QUICK_KERNELS + GLARE_OF_FEW_ROWS
SMALL = ["--size", "32", "--tile", "60", "--resolution", "64x36"]


# --- What is written ----------------------------------------------------------------------------------------


@pytest.fixture
def no_display(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("no_display")
@pytest.mark.filterwarnings("ignore:The tile is")
def test_a_picture_and_fields(folder, capfd):
    assert main(["ocean", *SMALL, "--time", "2", "--output", "a.png", "--export-fields", "f.npz"]) == 0
    said = capfd.readouterr()
    assert said.out.split() == ["f.npz", "a.png"]
    assert said.err == ""
    assert Image.open("a.png").size == (64, 36)
    fields = np.load("f.npz")
    assert fields["height"].shape == (32, 32)
    assert fields["time"] == 2.0

    assert main(["ocean", *SMALL, "--time", "2", "--output", "b.png", "--headless", "--no-overlay"]) == 0
    assert (folder / "a.png").read_bytes() == (folder / "b.png").read_bytes()
    assert left_behind(folder) == ["a.png", "b.png", "f.npz"]


@pytest.mark.usefixtures("no_display")
@pytest.mark.filterwarnings("ignore:The tile is")
def test_a_film_and_its_profile(folder, capfd):
    av = pytest.importorskip("av")
    assert main(["ocean", *SMALL, "--frames", "3", "--fps", "10", "--output", "c.mp4", "--profile", "p.json"]) == 0
    film = capfd.readouterr()
    assert "3/3" in film.err, "a progress bar"
    assert "quality minimal" not in film.err, "nobody waits for a picture of a film"
    with av.open("c.mp4") as container:
        stream = container.streams.video[0]
        assert sum(1 for _ in container.decode(stream)) == 3
        assert (stream.width, stream.height) == (64, 36)
        assert stream.average_rate == 10
    written = [each["section"] for each in json.loads((folder / "p.json").read_text())["sections"]]
    assert [each for each in written if "/" not in each] == ["simulation", "mesh", "sky", "shading", "post"]
    said = [line.split()[:2] for line in film.out.splitlines()]
    outermost = [line.split()[0] for line in film.out.splitlines()[2:-2] if not line.startswith("    ")]
    assert outermost == ["frame", "simulation", "mesh", "sky", "shading", "post", "overlay"]
    assert said[-3] == ["overlay", "not"]
    assert left_behind(folder) == ["c.mp4", "p.json"]


@pytest.mark.usefixtures("no_display")
@pytest.mark.filterwarnings("ignore:The tile is")
def test_glare_by_diffraction_is_another_picture(folder, monkeypatch):
    monkeypatch.setattr(command, "_APERTURE", 128)
    options = ["ocean", *SMALL[:4], "--resolution", "128x72", "--sun", "6", "--quality", "low", "--headless"]
    found = []
    for glare in ("film", "diffraction"):
        assert main([*options, "--glare", glare, "-o", f"{glare}.png"]) == 0
        with Image.open(f"{glare}.png") as picture:
            assert picture.size == (128, 72)
            found.append(np.asarray(picture).astype(int))
    assert abs(found[0] - found[1]).max() > 3
    # The light is the same but for the glare.
    assert abs(found[0] - found[1]).mean() < 12


def test_a_profile_named_trace_is_a_timeline(folder):
    assert main(["ocean", *SMALL, "--frames", "1", "--output", "a.png", "--profile", "p.trace.json"]) == 0
    events = json.loads((folder / "p.trace.json").read_text())["traceEvents"]
    sections = {event["args"]["section"] for event in events if event["ph"] == "X"}
    assert sections >= {"frame", "simulation", "simulation/waves", "mesh", "sky", "shading", "post"}
    assert left_behind(folder) == ["a.png", "p.trace.json"]


@pytest.mark.usefixtures("no_display")
@pytest.mark.filterwarnings("ignore:The tile is")
def test_a_timeline_and_a_profile_are_written_together(folder, capfd):
    options = ("--frames", "2", "--output", "frames", "--profile", "p.json", "--trace", "t.trace.json")
    assert main(["ocean", *SMALL, *options]) == 0
    assert capfd.readouterr().out.split()[-2:] == ["p.json", "t.trace.json"]
    events = [event for event in json.loads((folder / "t.trace.json").read_text())["traceEvents"] if event["ph"] == "X"]
    assert {event["args"]["frame"] for event in events} == {1, 2}
    # Nothing runs before it was submitted.
    assert all(event["args"].get("since_submitted_us", 0) >= 0 for event in events)


def test_without_display_or_out_it_says_so_and_writes_film_and_picture(folder):
    pytest.importorskip("av")
    run = f"from glfft.commands.cli import main; raise SystemExit(main({['ocean', *SMALL, '--frames', '2']}))"
    done = python("-c", _QUICK + run, display=False)
    assert done.returncode == 0, done.stderr
    assert "no display" in done.stderr
    assert done.stdout.split() == ["out/ocean.mp4", "out/ocean.png"]
    assert Image.open("out/ocean.png").size == (64, 36)
    assert (folder / "out/ocean.mp4").stat().st_size > 500


@pytest.mark.filterwarnings("ignore:The tile is")
def test_fields_alone_draw_nothing(folder):
    assert main(["ocean", "--size", "32", "--export-fields", "f.npz", "--seed", "4", "--fetch", "50"]) == 0
    assert left_behind(folder) == ["f.npz"]
    assert np.load("f.npz")["seed"] == 4
    assert np.load("f.npz")["fetch"] == 50e3


_INTERRUPTED = """
import signal, sys
from glfft.commands.cli import main
from glfft.apps.ocean import export
add, count = export.Film.add, 0
def add_and_interrupt(self, picture):
    global count
    add(self, picture)
    count += 1
    if count == 3:
        signal.raise_signal(signal.SIGINT)
export.Film.add = add_and_interrupt
sys.exit(main(["ocean", *sys.argv[1:]]))
"""


def test_ctrl_c_completes_the_film_with_the_pictures_there_are(folder):
    av = pytest.importorskip("av")
    options = (*SMALL, "--frames", "50", "--output", "a.mp4", "--profile", "p.json")
    done = python("-c", _QUICK + _INTERRUPTED, *options, display=False)
    assert done.returncode == 130, done.stderr
    check_what_was_said(done.stdout, done.stderr, "a.mp4")
    with av.open("a.mp4") as container:
        assert sum(1 for _ in container.decode(video=0)) == 3


def check_what_was_said(out, err, name):
    first, *table, last = out.splitlines()
    assert (first, last) == (name, "p.json")
    assert " frames, " in table[-1]
    assert err.splitlines()[-1] == "glfft ocean: stopped after 3 of 50 pictures, which are complete."
    assert "Ctrl-C again" in err


def interrupt_the_third(monkeypatch, writer, times):
    """Press Ctrl-C so many times when a writer has taken its third picture."""
    add, taken = writer.add, []

    def add_and_interrupt(self, picture):
        add(self, picture)
        taken.append(picture)
        for _ in range(times if len(taken) == 3 else 0):
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(writer, "add", add_and_interrupt)


@pytest.mark.filterwarnings("ignore:The tile is")
def test_ctrl_c_completes_the_folder_with_the_pictures_there_are(folder, monkeypatch, capfd):
    interrupt_the_third(monkeypatch, export.PictureFolder, 1)
    assert main(["ocean", *SMALL, "--frames", "50", "--output", "frames", "--profile", "p.json"]) == 130
    said = capfd.readouterr()
    check_what_was_said(said.out, said.err, "frames")
    assert left_behind(folder / "frames") == ["00000.png", "00001.png", "00002.png"]


@pytest.mark.filterwarnings("ignore:The tile is")
@pytest.mark.parametrize(("wanted", "code"), [(50, 130), (3, 0)])
def test_ctrl_c_replaces_no_whole_folder_by_a_part(folder, monkeypatch, capfd, wanted, code):
    (folder / "frames").mkdir()
    for number in range(5):
        (folder / f"frames/0000{number}.png").write_bytes(b"the old one")
    interrupt_the_third(monkeypatch, export.PictureFolder, 1)
    assert main(["ocean", *SMALL, "--frames", str(wanted), "--output", "frames", "--overwrite"]) == code
    stay = {path.name for path in (folder / "frames").iterdir() if path.read_bytes() == b"the old one"}
    assert len(stay) == (5 if code else 0)
    assert len(left_behind(folder / "frames")) == (5 if code else wanted)
    said = "glfft ocean: stopped after 3 of 50 pictures, and the earlier ones in frames stay.\n"
    assert capfd.readouterr().err.endswith(said) == bool(code)


@pytest.mark.filterwarnings("ignore:The tile is")
def test_ctrl_c_twice_ends_at_once(folder, monkeypatch, capsys):
    pytest.importorskip("av")
    (folder / "a.mp4").write_bytes(b"the old one")
    interrupt_the_third(monkeypatch, export.Film, 2)
    with own_output():
        assert main(["ocean", *SMALL, "--frames", "50", "--output", "a.mp4"]) == 130
    assert "Traceback" not in capsys.readouterr().err
    assert (folder / "a.mp4").read_bytes() == b"the old one"
    assert left_behind(folder) == ["a.mp4"]


def test_without_av_films_name_the_extra_and_the_default_run_writes_pictures(folder, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(MissingExtraError, match=r"\.\[video\]"):
        open_writer(folder / "a.mp4", 24.0)
    arguments = command.argparse.Namespace(output=None, fps=None, overwrite=False)
    writers = command._writers(arguments)
    with writers[0].writing() as pictures:
        pictures.add(np.zeros((4, 4, 3), np.uint8))
    assert [writer.path.as_posix() for writer in writers] == ["out/ocean", "out/ocean.png"]
    assert left_behind(folder) == ["00000.png"]
    assert "'.[video]'" in capsys.readouterr().err
    assert not export.PictureFile.takes_many


def test_a_run_without_a_name_for_its_files_replaces_none(folder):
    pytest.importorskip("av")
    arguments = command.argparse.Namespace(output=None, fps=None, overwrite=False)
    (folder / "out").mkdir()
    for there, free in (("ocean.png", "out/ocean-2"), ("ocean-2.mp4", "out/ocean-3"), ("ocean-4.png", "out/ocean-3")):
        (folder / "out" / there).touch()
        assert [writer.path.as_posix() for writer in command._writers(arguments)] == [f"{free}.mp4", f"{free}.png"]


# --- What is refused ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "speaks_of"),
    [
        (["--size", "101"], "even number"),
        (["--size", "0"], "even number"),
        (["--loop", "0"], "at least 0.1 s"),
        (["--loop", "1.7", "--fps", "24", "--output", "frames"], "no whole number of pictures"),
        (["--cascades", "7"], "from 1 to 6"),
        (["--tile", "250,50"], "repeat together, 5 to 1"),
        (["--tile", "250,47", "--cascades", "3"], "asks for 3"),
        (["--swell", "2"], "height, period, direction"),
        (["--camera", "2,0"], "height, heading, pitch"),
        (["--camera-path", "nowhere.toml"], "Cannot read the camera path"),
        (["--camera-path", "a.toml", "--camera", "9,0,0"], "give one of them"),
        (["--supersample", "3"], "invalid choice"),
        (["--buoys", "-1"], "whole number from 0 to 300"),
        (["--buoys", "301"], "whole number from 0 to 300"),
        (["--camera", "nan,0,0"], "camera's height is nan"),
        (["--sun", "-30"], "must be from -6 to 90 degrees"),
        (["--clouds", "1.5"], "must be a number from 0 to 1"),
        (["--time-of-day", "2"], "5.5 to 18.5 hours, when it is day"),
        (["--time-of-day", "12", "--sun", "5"], "give one of them"),
        (["--swell", "2,-1,0"], "period of a swell"),
        (["--spectrum", "flat"], "invalid choice"),
        (["--size", "many"], "many"),
        (["--tile", "-5"], "tile"),
        (["--wind", "nan"], "wind"),
        (["--fetch", "0"], "--fetch: '0' must be a number from 0.001 to 100000 km"),
        (["--wind-direction", "nan"], "degrees"),
        (["--seed", "-1"], "seed"),
        (["--seed", "9223372036854775808"], "seed"),
        (["--wind", "fast"], "must be a number"),
        (["--output", ""], "empty"),
        (["--resolution", "640"], "640"),
        (["--resolution", "0x10"], "pixels"),
        (["--resolution", "99999x10"], "pixels"),
        (["--time", "inf"], "seconds"),
        (["--frames", "0"], "frames"),
        (["--fps", "0"], "per second"),
        (["--output", "a.gif"], ".mp4"),
        (["--output", "a.png", "--frames", "3"], "one picture"),
        (["--profile", "a.txt"], ".json"),
        (["--trace", "a.json"], ".trace.json"),
        (["--export-fields", "a.csv"], ".npz"),
        (["--algorithm", "stockham-radix5"], "stockham-radix4"),
        (["--waves", "3"], "--waves"),
        (["--output", "a.png", "--fps", "30"], "--fps has no effect"),
        (["--output", "frames", "--frames", "1", "--fps", "30"], "--fps has no effect"),
        (["--overwrite"], "--overwrite has no effect"),
        (["--output", "a.png", "--preset", ""], "must be one of"),
        (["--output", "a.png", "--overwrite"], "--overwrite has no effect"),
        (["--output", "a.mp4", "--overwrite"], "--overwrite has no effect"),
    ],
)
def test_what_makes_no_sense_is_one_line_and_exit_code_2(folder, capsys, options, speaks_of):
    assert main(["ocean", "--headless", "--resolution", "64x36", *options]) == 2
    assert speaks_of in one_line_of_error(capsys)
    assert left_behind(folder) == []


def test_a_buoy_that_is_not_there_is_one_line(folder, capsys):
    assert main(["ocean", "--headless", "--buoy", "nowhere.csv"]) == 1
    assert capsys.readouterr().err == "glfft ocean: nowhere.csv cannot be read: No such file or directory.\n"
    assert left_behind(folder) == []


@pytest.mark.parametrize(
    "option",
    [
        ["--profile", "p.json"],
        ["--trace", "p.trace.json"],
        ["--frames", "2"],
        ["--fps", "9"],
        ["--resolution", "64x36"],
        ["--no-overlay"],
        ["--sun", "9"],
    ],
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

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None: ...

        def save(self, path: str) -> None: ...

        def drain(self) -> None: ...

        def release(self) -> None: ...

        def statistics(self) -> Statistics:
            return Recorder(1).statistics(timer="none", device="none", dropped=0)

    monkeypatch.setattr("glfft.gl.context.open_context", lambda *_: Recorded(None, 0))
    monkeypatch.setattr("glfft.Profiler", Recorded)
    monkeypatch.setattr("glfft.apps.ocean.render.write_pictures", lambda _writers, count, _: count)
    for frames in ("100000000", "30"):
        assert main(["ocean", "--frames", frames, "--output", "frames", "--profile", "p.json"]) == 0
    assert histories == [0, 100_000, 0, 30]


def test_a_slip_in_the_algorithm_is_answered_before_anything_is_said_or_made(folder):
    done = glfft_command("ocean", "--algorithm", "stokham")
    assert done.returncode == 2
    assert done.stderr == "glfft ocean: There is no algorithm 'stokham'; did you mean 'stockham'?\n"
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "speaks_of"),
    [
        (["--preset", "strom"], "did you mean 'storm'?"),
        (["--preset", "", "--settings", "a.toml"], "give one of them"),
        (["--preset", "storm", "--settings", "a.toml"], "give one of them"),
        (["--save-settings", "a.txt"], ".toml"),
        (["--save-settings", "a.toml", "--frames", "3"], "--frames has no effect here"),
    ],
)
def test_presets_and_settings_that_make_no_sense_are_one_line(folder, capsys, options, speaks_of):
    assert main(["ocean", *options]) == 2
    assert speaks_of in one_line_of_error(capsys)
    assert left_behind(folder) == []


@pytest.mark.parametrize(
    "options",
    [
        ["--output", "nowhere/a.png"],
        ["--output", "nowhere/a.mp4"],
        ["--output", "nowhere/frames/deep"],
        ["--profile", "nowhere/p.json"],
        ["--trace", "nowhere/p.trace.json"],
        ["--export-fields", "nowhere/f.npz"],
        ["--output", "folder.png"],
    ],
)
def test_what_cannot_be_written_is_one_line_and_exit_code_1_before_any_work(folder, capsys, monkeypatch, options):
    (folder / "folder.png").mkdir()
    monkeypatch.setattr("glfft.gl.context.open_context", lambda *_: pytest.fail("work had begun"))
    assert main(["ocean", "--headless", *SMALL, *options]) == 1
    said = one_line_of_error(capsys)
    assert "nowhere" in said or "folder" in said
    assert left_behind(folder) == []


def options_shown(capsys, word):
    assert main(["ocean", word]) == 0
    return re.findall(r"^  (?:-\w [^,]*, )?(?:-\w, )?(--[\w-]+)", capsys.readouterr().out, re.MULTILINE)


def test_help_shows_ten_options_and_help_all_every_one_in_groups(capsys):
    first = options_shown(capsys, "--help")
    assert len(set(first) - {"--help", "--help-all"}) == 10
    every = options_shown(capsys, "--help-all")
    assert set(first) < set(every)
    assert len(every) > 35
    main(["ocean", "--help-all"])
    assert re.findall(r"^(\w+):$", capsys.readouterr().out, re.MULTILINE) == [
        "options", "sea", "camera", "light", "output", "checks"
    ]  # fmt: skip
