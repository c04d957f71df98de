"""glfft as a contender: a plan on random textures or buffers, what making it costs, and what asking for a run costs."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import moderngl

from glfft.accuracy import floor_db
from glfft.bench.cases import FLOAT32
from glfft.bench.contender import IN_PLACE, OUT_OF_PLACE, Contender
from glfft.bench.images import ImagePair, check_limits
from glfft.bench.workload import Workload
from glfft.gl.context import is_software
from glfft.plan import Plan
from glfft.tuning.timing import ContextTimer, Subject

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


class OwnContender(Contender, Protocol):
    """A contender of glfft's own, of which more is known.

    Attributes:
        setup: what making it took.
        dispatches: of a run.
        bytes_moved: read and written by them, or None where that is not known.
        floor_db: the least signal-to-noise ratio of a right result.
    """

    setup: Setup
    dispatches: int
    bytes_moved: int | None
    floor_db: float

    def run(self) -> None:
        """Queue one run, out of place."""


class _Runnable(Protocol):
    def release(self) -> None: ...


_Made = TypeVar("_Made", bound=_Runnable)


def set_up(ctx: moderngl.Context, make: Callable[[], _Made], run: Callable[[_Made], object]) -> tuple[_Made, Setup]:
    """Make something twice, and run it once each time; the second one, and what either took."""

    def timed() -> tuple[_Made, float]:
        ctx.finish()
        start = time.perf_counter()
        made = make()
        run(made)
        ctx.finish()
        return made, (time.perf_counter() - start) * 1e3

    first, first_ms = timed()
    first.release()
    made, cached_ms = timed()
    return made, Setup(first_ms, cached_ms)


class Own:
    """A plan of glfft's, orthonormal so that a transform in place keeps the size of its numbers when repeated.

    Args:
        timer: of the images' context.
        images: what it transforms.
        algorithm: by name.
        tune: tune the plan.
        owns_images: whether they are released with it.

    Raises:
        LimitError: the algorithm cannot do this case on this device.
    """

    def __init__(
        self, timer: ContextTimer, images: ImagePair, algorithm: str, tune: bool = False, owns_images: bool = False
    ) -> None:
        self._timer = timer
        self._images = images
        self._owns_images = owns_images
        # The barrier of everyday use: a shader reads the result, or the next transform does.
        self._next_use = "storage" if images.case.storage.buffer else "sample"
        self._plan, self.setup = set_up(images.ctx, lambda: self._make(algorithm), self._out_of_place)
        if tune:
            self._plan.tune()
        case = images.case
        self.dispatches = self._plan.dispatches
        self.bytes_moved: int | None = self._plan.bytes_moved
        self.floor_db = floor_db(case.transform_points, case.storage, self.dispatches)

    def _make(self, algorithm: str) -> Plan:
        case = self._images.case
        return Plan(
            self._images.ctx,
            case.shape,
            axes=case.axes,
            algorithm=algorithm,
            norm="ortho",
            layers=case.layers,
            storage=case.storage.name,
        )

    def _out_of_place(self, plan: Plan) -> None:
        plan.forward(self._images.source, self._images.target, next_use=self._next_use)

    def run(self) -> None:
        self._plan.forward(self._images.source, self._images.target, next_use=self._next_use)

    def _in_place(self) -> None:
        self._plan.forward(self._images.target, self._images.target, next_use=self._next_use)

    @property
    def ways(self) -> dict[str, Subject]:
        return {
            OUT_OF_PLACE: self._timer.subject(self.run),
            IN_PLACE: self._timer.subject(self._in_place),
        }

    def snr_db(self) -> float:
        images = self._images
        self._plan.forward(images.source, images.target, next_use="read")
        out_of_place = images.target_snr_db()
        images.fill(images.target)
        self._plan.forward(images.target, images.target, next_use="read")
        return min(out_of_place, images.target_snr_db())

    def release(self) -> None:
        self._plan.release()
        if self._owns_images:
            self._images.release()


class Float32:
    """glfft's own transform of the same pictures in rg32f textures: what another storage is to be compared with."""

    name = FLOAT32.name
    description = "glfft in rg32f textures, algorithm auto"

    def __init__(self, timer: ContextTimer, tune: bool = False) -> None:
        self._timer = timer
        self._tune = tune

    def contender(self, workload: Workload) -> Own:
        check_limits(self._timer.ctx, replace(workload.case, storage=FLOAT32))
        images = ImagePair(self._timer.ctx, workload, FLOAT32)
        try:
            return Own(self._timer, images, "auto", self._tune, owns_images=True)
        except Exception:
            images.release()
            raise


def submission_us(ctx: moderngl.Context, call: Callable[[], object]) -> float | None:
    """Microseconds of wall time to ask for a run, with little before it in the queue: the median.

    Args:
        ctx: the context.
        call: only queues commands.

    Returns:
        None on software renderers, where the call does part of the work itself.
    """
    if is_software(ctx):
        return None
    elapsed = []
    for _ in range(_SUBMISSIONS):
        ctx.finish()
        start = time.perf_counter_ns()
        for _ in range(_SUBMISSIONS_AT_ONCE):
            call()
        elapsed.append((time.perf_counter_ns() - start) / 1e3 / _SUBMISSIONS_AT_ONCE)
    return statistics.median(elapsed)
