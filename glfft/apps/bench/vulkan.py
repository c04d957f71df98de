"""vkdispatch, and VkFFT as it brings it, in Vulkan, as peers in circular convolutions."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from glfft.apps.bench.frames import Runs
from glfft.apps.bench.suite import FLOAT32, ConvolutionCase
from glfft.apps.bench.workload import IN_PLACE, Contender, Peer, Workload, import_library
from glfft.errors import ContextError, LimitError

_MOST_RUNS = 256  # in one submission, which with its end takes longer than a run


def vulkan(name: str) -> Peer:
    """vkdispatch, or VkFFT's fused convolutions that it records, on its first Vulkan device, else on a processor."""
    vd: Any = import_library("vkdispatch", "pip install vkdispatch", name)
    try:
        device = vd.get_devices()[0].device_name
        vd.make_context(use_cpu=True)
    except Exception as error:
        why = " ".join(str(error).split())
        raise ContextError(f"--against {name} needs a Vulkan device; leave it out here ({why}).") from error
    through, record = ("VkFFT through ", _record_plan) if name == "vkfft" else ("", _record_dispatches)
    return Peer(name, f"{through}vkdispatch {vd.__version__} on {device}", partial(_convolution, name, vd, record))


def _convolution(name: str, vd: Any, record: Callable[..., Any], workload: Workload) -> Contender:
    case = workload.case
    if not isinstance(case, ConvolutionCase) or case.kernel is not None or case.storage is not FLOAT32:
        raise LimitError(f"{name} is compared in circular convolutions of complex64 only.")
    pictures = np.ascontiguousarray(workload.pictures, np.complex64)
    buffer, graph = vd.asbuffer(pictures), vd.CommandGraph()
    used = record(vd, workload, case, buffer, graph)

    def run(times: int = 1, _used: Any = used) -> None:  # buffers and plans have to live as long as their commands
        graph.submit(instance_count=times)
        vd.queue_wait_idle()

    def snr_db() -> float:
        buffer.write(pictures)
        run()
        return workload.snr_db(buffer.read(0), "ortho")

    made = Contender({IN_PLACE: Runs(run, "wall, many runs", _MOST_RUNS)}, snr_db)
    made.release = lambda: vars(made).clear()  # lets go of buffers and commands
    return made


def _record_dispatches(vd: Any, workload: Workload, case: ConvolutionCase, buffer: Any, graph: Any) -> Any:
    """Three dispatches; zeros around a part of the pictures are not read."""
    # It multiplies by the conjugate of a kernel of each picture.
    pictures = (case.batch, *case.shape)
    spectra = vd.asbuffer(np.ascontiguousarray(np.broadcast_to(workload.kernel_spectra.conj(), pictures)))
    rows, columns = case.filled or case.shape
    # The rows of a single picture lie together: those of zeros are left out.
    lines = (1, rows, case.shape[1]) if case.batch == 1 else pictures
    vd.fft.fft(buffer, buffer_shape=lines, input_signal_range=(0, columns), graph=graph)
    vd.fft.convolve(buffer, spectra, axis=1, input_signal_range=(0, rows), graph=graph)
    vd.fft.ifft(buffer, graph=graph)
    return spectra


def _record_plan(vd: Any, workload: Workload, case: ConvolutionCase, buffer: Any, graph: Any) -> Any:
    """A plan of VkFFT, with kernels that another one has transformed."""
    if case.batch > 1 and not case.own_kernels:
        raise LimitError("VkFFT through vkdispatch has no kernel that several pictures share.")
    # Zeros are read: what VkFFT leaves out of pictures, it leaves out of results.
    plan: Any = partial(vd.vkfft.VkFFTPlan, case.shape, convolution_features=1, num_batches=case.batch)
    kernels = vd.asbuffer(workload.kernel_spectra)
    of_kernels, of_pictures = plan(kernel_convolution=True), plan(normalize=True, kernel_count=1)
    # Apart, as vkdispatch has no barrier between its own commands and VkFFT's.
    for record in (lambda graph: vd.fft.ifft2(kernels, graph=graph), lambda graph: of_kernels.record(graph, kernels)):
        apart = vd.CommandGraph()
        record(apart)
        apart.submit()
        vd.queue_wait_idle()
    of_pictures.record(graph, buffer, False, kernels)
    return kernels, of_kernels, of_pictures
