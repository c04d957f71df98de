"""Convolutions as contenders: a plan with a product, or `glfft.Convolution`; and the same by scipy."""

import math
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from glfft import Plan, fftconvolve
from glfft.apps.bench.cases import ConvolutionCase
from glfft.apps.bench.contender import OUT_OF_PLACE, import_library
from glfft.apps.bench.own import NEXT_USE, OwnContender
from glfft.apps.bench.workload import ImagePair, Workload
from glfft.apps.signal_to_noise import floor_db
from glfft.convolution import Convolution
from glfft.errors import LimitError
from glfft.profiling.timing import ContextTimer, Subject, WallCall

# Two transforms and a product round more than one transform.
_CONVOLUTION_DB = 6.0
_MULTIPLY = {
    False: '#include "snippets/multiply_by_texture.glsl"',
    True: '#include "convolution/multiply_by_layers.glsl"',
}


def own_convolution(timer: ContextTimer, images: ImagePair, algorithm: str) -> OwnContender:
    """glfft's contender for a convolution. Raises LimitError where the algorithm cannot do it on this device."""
    case = images.workload.case
    assert isinstance(case, ConvolutionCase)
    if case.arrays:
        return _Arrays(timer, images, case, algorithm)
    return (_Circular if case.kernel is None else _Linear)(timer, images, case, algorithm)


class _Circular(OwnContender[Plan]):
    """A plan that multiplies by the kernels' spectra."""

    dispatches = 3

    def __init__(self, timer: ContextTimer, images: ImagePair, case: ConvolutionCase, algorithm: str) -> None:
        if case.own_kernels and case.storage.paired:
            raise LimitError("Kernels of their own are timed in storages of one picture a layer.")
        self._images = images
        target, spectra = images.target, images.workload.kernel_spectra
        with ExitStack() as stack:
            self._factor = _texture(images.ctx, spectra, case.own_kernels, stack)
            self._source = images.source
            if case.filled is not None:
                rows, columns = case.filled
                part = np.ascontiguousarray(images.workload.pictures[:, :rows, :columns])
                self._source = _texture(images.ctx, part, case.layers is not None, stack)
            super().__init__(
                timer,
                lambda: self._plan(case, algorithm),
                lambda plan: plan.convolve(self._source, target, next_use=NEXT_USE),
                None if case.filled else lambda plan: plan.convolve(target, target, next_use=NEXT_USE),
            )
            self._textures = stack.pop_all()
        self.floor_db = floor_db(case.transform_points, case.storage, 2 * self.dispatches) - _CONVOLUTION_DB

    def _plan(self, case: ConvolutionCase, algorithm: str) -> Plan:
        plan = Plan(
            self._images.ctx,
            case.shape,
            algorithm=algorithm,
            layers=case.layers,
            storage=case.storage.name,
            multiply=_MULTIPLY[case.own_kernels],
            source_region=None if case.filled is None else tuple(slice(0, size) for size in case.filled),
        )
        plan.set_uniforms(factor=self._factor)
        return plan

    def snr_db(self) -> float:
        self._made.convolve(self._source, self._images.target, next_use="read")
        return self._images.target_snr_db()

    def release(self) -> None:
        super().release()
        self._textures.close()


def _texture(
    ctx: moderngl.Context, pictures: npt.NDArray[Any], layered: bool, stack: ExitStack
) -> moderngl.Texture | moderngl.TextureArray:
    """Complex pictures as a texture, or as the layers of one, which is released with the stack."""
    layers, rows, columns = pictures.shape
    if layered:
        made = ctx.texture_array((columns, rows, layers), 2, pictures.tobytes(), dtype="f4")
    else:
        made = ctx.texture((columns, rows), 2, pictures.tobytes(), dtype="f4")
    stack.callback(made.release)
    return made


class _Linear(OwnContender[Convolution]):
    """`glfft.Convolution` from one texture to another; the pictures are their channels."""

    dispatches = 3

    def __init__(self, timer: ContextTimer, images: ImagePair, case: ConvolutionCase, algorithm: str) -> None:
        if case.batch not in (1, 2, 4):
            raise LimitError("Linear convolutions are timed with 1, 2 or 4 channels.")
        self._workload, self._case, ctx = images.workload, case, images.ctx
        (rows, columns), kind = case.shape, case.storage.dtype
        texels = np.ascontiguousarray(np.moveaxis(self._workload.pictures, 0, -1), kind)
        with ExitStack() as stack:
            self._source = source = ctx.texture((columns, rows), case.batch, texels.tobytes(), alignment=1, dtype=kind)
            stack.callback(source.release)
            self._target = target = ctx.texture((columns, rows), case.batch, dtype=kind)
            stack.callback(target.release)
            super().__init__(
                timer,
                lambda: self._convolution(ctx, algorithm),
                lambda convolution: convolution.run(source, target, next_use=NEXT_USE),
            )
            self._textures = stack.pop_all()
        points = math.prod(self._made.plan.shape)
        self.floor_db = floor_db(points, case.storage, 2 * self.dispatches) - _CONVOLUTION_DB

    def _convolution(self, ctx: moderngl.Context, algorithm: str) -> Convolution:
        case = self._case
        assert case.kernel is not None
        storage = {1: "r", 2: "rg", 4: "rgba"}[case.batch] + ("16f" if case.storage.dtype == "f2" else "32f")
        made = Convolution(ctx, case.shape, case.kernel, storage=storage, algorithm=algorithm)
        made.set_kernel(self._workload.kernel)
        return made

    def snr_db(self) -> float:
        self._made.run(self._source, self._target, next_use="read")
        case = self._case
        texels = np.frombuffer(self._target.read(alignment=1), case.storage.dtype).astype(np.float32)
        return self._workload.snr_db(np.moveaxis(texels.reshape(*case.shape, case.batch), -1, 0), "ortho")

    def release(self) -> None:
        super().release()
        self._textures.close()


class _Arrays(OwnContender["_Nothing"]):
    """`glfft.fftconvolve` of arrays by the wall clock, with their way to the device and back."""

    dispatches = 3

    def __init__(self, timer: ContextTimer, images: ImagePair, case: ConvolutionCase, algorithm: str) -> None:
        if algorithm != "auto":
            raise LimitError("Arrays are convolved with the algorithm auto.")
        self._workload = images.workload
        super().__init__(timer, _Nothing, lambda _: self._convolved())
        assert case.kernel is not None
        full = [size + taps - 1 for size, taps in zip(case.shape, case.kernel, strict=True)]
        self.floor_db = floor_db(math.prod(full), case.storage, 2 * self.dispatches) - _CONVOLUTION_DB

    @property
    def ways(self) -> dict[str, Subject]:
        return {OUT_OF_PLACE: WallCall(self._convolved, "wall")}

    def _convolved(self) -> list[npt.NDArray[Any]]:
        kernel, ctx = self._workload.kernel, self._timer.ctx
        return [fftconvolve(each, kernel, "same", ctx=ctx) for each in self._workload.pictures]

    def snr_db(self) -> float:
        return self._workload.snr_db(np.stack(self._convolved()), "ortho")


class _Nothing:
    """What a context keeps of arrays' convolutions is its own."""

    def release(self) -> None:
        pass


def by_scipy(workload: Workload, workers: int) -> Callable[[], npt.NDArray[Any]]:
    """The convolution by scipy: fftconvolve for linear ones, transforms and a product for circular ones."""
    case = workload.case
    assert isinstance(case, ConvolutionCase)
    if case.kernel is not None:
        signal, kernel = import_library("scipy.signal", "pip install scipy", "scipy"), workload.kernel[np.newaxis]

        def linear() -> npt.NDArray[Any]:
            return signal.fftconvolve(workload.pictures, kernel, "same", axes=(1, 2))

        return linear
    fft, spectra = import_library("scipy.fft", "pip install scipy", "scipy"), workload.kernel_spectra

    def circular() -> npt.NDArray[Any]:
        spectrum = fft.fft2(workload.pictures, workers=workers)
        spectrum *= spectra
        return fft.ifft2(spectrum, workers=workers, overwrite_x=True)

    return circular
