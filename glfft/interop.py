"""Arrays of torch, CuPy, JAX, numpy and others as textures, and textures and buffers as arrays.

Where CUDA runs on the GPU that the context draws on, an array there is copied on the GPU, and no byte goes over the
host (docs/performance.md has times). Elsewhere, with arrays on the host or OpenGL on a CPU, the same calls copy through
the host's memory; for other arrays than numpy's a warning says so.

An array has `__dlpack__` or `__array_interface__`; no library is imported. Row 0 of an array is row 0 of a texture's
data, which OpenGL draws at the bottom. Everything is copied: an array and a texture never share memory, and each may be
changed or freed as soon as a call returns.

On a GPU a call asks for a copy and returns. It runs on torch's or CuPy's current stream, after what was asked of that
and of OpenGL before; what OpenGL is asked next to do with what was written waits for it, and no fences are needed. For
arrays of other libraries, whose streams nobody knows, the host waits too.

On a GPU a call changes the current program, image unit 7, buffer binding 7 and the last texture unit. A context keeps a
buffer as large as the largest array so far, and CUDA's primary context.
"""

import math
import operator
import weakref
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from moderngl import Buffer, Context, InvalidObject

from glfft.errors import DataError, TextureError, shown
from glfft.gl.context import require_context, state_of
from glfft.gl.cuda import LEGACY_STREAM, Cuda, cuda_of
from glfft.gl.functions import check_errors, clear_errors, errors_checked
from glfft.gl.interop.copies import copy_to_array, copy_to_image, look_at
from glfft.gl.interop.views import Array, Forms, View, new_texture
from glfft.gl.releasable import released_on_error
from glfft.gl.textures import Texture


class CudaArray:
    """An array on the GPU, with a shape and numpy's dtype, which `array_from` gives. `torch.as_tensor(array)`,
    `cupy.asarray(array)` and `jax.numpy.asarray(array)` take it without a copy and keep it alive;
    `numpy.asarray(array)` copies it to the host. Its memory is freed with the last of them.
    """

    def __init__(self, cuda: Cuda, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.shape = shape
        self.dtype = dtype
        self._cuda = cuda
        self._address = cuda.allocate(math.prod(shape) * dtype.itemsize)
        weakref.finalize(self, cuda.free, self._address).atexit = False

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """Version 3. Without a stream: nothing is left to wait for."""
        data = (self._address, False)
        return {"shape": self.shape, "typestr": self.dtype.str, "data": data, "strides": None, "version": 3}

    def _glfft_view(self) -> View:
        device, on_host = self._cuda.device, None
        return View(self.shape, self.dtype, self._address, True, True, device, LEGACY_STREAM, True, on_host, self)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("The array is on the GPU and numpy needs a copy.")
        found = np.empty(self.shape, self.dtype)
        self._cuda.read(self._address, found.ctypes.data, found.nbytes)
        return found if dtype is None else found.astype(dtype)


def texture_from(array: Array | CudaArray, out: Texture | None = None, *, ctx: Context | None = None) -> Any:
    """Copy an array to a texture.

    Args:
        array: [rows, columns] or [rows, columns, channels], up to 4 channels, or 2 of complex64. One that is not
            contiguous, or is not of this machine's byte order, is copied before.
        out: a texture to fill, in each frame the same. Its first level is written, its mipmaps are not.
        ctx: the context of a new texture: default: of `out`; else the thread's current one, or a new one without a
            window. It must be the thread's current one.

    Returns:
        `out`, or a new texture of width columns and height rows, which belongs to the caller: of dtype "f4" for
        float32, "f2" for float16, "f1" for uint8, which shaders see as 0 to 1, and "f4" with two channels a number,
        (real, imaginary), as plans take it, for complex64.

    Raises DataError where there is no such texture for the array's dtype or shape, `out` has another form, or the array
    requires gradients, has no numbers, cannot be shared or is on another device than the context; TextureError where
    `out` is no texture, or has several samples a texel; LimitError where the array is too large for a texture;
    ContextError where there is no memory left, or CUDA fails; NotCurrentError where the context is not the thread's
    current one; ReleasedError where it has been released.
    """
    if out is not None:
        _check_image(out, Texture)
    ctx = out.ctx if out is not None else require_context(ctx)
    state_of(ctx).check.require()
    seen = look_at(ctx, array, writes=False)
    clear_errors(ctx)
    texture = new_texture(ctx, seen.dtype, seen.shape) if out is None else out
    Forms.of_texture(texture).check(seen.dtype, seen.shape, "the texture")
    with released_on_error([texture] if out is None else []):
        copy_to_image(ctx, array, seen, texture)
        check_errors(ctx, f"filling a texture of {' x '.join(map(str, texture.size))}")
    return texture


def array_from(source: Texture | Buffer, out: Array | CudaArray | None = None, *, shape: tuple[int, ...] | None = None,
               dtype: npt.DTypeLike | None = None) -> Any:  # fmt: skip
    """Copy a texture or a buffer to an array.

    Args:
        source: a texture, texture array or 3-D texture, the first level of it, or a buffer. If your shader has stored
            into it, issue a barrier before, or give plans next_use="read". A swizzle does not matter.
        out: an array to fill, contiguous and writable, in each frame the same. Its dtype and shape are those below, or
            others of the same bytes: complex64 [rows, columns] is float32 [rows, columns, 2].
        shape: of a buffer's array. Default: all numbers in one axis. Their dtype is float32 by default.

    Returns:
        `out`, or a new array that belongs to the caller: a `CudaArray` where CUDA runs on the context's GPU, whose
        numbers the call waits for, and numpy's elsewhere. A texture's array is [rows, columns] with one channel, else
        [rows, columns, channels], behind [layers] or [depth], of dtype float32, float16 or uint8; of two channels "f4"
        it is complex64 [rows, columns].

    Raises DataError where `out` has another form, is read-only, not contiguous, requires gradients or is on another
    device, or a buffer has fewer bytes; TextureError where `source` is no texture or buffer, or has several samples a
    texel. Other errors are those of `texture_from`.
    """
    is_buffer = isinstance(source, Buffer)
    _check_image(source, Buffer if is_buffer else Texture)
    ctx = source.ctx
    state_of(ctx).check.require()
    cuda = cuda_of(ctx)
    if out is None:
        kind, lengths = _form_of_buffer(source, shape, dtype) if is_buffer else Forms.of_texture(source).all[0]
        out = cast(Array, np.empty(lengths, kind)) if cuda is None else CudaArray(cuda, lengths, kind)
    seen = look_at(ctx, out, writes=True)
    if not is_buffer:
        Forms.of_texture(source).check(seen.dtype, seen.shape, "the texture")
    elif seen.size > source.size:
        raise DataError(f"The array has {seen.size} bytes and the buffer has {source.size}.")
    with errors_checked(ctx, f"reading {seen.size} bytes"):
        copy_to_array(ctx, source, out, seen)
    return out


def _form_of_buffer(source: Buffer, shape: Any, dtype: Any) -> tuple[np.dtype[Any], tuple[int, ...]]:
    try:
        kind = np.dtype(np.float32 if dtype is None else dtype)
        lengths = (source.size // kind.itemsize,) if shape is None else tuple(map(operator.index, shape))
        if kind.hasobject or min(lengths, default=1) < 1 or kind.itemsize * math.prod(lengths) > source.size:
            raise ValueError
    except (TypeError, ValueError, ZeroDivisionError):
        asked = f"of shape {shown(shape)} and dtype {shown(dtype)}"
        raise DataError(f"A buffer of {source.size} bytes holds no array {asked}; give another.") from None
    return kind, lengths


def _check_image(given: Any, kind: Any) -> None:
    if not isinstance(given, kind):
        raise TextureError(f"A texture of moderngl's is needed, not {type(given).__name__}.")
    if isinstance(given.mglo, InvalidObject):
        raise TextureError("The texture or buffer has been released; make a new one.")
