"""A pass: one dispatch as data. `PassSpec` is what to run, without the driver; `Pass` is it compiled for a context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import moderngl

from glfft import shaders, twiddles
from glfft.gl import Limits, state_of

BYTES_PER_COMPLEX = 8

# The highest image unit every OpenGL 4.3 device has (MAX_IMAGE_UNITS is at least 8): out of the way of the caller's.
TARGET_IMAGE_UNIT = 7


@dataclass(frozen=True)
class AxisRequest:
    """What an algorithm is asked for: the transforms of all lines along one axis of a texture.

    Attributes:
        shape: rows, columns of the texture.
        axis: 1 transforms rows (along x), 0 columns (along y).
        direction: -1 forward, exp(-2 pi i jk/N); +1 inverse.
        scale: factor on the result.
        computed_twiddles: sine and cosine in the shader instead of a table.
        limits: of the device.
    """

    shape: tuple[int, int]
    axis: int
    direction: int
    scale: float
    computed_twiddles: bool
    limits: Limits

    @property
    def length(self) -> int:
        """Points in a line."""
        return self.shape[self.axis]

    @property
    def lines(self) -> int:
        """Lines in the texture."""
        return self.shape[1 - self.axis]


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
        shared_bytes: shared memory a work group.
        barriers: synchronisations within a work group.
    """

    shader: str
    request: AxisRequest
    defines: tuple[tuple[str, shaders.Define], ...]
    groups: tuple[int, int, int]
    threads: int
    generated: tuple[tuple[str, str], ...] = ()
    uniforms: tuple[tuple[str, int | float], ...] = ()
    radices: tuple[int, ...] = ()
    shared_bytes: int = 0
    barriers: int = 0

    @property
    def bytes_moved(self) -> int:
        """Bytes of picture read and written (twiddles, which stay in cache, not counted)."""
        return 2 * BYTES_PER_COMPLEX * self.request.shape[0] * self.request.shape[1]

    @cached_property
    def source(self) -> shaders.Source:
        """The final shader text."""
        limits = self.request.limits
        constants: dict[str, shaders.Define] = {
            **dict(self.defines),
            "AXIS": self.request.axis,
            "TWIDDLES_COMPUTED": self.request.computed_twiddles,
            "SOURCE_UNIT": source_unit(limits),
            "TWIDDLE_UNIT": twiddle_unit(limits),
            "TARGET_UNIT": TARGET_IMAGE_UNIT,
        }
        return shaders.assemble(self.shader, constants, dict(self.generated))


def source_unit(limits: Limits) -> int:
    """Texture unit a pass reads from: near the top, since moderngl itself uses the last one for uploads."""
    return limits.texture_units - 2


def twiddle_unit(limits: Limits) -> int:
    """Texture unit of the twiddle table."""
    return limits.texture_units - 3


class Pass:
    """A compiled pass: `run` issues its dispatch, with the bindings it needs and no barrier."""

    def __init__(self, ctx: moderngl.Context, spec: PassSpec) -> None:
        self.spec = spec
        self._ctx = ctx
        self._program = shaders.compute_from(ctx, spec.source)
        limits = spec.request.limits
        self._source_unit = source_unit(limits)
        self._twiddle_unit = twiddle_unit(limits)
        needs_table = bool(spec.radices) and not spec.request.computed_twiddles
        self._twiddles = twiddles.texture(ctx, spec.request.length) if needs_table else None
        self._sampler = _nearest_sampler(ctx)
        self._uniforms = [(self._program[name], value) for name, value in spec.uniforms]

    def run(self, source: moderngl.Texture, target: moderngl.Texture) -> None:
        """Dispatch: read `source`, write `target`."""
        source.use(self._source_unit)
        # A sampler of our own makes any texture complete, whatever filter or mipmaps its owner has chosen, and takes
        # the place of one the caller left on the unit.
        self._sampler.use(self._source_unit)
        if self._twiddles is not None:
            self._twiddles.use(self._twiddle_unit)
            self._sampler.use(self._twiddle_unit)
        target.bind_to_image(TARGET_IMAGE_UNIT, read=False, write=True)
        for uniform, value in self._uniforms:
            uniform.value = value  # pyright: ignore[reportAttributeAccessIssue]
        self._program.run(*self.spec.groups)
        self._sampler.clear(self._source_unit)
        if self._twiddles is not None:
            self._sampler.clear(self._twiddle_unit)


def _nearest_sampler(ctx: moderngl.Context) -> moderngl.Sampler:
    samplers: Mapping[str, moderngl.Sampler] = state_of(ctx).cache(
        "samplers", lambda: {"nearest": ctx.sampler(filter=(moderngl.NEAREST, moderngl.NEAREST))}
    )
    return samplers["nearest"]
