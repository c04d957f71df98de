"""`glfft spectrum` from the command line: what it writes, says and refuses, and how it ends."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from support.sentences import assert_one_sentence, one_line_of_error
from support.spectrum import DONE, FAILED, SHAPES, USAGE, files, picture, spectrum
from support.spectrum import one_context as one_context

from glfft.apps.spectrum import display
from glfft.apps.spectrum.archive import load_archive
from glfft.apps.spectrum.colours import colour_table
from glfft.errors import DataError, LimitError
from glfft.plan import Plan


def test_says_what_it_did_and_writes_beside_the_picture(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture("photo.png")
    assert spectrum("photo.png", "--window", "hann") == DONE
    said = capsys.readouterr().out
    assert said == "photo.png: 30x20, luminance, exact size, hann window -> photo-spectrum.png\n"
    with Image.open("photo-spectrum.png") as written:
        assert (written.size, written.mode) == ((30, 20), "RGB")
    assert files(folder) == {"photo.png", "photo-spectrum.png"}
    assert spectrum("photo.png", "--fit", "pad") == DONE
    assert capsys.readouterr().out == "photo.png: 30x20, luminance, padded to 32x32, no window -> photo-spectrum.png\n"
    with Image.open("photo-spectrum.png") as written:
        assert written.size == (32, 32)


def test_another_algorithm_gives_the_same_picture(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture("a.png")
    assert spectrum("a.png", "--fit", "pad", "-o", "auto.png") == DONE
    assert spectrum("a.png", "--fit", "pad", "--algorithm", "global-local", "-o", "other.png") == DONE
    with Image.open("auto.png") as one, Image.open("other.png") as other:
        differences = np.abs(np.asarray(one).astype(int) - np.asarray(other))
    assert differences.max() <= 1
    assert spectrum("a.png", "--algorithm", "global-local") == FAILED
    assert "global-local cannot transform 30x20 pixels; use --fit pad" in capsys.readouterr().err
    assert spectrum("a.png", "--algorithm", "global-locl") == USAGE
    assert "did you mean 'global-local'?" in capsys.readouterr().err


# Each size compiles shaders of its own: few of each kind are drawn.
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.sampled_from([1, 2, 9, 16, 41]),
    columns=st.sampled_from([1, 7, 16, 34]),
    fit=st.sampled_from(["exact", "pad", "resize"]),
    channel=st.sampled_from(["r", "g", "b", "rgb"]),
)
def test_a_round_trip_gives_the_picture_back(folder: Path, rows: int, columns: int, fit: str, channel: str) -> None:
    pixels = picture("a.png", rows, columns, seed=rows * columns)
    assert spectrum("a.png", "--fit", fit, "--channel", channel, "--save-data", "d.npz") == DONE
    assert spectrum("--inverse", "d.npz", "-o", "back.png") == DONE
    with Image.open("back.png") as back:
        restored = np.asarray(back).astype(int)
    expected = pixels if channel == "rgb" else pixels[..., "rgb".index(channel)]
    assert restored.shape == expected.shape
    assert np.abs(restored - expected).max() <= 1


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("channel", ["r", "rgb"])
def test_a_round_trip_of_the_exact_size_gives_the_picture_back(
    folder: Path, shape: tuple[int, int], channel: str
) -> None:
    pixels = picture("a.png", *shape)
    assert spectrum("a.png", "--channel", channel, "--save-data", "d.npz") == DONE
    assert spectrum("--inverse", "d.npz", "-o", "back.png") == DONE
    with Image.open("back.png") as back:
        restored = np.asarray(back).astype(int)
    expected = pixels if channel == "rgb" else pixels[..., 0]
    assert restored.shape == expected.shape
    assert np.abs(restored - expected).max() <= 1


def no_plan_of_23_columns(*arguments: Any, **keywords: Any) -> Plan:
    """What a plan does where a prime is too long for the device; how long that is depends on it."""
    if arguments[1][1] == 23:
        raise LimitError("No kernel can do lines of 23 points.")
    return Plan(*arguments, **keywords)


def test_a_side_no_kernel_can_do_is_a_sentence_that_names_the_other_fits(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    picture("a.png")
    picture("prime.png", 6, 23)
    assert spectrum("prime.png", "--save-data", "d.npz", "-o", "o.png") == DONE
    monkeypatch.setattr(display, "Plan", no_plan_of_23_columns)
    before = files(folder)
    capsys.readouterr()
    assert spectrum("prime.png", "-o", "p.png", "--save-data", "p.npz") == FAILED
    error = capsys.readouterr().err
    assert_one_sentence(error.removeprefix("glfft spectrum: prime.png: ").rstrip("\n"))
    assert "23x6 pixels" in error
    assert "--fit pad, --fit crop or --fit resize" in error
    assert spectrum("--inverse", "d.npz", "-o", "back.png") == FAILED
    error = one_line_of_error(capsys)
    assert "23x6 pixels" in error
    assert "save the data again with --fit pad" in error
    assert files(folder) == before
    # Neither the pictures after it nor the other fits suffer.
    assert spectrum("a.png", "prime.png", "a.png", "-o", "out") == FAILED
    assert files(folder / "out") == {"a-spectrum.png", "a-spectrum-2.png"}
    for fit in ("pad", "crop", "resize"):
        assert spectrum("prime.png", "--fit", fit, "-o", f"{fit}.png") == DONE


@pytest.mark.parametrize("options", [["--view", "radial"], ["--colormap", "viridis"], ["--colormap", "magma"]])
def test_without_matplotlib_one_sentence_comes_before_any_work(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.style", None)
    colour_table.cache_clear()
    for name in ("a.png", "b.png"):
        picture(name)
    for more in (["-o", "out"], ["--show"]):
        assert spectrum("a.png", "b.png", *options, *more) == FAILED
        assert "'.[plot]'" in one_line_of_error(capsys)
    assert files(folder) == {"a.png", "b.png"}
    assert not Path("out").exists()


def test_a_bad_file_among_many_is_named_and_skipped(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture("a.png")
    Path("bad.png").write_text("no picture")
    picture("c.png")
    assert spectrum("a.png", "bad.png", "c.png", "-o", "out") == FAILED
    captured = capsys.readouterr()
    assert files(folder / "out") == {"a-spectrum.png", "c-spectrum.png"}
    assert "bad.png: This is not a picture" in captured.err
    assert "Traceback" not in captured.err
    assert "1 of 3" in captured.err
    assert captured.out.count("->") == 2


@pytest.mark.parametrize("name", ["n" * 300 + ".png", "loop.png", "a.png/b.png", os.fsdecode(b"\xff.png"), "pipe.png"])
def test_a_file_that_cannot_be_opened_among_many_is_named_and_skipped(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    Path("loop.png").symlink_to("loop.png")
    os.mkfifo("pipe.png")
    for good in ("a.png", "c.png"):
        picture(good)
    assert spectrum("a.png", name, "c.png", "-o", "out") == FAILED
    captured = capsys.readouterr()
    assert files(folder / "out") == {"a-spectrum.png", "c-spectrum.png"}
    assert "Skipped." in captured.err
    assert "1 of 3" in captured.err
    assert "Unexpected" not in captured.err


def test_duplicate_names_stay_apart(folder: Path) -> None:
    for name in ("a", "b"):
        Path(name).mkdir()
    picture("a/x.png", seed=1)
    picture("b/x.png", seed=2)
    Path("a/x.jpg").write_bytes(b"")
    picture("a/x.bmp", seed=3)
    assert spectrum("a/x.png", "b/x.png", "a/x.bmp", "-o", "out/") == DONE
    assert files(folder / "out") == {"x-spectrum.png", "x-spectrum-2.png", "x-spectrum-3.png"}
    assert len({path.read_bytes() for path in (folder / "out").iterdir()}) == 3
    assert spectrum("a/x.png", "a/x.bmp", "--save-data", "data") == DONE
    assert files(folder / "data") == {"x-spectrum.npz", "x-spectrum-2.npz"}
    assert {"a/x-spectrum.png", "a/x-spectrum-2.png"} <= files(folder)


def test_a_picture_is_never_written_over_by_another_spectrum(folder: Path) -> None:
    picture("x.png")
    before = picture("x-spectrum.png", seed=5)
    assert spectrum("x.png", "x-spectrum.png") == DONE
    with Image.open("x-spectrum.png") as kept:
        np.testing.assert_array_equal(np.asarray(kept), before)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "at least one picture"),
        (["a.png", "b.png", "-o", "one.png"], "name a folder"),
        (["a.png", "-o", "a.png"], "picture itself"),
        (["a.png", "-o", "out.xyz"], "cannot be written"),
        (["a.png", "-o", "nosuffix"], "nosuffix does not say which kind"),
        (["a.png", "-o", ""], "empty"),
        (["a.png", "b.png", "--save-data", "one.npz"], "name a folder"),
        (["a.png", "-o", "same.png", "--save-data", "same.png"], "same file"),
        (["a.png", "-o", "x.png", "--save-data", "d.txt"], ".npz"),
        (["a.png", "--view", "phase", "--scale", "log"], "--scale"),
        (["a.png", "--view", "complex", "--colormap", "grey"], "--colormap"),
        (["a.png", "--window", "hanning"], "hann"),
        (["a.png", "--frames", "3"], "--show"),
        (["a.png", "--show", "--frames", "0"], "--frames"),
        (["a.png", "--trace", "a.trace.json"], "--show"),
        (["a.png", "--mask", "m.png"], "spectrum apply"),
        (["a.png", "--show", "--trace", "a.json"], ".trace.json"),
        (["a.png", "--show", "-o", "x.png"], "--show"),
        (["--inverse", "d.npz"], "-o"),
        (["a.png", "--inverse", "d.npz", "-o", "x.png"], "--inverse"),
        (["--inverse", "d.npz", "-o", "x.xyz"], "cannot be written"),
        (["--inverse", "d.npz", "-o", "x.png", "--channel", "r"], "leave out --channel."),
        (["--inverse", "d.npz", "-o", "x.png", "--view", "magnitude", "--fit", "pad"], "leave out --fit and --view."),
        (["--inverse", "d.npz", "-o", "x.png", "--no-shift", "--frames", "3"], "leave out --shift and --frames."),
        (["--inverse", "d.npz", "-o", "x.png", "--window", "hann", "--save-data", "e.npz"], "--save-data"),
        (["--inverse", "d.npz", "-o", "x.png", "--scale", "log", "--show"], "leave out --scale and --show."),
        (["--inverse", "d.npz", "-o", "x.png", "--shift", "--colormap", "hue"], "--colormap"),
        (["--inverse", "", "-o", "x.png"], "empty"),
        (["", "-o", "x.png"], "the name is empty"),
        (["descreen", "", "-o", "out"], "the name is empty"),
        (["apply", "m.png", "", "-o", "out"], "the name is empty"),
        (["--inverse", "d.npz", "-o", "-"], "'-'"),
        (["a.png", "-o", "-"], "'-'"),
        (["a.png", "b.png", "-o", "-"], "'-'"),
        (["a.png", "b.png", "--save-data", "-"], "'-'"),
        (["a.png", "--save-data", ""], "empty"),
    ],
)
def test_a_command_line_that_makes_no_sense_ends_with_2(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    picture("a.png")
    picture("b.png")
    before = files(folder)
    assert spectrum(*arguments) == USAGE
    error = capsys.readouterr().err
    assert words in error
    assert "Traceback" not in error
    assert files(folder) == before


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "empty"), (b"no picture", "not a picture"), (None, "no such file"), ("cut", "cannot be read")],
)
def test_a_bad_picture_ends_with_1_and_leaves_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str], content: bytes | str | None, words: str
) -> None:
    if content == "cut":
        picture("bad.png", 60, 60)
        Path("bad.png").write_bytes(Path("bad.png").read_bytes()[:3000])
    elif isinstance(content, bytes):
        Path("bad.png").write_bytes(content)
    before = files(folder)
    assert spectrum("bad.png", "-o", "out.png", "--save-data", "d.npz") == FAILED
    error = one_line_of_error(capsys)
    assert "bad.png" in error
    assert words in error
    assert files(folder) == before


def test_a_folder_is_no_picture(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("pictures").mkdir()
    assert spectrum("pictures") == FAILED
    assert "folder" in capsys.readouterr().err


@pytest.mark.parametrize("name", [".", "..", "sub", "sub/"])
def test_a_folder_for_a_picture_is_a_sentence(folder: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    (folder / "sub").mkdir()
    before = files(folder)
    assert spectrum(name) == FAILED
    assert "This is a folder; name the pictures in it." in capsys.readouterr().err
    assert files(folder) == before


def test_too_large_for_the_device_is_a_sentence_with_the_limit(
    folder: Path, ctx: moderngl.Context, capsys: pytest.CaptureFixture[str]
) -> None:
    limit = ctx.info["GL_MAX_TEXTURE_SIZE"]
    Image.new("1", (limit + 1, 2)).save("wide.png")
    assert spectrum("wide.png") == FAILED
    error = capsys.readouterr().err
    assert f"is {limit + 1}x2, over this device's limit of {limit} a side" in error
    assert "--fit resize" in error
    assert spectrum("wide.png", "--fit", "pad") == FAILED
    assert "--fit resize" in capsys.readouterr().err
    assert spectrum("wide.png", "--fit", "crop") == DONE


def test_output_that_cannot_be_written_is_a_sentence(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture("a.png")
    Path("file").write_text("in the way")
    before = files(folder)
    for out in ("missing/out.png", "file/out.png", "missing/folder/"):
        assert spectrum("a.png", "-o", out) == FAILED
        assert "Cannot" in capsys.readouterr().err
    assert spectrum("a.png", "--save-data", "missing/d.npz", "-o", "o.png") == FAILED
    assert files(folder) == before


def _archive(**changes: object) -> dict[str, np.ndarray]:
    picture("a.png", bands=1)
    assert spectrum("a.png", "--save-data", "good.npz", "-o", "o.png") == DONE
    with np.load("good.npz") as data:
        values = dict(data)
    for name, value in changes.items():
        if value is None:
            del values[name]
        else:
            values[name] = np.asarray(value)
    return values


@pytest.mark.parametrize(
    "changes",
    [
        {"spectrum": None},
        {"format": None},
        {"format": "another"},
        {"original_shape": None},
        {"original_shape": [0, 5]},
        {"original_shape": [900, 5]},
        {"original_shape": 7},
        {"channel": "rgb"},
        {"fit": "stretch"},
        {"spectrum": np.zeros((6, 6), np.complex64), "input": np.zeros((6, 6))},
        {"spectrum": np.zeros((32, 32), np.complex64).astype(object)},
        {"white": "paper"},
    ],
)
def test_data_of_another_kind_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, object]
) -> None:
    np.savez("d.npz", **_archive(**changes))  # pyright: ignore[reportArgumentType]
    capsys.readouterr()
    assert spectrum("--inverse", "d.npz", "-o", "back.png") == FAILED
    assert "d.npz" in one_line_of_error(capsys)
    assert not Path("back.png").exists()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 damaged", b"no archive at all", None])
def test_damaged_data_is_refused(folder: Path, capsys: pytest.CaptureFixture[str], content: bytes | None) -> None:
    if content is not None:
        Path("d.npz").write_bytes(content)
    assert spectrum("--inverse", "d.npz", "-o", "back.png") == FAILED
    assert "d.npz" in one_line_of_error(capsys)
    assert not Path("back.png").exists()


def test_truncated_data_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez("d.npz", **_archive())  # pyright: ignore[reportArgumentType]
    whole = Path("d.npz").read_bytes()
    flipped = bytearray(whole)
    flipped[2000] ^= 0xFF
    for damaged in (whole[: len(whole) // 2], bytes(flipped)):
        Path("d.npz").write_bytes(damaged)
        capsys.readouterr()
        assert spectrum("--inverse", "d.npz", "-o", "back.png") == FAILED
        assert "d.npz" in capsys.readouterr().err


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32 - 1), cut=st.booleans())
def test_data_with_flipped_bytes_is_read_or_refused(folder: Path, seed: int, cut: bool) -> None:
    if not Path("whole.npz").exists():
        np.savez("whole.npz", **_archive())  # pyright: ignore[reportArgumentType]
    damaged = bytearray(Path("whole.npz").read_bytes())
    generator = np.random.default_rng(seed)
    if cut:
        del damaged[generator.integers(len(damaged)) :]
    for place in generator.integers(0, 300, 3):
        # The first header, the last entries: where the structure lies.
        damaged[place : place + 1] = generator.bytes(1)
        damaged[-int(place) - 1 : -int(place) or None] = generator.bytes(1)
    Path("d.npz").write_bytes(bytes(damaged))
    # Anything else that is raised fails the test.
    with suppress(DataError):
        load_archive("d.npz")


def process(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """`glfft spectrum` in a process of its own; standard output and error are captured unless given."""
    environment = {**os.environ, **options.pop("env", {})}
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run(
        [sys.executable, "-m", "glfft", "spectrum", *arguments],
        text=True,
        errors="surrogateescape",
        check=False,
        env=environment,
        **streams,
    )


MANY = [f"{number}.png" for number in range(3)]


def test_a_reader_that_leaves_early_gets_all_pictures_done(folder: Path) -> None:
    for name in MANY:
        picture(name)
    reading, writing = os.pipe()
    os.close(reading)
    finished = process(*MANY, "-o", "out", "--fit", "pad", stdout=writing)
    os.close(writing)
    assert finished.returncode == DONE, finished.stderr
    assert len(files(folder / "out")) == len(MANY)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs the device that is always full")
@pytest.mark.parametrize("closed", [True, False])
def test_a_closed_or_full_standard_error_stops_no_work(folder: Path, closed: bool) -> None:
    for name in MANY:
        picture(name)
    Path("bad.png").write_text("no picture")
    with open("/dev/full", "w") as full:
        options: dict[str, Any] = {"preexec_fn": lambda: os.close(2)} if closed else {"stderr": full}
        finished = process(*MANY, "bad.png", "-o", "out", "--fit", "pad", **options)
    assert finished.returncode == FAILED
    assert len(files(folder / "out")) == len(MANY)
    assert finished.stdout.count("->") == len(MANY)


def test_a_plot_has_any_name_in_its_title(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    name = "é漢" + os.fsdecode(b"\xff.png")
    picture(name)
    assert spectrum(name, "-o", "out/", "--view", "radial") == DONE
    assert files(folder / "out") == {name.replace(".png", "-spectrum.png")}


@pytest.mark.parametrize("encoding", ["ascii", "utf-8:strict"])
def test_names_that_the_terminal_cannot_show_are_no_hindrance(folder: Path, encoding: str) -> None:
    names = ["é.png", "漢.png", os.fsdecode(b"\xff.png")]
    for name in names:
        picture(name)
    finished = process(
        *names, "-o", "out/", "--fit", "pad", env={"LC_ALL": "C", "PYTHONIOENCODING": encoding, "PYTHONUTF8": "1"}
    )
    assert finished.returncode == DONE, finished.stderr
    assert files(folder / "out") == {name.replace(".png", "-spectrum.png") for name in names}
    assert "Unexpected" not in finished.stderr
    assert finished.stdout.count("->") == len(names)
    assert "3/3" in finished.stderr, "a progress bar"
