"""vkdispatch, and VkFFT as it brings it, in Vulkan, as peers in circular convolutions."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import numpy as np

from glfft.apps.bench.cases import FLOAT32, ConvolutionCase
from glfft.apps.bench.contender import IN_PLACE, import_library
from glfft.apps.bench.workload import Workload
from glfft.errors import ContextError, LimitError
from glfft.profiling.timing import Subject

# A sample is so long, or a single run.
_SAMPLE_SECONDS = 0.02
_MOST_RUNS = 256


class Vkdispatch:
    """vkdispatch on its first Vulkan device, or on a processor where there is no other."""

    name = "vkdispatch"

    def __init__(self) -> None:
        self._vd: Any = import_library("vkdispatch", "pip install vkdispatch", self.name)
        try:
            self._device = self._vd.get_devices()[0].device_name
            self._vd.make_context(use_cpu=True)
        except Exception as error:
            why = " ".join(str(error).split())
            raise ContextError(f"--against {self.name} needs a Vulkan device; leave it out here ({why}).") from error

    @property
    def description(self) -> str:
        return f"vkdispatch {self._vd.__version__} on {self._device}"

    def contender(self, workload: Workload) -> OnVulkan:
        case = workload.case
        if not isinstance(case, ConvolutionCase) or case.kernel is not None or case.storage is not FLOAT32:
            raise LimitError(f"{self.name} is compared in circular convolutions of complex64 only.")
        return self._convolution(workload, case)

    def _convolution(self, workload: Workload, case: ConvolutionCase) -> OnVulkan:
        return _Dispatched(self._vd, workload, case)


class Vkfft(Vkdispatch):
    """VkFFT's fused convolutions, recorded by vkdispatch."""

    name = "vkfft"

    @property
    def description(self) -> str:
        return f"VkFFT through {super().description}"

    def _convolution(self, workload: Workload, case: ConvolutionCase) -> OnVulkan:
        if case.batch > 1 and not case.own_kernels:
            raise LimitError("VkFFT through vkdispatch has no kernel that several pictures share.")
        return _Planned(self._vd, workload, case)


class OnVulkan:
    """A convolution in place, recorded once."""

    def __init__(self, vd: Any, workload: Workload) -> None:
        self._vd, self._workload = vd, workload
        self._pictures = np.ascontiguousarray(workload.pictures, np.complex64)
        self._buffer = vd.asbuffer(self._pictures)
        self._graph = vd.CommandGraph()

    def run(self, times: int = 1) -> None:
        """Convolve so often, and wait."""
        self._graph.submit(instance_count=times)
        self._vd.queue_wait_idle()

    @property
    def ways(self) -> dict[str, Subject]:
        return {IN_PLACE: _Runs(self)}

    def snr_db(self) -> float:
        self._buffer.write(self._pictures)
        self.run()
        return self._workload.snr_db(self._buffer.read(0), "ortho")

    def release(self) -> None:
        """Let go of buffers and commands."""
        vars(self).clear()


class _Dispatched(OnVulkan):
    """Three dispatches; zeros around a part of the pictures are not read."""

    def __init__(self, vd: Any, workload: Workload, case: ConvolutionCase) -> None:
        super().__init__(vd, workload)
        # It multiplies by the conjugate of a kernel of each picture.
        spectra = np.broadcast_to(workload.kernel_spectra.conj(), self._pictures.shape)
        self._spectra = vd.asbuffer(np.ascontiguousarray(spectra))
        rows, columns = case.filled or case.shape
        # The rows of a single picture lie together: those of zeros are left out.
        lines = (1, rows, case.shape[1]) if case.batch == 1 else self._pictures.shape
        some = {"graph": self._graph}
        vd.fft.fft(self._buffer, buffer_shape=lines, input_signal_range=(0, columns), **some)
        vd.fft.convolve(self._buffer, self._spectra, axis=1, input_signal_range=(0, rows), **some)
        vd.fft.ifft(self._buffer, **some)


class _Planned(OnVulkan):
    """A plan of VkFFT, with kernels that another one has transformed."""

    def __init__(self, vd: Any, workload: Workload, case: ConvolutionCase) -> None:
        super().__init__(vd, workload)
        # Zeros are read: what VkFFT leaves out of pictures, it leaves out of results.
        plan: Any = partial(vd.vkfft.VkFFTPlan, case.shape, convolution_features=1, num_batches=case.batch)
        self._kernels = vd.asbuffer(workload.kernel_spectra)
        self._plans = plan(kernel_convolution=True), plan(normalize=True, kernel_count=1)
        # Apart, as vkdispatch has no barrier between its own commands and VkFFT's.
        for record in (lambda graph: vd.fft.ifft2(self._kernels, graph=graph), self._record_kernels):
            graph = vd.CommandGraph()
            record(graph)
            graph.submit()
            vd.queue_wait_idle()
        self._plans[1].record(self._graph, self._buffer, False, self._kernels)

    def _record_kernels(self, graph: Any) -> None:
        self._plans[0].record(graph, self._kernels)


class _Runs:
    """The mean of many runs in one submission, by the wall clock: a submission and its end take longer than a run."""

    timer = "wall, many runs"

    def __init__(self, convolution: OnVulkan) -> None:
        self._convolution, self._count = convolution, 1

    def prepare(self) -> None:
        self._convolution.run()
        self._count = int(np.clip(_SAMPLE_SECONDS / (self.sample() * 1e-6), 1, _MOST_RUNS))

    def sample(self) -> float:
        start = time.perf_counter_ns()
        self._convolution.run(self._count)
        return (time.perf_counter_ns() - start) / 1e3 / self._count
