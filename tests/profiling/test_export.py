"""Reports: what is written as JSON and CSV is what was measured."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from support.profiling import busy, drained

from glfft.errors import OptionError, OutputError
from glfft.profiling.export import to_table


def test_json_says_what_was_measured(profiler, tmp_path):
    for _ in range(5):
        with profiler.frame(), profiler.section("waves"), profiler.section("rows"):
            busy(0.0002)
    path = tmp_path / "profile.json"
    profiler.save(path)
    report = json.loads(path.read_text())
    statistics = profiler.statistics()
    assert report["unit"] == "ms"
    assert report["device"] == profiler.device
    assert report["frames"] == 5
    assert [section["section"] for section in report["sections"]] == ["waves", "waves/rows"]
    for written, section in zip(report["sections"], statistics.sections, strict=True):
        assert written["time"]["p95"] == pytest.approx(section.time.p95, abs=1e-6)
        assert written["cpu"]["max"] == pytest.approx(section.cpu.max, abs=1e-6)
    frames = report["timeline"]
    assert frames["numbers"] == [1, 2, 3, 4, 5]
    assert frames["since_previous"][0] is None
    assert (report["warm_up"], frames["warm_up"]) == (1, [True, False, False, False, False])
    rows = next(section for section in frames["sections"] if section["section"] == "waves/rows")
    assert np.percentile(rows["cpu"][1:], 50) == pytest.approx(statistics.section("waves/rows").cpu.p50, abs=1e-6)


def test_csv_round_trip(profiler, tmp_path):
    with profiler.frame(), profiler.section('odd, "name"'):
        pass
    path = tmp_path / "profile.CSV"
    profiler.save(str(path))
    rows = list(csv.DictReader(io.StringIO(path.read_text())))
    assert [(row["section"], row["clock"]) for row in rows] == [
        ("frame", profiler.timer),
        ("frame", "cpu"),
        ('odd, "name"', profiler.timer),
        ('odd, "name"', "cpu"),
    ]
    section = profiler.statistics().section('odd, "name"')
    assert float(rows[3]["p99_ms"]) == pytest.approx(section.cpu.p99, abs=1e-6)


def test_a_table_for_people_names_what_did_not_run(profiler):
    for _ in range(3):
        with profiler.frame(), profiler.section("sea"), profiler.section("waves"):
            busy(0.001)
    statistics = drained(profiler)
    head, frame, sea, waves, overlay, foot = to_table(statistics, ("sea", "overlay")).splitlines()
    assert head.split() == ["ms", "a", "frame", "median", "p95", "max"]
    assert [frame.split()[0], sea[:6].rstrip(), waves[:9]] == ["frame", "  sea", "    waves"]
    assert float(waves.split()[1]) == pytest.approx(statistics.section("sea/waves").time.p50, abs=1e-3)
    # A GPU's clock counts the GPU's work alone.
    assert float(waves.split()[1]) >= 1.0 or not profiler.timer.startswith("wall")
    assert overlay.split() == ["overlay", "not", "drawn"]
    assert foot == f"3 frames, {profiler.timer}, {profiler.device}"


def test_an_empty_profile_is_still_a_report(profiler, tmp_path):
    profiler.save(tmp_path / "empty.json")
    report = json.loads((tmp_path / "empty.json").read_text())
    assert report["frames"] == 0
    assert report["frame"]["time"]["p50"] is None


def test_names_that_are_no_unicode_are_written_escaped(profiler, tmp_path):
    with profiler.frame(), profiler.section("sea\udc80"):
        pass
    for name in ("a.csv", "a.json", "a.trace.json"):
        profiler.save(tmp_path / name)
        assert "sea\\udc80" in (tmp_path / name).read_text("utf-8")


def test_what_cannot_be_written_says_so(profiler, tmp_path):
    with pytest.raises(OptionError, match=r"\.json or \.csv"):
        profiler.save(tmp_path / "profile.txt")
    with pytest.raises(OutputError):
        profiler.save(tmp_path / "missing" / "profile.json")
    assert list(tmp_path.iterdir()) == []
