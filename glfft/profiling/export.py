"""A profiler's results: JSON with statistics and every recorded frame, CSV with the statistics, or a table."""

import csv
import io
import json
import math
from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import Any

from glfft.profiling.timeline import SectionStatistics, Statistics, Summary, Timeline

_SUMMARY_FIELDS = [field.name for field in fields(Summary)]


def to_json(statistics: Statistics, timeline: Timeline) -> str:
    """Statistics and recorded frames as JSON text. Times are in milliseconds; null means that there is no value.

    {"timer", "device", "unit": "ms", "frames", "warm_up", "dropped", "since_previous": SUMMARY, "frame": SECTION,
    "sections": [SECTION, ...], "timeline": {"numbers", "since_previous", "warm_up", "sections": [{"section", "time",
    "cpu"}]}} with SUMMARY = {"last", "mean", "p50", "p95", "p99", "max"} and SECTION = {"section": "outer/inner",
    "depth", "frames", "time": SUMMARY, "cpu": SUMMARY, "moved": bytes}. "timer" names the clock of "time".
    """
    frames = {
        "numbers": timeline.numbers.tolist(),
        "since_previous": _numbers(timeline.since_previous),
        "warm_up": timeline.warm_up.tolist(),
        "sections": [
            {"section": _name(path), "time": _numbers(time), "cpu": _numbers(timeline.cpu[path])}
            for path, time in timeline.time.items()
        ],
    }
    report = {
        "timer": statistics.timer,
        "device": statistics.device,
        "unit": "ms",
        **{name: getattr(statistics, name) for name in ("frames", "warm_up", "dropped")},
        "since_previous": _summary(statistics.since_previous),
        "frame": _section(statistics.frame),
        "sections": [_section(section) for section in statistics.sections],
        "timeline": frames,
    }
    return json.dumps(report, indent=1)


def to_csv(statistics: Statistics) -> str:
    """The statistics as CSV text: one row for each section and clock, with the whole frame first. Columns: section
    ("outer/inner"), clock ("cpu", or the profiler's timer), frames, and last, mean, p50, p95, p99 and max in ms.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["section", "clock", "frames", *(f"{name}_ms" for name in _SUMMARY_FIELDS)])
    for section in (statistics.frame, *statistics.sections):
        for clock, summary in ((statistics.timer, section.time), ("cpu", section.cpu)):
            writer.writerow([_name(section.path), clock, section.frames, *_numbers(asdict(summary).values())])
    return text.getvalue()


def to_table(statistics: Statistics, absent: Iterable[str]) -> str:
    """The statistics as text: a line for each section, indented by nesting, with median, p95 and maximum. Sections that
    are expected and did not run, `absent`, get a line that says so.
    """
    sections = (statistics.frame, *statistics.sections)
    names = ["  " * len(section.path) + section.name for section in sections]
    missing = [name for name in absent if (name,) not in {section.path for section in sections}]
    width = max(len(name) for name in (*names, *(f"  {name}" for name in missing), "ms a frame"))
    lines = [f"{'ms a frame':{width}} {'median':>9} {'p95':>9} {'max':>9}"]
    for name, section in zip(names, sections, strict=True):
        time = section.time
        lines.append(f"{name:{width}} {time.p50:9.3f} {time.p95:9.3f} {time.max:9.3f}")
    lines += [f"{f'  {name}':{width}} not drawn" for name in missing]
    lines.append(f"{statistics.frames} frame{'s' * (statistics.frames != 1)}, {statistics.timer}, {statistics.device}")
    return "\n".join(lines)


def _name(path: tuple[str, ...]) -> str:
    return "/".join(path) or "frame"


def _section(section: SectionStatistics) -> dict[str, Any]:
    counted = {"section": _name(section.path), "depth": section.depth, "frames": section.frames}
    return {**counted, "time": _summary(section.time), "cpu": _summary(section.cpu), "moved": section.moved}


def _summary(summary: Summary) -> dict[str, float | None]:
    return dict(zip(_SUMMARY_FIELDS, _numbers(asdict(summary).values()), strict=True))


def _numbers(values: Iterable[float]) -> list[float | None]:
    # JSON has no NaN. The clocks count nanoseconds: more digits would be noise.
    return [None if math.isnan(value) else round(float(value), 6) for value in values]
