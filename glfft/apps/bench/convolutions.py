"""Convolutions as contenders: a plan with a product, or `glfft.Convolution`."""

import math
from contextlib import ExitStack
from functools import partial
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from glfft import Plan, fftconvolve
from glfft.apps.bench.own import NEXT_USE, OwnContender, set_up
from glfft.apps.bench.suite import ConvolutionCase
from glfft.apps.bench.workload import IN_PLACE, OUT_OF_PLACE, ImagePair, Workload, held
from glfft.apps.signal_to_noise import floor_db
from glfft.convolution import Convolution
from glfft.errors import LimitError
from glfft.gl.releasable import Keeper
from glfft.profiling.timing import ContextTimer, Subject, WallCall

_DISPATCHES, _CONVOLUTION_DB = 3, 6.0  # of two transforms with a product, which round more than one transform
_MULTIPLY = {
    False: '#include "snippets/multiply_by_texture.glsl"',
    True: '#include "convolution/multiply_by_layers.glsl"',
}


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
    return floor_db(points, case.storage, 2 * _DISPATCHES) - _CONVOLUTION_DB


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
        options = {"layers": case.layers, "storage": case.storage.name, "multiply": _MULTIPLY[case.own_kernels]}
        plan = Plan(images.ctx, case.shape, algorithm=algorithm, source_region=region, **options)
        plan.set_uniforms(factor=factor)
        return plan

    def snr_db() -> float:
        plan.convolve(source, target, next_use="read")
        return images.target_snr_db()

    plan, setup = set_up(timer.ctx, make, lambda plan: plan.convolve(source, target, next_use=NEXT_USE))
    stack.callback(plan.release)
    run = partial(plan.convolve, source, target, next_use=NEXT_USE)
    ways = {OUT_OF_PLACE: timer.subject(run)}
    if case.filled is None:
        ways[IN_PLACE] = timer.subject(partial(plan.convolve, target, target, next_use=NEXT_USE))
    floor = _floor_db(case.transform_points, case)
    return OwnContender(ways=ways, snr_db=snr_db, run=run, setup=setup, dispatches=_DISPATCHES, floor_db=floor)


def _texture(
    ctx: moderngl.Context, pictures: npt.NDArray[Any], layered: bool, stack: ExitStack
) -> moderngl.Texture | moderngl.TextureArray:
    """Complex pictures as a texture, or as the layers of one, which is released with the stack."""
    layers, rows, columns = pictures.shape
    if layered:
        return held(stack, ctx.texture_array((columns, rows, layers), 2, pictures.tobytes(), dtype="f4"))
    return held(stack, ctx.texture((columns, rows), 2, pictures.tobytes(), dtype="f4"))


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

    convolution, setup = set_up(timer.ctx, make, lambda made: made.run(source, target, next_use=NEXT_USE))
    stack.callback(convolution.release)
    run = partial(convolution.run, source, target, next_use=NEXT_USE)
    ways, floor = {OUT_OF_PLACE: timer.subject(run)}, _floor_db(math.prod(convolution.plan.shape), case)
    return OwnContender(ways=ways, snr_db=snr_db, run=run, setup=setup, dispatches=_DISPATCHES, floor_db=floor)


def _of_arrays(timer: ContextTimer, workload: Workload, case: ConvolutionCase, algorithm: str) -> OwnContender:
    """`glfft.fftconvolve` of arrays by the wall clock, with their way to the device and back."""
    if algorithm != "auto":
        raise LimitError("Arrays are convolved with the algorithm auto.")
    assert case.kernel is not None

    def run() -> list[npt.NDArray[Any]]:
        return [fftconvolve(each, workload.kernel, "same", ctx=timer.ctx) for each in workload.pictures]

    _, setup = set_up(timer.ctx, Keeper, lambda _: run())
    full = [size + taps - 1 for size, taps in zip(case.shape, case.kernel, strict=True)]
    ways: dict[str, Subject] = {OUT_OF_PLACE: WallCall(run, "wall")}
    floor, snr_db = _floor_db(math.prod(full), case), lambda: workload.snr_db(np.stack(run()), "ortho")
    return OwnContender(ways=ways, snr_db=snr_db, run=run, setup=setup, dispatches=_DISPATCHES, floor_db=floor)
