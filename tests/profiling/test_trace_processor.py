"""Traces as Perfetto's own trace processor reads them."""

from __future__ import annotations

import json
from pathlib import Path

import moderngl
from support.profiling import busy
from support.trace_processor import engine, query

from glfft.profiling import profiler as profiler_module
from glfft.profiling.profiler import Profiler

NAMES = ("frame", "sea", "rows", "columns")


def saved(ctx: moderngl.Context, trace: Path) -> str:
    """Profile five frames, save their trace, and name its timer."""
    target = ctx.simple_framebuffer((64, 64))
    with Profiler(ctx, history=16) as profiler:
        for _ in range(5):
            with profiler.frame(), profiler.section("sea"):
                for name in ("rows", "columns"):
                    with profiler.section(name):
                        target.clear(1.0)
                        busy(0.0001)
        profiler.save(trace)
        named = profiler.timer
    target.release()
    return named


def questions(named: str) -> tuple[str, ...]:
    return (
        "select name, value from stats where severity in ('error', 'data_loss') and value > 0",
        "select count(*) from slice",
        "select slice.name, count(*) from slice join thread_track on track_id = thread_track.id"
        f" join thread using (utid) where thread.name = '{named}' group by 1",
        "select distinct parent.name || '/' || slice.name from slice join slice parent on slice.parent_id = parent.id",
        "select count(*), min(extract_arg(arg_set_id, 'args.since_submitted_us')) from slice where category = 'timer'",
    )


def test_perfetto_reads_every_event_and_finds_none_before_its_submission(ctx, tmp_path, monkeypatch):
    """Events come from the timer of the device, and from timestamps."""
    engine()
    asked = {}
    for name in ("device", "timestamps"):
        if name == "timestamps":
            monkeypatch.setattr(profiler_module, "is_software", lambda _: False)
        trace = tmp_path / f"{name}.trace.json"
        asked[trace] = questions(saved(ctx, trace))
    for trace, answers in zip(asked, query(asked), strict=True):
        check(json.loads(trace.read_text()), *answers)


def check(report, errors, slices, sections, nested, submitted):
    assert errors == []
    assert slices == [(sum(event["ph"] == "X" for event in report["traceEvents"]),)]
    assert sorted(sections) == sorted((name, 5) for name in NAMES)
    assert {("frame/sea",), ("sea/rows",), ("sea/columns",)} <= set(nested)
    assert submitted[0][0] == 5 * len(NAMES)
    assert submitted[0][1] >= -report["otherData"]["error_us"]
