"""TIFF files as another reader sees them; test_stored_pictures.py has round trips with profiles and EXIF."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from glfft.apps.spectrum.stored_pictures import tiff_file


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
        # Of colours with 16 bits Pillow reads the high byte.
        expected = samples >> 8 if dtype == "uint16" and bands > 1 else samples
        assert np.array_equal(np.asarray(image).reshape(samples.shape), expected)
