"""cuFFT through CuPy as a peer, timed by CUDA events with the queue kept full."""

from __future__ import annotations

import importlib
import math
from typing import Any

import numpy as np

from glfft.apps.bench.cases import ConvolutionCase
from glfft.apps.bench.contender import IN_PLACE, OUT_OF_PLACE, Contender, import_library
from glfft.apps.bench.convolutions import ByCufft
from glfft.apps.bench.workload import Workload
from glfft.errors import ContextError, LimitError
from glfft.profiling.timing import QueuedCall, Subject

_TIMER = "gpu events"

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
        try:
            if isinstance(workload.case, ConvolutionCase):
                queue = CudaQueue(self._cupy)
                return ByCufft(self._cupy, self._fft, workload, lambda call: QueuedCall(call, queue, _TIMER))
            return _OnCuda(self._cupy, self._fft, workload)
        except (self._cupy.cuda.memory.OutOfMemoryError, self._cupy.cuda.cufft.CuFFTError) as error:
            raise LimitError(f"cuFFT cannot do it here ({' '.join(str(error).split())}).") from error


class _OnCuda:
    def __init__(self, cupy: Any, fft: Any, workload: Workload) -> None:
        self._cupy = cupy
        self._workload = workload
        self._source = cupy.asarray(workload.pictures)
        case = workload.case
        self._target = cupy.empty((case.batch, *case.spectrum_shape), "c16" if case.storage.double else "c8")
        self._small = self._source * np.float32(_SMALL)
        self._over_itself = cupy.empty_like(self._source)
        self._plan = fft.get_fft_plan(
            self._source, axes=workload.axes, value_type=_VALUE_TYPES[case.storage.double, case.real]
        )
        self._forward = cupy.cuda.cufft.CUFFT_FORWARD
        self._queue = CudaQueue(cupy)

    @property
    def ways(self) -> dict[str, Subject]:
        growth = 0.5 * math.log10(max(2, self._workload.case.transform_points))
        ways: dict[str, Subject] = {OUT_OF_PLACE: QueuedCall(self._out_of_place, self._queue, _TIMER)}
        if not self._workload.case.real:
            ways[IN_PLACE] = QueuedCall(
                self._in_place, self._queue, _TIMER, renew=self._renew, most_calls=int(_DECADES / growth)
            )
        return ways

    def _out_of_place(self) -> None:
        self._plan.fft(self._source, self._target, self._forward)

    def _in_place(self) -> None:
        self._plan.fft(self._over_itself, self._over_itself, self._forward)

    def _renew(self) -> None:
        self._cupy.copyto(self._over_itself, self._small)

    def snr_db(self) -> float:
        self._out_of_place()
        return self._workload.snr_db(self._cupy.asnumpy(self._target))

    def release(self) -> None:
        del self._source, self._target, self._small, self._over_itself, self._plan
        self._cupy.get_default_memory_pool().free_all_blocks()


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
