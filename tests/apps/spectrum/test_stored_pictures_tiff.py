"""TIFF files as another reader sees them; test_stored_pictures.py has round trips with profiles and EXIF."""

from __future__ import annotations

import io
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, TiffImagePlugin

from glfft.apps.spectrum.stored_pictures import read_stored, tiff_file
from glfft.errors import DataError


@pytest.mark.parametrize("compress", [True, False])
@pytest.mark.parametrize(
    ("dtype", "bands", "mode"),
    [
        ("uint8", 1, "L"),
        ("uint8", 2, "LA"),
        ("uint8", 3, "RGB"),
        ("uint8", 4, "RGBA"),
        ("uint16", 1, "I;16"),
        ("uint16", 3, "RGB"),
        ("float32", 1, "F"),
    ],
)
@pytest.mark.parametrize("shape", [(9, 13), (1, 1), (700, 800)])
def test_pillow_reads_what_was_written(
    dtype: str, bands: int, mode: str, compress: bool, shape: tuple[int, int]
) -> None:
    samples = np.random.default_rng(0).integers(0, 200, (*shape, bands)).astype(dtype)
    if dtype == "uint16":
        samples *= 300
    content = tiff_file(samples, {270: "a note"}, b"profile", compress)
    with Image.open(io.BytesIO(content)) as image:
        assert (image.size, image.mode) == (shape[::-1], mode)
        assert image.info["icc_profile"] == b"profile"
        assert image.getexif()[270] == "a note"
        # Pillow reads the high byte of colours with 16 bits.
        expected = samples >> 8 if dtype == "uint16" and bands > 1 else samples
        assert np.array_equal(np.asarray(image).reshape(samples.shape), expected)


def tiff_of(
    bits: tuple[int, ...],
    planes: list[bytes],
    columns: int,
    rows: int,
    compression: int = 1,
    prefix: bytes = b"II",
    sample_format: int = 1,
) -> bytes:
    """A file of grey, or of grey and alpha or RGB with a strip for each band."""
    directory = TiffImagePlugin.ImageFileDirectory_v2(prefix=prefix)
    directory.tagtype[273] = directory.tagtype[279] = 4
    offsets = tuple(sum(map(len, planes[:index])) for index in range(len(planes)))
    tags = {
        256: columns,
        257: rows,
        258: bits,
        259: compression,
        262: 2 if len(bits) > 2 else 1,
        277: len(bits),
        278: rows,
    }
    tags |= {339: (sample_format,) * len(bits)} | ({338: 2} if len(bits) == 2 else {})
    directory.update(tags | {273: offsets, 279: tuple(map(len, planes)), 284: min(2, len(planes))})
    file = io.BytesIO()
    directory.save(file)
    return file.getvalue() + b"".join(planes)


def test_white_of_12_bits_is_white(folder: Path) -> None:
    Path("a.tif").write_bytes(tiff_of((12,), [bytes([0xFF, 0xF8, 0x00, 0x00, 0x10, 0x00])], 4, 1))
    assert read_stored("a.tif").samples.ravel().tolist() == [65535, 0x8008, 0x10, 0]


@pytest.mark.parametrize("compression", [1, 8])
def test_deep_colours_in_separate_planes_are_refused_and_not_mixed_up(folder: Path, compression: int) -> None:
    planes = [np.full(4, value, "<u2").tobytes() for value in (0x1234, 0x5678, 0x9ABC)]
    strips = planes if compression == 1 else [zlib.compress(plane) for plane in planes]
    Path("a.tif").write_bytes(tiff_of((16, 16, 16), strips, 4, 1, compression))
    with pytest.raises(DataError, match="separate planes"):
        read_stored("a.tif")
    Path("b.tif").write_bytes(tiff_of((8, 8, 8), [bytes(4), b"\x01" * 4, b"\x02" * 4], 4, 1))
    assert read_stored("b.tif").samples.tolist() == [[[0, 1, 2]] * 4]


@pytest.mark.parametrize("compression", [1, 8])
def test_grey_and_alpha_in_separate_planes_are_refused(folder: Path, compression: int) -> None:
    plane = bytes([200] * 4) if compression == 1 else zlib.compress(bytes([200] * 4))
    Path("a.tif").write_bytes(tiff_of((8, 8), [plane, plane], 4, 1, compression))
    with pytest.raises(DataError, match="separate planes"):
        read_stored("a.tif")


@pytest.mark.parametrize("compression", [1, 8])
@pytest.mark.parametrize(("dtype", "sample_format"), [("f4", 3), ("i4", 2)])
def test_big_endian_numbers_of_32_bits_are_read_compressed_too(
    folder: Path, dtype: str, sample_format: int, compression: int
) -> None:
    values = np.array([0, 1, 70, 300], dtype)
    plane = values.astype(f">{dtype}").tobytes()
    strips = [plane if compression == 1 else zlib.compress(plane)]
    Path("a.tif").write_bytes(tiff_of((32,), strips, 4, 1, compression, b"MM", sample_format))
    assert np.array_equal(read_stored("a.tif").samples.ravel(), values)
