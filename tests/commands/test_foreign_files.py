"""Sounds and OpenEXR pictures, whole and damaged, given to every command that reads a file: none is for them."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.files import left_behind

from glfft.commands.cli import main

READERS = {
    "spectrum": ["spectrum", "FILE", "-o", "out.png"],
    "spectrum --inverse": ["spectrum", "--inverse", "FILE", "-o", "out.png"],
    "bloom": ["bloom", "FILE", "-o", "out.png"],
    "filter": ["filter", "FILE", "--kernel", "gaussian:1", "-o", "out.png"],
    "filter --kernel": ["filter", "no.png", "--kernel", "FILE", "-o", "out.png"],
    "match": ["match", "FILE", "FILE", "-o", "out.png"],
    "channelize": ["channelize", "FILE", "--channels", "8"],
    "ocean --settings": ["ocean", "--settings", "FILE", "--headless", "--output", "out.png"],
    "ocean --buoy": ["ocean", "--buoy", "FILE", "--headless", "--output", "out.png"],
    "ocean --camera-path": ["ocean", "--camera-path", "FILE", "--headless", "--output", "out.png"],
    "ocean bake": ["ocean", "bake", "--frames", "0:1", "-o", "out", "--settings", "FILE"],
}
NAMES = ("a.wav", "a.exr", "a.png", "a.npz", "a.toml", "a.data_spec", "a.sigmf-meta", "a.txt")


def sound() -> bytes:
    """A WAV file of 16 bits."""
    samples = np.random.default_rng(1).integers(-9999, 9999, 64).astype("<i2").tobytes()
    described = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 2, 8000, 32000, 4, 16)
    chunks = b"WAVE" + described + struct.pack("<4sI", b"data", len(samples)) + samples
    return struct.pack("<4sI", b"RIFF", len(chunks)) + chunks


def exr() -> bytes:
    """An OpenEXR picture of one float32 channel, 4 x 2, not compressed (OpenEXR file layout, version 2)."""

    def attribute(name: bytes, kind: bytes, value: bytes) -> bytes:
        return name + b"\0" + kind + b"\0" + struct.pack("<I", len(value)) + value

    box = struct.pack("<4i", 0, 0, 3, 1)
    header = b"\x76\x2f\x31\x01" + struct.pack("<I", 2)
    header += attribute(b"channels", b"chlist", b"Y\0" + struct.pack("<iiii", 2, 0, 1, 1) + b"\0")
    header += attribute(b"compression", b"compression", b"\0") + attribute(b"lineOrder", b"lineOrder", b"\0")
    header += attribute(b"dataWindow", b"box2i", box) + attribute(b"displayWindow", b"box2i", box)
    header += attribute(b"pixelAspectRatio", b"float", struct.pack("<f", 1.0))
    header += attribute(b"screenWindowCenter", b"v2f", bytes(8))
    header += attribute(b"screenWindowWidth", b"float", struct.pack("<f", 1.0)) + b"\0"
    lines = [struct.pack("<iI4f", row, 16, *np.random.default_rng(row).random(4)) for row in range(2)]
    first = len(header) + 16
    return header + struct.pack("<2Q", first, first + len(lines[0])) + b"".join(lines)


def test_the_picture_is_one(tmp_path: Path) -> None:
    package = pytest.importorskip("OpenEXR")
    (tmp_path / "a.exr").write_bytes(exr())
    with package.File(str(tmp_path / "a.exr")) as file:
        assert file.channels()["Y"].pixels.shape == (2, 4)


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    reader=st.sampled_from(list(READERS)),
    name=st.sampled_from(NAMES),
    made=st.sampled_from([sound, exr]),
    seed=st.integers(0, 2**32 - 1),
    flipped=st.integers(0, 4),
    cut=st.booleans(),
)
def test_it_is_refused_in_one_sentence_and_nothing_is_written(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    reader: str,
    name: str,
    made: Callable[[], bytes],
    seed: int,
    flipped: int,
    cut: bool,
) -> None:
    content = bytearray(made())
    generator = np.random.default_rng(seed)
    for place in generator.integers(0, len(content), flipped):
        content[place] = generator.integers(256)
    if cut:
        del content[generator.integers(len(content)) :]
    Path(name).write_bytes(content)
    capsys.readouterr()
    assert main([name if word == "FILE" else word for word in READERS[reader]]) in (1, 2)
    out, error = capsys.readouterr()
    assert out == ""
    assert error.count("\n") == 1, error
    assert "Unexpected" not in error
    assert left_behind(folder) == [name]
    Path(name).unlink()
