"""A pass compiled for a context: what a dispatch binds, and the samplers that its fetches go through."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import moderngl

from glfft.algorithms.pass_bindings import ImageBinding, Place, TableBinding
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.storage import STORAGES
from glfft.engine import twiddles
from glfft.engine.images import Image, ImageSpec
from glfft.gl import bindings, programs
from glfft.gl.context import state_of
from glfft.gl.textures import Texture, buffer_textures, is_swizzled

_BUFFER = STORAGES["buffer"]


class CompiledPass:
    """A compiled pass, with the program given for its text. Raises ShaderError where the driver refuses it."""

    def __init__(self, ctx: moderngl.Context, spec: PassSpec, program: moderngl.ComputeShader | None = None) -> None:
        self.ctx = ctx
        self.spec = spec
        # With snippets come uniforms of the caller's: such a program is shared with no other plan.
        compiled = programs.compute_alone if spec.snippets else programs.compute_from
        self.program: moderngl.ComputeShader = program or compiled(ctx, spec.source)
        self._bindings = bound = spec.bindings
        self._fetching: CompiledPass | None = None
        self._reads_image = bound.source.place is Place.IMAGE
        self._unit = bindings.source_texture_unit(state_of(ctx).limits)
        self._bind_source = _binder(ctx, bound.source)
        self._bind_target = _binder(ctx, bound.target)
        self._bind_between = [_binder(ctx, each) for each in bound.between]
        self._bind_table = _table_binder(ctx, bound.table)
        self._bind_slots = _slots_binder(ctx, spec)
        self._samplers = Samplers(ctx, [spec])
        # A snippet that ignores what it is given, a constant for one, may leave a uniform without a use.
        kept = set(self.program)
        self._uniforms = [(self.program[name], value) for name, value in bound.uniforms if name in kept]

    def run(self, source: Image | None, target: Image | None, ping_pong: Sequence[Image | None] = ()) -> None:
        """Dispatch: read `source`, write `target`, None where a snippet does without; `ping_pong`: the two between."""
        with self._samplers:
            self.dispatch(source, target, ping_pong)

    def dispatch(self, source: Image | None, target: Image | None, ping_pong: Sequence[Image | None] = ()) -> None:
        """Dispatch as `run` does, inside a `with` block of the `Samplers` of this pass."""
        # An image ignores a texture's swizzle.
        if self._reads_image and isinstance(source, Texture) and is_swizzled(self.ctx, source, self._unit):
            self._fetching = self._fetching or CompiledPass(self.ctx, self.spec.fetching)
            self._fetching.dispatch(source, target)
            return
        self._bind_table()
        self._bind_slots()
        for uniform, value in self._uniforms:
            uniform.value = value  # pyright: ignore[reportAttributeAccessIssue]
        if target is not None:
            self._bind_target(target)
        for bind, image in zip(self._bind_between, ping_pong, strict=True):
            bind(image)
        if source is not None:
            self._bind_source(source)
        self.program.run(*self._bindings.groups)


def _binder(ctx: moderngl.Context, binding: ImageBinding) -> Callable[[Any], object]:
    index = binding.index
    if binding.place is Place.STORAGE_BUFFER:
        return lambda buffer: buffer.bind_to_storage_buffer(index)
    if binding.place is Place.IMAGE:
        reads, writes = binding.reads, binding.writes
        return lambda texture: texture.bind_to_image(index, read=reads, write=writes)
    if binding.place is Place.BUFFER_TEXTURE:
        views, channels = buffer_textures(ctx), binding.storage.components
        return lambda buffer: views.use(buffer, channels, index)
    return lambda texture: texture.use(index)


def _table_binder(ctx: moderngl.Context, table: TableBinding | None) -> Callable[[], object]:
    if table is None:
        return lambda: None
    held = twiddles.held(ctx, table.radices, table.tables, table.double, table.place is Place.TEXTURE)
    bind = held.use if isinstance(held, moderngl.Texture) else held.bind_to_storage_buffer
    return lambda: bind(table.index)


def _slots_binder(ctx: moderngl.Context, spec: PassSpec) -> Callable[[], object]:
    if not spec.slots:
        return lambda: None
    (written, read), views = spec.bindings.slots, buffer_textures(ctx)
    held: dict[str, moderngl.Buffer] = state_of(ctx).cache("slots", dict)  # one buffer for all passes, the largest yet
    needed = spec.slots * read.storage.texel_bytes

    def bind() -> None:
        if "buffer" not in held or held["buffer"].size < needed:
            made = ImageSpec(ctx, (1, -(-needed // _BUFFER.texel_bytes)), None, _BUFFER).make()
            if "buffer" in held:
                held["buffer"].release()
            held["buffer"] = made
        held["buffer"].bind_to_storage_buffer(written.index)
        views.use_as_image(held["buffer"], read.storage.components, read.index)

    bind()  # so that a plan is not made where there is no memory
    return bind


class Samplers:
    """A sampler of our own, in a `with` block, on the units that passes fetch from, whatever their owner has left."""

    def __init__(self, ctx: moderngl.Context, specs: Iterable[PassSpec]) -> None:
        nearest = (moderngl.NEAREST, moderngl.NEAREST)
        self._sampler: moderngl.Sampler = state_of(ctx).cache("nearest sampler", lambda: ctx.sampler(filter=nearest))
        bound = [each for spec in specs for each in (spec.fetching.bindings.source, spec.bindings.table)]
        self._units = tuple({each.index for each in bound if each is not None and each.place is Place.TEXTURE})

    def __enter__(self) -> None:
        for unit in self._units:
            self._sampler.use(unit)

    def __exit__(self, *_: object) -> None:
        for unit in self._units:
            self._sampler.clear(unit)
