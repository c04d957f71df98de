"""SigMF and raw files: what they hold, and what is wrong with those that cannot be read."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.channelizer import as_complex, as_format
from support.sentences import refused

from glfft.channelizer.recordings import DATA, FORMATS, META, open_recording
from glfft.errors import DataError, OptionError

SAMPLES = np.array([0.5 - 0.25j, -1.0 + 0.75j, 0.125j], np.complex64)


def write_sigmf(folder: Path, datatype: str = "ci16_le") -> Path:
    data = as_format(SAMPLES, FORMATS[datatype.removesuffix("_le")]).tobytes()
    (folder / f"signal{DATA}").write_bytes(data)
    described = {"global": {"core:datatype": datatype, "core:sample_rate": 8000}}
    described["captures"] = [{"core:sample_start": 0, "core:frequency": 1e6}]  # pyright: ignore[reportArgumentType]
    meta = folder / f"signal{META}"
    meta.write_text(json.dumps(described))
    return meta


@pytest.mark.parametrize("datatype", ["ci16_le", "cf32_le", "ci8", "cu8"])
def test_sigmf_is_read_by_either_name(tmp_path: Path, datatype: str) -> None:
    meta = write_sigmf(tmp_path, datatype)
    for path in (meta, meta.with_suffix(DATA)):
        recording = open_recording(path)
        assert (recording.rate, recording.frequency, recording.count) == (8000, 1e6, 3)
        (found,) = recording.samples()
        assert as_complex(recording.format, found) == pytest.approx(SAMPLES, abs=0.01)
    assert open_recording(meta, rate=5.0, frequency=-2.0).rate == 5.0


@pytest.mark.parametrize(
    ("datatype", "dtype", "parts", "scale", "zero"),
    [
        ("ci16_be", ">i2", 2, 2**15, 0),
        ("cf64_le", "<f8", 2, 1, 0),
        ("cf32_be", ">f4", 2, 1, 0),
        ("cu16_le", "<u2", 2, 2**15, 2**15),
        ("ci32_be", ">i4", 2, 2**31, 0),
        ("rf32_le", "<f4", 1, 1, 0),
        ("ri16_be", ">i2", 1, 2**15, 0),
        ("ru8", "u1", 1, 2**7, 2**7),
    ],
)
def test_all_types_of_sigmf_are_read(
    tmp_path: Path, datatype: str, dtype: str, parts: int, scale: int, zero: int
) -> None:
    meta = write_sigmf(tmp_path)
    described = json.loads(meta.read_text())
    described["global"]["core:datatype"] = datatype
    meta.write_text(json.dumps(described))
    numbers = np.array([[0.5, -0.25], [-1.0, 0.75], [0.0, 0.125]])[:, :parts] * scale + zero
    meta.with_suffix(DATA).write_bytes(numbers.astype(dtype).tobytes())
    recording = open_recording(meta)
    assert (recording.count, recording.format.name) == (3, "cf32")
    (found,) = recording.samples()
    assert found.dtype == np.complex64
    assert np.allclose(found, SAMPLES if parts == 2 else SAMPLES.real, atol=1e-9)
    meta.with_suffix(DATA).write_bytes(numbers.astype(dtype).tobytes()[:-1])
    if np.dtype(dtype).itemsize * parts > 1:
        with pytest.raises(DataError, match="in the middle of a sample"):
            open_recording(meta)


def test_a_file_may_be_a_part_of_a_recording_and_have_a_name_of_its_own(tmp_path: Path) -> None:
    meta = write_sigmf(tmp_path)
    described = json.loads(meta.read_text())
    described["global"] |= {"core:offset": 1000, "core:dataset": "samples.bin"}
    meta.with_suffix(DATA).rename(tmp_path / "samples.bin")
    for start, count in ((1000, 3), (1001, 2)):
        described["captures"] = [{"core:sample_start": start}, {"core:sample_start": 1002}]
        meta.write_text(json.dumps(described))
        assert open_recording(meta).count == count
    described["captures"] = [{"core:sample_start": 999}]
    meta.write_text(json.dumps(described))
    with pytest.raises(DataError, match="negative"):
        open_recording(meta)
    described["captures"] = [{"core:sample_start": 1000}, {"core:sample_start": 1001, "core:header_bytes": 8}]
    meta.write_text(json.dumps(described))
    with pytest.raises(DataError, match="headers between its captures"):
        open_recording(meta)


def test_captures_and_headers_say_where_samples_begin(tmp_path: Path) -> None:
    meta = write_sigmf(tmp_path)
    described = json.loads(meta.read_text())
    described["global"]["core:trailing_bytes"] = 4
    described["captures"] = [{"core:sample_start": 0, "core:header_bytes": 4}]
    meta.write_text(json.dumps(described))
    (found,) = open_recording(meta).samples()
    assert found.tolist() == [[-32768, 24576]]


@pytest.mark.parametrize(("suffix", "name"), [(".cf32", "cf32"), (".fc32", "cf32"), (".CS16", "ci16")])
def test_raw_files_tell_by_their_names(tmp_path: Path, suffix: str, name: str) -> None:
    path = tmp_path / f"signal{suffix}"
    path.write_bytes(as_format(SAMPLES, FORMATS[name]).tobytes())
    recording = open_recording(path, rate=100.0)
    assert (recording.format.name, recording.count, recording.rate) == (name, 3, 100.0)
    assert open_recording(path, samples=name).format.name == name
    path.rename(tmp_path / "signal.bin")
    assert open_recording(tmp_path / "signal.bin", samples="ci8").format.name == "ci8"


def test_a_truncated_file_names_the_byte(tmp_path: Path) -> None:
    path = tmp_path / "signal.ci16"
    path.write_bytes(bytes(4 * 5 + 3))
    with refused(DataError, match=r"ends at byte 23, in the middle of a sample of 4 bytes; .* byte 20"):
        open_recording(path)
    path.write_bytes(b"")
    with pytest.raises(DataError, match=r"has no samples: .* end at byte 0"):
        open_recording(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"core:datatype": "cf16_le"}, "cf16_le; read here is one channel of complex or real numbers"),
        ({"core:dataset": "another.bin"}, "another.bin cannot be read"),
        ({"core:dataset": "../signal.sigmf-data"}, "not the JSON"),
        ({"core:num_channels": 2}, "2 channels of ci16_le"),
        ({"core:sample_rate": "fast"}, "not the JSON"),
        ({"core:trailing_bytes": 100}, "has no samples"),
        ({"core:trailing_bytes": -1}, "negative"),
        ({"core:sample_rate": -48000.0}, "negative rate"),
        ({"core:sample_rate": float("nan")}, "not finite"),
        ({"core:sample_rate": float("inf")}, "not finite"),
        ({"core:offset": float("inf")}, "not the JSON"),
    ],
)
def test_what_is_not_read_is_refused(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    meta = write_sigmf(tmp_path)
    described = json.loads(meta.read_text())
    described["global"] |= change
    meta.write_text(json.dumps(described))
    with refused(DataError, match=words):
        open_recording(meta)


def test_what_is_given_stands_in_for_numbers_that_are_none(tmp_path: Path) -> None:
    meta = write_sigmf(tmp_path)
    described = json.loads(meta.read_text())
    described["global"]["core:sample_rate"] = float("nan")
    described["captures"] = [{"core:sample_start": 0, "core:frequency": float("inf")}]
    meta.write_text(json.dumps(described))
    with refused(DataError, match="not finite"):
        open_recording(meta, rate=1e6)
    recording = open_recording(meta, rate=1e6, frequency=1e8)
    assert (recording.rate, recording.frequency) == (1e6, 1e8)


def test_files_that_are_missing_or_nameless_are_refused(tmp_path: Path) -> None:
    meta = write_sigmf(tmp_path)
    with pytest.raises(OptionError, match="are ci16_le"):
        open_recording(meta, samples="ci8")
    meta.write_text("[" * 100_000)
    with pytest.raises(DataError, match="not the JSON"):
        open_recording(meta)
    meta.write_text("{")
    with pytest.raises(DataError, match="not the JSON"):
        open_recording(meta)
    meta.unlink()
    with pytest.raises(DataError, match="sigmf-meta cannot be read"):
        open_recording(meta.with_suffix(DATA))
    (tmp_path / "other.cf32").write_bytes(bytes(8))
    with pytest.raises(OptionError, match="as its name says, not cu8"):
        open_recording(tmp_path / "other.cf32", "cu8")
    for name in ("signal.bin", "signal.cf32"):
        with pytest.raises(DataError, match="cannot be read"):
            open_recording(tmp_path / name)
    (tmp_path / "signal.bin").write_bytes(bytes(8))
    with pytest.raises(DataError, match=r"does not tell what its samples are"):
        open_recording(tmp_path / "signal.bin")
    (tmp_path / "signal.WAV").write_bytes(b"RIFF")
    with refused(DataError, "begins with a header", "wav_samples"):
        open_recording(tmp_path / "signal.WAV")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.cf32")
        with pytest.raises(DataError, match="is a device or pipe"):
            open_recording(tmp_path / "pipe.cf32")


@pytest.mark.parametrize(("name", "value"), [
    *(("rate", value) for value in ("48000", 0, -1.0, np.nan, np.inf, 1j)),
    *(("frequency", value) for value in ("x", np.nan, -np.inf, 1j)),
])  # fmt: skip
def test_rates_and_frequencies_are_numbers(tmp_path: Path, name: str, value: Any) -> None:
    for path in (write_sigmf(tmp_path), tmp_path / "signal.cf32"):
        path.with_suffix(".cf32").write_bytes(bytes(16))
        with refused(OptionError, f"{name} is "):
            open_recording(path, **{name: value})
    rate: Any = np.float32(3)
    found = open_recording(tmp_path / "signal.cf32", rate=rate, frequency=-2)
    assert (found.rate, found.frequency) == (3.0, -2.0)


def test_numbers_too_large_are_clipped() -> None:
    assert as_format(np.array([2 - 3j]), FORMATS["cu8"]).tolist() == [[255, 0]]
