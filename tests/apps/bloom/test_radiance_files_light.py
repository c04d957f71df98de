"""Linear light that is changed and written again: numbers, their precision, alpha and attributes stay."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.sentences import assert_one_sentence

from glfft.apps.bloom.radiance_files import is_light, load_exr, read_light, write_exr
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
    write_exr(tmp_path / "b.exr", picture.samples, picture.options["attributes"])
    again = read_light(tmp_path / "b.exr")
    np.testing.assert_array_equal(again.samples, values)
    kept = again.options["attributes"]
    assert {name: kept[name] for name in attributes} == attributes


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
