"""Pictures read for `glfft spectrum` have the values that the picture shows, whatever the file's format."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import EpsImagePlugin, Image
from support.png import png_chunk, png_file

from glfft.apps.spectrum.source_pictures import LUMA, decode, read_picture, turned
from glfft.apps.spectrum.stored_pictures import tiff_file
from glfft.errors import DataError

HALF_LEVEL = 0.5 / 255
ROWS, COLUMNS = 5, 7


def _colours(seed: int = 0, bands: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (ROWS, COLUMNS, bands), dtype=np.uint8)


def _save(path: Path, image: Image.Image, **options: Any) -> Path:
    image.save(path, **options)
    return path


@pytest.mark.parametrize(("channel", "band"), [("r", 0), ("g", 1), ("b", 2)])
def test_a_channel_is_the_band_over_255(tmp_path: Path, channel: str, band: int) -> None:
    pixels = _colours()
    planes = read_picture(_save(tmp_path / "a.png", Image.fromarray(pixels)), channel)[0]
    np.testing.assert_allclose(planes, pixels[None, ..., band] / 255, atol=1e-7)
    assert planes.dtype == np.float32
    assert planes.shape == (1, ROWS, COLUMNS)


@pytest.mark.parametrize("bands", [3, 4])
def test_strips_have_the_bits_of_the_whole_picture(tmp_path: Path, bands: int) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (101, 67, bands), dtype=np.uint8)
    file = _save(tmp_path / "a.png", Image.fromarray(pixels))
    whole = pixels.astype(np.float32) / np.float32(255)
    assert np.array_equal(read_picture(file)[0][0], whole[..., :3] @ LUMA)
    assert np.array_equal(read_picture(file, "rgb")[0], np.moveaxis(whole[..., :3], -1, 0))
    if bands == 4:
        assert np.array_equal(read_picture(file, "a")[0][0], whole[..., 3])


def test_rgb_gives_three_planes(tmp_path: Path) -> None:
    pixels = _colours()
    planes = read_picture(_save(tmp_path / "a.png", Image.fromarray(pixels)), "rgb")[0]
    np.testing.assert_allclose(planes, np.moveaxis(pixels, -1, 0) / 255, atol=1e-7)


def test_luminance_is_pillows_grey_without_its_rounding(tmp_path: Path) -> None:
    image = Image.fromarray(_colours())
    planes = read_picture(_save(tmp_path / "a.png", image))[0]
    np.testing.assert_allclose(planes[0], np.asarray(image.convert("L")) / 255, atol=1.01 / 255)
    np.testing.assert_allclose(planes[0], np.asarray(image) / 255.0 @ LUMA.astype(np.float64), atol=1e-6)


@pytest.mark.parametrize("mode", ["RGBA", "LA"])
def test_alpha_is_a_channel_and_leaves_colours_alone(tmp_path: Path, mode: str) -> None:
    pixels = _colours(bands=len(mode))
    path = _save(tmp_path / "a.png", Image.fromarray(pixels, mode))
    np.testing.assert_allclose(read_picture(path, "a")[0][0], pixels[..., -1] / 255, atol=1e-7)
    planes, picture = read_picture(path, "r")
    np.testing.assert_allclose(planes[0], pixels[..., 0] / 255, atol=1e-7)
    assert "alpha left out" in picture.notes


def test_alpha_of_an_opaque_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no alpha"):
        read_picture(_save(tmp_path / "a.png", Image.fromarray(_colours())), "a")


@pytest.mark.parametrize("transparent", [False, True])
def test_a_palette_is_looked_up(tmp_path: Path, transparent: bool) -> None:
    indices = np.random.default_rng(1).integers(0, 4, (ROWS, COLUMNS), dtype=np.uint8)
    palette = np.array([[10, 200, 30], [250, 0, 5], [0, 0, 255], [90, 91, 92]], np.uint8)
    image = Image.fromarray(indices, "P")
    image.putpalette(palette.tobytes())
    options = {"transparency": 2} if transparent else {}
    path = _save(tmp_path / "a.png", image, **options)
    np.testing.assert_allclose(read_picture(path, "rgb")[0], np.moveaxis(palette[indices], -1, 0) / 255, atol=1e-7)
    if transparent:
        np.testing.assert_array_equal(read_picture(path, "a")[0][0], (indices != 2).astype(np.float32))


def test_a_palette_with_alpha_keeps_it(tmp_path: Path) -> None:
    colours = np.random.default_rng(5).integers(0, 256, (4, 5, 4)).astype(np.uint8)
    image = Image.fromarray(colours).quantize(20, Image.Quantize.FASTOCTREE)
    assert image.palette is not None
    assert image.palette.mode == "RGBA"
    stored = decode(_save(tmp_path / "a.tga", image))
    assert np.array_equal(stored.samples, np.asarray(image.convert("RGBA")))


@pytest.mark.parametrize("suffix", [".png", ".tif", ".pgm"])
def test_sixteen_bits_keep_their_depth(tmp_path: Path, suffix: str) -> None:
    values = np.random.default_rng(2).integers(0, 65536, (ROWS, COLUMNS), dtype=np.uint16)
    path = tmp_path / f"a{suffix}"
    if suffix == ".pgm":
        path.write_bytes(b"P5 %d %d 65535\n" % (COLUMNS, ROWS) + values.astype(">u2").tobytes())
    else:
        Image.fromarray(values).save(path)
    planes, picture = read_picture(path)
    np.testing.assert_allclose(planes[0], values / 65535.0, atol=1e-7)
    assert picture.bit_depth == 16
    assert picture.white == 65535


def _write_deep_png(path: Path, values: np.ndarray) -> None:
    """A PNG of 16 bits a sample, which Pillow cannot write."""
    rows, columns, bands = values.shape
    lines = b"".join(b"\0" + line.astype(">u2").tobytes() for line in values)
    path.write_bytes(png_file(columns, rows, lines, depth=16, colours={3: 2, 4: 6}[bands]))


@pytest.mark.parametrize("bands", [3, 4])
def test_sixteen_bit_colours_keep_their_depth(tmp_path: Path, bands: int) -> None:
    values = np.random.default_rng(5).integers(0, 65536, (ROWS, COLUMNS, bands), dtype=np.uint16)
    _write_deep_png(tmp_path / "a.png", values)
    planes, picture = read_picture(tmp_path / "a.png", "rgb")
    np.testing.assert_allclose(planes, np.moveaxis(values[..., :3], -1, 0) / 65535.0, atol=1e-7)
    assert (picture.bit_depth, picture.white) == (16, 65535)
    if bands == 4:
        np.testing.assert_allclose(read_picture(tmp_path / "a.png", "a")[0][0], values[..., 3] / 65535, atol=1e-7)


def test_floats_pass_as_they_are(tmp_path: Path) -> None:
    values = np.array([[-2.5, 0.0, 1e6], [np.nan, np.inf, 0.25]], np.float32)
    planes, picture = read_picture(_save(tmp_path / "a.tif", Image.fromarray(values)))
    np.testing.assert_array_equal(planes[0], values)
    assert picture.bit_depth == 32


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32], ids=str)
def test_where_0_is_white_the_picture_is_no_negative(tmp_path: Path, dtype: type) -> None:
    white = {np.uint8: 255, np.uint16: 65535}.get(dtype, 1)
    samples = (np.random.default_rng(4).random((6, 9)) * white).astype(dtype)
    path = _save(tmp_path / "a.tif", Image.fromarray(samples))
    tag, length = b"\x06\x01\x03\x00\x01\x00\x00\x00", 10  # the photometric interpretation, one short number
    content = path.read_bytes()
    at = content.index(tag)
    path.write_bytes(content[:at] + tag + b"\x00\x00" + content[at + length :])
    assert np.array_equal(decode(path).samples[..., 0], (white - samples).astype(dtype))


def test_one_bit_is_black_and_white(tmp_path: Path) -> None:
    bits = np.random.default_rng(3).random((ROWS, COLUMNS)) < 0.5
    planes, picture = read_picture(_save(tmp_path / "a.png", Image.fromarray(bits)))
    np.testing.assert_array_equal(planes[0], bits.astype(np.float32))
    assert picture.bit_depth == 1


def test_cmyk_is_ink_taken_from_white(tmp_path: Path) -> None:
    pixels = _colours(bands=4)
    pixels[..., 3] = 0
    path = _save(tmp_path / "a.tif", Image.fromarray(pixels, "CMYK"))
    expected = 1 - np.moveaxis(pixels[..., :3], -1, 0) / 255
    np.testing.assert_allclose(read_picture(path, "rgb")[0], expected, atol=1.01 / 255)


def test_lab_is_turned_to_rgb(tmp_path: Path) -> None:
    path = _save(tmp_path / "a.tif", Image.new("LAB", (COLUMNS, ROWS), (255, 128, 128)))
    np.testing.assert_allclose(read_picture(path, "rgb")[0], 1, atol=2 / 255)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_rotation_is_undone(tmp_path: Path, orientation: int) -> None:
    upright = _colours()[..., 0]
    # How the sensor saw it: each orientation's inverse, written from the EXIF definition (row 0 is the visual ...).
    stored = {
        1: upright,
        2: upright[:, ::-1],
        3: upright[::-1, ::-1],
        4: upright[::-1],
        5: upright.T,
        6: upright.T[::-1],
        7: upright.T[::-1, ::-1],
        8: upright.T[:, ::-1],
    }[orientation]
    exif = Image.Exif()
    exif[0x0112] = orientation
    path = _save(tmp_path / "a.png", Image.fromarray(np.ascontiguousarray(stored)), exif=exif)
    planes, picture = read_picture(path)
    np.testing.assert_allclose(planes[0], upright / 255, atol=1e-7)
    assert ("turned upright" in picture.notes) == (orientation != 1)


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize(("dtype", "bands"), [("u1", 1), ("u1", 4), ("u2", 1)])
def test_raw_tiffs_are_turned_upright_and_the_note_says_so(
    tmp_path: Path, orientation: int, dtype: str, bands: int
) -> None:
    ends = np.iinfo(dtype)
    upright = np.random.default_rng(6).integers(ends.min, ends.max, (ROWS, COLUMNS, bands), dtype, endpoint=True)
    content = tiff_file(turned(upright, orientation, back=True), {0x0112: orientation}, None, compress=False)
    (tmp_path / "a.tif").write_bytes(content)
    assert np.array_equal(decode(tmp_path / "a.tif").samples, upright)
    notes = read_picture(tmp_path / "a.tif")[1].notes
    assert notes == ["turned upright"] * (orientation != 1) + ["alpha left out"] * (bands == 4)


def test_an_animation_gives_its_first_frame_and_says_so(tmp_path: Path) -> None:
    frames = [Image.new("L", (4, 4), level) for level in (255, 0, 0)]
    frames[1].putpixel((0, 0), 9)
    path = _save(tmp_path / "a.gif", frames[0], save_all=True, append_images=frames[1:])
    planes, picture = read_picture(path)
    np.testing.assert_array_equal(planes, 1)
    assert "first frame of several" in picture.notes


def test_bad_files_are_named_for_what_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noise = np.random.default_rng(4).integers(0, 256, (ROWS * 40, COLUMNS), dtype=np.uint8)
    whole = _save(tmp_path / "whole.png", Image.fromarray(noise))
    (tmp_path / "empty.png").write_bytes(b"")
    (tmp_path / "cut.png").write_bytes(whole.read_bytes()[:-200])
    (tmp_path / "cut_header.png").write_bytes(whole.read_bytes()[:20])
    (tmp_path / "text.png").write_text("no picture")
    for name, words in {
        "empty.png": "empty",
        "cut.png": "cannot be read",
        "cut_header.png": r"cannot be read|not a picture",
        "text.png": "not a picture",
        "missing.png": "no such file",
        ".": "folder",
    }.items():
        with pytest.raises(DataError, match=words):
            read_picture(tmp_path / name)
    (tmp_path / "loop.png").symlink_to("loop.png")
    for name, words in {
        "n" * 300: "name too long",
        "loop.png": "cannot be read",
        "whole.png/a.png": "directory",
    }.items():
        with pytest.raises(DataError, match=words):
            read_picture(tmp_path / name)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", ROWS * COLUMNS)
    with pytest.raises(DataError, match="pixels"):
        read_picture(whole)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.png")
    with pytest.raises(DataError, match="device or pipe"):
        read_picture(tmp_path / "a.png")


def test_no_other_program_sees_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _save(tmp_path / "a.eps", Image.fromarray(_colours())).rename(tmp_path / "photo.png")
    asked = []
    monkeypatch.setattr(EpsImagePlugin, "Ghostscript", lambda *_, **__: asked.append(True))
    with pytest.raises(DataError, match="not a picture"):
        read_picture(tmp_path / "photo.png")
    assert not asked


GREY = np.arange(1, ROWS * COLUMNS + 1, dtype=np.uint8).reshape(ROWS, COLUMNS)
LINES = b"".join(b"\0" + row.tobytes() for row in GREY)


@pytest.mark.parametrize("damage", [b"rubbish", b"II*\0\x08\0\0\0\xff\xff"])
def test_a_picture_with_damaged_exif_is_read(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "a.png").write_bytes(png_file(COLUMNS, ROWS, LINES, before=png_chunk(b"eXIf", damage)))
    planes, picture = read_picture(tmp_path / "a.png")
    np.testing.assert_allclose(planes[0], GREY / 255, atol=1e-7)
    assert picture.notes == ["EXIF data damaged"]


def test_a_chunk_with_a_wrong_checksum_is_left_out_if_the_picture_does_not_need_it(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 3
    for chunk, read in ((png_chunk(b"eXIf", exif.tobytes()[6:]), True), (png_chunk(b"PLTE", bytes(3)), False)):
        damaged = chunk[:-1] + bytes([chunk[-1] ^ 1])
        (tmp_path / "a.png").write_bytes(png_file(COLUMNS, ROWS, LINES, before=damaged))
        if read:
            planes, picture = read_picture(tmp_path / "a.png")
            np.testing.assert_allclose(planes[0], GREY / 255, atol=1e-7)
            assert picture.notes == ["damaged eXIf chunk left out"]
        else:
            with pytest.raises(DataError):
                read_picture(tmp_path / "a.png")


def test_a_picture_with_missing_rows_is_refused(tmp_path: Path) -> None:
    for kept in range(1, len(LINES)):
        (tmp_path / "a.png").write_bytes(png_file(COLUMNS, ROWS, LINES[:kept]))
        with pytest.raises(DataError, match="cannot be read"):
            read_picture(tmp_path / "a.png")


@pytest.mark.parametrize(("depth", "colours"), [(1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (8, 2), (16, 2)])
def test_a_colour_key_becomes_alpha_of_the_same_depth(tmp_path: Path, depth: int, colours: int) -> None:
    bands = 3 if colours else 1
    # At 16 bits the values differ in their high bytes alone.
    levels = np.array([257 if depth == 16 else 0, 1], np.uint16)
    pixels = np.repeat(levels[np.arange(8) % 2][None, :, None], bands, axis=2)
    bits = [format(value, f"0{depth}b") for value in pixels.ravel().tolist()]
    line = int("".join(bits), 2).to_bytes(len("".join(bits)) // 8, "big")
    key = png_chunk(b"tRNS", np.full(bands, 1, ">u2").tobytes())
    (tmp_path / "a.png").write_bytes(png_file(8, 1, b"\0" + line, depth=depth, colours=colours, before=key))
    picture = decode(tmp_path / "a.png")
    white, least = picture.white, 2**depth - 1
    assert (picture.colours, white) == (bands, 65535 if depth == 16 else 255)
    assert np.array_equal(picture.samples[..., :bands], pixels * (int(white) // least))
    assert np.array_equal(picture.samples[..., bands], np.where(np.arange(8) % 2, 0, white)[None])
    assert picture.notes == []


def test_what_is_not_read_is_said(tmp_path: Path) -> None:
    header = struct.pack(">HBBHHHH", 474, 0, 2, 2, COLUMNS, ROWS, 1) + bytes(500)
    (tmp_path / "a.sgi").write_bytes(header + bytes(2 * ROWS * COLUMNS))
    assert decode(tmp_path / "a.sgi").notes == ["16-bit samples read as 8-bit"]
    content = _save(tmp_path / "a.tif", Image.fromarray(_colours(bands=4))).read_bytes()
    extra = b"\x52\x01\x03\x00\x01\x00\x00\x00"  # the tag of a fourth channel: 2 is alpha, 0 is anything
    assert extra + b"\x02" in content
    (tmp_path / "a.tif").write_bytes(content.replace(extra + b"\x02", extra + b"\x00"))
    assert decode(tmp_path / "a.tif").notes == ["extra channels left out"]


def test_bitmaps_of_16_bits_a_pixel_lose_nothing(tmp_path: Path) -> None:
    sizes = struct.pack("<IiiHHIIiiII", 40, COLUMNS, ROWS, 1, 16, 3, 0, 0, 0, 0, 0)
    start = b"BM" + struct.pack("<IHHI", 0, 0, 0, 66) + sizes + struct.pack("<III", 0xF800, 0x07E0, 0x001F)
    (tmp_path / "a.bmp").write_bytes(start + bytes(2 * (COLUMNS + 1) * ROWS))
    assert decode(tmp_path / "a.bmp").notes == []
