"""What a benchmark found, as numbers for programs, and of many cases in a few numbers: how many times as fast as a
library glfft is. `glfft.apps.bench.table` shows it to people.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from glfft.apps.bench.cases import Case, ConvolutionCase, OceanCase
from glfft.apps.bench.contender import Measured
from glfft.apps.bench.frames import FREE_RUNNING, GLFFT
from glfft.apps.bench.own import Setup
from glfft.apps.bench.suite import Group
from glfft.profiling.timing import Timing

# The cases with the lowest ratios, which a summary names.
_WORST = 5


@dataclass(frozen=True)
class Result:
    """One algorithm in one case."""

    case: Case  # what was transformed
    algorithm: str  # the name of the algorithm
    measured: Measured  # its timings and its accuracy
    bytes_moved: int | None  # bytes that its passes read and write, or None if that is not known
    dispatches: int  # dispatches of one run
    floor_db: float  # the lowest signal-to-noise ratio, in dB, of a result that counts as right
    copy: Timing | None  # time of the fastest shader that copies the same textures once, or None if none was timed
    setup: Setup  # time to make the plan
    # time of the call that queues one transform, in microseconds; None on software renderers
    python_us: float | None = None
    # timings and accuracy of other libraries in the same run, by name, without those that cannot do the case
    peers: Mapping[str, Measured] = field(default_factory=dict)
    # frame times by name, with "glfft" first; empty if none were asked for or the case has none
    frames: Mapping[str, Measured] = field(default_factory=dict)

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
        """Bytes read and written, divided by the time, in 10^9 bytes a second."""
        return None if self.bytes_moved is None else self.bytes_moved / (self.microseconds * 1e3)

    @property
    def copy_share(self) -> float | None:
        """Share of a copy's bandwidth: the time of one copy for each pass, divided by the time of the transform."""
        return None if self.copy is None else self.dispatches * self.copy.microseconds / self.microseconds

    @property
    def right(self) -> bool:
        """Whether the result is as close to float64 as its storage allows, or was not compared."""
        return self.is_right(self.measured)

    def is_right(self, measured: Measured) -> bool:
        """Whether something measured in this case is as close to float64 as its storage allows, or was not compared."""
        return measured.snr_db is None or measured.snr_db >= self.floor_db

    def ratio(self, peer: str) -> float | None:
        """The peer's time divided by glfft's, each the faster of out of place and in place: above 1, glfft is faster.
        None if the peer has no time here.
        """
        return self.peers[peer].best.microseconds / self.microseconds if peer in self.peers else None

    def frame_ratio(self, name: str) -> float | None:
        """The frame time of that name divided by glfft's, both free-running: above 1, glfft is faster. None if there is
        none.
        """
        if name not in self.frames:
            return None
        ours = self.frames[GLFFT].ways[FREE_RUNNING]
        return self.frames[name].ways[FREE_RUNNING].microseconds / ours.microseconds

    def to_json(self) -> dict[str, Any]:
        """As plain data; times in microseconds. `snr_db` is None where exact, not finite or not compared."""
        return {
            "algorithm": self.algorithm,
            "case": self.case.title,
            "shape": list(self.case.shape),
            "batch": self.case.batch,
            "axes": list(self.case.axes),
            "storage": self.case.storage.name,
            "real": self.case.real,
            "cosine": self.case.cosine,
            **_to_json(self.measured),
            "floor_db": self.floor_db,
            "gflops": self.gflops,
            "gbytes_per_s": self.gbytes_per_s,
            "bytes_moved": self.bytes_moved,
            "dispatches": self.dispatches,
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


@dataclass(frozen=True)
class Verdict:
    """Whether a group of cases reaches its mark."""

    group: Group  # the group
    ratios: Sequence[float]  # the peer's time divided by glfft's, for each case of the group that was measured

    @property
    def met(self) -> bool | None:
        """Whether the mark is reached; None if cases are missing and those measured leave it open."""
        group = self.group
        fast = sum(ratio >= group.somewhere for ratio in self.ratios) if group.somewhere else 0
        missing = len(group.cases) - len(self.ratios)
        if (
            group.everywhere and any(ratio < group.everywhere for ratio in self.ratios)
        ) or fast + missing < group.times:
            return False
        return None if missing else True

    def to_json(self) -> dict[str, Any]:
        group = self.group
        marks = {name: getattr(group, name) for name in ("everywhere", "somewhere", "times")}
        cases = [case.title for case in group.cases]
        return {"group": group.title, "against": group.against, "cases": cases, **marks, "met": self.met}


@dataclass(frozen=True)
class Ratios:
    """Cases of a kind by one algorithm beside a peer. A ratio is the peer's time over glfft's."""

    kind: str  # "complex", "real", "half storage", "cosine", "ocean" or "convolution"
    algorithm: str  # its name
    ratios: tuple[float, ...]  # of each case
    smooth: tuple[float, ...]  # of the cases without a prime factor above 7

    @property
    def mean(self) -> float:
        """The geometric mean."""
        return math.exp(math.fsum(map(math.log, self.ratios)) / len(self.ratios))

    @property
    def share_above_one(self) -> float:
        """The share of cases where glfft is faster."""
        return sum(ratio > 1.0 for ratio in self.ratios) / len(self.ratios)

    @property
    def least_smooth(self) -> float | None:
        """The least ratio without a prime factor above 7, or None where there is no such case."""
        return min(self.smooth, default=None)

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "algorithm": self.algorithm,
            "cases": len(self.ratios),
            "geometric_mean": self.mean,
            "share_above_one": self.share_above_one,
            "least": min(self.ratios),
            "least_smooth": self.least_smooth,
        }


@dataclass(frozen=True)
class Summary:
    """A run beside one peer."""

    peer: str  # its name
    kinds: tuple[Ratios, ...]  # every kind of case that was measured
    worst: tuple[tuple[str, str, float], ...]  # title, algorithm and ratio of the five lowest ratios, the lowest first

    def to_json(self) -> dict[str, Any]:
        worst = [{"case": title, "algorithm": algorithm, "ratio": ratio} for title, algorithm, ratio in self.worst]
        return {"peer": self.peer, "kinds": [each.to_json() for each in self.kinds], "worst": worst}


def summarise(peer: str, found: Sequence[tuple[Case, str, float]]) -> Summary:
    """What was found beside a peer, given as case, algorithm and ratio."""
    by_kind: dict[tuple[str, str], list[tuple[float, bool]]] = {}
    for case, algorithm, ratio in found:
        by_kind.setdefault((_kind(case), algorithm), []).append((ratio, case.smooth))
    kinds = tuple(
        Ratios(*key, tuple(ratio for ratio, _ in pairs), tuple(ratio for ratio, smooth in pairs if smooth))
        for key, pairs in by_kind.items()
    )
    lowest = sorted(found, key=lambda each: each[2])[:_WORST]
    return Summary(peer, kinds, tuple((case.title, algorithm, ratio) for case, algorithm, ratio in lowest))


def _kind(case: Case) -> str:
    if isinstance(case, OceanCase):
        return "ocean"
    if isinstance(case, ConvolutionCase):
        return "convolution"
    if case.storage.dtype == "f2":
        return "half storage"
    return "real" if case.real else "cosine" if case.cosine else "complex"


@dataclass(frozen=True)
class Report:
    """A whole run."""

    device: str  # the name of the renderer
    setup: dict[str, Any]  # versions and settings, to repeat the run
    results: Sequence[Result]  # the results in the order of the run
    skipped: Sequence[str]  # a sentence on each thing that could not be measured
    groups: Sequence[Group] = ()  # the groups of cases whose marks are judged

    @property
    def verdicts(self) -> list[Verdict]:
        """A verdict for each group."""
        return [Verdict(group, self._ratios(group)) for group in self.groups]

    def _ratios(self, group: Group) -> list[float]:
        found = [result.ratio(group.against) for result in self.results if result.case in group.cases]
        return [ratio for ratio in found if ratio is not None]

    @property
    def summaries(self) -> list[Summary]:
        """How the peers that were asked for compare over all cases, where any has a ratio."""
        found = []
        for peer in self.setup["peers"]:
            rated = [(each.case, each.algorithm, each.ratio(peer)) for each in self.results]
            kept = [(case, algorithm, ratio) for case, algorithm, ratio in rated if ratio is not None]
            found += [summarise(peer, kept)] if kept else []
        return found

    @property
    def wrong(self) -> list[str]:
        """A description of each wrong result."""
        wrong = [result for result in self.results if not result.right]
        found = [(each, f"{each.measured.snr_db:.1f} dB, not at least {each.floor_db:.1f}") for each in wrong]
        return [f"{each.algorithm} at {each.case.title} ({error})" for each, error in found]

    def to_json(self) -> dict[str, Any]:
        return {
            "device": self.device,
            "setup": self.setup,
            "results": [result.to_json() for result in self.results],
            "skipped": list(self.skipped),
            "summaries": [summary.to_json() for summary in self.summaries],
            "marks": [verdict.to_json() for verdict in self.verdicts],
        }
