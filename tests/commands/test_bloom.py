"""`glfft bloom` from the command line: what it writes, says and refuses."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from support.displays import QUICK_KERNELS, python
from support.files import left_behind
from support.sentences import one_line_of_error

from glfft.apps.bloom import bloom as apps_bloom
from glfft.apps.bloom import sources
from glfft.apps.glare.lens import LENSES
from glfft.apps.ocean.quality import LOW
from glfft.commands.cli import main

SMALL = ["--kernel", "31"]
OF_FEW_TEXELS = "from glfft.apps.bloom import bloom; bloom.DETAIL = 128"


@pytest.fixture(autouse=True)
def _apertures_of_few_texels(monkeypatch):
    monkeypatch.setattr(apps_bloom, "DETAIL", 128)


def in_a_process(*words, display=False):
    """`glfft bloom` in a process of its own, which may find a display."""
    run = f"from glfft.commands.cli import main; raise SystemExit(main({['bloom', *words]}))"
    return python("-c", f"{QUICK_KERNELS}{OF_FEW_TEXELS}; {run}", display=display)


def bloom(*words):
    return main(["bloom", "--headless", *map(str, words)])


def picture(name, rows=54, columns=96):
    pixels = np.random.default_rng(4).integers(0, 256, (rows, columns, 3), np.uint8)
    Image.fromarray(pixels).save(name)


def lamps(name, rows=54, columns=96):
    """A dark picture with some lamps far beyond white, as Radiance HDR: mantissas and an exponent a pixel."""
    pixels = np.full((rows, columns, 4), (90, 100, 120, 124), np.uint8)
    places = np.random.default_rng(4).random((12, 2)) * (rows, columns)
    pixels[tuple(places.astype(int).T)] = (200, 180, 128, 139)
    Path(name).write_bytes(f"#?RADIANCE\n\n-Y {rows} +X {columns}\n".encode() + pixels.tobytes())


def timeline(name):
    return json.loads(Path(name).read_text())["traceEvents"]


def size_of(name):
    with Image.open(name) as image:
        return image.size


def test_it_writes_beside_the_picture_and_says_where(folder, capsys):
    picture("photo.png")
    assert bloom("photo.png", *SMALL) == 0
    assert capsys.readouterr().out == "photo-bloom.png\n"
    assert size_of("photo-bloom.png") == (96, 54)
    assert left_behind(folder) == ["photo-bloom.png", "photo.png"]


def test_mipmaps_are_put_beside_the_picture(folder, capsys):
    lamps("a.hdr")
    assert bloom("a.hdr", "--compare", "mipmaps", "-o", "a.png", *SMALL) == 0
    assert capsys.readouterr().out == "a.png\n"
    assert size_of("a.png") == (192, 54)


@pytest.mark.filterwarnings("ignore:The tile is")
@pytest.mark.parametrize("asked", [[], ["--ocean"]])
def test_without_a_picture_the_ocean_comes_as_a_folder_of_pictures(folder, capsys, monkeypatch, asked):
    shot = sources.low_sun()
    # Its three tiles stay: no other test draws as many. The size is that of other tests, whose transforms it has.
    small = replace(shot, settings=replace(shot.settings, size=64, foam_lifetime=0.1, foam_threshold=0.5))
    monkeypatch.setattr(sources, "low_sun", lambda: small)
    monkeypatch.setattr(sources, "choose", lambda *_: LOW)
    options = (*asked, "--resolution", "96x54", "--frames", "2", "--fps", "2", "--trace", "sea.trace.json")
    assert bloom(*options, "-o", "sea", *SMALL) == 0
    assert capsys.readouterr().out.split() == ["sea", "sea.trace.json"]
    assert left_behind(folder / "sea") == ["00000.png", "00001.png"]
    assert size_of("sea/00000.png") == (96, 54)
    events = [event for event in timeline("sea.trace.json") if event["ph"] == "X"]
    assert {event["args"]["frame"] for event in events} == {1, 2}
    assert {event["args"]["section"] for event in events} >= {"frame", "simulation", "glare/split", "display"}


@pytest.mark.window
def test_a_window_opens_and_closes_after_its_frames(folder):
    lamps("a.hdr")
    options = ("--frames", "2", "--trace", "bloom.trace.json")
    done = in_a_process("a.hdr", *options, *SMALL, display=True)
    assert (done.returncode, done.stderr) == (0, "")
    events = timeline("bloom.trace.json")
    assert {event["args"]["section"] for event in events if event["ph"] == "X"} >= {"frame", "glare", "display"}
    assert "A/B" in done.stdout


def test_without_a_display_it_writes_a_file_and_says_so(folder):
    lamps("a.hdr")
    done = in_a_process("a.hdr", *SMALL)
    assert done.returncode == 0
    assert done.stdout == "a-bloom.png\n"
    assert "no window opens" in done.stderr
    assert left_behind(folder) == ["a-bloom.png", "a.hdr"]


def test_its_help_tells_what_the_lenses_have(capsys):
    assert main(["bloom", "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    camera, eye = LENSES["camera"], LENSES["eye"]
    for lens in (f"{camera.blades} blades, f-number {camera.f_number:g}", f"round, {eye.f_number:g}"):
        assert lens in told
    for number, name in ((camera.scratches, "scratches"), (eye.lashes, "eyelashes"), (eye.fibres, "fibres")):
        assert f"{number} {name}" in told
    assert all(f"{lens.dust} dust" in told for lens in (camera, eye))
    assert (camera.lashes, camera.fibres, eye.blades, eye.scratches) == (0, 0, 0, 0)


def test_jpg_and_tif_have_long_names_too(folder):
    picture("photo.png")
    for name, kind in (("a.jpeg", "JPEG"), ("a.tiff", "TIFF"), ("A.JPG", "JPEG")):
        assert bloom("photo.png", *SMALL, "-o", name) == 0
        with Image.open(name) as image:
            assert (image.format, image.size) == (kind, (96, 54))


def test_every_option_of_the_lens_changes_the_picture(folder):
    lamps("a.hdr")
    plain = ["a.hdr", "--f-number", "90", *SMALL]
    assert bloom(*plain, "-o", "plain.png") == 0
    with Image.open("plain.png") as image:
        before = np.asarray(image).astype(int)
    for option, value in (
        ("--blades", 5),
        ("--rotation", 40),
        ("--f-number", 30),
        ("--dust", 4000),
        ("--eyelashes", 40),
        ("--scratches", 90),
        ("--fibres", 600),
        ("--strength", 3),
        ("--lens", "eye"),
    ):
        assert bloom(*plain, option, value, "-o", "other.png") == 0
        with Image.open("other.png") as image:
            assert abs(np.asarray(image).astype(int) - before).max() >= 2, option


@pytest.mark.parametrize(
    ("options", "code", "speaks_of"),
    [
        (["--blades", "2"], 2, "3 to 24 blades"),
        (["--blades", "99"], 2, "0 to 24"),
        (["--f-number", "0"], 2, "1 to 128"),
        (["--f-number", "nan"], 2, "1 to 128"),
        (["--kernel", "32"], 2, "take 33"),
        (["--kernel", "5"], 2, "15 to 2047"),
        (["--dust", "-3"], 2, "0 to 5000"),
        (["--strength", "-1"], 2, "0 to 1000"),
        (["--resolution", "4x4"], 2, "16 to 8192"),
        (["--compare", "nothing"], 2, "mipmaps"),
        (["-o", "a.gif"], 2, ".png, .jpg, .tif, .exr"),
        (["-o", "a.exr", "--exposure", "1"], 2, "leave out --exposure"),
        (["-o", "missing/a.png"], 1, "there is no folder missing"),
        (["missing.png"], 1, "missing.png"),
        (["photo.png", "--resolution", "64x64"], 2, "a picture keeps its own size"),
        (["photo.png", "--ocean"], 2, "two scenes"),
        (["photo.png", "-o", "a.mp4"], 2, "stands still"),
        (["photo.png", "-o", "folder"], 2, "stands still"),
        (["--frames", "3"], 2, "are for films"),
        (["photo.png", "--time", "3"], 2, "is for the ocean"),
        (["photo.png", "-o", "photo.png"], 2, "the picture itself"),
        (["noise.exr"], 1, "noise.exr: The picture cannot be read"),
    ],
)
def test_what_makes_no_sense_is_one_line(folder, capsys, options, code, speaks_of):
    if any(each.endswith(".exr") for each in options):
        pytest.importorskip("OpenEXR")
    picture("photo.png")
    (folder / "noise.exr").write_bytes(b"noise" * 50)
    before = left_behind(folder), sorted(folder.iterdir())
    assert bloom(*options) == code
    assert speaks_of in one_line_of_error(capsys)
    assert (left_behind(folder), sorted(folder.iterdir())) == before
