"""The place of the greatest value of a texture, to a fraction of a texel, found on the GPU."""

from typing import NamedTuple

import numpy as np
from moderngl import Context

from glfft.convolution.pictures import Ints, Picture, check_texture, ivec2, shape_of
from glfft.errors import DataError, OptionError, check_flag
from glfft.gl.barriers import SHADER_STORAGE_BARRIER, barrier_before
from glfft.gl.bindings import PARTS_BUFFER_BINDING, PEAK_BUFFER_BINDING, source_texture_unit
from glfft.gl.programs import compute
from glfft.gl.releasable import Owner
from glfft.gl.textures import bytes_of, use_texture
from glfft.gl.timed import Sections, timed

_THREADS = 256
_TEXELS_A_THREAD = 16
_MOST_PARTS = 1024


class Peak(NamedTuple):
    """The place of a maximum, in texels from the middle of texel (0, 0), and the value there."""

    row: float
    column: float
    value: float


class PeakFinder(Owner):
    """Finds the greatest value of a texture, between the texels.

    The texture's values are interpolated by Lanczos' kernel (Turkowski, Filters for common resampling tasks, 1990) of
    five lobes around the greatest texel, and the maximum of that is searched up to 0.79 texels away on a grid of 1/80
    of a texel, which the texel's middle is on; values that fall faster to one side have it beyond half a texel. For a
    texture without detail finer than two texels, as correlations are, this is the maximum of its Fourier series to a
    few hundredths. Beyond an edge, lines go on as smooth curves: nearly all peaks beside it are found to a tenth. Two
    dispatches, which change storage buffers 6 and 7.

    Args:
        ctx: the context of the textures, with OpenGL 4.3 or later.
        shape: (rows, columns).
        periodic: True says that the texture goes on where it began, as circular correlations do. Places are shifts
            then, from -rows / 2 to rows / 2 and so on.

    Attributes:
        buffer: four floats, (row, column, value, found), for shaders too; found is 0 if no texel is finite.

    Raises ShapeError where the shape is not two numbers of at least 1; ContextError and others as `glfft.Plan`.
    """

    def __init__(self, ctx: Context, shape: Ints, *, periodic: bool = False) -> None:
        super().__init__(ctx)
        self.shape = rows, columns = shape_of("texture", shape)
        periodic = check_flag("periodic", periodic)
        self._parts = min(_MOST_PARTS, -(-rows * columns // (_THREADS * _TEXELS_A_THREAD)))
        self._unit = source_texture_unit(self._state.limits)
        defines = {"THREADS": _THREADS, "TEXTURE_UNIT": self._unit, "PARTS_BINDING": PARTS_BUFFER_BINDING}
        defines |= {"PICTURE_SIZE": ivec2(self.shape)}
        self._search = compute(ctx, "convolution/peak_parts.comp", defines)
        own = {"PEAK_BINDING": PEAK_BUFFER_BINDING, "PARTS": self._parts, "PERIODIC": int(periodic)}
        self._refine = compute(ctx, "convolution/peak.comp", {**defines, **own})
        self._found_parts = self._own(ctx.buffer(reserve=8 * self._parts))
        self.buffer, self._read = (self._own(ctx.buffer(reserve=16)) for _ in range(2))
        self._has_run = False

    def run(self, texture: Picture, next_use: str | None = None, profiler: Sections | None = None) -> None:
        """Find the peak of a texture's channel r and leave it in `buffer`. NaN and infinity are left out.

        The texture is of `shape`. If your shader has stored into it, issue a texture fetch barrier before. `next_use`
        of the buffer and `profiler` are as for `glfft.Plan.forward`. Raises TextureError where the texture has another
        kind or size, OptionError where `next_use` is not allowed.
        """
        self._check_alive()
        check_texture(texture, "texture", self.shape, self.ctx)
        last_barrier = barrier_before(next_use, buffer=True)
        use_texture(texture, self._unit)
        self._found_parts.bind_to_storage_buffer(PARTS_BUFFER_BINDING)
        with timed(profiler, "search", bytes_of(texture)):
            self._search.run(self._parts)
        self.ctx.memory_barrier(SHADER_STORAGE_BARRIER)
        self.buffer.bind_to_storage_buffer(PEAK_BUFFER_BINDING)
        with timed(profiler, "refinement"):
            self._refine.run()
        self.ctx.memory_barrier(last_barrier)
        self._has_run = True

    def read(self) -> Peak:
        """The last run's peak; waits for the GPU. Raises OptionError without a run, DataError where none is finite."""
        self._check_alive()
        if not self._has_run:
            raise OptionError("There is no peak yet: call run before read.")
        # A buffer that is read back may be moved to slow memory, and this one is used again.
        self.ctx.memory_barrier(barrier_before("read", buffer=True))
        self.ctx.copy_buffer(self._read, self.buffer)
        *peak, found = np.frombuffer(self._read.read(), np.float32).tolist()
        if not found:
            raise DataError("The texture has no finite number; a NaN or infinity may be in what it was made from.")
        return Peak(*peak)
