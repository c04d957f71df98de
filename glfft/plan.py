"""The plan: a transform prepared once for a shape and run on textures as often as wanted."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from types import TracebackType
from typing import Any

import moderngl

from glfft.algorithms.passes import AxisRequest, PassSpec
from glfft.engine.compiled_pass import samplers
from glfft.engine.compiled_plan import Compilation, CompiledPlan
from glfft.engine.explain import explain
from glfft.engine.images import Image, ImageSpec
from glfft.engine.request import CONVOLVE, DIRECTION_NAMES, FORWARD, INVERSE, PlanRequest
from glfft.engine.scratch import PassTargets, ScratchImage
from glfft.errors import OptionError, ReleasedError, TextureError
from glfft.gl.barriers import barrier_before
from glfft.gl.context import check_errors, clear_errors, state_of
from glfft.snippets import Snippet
from glfft.tuning import measure
from glfft.tuning.report import TunedPass, TuningReport
from glfft.tuning.tuner import BackgroundTuner
from glfft.tuning.workbench import tunable
from glfft.wisdom.store import remember


class Plan:
    """A Fourier transform of 2-D textures of one shape, in the caller's context.

    The forward transform is F[j, k] = sum f[m, n] exp(-2 pi i (jm/rows + kn/columns)), the inverse has the other
    sign; both as numpy.fft defines them. A complex number is a texel's (r, g) = (real, imaginary); spectra are in FFT
    order, zero frequency first. Width is columns, height is rows, and row 0 is the first row of the texture's data; a
    source texture with a swizzle is transformed as its swizzle shows it.

    A run binds the textures, dispatches, and issues every barrier, the last one included. It never reads back and
    never waits. It leaves changed: the current program, the active texture unit, the textures and samplers of texture
    units `max_texture_units - 2` and `- 3`, image units 7 and 6, and storage buffer binding 5; with buffers for storage
    also bindings 6 and 7, and with snippets the units given to their textures, from the plan's own downwards. A first
    run into a target that it cannot work in, such as a swizzled one, makes scratch and so binds the last texture unit,
    as moderngl does. Nothing else is touched.

    Args:
        ctx: the context the textures live in; OpenGL 4.3 or later. It must be the thread's current one whenever the
            plan is used, or share its objects with that one.
        shape: rows, columns. Powers of two along the axes transformed, up to the device's texture limit.
        axes: which to transform: (0, 1) both, (1,) along each row, (0,) along each column.
        algorithm: a name of `glfft.algorithms()`; "auto" takes one that works.
        norm: "backward" scales the inverse by 1/points, "forward" the forward transform, "ortho" both by its root.
        twiddles: "table" reads factors made in float64; "computed" takes sine and cosine in the shader, which is less
            accurate by as much as the driver's functions are, and exists to show the difference.
        layers: transform so many pictures at once, in texture arrays of as many layers; None for 2-D textures.
        storage: "rg32f"; "rgba32f", two complex numbers a texel (r, g) and (b, a), each transformed; "rg16f" and
            "rgba16f", the same in half precision (float32 arithmetic); "buffer", a moderngl.Buffer holding a C-ordered
            complex64 array [layers, rows, columns], and "buffer4" with two complex numbers a value.
        load: GLSL fused into the first pass; see `glfft.snippets`.
        store: GLSL fused into the last pass; see `glfft.snippets`.
        multiply: GLSL that multiplies a spectrum, for `convolve`; see `glfft.snippets`.
        real: transform real pictures, in textures of half as many channels (r32f for rg32f, rg32f for rgba32f, and so
            on) or buffers of float32, to the half of their spectra that tells the rest, as numpy.fft.rfft2: the last
            axis transformed has N // 2 + 1 points there. The inverse takes such a half back to real pictures.

    Raises:
        ShapeError, OptionError, AlgorithmError: the request makes no sense.
        LimitError: the device is too small for it.
        ShaderError, ContextError: the driver refuses it.
        NotCurrentError: the context is not the thread's current one.
        ReleasedError: the context has been released.
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
        layers: int | None = None,
        storage: str = "rg32f",
        load: Snippet | str | None = None,
        store: Snippet | str | None = None,
        multiply: Snippet | str | None = None,
        real: bool = False,
    ) -> None:
        self._released = True
        self._state = state = state_of(ctx)
        self._require_current = state.check.require
        self._require_current()
        state.release_dropped()
        self.ctx = ctx
        # A request puts in order whatever it is given, or says what is wrong.
        options: dict[str, Any] = {"axes": axes, "algorithm": algorithm, "norm": norm, "twiddles": twiddles}
        options |= {"layers": layers, "storage": storage, "load": load, "store": store, "multiply": multiply}
        self.request = request = PlanRequest(shape, real=real, **options)  # pyright: ignore[reportArgumentType]
        request.check_limits(state.device)
        clear_errors(ctx)
        specs = self._specs()
        # What the plan alone holds, filled as it is made: if building fails half-way, release what was made.
        self._owned: list[Any] = []
        self._finalizer = weakref.finalize(self, state.dropped.extend, self._owned)
        spectra = pictures = ImageSpec(ctx, request.spectrum_shape, request.layers, request.storage)
        if request.real:
            pictures = ImageSpec(ctx, request.shape, request.layers, request.storage.of_reals)
        self._images = {FORWARD: (pictures, spectra), INVERSE: (spectra, pictures), CONVOLVE: (pictures, pictures)}
        self._scratch: dict[ScratchImage, Image] = {}
        self._samplers = samplers(ctx)
        self._compiled: CompiledPlan | None = None
        for _ in self._compiling(specs):
            pass
        self._released = False
        check_errors(ctx, f"preparing a transform of shape {request.shape}")

    def _specs(self) -> dict[int, list[PassSpec]]:
        """The passes of every direction, with the kernels that are the best known now."""
        device = self._state.device
        return {direction: self.request.passes(direction, device) for direction in self.request.directions}

    def _compiling(self, specs: dict[int, list[PassSpec]]) -> Generator[PassSpec, None, None]:
        """Compile passes and run them from now on, with what `set` has set; where one fails, all stays as it was.

        Each is given out before it is compiled, so that this can be done over many frames.
        """
        before = self._compiled
        uniforms = None if before is None else before.uniforms
        compilation = Compilation(self.ctx, self.request, self._images, specs, uniforms)
        try:
            while (spec := compilation.waiting) is not None:
                yield spec
                compilation.step()
            compiled = compilation.result()
            for pipeline in compiled.pipelines.values():
                self._make_scratch(pipeline.usual)
            compilation.hand_over()
        finally:
            compilation.abandon()
        for program in () if before is None else before.programs:
            self._owned.remove(program)
            program.release()
        self._owned += compiled.programs
        self._compiled, self._pipelines, self._uniforms = compiled, compiled.pipelines, compiled.uniforms

    def _make_scratch(self, targets: PassTargets) -> None:
        """Make the scratch images that are needed and not there yet."""
        for image in targets.targets:
            if image is not None and image not in self._scratch:
                made = ImageSpec(self.ctx, image.shape, self.request.layers, self.request.storage).make()
                self._scratch[image] = made
                self._owned.append(made)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows, columns."""
        return self.request.shape

    @property
    def spectrum_shape(self) -> tuple[int, int]:
        """Rows, columns of the spectrum: `shape`, or with real= half of it and one more along the last axis."""
        return self.request.spectrum_shape

    def forward(self, src: Image | None, dst: Image | None, next_use: str | None = None) -> None:
        """Transform `src` into `dst`.

        Args:
            src: texture of two float32 components, width = columns, height = rows; a texture array with layers=, or
                what storage= names. Left as it is unless it is `dst`. If a shader of yours stored into it, issue a
                barrier first: texture fetch, or shader storage for a buffer. None where a load snippet does without.
            dst: the same; may be `src`. None where a store snippet does without. Its swizzle is looked at
                once, when the plan first gets it.
            next_use: what you do with `dst` next: "sample" (texture functions in a shader), "image" (imageLoad or
                imageStore), "read" (texture.read, read_into), "draw" (as a render target), or None for any of these.
                With a buffer: "storage" (in a shader), "read" (buffer.read), "draw" (as vertices, indices or
                indirect commands), "uniform" (as a uniform block), "pixels" (texture.write), or None.

        Raises:
            TextureError: another kind, size, format, component count or context; `src` is `dst` where a snippet moves
                texels in a single pass, or with real=; or a texture of a snippet has not been set.
            OptionError: `next_use` is none of these.
            ReleasedError: the plan or its context has been released.
            NotCurrentError: its context is not the thread's current one.
        """
        self._run(FORWARD, src, dst, next_use)

    def inverse(self, src: Image | None, dst: Image | None, next_use: str | None = None) -> None:
        """Transform back; arguments and errors as in `forward`."""
        self._run(INVERSE, src, dst, next_use)

    def convolve(self, src: Image | None, dst: Image | None, next_use: str | None = None) -> None:
        """Transform `src`, multiply its spectrum by the snippet given as multiply=, and transform back into `dst`.

        Rows, then columns there and back at once, then rows: three dispatches. Whatever `norm`, a product with 1 gives
        `src` back. Arguments and errors as in `forward`, and

        Raises:
            OptionError: the plan was made without multiply=.
        """
        if self.request.multiply is None:
            raise OptionError("This plan has nothing to multiply by; make it with multiply=, see glfft.snippets.")
        self._run(CONVOLVE, src, dst, next_use)

    def _run(self, direction: int, src: Image | None, dst: Image | None, next_use: str | None) -> None:
        self._check_alive()
        pipeline = self._pipelines[direction]
        pipeline.check_images(src, dst)
        last_barrier = barrier_before(next_use, self.request.storage.buffer)
        targets = pipeline.targets_for(src, dst, self._uniforms)
        if targets is pipeline.safe:
            self._make_scratch(targets)
        self._uniforms.bind(pipeline.textures)
        if pipeline.barrier_before:
            self.ctx.memory_barrier(pipeline.barrier_before)
        source = src
        barriers = (*pipeline.barriers, last_barrier)
        self._samplers.use()
        try:
            for each, scratch, barrier in zip(pipeline.passes, targets.targets, barriers, strict=True):
                target = dst if scratch is None else self._scratch[scratch]
                each.dispatch(source, target)
                self.ctx.memory_barrier(barrier)
                source = target
        finally:
            self._samplers.clear()

    def set(self, **values: Any) -> None:
        """Give uniforms, samplers and images of the snippets their values; they keep them until set again.

        Args:
            values: by the name declared in the snippet: numbers and tuples for uniforms, textures or texture arrays
                for samplers and images.

        Raises:
            OptionError: no snippet has that name, or the value does not fit it.
            TextureError: a texture is released, another context's, not shaped as the spectrum that it multiplies, or
                one that its sampler or image cannot use.
            ReleasedError: the plan or its context has been released.
            NotCurrentError: its context is not the thread's current one.
        """
        self._check_alive()
        for name, value in values.items():
            self._check_shape_of(name, value)
            self._uniforms.set(name, value)

    def tune(self, progress: Callable[[float], object] | None = None, *, quick: bool = False) -> TuningReport:
        """Measure kernels for the plan's passes and use the fastest from the next run on; wait while it takes.

        What is found is kept for plans to come (`glfft.wisdom.store`). Each kernel's result is compared with that of
        the kernel in use. If tuning fails or is interrupted, nothing changes. Beside what a run leaves changed, storage
        buffer bindings 0 and 4 are, and what moderngl binds to make and read things: the array buffer and the last
        texture unit.

        Args:
            progress: called with the share done, from 0 to 1.
            quick: measure 8 kernels a pass instead of some 50.

        Returns:
            What was found; its `to_text()` is a table.

        Raises:
            ContextError: there is not enough memory for two more pictures of the plan's size.
            TimingError: the GPU could not be kept busy while calls were queued.
            ReleasedError: the plan or its context has been released.
            NotCurrentError: its context is not the thread's current one.
        """
        self._check_alive()
        report = measure.tune(self.ctx, self._tunable(), quick, progress or (lambda share: None))
        for _ in self._install(report.passes):
            pass
        return report

    def tuner(self, *, quick: bool = False, install: bool = True) -> BackgroundTuner:
        """Tune while the program runs: an object whose `step` does a little of the work each frame.

        Args:
            quick: measure 8 kernels a pass instead of some 50.
            install: use what was found as soon as it is; else only once its `install` is called, at a moment when the
                program can wait for the compiler.

        Raises:
            ReleasedError: the plan or its context has been released.
            NotCurrentError: its context is not the thread's current one.
        """
        self._check_alive()
        return BackgroundTuner(self.ctx, self._tunable(), self._install, quick, install)

    def _check_shape_of(self, name: str, value: Any) -> None:
        given = (self.request.load, self.request.store, self.request.multiply)
        if not any(name in snippet.shaped_as_spectrum for snippet in given if snippet is not None):
            return
        rows, columns = self.spectrum_shape
        wanted = (columns, rows)
        if isinstance(value, moderngl.TextureArray):
            wanted = (columns, rows, self.request.layers)
        if isinstance(value, moderngl.Texture | moderngl.TextureArray) and value.size != wanted:
            axes = "width x height" if len(wanted) == 2 else "width x height x layers"
            raise TextureError(
                f"The texture for '{name}' is {' x '.join(map(str, value.size))} and this plan's spectra are {axes} = "
                f"{' x '.join(map(str, wanted))}."
            )

    def _tunable(self) -> list[AxisRequest]:
        """The kinds of passes for which there is a choice of kernels."""
        return tunable(each.spec for pipeline in self._pipelines.values() for each in pipeline.passes)

    def _install(self, passes: Iterable[TunedPass]) -> Iterator[PassSpec]:
        """Remember what tuning has found and run it from now on; each pass is given out before it is compiled."""
        self._check_alive()
        remember(each.entry for each in passes)
        with closing(self._compiling(self._specs())) as compiling:
            for spec in compiling:
                yield spec
                self._check_alive()  # once more: that may have been many frames

    def explain(self) -> str:
        """What a run does, as a table: passes, radices, threads, shared bytes, barriers, bytes moved."""
        passes = {name: [each.spec for each in pipeline.passes] for name, pipeline in self._pipelines.items()}
        return explain(self.request, passes)

    def source(self) -> str:
        """The final GLSL of every program the plan runs, each headed by the passes it serves."""
        served: dict[str, list[str]] = {}
        for direction, pipeline in self._pipelines.items():
            for index, each in enumerate(pipeline.passes, start=1):
                served.setdefault(each.spec.source.text, []).append(f"{DIRECTION_NAMES[direction]} pass {index}")
        return "\n".join(f"// ==== {', '.join(users)}\n{text}" for text, users in served.items())

    @property
    def bytes_moved(self) -> int:
        """Bytes of texture read and written by one transform."""
        return sum(each.spec.bytes_moved for each in self._pipelines[FORWARD].passes)

    @property
    def dispatches(self) -> int:
        """Dispatches of one transform."""
        return len(self._pipelines[FORWARD].passes)

    def release(self) -> None:
        """Free the plan's textures; programs and tables stay cached for other plans. Releasing twice is harmless.

        Where its context is not current, they are freed when a plan is next made in that context.
        """
        if not self._released:
            self._released = True
            self._finalizer.detach()
            self._state.release_soon(self._owned)

    def _check_alive(self) -> None:
        if self._released:
            raise ReleasedError("This plan has been released; make a new one.")
        self._require_current()

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
            f"norm={request.norm!r}, twiddles={request.twiddles!r}, layers={request.layers}, "
            f"storage={request.storage.name!r}, real={request.real})"
        )
