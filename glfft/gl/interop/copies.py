"""Copies between arrays and images: on the GPU where CUDA runs on the context's, through the host elsewhere. A shader
copies between textures and buffers, as drivers take much longer (docs/performance.md).
"""

import math
import sys
import warnings
from contextlib import suppress
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.errors import ContextError, DataError
from glfft.gl import barriers, bindings, programs
from glfft.gl.context import state_of
from glfft.gl.cuda import LEGACY_STREAM, READS_AND_WRITES, WITHOUT_TIME, Cuda, Graphics, Handle, cuda_of
from glfft.gl.functions import check_errors, clear_errors
from glfft.gl.interop.views import View, view_of
from glfft.gl.large_buffers import read_into
from glfft.gl.releasable import Releasable, released_after, released_on_error
from glfft.gl.textures import Texture, internal_format

# Formats of textures that are images too, 1, 2 or 4 channels of dtype "f1", "f2" and "f4" (OpenGL 4.3, table 8.26).
_IMAGES = {0x8229, 0x822B, 0x8058, 0x822D, 0x822F, 0x881A, 0x822E, 0x8230, 0x8814}
# A texture may be an image of any format with as many bytes a texel. Unsigned integers are copied as they are.
_FORMATS = {
    1: ("r8ui", 0x8232), 2: ("r16ui", 0x8234), 4: ("r32ui", 0x8236), 8: ("rg32ui", 0x823C), 16: ("rgba32ui", 0x8D70),
}  # fmt: skip
_KINDS = {moderngl.Texture: ("uimage2D", "ivec2"), moderngl.TextureArray: ("uimage2DArray", "ivec3")}
_THREADS = 256
_TRIED = (37, 11, 3)
_WORD = 4  # bytes
_said = False  # whether a user was told that copies go through the host


def can_copy(ctx: moderngl.Context, texture: Texture, buffer: moderngl.Buffer) -> bool:
    """Whether texels are copied right, tried once a kind and context; the last texture unit is bound."""
    state = state_of(ctx)
    unit = bindings.upload_texture_unit(state.limits)
    if buffer.size > state.limits.buffer_bytes or internal_format(ctx, texture, unit) not in _IMAGES:
        return False
    kind = (type(texture), texture.components, texture.dtype)
    return state.cache(f"copies {kind}", lambda: _copies_all_bits(ctx, *kind))


def _copies_all_bits(ctx: moderngl.Context, kind: Any, channels: int, dtype: str) -> bool:
    """Whether small textures of a kind are copied as the driver copies them, in both directions."""
    make: Any = {moderngl.Texture: ctx.texture, moderngl.TextureArray: ctx.texture_array}.get(kind, ctx.texture3d)
    size = _TRIED if kind is not moderngl.Texture else _TRIED[:2]
    # No byte is so large that a number is infinite.
    data = (np.arange(math.prod(size) * channels * int(dtype[-1])) * 37 % 113).astype(np.uint8).tobytes()
    whole = -(-len(data) // 4) * 4
    source, target = (make(size, channels, dtype=dtype) for _ in range(2))
    # New memory may hold what an earlier trial left there.
    there, back = ctx.buffer(bytes(whole)), ctx.buffer(data.ljust(whole, b"\0"))
    with released_after(source, target, there, back):
        source.write(data, alignment=1)
        target.write(bytes(len(data)), alignment=1)
        copy_texels(ctx, source, there, to_texture=False)
        copy_texels(ctx, target, back, to_texture=True)
        return there.read(len(data)) == data == target.read(alignment=1)


def copy_texels(ctx: moderngl.Context, texture: Texture, buffer: moderngl.Buffer, *, to_texture: bool) -> None:
    """Copy a texture's first level from or to a buffer of whole words, with barriers before and after."""
    texel_bytes = texture.components * int(texture.dtype[-1])
    name, number = _FORMATS[texel_bytes]
    kind, place = _KINDS.get(type(texture), ("uimage3D", "ivec3"))
    defines = {"TEXEL_BYTES": texel_bytes, "FORMAT": name, "IMAGE": kind, "PLACE": place}
    units = {"IMAGE_UNIT": bindings.TARGET_IMAGE_UNIT, "BUFFER_BINDING": bindings.TARGET_BUFFER_BINDING}
    program = programs.compute(ctx, "interop/texels.comp", {**defines, **units, "TO_TEXTURE": int(to_texture)})
    programs.set_uniforms(program, {"size": (*texture.size, 1)[:3]})
    ctx.memory_barrier(barriers.SHADER_IMAGE_ACCESS_BARRIER | barriers.SHADER_STORAGE_BARRIER)
    texture.bind_to_image(bindings.TARGET_IMAGE_UNIT, read=not to_texture, write=to_texture, format=number)
    buffer.bind_to_storage_buffer(bindings.TARGET_BUFFER_BINDING)
    groups = -(-math.prod(texture.size) // (_THREADS * max(1, 4 // texel_bytes)))
    program.run(*state_of(ctx).limits.in_rows(groups))
    ctx.memory_barrier(barriers.barrier_before(None, buffer=not to_texture))


class SharedBuffer(Releasable):
    """A buffer of OpenGL, of whole words, registered with CUDA as long as it exists. A GPU takes long to go from
    OpenGL's work to CUDA's or back. So the buffer stays CUDA's after `pour`, whose copy OpenGL need not wait for, until
    `lend`. Raises ContextError where there is no memory left, or CUDA cannot use the buffer.
    """

    def __init__(self, ctx: moderngl.Context, cuda: Cuda, size: int) -> None:
        self._cuda = cuda
        self._resource: Handle | None = None
        self._poured: Handle | None = None  # an event after the last copy of `pour`
        self._is_mapped = False
        clear_errors(ctx)
        self.buffer = ctx.buffer(reserve=-(-size // _WORD) * _WORD)
        with released_on_error([self]):
            check_errors(ctx, f"making a buffer of {size} bytes")
            with cuda.current() as graphics:
                self._resource = graphics.new("cuGraphicsGLRegisterBuffer", self.buffer.glo, READS_AND_WRITES)
                self._poured = graphics.new("cuEventCreate", WITHOUT_TIME)

    def fill(self, seen: View) -> None:
        """Copy an array on the GPU to the beginning of the buffer, for OpenGL to read."""
        with self._cuda.current() as graphics:
            try:
                graphics.call("cuMemcpyDtoDAsync_v2", self._take(graphics, seen), seen.address, seen.size, seen.stream)
            finally:
                self._give(graphics, seen.stream)
            if seen.waits:
                graphics.call("cuStreamSynchronize", seen.stream)

    def pour(self, seen: View) -> None:
        """Copy the beginning of the buffer to an array on the GPU."""
        with self._cuda.current() as graphics:
            try:
                graphics.call("cuMemcpyDtoDAsync_v2", seen.address, self._take(graphics, seen), seen.size, seen.stream)
                graphics.call("cuEventRecord", self._poured, seen.stream)
            except ContextError:
                self._give(graphics, seen.stream)
                raise
            if seen.waits:
                graphics.call("cuStreamSynchronize", seen.stream)

    def lend(self, stream: int = 0) -> None:
        """Let OpenGL write it next, once CUDA is done with it; a stream, if it is known, waits for that too."""
        if self._is_mapped:
            stream = stream or LEGACY_STREAM
            with self._cuda.current() as graphics:
                graphics.call("cuStreamWaitEvent", stream, self._poured, 0)
                self._give(graphics, stream)

    def _take(self, graphics: Graphics, seen: View) -> int:
        """The address for CUDA, whose stream waits for what has used the buffer so far."""
        assert self._resource is not None
        if self._is_mapped:
            graphics.call("cuStreamWaitEvent", seen.stream, self._poured, 0)
        else:
            graphics.exchange("Map", [self._resource], seen.stream)
            self._is_mapped = True
        return graphics.address_of(self._resource)

    def _give(self, graphics: Graphics, stream: int) -> None:
        """Back to OpenGL, which waits for the stream."""
        if self._is_mapped and self._resource is not None:
            self._is_mapped = False
            graphics.exchange("Unmap", [self._resource], stream)

    def release(self) -> None:
        """Free it. The GPU first does what still uses it."""
        # At the end of a process the driver may have done so.
        with suppress(ContextError), self._cuda.current() as graphics:
            self.lend()
            if self._resource is not None:
                graphics.call("cuGraphicsUnregisterResource", self._resource)
            if self._poured is not None:
                graphics.call("cuEventDestroy_v2", self._poured)
        self._resource = self._poured = None
        self.buffer.release()


def _staging_buffer(ctx: moderngl.Context, cuda: Cuda, size: int) -> SharedBuffer:
    """The buffer that a context's images and arrays are copied through, which grows to the largest of them."""
    caches = state_of(ctx).caches
    kept: SharedBuffer | None = caches.get("staging")
    if kept is None or kept.buffer.size < size:
        if kept is not None:
            caches.pop("staging").release()
        kept = caches["staging"] = SharedBuffer(ctx, cuda, size)
    return kept


def look_at(ctx: moderngl.Context, array: Any, *, writes: bool) -> View:
    """Look at an array that is to be copied from or, if it `writes`, to. Raises DataError where it cannot be."""
    cuda = cuda_of(ctx)
    seen = view_of(array, writes=writes)
    if cuda is not None and seen.device not in (None, cuda.device):
        said = f"The array is on CUDA's device {seen.device} and OpenGL draws on device {cuda.device}"
        raise DataError(f"{said}; move it there, or open the context on the array's GPU.")
    if cuda is None:
        _say_once("CUDA does not run on the GPU that OpenGL draws on", array)
    elif seen.device is None:
        _say_once("the array is there, and OpenGL draws on a GPU", array)
    return seen


def copy_to_image(ctx: moderngl.Context, array: Any, seen: View, image: Any, own: SharedBuffer | None = None) -> None:
    """Copy an array, as `look_at` has seen it, to an image as large; `own` is a buffer's, shared with CUDA."""
    cuda = cuda_of(ctx)
    is_buffer = isinstance(image, moderngl.Buffer)
    if seen.device is None or cuda is None:
        image.write(_as_bytes(_to_host(array, seen)), **({} if is_buffer else {"alignment": 1}))
        return
    shared = own or _staging_buffer(ctx, cuda, seen.size)
    shared.fill(seen)
    if is_buffer:
        assert image is shared.buffer
    elif can_copy(ctx, image, shared.buffer):
        copy_texels(ctx, image, shared.buffer, to_texture=True)
    else:
        image.write(shared.buffer, alignment=1)


def copy_to_array(ctx: moderngl.Context, image: Any, array: Any, seen: View, own: SharedBuffer | None = None) -> None:
    """Copy a texture or a buffer to an array, as large or of the buffer's beginning; arguments as `copy_to_image`'s."""
    cuda = cuda_of(ctx)
    if cuda is not None and seen.device is not None:
        shared = own or _staging_buffer(ctx, cuda, seen.size)
        if own is None:
            shared.lend(seen.stream)
            if isinstance(image, moderngl.Buffer):
                ctx.copy_buffer(shared.buffer, image, seen.size)
            elif can_copy(ctx, image, shared.buffer):
                copy_texels(ctx, image, shared.buffer, to_texture=False)
            else:
                image.read_into(shared.buffer, alignment=1)
        shared.pour(seen)
        return
    numbers = np.empty(seen.shape, seen.dtype) if seen.host is None else seen.host
    if isinstance(image, moderngl.Buffer):
        read_into(ctx, image, _as_bytes(numbers), seen.size)
    else:
        image.read_into(_as_bytes(numbers), alignment=1)
    if seen.host is None:
        _from_host(array, numbers)


def _say_once(why: str, array: object) -> None:
    """Say once a process that a copy goes through the host. Whoever has numpy's arrays knows."""
    global _said
    if _said or isinstance(array, np.ndarray):
        return
    _said = True
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals["__name__"].partition(".")[0] in ("glfft", "contextlib"):
        level, frame = level + 1, frame.f_back
    warnings.warn(f"glfft copies arrays through the host's memory: {why}.", stacklevel=level)


def _as_bytes(array: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    return array.reshape(-1).view(np.uint8)


def _to_host(array: Any, seen: View) -> npt.NDArray[Any]:
    """An array's numbers on the host: torch and CuPy each have a method of their own, JAX an interface."""
    if seen.host is not None:
        return seen.host
    method = next((name for name in ("cpu", "get") if hasattr(array, name)), None)
    return np.ascontiguousarray(array if method is None else getattr(array, method)())


def _from_host(array: Any, numbers: npt.NDArray[Any]) -> None:
    """Copy numbers into an array on a GPU that OpenGL does not draw on."""
    if hasattr(array, "copy_"):
        array.copy_(sys.modules["torch"].from_numpy(numbers))
    elif hasattr(array, "set"):
        array.set(numbers)
    else:
        raise DataError("The target array is on a GPU that OpenGL does not draw on; give one on the host.")
