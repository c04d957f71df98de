"""A pass compiled for a context: what a dispatch binds, and the samplers that its fetches go through."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import moderngl

from glfft.algorithms.pass_bindings import ImageBinding, Place, TableBinding
from glfft.algorithms.passes import PassSpec
from glfft.engine import twiddles
from glfft.engine.images import Image
from glfft.gl import bindings, programs
from glfft.gl.context import state_of
from glfft.gl.functions import check_errors
from glfft.gl.textures import Texture, buffer_textures, is_swizzled


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
        self._first_group: Any = self.program.get("glfft_first_group", None)  # compilers leave it out for one group
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
        across, *others = self._bindings.groups
        if self.spec.slots is None:
            self.program.run(across, *others)
            return
        for first in range(0, across, self.spec.slots.groups):
            if first:
                self.ctx.memory_barrier(self._bindings.barrier)
            if self._first_group is not None:
                self._first_group.value = first
            self.program.run(min(self.spec.slots.groups, across - first), *others)


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
    """What binds the buffer in place of shared memory: one for all passes in a context, as large as any has needed."""
    if spec.slots is None:
        return lambda: None
    (written, read), needed, views = spec.bindings.slots, spec.slots.bytes, buffer_textures(ctx)
    held: dict[str, moderngl.Buffer] = state_of(ctx).cache("slots", dict)

    def bind() -> None:
        buffer = held.get("buffer")
        if buffer is None or buffer.size < needed:
            smaller, buffer = buffer, ctx.buffer(reserve=needed)
            check_errors(ctx, f"making a buffer of {needed} bytes")
            held["buffer"] = buffer
            if smaller is not None:
                smaller.release()
        buffer.bind_to_storage_buffer(written.index)
        views.use_as_image(buffer, read.storage.components, read.index)

    bind()  # so that no plan is made without the memory
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
