"""glfft as a contender: plans, convolutions, a step of the ocean; and times of looking up points of the sea."""

import itertools
import math
import statistics
import time
import timeit
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from glfft import Plan, fftconvolve
from glfft.apps import signal_to_noise
from glfft.apps.bench.suite import FLOAT32, TRANSFORMS_A_TILE, ConvolutionCase, OceanCase
from glfft.apps.bench.workload import IN_PLACE, OUT_OF_PLACE, Contender, ImagePair, Made, Peer, Workload, held
from glfft.convolution import PRODUCT, Convolution
from glfft.convolution.pictures import snippet
from glfft.engine.images import Image, ImageSpec
from glfft.errors import LimitError, OptionError
from glfft.gl.context import is_software, state_of
from glfft.gl.releasable import Keeper, release_all
from glfft.profiling.timing import ContextTimer, Subject, Timing, WallCall, time_in_turn
from glfft.sea.fields import reference_fields
from glfft.sea.presets import preset
from glfft.sea.queries import SeaQueries
from glfft.sea.settings import OceanSettings
from glfft.sea.step import OceanStep, sample_tiles

_SUBMISSIONS, _SUBMISSIONS_AT_ONCE = 41, 8
NEXT_USE = "transform"  # one transform follows the other
_FRAME_SECONDS = 1 / 60
_CHECKED_SECONDS = 12.34
_EVOLUTION_DB = 6.0  # evolution rounds about as much as the transforms do: the error may be twice theirs
_exact_fields = lru_cache(maxsize=3)(partial(reference_fields, time=_CHECKED_SECONDS))
_DISPATCHES, _CONVOLUTION_DB = 3, 6.0  # of two transforms with a product, which round more than one transform

Run = Callable[[], object]


@dataclass(frozen=True)
class Setup:
    """The time to make a plan and run it once, in milliseconds of wall time."""

    first_ms: float  # for the first of its kind in this process, which compiles what the driver has not kept on disk
    cached_ms: float  # for a second one, which uses the programs of the first


def set_up(ctx: moderngl.Context, make: Callable[[], Made], run_of: Callable[[Made], Run]) -> tuple[Made, Run, Setup]:
    """Make something twice, and run it once each time. Returns the second one, its run, and the time of each."""

    def timed() -> tuple[Made, Run, float]:
        ctx.finish()
        start = time.perf_counter()
        made = make()
        run = run_of(made)
        run()
        ctx.finish()
        return made, run, (time.perf_counter() - start) * 1e3

    first, _, first_ms = timed()
    release_all([first])
    made, run, cached_ms = timed()
    return made, run, Setup(first_ms, cached_ms)


@dataclass(eq=False, kw_only=True)
class OwnContender(Contender):
    run: Run  # queues one, out of place
    setup: Setup  # the time to make it
    dispatches: int  # of one run
    bytes_moved: int | None = None  # bytes that they read and write, or None if that is not known
    floor_db: float  # the lowest signal-to-noise ratio, in dB, of a right result


def own(
    timer: ContextTimer, images: ImagePair, algorithm: str, tune: bool = False, twiddles: str = "table"
) -> OwnContender:
    """A plan, orthonormal, so that transforms in place keep the size of the numbers. Raises LimitError as plans do."""
    case, source, target = images.case, images.source, images.target
    options: dict[str, Any] = {"axes": case.axes, "algorithm": algorithm, "norm": "ortho", "twiddles": twiddles}
    options |= {"layers": case.layers, "storage": case.storage.name, "real": case.real}
    make = partial(Plan, images.ctx, case.shape, kind="dct2" if case.cosine else None, **options)
    plan, run, setup = set_up(timer.ctx, make, lambda plan: partial(plan.forward, source, target, next_use=NEXT_USE))
    if tune:
        plan.tune()
    ways = {OUT_OF_PLACE: timer.subject(run)}
    if not case.real:
        ways[IN_PLACE] = timer.subject(partial(plan.forward, target, target, next_use=NEXT_USE))

    def snr_db() -> float:
        plan.forward(source, target, next_use="read")
        out_of_place = images.target_snr_db()
        if case.real:
            return out_of_place
        images.fill(target)
        plan.forward(target, target, next_use="read")
        return min(out_of_place, images.target_snr_db())

    floor = signal_to_noise.floor_db(case.transform_points, case.storage, plan.dispatches)
    floor -= signal_to_noise.COMPUTED_LOSS_DB if twiddles == "computed" else 0.0
    known: dict[str, Any] = {"dispatches": plan.dispatches, "bytes_moved": plan.bytes_moved, "floor_db": floor}
    return OwnContender(ways=ways, snr_db=snr_db, release=plan.release, run=run, setup=setup, **known)


def float32(timer: ContextTimer, tune: bool = False) -> Peer:
    """glfft in rg32f textures, as a peer: what glfft in another storage is compared with."""

    def contender(workload: Workload) -> Contender:
        try:
            replace(workload.case, storage=FLOAT32).request.check_limits(state_of(timer.ctx).device)
        except OptionError as error:
            # Several volumes, of which there are no textures.
            raise LimitError(str(error)) from error
        with ExitStack() as stack:
            made = own(timer, held(stack, ImagePair(timer.ctx, workload, FLOAT32)), "auto", tune)
            stack.callback(made.release)
            made.release = stack.pop_all().close
        return made

    return Peer(FLOAT32.name, "glfft in rg32f textures, algorithm auto", contender)


def submission_us(ctx: moderngl.Context, call: Run) -> float | None:
    """The median microseconds of a call that queues a run. None on software renderers: they work within the call."""
    if is_software(ctx):
        return None
    elapsed = timeit.repeat(call, ctx.finish, number=_SUBMISSIONS_AT_ONCE, repeat=_SUBMISSIONS)
    return statistics.median(elapsed) * 1e6 / _SUBMISSIONS_AT_ONCE


def ocean(timer: ContextTimer, case: OceanCase, algorithm: str, tune: bool = False) -> OwnContender:
    """Tiles of sea, a frame a run, checked in float32. Raises LimitError and ContextError as `OceanStep` does."""
    tiles = sample_tiles(case.shape[0], case.batch // TRANSFORMS_A_TILE)
    frames, dtype = itertools.count(), "f2" if case.half else "f4"
    make = partial(OceanStep, timer.ctx, tiles, algorithm=algorithm, dtype=dtype)

    def snr_db() -> float:
        pairs = zip(step.evaluate(_CHECKED_SECONDS), map(_exact_fields, step.tiles), strict=True)
        return min(signal_to_noise.snr_db(fields[name], exact[name]) for fields, exact in pairs for name in exact)

    step, run, setup = set_up(timer.ctx, make, lambda step: lambda: step.run(next(frames) * _FRAME_SECONDS))
    for plan in step.plans if tune else ():
        plan.tune()
    ways = {OUT_OF_PLACE: timer.subject(run)}
    known: dict[str, Any] = {"dispatches": step.dispatches, "floor_db": signal_to_noise.EXPECTED_DB - _EVOLUTION_DB}
    return OwnContender(ways=ways, snr_db=snr_db, release=step.release, run=run, setup=setup, **known)


def own_convolution(timer: ContextTimer, images: ImagePair, algorithm: str) -> OwnContender:
    """glfft's contender for a convolution. Raises LimitError where the algorithm cannot do it on this device."""
    case = images.workload.case
    assert isinstance(case, ConvolutionCase)
    if case.arrays:
        return _of_arrays(timer, images.workload, case, algorithm)
    with ExitStack() as stack:
        made = (_circular if case.kernel is None else _linear)(timer, images, case, algorithm, stack)
        made.release = stack.pop_all().close
    return made


def _floor_db(points: int, case: ConvolutionCase) -> float:
    return signal_to_noise.floor_db(points, case.storage, 2 * _DISPATCHES) - _CONVOLUTION_DB


def _circular(
    timer: ContextTimer, images: ImagePair, case: ConvolutionCase, algorithm: str, stack: ExitStack
) -> OwnContender:
    """A plan that multiplies by the kernels' spectra."""
    if case.own_kernels and case.storage.paired:
        raise LimitError("Kernels of their own are timed in storages of one picture a layer.")
    workload, source, target = images.workload, images.source, images.target
    factor = _texture(images.ctx, workload.kernel_spectra, case.own_kernels, stack)
    if case.filled is not None:
        rows, columns = case.filled
        part = np.ascontiguousarray(workload.pictures[:, :rows, :columns])
        source = _texture(images.ctx, part, case.layers is not None, stack)

    def make() -> Plan:
        region = None if case.filled is None else tuple(slice(0, size) for size in case.filled)
        options = {"layers": case.layers, "storage": case.storage.name, "multiply": snippet(PRODUCT[case.own_kernels])}
        plan = Plan(images.ctx, case.shape, algorithm=algorithm, source_region=region, **options)
        plan.set_uniforms(factor=factor)
        return plan

    def snr_db() -> float:
        plan.convolve(source, target, next_use="read")
        return images.target_snr_db()

    plan, run, setup = set_up(timer.ctx, make, lambda plan: partial(plan.convolve, source, target, next_use=NEXT_USE))
    stack.callback(plan.release)
    ways = {OUT_OF_PLACE: timer.subject(run)}
    if case.filled is None:
        ways[IN_PLACE] = timer.subject(partial(plan.convolve, target, target, next_use=NEXT_USE))
    floor = _floor_db(case.transform_points, case)
    return OwnContender(ways=ways, snr_db=snr_db, run=run, setup=setup, dispatches=_DISPATCHES, floor_db=floor)


def _texture(ctx: moderngl.Context, pictures: NDArray[Any], layered: bool, stack: ExitStack) -> Image:
    """Complex pictures as a texture, or as the layers of one, which is released with the stack."""
    layers, *shape = pictures.shape
    made = held(stack, ImageSpec(ctx, shape, layers if layered else None, FLOAT32).make())
    made.write(pictures.tobytes())
    return made


def _linear(
    timer: ContextTimer, images: ImagePair, case: ConvolutionCase, algorithm: str, stack: ExitStack
) -> OwnContender:
    """`glfft.Convolution` from one texture to another; the pictures are their channels."""
    if case.batch not in (1, 2, 4):
        raise LimitError("Linear convolutions are timed with 1, 2 or 4 channels.")
    workload, ctx = images.workload, images.ctx
    (rows, columns), kind = case.shape, case.storage.dtype
    texels = np.ascontiguousarray(np.moveaxis(workload.pictures, 0, -1), kind)
    source = held(stack, ctx.texture((columns, rows), case.batch, texels.tobytes(), alignment=1, dtype=kind))
    target = held(stack, ctx.texture((columns, rows), case.batch, dtype=kind))

    def make() -> Convolution:
        assert case.kernel is not None
        storage = {1: "r", 2: "rg", 4: "rgba"}[case.batch] + case.storage.number.suffix
        made = Convolution(ctx, case.shape, case.kernel, storage=storage, algorithm=algorithm)
        made.set_kernel(workload.kernel)
        return made

    def snr_db() -> float:
        convolution.run(source, target, next_use="read")
        texels = np.frombuffer(target.read(alignment=1), kind).astype(np.float32)
        return workload.snr_db(np.moveaxis(texels.reshape(*case.shape, case.batch), -1, 0), "ortho")

    convolution, run, setup = set_up(timer.ctx, make, lambda made: partial(made.run, source, target, next_use=NEXT_USE))
    stack.callback(convolution.release)
    ways, floor = {OUT_OF_PLACE: timer.subject(run)}, _floor_db(math.prod(convolution.plan.shape), case)
    return OwnContender(ways=ways, snr_db=snr_db, run=run, setup=setup, dispatches=_DISPATCHES, floor_db=floor)


def _of_arrays(timer: ContextTimer, workload: Workload, case: ConvolutionCase, algorithm: str) -> OwnContender:
    """`glfft.fftconvolve` of arrays by the wall clock, with their way to the device and back."""
    if algorithm != "auto":
        raise LimitError("Arrays are convolved with the algorithm auto.")
    assert case.kernel is not None

    def run() -> list[NDArray[Any]]:
        return [fftconvolve(each, workload.kernel, "same", ctx=timer.ctx) for each in workload.pictures]

    *_, setup = set_up(timer.ctx, Keeper, lambda _: run)
    full = [size + taps - 1 for size, taps in zip(case.shape, case.kernel, strict=True)]
    ways: dict[str, Subject] = {OUT_OF_PLACE: WallCall(run, "wall")}
    floor, snr_db = _floor_db(math.prod(full), case), lambda: workload.snr_db(np.stack(run()), "ortho")
    return OwnContender(ways=ways, snr_db=snr_db, run=run, setup=setup, dispatches=_DISPATCHES, floor_db=floor)


def time_queries(ctx: moderngl.Context, points: int, samples: int, size: int = 256) -> str:
    """Times of `glfft.sea.queries` in the storm preset, as a table for people. Raises LimitError or ContextError."""
    settings = preset("storm", OceanSettings(size=size, tile=1200.0, cascades=3))
    places = np.random.default_rng(1).uniform(-500, 500, (points, 2))
    frames = itertools.count()
    with SeaQueries(ctx, settings, most=points, depth=2.0) as queries, ContextTimer(ctx) as timer:
        queries.query(places, 0.0)
        calls = queries.look_up_again, lambda: queries.move(next(frames) * _FRAME_SECONDS)
        looked_up, moved = time_in_turn([*map(timer.subject, calls)], samples)
        waited = timeit.repeat(lambda: queries.query(places, next(frames) * _FRAME_SECONDS), number=1, repeat=30)
    rows = {
        f"a batch of {points} points: height, normal, velocity": looked_up,
        f"the waves of a moment, 3 tiles of {size}²": moved,
        "both, until the answers are in numpy": Timing.of([seconds * 1e6 for seconds in waited], "wall"),
    }
    lines = [f"{each.microseconds:10.1f} µs   {name} ({each.timer})" for name, each in rows.items()]
    return "\n".join([f"Points of a sea in a storm, on {state_of(ctx).device.renderer}", *lines])
