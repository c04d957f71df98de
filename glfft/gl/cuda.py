"""CUDA's driver library, as far as it shares memory with OpenGL.

The library is there wherever CUDA runs, which the runtime's library is not: torch, CuPy and JAX each bring one of their
own. Their arrays belong to a GPU's primary context, and so does what is done here. Functions, flags and what they
promise: CUDA Driver API, sections "Graphics Interoperability" and "OpenGL Interoperability".
"""

import ctypes
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import moderngl

from glfft.errors import ContextError
from glfft.gl.context import state_of

_GL_TEXTURE_2D = 0x0DE1

# How CUDA uses a registered object (CU_GRAPHICS_REGISTER_FLAGS_...).
READS_AND_WRITES = 0
READS = 1
WRITES_ALL = 2

# The legacy default stream, by the name that DLPack too has for it (CU_STREAM_LEGACY); 0 may be another one.
LEGACY_STREAM = 1

_ALL_DEVICES = 1  # CU_GL_DEVICE_LIST_ALL
_WITHOUT_TIME = 2  # CU_EVENT_DISABLE_TIMING
_DEVICE_ORDINAL = 9  # CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL

Handle = ctypes.c_void_p
_NUMBER, _ADDRESS, _BYTES = ctypes.c_uint, ctypes.c_uint64, ctypes.c_size_t
_HANDLES, _ADDRESSES = ctypes.POINTER(Handle), ctypes.POINTER(_ADDRESS)

# Without these, ctypes would cut addresses to 32 bits.
_ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "cuInit": (_NUMBER,),
    "cuGLGetDevices_v2": (ctypes.POINTER(_NUMBER), ctypes.POINTER(ctypes.c_int), _NUMBER, ctypes.c_int),
    "cuDevicePrimaryCtxRetain": (_HANDLES, ctypes.c_int),
    "cuCtxPushCurrent_v2": (Handle,),
    "cuCtxPopCurrent_v2": (_HANDLES,),
    "cuGraphicsGLRegisterImage": (_HANDLES, _NUMBER, _NUMBER, _NUMBER),
    "cuGraphicsGLRegisterBuffer": (_HANDLES, _NUMBER, _NUMBER),
    "cuGraphicsUnregisterResource": (Handle,),
    "cuGraphicsMapResources": (_NUMBER, _HANDLES, Handle),
    "cuGraphicsUnmapResources": (_NUMBER, _HANDLES, Handle),
    "cuGraphicsSubResourceGetMappedArray": (_HANDLES, Handle, _NUMBER, _NUMBER),
    "cuGraphicsResourceGetMappedPointer_v2": (_ADDRESSES, ctypes.POINTER(_BYTES), Handle),
    "cuMemAlloc_v2": (_ADDRESSES, _BYTES),
    "cuMemFree_v2": (_ADDRESS,),
    "cuMemcpyDtoDAsync_v2": (_ADDRESS, _ADDRESS, _BYTES, Handle),
    "cuMemcpyDtoH_v2": (ctypes.c_void_p, _ADDRESS, _BYTES),
    "cuStreamSynchronize": (Handle,),
    "cuStreamWaitEvent": (Handle, Handle, _NUMBER),
    "cuEventCreate": (_HANDLES, _NUMBER),
    "cuEventRecord": (Handle, Handle),
    "cuEventDestroy_v2": (Handle,),
    "cuPointerGetAttribute": (ctypes.c_void_p, ctypes.c_int, _ADDRESS),
    "cuGetErrorString": (ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)),
}


def load_driver() -> Any:
    """CUDA's driver library. Raises OSError where there is none."""
    return ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")


class Graphics:
    """The library's functions for objects of OpenGL, with its errors as exceptions.

    For each call a CUDA context and an OpenGL context on the same GPU must be current.

    Args:
        driver: the library.
        user: who failed, in messages.
        advice: what to do about it: the end of their sentence.
    """

    def __init__(self, driver: Any, user: str, advice: str) -> None:
        for name, arguments in _ARGUMENTS.items():
            getattr(driver, name).argtypes = arguments
        self._driver = driver
        self._user = user
        self._advice = advice

    def call(self, function: str, *arguments: Any) -> None:
        """Call a function of the library. Raises ContextError with the library's reason where it fails."""
        status = getattr(self._driver, function)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self._driver.cuGetErrorString(status, ctypes.byref(text))
            reason = (text.value or b"an error without a name").decode(errors="replace")
            raise ContextError(f"{self._user} failed: {function} answers '{reason}' ({status}); {self._advice}.")

    def register_image(self, texture: int, flags: int) -> Handle:
        """A 2-D texture, by OpenGL's name for it, as a resource. Raises ContextError where CUDA cannot use it."""
        resource = Handle()
        self.call("cuGraphicsGLRegisterImage", ctypes.byref(resource), texture, _GL_TEXTURE_2D, flags)
        return resource

    def register_buffer(self, buffer: int, flags: int) -> Handle:
        """A buffer, by OpenGL's name for it, as a resource. Raises ContextError where CUDA cannot use it."""
        resource = Handle()
        self.call("cuGraphicsGLRegisterBuffer", ctypes.byref(resource), buffer, flags)
        return resource

    def unregister(self, resource: Handle) -> None:
        """Let go of a resource."""
        self.call("cuGraphicsUnregisterResource", resource)

    @contextmanager
    def mapped(self, resources: Sequence[Handle], stream: int) -> Iterator[None]:
        """Lend resources to CUDA; until it ends, OpenGL must not use them.

        Nobody waits on the host. What is asked of the stream from now on runs after all that was asked of OpenGL
        before; what is asked of OpenGL after the end runs after all that was asked of the stream. Raises ContextError
        where CUDA cannot map them.
        """
        self.map(resources, stream)
        try:
            yield
        finally:
            self.unmap(resources, stream)

    def map(self, resources: Sequence[Handle], stream: int) -> None:
        """The beginning of `mapped`."""
        self.call("cuGraphicsMapResources", len(resources), (Handle * len(resources))(*resources), stream)

    def unmap(self, resources: Sequence[Handle], stream: int) -> None:
        """The end of `mapped`."""
        self.call("cuGraphicsUnmapResources", len(resources), (Handle * len(resources))(*resources), stream)

    def new_event(self) -> Handle:
        """An event, which streams can wait for; `cuEventDestroy_v2` lets go of it."""
        event = Handle()
        self.call("cuEventCreate", ctypes.byref(event), _WITHOUT_TIME)
        return event

    def array_of(self, resource: Handle) -> int:
        """The CUDA array of a mapped texture."""
        array = Handle()
        self.call("cuGraphicsSubResourceGetMappedArray", ctypes.byref(array), resource, 0, 0)
        return array.value or 0

    def address_of(self, resource: Handle) -> int:
        """The address of a mapped buffer."""
        address, size = _ADDRESS(), _BYTES()
        self.call("cuGraphicsResourceGetMappedPointer_v2", ctypes.byref(address), ctypes.byref(size), resource)
        return address.value


class Cuda:
    """CUDA on the GPU of an OpenGL context.

    Args:
        graphics: its functions.
        device: CUDA's number of the GPU.

    Raises:
        ContextError: the GPU has no memory left for a CUDA context.
    """

    def __init__(self, graphics: Graphics, device: int) -> None:
        self.graphics = graphics
        self.device = device
        self._context = Handle()
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

    def device_of(self, address: int) -> int:
        """CUDA's number of the GPU that an address belongs to."""
        device = ctypes.c_int()
        with self.current() as graphics:
            graphics.call("cuPointerGetAttribute", ctypes.byref(device), _DEVICE_ORDINAL, address)
        return device.value

    def allocate(self, size: int) -> int:
        """The address of `size` new bytes on the GPU."""
        address = _ADDRESS()
        with self.current() as graphics:
            graphics.call("cuMemAlloc_v2", ctypes.byref(address), size)
        return address.value

    def free(self, address: int) -> None:
        """Give bytes back. The call waits for what still uses them."""
        with self.current() as graphics:
            graphics.call("cuMemFree_v2", address)

    def read(self, address: int, target: int, size: int) -> None:
        """Copy bytes from the GPU to an address of the host, and wait for them."""
        with self.current() as graphics:
            graphics.call("cuMemcpyDtoH_v2", target, address, size)


def cuda_of(ctx: moderngl.Context) -> Cuda | None:
    """CUDA on the GPU of a context, which must be current; None where it is not to be had. Asked once a context."""
    return state_of(ctx).cache("cuda", lambda: _open(ctx))


def _open(ctx: moderngl.Context) -> Cuda | None:
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
    """Whether NVIDIA's driver draws; CUDA is not asked about another driver's contexts."""
    return "NVIDIA" in ctx.info["GL_VENDOR"]
