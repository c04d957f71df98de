"""A whole report: what was measured on one device, as data that can be saved and shown again without a GPU."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import glfft
from glfft.apps.bench.cpu import cores
from glfft.apps.papers import NAMES, open_chapters
from glfft.apps.papers.chapter import Chapter
from glfft.apps.papers.claims import Grid, Measured
from glfft.apps.papers.measuring import Run
from glfft.errors import DataError
from glfft.files import refuse_pipe
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

    @classmethod
    def read(cls, *paths: str | Path) -> Self:
        """The report of files from `to_json`, with the chapters of one device. Raises DataError for another file."""
        first, *others = map(cls._read, paths)
        for path, other in zip(paths[1:], others, strict=True):
            if other.device != first.device:
                raise DataError(f"{path} is of {other.device}, {paths[0]} of {first.device}; name files of one device.")
            first = cls(first.device, first.setup, {**first.chapters, **other.chapters})
        return first

    @classmethod
    def _read(cls, path: str | Path) -> Self:
        try:
            refuse_pipe(path)
            data = json.loads(Path(path).read_text(encoding="utf-8"))
            chapters = data["chapters"].items()
            grids = {name: {part: Grid.from_json(each) for part, each in parts.items()} for name, parts in chapters}
            return cls(str(data["device"]), dict(data["setup"]), grids)
        except OSError as error:
            raise DataError(f"Cannot read {path}: {error.strerror}.") from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DataError(f"{path} is no report on papers as 'glfft bench --papers FILE.json' writes it.") from error

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
