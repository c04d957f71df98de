"""Archives of spectra: what is written can be read, and nothing else is, whatever the file claims."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from support.sentences import assert_one_sentence

from glfft.apps.spectrum.archive import Archive, load_archive, save_archive
from glfft.apps.spectrum.fitting import Fit, choose_fit
from glfft.apps.spectrum.options import FITS
from glfft.errors import DataError

# Far less than any of the files here claims to hold.
LITTLE_MEMORY = 8 << 20


def _archive(channel: str = "luminance", fit: Fit | None = None, source: str = "photo.png") -> Archive:
    fit = fit or choose_fit("pad", (5, 7), 16384)
    generator = np.random.default_rng(0)
    planes = generator.random((3 if channel == "rgb" else 1, *fit.fitted), np.float32)
    spectrum = np.fft.fft2(planes).astype(np.complex64)
    return Archive(spectrum, planes, fit, channel, "hann", "RGB", 8, 255.0, source)


def _saved(path: Path, archive: Archive | None = None, **changes: Any) -> Path:
    """An archive on disk, with some of its entries replaced, or left out for None."""
    save_archive(path, archive or _archive(), {})
    with np.load(path) as data:
        entries = {**data, **changes}
    kept: dict[str, Any] = {name: np.asarray(value) for name, value in entries.items() if value is not None}
    np.savez(path, **kept)
    return path


def _refused(path: Path, words: str) -> None:
    """Fail unless the file is refused with these words, and without taking memory."""
    tracemalloc.start()
    try:
        with pytest.raises(DataError, match=words) as caught:
            load_archive(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert_one_sentence(str(caught.value).removeprefix(f"{path} "))
    assert peak < LITTLE_MEMORY


@pytest.mark.parametrize("fit", FITS)
@pytest.mark.parametrize("channel", ["luminance", "rgb"])
@pytest.mark.parametrize("source", ["photo.png", "é.png", os.fsdecode(b"\xff.png")])
def test_what_is_saved_comes_back(tmp_path: Path, channel: str, source: str, fit: str) -> None:
    archive = _archive(channel, choose_fit(fit, (5, 7), 16384), source)
    back = load_archive(_saved(tmp_path / "d.npz", archive))
    np.testing.assert_array_equal(back.spectrum, archive.spectrum)
    np.testing.assert_array_equal(back.input, archive.input)
    for name in ("fit", "channel", "window", "mode", "bit_depth", "white", "source"):
        assert getattr(back, name) == getattr(archive, name)


def test_a_compressed_archive_is_read_too(tmp_path: Path) -> None:
    with np.load(_saved(tmp_path / "d.npz")) as data:
        np.savez_compressed(tmp_path / "d.npz", **data)
    np.testing.assert_array_equal(load_archive(tmp_path / "d.npz").spectrum, _archive().spectrum)


def test_a_small_file_cannot_claim_a_large_picture(tmp_path: Path) -> None:
    _refused(_saved(tmp_path / "d.npz", original_shape=(20000, 20000)), "shapes do not belong together")
    # One bin, as the fit would have it, if any device's limit were that low.
    one = np.zeros((1, 1), np.complex64)
    changes = {"fit": "crop", "spectrum": one, "input": one.real}
    _refused(_saved(tmp_path / "d.npz", original_shape=(20000, 20000), **changes), "shapes do not belong together")


def test_pictures_over_the_limit_of_pictures_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _saved(tmp_path / "d.npz")
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 35)
    load_archive(path)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 34)
    _refused(path, "7x5, and none of more than 34 pixels")


def test_a_file_that_unpacks_to_far_more_than_its_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "d.npz"
    with np.load(_saved(path, original_shape=(4096, 4096))) as data:
        entries = dict(data)
    for name in ("spectrum", "input"):
        del entries[name]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for name, value in entries.items():
            content = io.BytesIO()
            np.save(content, value)
            file.writestr(f"{name}.npy", content.getvalue())
        for name, dtype in (("spectrum", np.complex64), ("input", np.float32)):
            with file.open(f"{name}.npy", "w") as member:
                header = {"descr": np.lib.format.dtype_to_descr(np.dtype(dtype)), "fortran_order": False}
                np.lib.format.write_array_header_1_0(member, {**header, "shape": (4096, 4096)})
                for _ in range(4096):
                    member.write(bytes(4096 * np.dtype(dtype).itemsize))
    assert path.stat().st_size < 1 << 20
    _refused(path, "would unpack to 20132[0-9]{4}, which may be an attack on memory")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"bit_depth": np.inf}, "no number"),
        ({"bit_depth": np.nan}, "no number"),
        ({"bit_depth": 2**62}, "out of range"),
        ({"white": np.inf}, "out of range"),
        ({"white": np.nan}, "out of range"),
        ({"white": -1.0}, "out of range"),
        ({"white": "paper"}, "no number"),
        ({"original_shape": [2**63, 2**63]}, "belong together"),
        ({"original_shape": [-(2**63), 7]}, "belong together"),
        ({"original_shape": [np.inf, 7]}, "no number"),
        ({"original_shape": [5, 7, 9]}, "no number"),
        ({"original_shape": 7}, "no number"),
        ({"original_shape": np.zeros((2, 99999))}, "too long"),
        ({"original_shape": [9, 7]}, "belong together"),
        ({"fit": "crop"}, "belong together"),
        ({"fit": "exact"}, "belong together"),
        ({"mode": "x" * 99999}, "too long"),
        ({"mode": None}, "has no 'mode'"),
        ({"spectrum": np.zeros((8, 8), np.complex128)}, "not complex64"),
        ({"input": np.zeros((8, 4), np.float32)}, "same shape"),
        ({"spectrum": np.zeros(8, np.complex64), "input": np.zeros(8, np.float32)}, "belong together"),
    ],
)
def test_settings_that_are_never_written_are_refused(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    _refused(_saved(tmp_path / "d.npz", **changes), words)


@pytest.mark.parametrize(
    "header",
    [
        b"\x93NUMPY\x01\x00",
        b"\x93NUMPY\x02\x00\xff\xff\xff\xff",
        b"\x93NUMPY\x09\x00v\x00",
        b"\x93NUMPY\x01\x00\x04\x00((((",
        b"\x93NUMPY\x01\x00\x04\x00\xff\xfe\xfd\n",
        b"\x93NUMPY\x01\x00\x38\x00{'descr': '<c8', 'fortran_order': False, 'shape': (8,)}\n",
        b"\x93NUMPY\x01\x00\x47\x00{'descr': '<c8', 'fortran_order': False, 'shape': (99999999999999999,)}\n",
        b"not numpy",
        b"",
    ],
)
@pytest.mark.parametrize("name", ["spectrum", "input", "original_shape", "white", "format"])
def test_rubbish_headers_are_refused(tmp_path: Path, name: str, header: bytes) -> None:
    path = _saved(tmp_path / "d.npz", **{name: None})
    with zipfile.ZipFile(path, "a") as file:
        file.writestr(f"{name}.npy", header)
    _refused(path, "damaged|is not an .npz file that")


def test_names_the_system_cannot_open_are_sentences(tmp_path: Path) -> None:
    (tmp_path / "loop.npz").symlink_to("loop.npz")
    for path, words in {
        tmp_path / "missing.npz": "no such file or directory; name an",
        tmp_path: "is a directory; name",
        tmp_path / f"{'n' * 300}.npz": "too long",
        tmp_path / "loop.npz": "cannot be read",
    }.items():
        with pytest.raises(DataError, match=words):
            load_archive(path)


@pytest.mark.parametrize("make", [lambda path: os.mkfifo(path), lambda path: path.symlink_to("/dev/zero")])
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_and_devices_are_not_waited_for(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "d.npz")
    program = "import sys\nfrom glfft.apps.spectrum.archive import load_archive\nload_archive(sys.argv[1])\n"
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "d.npz")], stderr=subprocess.PIPE, check=False, timeout=60
    )
    assert b"is a device or pipe" in done.stderr
