"""glfft as a contender: a plan on random pictures, the time to make it, and the time of the call that queues a run."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, Protocol, TypeVar

import moderngl

from glfft import Plan
from glfft.apps.bench.cases import FLOAT32
from glfft.apps.bench.contender import IN_PLACE, OUT_OF_PLACE
from glfft.apps.bench.workload import ImagePair, Workload, check_limits
from glfft.apps.signal_to_noise import COMPUTED_LOSS_DB, floor_db
from glfft.errors import LimitError, OptionError
from glfft.gl.context import is_software
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


class _Runnable(Protocol):
    def release(self) -> None: ...


_Made = TypeVar("_Made", bound=_Runnable)

# One transform follows the other.
NEXT_USE = "transform"


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


class OwnContender(Generic[_Made]):
    """A contender that is glfft itself: it is made twice, and runs out of place and perhaps in place.

    Attributes:
        run: queues one run, out of place.
        setup: the time to make it.
        dispatches: dispatches of one run.
        bytes_moved: bytes that they read and write, or None if that is not known.
        floor_db: the lowest signal-to-noise ratio, in dB, of a right result.
    """

    dispatches: int
    bytes_moved: int | None = None
    floor_db: float

    def __init__(
        self,
        timer: ContextTimer,
        make: Callable[[], _Made],
        run: Callable[[_Made], object],
        in_place: Callable[[_Made], object] | None = None,
    ) -> None:
        self._timer, self._in_place = timer, in_place
        self._made, self.setup = set_up(timer.ctx, make, run)
        self.run = partial(run, self._made)

    @property
    def ways(self) -> dict[str, Subject]:
        ways = {OUT_OF_PLACE: self._timer.subject(self.run)}
        if self._in_place is not None:
            ways[IN_PLACE] = self._timer.subject(partial(self._in_place, self._made))
        return ways

    def snr_db(self) -> float:
        raise NotImplementedError

    def release(self) -> None:
        self._made.release()


class Own(OwnContender[Plan]):
    """A plan of glfft. It is orthonormal, so that repeated transforms in place keep the size of the numbers. Raises
    LimitError where the algorithm cannot do this case on this device.
    """

    def __init__(
        self,
        timer: ContextTimer,
        images: ImagePair,
        algorithm: str,
        tune: bool = False,
        owns_images: bool = False,  # whether the images are released with it
        twiddles: str = "table",
    ) -> None:
        self._images, self._owns_images = images, owns_images
        case = images.case
        super().__init__(
            timer,
            lambda: Plan(
                images.ctx,
                case.shape,
                axes=case.axes,
                algorithm=algorithm,
                norm="ortho",
                twiddles=twiddles,
                layers=case.layers,
                storage=case.storage.name,
                real=case.real,
                kind="dct2" if case.cosine else None,
            ),
            lambda plan: plan.forward(images.source, images.target, next_use=NEXT_USE),
            None if case.real else lambda plan: plan.forward(images.target, images.target, next_use=NEXT_USE),
        )
        if tune:
            self._made.tune()
        self.dispatches, self.bytes_moved = self._made.dispatches, self._made.bytes_moved
        self.floor_db = floor_db(case.transform_points, case.storage, self.dispatches)
        if twiddles == "computed":
            self.floor_db -= COMPUTED_LOSS_DB

    def snr_db(self) -> float:
        images, plan = self._images, self._made
        plan.forward(images.source, images.target, next_use="read")
        out_of_place = images.target_snr_db()
        if images.case.real:
            return out_of_place
        images.fill(images.target)
        plan.forward(images.target, images.target, next_use="read")
        return min(out_of_place, images.target_snr_db())

    def release(self) -> None:
        super().release()
        if self._owns_images:
            self._images.release()


class Float32:
    """glfft in rg32f textures, as a peer: what glfft in another storage is compared with."""

    name = FLOAT32.name
    description = "glfft in rg32f textures, algorithm auto"

    def __init__(self, timer: ContextTimer, tune: bool = False) -> None:
        self._timer, self._tune = timer, tune

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
