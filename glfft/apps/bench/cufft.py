"""cuFFT through CuPy as a peer, timed by CUDA events with the queue kept full; and on OpenGL textures, as a program
without glfft would do it: a frame maps two textures, copies the source, transforms, copies the result back and unmaps.
"""

import importlib
import math
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

import numpy as np

from glfft.apps.bench.frames import Frame
from glfft.apps.bench.suite import ConvolutionCase
from glfft.apps.bench.workload import IN_PLACE, OUT_OF_PLACE, Contender, ImagePair, Peer, Workload, import_library
from glfft.errors import ContextError, LimitError
from glfft.gl.cuda import Graphics, Handle, load_driver
from glfft.profiling.timing import QueuedCall, Subject

# cuFFT does not scale: each transform of N numbers in place makes them sqrt(N) times as large. They start this small,
# and after at most 68 decades, before they are too large for float32, they are written anew.
_SMALL, _DECADES = 1e-34, 68

# cuFFT's names of transforms: in float64, and of real numbers.
_VALUE_TYPES = {(False, False): "C2C", (True, False): "Z2Z", (False, True): "R2C", (True, True): "D2Z"}
_NAME = "cufft-interop"
_GL_TEXTURE_2D, _READS, _WRITES_ALL = 0x0DE1, 1, 2  # the flags are CU_GRAPHICS_REGISTER_FLAGS_...


def open_cupy(peer: str) -> tuple[Any, Any]:
    """`cupy` and `cupyx.scipy.fft`, for the peer named. MissingExtraError without CuPy, ContextError without a GPU."""
    cupy: Any = import_library("cupy", "pip install cupy-cuda12x (or the build for your CUDA)", peer)
    fft = importlib.import_module("cupyx.scipy.fft")
    try:
        _gpu_name(cupy)
    except Exception as error:
        raise ContextError(f"--against {peer} needs an NVIDIA GPU for CuPy; leave it out here ({error}).") from error
    return cupy, fft


def describe(cupy: Any) -> str:
    return f"cuFFT {cupy.cuda.cufft.getVersion()} through CuPy {cupy.__version__} on {_gpu_name(cupy)}"


def _gpu_name(cupy: Any) -> str:
    return cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)["name"].decode()


def queued(cupy: Any, call: Callable[[], object], **options: Any) -> Subject:
    """A call to be timed in CUDA's current stream; options as for `QueuedCall`."""
    return QueuedCall(call, CudaQueue(cupy), "gpu events", **options)


def on_cuda(cupy: Any, workload: Workload, call: Callable[[], Any], norm: str = "backward") -> Contender:
    """A contender on the card, by a call that returns [batch, rows, columns] there; `norm` as in `Workload.snr_db`."""
    made = Contender({OUT_OF_PLACE: queued(cupy, call)}, lambda: workload.snr_db(cupy.asnumpy(call()), norm))

    def release() -> None:
        vars(made).clear()  # lets go of all that it holds
        cupy.get_default_memory_pool().free_all_blocks()

    made.release = release
    return made


def cufft() -> Peer:
    """cuFFT, planned once for each workload, in the precision of its case."""
    cupy, fft = open_cupy("cufft")

    def contender(workload: Workload) -> Contender:
        if workload.case.cosine:
            raise LimitError("cuFFT has no cosine transforms.")
        kind = cufft_convolution if isinstance(workload.case, ConvolutionCase) else _transform
        with cuda_limits(cupy, "cuFFT"):
            return kind(cupy, fft, workload)

    return Peer("cufft", describe(cupy), contender)


@contextmanager
def cuda_limits(cupy: Any, name: str) -> Iterator[None]:
    """Raise LimitError where CUDA lacks memory or refuses a plan, for the peer that the message names."""
    try:
        yield
    except (cupy.cuda.memory.OutOfMemoryError, cupy.cuda.cufft.CuFFTError) as error:
        raise LimitError(f"{name} cannot do it here ({' '.join(str(error).split())}).") from error


def _transform(cupy: Any, fft: Any, workload: Workload) -> Contender:
    case, forward = workload.case, cupy.cuda.cufft.CUFFT_FORWARD
    source = cupy.asarray(workload.pictures)
    target = cupy.empty((case.batch, *case.spectrum_shape), "c16" if case.storage.double else "c8")
    small, over_itself = source * np.float32(_SMALL), cupy.empty_like(source)
    plan = fft.get_fft_plan(source, axes=workload.axes, value_type=_VALUE_TYPES[case.storage.double, case.real])

    def out_of_place() -> Any:
        plan.fft(source, target, forward)
        return target

    made = on_cuda(cupy, workload, out_of_place)
    if not case.real:
        growth = 0.5 * math.log10(max(2, case.transform_points))
        call, renew = partial(plan.fft, over_itself, over_itself, forward), partial(cupy.copyto, over_itself, small)
        made.ways[IN_PLACE] = queued(cupy, call, renew=renew, most_calls=int(_DECADES / growth))
    return made


def cufft_convolution(cupy: Any, fft: Any, workload: Workload) -> Contender:
    """Two transforms in place and a product. Linear ones are padded before, to lengths that cuFFT is fast at."""
    case = workload.case
    assert isinstance(case, ConvolutionCase)
    (rows, columns), kernel = case.shape, case.kernel
    if kernel is None:
        top, left, forward, inverse = 0, 0, fft.fft2, fft.ifft2
        # Each call leaves out the factor of the inverse transform; the kernel brings it.
        pictures, spectra = cupy.asarray(workload.pictures), cupy.asarray(workload.kernel_spectra)
    else:
        (top, left), forward, inverse = [(taps - 1) // 2 for taps in kernel], fft.rfft2, fft.irfft2
        full = [fft.next_fast_len(size + taps - 1) for size, taps in zip(case.shape, kernel, strict=True)]
        padded = np.zeros((case.batch, *full), np.float32)
        padded[:, :rows, :columns] = workload.pictures
        pictures, spectra = cupy.asarray(padded), fft.rfft2(cupy.asarray(workload.kernel), full)[np.newaxis]

    def convolve() -> Any:
        spectrum = forward(pictures)
        spectrum *= spectra
        return inverse(spectrum, pictures.shape[1:], overwrite_x=True)[:, top : top + rows, left : left + columns]

    return on_cuda(cupy, workload, convolve, "ortho")


class CudaQueue:
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


def cufft_interop() -> Peer[ImagePair, Frame]:
    """cuFFT, complex64, in place on a copy of the source texture. Raises ContextError where CUDA has no driver."""
    cupy, fft = open_cupy(_NAME)
    try:
        same = "CUDA and OpenGL must run on the same NVIDIA GPU (choose it with --device)"
        graphics = Graphics(load_driver(), _NAME, same)
    except OSError as error:
        why = f"leave it out here ({' '.join(str(error).split())})"
        raise ContextError(f"--against {_NAME} needs NVIDIA's driver with CUDA; {why}.") from error

    def frame(images: ImagePair) -> Frame:
        with cuda_limits(cupy, _NAME):
            return _mapped(cupy, fft, graphics, images)

    return Peer(_NAME, f"map, copy from the texture, cuFFT, copy to the texture, unmap; {describe(cupy)}", frame)


def _mapped(cupy: Any, fft: Any, graphics: Graphics, images: ImagePair) -> Frame:
    case, runtime = images.case, cupy.cuda.runtime
    # Memory first: making it also makes CUDA's context current, which registering needs.
    numbers, stream = cupy.empty(case.shape, "complex64"), cupy.cuda.get_current_stream()
    plan = fft.get_fft_plan(numbers, axes=case.axes, value_type="C2C")
    memory, row_bytes = numbers.data.ptr, case.shape[1] * case.storage.texel_bytes
    size = (row_bytes, case.shape[0], runtime.memcpyDeviceToDevice, stream.ptr)
    registered: list[Handle] = []
    textures: Any = (images.source, _READS), (images.target, _WRITES_ALL)
    with ExitStack() as stack:
        stack.callback(cupy.get_default_memory_pool().free_all_blocks)
        for texture, flags in textures:
            registered.append(graphics.new("cuGraphicsGLRegisterImage", texture.glo, _GL_TEXTURE_2D, flags))
            stack.callback(graphics.call, "cuGraphicsUnregisterResource", registered[-1])
        release = stack.pop_all().close

    def run() -> None:
        try:
            with graphics.mapped(registered, stream.ptr):
                source, target = (
                    graphics.new("cuGraphicsSubResourceGetMappedArray", each, 0, 0).value for each in registered
                )
                runtime.memcpy2DFromArrayAsync(memory, row_bytes, source, 0, 0, *size)
                plan.fft(numbers, numbers, cupy.cuda.cufft.CUFFT_FORWARD)
                runtime.memcpy2DToArrayAsync(target, 0, 0, memory, row_bytes, *size)
        except runtime.CUDARuntimeError as error:
            raise ContextError(f"{_NAME} failed: a copy answers '{error}'.") from error

    def finish() -> None:
        stream.synchronize()
        images.ctx.finish()

    return Frame(run, finish, release)
