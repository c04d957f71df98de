"""Arrays of any library, seen without importing it: by DLPack (its C structures, version 0.8) or numpy's interface."""

import ctypes
import math
import sys
from dataclasses import dataclass
from typing import Any, Protocol, TypeGuard

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.errors import DataError, LimitError, TextureError
from glfft.gl.context import state_of
from glfft.gl.cuda import LEGACY_STREAM

_HOST, _CUDA, _CUDA_HOST, _CUDA_MANAGED = 1, 2, 3, 13  # DLDeviceType and DLDataTypeCode
_KINDS = {0: "i", 1: "u", 2: "f", 5: "c"}

_IMMUTABLE = {"jax", "jaxlib", "tensorflow"}  # their arrays never change, which DLPack does not tell

_IMAGES = {moderngl.Texture, moderngl.TextureArray, moderngl.Texture3D, moderngl.Buffer, type(None)}
OWN_PROTOCOL = "_glfft_view"  # a method of arrays that glfft itself makes
_PROTOCOLS = ("__dlpack__", OWN_PROTOCOL, "__array_interface__")
_GetPointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
_in_capsule = _GetPointer(("PyCapsule_GetPointer", ctypes.pythonapi))
# Integers that shaders see as 0 to 1 have dtypes of moderngl's own, signed ones too, which lose what is below 0.
_NUMBERS = {name: np.dtype(name[-2:]) for name in ("nu1", "nu2", "ni1", "ni2")} | {"f1": np.dtype(np.uint8)}
_COMPLEX = {np.dtype(np.float32): np.dtype(np.complex64), np.dtype(np.float64): np.dtype(np.complex128)}
# What a texture is made for: moderngl's dtype, and channels a number takes.
_TEXELS = {
    np.dtype(np.uint8): ("f1", 1),
    np.dtype(np.float16): ("f2", 1),
    np.dtype(np.float32): ("f4", 1),
    np.dtype(np.complex64): ("f4", 2),
}
_MOST_CHANNELS = 4


class Array(Protocol):
    """An array of numpy, torch, CuPy, JAX and others."""

    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...

    def __dlpack_device__(self) -> Any: ...


def is_array(given: object) -> TypeGuard[Array]:
    """Whether something is an array, and no object of OpenGL."""
    # What runs of plans nearly always get comes first.
    return type(given) not in _IMAGES and any(hasattr(given, name) for name in _PROTOCOLS)


@dataclass(frozen=True)
class View:
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    address: int  # of its first number; on the host 0, `host` knows it
    contiguous: bool  # whether it is C-ordered without gaps
    writable: bool
    device: int | None  # CUDA's number of its GPU; None on the host
    stream: int  # the CUDA stream that the array's work runs on
    waits: bool  # whether the host has to wait for a copy, as nobody knows the array's stream
    host: npt.NDArray[Any] | None  # the memory on the host, as numpy's
    owner: Any  # what keeps the memory alive

    @property
    def size(self) -> int:
        """In bytes."""
        return self.dtype.itemsize * math.prod(self.shape)


def view_of(array: Any, *, writes: bool) -> View:
    """Look at an array with `__dlpack__` or numpy's array interface. One to be written must be contiguous and allow
    that; else a copy of one that is not contiguous or of native byte order is seen. Raises DataError where it has no
    numbers, requires gradients, cannot be shared or written, or is on another device.
    """
    if not is_array(array):
        raise DataError(f"An array of torch, CuPy, JAX or numpy is needed, not {type(array).__name__}.")
    if getattr(array, "requires_grad", False):
        raise DataError("The array requires gradients, which OpenGL does not know of; pass its detach().")
    seen = _look(array)
    if 0 in seen.shape or seen.dtype.hasobject:
        raise DataError(f"The array has the shape {seen.shape}, the dtype {seen.dtype} and no numbers.")
    if writes and (not seen.writable or isinstance(array, np.generic) or _libraries(array) & _IMMUTABLE):
        raise DataError("The target array is read-only; give one that can be written, such as numpy's or torch's.")
    if writes and not seen.contiguous:
        raise DataError("The target array is not contiguous; give one whose rows follow each other without gaps.")
    if writes and not seen.dtype.isnative:
        raise DataError("The target array has another byte order than this machine; give one of the native order.")
    if writes:
        return seen
    if seen.host is not None:
        return _on_host(np.ascontiguousarray(seen.host, seen.dtype.newbyteorder("=")), seen.owner)
    if not seen.contiguous:
        make = getattr(array, "contiguous", None) or getattr(array, "copy", None)
        if make is None:
            raise DataError("The array is not contiguous, and has neither contiguous() nor copy(); pass a copy of it.")
        return view_of(make(), writes=False)
    return seen


def _look(array: Any) -> View:
    try:
        if isinstance(array, np.ndarray):
            return _on_host(np.asarray(array), array)  # without a mask
        if hasattr(array, "__dlpack__"):
            return _by_dlpack(array)
        if hasattr(array, OWN_PROTOCOL):
            return array._glfft_view()
        return _on_host(np.asarray(array), array)
    except (BufferError, RuntimeError, TypeError, ValueError, AttributeError) as error:
        why = " ".join(str(error).split()).partition(". ")[0].rstrip(".") or type(error).__name__
        raise DataError(f"The array cannot be shared ({why}); pass a plain copy of it.") from error


def _on_host(array: npt.NDArray[Any], owner: object) -> View:
    flags = array.flags
    return View(array.shape, array.dtype, 0, flags.c_contiguous, flags.writeable, None, 0, False, array, owner)


class _DLTensor(ctypes.Structure):
    _fields_ = (
        *(("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device", ctypes.c_int32)),
        *(("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)),
        *(("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64))),
        ("byte_offset", ctypes.c_uint64),
    )


def _by_dlpack(array: Any) -> View:
    kind, device = array.__dlpack_device__()
    on_gpu = int(kind) in (_CUDA, _CUDA_MANAGED)
    if not on_gpu and int(kind) not in (_HOST, _CUDA_HOST):
        where = f"a device of DLPack's type {int(kind)}, which is neither CUDA's nor the host"
        raise DataError(f"The array is on {where}; copy it to the host before.")
    known = _current_stream(array) if on_gpu else None
    stream = known or LEGACY_STREAM
    # Whoever made the array has the stream wait for what still writes it. The capsule owns the memory.
    capsule = array.__dlpack__(stream=stream) if on_gpu else array.__dlpack__()
    tensor = _DLTensor.from_address(_in_capsule(capsule, b"dltensor"))
    if tensor.code not in _KINDS or tensor.lanes != 1:
        raise DataError(f"The array has the dtype {getattr(array, 'dtype', 'unknown')}, which OpenGL cannot hold.")
    dtype = np.dtype(f"{_KINDS[tensor.code]}{tensor.bits // 8}")
    shape = tuple(tensor.shape[: tensor.ndim])
    dense = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]  # of a C-ordered array, in numbers
    strides = tensor.strides[: tensor.ndim] if tensor.strides else dense
    address = (tensor.data or 0) + tensor.byte_offset
    if on_gpu:
        contiguous = all(side == 1 or own == step for side, own, step in zip(shape, strides, dense, strict=True))
        return View(shape, dtype, address, contiguous, True, int(device), stream, known is None, None, capsule)
    if 0 in shape:
        return _on_host(np.empty(shape, dtype), capsule)
    steps = [each * dtype.itemsize for each in strides]
    extent = dtype.itemsize + sum(step * (side - 1) for step, side in zip(steps, shape, strict=True))
    memory = memoryview((ctypes.c_uint8 * extent).from_address(address))
    return _on_host(np.ndarray(shape, dtype, memory, strides=steps), capsule)


def _libraries(array: object) -> set[str]:
    """The packages of an array's class and of those it is derived from."""
    return {each.__module__.partition(".")[0] for each in type(array).__mro__}


def _current_stream(array: Any) -> int | None:
    """The stream that torch or CuPy runs an array's work on at present; None for other libraries."""
    libraries = _libraries(array)
    if "torch" in libraries:
        return sys.modules["torch"].cuda.current_stream(array.device).cuda_stream
    return sys.modules["cupy"].cuda.get_current_stream().ptr if "cupy" in libraries else None


@dataclass(frozen=True)
class Forms:
    """The arrays of an image's bytes, by its shape, channels a texel and moderngl's name of a number's dtype."""

    base: tuple[int, ...]
    channels: int
    number: str

    @classmethod
    def of_texture(cls, texture: Any) -> "Forms":
        """Those of a texture. Raises TextureError where it has several samples a texel."""
        if getattr(texture, "samples", 0):
            raise TextureError("The texture has several samples a texel; copy it with ctx.copy_framebuffer before.")
        return cls(tuple(texture.size[::-1]), texture.components, texture.dtype)

    @property
    def all(self) -> list[tuple[np.dtype[Any], tuple[int, ...]]]:
        """Dtype and shape of each, the usual one first: two channels of floats are one complex number."""
        number = _NUMBERS.get(self.number) or np.dtype(self.number)
        plain = (number, (*self.base, self.channels))
        if self.channels == 1:
            return [(number, self.base), plain]
        if number not in _COMPLEX or self.channels == 3:
            return [plain]
        if self.channels == 2:
            return [(_COMPLEX[number], self.base), plain, (_COMPLEX[number], (*self.base, 1))]
        return [plain, (_COMPLEX[number], (*self.base, 2))]

    @property
    def size(self) -> int:
        """In bytes."""
        dtype, shape = self.all[0]
        return dtype.itemsize * math.prod(shape)

    def check(self, dtype: np.dtype[Any], shape: tuple[int, ...], what: str) -> None:
        """Refuse an array of another form. Raises DataError."""
        if (dtype.newbyteorder("="), shape) not in self.all:
            wanted = " or ".join(f"{each} {list(sides)}" for each, sides in self.all)
            raise DataError(f"The array is {dtype} {list(shape)}, and {what} needs {wanted}.")


def new_texture(ctx: moderngl.Context, dtype: np.dtype[Any], shape: tuple[int, ...]) -> moderngl.Texture:
    """A texture for arrays of a dtype and shape. Raises DataError where there is none, LimitError if too large."""
    if dtype not in _TEXELS:
        raise DataError(f"The array is {dtype} and textures hold uint8, float16, float32 or complex64; convert it.")
    number, per_channel = _TEXELS[dtype]
    channels = per_channel * (shape[2] if len(shape) == 3 else 1)
    if len(shape) not in (2, 3) or channels > _MOST_CHANNELS:
        wanted = f"[rows, columns, channels], with at most {_MOST_CHANNELS // per_channel} channels of {dtype}"
        raise DataError(f"The array has the shape {list(shape)} and must have [rows, columns] or {wanted}.")
    (rows, columns), most = shape[:2], state_of(ctx).limits.texture_size
    if max(rows, columns) > most:
        raise LimitError(f"The array is {columns} x {rows} and this device's textures end at {most} texels a side.")
    return ctx.texture((columns, rows), channels, dtype=number)
