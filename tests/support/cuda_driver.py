"""A pretend CUDA driver whose memory is the host's: it shares OpenGL's objects, keeps the rules, and can fail."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any

import moderngl
import numpy as np
import pytest

from glfft.gl import cuda
from glfft.gl.context import state_of
from glfft.gl.functions import load_function

_GL_COPY_WRITE_BUFFER = 0x8F37
_FIRST_IMAGE, _FIRST_BUFFER = 1000, 500_000  # handles are the names of OpenGL's objects, and one of these more
_FIRST_EVENT = 900_000
CONTEXT = 4711
FAILURE = 999


class PretendDriver:
    """The driver's library.

    A buffer's bytes are taken from OpenGL as it is mapped, and given back as it is unmapped: what is done to it in
    between, or through its address later, is lost, as it may be on a GPU.

    Args:
        ctx: whose objects can be registered; None where no test registers any.
        streams: those that work may be asked of.
        device: the number of the context's GPU.

    Attributes:
        calls: the names of the calls made, in order, without "cuGraphics" or "cu".
        registered: flags by OpenGL's name, of objects that are registered.
        mapped: the memory of each mapped object by its handle.
        memory: what was allocated, by address.
        events: the stream that each was recorded on last, None before.
        failing: calls that are to fail.
        depth: how many contexts are pushed.
    """

    def __init__(self, ctx: moderngl.Context | None, streams: list[int], device: int = 0) -> None:
        self.calls: list[str] = []
        self.registered: dict[int, int] = {}
        self.mapped: dict[int, Any] = {}
        self.memory: dict[int, Any] = {}
        self.events: dict[int, int | None] = {}
        self.failing: set[str] = set()
        self.depth = 0
        self.device = device
        self._ctx = ctx
        self._streams = streams

    def library(self) -> Any:
        """What `ctypes.CDLL` would give: each function must be told its arguments before it is called."""
        own = {
            "cuInit": lambda flags: None,
            "cuGLGetDevices_v2": self._get_devices,
            "cuDevicePrimaryCtxRetain": lambda context, device: _put(context, CONTEXT),
            "cuCtxPushCurrent_v2": self._push,
            "cuCtxPopCurrent_v2": self._pop,
            "cuGraphicsGLRegisterImage": self._register_image,
            "cuGraphicsGLRegisterBuffer": self._register_buffer,
            "cuGraphicsUnregisterResource": self._unregister,
            "cuGraphicsMapResources": self._map,
            "cuGraphicsUnmapResources": self._unmap,
            "cuGraphicsSubResourceGetMappedArray": self._get_array,
            "cuGraphicsResourceGetMappedPointer_v2": self._get_pointer,
            "cuMemAlloc_v2": self._allocate,
            "cuMemFree_v2": self._free,
            "cuMemcpyDtoDAsync_v2": self._copy,
            "cuMemcpyDtoH_v2": lambda target, source, size: ctypes.memmove(target, source, size) and None,
            "cuStreamSynchronize": self._check_stream,
            "cuStreamWaitEvent": self._wait_event,
            "cuEventCreate": self._create_event,
            "cuEventRecord": self._record_event,
            "cuEventDestroy_v2": lambda event: self.events.pop(event) and None,
            "cuGetErrorString": lambda status, text: _put(text, f"pretend error {status}".encode()),
        }
        return SimpleNamespace(**{name: self._function(name, work) for name, work in own.items()})

    def _function(self, name: str, work: Any) -> Any:
        def call(*arguments: Any) -> int:
            # As ctypes does, which refuses arguments of other types.
            for kind, given in zip(call.argtypes, arguments, strict=True):  # pyright: ignore[reportFunctionMemberAccess]
                kind.from_param(given)
            if name == "cuGetErrorString":
                work(*arguments)
                return 0
            self.calls.append(name.removeprefix("cuGraphics").removeprefix("cu").partition("_")[0])
            if name in self.failing:
                return FAILURE
            return work(*(each.value if isinstance(each, ctypes.c_void_p) else each for each in arguments)) or 0

        return call

    def _get_devices(self, count: Any, devices: Any, room: int, which: int) -> None:
        assert (room, which) == (1, 1)
        _put(count, 1)
        _put(devices, self.device)

    def _push(self, context: int) -> None:
        assert context == CONTEXT
        self.depth += 1

    def _pop(self, context: Any) -> None:
        assert self.depth > 0
        self.depth -= 1
        _put(context, CONTEXT)

    def _register_image(self, resource: Any, texture: int, target: int, flags: int) -> None:
        assert target == 0x0DE1
        self.registered[texture] = flags
        _put(resource, _FIRST_IMAGE + texture)

    def _register_buffer(self, resource: Any, buffer: int, flags: int) -> None:
        assert self.depth
        assert self._ctx is not None
        assert load_function(self._ctx, "glIsBuffer", ctypes.c_ubyte, ctypes.c_uint)(buffer)
        self.registered[buffer] = flags
        _put(resource, _FIRST_BUFFER + buffer)

    def _unregister(self, resource: int) -> None:
        assert resource not in self.mapped
        del self.registered[_name(resource)]

    def _map(self, count: int, resources: Any, stream: int) -> None:
        self._check_stream(stream)
        assert len(resources) == count
        for each in resources:
            assert _name(each) in self.registered
            assert each not in self.mapped
            self.mapped[each] = self._bytes(each)

    def _unmap(self, count: int, resources: Any, stream: int) -> None:
        self._check_stream(stream)
        assert len(resources) == count
        for each in resources:
            content = self.mapped.pop(each)
            if content is not None:
                self._give(each, content)
                content[:] = 255

    def _get_array(self, array: Any, resource: int, index: int, level: int) -> None:
        assert (index, level) == (0, 0)
        assert resource in self.mapped
        _put(array, resource + 1000)

    def _get_pointer(self, address: Any, size: Any, resource: int) -> None:
        content = self.mapped[resource]
        _put(address, content.ctypes.data)
        _put(size, content.nbytes)

    def _allocate(self, address: Any, size: int) -> None:
        content = np.zeros(size, np.uint8)
        self.memory[content.ctypes.data] = content
        _put(address, content.ctypes.data)

    def _free(self, address: int) -> None:
        assert self.depth
        del self.memory[address]

    def _copy(self, target: int, source: int, size: int, stream: int) -> None:
        self._check_stream(stream)
        assert self.depth
        # One end is a mapped buffer.
        assert {target, source} & {content.ctypes.data for content in self.mapped.values() if content is not None}
        ctypes.memmove(target, source, size)

    def _create_event(self, event: Any, flags: int) -> None:
        assert (self.depth, flags) == (1, 2)
        self.events[_FIRST_EVENT + len(self.calls)] = None
        _put(event, _FIRST_EVENT + len(self.calls))

    def _record_event(self, event: int, stream: int) -> None:
        self._check_stream(stream)
        self.events[event] = stream

    def _wait_event(self, stream: int, event: int, flags: int) -> None:
        self._check_stream(stream)
        assert flags == 0
        assert self.events[event] is not None

    def _check_stream(self, stream: int) -> None:
        assert stream in self._streams

    def _bytes(self, resource: int) -> Any:
        """The bytes of a buffer; None of a texture."""
        if resource < _FIRST_BUFFER:
            return None
        content = np.empty(self._call("glGetBufferParameteriv", resource, None), np.uint8)
        self._call("glGetBufferSubData", resource, content)
        return content

    def _give(self, resource: int, content: Any) -> None:
        self._call("glBufferSubData", resource, content)

    def _call(self, name: str, resource: int, content: Any) -> int:
        """Ask OpenGL for a buffer's size, or for a copy of its bytes in either direction."""
        assert self._ctx is not None
        unsigned = ctypes.c_uint
        load_function(self._ctx, "glBindBuffer", None, unsigned, unsigned)(_GL_COPY_WRITE_BUFFER, _name(resource))
        if content is None:
            size = ctypes.c_int()
            ask = load_function(self._ctx, name, None, unsigned, unsigned, ctypes.c_void_p)
            ask(_GL_COPY_WRITE_BUFFER, 0x8764, ctypes.addressof(size))
            return size.value
        copy = load_function(self._ctx, name, None, unsigned, ctypes.c_ssize_t, ctypes.c_ssize_t, ctypes.c_void_p)
        copy(_GL_COPY_WRITE_BUFFER, 0, content.nbytes, content.ctypes.data)
        return 0


def _put(place: Any, value: Any) -> None:
    """Write to what `ctypes.byref` was given."""
    place._obj.value = value


def _name(resource: int) -> int:
    """OpenGL's name of a resource's object."""
    return resource - (_FIRST_BUFFER if resource >= _FIRST_BUFFER else _FIRST_IMAGE)


class GpuArray:
    """An array on the pretend GPU, as a library gives it by DLPack.

    Attributes:
        numbers: what is in it.
        streams: those that were to wait for it, in order.
    """

    def __init__(self, numbers: Any, device: int = 0) -> None:
        self.numbers = np.asarray(numbers)
        self.streams: list[int] = []
        self._device = device

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, self._device

    def __dlpack__(self, *, stream: int) -> Any:
        assert stream
        self.streams.append(stream)
        capsule = self.numbers.__dlpack__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
        # The second and third field of a DLTensor are its device.
        (ctypes.c_int32 * 2).from_address(pointer(capsule, b"dltensor") + 8)[:] = self.__dlpack_device__()
        return capsule

    def contiguous(self) -> GpuArray:
        return GpuArray(np.ascontiguousarray(self.numbers), self._device)

    def cpu(self) -> Any:
        return self.numbers


def torch_on(stream: int, monkeypatch: pytest.MonkeyPatch) -> type[GpuArray]:
    """A class of arrays that are of a library called torch, whose current stream it is."""
    torch = ModuleType("torch")
    torch.__dict__["cuda"] = SimpleNamespace(current_stream=lambda device: SimpleNamespace(cuda_stream=stream))
    torch.__dict__["from_numpy"] = np.asarray
    monkeypatch.setitem(sys.modules, "torch", torch)
    return type("Tensor", (GpuArray,), {"__module__": "torch", "device": "cuda:0"})


PLACES = ["host", "pretend GPU"]


def maker(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What makes arrays of numpy's or, with a fixture `driver`, on the pretend GPU: for a fixture with PLACES."""
    if request.param == "host":
        return lambda numbers: numbers.copy()
    request.getfixturevalue("driver")
    return torch_on(7, monkeypatch)


def content(array: Any) -> Any:
    """The numbers of what `maker` makes."""
    return getattr(array, "numbers", array)


@contextmanager
def installed(driver: PretendDriver, ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make it what the context's GPU runs."""
    monkeypatch.setattr(cuda, "load_driver", driver.library)
    with _drawn_by_nvidia(True, ctx, monkeypatch):
        yield


@contextmanager
def no_cuda(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Take CUDA away from the context's GPU, if it has it."""
    with _drawn_by_nvidia(False, ctx, monkeypatch):
        yield


@contextmanager
def _drawn_by_nvidia(is_so: bool, ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(cuda, "is_nvidias", lambda ctx: is_so)
    _forget(ctx)
    try:
        yield
    finally:
        _forget(ctx)


def _forget(ctx: moderngl.Context) -> None:
    caches = state_of(ctx).caches
    if "staging" in caches:
        caches.pop("staging").release()
    caches.pop("cuda", None)
