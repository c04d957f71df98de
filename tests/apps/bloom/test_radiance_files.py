"""Light read from files and written to them: values kept, damaged files refused in a sentence."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ExifTags, Image
from support.files import left_behind
from support.sentences import assert_one_sentence

from glfft.apps.bloom.radiance_files import decode_hdr, read_radiance, write_exr
from glfft.errors import DataError


def light(rows=9, columns=14):
    return (np.random.default_rng(5).random((rows, columns, 3)) ** 4 * 3000).astype(np.float32)


def encode_hdr(picture, runs=True, order="-Y {} +X {}"):
    """A Radiance HDR file: mantissas of 8 bits under an exponent for each pixel (Ward, "Real Pixels")."""
    rows, columns = picture.shape[:2]
    exponents = np.frexp(picture.max(axis=-1))[1]
    pixels = np.concatenate([picture / np.ldexp(1.0, exponents - 8)[..., None], exponents[..., None] + 128], axis=-1)
    pixels = np.floor(pixels).astype(np.uint8)
    data = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n" + order.format(rows, columns).encode() + b"\n"
    if not runs:
        return data + pixels.tobytes()
    for row in pixels:
        data += bytes([2, 2, columns >> 8, columns & 255])
        for channel in row.T:
            middle = columns // 2
            # The first half as numbers one by one, the second as a run where it can be one.
            data += bytes([middle]) + channel[:middle].tobytes()
            for value in channel[middle:]:
                data += bytes([129, value])
    return data


@pytest.mark.parametrize("runs", [True, False])
def test_a_radiance_picture_keeps_8_bits_of_each_pixel(tmp_path, runs):
    picture = light()
    (tmp_path / "a.hdr").write_bytes(encode_hdr(picture, runs))
    found, beyond_white = read_radiance(tmp_path / "a.hdr")
    assert beyond_white
    assert (abs(found - picture) <= picture.max(axis=-1, keepdims=True) / 128).all()


def test_rows_from_the_bottom_are_turned_over():
    picture = light()
    upright, turned = (decode_hdr(encode_hdr(picture, order=order)) for order in ("-Y {} +X {}", "+Y {} +X {}"))
    np.testing.assert_array_equal(turned[::-1], upright)


def test_line_ends_of_windows_are_read():
    content = encode_hdr(picture := light())
    start = content.index(b"-Y")
    pixels = content.index(b"\n", start) + 1
    windows = content[:pixels].replace(b"\n", b"\r\n") + content[pixels:]
    np.testing.assert_array_equal(decode_hdr(windows), decode_hdr(content))
    assert decode_hdr(windows).shape == picture.shape


WHOLE = encode_hdr(light(4, 9))


@settings(max_examples=200)
@given(st.integers(0, len(WHOLE)), st.integers(0, len(WHOLE) - 1), st.integers(0, 255))
def test_a_damaged_radiance_picture_is_read_or_refused(length, place, byte):
    damaged = bytearray(WHOLE)
    damaged[place] = byte
    for content in (bytes(damaged), WHOLE[:length]):
        with suppress(DataError):
            assert decode_hdr(content).ndim == 3


def test_an_exr_keeps_half_floats(tmp_path):
    pytest.importorskip("OpenEXR")
    picture = light()
    write_exr(tmp_path / "a.exr", picture.astype(np.float16))
    found, beyond_white = read_radiance(tmp_path / "a.exr")
    assert beyond_white
    np.testing.assert_array_equal(found, picture.astype(np.float16))
    assert left_behind(tmp_path) == ["a.exr"]


def test_a_grey_exr_is_read_as_three_equal_colours(tmp_path):
    exr = pytest.importorskip("OpenEXR")
    plane = light()[..., 0].copy()
    with exr.File({"compression": exr.ZIP_COMPRESSION, "type": exr.scanlineimage}, {"Y": plane}) as file:
        file.write(str(tmp_path / "a.exr"))
    found, _ = read_radiance(tmp_path / "a.exr")
    for channel in range(3):
        np.testing.assert_array_equal(found[..., channel], plane)


def test_8_bits_are_srgb(tmp_path):
    levels = np.arange(256, dtype=np.uint8).reshape(16, 16)
    Image.fromarray(np.stack([levels] * 3, axis=-1)).save(tmp_path / "a.png")
    found, beyond_white = read_radiance(tmp_path / "a.png")
    assert not beyond_white
    assert found.dtype == np.float32
    assert found[0, 0, 0] == 0
    assert found[-1, -1, 0] == pytest.approx(1)
    # IEC 61966-2-1: middle grey, 18 % of white, is close to level 118.
    assert found.reshape(-1, 3)[118, 1] == pytest.approx(0.18, abs=0.002)


def test_what_is_left_out_is_said(tmp_path):
    Image.new("RGBA", (16, 16), (9, 9, 9, 128)).save(tmp_path / "a.png")
    frames = [Image.new("L", (16, 16), level) for level in (0, 255)]
    frames[0].save(tmp_path / "a.gif", save_all=True, append_images=frames[1:])
    for name, said in (("a.png", "alpha left out"), ("a.gif", "first frame of several")):
        with pytest.warns(UserWarning, match=rf"{name}: {said}\.$"):
            read_radiance(tmp_path / name)


def test_alpha_of_light_is_left_out_and_said(tmp_path):
    pytest.importorskip("OpenEXR")
    picture = light()[..., [0, 1, 2, 0]]
    write_exr(tmp_path / "a.exr", picture)
    with pytest.warns(UserWarning, match=r"a\.exr: alpha left out\.$"):
        found, _ = read_radiance(tmp_path / "a.exr")
    np.testing.assert_array_equal(found, picture[..., :3])


@pytest.mark.filterwarnings("error")
def test_a_picture_that_is_read_whole_is_read_in_silence(tmp_path):
    turned = Image.Exif()
    turned[ExifTags.Base.Orientation] = 6
    Image.new("RGB", (16, 20)).save(tmp_path / "a.jpg", exif=turned)
    assert read_radiance(tmp_path / "a.jpg")[0].shape == (16, 20, 3)


@pytest.mark.parametrize("names", [["beauty.R", "beauty.G"], ["R", "G"], ["Z"]])
def test_an_exr_without_colours_is_refused(tmp_path, names):
    exr = pytest.importorskip("OpenEXR")
    planes = {name: np.ones((4, 5), np.float32) for name in names}
    with exr.File({"compression": exr.ZIP_COMPRESSION, "type": exr.scanlineimage}, planes) as file:
        file.write(str(tmp_path / "a.exr"))
    with pytest.raises(DataError, match="R, G and B are needed"):
        read_radiance(tmp_path / "a.exr")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("missing.exr", None),
        ("missing.hdr", None),
        ("missing.png", None),
        ("empty.exr", b""),
        ("empty.hdr", b""),
        ("noise.exr", b"noise" * 99),
        ("noise.hdr", b"noise" * 99),
        ("noise.png", b"noise" * 99),
        ("cut.hdr", WHOLE[:-5]),
        ("huge.hdr", b"#?RADIANCE\n\n-Y 999999 +X 999999\n"),
    ],
)
def test_what_is_no_picture_is_a_sentence(tmp_path: Path, name, content):
    if name.endswith(".exr") and content is not None:
        pytest.importorskip("OpenEXR")
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError) as refused:
        read_radiance(tmp_path / name)
    message = str(refused.value)
    assert name in message
    assert_one_sentence(message.removeprefix(f"{tmp_path / name}: ").replace(str(tmp_path), "Folder"))
