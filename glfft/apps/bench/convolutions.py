"""Convolutions as contenders: a plan with a product, or `glfft.Convolution`; and the same by scipy and by cuFFT."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.apps.bench.cases import ConvolutionCase
from glfft.apps.bench.contender import IN_PLACE, OUT_OF_PLACE, import_library
from glfft.apps.bench.image_pairs import ImagePair
from glfft.apps.bench.own import OwnContender, set_up
from glfft.apps.bench.workload import Workload
from glfft.apps.signal_to_noise import floor_db
from glfft.convolution import Convolution
from glfft.errors import LimitError
from glfft.plan import Plan
from glfft.profiling.timing import ContextTimer, Subject

# One convolution follows the other.
_NEXT_USE = "transform"
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
    return (_Circular if case.kernel is None else _Linear)(timer, images, case, algorithm)


class _Circular:
    """A plan that multiplies by the kernels' spectra."""

    bytes_moved: int | None = None

    def __init__(self, timer: ContextTimer, images: ImagePair, case: ConvolutionCase, algorithm: str) -> None:
        if case.own_kernels and case.storage.paired:
            raise LimitError("Kernels of their own are timed in storages of one picture a layer.")
        self._timer, self._images, self._case, self._algorithm = timer, images, case, algorithm
        spectra = images.workload.kernel_spectra
        rows, columns = case.shape
        ctx = images.ctx
        self._factor = (
            ctx.texture_array((columns, rows, len(spectra)), 2, spectra.tobytes(), dtype="f4")
            if case.own_kernels
            else ctx.texture((columns, rows), 2, spectra.tobytes(), dtype="f4")
        )
        self._source = images.source if case.filled is None else self._filled()
        try:
            self._plan, self.setup = set_up(ctx, self._make, self._out_of_place)
        except Exception:
            self._release_textures()
            raise
        self.dispatches = 3
        self.floor_db = floor_db(case.transform_points, case.storage, 2 * self.dispatches) - _CONVOLUTION_DB

    def _filled(self) -> moderngl.Texture | moderngl.TextureArray:
        """The part of the pictures that is not zero, in textures of its size."""
        assert self._case.filled is not None
        rows, columns = self._case.filled
        part = np.ascontiguousarray(self._images.workload.pictures[:, :rows, :columns])
        if self._case.layers is None:
            return self._images.ctx.texture((columns, rows), 2, part.tobytes(), dtype="f4")
        return self._images.ctx.texture_array((columns, rows, len(part)), 2, part.tobytes(), dtype="f4")

    def _make(self) -> Plan:
        case = self._case
        plan = Plan(
            self._images.ctx,
            case.shape,
            algorithm=self._algorithm,
            layers=case.layers,
            storage=case.storage.name,
            multiply=_MULTIPLY[case.own_kernels],
            source_region=None if case.filled is None else tuple(slice(0, size) for size in case.filled),
        )
        plan.set_uniforms(factor=self._factor)
        return plan

    def _out_of_place(self, plan: Plan) -> None:
        plan.convolve(self._source, self._images.target, next_use=_NEXT_USE)

    def run(self) -> None:
        self._out_of_place(self._plan)

    def _in_place(self) -> None:
        self._plan.convolve(self._images.target, self._images.target, next_use=_NEXT_USE)

    @property
    def ways(self) -> dict[str, Subject]:
        ways = {OUT_OF_PLACE: self._timer.subject(self.run)}
        if self._case.filled is None:
            ways[IN_PLACE] = self._timer.subject(self._in_place)
        return ways

    def snr_db(self) -> float:
        self._plan.convolve(self._source, self._images.target, next_use="read")
        return self._images.target_snr_db()

    def _release_textures(self) -> None:
        self._factor.release()
        if self._source is not self._images.source:
            self._source.release()

    def release(self) -> None:
        self._plan.release()
        self._release_textures()


class _Linear:
    """`glfft.Convolution` from one texture to another; the pictures are their channels."""

    bytes_moved: int | None = None

    def __init__(self, timer: ContextTimer, images: ImagePair, case: ConvolutionCase, algorithm: str) -> None:
        if case.batch not in (1, 2, 4):
            raise LimitError("Linear convolutions are timed with 1, 2 or 4 channels.")
        self._timer, self._workload, self._case, self._algorithm = timer, images.workload, case, algorithm
        self._ctx = ctx = images.ctx
        rows, columns = case.shape
        texels = np.ascontiguousarray(np.moveaxis(self._workload.pictures, 0, -1), case.storage.dtype)
        self._source = ctx.texture((columns, rows), case.batch, texels.tobytes(), alignment=1, dtype=case.storage.dtype)
        self._target = ctx.texture((columns, rows), case.batch, dtype=case.storage.dtype)
        try:
            self._convolution, self.setup = set_up(ctx, self._make, self._run)
        except Exception:
            self._source.release()
            self._target.release()
            raise
        self.dispatches = 3
        points = self._convolution.plan.shape[0] * self._convolution.plan.shape[1]
        self.floor_db = floor_db(points, case.storage, 2 * self.dispatches) - _CONVOLUTION_DB

    def _make(self) -> Convolution:
        case = self._case
        assert case.kernel is not None
        storage = {1: "r", 2: "rg", 4: "rgba"}[case.batch] + ("16f" if case.storage.dtype == "f2" else "32f")
        made = Convolution(self._ctx, case.shape, case.kernel, storage=storage, algorithm=self._algorithm)
        made.set_kernel(self._workload.kernel)
        return made

    def _run(self, convolution: Convolution) -> None:
        convolution.run(self._source, self._target, next_use=_NEXT_USE)

    def run(self) -> None:
        self._run(self._convolution)

    @property
    def ways(self) -> dict[str, Subject]:
        return {OUT_OF_PLACE: self._timer.subject(self.run)}

    def snr_db(self) -> float:
        self._convolution.run(self._source, self._target, next_use="read")
        case = self._case
        texels = np.frombuffer(self._target.read(alignment=1), case.storage.dtype).astype(np.float32)
        return self._workload.snr_db(np.moveaxis(texels.reshape(*case.shape, case.batch), -1, 0), "ortho")

    def release(self) -> None:
        self._convolution.release()
        self._source.release()
        self._target.release()


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


class ByCufft:
    """The convolution by cuFFT on data that is on the card: two transforms in place and a product between them.

    Pictures and kernels of linear ones are padded to lengths that cuFFT is fast at, before anything is timed.
    """

    def __init__(
        self, cupy: Any, fft: Any, workload: Workload, subject: Callable[[Callable[[], None]], Subject]
    ) -> None:
        self._cupy, self._fft, self._workload, self._subject = cupy, fft, workload, subject
        case = workload.case
        assert isinstance(case, ConvolutionCase)
        self._case = case
        if case.kernel is None:
            self._pictures = cupy.asarray(workload.pictures)
            # Each call leaves out the factor of the inverse transform; the kernel brings it.
            self._spectra = cupy.asarray(workload.kernel_spectra)
        else:
            full = [fft.next_fast_len(n + k - 1) for n, k in zip(case.shape, case.kernel, strict=True)]
            padded = np.zeros((case.batch, *full), np.float32)
            padded[:, : case.shape[0], : case.shape[1]] = workload.pictures
            self._pictures = cupy.asarray(padded)
            self._spectra = fft.rfft2(cupy.asarray(workload.kernel), full)[np.newaxis]
        self._result: Any = None

    def _convolve(self) -> None:
        if self._case.kernel is None:
            spectrum = self._fft.fft2(self._pictures)
            spectrum *= self._spectra
            self._result = self._fft.ifft2(spectrum, overwrite_x=True)
        else:
            spectrum = self._fft.rfft2(self._pictures)
            spectrum *= self._spectra
            self._result = self._fft.irfft2(spectrum, self._pictures.shape[1:], overwrite_x=True)

    @property
    def ways(self) -> dict[str, Subject]:
        return {OUT_OF_PLACE: self._subject(self._convolve)}

    def snr_db(self) -> float:
        self._convolve()
        result = self._cupy.asnumpy(self._result)
        if self._case.kernel is not None:
            (row, column), (rows, columns) = [(k - 1) // 2 for k in self._case.kernel], self._case.shape
            result = result[:, row : row + rows, column : column + columns]
        return self._workload.snr_db(result, "ortho")

    def release(self) -> None:
        del self._pictures, self._spectra, self._result
        self._cupy.get_default_memory_pool().free_all_blocks()
