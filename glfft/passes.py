"""A pass: one dispatch as data. `PassSpec` is what to run, without the driver; `Pass` is it compiled for a context."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import moderngl

from glfft import gl, shaders, twiddles
from glfft.gl import Limits, state_of
from glfft.storage import Storage

Texture = moderngl.Texture | moderngl.TextureArray
Carrier = Texture | moderngl.Buffer

# The highest image unit every OpenGL 4.3 device has (MAX_IMAGE_UNITS is at least 8): out of the way of the caller's.
TARGET_IMAGE_UNIT = 7
SOURCE_IMAGE_UNIT = 6
# The highest three buffer bindings every OpenGL 4.3 device has (MAX_SHADER_STORAGE_BUFFER_BINDINGS is at least 8).
TWIDDLE_BUFFER_BINDING = 5
SOURCE_BUFFER_BINDING = 6
TARGET_BUFFER_BINDING = 7


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
        real: the lines are real on the side that is not their spectrum.
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
    real: bool = False
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
    defines: tuple[tuple[str, shaders.Define], ...]
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
            return gl.SHADER_STORAGE_BARRIER
        return gl.SHADER_IMAGE_ACCESS_BARRIER if self.image_loads else gl.TEXTURE_FETCH_BARRIER

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
    def source(self) -> shaders.Source:
        """The final shader text."""
        request = self.request
        picture = request.picture or request.shape
        constants: dict[str, shaders.Define] = {
            **dict(self.defines),
            "AXIS": request.axis,
            "LINE_POINTS": request.shape[request.axis],
            "ROWS": picture[0],
            "COLUMNS": picture[1],
            "LAYERS": request.layers or 1,
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
        return shaders.assemble(self.shader, constants, generated)

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


class Pass:
    """A compiled pass: `run` issues its dispatch, with the bindings it needs and no barrier."""

    def __init__(self, ctx: moderngl.Context, spec: PassSpec) -> None:
        self._ctx = ctx
        self.spec = spec
        # With snippets come uniforms of the caller's: such a program is shared with no other plan.
        self.program = (
            shaders.compute_alone(ctx, spec.source) if spec.snippets else shaders.compute_from(ctx, spec.source)
        )
        self._by_sampling: Pass | None = None
        self._texture_unit = source_unit(spec.request.limits)
        self._twiddle_unit = twiddle_unit(spec.request.limits)
        self._twiddle_buffer = self._twiddle_texture = None
        radices = () if spec.request.computed_twiddles else spec.table or spec.radices
        if radices and spec.sampled_twiddles:
            self._twiddle_texture = twiddles.texture(ctx, radices)
        elif radices:
            self._twiddle_buffer = twiddles.buffer(ctx, radices)
        self.samplers = samplers(ctx)
        # A snippet that ignores what it is given, a constant for one, may leave a uniform without a use.
        kept = set(self.program)
        self._uniforms = [(self.program[name], value) for name, value in spec.uniforms if name in kept]

    def run(self, source: Carrier | None, target: Carrier | None) -> None:
        """Dispatch: read `source`, write `target`; None where a snippet does without."""
        self.samplers.use()
        try:
            self.dispatch(source, target)
        finally:
            self.samplers.clear()

    def dispatch(self, source: Carrier | None, target: Carrier | None) -> None:
        """The same where `samplers` are in use already."""
        if self._must_sample(source):
            self._by_sampling = self._by_sampling or Pass(self._ctx, replace(self.spec, image_loads=False))
            self._by_sampling.dispatch(source, target)
            return
        if self._twiddle_buffer is not None:
            self._twiddle_buffer.bind_to_storage_buffer(TWIDDLE_BUFFER_BINDING)
        elif self._twiddle_texture is not None:
            self._twiddle_texture.use(self._twiddle_unit)
        for uniform, value in self._uniforms:
            uniform.value = value  # pyright: ignore[reportAttributeAccessIssue]
        if isinstance(target, moderngl.Buffer):
            target.bind_to_storage_buffer(TARGET_BUFFER_BINDING)
        elif target is not None:
            target.bind_to_image(TARGET_IMAGE_UNIT, read=False, write=True)
        if isinstance(source, moderngl.Buffer):
            source.bind_to_storage_buffer(SOURCE_BUFFER_BINDING)
        elif source is not None and self.spec.image_loads:
            source.bind_to_image(SOURCE_IMAGE_UNIT, read=True, write=False)
        elif source is not None:
            source.use(self._texture_unit)
        self.program.run(*self.spec.groups)

    def _must_sample(self, source: Carrier | None) -> bool:
        """Whether the source is swizzled and this pass would read it as an image, which shows texels as they are."""
        if not self.spec.image_loads or not isinstance(source, Texture):
            return False
        return gl.is_swizzled(self._ctx, source, self._texture_unit)


class Samplers:
    """A sampler of our own on the units passes fetch from, while they run.

    It makes any texture complete, whatever filter or mipmaps its owner has chosen, and takes the place of the sampler
    that the caller may have left there.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._sampler = ctx.sampler(filter=(moderngl.NEAREST, moderngl.NEAREST))
        limits = state_of(ctx).limits
        self._units = (source_unit(limits), twiddle_unit(limits))

    def use(self) -> None:
        """Bind it."""
        for unit in self._units:
            self._sampler.use(unit)

    def clear(self) -> None:
        """Leave no sampler there."""
        for unit in self._units:
            self._sampler.clear(unit)


def samplers(ctx: moderngl.Context) -> Samplers:
    """Those of a context."""
    return state_of(ctx).cache("nearest samplers", lambda: Samplers(ctx))
