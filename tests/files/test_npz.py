"""Reading .npz files of strangers; test_archive.py has damaged and hostile ones of whole archives."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from glfft.errors import DataError
from glfft.files.npz import UnexpectedNpz, open_npz


def test_headers_and_arrays_are_read(folder: Path) -> None:
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.savez("a.npz", values=values)
    with open_npz("a.npz", "a file") as file:
        assert file.header("values") == ((2, 3), np.float32)
        assert np.array_equal(file.read("values"), values)


def test_what_the_block_did_not_expect_is_named(folder: Path) -> None:
    np.savez("a.npz", values=np.ones(3), objects=np.array([{}], object))
    said = r"a.npz is not a file with sense \(it has no 'other'\); name one that is\."
    with pytest.raises(DataError, match=said), open_npz("a.npz", "a file with sense") as file:
        file.header("other")
    with pytest.raises(DataError, match="no plain array"), open_npz("a.npz", "a file") as file:
        file.header("objects")
    with pytest.raises(DataError, match="too odd"), open_npz("a.npz", "a file"):
        raise UnexpectedNpz("too odd")


def test_what_cannot_be_opened_is_named(folder: Path) -> None:
    Path("text.npz").write_text("no arrays")
    for name, said in (
        ("none.npz", "no such file"),
        (".", "is a directory"),
        ("/dev/null", "device"),
        ("text.npz", "damaged"),
    ):
        with pytest.raises(DataError, match=f"{said}.*name (a file|that)"), open_npz(name, "a file"):
            pass
