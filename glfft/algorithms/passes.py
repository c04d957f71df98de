"""One dispatch as data: `AxisRequest` is what an algorithm is asked for, `PassSpec` is its answer. Nothing is run here,
see `glfft.engine.compiled_pass`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from glfft.algorithms.storage import Storage
from glfft.gl.barriers import SHADER_IMAGE_ACCESS_BARRIER, SHADER_STORAGE_BARRIER, TEXTURE_FETCH_BARRIER
from glfft.gl.device import Limits
from glfft.gl.source import Define, Source, assemble

# The highest image unit every OpenGL 4.3 device has (MAX_IMAGE_UNITS is at least 8): out of the way of the caller's.
TARGET_IMAGE_UNIT = 7
SOURCE_IMAGE_UNIT = 6
# The highest three buffer bindings every OpenGL 4.3 device has (MAX_SHADER_STORAGE_BUFFER_BINDINGS is at least 8).
TWIDDLE_BUFFER_BINDING = 5
SOURCE_BUFFER_BINDING = 6
TARGET_BUFFER_BINDING = 7

# The constant of shaders that can take their work groups in either order.
BACKWARDS = "BACKWARDS"


@dataclass(frozen=True)
class Part:
    """One of the two passes that together transform long lines, see fft/parts.glsl.

    Attributes:
        length: points of a part.
        count: parts a line.
        first: the pass over parts with points `count` apart, before the one over contiguous parts.
    """

    length: int
    count: int
    first: bool


@dataclass(frozen=True)
class AxisRequest:
    """What an algorithm is asked for: the transforms of all lines along one axis of a picture.

    Attributes:
        shape: rows, columns of a layer.
        axis: 1 transforms rows (along x), 0 columns (along y).
        direction: -1 forward, exp(-2 pi i jk/N); +1 inverse.
        scale: factor on the result.
        computed_twiddles: sine and cosine in the shader instead of a table.
        layers: pictures transformed at once, or None where the textures have no layers.
        storage: what a texel is.
        limits: of the device.
        renderer, driver: the device's name and its driver's, by which measured choices are looked up.
        part: which part of its lines is transformed, or None for whole lines.
        real_pairs: the lines are real on the side that is not their spectrum, and two may go as one complex line.
        picture: rows, columns of the plan, where `shape` is the half spectrum of a real picture; else None.
        back_scale: where the transform is to be followed by a product and the inverse transform, the factor on the
            result of that; else None.
    """

    shape: tuple[int, int]
    axis: int
    direction: int
    scale: float
    computed_twiddles: bool
    layers: int | None
    storage: Storage
    limits: Limits
    renderer: str = ""
    driver: str = ""
    part: Part | None = None
    real_pairs: bool = False
    picture: tuple[int, int] | None = None
    back_scale: float | None = None

    @property
    def length(self) -> int:
        """Points in a line, or in the part of one."""
        return self.shape[self.axis] if self.part is None else self.part.length

    @property
    def points(self) -> int:
        """Points of the whole picture, all layers together."""
        return self.shape[0] * self.shape[1] * (self.layers or 1)

    @property
    def measured_axis(self) -> int:
        """The axis whose measured kernels suit: parts of a line lie side by side in memory, as columns do."""
        return self.axis if self.part is None else 0

    @property
    def line_name(self) -> str:
        """What its lines are called."""
        name = "rows" if self.axis == 1 else "columns"
        return name if self.part is None else f"parts of {name}"

    @property
    def lines(self) -> int:
        """Lines in a layer, each part of one counted."""
        return self.shape[1 - self.axis] * (1 if self.part is None else self.part.count)


@dataclass(frozen=True)
class PassSpec:
    """One dispatch, described.

    Attributes:
        shader: entry point below shaders/.
        request: the axis it works on.
        defines: constants of the shader.
        groups: work groups in x, y, z.
        threads: invocations a work group.
        generated: Python-made texts the shader includes, by path.
        uniforms: values set before each dispatch, where one program serves several passes.
        radices: of the stages done in this dispatch, in order.
        table: radices of the twiddle table it reads, where it is not that of `radices`.
        sampled_twiddles: that table is a texture instead of a buffer.
        image_loads: the source is a texture read as an image instead of through a texture unit.
        shared_bytes: shared memory a work group.
        barriers: synchronisations within a work group.
        snippets: texts of the caller's the shader includes, by path.
        why: why it is cut this way, where there was a choice.
        stores_where_it_loads: each line's points, once all are loaded, so that source and target may be one.
        reads, writes: what its carriers hold: "complex" numbers, "real" ones, or the "half" spectrum of a real line.
    """

    shader: str
    request: AxisRequest
    defines: tuple[tuple[str, Define], ...]
    groups: tuple[int, int, int]
    threads: int
    generated: tuple[tuple[str, str], ...] = ()
    uniforms: tuple[tuple[str, int | float], ...] = ()
    radices: tuple[int, ...] = ()
    table: tuple[int, ...] = ()
    sampled_twiddles: bool = False
    image_loads: bool = False
    shared_bytes: int = 0
    barriers: int = 0
    snippets: tuple[tuple[str, str], ...] = ()
    why: str = ""
    stores_where_it_loads: bool = False
    reads: str = "complex"
    writes: str = "complex"

    @property
    def backwards(self) -> PassSpec:
        """The same with its work groups in the opposite order, if its shader has a choice, else as it is.

        GPUs run them in order. A pass that begins where the one before has ended finds some of what that has stored
        still in the cache.
        """
        return replace(
            self, defines=tuple((name, "true" if name == BACKWARDS else each) for name, each in self.defines)
        )

    @property
    def keeps_places(self) -> bool:
        """Whether it can work in place, the caller's snippets included."""
        moves = any(path in ("generated/load.glsl", "generated/store.glsl") for path, _ in self.snippets)
        return self.stores_where_it_loads and self.reads == self.writes == "complex" and not moves

    @property
    def source_shape(self) -> tuple[int, int]:
        """Rows, columns of a layer of what it reads."""
        return self._shape(self.reads)

    @property
    def target_shape(self) -> tuple[int, int]:
        """Rows, columns of a layer of what it writes."""
        return self._shape(self.writes)

    @property
    def read_barrier(self) -> int:
        """The glMemoryBarrier bits that let it see what a pass before it stored."""
        if self.request.storage.buffer:
            return SHADER_STORAGE_BARRIER
        return SHADER_IMAGE_ACCESS_BARRIER if self.image_loads else TEXTURE_FETCH_BARRIER

    def _shape(self, kind: str) -> tuple[int, int]:
        return half_shape(self.request.shape, self.request.axis) if kind == "half" else self.request.shape

    @property
    def bytes_moved(self) -> int:
        """Bytes of picture read and written (twiddles, which stay in cache, not counted)."""
        moved = 0
        for kind, (rows, columns) in ((self.reads, self.source_shape), (self.writes, self.target_shape)):
            storage = self.request.storage.of_reals if kind == "real" else self.request.storage
            moved += storage.texel_bytes * rows * columns
        return moved * (self.request.layers or 1)

    @cached_property
    def source(self) -> Source:
        """The final shader text."""
        request = self.request
        picture = request.picture or request.shape
        constants: dict[str, Define] = {
            **dict(self.defines),
            "AXIS": request.axis,
            "LINE_POINTS": request.shape[request.axis],
            "ROWS": picture[0],
            "COLUMNS": picture[1],
            "LAYERS": request.layers or 1,
            "LAYERED": request.layers is not None,
            "SOURCE_ROWS": self.source_shape[0],
            "SOURCE_COLUMNS": self.source_shape[1],
            "TARGET_ROWS": self.target_shape[0],
            "TARGET_COLUMNS": self.target_shape[1],
            "READS_REAL": self.reads == "real",
            "READS_HALF": self.reads == "half",
            "WRITES_REAL": self.writes == "real",
            "WRITES_HALF": self.writes == "half",
            "PAIRED": request.storage.paired,
            "HALF_PRECISION": request.storage.dtype == "f2",
            "TWIDDLES_COMPUTED": request.computed_twiddles,
            "TWIDDLES_SAMPLED": self.sampled_twiddles,
            "TWIDDLE_UNIT": twiddle_unit(request.limits),
            "TWIDDLE_BINDING": TWIDDLE_BUFFER_BINDING,
            "SOURCE_UNIT": self._source_unit,
            "TARGET_UNIT": TARGET_BUFFER_BINDING if request.storage.buffer else TARGET_IMAGE_UNIT,
            "IMAGE_LOADS": self.image_loads,
        }
        if self.image_loads:
            constants["SOURCE_FORMAT"] = (request.storage.of_reals if self.reads == "real" else request.storage).name
        generated = {
            "generated/storage.glsl": f'#include "{request.storage.shader(request.layers is not None)}"\n',
            "generated/load.glsl": '#include "snippets/load.glsl"\n',
            "generated/store.glsl": '#include "snippets/store.glsl"\n',
            **dict(self.generated),
            **dict(self.snippets),
        }
        return assemble(self.shader, constants, generated)

    @property
    def _source_unit(self) -> int:
        if self.request.storage.buffer:
            return SOURCE_BUFFER_BINDING
        return SOURCE_IMAGE_UNIT if self.image_loads else source_unit(self.request.limits)


def half_shape(shape: tuple[int, int], axis: int) -> tuple[int, int]:
    """Rows, columns of the half of a real picture's spectrum that is kept, where `axis` is the one halved."""
    kept = shape[axis] // 2 + 1 if shape[axis] > 1 else 1
    return (shape[0], kept) if axis == 1 else (kept, shape[1])


def source_unit(limits: Limits) -> int:
    """Texture unit a pass reads from: near the top, since moderngl itself uses the last one for uploads."""
    return limits.texture_units - 2


def twiddle_unit(limits: Limits) -> int:
    """Texture unit of a twiddle table that is a texture."""
    return limits.texture_units - 3
