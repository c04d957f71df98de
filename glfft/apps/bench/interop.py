"""cuFFT on OpenGL textures by CUDA's graphics interop, as a peer: what a program without glfft would do in each frame.

Two textures are registered with CUDA once. Each frame maps them, copies the source from its CUDA array to linear
memory, transforms there, copies the result to the target's array and unmaps both. cuFFT and the copies are called
through CuPy; CuPy has no functions for graphics interop, so those are taken from the driver's library, which is there
wherever CUDA runs.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from glfft.apps.bench.cufft import describe, open_cupy
from glfft.apps.bench.frames import Frame
from glfft.apps.bench.image_pairs import ImagePair
from glfft.errors import ContextError, LimitError

_GL_TEXTURE_2D = 0x0DE1

# How CUDA uses a registered texture (CU_GRAPHICS_REGISTER_FLAGS_...).
_READ_ONLY = 1
_WRITE_DISCARD = 2

_Handle = ctypes.c_void_p


class CufftInterop:
    """cuFFT, complex64, in place on a copy of the source texture."""

    name = "cufft-interop"

    def __init__(self) -> None:
        self._cupy, self._fft = open_cupy(self.name)
        self._graphics = Graphics(self.name, load_driver(self.name))

    @property
    def description(self) -> str:
        return f"map, copy from the texture, cuFFT, copy to the texture, unmap; {describe(self._cupy)}"

    def frame(self, images: ImagePair) -> Frame:
        try:
            mapped = _Mapped(self._cupy, self._fft, self._graphics, images)
            return Frame(mapped.run, mapped.finish, mapped.snr_db, mapped.release)
        except (self._cupy.cuda.memory.OutOfMemoryError, self._cupy.cuda.cufft.CuFFTError) as error:
            raise LimitError(f"{self.name} cannot do it here ({' '.join(str(error).split())}).") from error


def load_driver(peer: str) -> Any:
    """CUDA's driver library, for the peer that messages name. Raises ContextError where there is none."""
    name = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
    try:
        return ctypes.CDLL(name)
    except OSError as error:
        raise ContextError(
            f"--against {peer} needs NVIDIA's driver with CUDA; leave it out here ({' '.join(str(error).split())})."
        ) from error


class Graphics:
    """The functions for graphics resources of CUDA's driver library, with its errors as exceptions that name the peer.
    A CUDA context and an OpenGL context on the same GPU must be current.
    """

    def __init__(self, peer: str, driver: Any) -> None:
        self._peer = peer
        self._driver = driver
        number, pointer = ctypes.c_uint, ctypes.POINTER
        # Without these, ctypes would cut addresses to 32 bits.
        for name, arguments in {
            "cuGraphicsGLRegisterImage": (pointer(_Handle), number, number, number),
            "cuGraphicsUnregisterResource": (_Handle,),
            "cuGraphicsMapResources": (number, pointer(_Handle), _Handle),
            "cuGraphicsUnmapResources": (number, pointer(_Handle), _Handle),
            "cuGraphicsSubResourceGetMappedArray": (pointer(_Handle), _Handle, number, number),
            "cuGetErrorString": (ctypes.c_int, pointer(ctypes.c_char_p)),
        }.items():
            getattr(driver, name).argtypes = arguments

    def register(self, texture: int, flags: int) -> _Handle:
        """A 2-D texture, by OpenGL's name for it, as a resource. Raises ContextError where CUDA cannot use it."""
        resource = _Handle()
        self._call("cuGraphicsGLRegisterImage", ctypes.byref(resource), texture, _GL_TEXTURE_2D, flags)
        return resource

    def unregister(self, resource: _Handle) -> None:
        self._call("cuGraphicsUnregisterResource", resource)

    @contextmanager
    def mapped(self, resources: ctypes.Array[_Handle], stream: int) -> Iterator[list[int]]:
        """The addresses of the resources' CUDA arrays; while they are mapped, OpenGL must not use the textures. Raises
        ContextError where CUDA cannot map them.
        """
        count = len(resources)
        self._call("cuGraphicsMapResources", count, resources, stream)
        try:
            yield [self._array(resource) for resource in resources]
        finally:
            self._call("cuGraphicsUnmapResources", count, resources, stream)

    def _array(self, resource: int) -> int:
        array = _Handle()
        self._call("cuGraphicsSubResourceGetMappedArray", ctypes.byref(array), resource, 0, 0)
        return array.value or 0

    def _call(self, function: str, *arguments: Any) -> None:
        status = getattr(self._driver, function)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self._driver.cuGetErrorString(status, ctypes.byref(text))
            reason = (text.value or b"an error without a name").decode(errors="replace")
            raise ContextError(
                f"{self._peer} failed: {function} answers '{reason}' ({status}); CUDA and OpenGL must run on the same "
                "NVIDIA GPU (choose it with --device)."
            )


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
        self._registered: list[_Handle] = []
        try:
            for texture, flags in ((source, _READ_ONLY), (target, _WRITE_DISCARD)):
                self._registered.append(graphics.register(texture.glo, flags))
        except ContextError:
            self.release()
            raise
        self._resources = (_Handle * 2)(*self._registered)

    def run(self) -> None:
        runtime = self._cupy.cuda.runtime
        numbers, stream = self._numbers, self._stream.ptr
        memory, row_bytes = numbers.data.ptr, self._row_bytes
        size = (row_bytes, self._rows, runtime.memcpyDeviceToDevice, stream)
        try:
            with self._graphics.mapped(self._resources, stream) as (source, target):
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
