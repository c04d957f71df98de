"""glfft as a contender: a plan on random pictures, the time to make it, and the time of the call that queues a run."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import moderngl

from glfft.apps.bench.cases import FLOAT32
from glfft.apps.bench.contender import IN_PLACE, OUT_OF_PLACE, Contender
from glfft.apps.bench.image_pairs import ImagePair, check_limits
from glfft.apps.bench.workload import Workload
from glfft.apps.signal_to_noise import COMPUTED_LOSS_DB, floor_db
from glfft.errors import LimitError, OptionError
from glfft.gl.context import is_software
from glfft.plan import Plan
from glfft.profiling.timing import ContextTimer, Subject

_SUBMISSIONS = 41
_SUBMISSIONS_AT_ONCE = 8


@dataclass(frozen=True)
class Setup:
    """The time to make a plan and run it once, in milliseconds of wall time."""

    # for the first plan of its kind in this process. Its programs are compiled, unless the driver finds them on disk
    # from an earlier process.
    first_ms: float
    cached_ms: float  # for a second one, which uses the programs of the first


class OwnContender(Contender, Protocol):
    """A contender that is glfft itself, of which more is known.

    Attributes:
        setup: the time to make it.
        dispatches: dispatches of one run.
        bytes_moved: bytes that they read and write, or None if that is not known.
        floor_db: the lowest signal-to-noise ratio, in dB, of a right result.
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

# One transform follows the other.
_NEXT_USE = "transform"


def set_up(ctx: moderngl.Context, make: Callable[[], _Made], run: Callable[[_Made], object]) -> tuple[_Made, Setup]:
    """Make something twice, and run it once each time. Returns the second one and the time of each."""

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
    """A plan of glfft. It is orthonormal, so that repeated transforms in place keep the size of the numbers. Raises
    LimitError where the algorithm cannot do this case on this device.

    Args:
        timer: a timer of the images' context.
        images: what it transforms.
        algorithm: the name of the algorithm.
        tune: tune the plan.
        owns_images: whether the images are released with it.
        twiddles: as a plan's.
    """

    def __init__(
        self,
        timer: ContextTimer,
        images: ImagePair,
        algorithm: str,
        tune: bool = False,
        owns_images: bool = False,
        twiddles: str = "table",
    ) -> None:
        self._timer = timer
        self._images = images
        self._owns_images = owns_images
        self._twiddles = twiddles
        self._plan, self.setup = set_up(images.ctx, lambda: self._make(algorithm), self._out_of_place)
        if tune:
            self._plan.tune()
        case = images.case
        self.dispatches = self._plan.dispatches
        self.bytes_moved: int | None = self._plan.bytes_moved
        self.floor_db = floor_db(case.transform_points, case.storage, self.dispatches)
        if twiddles == "computed":
            self.floor_db -= COMPUTED_LOSS_DB

    def _make(self, algorithm: str) -> Plan:
        case = self._images.case
        return Plan(
            self._images.ctx,
            case.shape,
            axes=case.axes,
            algorithm=algorithm,
            norm="ortho",
            twiddles=self._twiddles,
            layers=case.layers,
            storage=case.storage.name,
            real=case.real,
            kind="dct2" if case.cosine else None,
        )

    def _out_of_place(self, plan: Plan) -> None:
        plan.forward(self._images.source, self._images.target, next_use=_NEXT_USE)

    def run(self) -> None:
        self._plan.forward(self._images.source, self._images.target, next_use=_NEXT_USE)

    def _in_place(self) -> None:
        self._plan.forward(self._images.target, self._images.target, next_use=_NEXT_USE)

    @property
    def ways(self) -> dict[str, Subject]:
        ways = {OUT_OF_PLACE: self._timer.subject(self.run)}
        if not self._images.case.real:
            ways[IN_PLACE] = self._timer.subject(self._in_place)
        return ways

    def snr_db(self) -> float:
        images = self._images
        self._plan.forward(images.source, images.target, next_use="read")
        out_of_place = images.target_snr_db()
        if images.case.real:
            return out_of_place
        images.fill(images.target)
        self._plan.forward(images.target, images.target, next_use="read")
        return min(out_of_place, images.target_snr_db())

    def release(self) -> None:
        self._plan.release()
        if self._owns_images:
            self._images.release()


class Float32:
    """glfft in rg32f textures, as a peer: what glfft in another storage is compared with."""

    name = FLOAT32.name
    description = "glfft in rg32f textures, algorithm auto"

    def __init__(self, timer: ContextTimer, tune: bool = False) -> None:
        self._timer = timer
        self._tune = tune

    def contender(self, workload: Workload) -> Own:
        try:
            check_limits(self._timer.ctx, replace(workload.case, storage=FLOAT32))
        except OptionError as error:
            # Several volumes, of which there are no textures.
            raise LimitError(str(error)) from error
        images = ImagePair(self._timer.ctx, workload, FLOAT32)
        try:
            return Own(self._timer, images, "auto", self._tune, owns_images=True)
        except Exception:
            images.release()
            raise


def submission_us(ctx: moderngl.Context, call: Callable[[], object]) -> float | None:
    """Time of a call that queues a run and does not wait, with few commands before it in the queue: the median, in
    microseconds. None on software renderers, which do part of the work within the call.
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
