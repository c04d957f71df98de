"""cuFFT on OpenGL textures by CUDA's graphics interop, as a peer: what a program without glfft would do in each frame.

Two textures are registered with CUDA once. Each frame maps them, copies the source from its CUDA array to linear
memory, transforms there, copies the result to the target's array and unmaps both. cuFFT and the copies are called
through CuPy; CuPy has no functions for graphics interop, so those are `glfft.gl.cuda`'s.
"""

from typing import Any

from glfft.apps.bench.cufft import describe, open_cupy
from glfft.apps.bench.frames import Frame
from glfft.apps.bench.workload import ImagePair
from glfft.errors import ContextError, LimitError
from glfft.gl.cuda import READS, WRITES_ALL, Graphics, Handle, load_driver


class CufftInterop:
    """cuFFT, complex64, in place on a copy of the source texture."""

    name = "cufft-interop"

    def __init__(self) -> None:
        self._cupy, self._fft = open_cupy(self.name)
        self._graphics = _open_graphics(self.name)

    @property
    def description(self) -> str:
        return f"map, copy from the texture, cuFFT, copy to the texture, unmap; {describe(self._cupy)}"

    def frame(self, images: ImagePair) -> Frame:
        try:
            mapped = _Mapped(self._cupy, self._fft, self._graphics, images)
            return Frame(mapped.run, mapped.finish, mapped.snr_db, mapped.release)
        except (self._cupy.cuda.memory.OutOfMemoryError, self._cupy.cuda.cufft.CuFFTError) as error:
            raise LimitError(f"{self.name} cannot do it here ({' '.join(str(error).split())}).") from error


def _open_graphics(peer: str) -> Graphics:
    """CUDA's functions for textures, for the peer that messages name. Raises ContextError where there are none."""
    try:
        return Graphics(
            load_driver(), peer, "CUDA and OpenGL must run on the same NVIDIA GPU (choose it with --device)"
        )
    except OSError as error:
        raise ContextError(
            f"--against {peer} needs NVIDIA's driver with CUDA; leave it out here ({' '.join(str(error).split())})."
        ) from error


class _Mapped:
    """Frames that map a source and a target texture."""

    def __init__(self, cupy: Any, fft: Any, graphics: Graphics, images: ImagePair) -> None:
        self._cupy = cupy
        self._graphics = graphics
        self._images = images
        source: Any = images.source
        target: Any = images.target
        self._rows = images.case.shape[0]
        self._row_bytes = images.case.shape[1] * images.case.storage.texel_bytes
        # Memory first: making it also makes CUDA's context current, which registering needs.
        self._numbers = cupy.empty(images.case.shape, "complex64")
        self._plan = fft.get_fft_plan(self._numbers, axes=images.case.axes, value_type="C2C")
        self._stream = cupy.cuda.get_current_stream()
        self._registered: list[Handle] = []
        try:
            for texture, flags in ((source, READS), (target, WRITES_ALL)):
                self._registered.append(graphics.register_image(texture.glo, flags))
        except ContextError:
            self.release()
            raise

    def run(self) -> None:
        runtime = self._cupy.cuda.runtime
        numbers, stream = self._numbers, self._stream.ptr
        memory, row_bytes = numbers.data.ptr, self._row_bytes
        size = (row_bytes, self._rows, runtime.memcpyDeviceToDevice, stream)
        try:
            with self._graphics.mapped(self._registered, stream):
                source, target = map(self._graphics.array_of, self._registered)
                runtime.memcpy2DFromArrayAsync(memory, row_bytes, source, 0, 0, *size)
                self._plan.fft(numbers, numbers, self._cupy.cuda.cufft.CUFFT_FORWARD)
                runtime.memcpy2DToArrayAsync(target, 0, 0, memory, row_bytes, *size)
        except runtime.CUDARuntimeError as error:
            raise ContextError(f"{CufftInterop.name} failed: a copy answers '{error}'.") from error

    def finish(self) -> None:
        self._stream.synchronize()
        self._images.ctx.finish()

    def snr_db(self) -> float:
        self.run()
        self.finish()
        return self._images.target_snr_db("backward")

    def release(self) -> None:
        while self._registered:
            self._graphics.unregister(self._registered.pop())
        self._cupy.get_default_memory_pool().free_all_blocks()
