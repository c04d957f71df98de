"""One dispatch as data: `AxisRequest` is what an algorithm is asked for, `PassSpec` is its answer. Nothing is run here,
see `glfft.engine.compiled_pass`.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property

from glfft.algorithms.line_layout import LineLayout, Points, half_shape
from glfft.algorithms.storage import Access, Storage
from glfft.gl import bindings, source
from glfft.gl.device import Device

# The constant of shaders that can take their work groups in either order.
BACKWARDS = "BACKWARDS"

# The constant AXIS of shaders, by the direction of lines.
_AXES = {"x": 1, "y": 0, "z": -1}

# What lines are called, by their direction.
LINE_NAMES = {"x": "rows", "y": "columns", "z": "lines along z"}


def along(axis: int, rank: int) -> str:
    """The direction of an axis of a picture (rank 2) or a volume (rank 3): "x", "y" or "z"."""
    return "xyz"[rank - 1 - axis]


@dataclass(frozen=True)
class FourStepPart:
    """One of the two passes that together transform lines too long for a work group, see fft/four_step.glsl.

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
    """What an algorithm is asked for: the transforms of all lines along one axis of a picture or a volume.

    Attributes:
        shape: rows, columns of a layer; of a volume depth, rows, columns.
        axis: of the shape, along which the lines run.
        direction: -1 forward, exp(-2 pi i jk/N); +1 inverse.
        scale: factor on the result.
        computed_twiddles: sine and cosine in the shader instead of a table.
        layers: pictures transformed at once, or None where the textures have no layers.
        storage: what a texel is.
        device: where it will run.
        algorithm: the name that was asked for.
        part: which part of its lines is transformed, or None for whole lines.
        real_pairs: the lines are real on the side that is not their spectrum, and two may go as one complex line.
        picture: the plan's shape, where `shape` is that of a Hermitian half; else None.
        inverse_scale: where the transform is to be followed by a product and the inverse transform, the factor on the
            result of that; else None.
    """

    shape: tuple[int, ...]
    axis: int
    direction: int
    scale: float
    computed_twiddles: bool
    layers: int | None
    storage: Storage
    device: Device
    algorithm: str = "auto"
    part: FourStepPart | None = None
    real_pairs: bool = False
    picture: tuple[int, ...] | None = None
    inverse_scale: float | None = None

    @property
    def length(self) -> int:
        """Points in a line, or in the part of one."""
        return self.shape[self.axis] if self.part is None else self.part.length

    @property
    def points(self) -> int:
        """Points of the whole picture, all layers together."""
        return math.prod(self.shape) * (self.layers or 1)

    @property
    def is_volume(self) -> bool:
        """Whether a layer has three axes."""
        return len(self.shape) == 3

    @property
    def along(self) -> str:
        """The direction of its lines: "x", "y" or "z"."""
        return along(self.axis, len(self.shape))

    @property
    def measured_axis(self) -> int:
        """The axis of pictures whose measured kernels suit: parts of a line lie side by side in memory, as columns do,
        and so do the lines along z.
        """
        return 1 if self.along == "x" and self.part is None else 0

    @property
    def line_name(self) -> str:
        """What its lines are called."""
        name = LINE_NAMES[self.along]
        return name if self.part is None else f"parts of {name}"

    @property
    def lines(self) -> int:
        """Lines in a layer, each part of one counted."""
        return math.prod(self.shape) // self.shape[self.axis] * (1 if self.part is None else self.part.count)

    @property
    def plain(self) -> AxisRequest:
        """The forward transform of the same lines, without scaling or whatever else a plan makes of its passes.

        Kernels are measured by it: which of the passes along the same lines is taken makes little difference, and one
        measurement is to serve both directions.
        """
        return replace(self, direction=-1, scale=1.0, real_pairs=False, picture=None, inverse_scale=None)


@dataclass(frozen=True)
class Choice:
    """What was chosen for a pass where there was a choice.

    Attributes:
        family: name of the algorithm.
        config: which of its kernels, in its own terms.
        why: why this one, in a few words.
    """

    family: str
    config: Hashable
    why: str = ""


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
        chirp: of Bluestein's transform, what its tables are made for: length, direction, and length of the convolution.
        sampled_twiddles: that table is a texture instead of a buffer.
        prefers_image_loads: read a texture as an image, where its swizzle and the snippets allow it.
        shared_bytes: shared memory a work group.
        barriers: synchronisations within a work group.
        snippets: texts of the caller's the shader includes, by path.
        choice: what was chosen, where there was a choice; tuning measures such passes.
        stores_where_it_loads: each line's points, once all are loaded, so that source and target may be one.
        reads, writes: what its images hold of the lines.
    """

    shader: str
    request: AxisRequest
    defines: tuple[tuple[str, source.Define], ...]
    groups: tuple[int, int, int]
    threads: int
    generated: tuple[tuple[str, str], ...] = ()
    uniforms: tuple[tuple[str, int | float], ...] = ()
    radices: tuple[int, ...] = ()
    table: tuple[int, ...] = ()
    chirp: tuple[int, int, int] | None = None
    sampled_twiddles: bool = False
    prefers_image_loads: bool = False
    shared_bytes: int = 0
    barriers: int = 0
    snippets: tuple[tuple[str, str], ...] = ()
    choice: Choice | None = None
    stores_where_it_loads: bool = False
    reads: Points = Points.COMPLEX
    writes: Points = Points.COMPLEX

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
    def fetching(self) -> PassSpec:
        """The same with fetches in place of image loads."""
        return replace(self, prefers_image_loads=False)

    @property
    def access(self) -> Access:
        """How it reads its source."""
        if self.request.storage.buffer:
            return Access.BUFFER
        return Access.IMAGE_LOAD if self.prefers_image_loads else Access.FETCH

    @property
    def keeps_places(self) -> bool:
        """Whether it can work in place, the caller's snippets included."""
        moves = any(path in ("generated/load.glsl", "generated/store.glsl") for path, _ in self.snippets)
        return self.stores_where_it_loads and self.reads is self.writes is Points.COMPLEX and not moves

    @property
    def source_lines(self) -> LineLayout:
        """The lines it reads."""
        return self._lines(self.reads)

    @property
    def target_lines(self) -> LineLayout:
        """The lines it writes."""
        return self._lines(self.writes)

    def _lines(self, points: Points) -> LineLayout:
        request = self.request
        shape = half_shape(request.shape, request.axis) if points is Points.HERMITIAN else request.shape
        return LineLayout(shape, request.axis, request.shape[request.axis], points)

    @property
    def bytes_moved(self) -> int:
        """Bytes of picture read and written (twiddles, which stay in cache, not counted)."""
        moved = 0
        for lines in (self.source_lines, self.target_lines):
            moved += self.request.storage.of(lines.points).texel_bytes * lines.stored * lines.count
        return moved * (self.request.layers or 1)

    @cached_property
    def source(self) -> source.Source:
        """The final shader text."""
        request = self.request
        picture = request.picture or request.shape
        reads, writes = self.source_lines, self.target_lines
        constants: dict[str, source.Define] = {
            **dict(self.defines),
            "AXIS": _AXES[request.along],
            "LINE_POINTS": reads.length,
            "ROWS": picture[-2],
            "COLUMNS": picture[-1],
            "LAYERS": request.layers or 1,
            "LAYERED": request.layers is not None,
            "SOURCE_ROWS": reads.shape[-2],
            "SOURCE_COLUMNS": reads.shape[-1],
            "TARGET_ROWS": writes.shape[-2],
            "TARGET_COLUMNS": writes.shape[-1],
            "READS_REAL": reads.points is Points.REAL,
            "READS_HERMITIAN": reads.points is Points.HERMITIAN,
            "WRITES_REAL": writes.points is Points.REAL,
            "WRITES_HERMITIAN": writes.points is Points.HERMITIAN,
            "PAIRED": request.storage.paired,
            "HALF_PRECISION": request.storage.dtype == "f2",
            "TWIDDLES_COMPUTED": request.computed_twiddles,
            "TWIDDLES_SAMPLED": self.sampled_twiddles,
            "TWIDDLE_UNIT": bindings.twiddle_texture_unit(request.device.limits),
            "TWIDDLE_BINDING": bindings.TWIDDLE_BUFFER_BINDING,
            "SOURCE_UNIT": self._source_unit,
            "TARGET_UNIT": bindings.TARGET_BUFFER_BINDING if request.storage.buffer else bindings.TARGET_IMAGE_UNIT,
            "IMAGE_LOADS": self.access is Access.IMAGE_LOAD,
        }
        if request.is_volume:
            constants |= {"DEPTH": picture[0], "SOURCE_DEPTH": reads.shape[0], "TARGET_DEPTH": writes.shape[0]}
        if self.access is Access.IMAGE_LOAD:
            constants["SOURCE_FORMAT"] = request.storage.of(reads.points).name
        generated = {
            "generated/storage.glsl": f'#include "{self._storage_shader}"\n',
            "generated/load.glsl": '#include "snippets/load.glsl"\n',
            "generated/store.glsl": '#include "snippets/store.glsl"\n',
            **dict(self.generated),
            **dict(self.snippets),
        }
        return source.assemble(self.shader, constants, generated, request.storage.double)

    @property
    def _storage_shader(self) -> str:
        request = self.request
        return request.storage.shader(layered=request.layers is not None, volumes=request.is_volume)

    @property
    def _source_unit(self) -> int:
        if self.access is Access.BUFFER:
            return bindings.SOURCE_BUFFER_BINDING
        if self.access is Access.IMAGE_LOAD:
            return bindings.SOURCE_IMAGE_UNIT
        return bindings.source_texture_unit(self.request.device.limits)
