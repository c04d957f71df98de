"""The plan: a transform prepared once for a shape and run on textures as often as wanted."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence
from types import TracebackType

import moderngl

from glfft import gl
from glfft.errors import ContextError, OptionError, ReleasedError, TextureError
from glfft.explain import explain
from glfft.gl import state_of
from glfft.passes import Pass, source_unit
from glfft.request import FORWARD, INVERSE, make_request

# What a result is used for next, as the barrier that makes it visible there.
NEXT_USES = {
    "sample": gl.TEXTURE_FETCH_BARRIER,
    "image": gl.SHADER_IMAGE_ACCESS_BARRIER,
    "read": gl.TEXTURE_UPDATE_BARRIER | gl.PIXEL_BUFFER_BARRIER | gl.BUFFER_UPDATE_BARRIER,
    "draw": gl.FRAMEBUFFER_BARRIER,
}
_ANY_USE = NEXT_USES["sample"] | NEXT_USES["image"] | NEXT_USES["read"] | NEXT_USES["draw"]


class Plan:
    """A Fourier transform of 2-D textures of one shape, in the caller's context.

    The forward transform is F[j, k] = sum f[m, n] exp(-2 pi i (jm/rows + kn/columns)), the inverse has the other
    sign; both as numpy.fft defines them. A complex number is a texel's (r, g) = (real, imaginary); spectra are in FFT
    order, zero frequency first. Width is columns, height is rows, and row 0 is the first row of the texture's data.

    A run binds the textures, dispatches, and issues every barrier, the last one included. It never reads back and
    never waits. It leaves changed: the current program, the active texture unit, image unit 7, and the texture and
    sampler bindings of texture units `max_texture_units - 2` and `- 3`. Nothing else is touched.

    Args:
        ctx: the context the textures live in; OpenGL 4.3 or later.
        shape: rows, columns. Powers of two along the axes transformed, up to the device's texture limit.
        axes: which to transform: (0, 1) both, (1,) along each row, (0,) along each column.
        algorithm: a name of `glfft.algorithms()`; "auto" takes one that works.
        norm: "backward" scales the inverse by 1/points, "forward" the forward transform, "ortho" both by its root.
        twiddles: "table" reads factors made in float64; "computed" takes sine and cosine in the shader, which costs
            about 15 dB and exists to show the difference.

    Raises:
        ShapeError, OptionError, AlgorithmError: the request makes no sense.
        LimitError: the device is too small for it.
        ShaderError, ContextError: the driver refuses it.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        shape: Sequence[int],
        *,
        axes: Iterable[int] = (0, 1),
        algorithm: str = "auto",
        norm: str | None = "backward",
        twiddles: str = "table",
    ) -> None:
        self._released = True
        state = state_of(ctx)
        state.release_dropped()
        self.ctx = ctx
        self.request = make_request(shape, axes, algorithm, norm, twiddles, state.limits)
        gl.clear_errors(ctx)
        specs = {direction: self.request.passes(direction, state.limits) for direction in (FORWARD, INVERSE)}
        self._passes = {direction: [Pass(ctx, spec) for spec in specs[direction]] for direction in specs}
        rows, columns = self.request.shape
        self._size = (columns, rows)
        self._format_checked: weakref.WeakSet[moderngl.Texture] = weakref.WeakSet()
        # Two carriers at most: a pass reads one and writes the other, whatever the caller's textures are.
        self._scratch = [self._make_scratch() for _ in range(min(len(specs[FORWARD]) - 1, 2))]
        self._finalizer = weakref.finalize(self, state.dropped.extend, self._scratch)
        self._released = False
        gl.check_errors(ctx, f"preparing a transform of shape {self.request.shape}")

    def _make_scratch(self) -> moderngl.Texture:
        texture = self.ctx.texture(self._size, 2, dtype="f4")
        texture.label = f"glfft scratch {self._size[0]}x{self._size[1]}"
        return texture

    @property
    def shape(self) -> tuple[int, int]:
        """Rows, columns."""
        return self.request.shape

    def forward(self, src: moderngl.Texture, dst: moderngl.Texture, next_use: str | None = None) -> None:
        """Transform `src` into `dst`.

        Args:
            src: texture of two float32 components, width = columns, height = rows. Left as it is unless it is `dst`.
                If a shader of yours stored into it, issue a texture-fetch barrier first.
            dst: the same; may be `src`.
            next_use: what you do with `dst` next: "sample" (texture functions in a shader), "image" (imageLoad or
                imageStore), "read" (texture.read, read_into), "draw" (as a render target), or None for any of these.

        Raises:
            TextureError: a texture of another size, format, component count or context.
            ReleasedError: the plan has been released.
        """
        self._run(FORWARD, src, dst, next_use)

    def inverse(self, src: moderngl.Texture, dst: moderngl.Texture, next_use: str | None = None) -> None:
        """Transform back; arguments and errors as in `forward`."""
        self._run(INVERSE, src, dst, next_use)

    def _run(self, direction: int, src: moderngl.Texture, dst: moderngl.Texture, next_use: str | None) -> None:
        if self._released:
            raise ReleasedError("This plan has been released; make a new one.")
        self._check_texture(src, "source")
        self._check_texture(dst, "target")
        if next_use is None:
            last_barrier = _ANY_USE
        elif isinstance(next_use, str) and next_use in NEXT_USES:
            last_barrier = NEXT_USES[next_use]
        else:
            raise OptionError(f"next_use is {next_use!r} and must be one of {', '.join(NEXT_USES)}, or None.")
        passes = self._passes[direction]
        source = src
        for index, each in enumerate(passes[:-1]):
            target = self._scratch[index % 2]
            each.run(source, target)
            self.ctx.memory_barrier(gl.TEXTURE_FETCH_BARRIER)
            source = target
        passes[-1].run(source, dst)
        self.ctx.memory_barrier(last_barrier)

    def _check_texture(self, texture: moderngl.Texture, role: str) -> None:
        if not isinstance(texture, moderngl.Texture):
            raise TextureError(f"The {role} must be a moderngl.Texture, not {type(texture).__name__}.")
        if texture.ctx is not self.ctx:
            raise TextureError(f"The {role} texture belongs to another context than the plan; make it in the plan's.")
        if isinstance(texture.mglo, moderngl.InvalidObject):
            raise TextureError(f"The {role} texture has been released; make a new one.")
        if texture.size != self._size:
            raise TextureError(
                f"The {role} texture is {texture.width} x {texture.height} and this plan needs width x height = "
                f"{self._size[0]} x {self._size[1]}."
            )
        if texture.components != 2 or texture.dtype != "f4" or texture.samples:
            samples = f", {texture.samples} samples" if texture.samples else ""
            raise TextureError(
                f"The {role} texture has {texture.components} components of dtype '{texture.dtype}'{samples}; a plan "
                "needs 2 components (real, imaginary) of dtype 'f4'."
            )
        # Asked of the driver once a texture: one of another format would take no stores and raise no error.
        if texture not in self._format_checked:
            unit = source_unit(state_of(self.ctx).limits)
            if gl.internal_format(self.ctx, texture, unit) != gl.RG32F:
                raise TextureError(
                    f"The {role} texture has dtype 'f4' over an internal format that is not RG32F; make it without "
                    "internal_format=."
                )
            self._format_checked.add(texture)

    def explain(self) -> str:
        """What a run does, as a table: passes, radices, threads, shared bytes, barriers, bytes moved."""
        return explain(self.request, {d: [each.spec for each in passes] for d, passes in self._passes.items()})

    def source(self) -> str:
        """The final GLSL of every program the plan runs, each headed by the passes it serves."""
        served: dict[str, list[str]] = {}
        for direction, name in ((FORWARD, "forward"), (INVERSE, "inverse")):
            for index, each in enumerate(self._passes[direction], start=1):
                served.setdefault(each.spec.source.text, []).append(f"{name} pass {index}")
        return "\n".join(f"// ==== {', '.join(users)}\n{text}" for text, users in served.items())

    @property
    def bytes_moved(self) -> int:
        """Bytes of texture read and written by one transform."""
        return sum(each.spec.bytes_moved for each in self._passes[FORWARD])

    @property
    def dispatches(self) -> int:
        """Dispatches of one transform."""
        return len(self._passes[FORWARD])

    def release(self) -> None:
        """Free the plan's textures; programs and tables stay cached for other plans. Releasing twice is harmless."""
        if not self._released:
            self._released = True
            self._finalizer.detach()
            for texture in self._scratch:
                texture.release()

    def __enter__(self) -> Plan:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def __repr__(self) -> str:
        request = self.request
        return (
            f"Plan(shape={request.shape}, axes={request.axes}, algorithm={request.algorithm!r}, "
            f"norm={request.norm!r}, twiddles={request.twiddles!r})"
        )


def require_context(ctx: moderngl.Context | None) -> moderngl.Context:
    """The context to use where a caller may leave it out: the given one, moderngl's current one, or a new headless one.

    Raises:
        ContextError: none can be had.
    """
    if ctx is not None:
        return ctx
    try:
        current = moderngl.get_context()
    except Exception:  # moderngl raises several kinds where no context is current
        return gl.open_context()
    if current.version_code < gl.REQUIRED_VERSION:
        raise ContextError(
            f"The current context has OpenGL {current.version_code / 100:.1f} and compute shaders need 4.3; pass ctx=."
        )
    return current
