"""What a benchmark found, as numbers for programs, summed up, and as tables for people."""

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from glfft.apps.bench.frames import FINISH_EACH, FREE_RUNNING, GLFFT
from glfft.apps.bench.own import Setup
from glfft.apps.bench.suite import Case, ConvolutionCase, OceanCase
from glfft.apps.bench.workload import IN_PLACE, OUT_OF_PLACE, Measured
from glfft.engine.explain import aligned
from glfft.profiling.timing import Timing

_NOTHING = "-"  # in cells without a number


@dataclass(frozen=True)
class Result:
    case: Case
    algorithm: str
    measured: Measured
    bytes_moved: int | None  # bytes that its passes read and write, or None if that is not known
    dispatches: int  # of one run
    floor_db: float  # the lowest signal-to-noise ratio, in dB, of a result that counts as right
    copy: Timing | None  # time of the fastest shader that copies the same textures once, or None if none was timed
    setup: Setup  # time to make the plan
    python_us: float | None = None  # time of the call that queues one transform; None on software renderers
    peers: Mapping[str, Measured] = field(default_factory=dict)  # other libraries by name, if they can do the case
    frames: Mapping[str, Measured] = field(default_factory=dict)  # frame times by name, "glfft" first, if there are any

    @property
    def microseconds(self) -> float:
        """Time of a transform: out of place or in place, whichever is faster."""
        return self.measured.best.microseconds

    @property
    def gflops(self) -> float:
        """5 N log2 N floating-point operations a transform, divided by the time, in 10^9 a second."""
        return self.case.operations / (self.microseconds * 1e3)

    @property
    def gbytes_per_s(self) -> float | None:
        return None if self.bytes_moved is None else self.bytes_moved / (self.microseconds * 1e3)

    @property
    def copy_share(self) -> float | None:
        """Share of a copy's bandwidth: the time of one copy for each pass, divided by the time of the transform."""
        return None if self.copy is None else self.dispatches * self.copy.microseconds / self.microseconds

    def is_right(self, measured: Measured | None = None) -> bool:
        """Whether a result, by default its own, is as close to float64 as its storage allows, or was not compared."""
        found = (measured or self.measured).snr_db
        return found is None or found >= self.floor_db

    def ratio(self, peer: str) -> float | None:
        """The peer's time divided by glfft's, each the faster of out of place and in place. None if it has no time."""
        return self.peers[peer].best.microseconds / self.microseconds if peer in self.peers else None

    def frame_ratio(self, name: str) -> float | None:
        """The frame time of that name divided by glfft's, both free-running. None if there is none."""
        if name not in self.frames:
            return None
        theirs, ours = (self.frames[each].ways[FREE_RUNNING] for each in (name, GLFFT))
        return theirs.microseconds / ours.microseconds

    def to_json(self) -> dict[str, Any]:
        """As plain data; times in microseconds. `snr_db` is None where exact, not finite or not compared."""
        return {
            "algorithm": self.algorithm,
            "case": self.case.title,
            **{name: list(getattr(self.case, name)) for name in ("shape", "axes")},
            **{name: getattr(self.case, name) for name in ("batch", "real", "cosine")},
            "storage": self.case.storage.name,
            **_to_json(self.measured),
            **{name: getattr(self, name) for name in ("floor_db", "gflops", "gbytes_per_s")},
            **{name: getattr(self, name) for name in ("bytes_moved", "dispatches")},
            "copy_us": None if self.copy is None else self.copy.microseconds,
            "copy_share": self.copy_share,
            "setup_ms": {"first": self.setup.first_ms, "cached": self.setup.cached_ms},
            "python_us": self.python_us,
            "peers": {name: {**_to_json(each), "ratio": self.ratio(name)} for name, each in self.peers.items()},
            "frames": {name: {**_to_json(each), "ratio": self.frame_ratio(name)} for name, each in self.frames.items()},
        }


def _to_json(measured: Measured) -> dict[str, Any]:
    snr_db = measured.snr_db
    return {
        **_timing_to_json(measured.best),
        "timer": measured.best.timer,
        "snr_db": snr_db if snr_db is not None and math.isfinite(snr_db) else None,
        **{way: _timing_to_json(timing) for way, timing in measured.ways.items()},
    }


def _timing_to_json(timing: Timing) -> dict[str, Any]:
    return {"microseconds": timing.microseconds, "quartiles": list(timing.quartiles), "samples": timing.samples}


def summarise(peer: str, found: Sequence[tuple[Case, str, float]]) -> dict[str, Any]:
    """Cases, algorithms and ratios, a peer's time over glfft's: figures by kind and algorithm, lowest ratios."""
    by_kind: dict[tuple[str, str], list[tuple[Case, float]]] = {}
    for case, algorithm, ratio in found:
        by_kind.setdefault((_kind(case), algorithm), []).append((case, ratio))
    kinds = []
    for (kind, algorithm), pairs in by_kind.items():
        ratios = [ratio for _, ratio in pairs]
        figures = {
            "geometric_mean": statistics.geometric_mean(ratios),
            "share_above_one": statistics.fmean(ratio > 1.0 for ratio in ratios),
            "least": min(ratios),
            "least_smooth": min((ratio for case, ratio in pairs if case.smooth), default=None),
        }
        kinds.append({"kind": kind, "algorithm": algorithm, "cases": len(ratios), **figures})
    lowest = sorted(found, key=lambda each: each[2])[:5]
    worst = [{"case": case.title, "algorithm": algorithm, "ratio": ratio} for case, algorithm, ratio in lowest]
    return {"peer": peer, "kinds": kinds, "worst": worst}


def _kind(case: Case) -> str:
    if isinstance(case, OceanCase):
        return "ocean"
    if isinstance(case, ConvolutionCase):
        return "convolution"
    if case.storage.number.coarse:
        return "half storage"
    return "real" if case.real else "cosine" if case.cosine else "complex"


@dataclass(frozen=True)
class Report:
    device: str  # the name of the renderer
    setup: dict[str, Any]  # versions and settings, to repeat the run
    results: Sequence[Result]  # in the order of the run
    skipped: Sequence[str]  # a sentence on each thing that could not be measured
    stop: BaseException | None = None  # what ended the run early

    def _rated(self, peer: str) -> list[tuple[Case, str, float]]:
        return [(each.case, each.algorithm, ratio) for each in self.results if (ratio := each.ratio(peer)) is not None]

    @property
    def summaries(self) -> list[dict[str, Any]]:
        """How the peers that were asked for compare over all cases, where any has a ratio; see `summarise`."""
        return [summarise(peer, rated) for peer in self.setup["peers"] if (rated := self._rated(peer))]

    @property
    def wrong(self) -> list[str]:
        return [
            f"{each.algorithm} at {each.case.title} ({each.measured.snr_db:.1f} dB, not at least {each.floor_db:.1f})"
            for each in self.results
            if not each.is_right()
        ]

    def to_json(self) -> dict[str, Any]:
        return {
            "device": self.device,
            "setup": self.setup,
            "results": [result.to_json() for result in self.results],
            "skipped": list(self.skipped),
            "summaries": self.summaries,
        }


def render(report: Report) -> str:
    lines, results, of_suite = [report.device], report.results, report.setup.get("suite")
    if of_suite:
        lines.append(f"Suite: {of_suite}.")
    if results:
        best = [result.measured.best for result in results]
        samples = " to ".join(map(str, sorted({end(each.samples for each in best) for end in (min, max)})))
        medians = f"medians of {samples} samples by {best[0].timer}, in microseconds"
        lines.append(f"Forward transforms of random numbers: {medians}.")
        peers, frames = _names(result.peers for result in results), _names(result.frames for result in results)
        lines += [f"{name}: {text}" for name, text in report.setup["peers"].items()]
        lines += ["", *aligned(_times(results, peers), 2), "", *aligned(_setups(results), 2)]
        if frames:
            lines += ["", "Frame times: one texture transformed into another, microseconds of wall time."]
            lines += ["", *aligned(_frames(results, frames), 2)]
        lines += ["", *_legend(peers, frames)]
        if any(result.measured.snr_db is None for result in results):
            lines.append("Results without dB were not compared with float64; --check compares all.")
    for summary in report.summaries if of_suite else ():
        lines += ["", *_summary(summary), ""]
    return "\n".join(lines + [f"Skipped: {sentence}" for sentence in report.skipped])


def _names(measured: Iterable[Mapping[str, Measured]]) -> list[str]:
    return list(dict.fromkeys(name for each in measured for name in each))


def _times(results: Sequence[Result], peers: Sequence[str]) -> list[list[str]]:
    rows = [["case", "algorithm", "out of place", "in place", "quartiles", "GFLOP/s", "GB/s", "of copy", "dB"]]
    rows[0] += [head for peer in peers for head in (f"{peer} us", f"x {peer}")]
    for result in results:
        found = result.measured
        row = [result.case.title, result.algorithm, _way(found, OUT_OF_PLACE), _way(found, IN_PLACE)]
        row += [" to ".join(map(three_digits, found.best.quartiles)), three_digits(result.gflops)]
        row += [_shown(result.gbytes_per_s), _shown(result.copy_share, ".0%")]
        row.append(_shown(found.snr_db, ".1f") + ("" if result.is_right() else " WRONG"))
        for peer in peers:
            time = result.peers[peer].best.microseconds if peer in result.peers else None
            row += [_shown(time), _shown(result.ratio(peer), ".2f")]
        rows.append(row)
    return rows


def _setups(results: Sequence[Result]) -> list[list[str]]:
    rows = [["case", "algorithm", "first plan, ms", "the next, ms", "Python, us a call"]]
    for each in results:
        times = (each.setup.first_ms, each.setup.cached_ms, each.python_us)
        rows.append([each.case.title, each.algorithm, *map(_shown, times)])
    return rows


def _frames(results: Sequence[Result], names: Sequence[str]) -> list[list[str]]:
    """A row of each result with frames: of each name two times and, but for glfft itself, a ratio."""
    rows = [["case", "algorithm"]]
    for name in names:
        rows[0] += [name, "finish each", "x frame"][: 2 + (name != GLFFT)]
    for result in results:
        row = [result.case.title, result.algorithm]
        for name in names:
            cells, measured = [_NOTHING] * 3, result.frames.get(name)
            if measured is not None:
                wrong = "" if result.is_right(measured) else " WRONG"
                ways = _way(measured, FREE_RUNNING) + wrong, _way(measured, FINISH_EACH)
                cells = [*ways, _shown(result.frame_ratio(name))]
            row += cells[: 2 + (name != GLFFT)]
        if result.frames:
            rows.append(row)
    return rows


def _summary(summary: Mapping[str, Any]) -> list[str]:
    rows = [["kind", "algorithm", "cases", "geometric mean", "above 1", "least", "least of 7-smooth"]]
    for each in summary["kinds"]:
        least = (_shown(each[name], ".2f") for name in ("least", "least_smooth"))
        mean, share = f"{each['geometric_mean']:.2f}", f"{each['share_above_one']:.0%}"
        rows.append([each["kind"], each["algorithm"], str(each["cases"]), mean, share, *least])
    worst = ", ".join(f"{each['case']} {each['ratio']:.2f}" for each in summary["worst"])
    return [f"{summary['peer']}'s time divided by glfft's:", *aligned(rows, 2), f"Lowest: {worst}."]


def _legend(peers: Sequence[str], frames: Sequence[str]) -> list[str]:
    lines = [
        "'of copy' is the time of one plain copy of the textures for each pass, divided by the transform's time.",
        "'first plan' is the time to make a plan and run it once, with compiling; 'the next' needs no compiling.",
    ]
    if peers:
        ratio = "'x NAME' is that library's time divided by glfft's, each the faster of out of place and in place"
        lines.append(f"{ratio}: above 1, glfft is faster.")
    if frames:
        lines += [
            "A frame time is the time of many frames queued one after the other, with one finish at the end, divided "
            "by their number; for 'finish each', the program waits for each frame.",
            "'x frame' is the frame time in the columns before it, free-running, divided by glfft's: above 1, glfft is "
            "faster.",
        ]
    return lines


def _shown(value: float | None, form: str = "") -> str:
    """A number in a form, or in three digits at least; nothing where there is none."""
    return _NOTHING if value is None else f"{value:{form}}" if form else three_digits(value)


def _way(measured: Measured, way: str) -> str:
    return _shown(measured.ways[way].microseconds if way in measured.ways else None)


def three_digits(value: float) -> str:
    """Three significant digits at least, without an exponent."""
    decimals = max(0, 2 - math.floor(math.log10(value))) if value > 0 else 0
    return f"{value:.{decimals}f}"
