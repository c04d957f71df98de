"""Traces: sections on one time axis, nested, and never begun before they were submitted."""

from __future__ import annotations

import itertools
import json
import random
from contextlib import contextmanager

import pytest
from support.profiling import busy

from glfft import files
from glfft.errors import OutputError
from glfft.gl.timed import waiting
from glfft.profiling import profiler as profiler_module
from glfft.profiling.profiler import Profiler
from glfft.profiling.trace import Alignment, ClockSample, sample_clock

CPU, TIMER = 1, 2


@pytest.fixture(params=["timer of the device", "timestamps"])
def traced(request, ctx, monkeypatch):
    if request.param == "timestamps":
        monkeypatch.setattr(profiler_module, "is_software", lambda _: False)
    with Profiler(ctx, history=16) as made:
        yield made


def draw(profiler, ctx):
    image = ctx.texture((64, 64), 4)
    target = ctx.framebuffer([image])
    with profiler.frame():
        with profiler.section("sea"):
            for name in ("rows", "columns", "rows"):
                with profiler.section(name):
                    target.clear(1.0)
                    busy(0.0001)
        with profiler.section("post"):
            target.clear(0.5)
    target.release()
    image.release()


def saved(profiler, path):
    profiler.save(path)
    return json.loads(path.read_text(), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


def complete(report, track, *categories):
    return [
        event
        for event in report["traceEvents"]
        if event["ph"] == "X" and event["tid"] == track and (not categories or event["cat"] in categories)
    ]


def ends(event):
    """Start and end in whole nanoseconds."""
    start = round(event["ts"] * 1e3)
    return start, start + round(event["dur"] * 1e3)


def test_events_follow_the_format(traced, ctx, tmp_path):
    for _ in range(3):
        draw(traced, ctx)
    report = saved(traced, tmp_path / "three.TRACE.json")
    assert report["otherData"]["timer"] == traced.timer
    assert report["otherData"]["device"] == traced.device
    assert report["otherData"]["error_us"] >= 0
    names = {}
    for event in report["traceEvents"]:
        assert [type(event[name]) for name in ("name", "pid", "tid")] == [str, int, int]
        assert event["ph"] in ("X", "M")
        if event["ph"] == "M":
            names[event["name"], event["tid"]] = event["args"]["name"]
        else:
            assert min(event["ts"], event["dur"]) >= 0
    assert names["thread_name", CPU] == "CPU"
    assert names["thread_name", TIMER] == traced.timer
    for track in (CPU, TIMER):
        frames = [event["args"]["frame"] for event in complete(report, track) if event["name"] == "frame"]
        assert frames == [1, 2, 3]


def test_a_trace_has_more_frames_than_statistics(traced, ctx, tmp_path):
    for _ in range(20):
        with traced.frame():
            pass
        ctx.finish()  # frames that wait for too many others are left out
    report = saved(traced, tmp_path / "a.trace.json")
    frames = [event["args"]["frame"] for event in complete(report, TIMER)]
    assert (frames, traced.statistics().frames) == (list(range(1, 21)), 16)


def test_events_nest(traced, ctx, tmp_path):
    for _ in range(3):
        draw(traced, ctx)
    report = saved(traced, tmp_path / "a.trace.json")
    for track in (CPU, TIMER):
        open_events = []
        sections = complete(report, track)
        for event in sections:
            start, end = ends(event)
            while open_events and ends(open_events[-1])[1] <= start:
                open_events.pop()
            if open_events:
                assert end <= ends(open_events[-1])[1], (event, open_events[-1])
            open_events.append(event)
        for event in sections:
            if event["cat"] == "wait" or event["name"] == "frame":
                continue
            parent = event["args"]["section"].rpartition("/")[0] or "frame"
            start, end = ends(event)
            assert any(
                ends(other)[0] <= start and end <= ends(other)[1]
                for other in sections
                if other["args"] == {**other["args"], "frame": event["args"]["frame"], "section": parent}
            )


def test_a_wait_that_a_program_names_is_that_profilers_alone(traced, ctx, tmp_path):
    with Profiler(ctx) as other:
        with other.frame(), traced.frame(), traced.wait("own"):
            busy(0.0001)
        for profiler, own in ((traced, 1), (other, 0)):
            waits = complete(saved(profiler, tmp_path / "a.trace.json"), CPU, "wait")
            assert [wait["name"] for wait in waits].count("own") == own


def test_waits_are_shown_in_and_between_frames(traced, ctx, tmp_path):
    for _ in range(3):
        with traced.frame(), traced.section("sea"):
            with waiting(ctx, "compile"):
                busy(0.0001)
            with traced.wait("readback"):
                busy(0.0001)
        with waiting(ctx, "swap"):
            busy(0.0001)
    traced.enabled = False
    with traced.wait("unseen"):
        pass
    report = saved(traced, tmp_path / "a.trace.json")
    waits = [event for event in complete(report, CPU, "wait") if event["name"] != "finish"]
    frames = {name: [wait["args"]["frame"] for wait in waits if wait["name"] == name] for name in ("compile", "swap")}
    assert frames == {"compile": [1, 2, 3], "swap": [2, 3]}
    assert len(waits) == 3 + 3 + 2
    spans = {event["args"]["frame"]: ends(event) for event in complete(report, CPU, "cpu") if event["name"] == "frame"}
    # To wait is no CPU time, to compile is.
    busy_us = [event["args"]["without_waits_us"] for event in complete(report, CPU, "cpu") if event["name"] == "sea"]
    spent = [event["dur"] for event in complete(report, CPU, "cpu") if event["name"] == "sea"]
    readbacks = [wait["dur"] for wait in waits if wait["name"] == "readback"]
    for busy_one, spent_one, readback in zip(busy_us, spent, readbacks, strict=True):
        assert busy_one == pytest.approx(spent_one - readback, abs=0.01)
    for wait in waits:
        start, end = ends(wait)
        frame_start, frame_end = spans[wait["args"]["frame"]]
        assert wait["args"]["section"] == ("" if wait["name"] == "swap" else "sea")
        assert end <= frame_start if wait["name"] == "swap" else frame_start <= start and end <= frame_end


def test_nothing_begins_before_it_was_submitted(traced, ctx, tmp_path):
    for _ in range(3):
        draw(traced, ctx)
    report = saved(traced, tmp_path / "a.trace.json")
    events = complete(report, TIMER)
    assert len(events) == 3 * 6
    assert all(event["args"]["since_submitted_us"] >= -report["otherData"]["error_us"] for event in events)
    timed, done = (
        [event for event in complete(report, track, kind) if event["name"] in ("rows", "columns")]
        for track, kind in ((TIMER, "timer"), (CPU, "cpu"))
    )
    # Each pass is submitted after what the CPU did for the one before.
    for event, before in zip(timed[1:], done, strict=False):
        assert event["ts"] - event["args"]["since_submitted_us"] >= before["ts"] + before["dur"] - 0.01


def test_a_profiler_switched_off_within_a_frame_keeps_waits_to_its_end(traced, tmp_path):
    with traced.frame(), traced.section("sea"):
        traced.enabled = False
        with traced.wait("readback"):
            pass
    with traced.wait("after it"):
        pass
    waits = complete(saved(traced, tmp_path / "a.trace.json"), CPU, "wait")
    assert [event["name"] for event in waits if event["name"] != "finish"] == ["readback"]


def test_durations_are_those_of_the_profile(traced, ctx, tmp_path):
    draw(traced, ctx)
    report = saved(traced, tmp_path / "a.trace.json")
    statistics = traced.statistics()
    for section in (statistics.frame, *statistics.sections):
        name = "/".join(section.path) or "frame"
        passes = [event for event in complete(report, TIMER) if event["args"]["section"] == name]
        # The trace is on the CPU's clock.
        tolerance = 1e-3 * section.time.last * abs(report["otherData"]["drift_ppm"]) + 0.002 * len(passes)
        assert sum(event["dur"] for event in passes) == pytest.approx(1e3 * section.time.last, abs=tolerance)
        passes = [event for event in complete(report, CPU, "cpu") if event["args"]["section"] == name]
        spent = sum(event["args"]["without_waits_us"] for event in passes)
        assert spent == pytest.approx(1e3 * section.cpu.last, abs=0.002)
        waits = sum(
            wait["dur"]
            for wait, event in itertools.product(complete(report, CPU, "wait"), passes)
            if ends(event)[0] <= ends(wait)[0] and ends(wait)[1] <= ends(event)[1]
        )
        assert sum(event["dur"] for event in passes) >= spent
        assert sum(event["dur"] for event in passes) - waits <= spent + 0.002


def test_two_samples_place_a_clock_that_drifts():
    now = iter(range(10**15, 10**15 + 10**9, 137))
    assert sample_clock(lambda: next(now)).other in range(10**15, 10**15 + 9 * 137)

    def other(cpu):
        return cpu * 1_000_050 // 1_000_000 + 7 * 10**17

    first, last = 10**15, 10**15 + 60 * 10**9
    alignment = Alignment(ClockSample(first + 300, other(first), 300), ClockSample(last - 900, other(last), 900))
    assert alignment.error == 900
    assert alignment.drift == pytest.approx(-50, abs=0.1)
    times = sorted(random.Random(1).randrange(first, last) for _ in range(1000))
    placed = [alignment.on_cpu(other(cpu)) for cpu in times]
    assert placed == sorted(placed)
    assert all(abs(found - cpu) <= alignment.error + 1 for found, cpu in zip(placed, times, strict=True))


def test_a_released_or_empty_profiler_can_be_traced(ctx, tmp_path):
    with Profiler(ctx) as profiler:
        assert complete(saved(profiler, tmp_path / "empty.trace.json"), CPU) == []
        draw(profiler, ctx)
        before = saved(profiler, tmp_path / "a.trace.json")
    assert len(complete(saved(profiler, tmp_path / "b.trace.json"), TIMER)) == len(complete(before, TIMER)) == 6
    profiler.clear()
    assert complete(saved(profiler, tmp_path / "c.trace.json"), TIMER) == []


def test_a_full_disk_is_a_sentence_and_leaves_the_file_that_was_there(profiler, ctx, tmp_path, monkeypatch):
    draw(profiler, ctx)
    kept = tmp_path / "kept.trace.json"
    kept.write_text("of before")
    create = files._created_beside

    @contextmanager
    def on_a_full_disk(*arguments):
        with create(*arguments) as made:
            made.unlink()
            made.symlink_to("/dev/full")
            yield made

    monkeypatch.setattr(files, "_created_beside", on_a_full_disk)
    for name in ("new.trace.json", "kept.trace.json", "new.json", "new.csv"):
        with pytest.raises(OutputError, match=rf"^Cannot write [^\n]*{name}: no space left on device\.$"):
            profiler.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == [kept]
    assert kept.read_text() == "of before"


def test_a_trace_that_cannot_be_written_is_a_sentence(profiler, tmp_path):
    (tmp_path / "folder.trace.json").mkdir()
    for name in ("missing/a.trace.json", "folder.trace.json", "a\0.trace.json", "a" * 300 + ".trace.json"):
        with pytest.raises(OutputError, match=r"^Cannot write [^\n]*\.$"):
            profiler.save(tmp_path / name)
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder.trace.json"]
