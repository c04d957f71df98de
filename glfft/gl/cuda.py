"""CUDA's driver library, as far as it shares memory with OpenGL.

The library is there wherever CUDA runs, which the runtime's library is not: torch, CuPy and JAX each bring one of their
own. Their arrays belong to a GPU's primary context, and so does what is done here. Functions, flags and what they
promise: CUDA Driver API, sections "Graphics Interoperability" and "OpenGL Interoperability".
"""

import ctypes
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import moderngl

from glfft.errors import ContextError
from glfft.gl.context import state_of

# How CUDA uses a registered object (CU_GRAPHICS_REGISTER_FLAGS_...).
READS_AND_WRITES = 0

# The legacy default stream, by the name that DLPack too has for it (CU_STREAM_LEGACY); 0 may be another one.
LEGACY_STREAM = 1

_ALL_DEVICES = 1  # CU_GL_DEVICE_LIST_ALL
WITHOUT_TIME = 2  # CU_EVENT_DISABLE_TIMING

Handle = ctypes.c_void_p
_NUMBER, _ADDRESS, _BYTES = ctypes.c_uint, ctypes.c_uint64, ctypes.c_size_t
_HANDLES, _ADDRESSES = ctypes.POINTER(Handle), ctypes.POINTER(_ADDRESS)
_OF_ONE_HANDLE = ("CtxPushCurrent_v2", "GraphicsUnregisterResource", "StreamSynchronize", "EventDestroy_v2")

# Without these, ctypes would cut addresses to 32 bits.
_ARGUMENTS: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys((f"cuGraphics{each}Resources" for each in ("Map", "Unmap")), (_NUMBER, _HANDLES, Handle)),
    **dict.fromkeys((f"cu{each}" for each in _OF_ONE_HANDLE), (Handle,)),
    "cuInit": (_NUMBER,),
    "cuGLGetDevices_v2": (ctypes.POINTER(_NUMBER), ctypes.POINTER(ctypes.c_int), _NUMBER, ctypes.c_int),
    "cuDevicePrimaryCtxRetain": (_HANDLES, ctypes.c_int), "cuCtxPopCurrent_v2": (_HANDLES,),
    "cuGraphicsGLRegisterImage": (_HANDLES, _NUMBER, _NUMBER, _NUMBER),
    "cuGraphicsGLRegisterBuffer": (_HANDLES, _NUMBER, _NUMBER),
    "cuGraphicsSubResourceGetMappedArray": (_HANDLES, Handle, _NUMBER, _NUMBER),
    "cuGraphicsResourceGetMappedPointer_v2": (_ADDRESSES, ctypes.POINTER(_BYTES), Handle),
    "cuMemAlloc_v2": (_ADDRESSES, _BYTES), "cuMemFree_v2": (_ADDRESS,),
    "cuMemcpyDtoDAsync_v2": (_ADDRESS, _ADDRESS, _BYTES, Handle),
    "cuMemcpyDtoH_v2": (ctypes.c_void_p, _ADDRESS, _BYTES), "cuStreamWaitEvent": (Handle, Handle, _NUMBER),
    "cuEventCreate": (_HANDLES, _NUMBER), "cuEventRecord": (Handle, Handle),
    "cuGetErrorString": (ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)),
}  # fmt: skip


def load_driver() -> Any:
    """CUDA's driver library. Raises OSError where there is none."""
    return ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")


class Graphics:
    """The library's functions, which need a CUDA and an OpenGL context; errors name a `user` and end with `advice`."""

    def __init__(self, driver: Any, user: str, advice: str) -> None:
        for name, arguments in _ARGUMENTS.items():
            getattr(driver, name).argtypes = arguments
        self._driver, self._user, self._advice = driver, user, advice

    def call(self, function: str, *arguments: Any) -> None:
        """Call a function of the library. Raises ContextError with the library's reason where it fails."""
        status = getattr(self._driver, function)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self._driver.cuGetErrorString(status, ctypes.byref(text))
            reason = (text.value or b"an error without a name").decode(errors="replace")
            raise ContextError(f"{self._user} failed: {function} answers '{reason}' ({status}); {self._advice}.")

    def new(self, function: str, *arguments: Any) -> Handle:
        """What a function makes that writes a handle to its first argument. Raises ContextError as `call`."""
        made = Handle()
        self.call(function, ctypes.byref(made), *arguments)
        return made

    @contextmanager
    def mapped(self, resources: Sequence[Handle], stream: int) -> Iterator[None]:
        """Lend resources to CUDA; OpenGL must not use them meanwhile. The host does not wait: what is asked of the
        stream runs after all that was asked of OpenGL, and then the other way round. Raises ContextError as `call`.
        """
        self.exchange("Map", resources, stream)
        try:
            yield
        finally:
            self.exchange("Unmap", resources, stream)

    def exchange(self, what: str, resources: Sequence[Handle], stream: int) -> None:
        """The beginning of `mapped`, "Map", or its end, "Unmap"."""
        self.call(f"cuGraphics{what}Resources", len(resources), (Handle * len(resources))(*resources), stream)

    def address_of(self, resource: Handle) -> int:
        address, size = _ADDRESS(), _BYTES()
        self.call("cuGraphicsResourceGetMappedPointer_v2", ctypes.byref(address), ctypes.byref(size), resource)
        return address.value


class Cuda:
    """CUDA on the GPU of a context, `device` to CUDA. Raises ContextError where the GPU has no memory left."""

    def __init__(self, graphics: Graphics, device: int) -> None:
        self.graphics, self.device, self._context = graphics, device, Handle()
        # Kept until the process ends, as the libraries do that use it.
        graphics.call("cuDevicePrimaryCtxRetain", ctypes.byref(self._context), device)

    @contextmanager
    def current(self) -> Iterator[Graphics]:
        """Make the GPU's primary context current in this thread; the one before is current again in the end."""
        self.graphics.call("cuCtxPushCurrent_v2", self._context)
        try:
            yield self.graphics
        finally:
            self.graphics.call("cuCtxPopCurrent_v2", ctypes.byref(Handle()))

    def allocate(self, size: int) -> int:
        """The address of `size` new bytes on the GPU."""
        address = _ADDRESS()
        with self.current() as graphics:
            graphics.call("cuMemAlloc_v2", ctypes.byref(address), size)
        return address.value

    def free(self, address: int) -> None:
        """Give bytes back. The call waits for what still uses them."""
        # Nobody can use what a failure in the collector, or at the end of the process, would tell.
        with suppress(ContextError), self.current() as graphics:
            graphics.call("cuMemFree_v2", address)

    def read(self, address: int, target: int, size: int) -> None:
        """Copy bytes from the GPU to an address of the host, and wait for them."""
        with self.current() as graphics:
            graphics.call("cuMemcpyDtoH_v2", target, address, size)


def cuda_of(ctx: moderngl.Context) -> Cuda | None:
    """CUDA on the GPU of a context, which must be current; None where it is not to be had. Asked once a context."""
    return state_of(ctx).cache("cuda", lambda: _open(ctx))


def _open(ctx: moderngl.Context) -> Cuda | None:
    # CUDA is not asked about another driver's contexts.
    if not is_nvidias(ctx):
        return None
    try:
        graphics = Graphics(load_driver(), "CUDA", "CUDA and OpenGL must run on the same NVIDIA GPU")
        count, device = _NUMBER(), ctypes.c_int()
        graphics.call("cuInit", 0)
        graphics.call("cuGLGetDevices_v2", ctypes.byref(count), ctypes.byref(device), 1, _ALL_DEVICES)
        return Cuda(graphics, device.value) if count.value else None
    except (OSError, ContextError):
        return None


def is_nvidias(ctx: moderngl.Context) -> bool:
    return "NVIDIA" in ctx.info["GL_VENDOR"]
