"""A whole report: what was measured on one device, as data that can be saved, and shown without a GPU."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import glfft
from glfft.apps.bench.cpu import cores
from glfft.apps.papers import NAMES, open_chapters
from glfft.apps.papers.chapter import Chapter
from glfft.apps.papers.claims import Grid, Measured
from glfft.apps.papers.measuring import Run
from glfft.profiling.timing import timer_name


@dataclass(frozen=True)
class Report:
    """The measurements of one device."""

    device: str  # the renderer's name
    setup: Mapping[str, Any]  # versions, the clock, the libraries, how many samples
    chapters: Mapping[str, Mapping[str, Grid]] = field(default_factory=dict)  # the grids of each chapter, by name

    def to_json(self) -> str:
        """The report as JSON, a row of a grid to a line."""
        parts = {name: {part: grids[part].to_json() for part in grids} for name, grids in self.chapters.items()}
        return f"{_indented({'device': self.device, 'setup': dict(self.setup), 'chapters': parts})}\n"

    @property
    def opened(self) -> list[tuple[Chapter, Measured]]:
        """The chapters that were measured, in the report's order, each with its grids."""
        software = bool(self.setup.get("software"))
        opened = open_chapters([name for name in NAMES if name in self.chapters])
        return [(chapter, Measured(self.chapters[chapter.name], software)) for chapter in opened]


def _indented(data: Any, depth: int = 0) -> str:
    """Data as JSON with lists on one line each."""
    if not isinstance(data, dict) or not data:
        return json.dumps(data, separators=(",", ":"))
    items = [f"{json.dumps(key)}: {_indented(value, depth + 1)}" for key, value in data.items()]
    indent = "\n" + " " * (depth + 1)
    return f"{{{indent}{f',{indent}'.join(items)}{indent[:-1]}}}"


def measure(run: Run, names: Sequence[str], chapter_done: Callable[[Report], object]) -> Report:
    """Measure chapters of some names: `chapter_done` is called with what there is after each. Raises OptionError where
    there is no chapter of a name, AccuracyError where a kernel is wrong.
    """
    chapters, found, info = open_chapters(names), dict[str, Mapping[str, Grid]](), run.ctx.info
    setup = {
        "glfft": glfft.__version__,
        "opengl": info["GL_VERSION"],
        "timer": timer_name(run.ctx),
        "software": run.software,
        "cores": cores(),
        "quick": run.quick,
        "samples": run.samples,
        "libraries": {peer.name: peer.description for peer in run.peers},
    }
    report = Report(str(info["GL_RENDERER"]), setup, found)
    for chapter in chapters:
        run.progress(chapter.name)
        found[chapter.name] = chapter.measure(run)
        chapter_done(report)
    return report
