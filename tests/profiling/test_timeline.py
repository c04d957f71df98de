"""The frames kept, and statistics over them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.profiling import FrameSample, drained

from glfft.gl.timed import waiting
from glfft.profiling.timeline import Recorder, summarise


def test_history_keeps_the_last_frames(profiler):
    for number in range(40):
        with profiler.frame(), profiler.section("even" if number % 2 == 0 else "odd"):
            pass
        profiler.drain()  # a GPU that is behind would have frames left out
    timeline = profiler.timeline()
    assert timeline.numbers.tolist() == list(range(25, 41))
    assert np.isnan(timeline.time[("even",)]).tolist() == [False, True] * 8
    assert drained(profiler).section("odd").frames == 8


def test_names_made_up_every_frame_do_not_pile_up(profiler):
    for number in range(100):
        with profiler.frame(), profiler.section(f"frame {number}"):
            pass
        profiler.drain()
    assert len(drained(profiler).sections) == 16
    assert len(profiler._recorder._rows) <= 1 + 2 * 16


@pytest.mark.parametrize("frames", [1, 2, 7, 240])
def test_summaries_agree_with_numpy(frames):
    random = np.random.default_rng(frames)
    table = random.lognormal(size=(6, frames))
    table[random.random(table.shape) < 0.3] = np.nan
    table[2] = np.nan
    table[3] = random.random(frames)
    for row, summary in zip(table, summarise(table), strict=True):
        values = row[~np.isnan(row)]
        got = [summary.last, summary.mean, summary.p50, summary.p95, summary.p99, summary.max]
        if len(values):
            percentiles = np.percentile(values, [50, 95, 99])
            np.testing.assert_allclose(got, [values[-1], values.mean(), *percentiles, values.max()], rtol=1e-12)
        else:
            assert np.isnan(got).all()


def test_statistics_follow_the_ring_when_it_turns():
    random = np.random.default_rng(5)
    recorder = Recorder(10)
    rows = []
    for number in range(33):
        sample = FrameSample(number, None)
        outer, inner, cpu = random.random(3)
        sample.add(("outer", "inner"), inner, cpu)
        sample.add(("outer",), outer, cpu)
        sample.add((), outer + 1, cpu)
        rows.append((outer, inner, outer + 1))
        recorder.record(sample, warm_up=False)
    last = np.array(rows[-10:])
    statistics = recorder.statistics(timer="t", device="d", dropped=0)
    got = [statistics.section("outer").time, statistics.section("outer/inner").time, statistics.frame.time]
    np.testing.assert_allclose([one.p95 for one in got], np.percentile(last, 95, axis=0))
    np.testing.assert_allclose([one.last for one in got], last[-1])
    assert math.isnan(statistics.since_previous.mean)


def test_warm_up_is_a_first_run_or_a_program_compiled(ctx, profiler):
    def frame(*names):
        with profiler.frame():
            for name in names:
                with profiler.section(name):
                    pass

    for names in (("waves",), ("waves",), ("waves", "once"), ("waves",)):
        frame(*names)
    with profiler.frame(), profiler.section("waves"), waiting(ctx, "compile"):
        pass
    assert drained(profiler).warm_up == 3
    assert profiler.timeline().warm_up.tolist() == [True, False, True, False, True]
    profiler.clear()
    frame("waves", "once")
    assert drained(profiler).warm_up == 0, "both have run before"


def test_warm_up_is_left_out_where_there_is_something_else():
    recorder = Recorder(20)
    for number in range(10):
        sample = FrameSample(number, None)
        if number == 9:
            sample.add(("once",), 50.0, 50.0)
        sample.add((), 100.0 if number in (0, 9) else 1.0, 1.0)
        recorder.record(sample, warm_up=number in (0, 9))
    statistics = recorder.statistics(timer="t", device="d", dropped=0)
    assert (statistics.frames, statistics.warm_up) == (10, 2)
    assert (statistics.frame.frames, statistics.frame.time.max, statistics.frame.time.last) == (10, 1.0, 1.0)
    assert statistics.section("once").time.p50 == 50.0
    assert recorder.timeline().time[()].max() == 100.0


def test_the_time_from_a_warm_up_to_the_next_frame_is_left_out():
    recorder = Recorder(4)
    for number, (since, warm_up) in enumerate(((None, False), (3.0, True), (900.0, False), (5.0, False), (7.0, False))):
        sample = FrameSample(number, since)
        sample.add((), 1.0, 1.0)
        recorder.record(sample, warm_up=warm_up)
    since = recorder.statistics(timer="t", device="d", dropped=0).since_previous
    assert (since.mean, since.max, since.last) == (6.0, 7.0, 7.0)
    assert recorder.timeline().since_previous.tolist() == [3.0, 900.0, 5.0, 7.0]


def test_bytes_are_those_of_a_frame_and_of_sections_with_nothing_else_in_them():
    recorder = Recorder(10)
    for number in range(3):
        sample = FrameSample(number, None)
        for name, moved in (("rows", 100), ("columns", 300), ("rows", 100)):
            sample.add(("sea", "waves", name), 2.0, 1.0, moved)
        sample.add(("sea", "waves"), 8.0, 1.0)
        sample.add(("sea", "maps"), 1.0, 1.0)
        sample.add(("sea",), 9.0, 1.0)
        sample.add((), 10.0, 1.0)
        recorder.record(sample, warm_up=False)
    statistics = recorder.statistics(timer="t", device="d", dropped=0)
    moved = {"/".join(section.path): section.moved for section in statistics.sections}
    assert moved == {"sea": 0, "sea/waves": 500, "sea/waves/rows": 200, "sea/waves/columns": 300, "sea/maps": 0}
    assert statistics.section("sea/waves/rows").bytes_a_second == pytest.approx(200 / 4e-3)
    assert math.isnan(statistics.section("sea").bytes_a_second)
