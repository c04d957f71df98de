"""Damaged chunks and missing rows of PNG files are found, in every layout of their pixels."""

from __future__ import annotations

import io
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from support.png import png_chunk, png_file

from glfft.apps.spectrum import png


def _row_bytes(columns: int, rows: int, bits: int, interlaced: bool) -> int:
    """Bytes of all rows with their filters, counted pixel by pixel: each pass takes those its 8 x 8 pattern names."""
    pattern = np.array(
        [
            [1, 6, 4, 6, 2, 6, 4, 6],
            [7, 7, 7, 7, 7, 7, 7, 7],
            [5, 6, 5, 6, 5, 6, 5, 6],
            [7, 7, 7, 7, 7, 7, 7, 7],
            [3, 6, 4, 6, 3, 6, 4, 6],
            [7, 7, 7, 7, 7, 7, 7, 7],
            [5, 6, 5, 6, 5, 6, 5, 6],
            [7, 7, 7, 7, 7, 7, 7, 7],
        ]
    )
    passes = np.tile(pattern if interlaced else np.ones_like(pattern), (rows // 8 + 1, columns // 8 + 1))
    total = 0
    for number in range(1, 8):
        for row in passes[:rows, :columns]:
            pixels = int(np.count_nonzero(row == number))
            total += 1 + (pixels * bits + 7) // 8 if pixels else 0
    return total


@given(
    columns=st.integers(1, 20),
    rows=st.integers(1, 20),
    layout=st.sampled_from([(1, 0, 1), (4, 3, 4), (8, 0, 8), (8, 2, 24), (16, 4, 32), (16, 6, 64)]),
    interlaced=st.booleans(),
    pieces=st.integers(1, 3),
)
def test_one_byte_less_than_all_rows_is_noticed(
    columns: int, rows: int, layout: tuple[int, int, int], interlaced: bool, pieces: int
) -> None:
    depth, colours, bits = layout
    whole = bytes(_row_bytes(columns, rows, bits, interlaced))
    for lines, complete in ((whole, True), (whole + b"more", True), (whole[:-1], False)):
        content = png_file(columns, rows, lines, depth, colours, interlaced, pieces=pieces)
        assert png.has_all_rows(content) == complete


@given(st.integers(1, 20), st.integers(1, 20), st.integers(1, 25), st.integers(0, 2**32 - 1))
def test_a_quick_file_holds_the_pixels(rows: int, columns: int, strip: int, seed: int) -> None:
    # One band of four left out, as what is read from a texture.
    pixels = np.random.default_rng(seed).integers(0, 256, (rows, columns, 4), dtype=np.uint8)[..., :3]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(png, "_STRIP_ROWS", strip)
        content = png.quick_file(pixels)
    with Image.open(io.BytesIO(content)) as image:
        assert np.array_equal(np.asarray(image), pixels)
    assert png.without_damaged_chunks(content) == (content, [])
    # zlib compares the checksum of all rows, which Pillow does not.
    data = b"".join(content[start + 8 : end - 4] for name, start, end in png._chunks(content) if name == b"IDAT")
    assert len(zlib.decompress(data)) == rows * (1 + 3 * columns)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_what_pillow_writes_is_whole_and_undamaged(mode: str) -> None:
    written = io.BytesIO()
    Image.effect_noise((37, 21), 90).convert(mode).save(written, "PNG")
    assert png.has_all_rows(written.getvalue())
    assert png.without_damaged_chunks(written.getvalue()) == (written.getvalue(), [])


def test_damaged_chunks_go_and_all_else_stays() -> None:
    good, bad = png_chunk(b"tEXt", b"a\0good"), png_chunk(b"tEXt", b"a\0bad")[:-1] + b"?"
    damaged = png_file(1, 1, b"\0\0", before=bad + good + bad) + b"after the end"
    assert png.without_damaged_chunks(damaged) == (
        png_file(1, 1, b"\0\0", before=good) + b"after the end",
        ["tEXt", "tEXt"],
    )


@given(st.binary(max_size=80))
def test_any_bytes_may_follow_the_signature(content: bytes) -> None:
    png.without_damaged_chunks(png.SIGNATURE + content)


@pytest.mark.parametrize("bands", [2, 3, 4])
def test_colours_of_16_bits_are_whole(bands: int) -> None:
    samples = np.random.default_rng(0).integers(0, 65536, (9, 13, bands), np.uint16)
    content = png.deep_file(samples, {"dpi": (300, 300)})
    assert png.without_damaged_chunks(content) == (content, [])
    assert png.has_all_rows(content)
    with Image.open(io.BytesIO(content)) as image:
        assert image.size == (13, 9)
        assert round(image.info["dpi"][0]) == 300
        assert np.array_equal(np.asarray(image)[..., -bands:], samples >> 8)  # Pillow reads the high byte
