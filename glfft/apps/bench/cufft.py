"""cuFFT through CuPy as a peer, timed by CUDA events with the queue kept full."""

import importlib
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from glfft.apps.bench.cases import ConvolutionCase
from glfft.apps.bench.contender import IN_PLACE, OUT_OF_PLACE, Contender, import_library
from glfft.apps.bench.workload import Workload
from glfft.errors import ContextError, LimitError
from glfft.profiling.timing import QueuedCall, Subject

# cuFFT does not scale: each transform of N numbers in place makes them sqrt(N) times as large. They start this small,
# and after at most 68 decades, before they are too large for float32, they are written anew.
_SMALL = 1e-34
_DECADES = 68

# cuFFT's names of transforms: in float64, and of real numbers.
_VALUE_TYPES = {(False, False): "C2C", (True, False): "Z2Z", (False, True): "R2C", (True, True): "D2Z"}


def open_cupy(peer: str) -> tuple[Any, Any]:
    """The modules `cupy` and `cupyx.scipy.fft`, with a GPU to run on, for the peer that messages name. Raises
    MissingExtraError where CuPy is not installed, ContextError where there is no GPU that it can use.
    """
    cupy: Any = import_library("cupy", "pip install cupy-cuda12x (or the build for your CUDA)", peer)
    fft = importlib.import_module("cupyx.scipy.fft")
    try:
        _gpu_name(cupy)
    except Exception as error:
        raise ContextError(
            f"--against {peer} needs an NVIDIA GPU that CuPy can use; leave it out here ({error})."
        ) from error
    return cupy, fft


def describe(cupy: Any) -> str:
    """Versions of cuFFT and CuPy, and the GPU."""
    return f"cuFFT {cupy.cuda.cufft.getVersion()} through CuPy {cupy.__version__} on {_gpu_name(cupy)}"


def _gpu_name(cupy: Any) -> str:
    return cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)["name"].decode()


class OnCuda:
    """A contender on the card, timed in CUDA's current stream."""

    def __init__(self, cupy: Any, workload: Workload) -> None:
        self._cupy, self._workload, self._queue = cupy, workload, CudaQueue(cupy)

    def _subject(self, call: Callable[[], object], **options: Any) -> Subject:
        return QueuedCall(call, self._queue, "gpu events", **options)

    def release(self) -> None:
        """Let go of all that it holds."""
        pool = self._cupy.get_default_memory_pool()
        vars(self).clear()
        pool.free_all_blocks()


class Cufft:
    """cuFFT, planned once for each workload, in the precision of its case."""

    name = "cufft"

    def __init__(self) -> None:
        self._cupy, self._fft = open_cupy(self.name)

    @property
    def description(self) -> str:
        return describe(self._cupy)

    def contender(self, workload: Workload) -> Contender:
        if workload.case.cosine:
            raise LimitError("cuFFT has no cosine transforms.")
        kind = CufftConvolution if isinstance(workload.case, ConvolutionCase) else _Transform
        try:
            return kind(self._cupy, self._fft, workload)
        except (self._cupy.cuda.memory.OutOfMemoryError, self._cupy.cuda.cufft.CuFFTError) as error:
            raise LimitError(f"cuFFT cannot do it here ({' '.join(str(error).split())}).") from error


class _Transform(OnCuda):
    def __init__(self, cupy: Any, fft: Any, workload: Workload) -> None:
        super().__init__(cupy, workload)
        case = workload.case
        self._source = cupy.asarray(workload.pictures)
        self._target = cupy.empty((case.batch, *case.spectrum_shape), "c16" if case.storage.double else "c8")
        self._small = self._source * np.float32(_SMALL)
        self._over_itself = cupy.empty_like(self._source)
        self._plan = fft.get_fft_plan(
            self._source, axes=workload.axes, value_type=_VALUE_TYPES[case.storage.double, case.real]
        )
        self._forward = cupy.cuda.cufft.CUFFT_FORWARD

    @property
    def ways(self) -> dict[str, Subject]:
        growth = 0.5 * math.log10(max(2, self._workload.case.transform_points))
        ways = {OUT_OF_PLACE: self._subject(self._out_of_place)}
        if not self._workload.case.real:
            ways[IN_PLACE] = self._subject(
                lambda: self._plan.fft(self._over_itself, self._over_itself, self._forward),
                renew=lambda: self._cupy.copyto(self._over_itself, self._small),
                most_calls=int(_DECADES / growth),
            )
        return ways

    def _out_of_place(self) -> None:
        self._plan.fft(self._source, self._target, self._forward)

    def snr_db(self) -> float:
        self._out_of_place()
        return self._workload.snr_db(self._cupy.asnumpy(self._target))


class CufftConvolution(OnCuda):
    """Two transforms in place and a product between them, on data that is on the card.

    Pictures and kernels of linear ones are padded to lengths that cuFFT is fast at, before anything is timed.
    """

    def __init__(self, cupy: Any, fft: Any, workload: Workload) -> None:
        super().__init__(cupy, workload)
        case = workload.case
        assert isinstance(case, ConvolutionCase)
        self._case = case
        self._forward, self._inverse = (fft.fft2, fft.ifft2) if case.kernel is None else (fft.rfft2, fft.irfft2)
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
        spectrum = self._forward(self._pictures)
        spectrum *= self._spectra
        self._result = self._inverse(spectrum, self._pictures.shape[1:], overwrite_x=True)

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


class CudaQueue:
    """The command queue of CUDA's current stream."""

    # A guess. It only sets how long the busy kernel runs, and every sample checks whether that was long enough.
    _CYCLES_A_SECOND = 2e9

    def __init__(self, cupy: Any) -> None:
        self._cuda = cupy.cuda
        self._busy = cupy.RawKernel(
            'extern "C" __global__ void busy(long long cycles) {'
            " long long start = clock64(); while (clock64() - start < cycles) {} }",
            "busy",
        )

    def keep_busy(self, seconds: float) -> None:
        self._busy((1,), (1,), (np.int64(seconds * self._CYCLES_A_SECOND),))

    def stamp(self) -> Any:
        event = self._cuda.Event()
        event.record()
        return event

    def passed(self, stamp: Any) -> bool:
        return stamp.done

    def microseconds_between(self, first: Any, second: Any) -> float:
        second.synchronize()
        return self._cuda.get_elapsed_time(first, second) * 1e3

    def finish(self) -> None:
        self._cuda.Device().synchronize()
