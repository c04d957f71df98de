"""One dispatch as data: `AxisRequest` is what an algorithm is asked for, `PassSpec` is its answer. Nothing is run here,
see `glfft.engine.compiled_pass`.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from glfft.algorithms.kinds import Kind
from glfft.algorithms.lengths import product
from glfft.algorithms.line_layout import LineLayout, Points, half_shape
from glfft.algorithms.pass_bindings import (
    PassBindings,
    UniformValue,
    bindings_between_stages,
    pass_bindings,
    source_binding,
    table_binding,
    target_binding,
)
from glfft.algorithms.storage import STORAGES, Access, Storage
from glfft.algorithms.tables import Roots, Table
from glfft.gl import source
from glfft.gl.bindings import TWIDDLE_BUFFER_BINDING
from glfft.gl.device import Device

# The constant of shaders that can take their work groups in either order.
BACKWARDS = "BACKWARDS"

# The constant AXIS of shaders, by the direction of lines.
_AXES = {"x": 1, "y": 0, "z": -1}

# A larger buffer whose lines are not its rows is read as shader storage: from 134 MB, an NVIDIA H200 takes longer to
# fetch points that lie far apart, and loses more by it than by the barriers.
_MOST_FETCHED_BYTES = 1 << 26

# What lines are called, by their direction.
LINE_NAMES = {"x": "rows", "y": "columns", "z": "lines along z"}


def along(axis: int, rank: int) -> str:
    """The direction of an axis of a picture (rank 2) or a volume (rank 3): "x", "y" or "z"."""
    return "xyz"[rank - 1 - axis]


@dataclass(frozen=True)
class FourStepPart:
    """One of the passes that together transform lines too long for a work group, see fft/four_step.glsl.

    Attributes:
        length: points of a part.
        before: the lengths of the parts in the passes before, in order.
        after: the product of the lengths in the passes after; so far apart are the points of a part.
    """

    length: int
    before: tuple[int, ...]
    after: int

    @property
    def count(self) -> int:
        """Parts a line."""
        return product(self.before) * self.after

    @property
    def last(self) -> bool:
        """Whether it is the pass over contiguous parts, which puts its outputs in order."""
        return self.after == 1


@dataclass(frozen=True)
class PaddedLines:
    """What a pass over longer lines in a scratch buffer has to do with the lines they are for.

    There, the lines of all layers come one after the other, as many of them as the buffer is made for.

    Attributes:
        whole: what was asked for.
        first: the number of the first line that is in the buffer.
        enters: the pass reads the lines of the picture, and multiplies them by the chirp.
        leaves: the pass writes their transform, multiplied by the chirp.
    """

    whole: AxisRequest
    first: int
    enters: bool = False
    leaves: bool = False


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
        padded: where its lines are longer ones in a scratch buffer, what they are for; else None.
        kind: a cosine or sine transform of real lines instead of a Fourier transform; else None.
        orthogonal: with its end points scaled so that it is orthogonal but for a factor.
        loads_computed: what it loads is computed by a snippet of the caller's.
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
    padded: PaddedLines | None = None
    kind: Kind | None = None
    orthogonal: bool = False
    loads_computed: bool = False

    @property
    def length(self) -> int:
        """Points of a transform: of a line, of the part of one, or of the complex line that real ones go as."""
        points = self.shape[self.axis]
        if self.kind is not None:
            return self.kind.complex_length(points)
        return points if self.part is None else self.part.length

    @property
    def complex_lines(self) -> AxisRequest:
        """Of a cosine or sine transform: the forward transforms of the complex lines that its real lines go as, with
        those of a volume that go in pairs side by side.
        """
        axis, shape = self.axis, (*self.shape[: self.axis], self.length, *self.shape[self.axis + 1 :])
        if self.real_pairs:
            axis, pairs = self.measured_axis, -(-self.lines // 2)
            shape = (pairs, self.length) if axis == 1 else (self.length, pairs)
        changes = {"shape": shape, "axis": axis, "kind": None, "orthogonal": False, "real_pairs": False}
        return replace(self, direction=-1, scale=1.0, picture=None, **changes)  # pyright: ignore[reportArgumentType]

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
        name = LINE_NAMES[self.whole.along]
        if self.padded is not None:
            name = f"padded {name}"
        return name if self.part is None else f"parts of {name}"

    @property
    def whole(self) -> AxisRequest:
        """The request that it is a part of, if there is one, for the lines of a picture."""
        return self if self.padded is None else self.padded.whole

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
        request = replace(self, loads_computed=False)
        if self.kind is not None:
            return replace(request, real_pairs=False).complex_lines
        return replace(
            request, direction=-1, scale=1.0, real_pairs=False, picture=None, inverse_scale=None, padded=None
        )


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
        tables: what it reads behind that table.
        sampled_twiddles: that table is a texture instead of a buffer.
        prefers_image_loads: read a texture as an image, where its swizzle and the snippets allow it.
        shared_bytes: shared memory a work group.
        barriers: synchronisations within a work group.
        snippets: texts of the caller's the shader includes, by path.
        choice: what was chosen, where there was a choice; tuning measures such passes.
        stores_where_it_loads: each line's points, once all are loaded, so that source and target may be one.
        reads, writes: what its images hold of the lines.
        ping_pong: its stages load from one of two images and store to the other, see fft/ping_pong.glsl.
    """

    shader: str
    request: AxisRequest
    defines: tuple[tuple[str, source.Define], ...]
    groups: tuple[int, int, int]
    threads: int
    generated: tuple[tuple[str, str], ...] = ()
    uniforms: tuple[tuple[str, UniformValue], ...] = ()
    radices: tuple[int, ...] = ()
    table: tuple[int, ...] = ()
    tables: tuple[Table, ...] = ()
    sampled_twiddles: bool = False
    prefers_image_loads: bool = False
    shared_bytes: int = 0
    barriers: int = 0
    snippets: tuple[tuple[str, str], ...] = ()
    choice: Choice | None = None
    stores_where_it_loads: bool = False
    reads: Points = Points.COMPLEX
    writes: Points = Points.COMPLEX
    ping_pong: bool = False

    @property
    def backwards(self) -> PassSpec:
        """The same with its work groups in the opposite order, if its shader has a choice, else as it is.

        GPUs run them in order. A pass that begins where the one before has ended finds some of what that has stored
        still in the cache.
        """
        return replace(self, defines=tuple((name, True if name == BACKWARDS else each) for name, each in self.defines))

    @property
    def fetching(self) -> PassSpec:
        """The same with fetches in place of image loads."""
        return replace(self, prefers_image_loads=False)

    @property
    def tables_read(self) -> tuple[tuple[int, ...], tuple[Table, ...]]:
        """What its table of twiddle factors has: the radices of stages, and what is behind them."""
        if not self.request.computed_twiddles:
            return self.table or self.radices, self.tables
        # Roots of unity are computed too. A chirp is not: float32 does not hold n^2.
        return (), tuple(table for table in self.tables if not isinstance(table, Roots))

    @cached_property
    def access(self) -> Access:
        """How it reads its source."""
        if self.source_storage.buffer:
            return Access.BUFFER_FETCH if self.fetches_buffer else Access.BUFFER
        return Access.IMAGE_LOAD if self.prefers_image_loads else Access.FETCH

    @cached_property
    def bindings(self) -> PassBindings:
        """All that its dispatch needs beside its program."""
        request, limits = self.request, self.request.device.limits
        return pass_bindings(
            source_binding(self.access, self.source_storage, limits),
            target_binding(self.target_storage),
            bindings_between_stages(self.ping_pong_storage) if self.ping_pong else (),
            table_binding(self.sampled_twiddles, *self.tables_read, request.storage.double, limits),
            self.uniforms,
            self.groups,
            in_scratch=request.padded is not None,
        )

    @property
    def fetches_buffer(self) -> bool:
        """Whether it fetches from a buffer rather than reads it as shader storage."""
        device, owner = self.request.device, self._owner(self.reads)
        texels = math.prod(self.source_lines.shape) * (owner.layers or 1)
        if self.request.measured_axis == 0 and texels * self.source_storage.texel_bytes > _MOST_FETCHED_BYTES:
            return False
        # No texel holds float64.
        return device.fetches_buffers and texels <= device.limits.buffer_texels and not self.source_storage.double

    @property
    def keeps_places(self) -> bool:
        """Whether it can work in place, the caller's snippets included."""
        return keep_places([self])

    @property
    def ping_pong_storage(self) -> Storage:
        """What a texel is of the two images between stages."""
        return STORAGES["rgba32f" if self.request.storage.paired else "rg32f"]

    @property
    def ping_pongs_in_target(self) -> bool:
        """Whether the first of the two images is its target: one that keeps every point as the stages leave it."""
        stores_elsewhere = "generated/store.glsl" in dict(self.snippets)
        return self.target_storage == self.ping_pong_storage and self.writes is Points.COMPLEX and not stores_elsewhere

    @property
    def source_lines(self) -> LineLayout:
        """The lines it reads."""
        return self._lines(self.reads)

    @property
    def target_lines(self) -> LineLayout:
        """The lines it writes."""
        return self._lines(self.writes)

    @property
    def source_storage(self) -> Storage:
        """What a texel of its source is."""
        return self._owner(self.reads).storage.of(self.reads)

    @property
    def target_storage(self) -> Storage:
        """What a texel of its target is."""
        return self._owner(self.writes).storage.of(self.writes)

    def _owner(self, points: Points) -> AxisRequest:
        """The request that says how an image of such points is made."""
        if points is Points.CARRIED:
            return self.request.complex_lines
        return self.request if points is Points.PADDED else self.request.whole

    def _lines(self, points: Points) -> LineLayout:
        request = self._owner(points)
        shape = half_shape(request.shape, request.axis) if points is Points.HERMITIAN else request.shape
        return LineLayout(shape, request.axis, request.shape[request.axis], points)

    @property
    def bytes_moved(self) -> int:
        """Bytes of picture read and written, with those between stages on two images (twiddles, which stay in cache,
        not counted).
        """
        moved = 2 * (len(self.radices) - 1) * self._ping_pong_bytes if self.ping_pong else 0
        for lines, storage in (
            (self.source_lines, self.source_storage),
            (self.target_lines, self.target_storage),
        ):
            moved += storage.texel_bytes * lines.stored * self._line_count(lines)
        return moved

    @property
    def _ping_pong_bytes(self) -> int:
        """Bytes of one of the two images between stages."""
        return self.request.points * self.ping_pong_storage.texel_bytes

    def _line_count(self, lines: LineLayout) -> int:
        """How many of its lines a pass reads or writes, in all layers."""
        padded = self.request.padded
        if padded is None:
            return lines.count * (self.request.layers or 1)
        whole = padded.whole.lines * (padded.whole.layers or 1)
        return min(self.request.shape[1 - self.request.axis], whole - padded.first)

    @cached_property
    def source(self) -> source.Source:
        """The final shader text."""
        return source.assemble(self.shader, self.constants, self._included, self.request.storage.double)

    @property
    def constants(self) -> dict[str, source.Define]:
        """All constants that its text may name; it has those that it does name."""
        request = self.request
        whole = request.whole
        # Where both ends are in scratch, the lines are those there.
        lines = request if self.reads is self.writes is Points.PADDED else whole
        picture = whole.picture or whole.shape
        layered = whole.layers is not None
        reads, writes = self.source_lines, self.target_lines
        bound = self.bindings
        source_in_buffer, target_in_buffer = self.source_storage.buffer, self.target_storage.buffer
        kind = "3D" if whole.is_volume else "2DArray" if layered else "2D"
        snippets = dict(self.snippets)
        constants: dict[str, source.Define] = {
            "value": "vec4" if request.storage.paired else "vec2",
            "line_point": "value",
            **dict(self.defines),
            "COMPLEX_PAIRS": request.storage.paired or "vec4" in dict(self.defines).values() or bool(snippets),
            "AXIS": _AXES[lines.along],
            "LINE_POINTS": whole.shape[whole.axis],
            "ROWS": picture[-2],
            "COLUMNS": picture[-1],
            "LAYERS": whole.layers or 1,
            "LAYERED": layered,
            "SOURCE_ROWS": reads.shape[-2],
            "SOURCE_COLUMNS": reads.shape[-1],
            "TARGET_ROWS": writes.shape[-2],
            "TARGET_COLUMNS": writes.shape[-1],
            "READS_REAL": reads.points is Points.REAL,
            "READS_HERMITIAN": reads.points is Points.HERMITIAN,
            "WRITES_REAL": writes.points is Points.REAL,
            "WRITES_HERMITIAN": writes.points is Points.HERMITIAN,
            "PAIRED": request.storage.paired,
            "HALF_PRECISION": self.target_storage.dtype == "f2",
            "CHIRPS": bool(self.tables_read[1]),
            "TWIDDLES_COMPUTED": request.computed_twiddles,
            "TWIDDLES_SAMPLED": self.sampled_twiddles,
            "TWIDDLE_UNIT": TWIDDLE_BUFFER_BINDING if bound.table is None else bound.table.index,
            "SOURCE_IN_BUFFER": source_in_buffer,
            "TARGET_IN_BUFFER": target_in_buffer,
            "FETCHES_BUFFER": self.access is Access.BUFFER_FETCH,
            "IMAGE_LOADS": self.access is Access.IMAGE_LOAD,
            "SOURCE_TYPE": f"{'image' if self.access is Access.IMAGE_LOAD else 'sampler'}{kind}",
            "TARGET_TYPE": f"image{kind}",
            "SOURCE_UNIT": bound.source.index,
            "TARGET_UNIT": bound.target.index,
            "SNIPPETS": bool(snippets),
            "LOAD_SNIPPET": "generated/load.glsl" in snippets,
            "STORE_SNIPPET": "generated/store.glsl" in {**dict(self.generated), **snippets},
        }
        if lines.is_volume:
            # A scratch buffer has no planes.
            depths = (each.shape[0] if len(each.shape) == 3 else picture[0] for each in (reads, writes))
            constants |= {"DEPTH": picture[0], **dict(zip(("SOURCE_DEPTH", "TARGET_DEPTH"), depths, strict=True))}
            constants["LINES_ACROSS"] = lines.shape[-2 if lines.along == "x" else -1]
        if self.ping_pong:
            constants |= {
                "PING_PONG_FORMAT": self.ping_pong_storage.name,
                "PING_PONG_UNIT": bound.between[0].index,
            }
        if self.access is Access.IMAGE_LOAD:
            constants["SOURCE_FORMAT"] = self.source_storage.name
        return constants

    @property
    def _included(self) -> dict[str, str]:
        """The texts that the shader includes and that are in no file, by path."""
        ends = dict.fromkeys((self.source_storage.shader, self.target_storage.shader))
        storage = "".join(f'#include "{path}"\n' for path in ends)
        return {"generated/storage.glsl": storage, **dict(self.generated), **dict(self.snippets)}


def steps(specs: Sequence[PassSpec]) -> list[list[PassSpec]]:
    """Passes in order, divided where an image has been written whole: those over padded lines, of which there may be a
    few at a time in scratch, are one step.
    """
    found: list[list[PassSpec]] = []
    for spec in specs:
        padded = spec.request.padded
        if padded is None or (padded.enters and padded.first == 0):
            found.append([])
        found[-1].append(spec)
    return found


def readers(step: Sequence[PassSpec]) -> list[PassSpec]:
    """The passes of a step that read its source."""
    return [spec for spec in step if spec.reads is not Points.PADDED]


def writers(step: Sequence[PassSpec]) -> list[PassSpec]:
    """The passes of a step that write its target."""
    return [spec for spec in step if spec.writes is not Points.PADDED]


def keep_places(step: Sequence[PassSpec]) -> bool:
    """Whether a step can work in place, the caller's snippets included."""
    moves = any(path in ("generated/load.glsl", "generated/store.glsl") for spec in step for path, _ in spec.snippets)
    stays = all(spec.stores_where_it_loads for spec in step)
    alike = step[0].reads is step[-1].writes and step[0].reads in (Points.COMPLEX, Points.REAL)
    return stays and alike and not moves
