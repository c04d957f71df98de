"""WAV files of every kind, truncated ones refused with the byte; and a microphone that may be missing."""

from __future__ import annotations

import struct
import sys
import tracemalloc
import types
import warnings
import wave
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glfft.errors import DataError, MissingExtraError
from glfft.streaming.sources import microphone, wav_samples

SIGNAL = np.random.default_rng(1).uniform(-1, 1, (1000, 2))


def wav(path: Path, form: int, bits: int, data: bytes, channels: int = 2, extensible: bool = False) -> Path:
    """A WAV file with a chunk that nobody knows before its samples."""
    frame = channels * bits // 8
    described = struct.pack("<HHIIHH", 0xFFFE if extensible else form, channels, 8000, 8000 * frame, frame, bits)
    if extensible:
        described += struct.pack("<HHIH14x", 22, bits, 3, form)
    chunks = b"".join(
        name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)
        for name, content in ((b"fmt ", described), (b"odd ", b"abc"), (b"data", data))
    )
    path.write_bytes(b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks)
    return path


@pytest.mark.parametrize(
    ("form", "bits", "encode"),
    [
        (1, 8, lambda x: np.round(x * 127 + 128).astype("u1").tobytes()),
        (1, 16, lambda x: np.round(x * 32767).astype("<i2").tobytes()),
        (1, 24, lambda x: np.round(x * 8388607).astype("<i4").view("u1").reshape(-1, 4)[:, :3].tobytes()),
        (1, 32, lambda x: np.round(x * 2147483647).astype("<i4").tobytes()),
        (3, 32, lambda x: x.astype("<f4").tobytes()),
        (3, 64, lambda x: x.astype("<f8").tobytes()),
    ],
)
@pytest.mark.parametrize("extensible", [False, True])
def test_samples_are_read_whatever_their_kind(
    tmp_path: Path, form: int, bits: int, encode: Any, extensible: bool
) -> None:
    sound = wav_samples(wav(tmp_path / "a.wav", form, bits, encode(SIGNAL), extensible=extensible))
    found = np.concatenate(list(sound.samples))
    assert sound.rate == 8000
    assert found.dtype == np.float32
    # Half a step, and a step for a full scale that is one step less.
    assert np.abs(found - SIGNAL).max() < 1.5 / 2 ** (min(bits, 24) - 1)


def test_what_pythons_own_module_writes_is_read(tmp_path: Path) -> None:
    path = tmp_path / "b.wav"
    numbers = np.round(SIGNAL[:, 0] * 32767).astype("<i2")
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(44100)
        file.writeframes(numbers.tobytes())
    sound = wav_samples(path)
    assert sound.rate == 44100
    assert np.array_equal(np.concatenate(list(sound.samples))[:, 0] * 32768, numbers)


def test_a_truncated_file_is_refused_with_the_byte(tmp_path: Path) -> None:
    path = wav(tmp_path / "c.wav", 1, 16, bytes(4000))
    whole = path.read_bytes()
    for size, words in (
        (len(whole) - 10, f"ends at byte {len(whole) - 10}, and its samples should end at byte {len(whole)}"),
        (30, "ends at byte 30, before its samples"),
        (5, "ends at byte 5, before its samples"),
    ):
        path.write_bytes(whole[:size])
        with pytest.raises(DataError, match=words):
            wav_samples(path)
    odd = wav(tmp_path / "d.wav", 1, 16, bytes(4002))
    with pytest.raises(DataError, match="in the middle of a sample of 4 bytes"):
        wav_samples(odd)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32 - 1), flipped=st.integers(0, 6), cut=st.booleans())
def test_a_damaged_file_is_read_or_refused(tmp_path: Path, seed: int, flipped: int, cut: bool) -> None:
    generator = np.random.default_rng(seed)
    form, bits = ((1, 8), (1, 16), (1, 24), (3, 32), (3, 64))[generator.integers(5)]
    path = wav(tmp_path / "h.wav", form, bits, generator.bytes(480), extensible=bool(generator.integers(2)))
    damaged = bytearray(path.read_bytes())
    for place in generator.integers(0, 90, flipped):  # where the structure lies
        damaged[place] = generator.integers(256)
    if cut:
        del damaged[generator.integers(len(damaged)) :]
    path.write_bytes(damaged)
    # Anything else that is raised or warned of fails the test.
    with suppress(DataError), warnings.catch_warnings(action="error"):
        sound = wav_samples(path)
        assert all(array.dtype == np.float32 and array.ndim == 2 for array in sound.samples)


def test_lengths_that_a_damaged_file_claims_take_no_memory(tmp_path: Path) -> None:
    path = wav(tmp_path / "i.wav", 1, 16, bytes(400))
    whole = path.read_bytes()
    for at in (16, whole.index(b"odd ") + 4):
        path.write_bytes(whole[:at] + struct.pack("<I", 0xFFFFFFF0) + whole[at + 4 :])
        tracemalloc.start()
        try:
            with pytest.raises(DataError, match=f"ends at byte {len(whole)}, before its samples"):
                wav_samples(path)
            assert tracemalloc.get_traced_memory()[1] < 1 << 20
        finally:
            tracemalloc.stop()


def test_files_that_are_no_sound_are_refused(tmp_path: Path) -> None:
    (tmp_path / "e.wav").write_bytes(b"RIFX" + bytes(100))
    with pytest.raises(DataError, match="no WAV file"):
        wav_samples(tmp_path / "e.wav")
    with pytest.raises(DataError, match="cannot be read"):
        wav_samples(tmp_path / "none.wav")
    with pytest.raises(DataError, match="16 bits in format 17; save it as"):
        wav_samples(wav(tmp_path / "f.wav", 17, 16, bytes(8)))
    with pytest.raises(DataError, match="does not say what its samples are"):
        wav_samples(wav(tmp_path / "g.wav", 1, 16, b"", channels=0))


def test_a_microphone_without_sounddevice_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    with pytest.raises(MissingExtraError, match="pip install sounddevice"):
        microphone()


def test_a_microphone_gives_what_it_hears(monkeypatch: pytest.MonkeyPatch) -> None:
    class InputStream:
        def __init__(self, rate: int, at_once: int, channels: int, dtype: str, callback: Any) -> None:
            if rate > 96000:
                raise PortAudioError("Invalid sample rate")
            self.hear = lambda number: callback(np.full((at_once, channels), number, dtype), at_once, None, None)

        def start(self) -> None:
            for number in range(3):
                self.hear(number)

        def __enter__(self) -> InputStream:
            return self

        def __exit__(self, *_: object) -> None:
            stopped.append(True)

    class PortAudioError(Exception):
        pass

    stopped: list[bool] = []
    module = types.ModuleType("sounddevice")
    module.__dict__.update(InputStream=InputStream, PortAudioError=PortAudioError)
    monkeypatch.setitem(sys.modules, "sounddevice", module)
    sound = microphone(48000, 16)
    assert sound.rate == 48000
    assert [next(sound.samples)[0, 0] for _ in range(3)] == [0, 1, 2]
    del sound
    assert stopped == [True]
    with pytest.raises(DataError, match="No microphone gives 192000"):
        microphone(192000)
