"""Linear light that is changed and written again: numbers, their precision, alpha and attributes stay."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.sentences import assert_one_sentence

from glfft.apps.bloom.radiance_files import decode_hdr, encode_hdr, exr_channels, load_exr, write_exr
from glfft.apps.filter_kernels import is_light, read_light, write_light
from glfft.errors import DataError


def light(bands: int, shape: tuple[int, int] = (9, 300)) -> np.ndarray:
    return np.random.default_rng(5).random((*shape, bands)) ** 4 * 3000


@pytest.mark.parametrize("dtype", ["f2", "f4"])
@pytest.mark.parametrize(("bands", "colours"), [(3, 3), (4, 3), (1, 1), (2, 1)])
def test_openexr_pictures_come_back_as_they_were(tmp_path: Path, dtype: str, bands: int, colours: int) -> None:
    pytest.importorskip("OpenEXR")
    values = light(bands).astype(dtype)
    attributes = {"comments": "by hand", "whiteLuminance": 80.0, "compression": load_exr().PIZ_COMPRESSION}
    write_exr(tmp_path / "a.exr", values, attributes)
    picture = read_light(tmp_path / "a.exr")
    assert picture.colours == colours
    assert picture.samples.dtype == np.dtype(dtype)
    write_light(tmp_path / "b.exr", picture)
    again = read_light(tmp_path / "b.exr")
    np.testing.assert_array_equal(again.samples, values)
    kept = exr_channels(tmp_path / "b.exr")[1]
    assert {name: kept[name] for name in attributes} == attributes


@pytest.mark.parametrize("columns", [5, 8, 300])
def test_radiance_pictures_keep_eight_bits_and_their_header(tmp_path: Path, columns: int) -> None:
    values = light(3, (6, columns)).astype(np.float32)
    values[0, 0], values[1, 1] = 0.0, 1e-30
    header = b"#?RADIANCE\nEXPOSURE=2.0\nFORMAT=32-bit_rle_rgbe"
    (tmp_path / "a.hdr").write_bytes(encode_hdr(values, header))
    picture = read_light(tmp_path / "a.hdr")
    # A mantissa is at least 128 of 256, and cut.
    assert (np.abs(picture.samples - values) <= values.max(axis=-1, keepdims=True) / 128).all()
    write_light(tmp_path / "b.hdr", picture)
    content = (tmp_path / "b.hdr").read_bytes()
    assert content.startswith(header)
    np.testing.assert_array_equal(decode_hdr(content), picture.samples)


def test_what_cannot_be_read_is_said_in_a_sentence(tmp_path: Path) -> None:
    pytest.importorskip("OpenEXR")
    for name, content in (("a.exr", b"nothing"), ("b.hdr", b"nothing"), ("c.exr", b"")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(DataError) as caught:
            read_light(tmp_path / name)
        assert_one_sentence(str(caught.value))
    with pytest.raises(DataError):
        read_light(tmp_path / "missing.hdr")
    assert [is_light(Path(name)) for name in ("A.EXR", "a.hdr", "a.png")] == [True, True, False]
