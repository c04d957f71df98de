"""SigMF and raw files: what they hold, and what is wrong with those that cannot be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.sentences import assert_one_sentence

from glfft.channelizer.formats import FORMATS
from glfft.channelizer.recordings import DATA, META, as_format, meta_text, open_recording
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
        assert recording.format.as_complex(found) == pytest.approx(SAMPLES, abs=0.01)
    assert open_recording(meta, rate=5.0, frequency=-2.0).rate == 5.0


def test_what_glfft_writes_it_reads(tmp_path: Path) -> None:
    kind = FORMATS["cf32"]
    (tmp_path / f"own{META}").write_text(meta_text(kind, 250.0, 99.0, "a test"))
    (tmp_path / f"own{DATA}").write_bytes(SAMPLES.tobytes())
    recording = open_recording(tmp_path / f"own{META}")
    assert (recording.rate, recording.frequency) == (250.0, 99.0)
    assert np.array_equal(next(recording.samples()), SAMPLES)


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
    assert open_recording(path, samples="ci8").format.name == "ci8"


def test_a_truncated_file_names_the_byte(tmp_path: Path) -> None:
    path = tmp_path / "signal.ci16"
    path.write_bytes(bytes(4 * 5 + 3))
    with pytest.raises(DataError, match=r"ends at byte 23, in the middle of a sample of 4 bytes; .* byte 20") as caught:
        open_recording(path)
    assert_one_sentence(str(caught.value))
    path.write_bytes(b"")
    with pytest.raises(DataError, match=r"has no samples: .* end at byte 0"):
        open_recording(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"core:datatype": "rf32_le"}, "rf32_le; read here is one channel of cf32, ci16, ci8, cu8"),
        ({"core:datatype": "ci16_be"}, "ci16_be"),
        ({"core:num_channels": 2}, "2 channels of ci16_le"),
        ({"core:sample_rate": "fast"}, "not the JSON"),
        ({"core:trailing_bytes": 100}, "has no samples"),
        ({"core:trailing_bytes": -1}, "negative"),
    ],
)
def test_what_is_not_read_is_refused(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    meta = write_sigmf(tmp_path)
    described = json.loads(meta.read_text())
    described["global"] |= change
    meta.write_text(json.dumps(described))
    with pytest.raises(DataError, match=words) as caught:
        open_recording(meta)
    assert_one_sentence(str(caught.value))


def test_files_that_are_missing_or_nameless_are_refused(tmp_path: Path) -> None:
    meta = write_sigmf(tmp_path)
    with pytest.raises(OptionError, match="are ci16_le"):
        open_recording(meta, samples="ci8")
    meta.write_text("{")
    with pytest.raises(DataError, match="not the JSON"):
        open_recording(meta)
    meta.unlink()
    with pytest.raises(DataError, match="sigmf-meta cannot be read"):
        open_recording(meta.with_suffix(DATA))
    with pytest.raises(DataError, match=r"does not tell what its samples are"):
        open_recording(tmp_path / "signal.bin")
    with pytest.raises(DataError, match="cannot be read"):
        open_recording(tmp_path / "signal.cf32")


def test_numbers_too_large_are_clipped() -> None:
    assert as_format(np.array([2 - 3j]), FORMATS["cu8"]).tolist() == [[255, 0]]
