"""Published times beside ours: the kernels of a paper measured, and whether its conclusions hold on this device.

Times of different devices are never compared: ours are ratios to a reference on the same machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import moderngl
import numpy as np

from glfft.accuracy import floor_db, random_complex, snr_db
from glfft.algorithms import registry
from glfft.algorithms.passes import AxisRequest
from glfft.algorithms.storage import STORAGES
from glfft.bench import ambuluri
from glfft.bench.ambuluri import Conclusion, Row
from glfft.bench.cases import Case
from glfft.bench.contender import OUT_OF_PLACE
from glfft.bench.cpu import Scipy
from glfft.bench.cufft import Cufft
from glfft.bench.workload import Workload
from glfft.engine.compiled_pass import CompiledPass
from glfft.errors import AccuracyError, GlfftError
from glfft.gl.barriers import SHADER_STORAGE_BARRIER
from glfft.gl.context import state_of
from glfft.tuning.timing import ContextTimer, Subject, Timing, time_in_turn

_BUFFER = STORAGES["buffer"]

# Factors that drivers compute are about 1e-6 off.
_COMPUTED_LOSS_DB = 30.0

HOLDS, FAILS, CLOSE = "holds", "does not hold", "too close to tell"


@dataclass(frozen=True)
class Measurement:
    """The rows of a paper on this device.

    Attributes:
        device: its name.
        times: of a row at a length, one transform of one line.
        skipped: why a row has no time at a length.
        reference: the same transform by a library on this machine, by length.
        reference_name: that library.
        cufft: cuFFT's times, none without CUDA.
    """

    device: str
    times: Mapping[tuple[Row, int], Timing]
    skipped: Mapping[tuple[Row, int], str]
    reference: Mapping[int, Timing]
    reference_name: str
    cufft: Mapping[int, Timing]

    @property
    def lengths(self) -> list[int]:
        """Those that were measured."""
        return sorted(self.reference)

    def fastest(self, rows: Iterable[Row], length: int) -> Timing | None:
        """The fastest of some rows at a length, or None where there is none."""
        found = [self.times[row, length] for row in rows if (row, length) in self.times]
        return min(found, key=lambda timing: timing.microseconds, default=None)


def measure(
    ctx: moderngl.Context,
    lengths: Sequence[int],
    samples: int,
    rows: Sequence[Row] = ambuluri.ROWS,
    progress: Callable[[int], object] = lambda length: None,
) -> Measurement:
    """Measure the rows at some lengths, those of a length in turn.

    Raises:
        MissingExtraError: scipy, the reference, is not installed.
        AccuracyError: a kernel is wrong.
    """
    peers = [Scipy()]
    cufft = _cufft()
    times: dict[tuple[Row, int], Timing] = {}
    skipped: dict[tuple[Row, int], str] = {}
    references: list[dict[int, Timing]] = [{}, {}]
    for length in lengths:
        progress(length)
        with ExitStack() as stack:
            timer = stack.enter_context(ContextTimer(ctx))
            subjects: dict[Row, Subject] = {}
            for row in rows:
                try:
                    subjects[row] = timer.subject(_transform(ctx, row, length, stack))
                except _Skipped as reason:
                    skipped[row, length] = str(reason)
            workload = Workload(Case((1, length), axes=(1,)))
            others = [peer.contender(workload) for peer in (*peers, *cufft)]
            for other in others:
                stack.callback(other.release)
            found = time_in_turn([*subjects.values(), *(other.ways[OUT_OF_PLACE] for other in others)], samples)
        times |= {(row, length): timing for row, timing in zip(subjects, found, strict=False)}
        for reference, timing in zip(references, found[len(subjects) :], strict=False):
            reference[length] = timing
    return Measurement(str(ctx.info["GL_RENDERER"]), times, skipped, references[0], peers[0].description, references[1])


class _Skipped(Exception):
    """Why a row cannot be measured."""


def _cufft() -> list[Cufft]:
    try:
        return [Cufft()]
    except GlfftError:
        return []


def _transform(ctx: moderngl.Context, row: Row, length: int, stack: ExitStack) -> Callable[[], None]:
    """A row's transform of one line in a buffer, checked once."""
    family = registry.family_of(row.family)
    device = state_of(ctx).device
    wanted = AxisRequest((1, length), 1, -1, 1.0, row.computed, None, _BUFFER, device, row.family)
    reason = family.supports(wanted)
    if reason is not None:
        raise _Skipped(f"it would need {reason}")
    parts = family.parts(wanted)
    if not family.fits(row.config, parts[-1]):
        raise _Skipped("it would need more shared memory than the device has")
    configs = [*(family.default(part) for part in parts[:-1]), row.config]
    specs = [spec for part, config in zip(parts, configs, strict=True) for spec in family.passes(part, config)]
    if specs[-1].threads < parts[-1].length // dict(specs[-1].defines)["WORDS"] * row.threads:  # pyright: ignore
        raise _Skipped("it would need more threads than a work group has here")
    passes = [CompiledPass(ctx, spec) for spec in specs]
    line = random_complex((1, length))
    buffers = [ctx.buffer(line.tobytes()), *(ctx.buffer(reserve=line.nbytes) for _ in passes)]
    for buffer in buffers:
        stack.callback(buffer.release)

    def run() -> None:
        for each, source, target in zip(passes, buffers, buffers[1:], strict=False):
            each.run(source, target)
            ctx.memory_barrier(SHADER_STORAGE_BARRIER)

    run()
    result = np.frombuffer(buffers[-1].read(), np.complex64)
    found = snr_db(result, np.fft.fft(line[0].astype(np.complex128)))
    if found < floor_db(length, _BUFFER, len(specs)) - (_COMPUTED_LOSS_DB if row.computed else 0.0):
        raise AccuracyError(f"{row.name} is wrong at {length} points: {found:.1f} dB.")
    return run


def verdicts(measured: Measurement, conclusion: Conclusion) -> dict[int, str]:
    """HOLDS, FAILS or CLOSE at each length where both sides were measured: CLOSE where their quartiles overlap."""
    found = {}
    for length in measured.lengths:
        faster, slower = (measured.fastest(rows, length) for rows in (conclusion.faster, conclusion.slower))
        if length in conclusion.lengths and faster is not None and slower is not None:
            if faster.quartiles[1] < slower.quartiles[0]:
                found[length] = HOLDS
            else:
                found[length] = FAILS if slower.quartiles[1] < faster.quartiles[0] else CLOSE
    return found


def enough_threads(measured: Measurement) -> dict[int, str]:
    """The same for 2 N threads against N, of which the better must not be faster by more than the spread."""
    opposite = Conclusion("", ambuluri.MORE, ambuluri.ENOUGH)
    return {length: FAILS if verdict == HOLDS else HOLDS for length, verdict in verdicts(measured, opposite).items()}


def as_good_as_cufft(measured: Measurement) -> dict[int, str]:
    """The same for the fastest row against cuFFT, at the lengths where the thesis has a gain."""
    found = {}
    for length, cufft in measured.cufft.items():
        best = measured.fastest(ambuluri.ROWS, length)
        if length in ambuluri.GAINS and best is not None:
            apart = best.quartiles[1] < cufft.quartiles[0]
            found[length] = HOLDS if apart else FAILS if cufft.quartiles[1] < best.quartiles[0] else CLOSE
    return found


def markdown(measured: Measurement) -> str:
    """The report."""
    lengths = measured.lengths
    head = ["row", *map(str, lengths)]
    published = [
        [row.name, *(_number(row.published_at(length)) for length in lengths)]
        for row in ambuluri.ROWS
        if any(row.published)
    ]
    ours = [[row.name, *(_cell(measured, row, length) for length in lengths)] for row in ambuluri.ROWS]
    found = [(each.claim, verdicts(measured, each)) for each in ambuluri.CONCLUSIONS]
    found.insert(2, (ambuluri.THREADS_ENOUGH, enough_threads(measured)))
    gains = "It is faster than cuFFT up to 1024 points (table 5.8: by 35 % at 16 and 0.5 % at 1024)."
    found.append((gains, as_good_as_cufft(measured)))
    reasons = sorted({f"- {row.name}, {n} points: {why}." for (row, n), why in measured.skipped.items()})
    blocks = [
        "# Ambuluri, Implementations of the FFT algorithm on GPU (2012)",
        f"Here: {measured.device}. One transform of one line at a time; times by {_timer(measured)}.",
        "## Conclusions",
        _table(
            ["the thesis", "here", "by length"], [[claim, _in_all(each), _by_length(each)] for claim, each in found]
        ),
        "## Published",
        "Microseconds on a GeForce GTX 560, CUDA (tables 5.1, 5.3, 5.5, 5.6).",
        _table(head, published),
        "## Here",
        f"Times as multiples of those of {measured.reference_name} on the same machine; in brackets the first and "
        "third quartiles. They are not to be compared with the microseconds above.",
        _table(head, ours),
        *(["## Left out", "\n".join(reasons)] if reasons else []),
    ]
    return "\n\n".join(blocks) + "\n"


def _timer(measured: Measurement) -> str:
    return " and ".join(sorted({timing.timer for timing in measured.times.values()}))


def _in_all(found: Mapping[int, str]) -> str:
    kinds = set(found.values()) - {CLOSE}
    if not found:
        return "cannot be tested here"
    if not kinds:
        return CLOSE
    return kinds.pop() if len(kinds) == 1 else "holds at some lengths"


def _by_length(found: Mapping[int, str]) -> str:
    groups = {kind: [str(length) for length, each in found.items() if each == kind] for kind in (HOLDS, FAILS, CLOSE)}
    return "; ".join(f"{kind} at {', '.join(lengths)}" for kind, lengths in groups.items() if lengths)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def _cell(measured: Measurement, row: Row, length: int) -> str:
    if (row, length) not in measured.times:
        return ""
    timing, reference = measured.times[row, length], measured.reference[length].microseconds
    low, high = (each / reference for each in timing.quartiles)
    return f"{timing.microseconds / reference:.2f} ({low:.2f} to {high:.2f})"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
