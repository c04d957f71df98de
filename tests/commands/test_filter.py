"""`glfft filter` as people use it."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest
from PIL import Image
from scipy import ndimage
from support.sentences import assert_one_sentence
from support.spectrum import DONE, FAILED, USAGE, files, picture

from glfft.apps import filtering
from glfft.apps.bloom.radiance_files import read_light, write_exr
from glfft.apps.filter_kernels import read_kernel
from glfft.apps.spectrum.stored_pictures import StoredPicture, read_stored, write_stored
from glfft.commands.cli import main


@pytest.fixture(autouse=True)
def one_context(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filtering, "open_context", lambda: ctx)


def test_a_copy_lies_beside_each_picture_or_where_asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture("a.png")
    picture("b.jpg")
    assert main(["filter", "a.png", "--kernel", "gaussian:1"]) == DONE
    assert capsys.readouterr().out == "a.png: 30x20, convolved with gaussian:1 -> a-filtered.png\n"
    assert main(["filter", "a.png", "b.jpg", "--kernel", "gaussian:1", "-o", "out"]) == DONE
    said = capsys.readouterr()
    assert said.out.count("\n") == 2
    assert "100%" in said.err
    assert main(["filter", "b.jpg", "--kernel", "gaussian:1", "--deconvolve", "-o", "c.tif"]) == DONE
    assert "deconvolved with gaussian:1 -> c.tif" in capsys.readouterr().out
    assert files(folder) == {"a.png", "b.jpg", "a-filtered.png", "out/a.png", "out/b.jpg", "c.tif"}
    assert not np.array_equal(np.asarray(Image.open("a.png")), np.asarray(Image.open("a-filtered.png")))


@pytest.mark.parametrize("name", ["a.png", "a.tif"])
def test_depth_profile_exif_and_orientation_are_kept(folder: Path, name: str) -> None:
    samples = np.random.default_rng(1).integers(0, 65536, (12, 17, 3), dtype=np.uint16)
    exif = Image.Exif()
    exif[274], exif[271] = 6, "Maker"
    options = {"icc_profile": b"profile", "exif": exif.tobytes(), "tags": {274: 6, 271: "Maker"}}
    write_stored(name, StoredPicture(samples, 3, "RGB", 6, [], options))
    Image.fromarray(np.array([[0, 0, 0], [0, 255, 0], [0, 0, 0]], np.uint8)).save("one.png")
    assert main(["filter", name, "--kernel", "one.png", "-o", f"out{Path(name).suffix}"]) == DONE
    before, after = read_stored(name), read_stored(f"out{Path(name).suffix}")
    assert after.samples.dtype == np.uint16
    assert after.orientation == before.orientation == 6
    assert after.options["icc_profile"] == b"profile"
    with Image.open(f"out{Path(name).suffix}") as written:
        assert written.getexif()[271] == "Maker"
    # One weight alone changes nothing, but for float32's rounding.
    assert np.abs(after.samples.astype(int) - before.samples).max() <= 1


def flat_hdr(name: str, rows: int, columns: int) -> None:
    """A Radiance HDR picture of random light beyond white: three mantissas and an exponent for each pixel."""
    pixels = np.random.default_rng(3).integers(100, 256, (rows, columns, 4), np.uint8)
    pixels[..., 3] = 132
    Path(name).write_bytes(f"#?RADIANCE\n\n-Y {rows} +X {columns}\n".encode() + pixels.tobytes())


def test_linear_light_is_convolved_and_written_as_openexr(folder: Path) -> None:
    pytest.importorskip("OpenEXR")
    values = (np.random.default_rng(2).random((12, 17, 4)) * 40).astype(np.float16)
    write_exr("a.exr", values, {"comments": "by hand"})
    flat_hdr("b.hdr", rows=12, columns=17)
    assert main(["filter", "a.exr", "b.hdr", "--kernel", "gaussian:1", "-o", "out"]) == DONE
    after = read_light(Path("out/a.exr"))
    assert after.samples.dtype == np.float16
    assert after.options["attributes"]["comments"] == "by hand"
    # OpenEXR's colours are multiplied by alpha already.
    bands = np.moveaxis(values.astype(float), -1, 0)
    wanted = [ndimage.convolve(each, read_kernel("gaussian:1")) for each in bands]
    found = np.moveaxis(after.samples.astype(float), -1, 0)
    assert np.abs(found / wanted - 1).max() < 4 * 2.0**-10
    assert read_light("out/b.exr").samples.max() > 1
    # A kernel may be light too.
    assert main(["filter", "b.hdr", "--kernel", "a.exr", "-o", "c.exr"]) == DONE
    assert files(folder) == {"a.exr", "b.hdr", "c.exr", "out/a.exr", "out/b.exr"}


def test_no_file_that_is_read_is_written_over(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture("a.png")
    picture("kernel.png", rows=3, columns=3)
    before = Path("kernel.png").read_bytes()
    assert main(["filter", "a.png", "--kernel", "kernel.png", "-o", "kernel.png"]) == USAGE
    assert_one_sentence(capsys.readouterr().err.removeprefix("glfft: ").strip())
    Path("in").mkdir()
    picture("in/kernel.png")
    assert main(["filter", "in/kernel.png", "--kernel", "kernel.png", "-o", "."]) == DONE
    assert Path("kernel.png").read_bytes() == before
    assert Path("kernel-2.png").exists()


def test_a_bad_picture_among_several_is_named_and_skipped(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture("a.png")
    Path("bad.png").write_bytes(b"nothing")
    Image.fromarray(np.full((4, 4), np.nan, np.float32)).save("nan.tif")
    assert main(["filter", "bad.png", "a.png", "nan.tif", "--kernel", "gaussian:1", "-o", "out"]) == FAILED
    error = capsys.readouterr().err
    assert "bad.png: This is not a picture" in error
    assert "nan.tif: The picture has NaN" in error
    assert files(folder) == {"a.png", "bad.png", "nan.tif", "out/a.png"}


def test_a_folder_that_nothing_comes_into_goes_again(folder: Path) -> None:
    assert main(["filter", "a.png", "b.png", "--kernel", "gaussian:1", "-o", "out"]) == FAILED
    assert not Path("out").exists()
    Path("out").mkdir()
    assert main(["filter", "a.png", "b.png", "--kernel", "gaussian:1", "-o", "out"]) == FAILED
    assert Path("out").is_dir(), "it was there before"


def test_what_makes_no_sense_is_refused_and_writes_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture("a.png")
    for arguments, said in (
        (["a.png"], "--kernel"),
        (["a.png", "--kernel", "gaussian:x"], "gaussian:SIGMA"),
        (["a.png", "--kernel", "gaussian:1", "-o", "a.png"], "is the picture itself"),
        (["a.png", "--kernel", "gaussian:1", "-o", "b.xyz"], "cannot be written"),
        (["light.hdr", "--kernel", "gaussian:1", "-o", "b.png"], "name an .exr file"),
        (["a.png", "a.png", "--kernel", "gaussian:1", "-o", "b.png"], "name a folder"),
        (["a.png", "--kernel", "gaussian:1", "--boundary", "none"], "--boundary"),
        (["a.png", "--kernel", "gaussian:1", "--noise", "0.1"], "--deconvolve"),
        (["a.png", "--kernel", "gaussian:1", "--deconvolve", "--noise", "1", "--iterations", "3"], "Give one of them"),
    ):
        assert main(["filter", *arguments]) == USAGE, arguments
        error = capsys.readouterr().err
        assert said in error
        if "See" not in error:
            assert_one_sentence(
                error.removeprefix("glfft filter: ").removeprefix("a.png ").removeprefix("b.png ").rstrip("\n")
            )
    for kernel in ("lens", "box:3", "nothing.png", ""):
        assert main(["filter", "a.png", "--kernel", kernel]) == FAILED
        assert f"There is no kernel '{kernel}': name gaussian:SIGMA" in capsys.readouterr().err
    Path("text.png").write_text("text")
    assert main(["filter", "a.png", "--kernel", "text.png"]) == FAILED
    assert "The kernel text.png: This is not a picture" in capsys.readouterr().err
    Path("text.png").unlink()
    assert files(folder) == {"a.png"}
