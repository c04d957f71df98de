"""Linear light that is changed and written again: numbers, their precision, alpha and attributes stay."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.sentences import refused

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
        with refused(DataError):
            read_light(tmp_path / name)
    # OpenEXR says of both what only its authors understand.
    write_exr(tmp_path / "whole.exr", np.random.default_rng(1).random((90, 80, 3), np.float32))
    (tmp_path / "cut.exr").write_bytes((tmp_path / "whole.exr").read_bytes()[:20000])
    for name in ("a.exr", "cut.exr"):
        with pytest.raises(DataError, match=r"is damaged or no OpenEXR picture \(.*\); export it anew\.$"):
            read_light(tmp_path / name)
    with pytest.raises(DataError):
        read_light(tmp_path / "missing.hdr")
    assert [is_light(Path(name)) for name in ("A.EXR", "a.hdr", "a.png")] == [True, True, False]


def test_a_part_of_a_frame_stays_in_its_place(tmp_path: Path) -> None:
    exr = pytest.importorskip("OpenEXR")
    values = light(3, (6, 8)).astype("f4")
    windows = {"dataWindow": ([2, 3], [9, 8]), "displayWindow": ([0, 0], [19, 15])}
    header = {name: tuple(np.array(corner, "i4") for corner in corners) for name, corners in windows.items()}
    exr.File({"type": exr.scanlineimage, **header}, {"RGB": values}).write(str(tmp_path / "a.exr"))
    picture = read_light(tmp_path / "a.exr")
    write_exr(tmp_path / "b.exr", picture.samples, picture.options["attributes"])
    with exr.File(str(tmp_path / "b.exr")) as file:
        assert np.array_equal(file.channels()["RGB"].pixels, values)
        for name, corners in windows.items():
            assert np.array_equal(file.header()[name], corners)


def test_parts_of_a_file_that_are_not_read_are_said(tmp_path: Path) -> None:
    exr = pytest.importorskip("OpenEXR")
    values = light(3, (6, 8)).astype("f4")
    parts = [exr.Part({"name": name, "type": exr.scanlineimage}, {"RGB": values}) for name in "ab"]
    exr.File(parts).write(str(tmp_path / "a.exr"))
    assert read_light(tmp_path / "a.exr").notes == ["first part of several"]
