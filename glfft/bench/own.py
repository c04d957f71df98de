"""glfft as a contender: a plan on random textures or buffers, what making it costs, and what asking for a run costs."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from glfft.bench.cases import FLOAT32
from glfft.bench.contender import IN_PLACE, OUT_OF_PLACE
from glfft.bench.ends import Ends, check_limits
from glfft.bench.workload import Workload
from glfft.gl import is_software
from glfft.plan import Plan
from glfft.timing import ContextTimer, Subject

_SUBMISSIONS = 41
_SUBMISSIONS_AT_ONCE = 8


@dataclass(frozen=True)
class Setup:
    """What making a plan and running it once takes, in milliseconds of wall time.

    Attributes:
        first_ms: the first of its shape in this process: its programs are compiled, though a driver may keep compiled
            programs on disk from earlier runs.
        cached_ms: a second one, whose programs are there already.
    """

    first_ms: float
    cached_ms: float


class Own:
    """A plan of glfft's, orthonormal so that a transform in place keeps the size of its numbers when repeated.

    Args:
        timer: of the ends' context.
        ends: what it transforms.
        algorithm: by name.
        owns_ends: whether they are released with it.

    Attributes:
        plan: the plan.
        setup: what it took.

    Raises:
        LimitError: the algorithm cannot do this case on this device.
    """

    def __init__(self, timer: ContextTimer, ends: Ends, algorithm: str, owns_ends: bool = False) -> None:
        self._timer = timer
        self._ends = ends
        self._owns_ends = owns_ends
        # The barrier of everyday use: a shader reads the result, or the next transform does.
        self._next_use = "storage" if ends.case.storage.buffer else "sample"
        first_ms = self._make(algorithm)
        self.plan.release()
        self.setup = Setup(first_ms, self._make(algorithm))

    def _make(self, algorithm: str) -> float:
        ends = self._ends
        ends.ctx.finish()
        start = time.perf_counter()
        self.plan = Plan(
            ends.ctx,
            ends.case.shape,
            axes=ends.case.axes,
            algorithm=algorithm,
            norm="ortho",
            layers=ends.case.layers,
            storage=ends.case.storage.name,
        )
        self._out_of_place()
        ends.ctx.finish()
        return (time.perf_counter() - start) * 1e3

    def _out_of_place(self) -> None:
        self.plan.forward(self._ends.source, self._ends.target, next_use=self._next_use)

    def _in_place(self) -> None:
        self.plan.forward(self._ends.target, self._ends.target, next_use=self._next_use)

    @property
    def ways(self) -> dict[str, Subject]:
        return {
            OUT_OF_PLACE: self._timer.subject(self._out_of_place),
            IN_PLACE: self._timer.subject(self._in_place),
        }

    def snr_db(self) -> float:
        ends = self._ends
        self.plan.forward(ends.source, ends.target, next_use="read")
        out_of_place = ends.target_snr_db()
        ends.fill(ends.target)
        self.plan.forward(ends.target, ends.target, next_use="read")
        return min(out_of_place, ends.target_snr_db())

    def submission_us(self) -> float | None:
        """Microseconds of wall time to ask for one transform; None on software renderers, which compute meanwhile."""
        return None if is_software(self._ends.ctx) else submission_us(self._out_of_place, self._ends.ctx.finish)

    def release(self) -> None:
        self.plan.release()
        if self._owns_ends:
            self._ends.release()


class Float32:
    """glfft's own transform of the same pictures in rg32f textures: what another storage is to be compared with."""

    name = FLOAT32.name
    description = "glfft in rg32f textures, algorithm auto"

    def __init__(self, timer: ContextTimer) -> None:
        self._timer = timer

    def contender(self, workload: Workload) -> Own:
        check_limits(self._timer.ctx, replace(workload.case, storage=FLOAT32))
        ends = Ends(self._timer.ctx, workload, FLOAT32)
        try:
            return Own(self._timer, ends, "auto", owns_ends=True)
        except Exception:
            ends.release()
            raise


def submission_us(call: Callable[[], Any], finish: Callable[[], Any]) -> float:
    """Median of the wall time that a call takes which only queues commands, with little before it in the queue."""
    elapsed = []
    for _ in range(_SUBMISSIONS):
        finish()
        start = time.perf_counter_ns()
        for _ in range(_SUBMISSIONS_AT_ONCE):
            call()
        elapsed.append((time.perf_counter_ns() - start) / 1e3 / _SUBMISSIONS_AT_ONCE)
    return statistics.median(elapsed)
