"""A pass compiled for a context: what a dispatch binds, and the samplers that its fetches go through."""

from __future__ import annotations

from collections.abc import Sequence

import moderngl

from glfft.algorithms.passes import PassSpec
from glfft.algorithms.storage import Access
from glfft.engine import twiddles
from glfft.engine.images import Image
from glfft.gl import programs
from glfft.gl.bindings import (
    PING_PONG_IMAGE_UNITS,
    SOURCE_BUFFER_BINDING,
    SOURCE_IMAGE_UNIT,
    TARGET_BUFFER_BINDING,
    TARGET_IMAGE_UNIT,
    TWIDDLE_BUFFER_BINDING,
    source_texture_unit,
    twiddle_texture_unit,
)
from glfft.gl.buffer_textures import buffer_textures
from glfft.gl.context import state_of
from glfft.gl.textures import Texture, is_swizzled


class CompiledPass:
    """A compiled pass: `run` issues its dispatch, with the bindings it needs and no barrier.

    Args:
        ctx: the context.
        spec: the pass.
        program: of its text, where it was compiled before.

    Raises:
        ShaderError: the driver refuses its program.
    """

    def __init__(self, ctx: moderngl.Context, spec: PassSpec, program: moderngl.ComputeShader | None = None) -> None:
        self._ctx = ctx
        self.spec = spec
        # With snippets come uniforms of the caller's: such a program is shared with no other plan.
        self.program = program or (
            programs.compute_alone(ctx, spec.source) if spec.snippets else programs.compute_from(ctx, spec.source)
        )
        limits = spec.request.device.limits
        self._reads_image = spec.access is Access.IMAGE_LOAD
        self._buffer_textures = buffer_textures(ctx) if spec.access is Access.BUFFER_FETCH else None
        self._channels = spec.source_storage.components
        self._fetching: CompiledPass | None = None
        self._texture_unit = source_texture_unit(limits)
        self._twiddle_unit = twiddle_texture_unit(limits)
        self._twiddle_buffer = self._twiddle_texture = None
        radices, tables = spec.tables_read
        if radices and spec.sampled_twiddles:
            self._twiddle_texture = twiddles.texture(ctx, radices, tables)
        elif radices or tables:
            self._twiddle_buffer = twiddles.buffer(ctx, radices, tables, spec.request.storage.double)
        self.samplers = samplers(ctx)
        # A snippet that ignores what it is given, a constant for one, may leave a uniform without a use.
        kept = set(self.program)
        self._uniforms = [(self.program[name], value) for name, value in spec.uniforms if name in kept]
        self._ping_pong_units = PING_PONG_IMAGE_UNITS if spec.ping_pong else ()

    def run(self, source: Image | None, target: Image | None, ping_pong: Sequence[Image | None] = ()) -> None:
        """Dispatch: read `source`, write `target`; None where a snippet does without.

        Args:
            source, target: what the pass reads and writes.
            ping_pong: the two images between its stages, if it has them.

        Raises:
            ValueError: it has them and is given none, or has none and is given some.
        """
        self.samplers.use()
        try:
            self.dispatch(source, target, ping_pong)
        finally:
            self.samplers.clear()

    def dispatch(self, source: Image | None, target: Image | None, ping_pong: Sequence[Image | None] = ()) -> None:
        """The same where `samplers` are in use already."""
        if self._must_fetch(source):
            self._fetching = self._fetching or CompiledPass(self._ctx, self.spec.fetching)
            self._fetching.dispatch(source, target)
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
        for unit, image in zip(self._ping_pong_units, ping_pong, strict=True):
            assert isinstance(image, Texture)
            image.bind_to_image(unit, read=True, write=True)
        if isinstance(source, moderngl.Buffer) and self._buffer_textures is not None:
            self._buffer_textures.use(source, self._channels, self._texture_unit)
        elif isinstance(source, moderngl.Buffer):
            source.bind_to_storage_buffer(SOURCE_BUFFER_BINDING)
        elif source is not None and self._reads_image:
            source.bind_to_image(SOURCE_IMAGE_UNIT, read=True, write=False)
        elif source is not None:
            source.use(self._texture_unit)
        self.program.run(*self.spec.groups)

    def _must_fetch(self, source: Image | None) -> bool:
        """Whether the source is swizzled and this pass would read it as an image, which shows texels as they are."""
        if not self._reads_image or not isinstance(source, Texture):
            return False
        return is_swizzled(self._ctx, source, self._texture_unit)


class Samplers:
    """A sampler of our own on the units passes fetch from, while they run.

    It makes any texture complete, whatever filter or mipmaps its owner has chosen, and takes the place of the sampler
    that the caller may have left there.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._sampler = ctx.sampler(filter=(moderngl.NEAREST, moderngl.NEAREST))
        limits = state_of(ctx).limits
        self._units = (source_texture_unit(limits), twiddle_texture_unit(limits))

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
