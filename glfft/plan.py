"""The plan: a transform prepared once for a shape, and run on textures or buffers any number of times."""

import itertools
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import moderngl

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import PassSpec
from glfft.engine.compiled_plan import CompiledPlan, compiling
from glfft.engine.explain import PassText, explain, pass_texts
from glfft.engine.export import exported_files
from glfft.engine.images import ArrayEnds, Image, ImageSpec, check_spectrum_size, plan_images
from glfft.engine.pipeline import PassTargets, ScratchImage
from glfft.engine.plan_passes import plan_passes, through_buffers
from glfft.engine.request import CONVOLVE, DIRECTION_NAMES, FORWARD, INVERSE, PlanRequest
from glfft.errors import OptionError, check_flag, require
from glfft.files import write_folder
from glfft.gl.barriers import barrier_before
from glfft.gl.functions import check_errors, clear_errors
from glfft.gl.interop.views import Array, is_array
from glfft.gl.releasable import Owner
from glfft.gl.timed import Sections
from glfft.snippets import Snippet
from glfft.tuning.measure import LocalSearch
from glfft.tuning.precompile import compiled_later
from glfft.tuning.report import TunedPass, TuningReport, keep
from glfft.tuning.tuner import BackgroundTuner
from glfft.tuning.workbench import tunable

End = Image | Array | None  # what a plan reads or writes; None if its snippets do without


class Plan(Owner):
    """A Fourier, cosine or sine transform of textures or buffers of one shape, in the caller's context.

    The forward transform is F[j, k] = sum f[m, n] exp(-2 pi i (jm/rows + kn/columns)); the inverse has the other sign.
    Spectra are in FFT order, zero frequency first. A texel (r, g) is (real, imaginary). A texture's width is columns,
    its height is rows, and row 0 is the first row of its data. A source texture is read through its swizzle.

    A run binds, dispatches and issues every barrier that its passes need. It never reads back and never waits. It
    changes the current program, the active texture unit, the textures and samplers of units `max_texture_units - 2` and
    `- 3`, image unit 7, storage buffer binding 5, and the units of snippets' textures from the plan's own downwards.
    Software renderers change image unit 6, the last texture unit and the pixel unpack buffer, "ping-pong-" algorithms
    image units 6 and 5; these renderers, buffers and long lines storage buffer bindings 6 and 7. A first run that makes
    scratch textures or buffers, as for a swizzled target, also changes the last texture unit or the array buffer.

    Args:
        ctx: the context of the textures, with OpenGL 4.3 or later. It must be the thread's current one at each use.
        shape: (rows, columns), or (depth, rows, columns) for volumes in 3-D textures.
        axes: the axes of the shape to transform, None for all: (1,) is along each row of a picture, (0,) each column.
            In any order; with real= the highest of them, which is halved, must be named last.
        algorithm: a name of `glfft.algorithm_names()`; "auto" chooses a fast one.
        norm: "backward" scales the inverse by 1/points, "forward" the forward transform, "ortho" both by its root.
        twiddles: "table" reads factors that were rounded once; "computed" computes sine and cosine in the shader, less
            accurately and not in double precision.
        layers: number of pictures to transform at once, as layers of texture arrays; None for 2-D and 3-D textures.
            Several volumes need a buffer.
        storage: what holds the numbers, one of the names in docs/conventions.md. "rg32f" (default) is a texture with a
            complex number a texel, (real, imaginary); "buffer" is a moderngl.Buffer with a C-ordered complex64 array
            [layers, rows, columns] or [layers, depth, rows, columns].
        load: GLSL that computes what the first pass reads; see `glfft.snippets`.
        store: GLSL that receives the last pass's result.
        multiply: GLSL that multiplies a spectrum, for `convolve`.
        real: transform real pictures to half spectra, as numpy.fft.rfft2: the last transformed axis has N // 2 + 1
            points. Pictures have half as many channels (r32f for rg32f, and so on) or are buffers of real numbers.
        kind: "dct1" to "dct4" or "dst1" to "dst4", as scipy.fft.dctn and dstn over the axes, with scipy's norms. Source
            and target are real, as pictures with real=.
        orthogonalize: with a kind, scale the ends of lines as in scipy. Default: True for norm="ortho".
        source_region: slices, one for each axis of `shape`, such as np.s_[0:360, 0:640]. Sources hold these points
            alone; lines of zeros are not transformed. Half spectra are whole.
        target_region: slices. Targets hold these points alone, and only lines that lead to them are transformed.
        directions: what the plan is to do, of "forward", "inverse" and "convolve"; None for all it can.
        boundary: what the points outside source_region are: "zero"; "wrap", the region again; "mirror", its mirror
            image with its ends twice; "edge", its nearest point.
        wait: False does not wait for the compiler: first runs use kernels that compile quickly. Later runs load the
            fast ones, one a run, which another process has compiled; on NVIDIA's GPUs, or if no process starts, they
            compile them. Then they use them: see `settled`. They may round otherwise.

    Raises ShapeError where the shape or the axes cannot be transformed, OptionError where an option's value is not
    allowed, AlgorithmError where there is no such algorithm, LimitError where the device is too small for the request,
    ShaderError where a snippet is wrong or the driver does not compile a shader, ContextError where the context is too
    old or has too little memory, NotCurrentError where it is not the thread's current one, ReleasedError after release.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        shape: Sequence[int],
        *,
        axes: Iterable[int] | None = None,
        algorithm: str = "auto",
        norm: str | None = "backward",
        twiddles: str = "table",
        layers: int | None = None,
        storage: str = "rg32f",
        load: Snippet | str | None = None,
        store: Snippet | str | None = None,
        multiply: Snippet | str | None = None,
        real: bool = False,
        kind: str | None = None,
        orthogonalize: bool | None = None,
        source_region: Sequence[slice] | None = None,
        target_region: Sequence[slice] | None = None,
        boundary: str = "zero",
        directions: Iterable[str] | None = None,
        wait: bool = True,
    ) -> None:
        super().__init__(ctx)
        # fmt: off
        self.request = request = PlanRequest.of(
            shape, axes=axes, algorithm=algorithm, norm=norm, twiddles=twiddles, layers=layers, storage=storage,
            load=load, store=store, multiply=multiply, real=real, kind=kind, orthogonalize=orthogonalize,
            source_region=source_region, target_region=target_region, boundary=boundary, directions=directions,
        )
        # fmt: on
        request.check_limits(self._state.device)
        clear_errors(ctx)
        specs = self._specs(quick=not check_flag("wait", wait))
        self._images = plan_images(ctx, request)
        self._array_ends = ArrayEnds(ctx, request, self._images, self._owned)
        self._scratch: dict[ScratchImage, Image] = {}
        self._compiled: CompiledPlan | None = None
        self._later = None if wait else compiled_later(ctx, self._choosing(), self._owned)
        for _ in self._compiling(specs):
            pass
        check_errors(ctx, f"preparing a transform of shape {request.shape}")

    def _specs(self, quick: bool = False) -> dict[int, list[PassSpec]]:
        request, device = replace(self.request, quick=quick), self._state.device
        found = {direction: plan_passes(request, direction, device) for direction in request.directions}
        return {direction: through_buffers(request, passes, device) for direction, passes in found.items()}

    def _choosing(self) -> Generator[PassSpec | None, None, None]:
        """Compile the fast kernels, as `_compiling` does. A thread chooses them, in up to half a second."""
        chooser = ThreadPoolExecutor(max_workers=1)
        try:
            chosen = chooser.submit(self._specs)
            while not chosen.done():
                yield None
        finally:
            chooser.shutdown(wait=False)
        yield from self._compiling(chosen.result())

    def _compiling(self, specs: dict[int, list[PassSpec]]) -> Generator[PassSpec, None, None]:
        """Compile passes, yielding each before, and run them from now on, with their uniforms; if one fails, none."""
        compiled = yield from compiling(self.ctx, self.request, self._images, specs)
        before = self._compiled  # not earlier: tuning may have installed others meanwhile
        try:
            if before is not None:
                compiled.uniforms.take_over(before.uniforms)
            for pipeline in compiled.pipelines.values():
                self._make_scratch(pipeline.usual)
        except BaseException:
            self._state.release_soon(compiled.programs)
            raise
        for program in () if before is None else before.programs:
            self._owned.remove(program)
            program.release()
        self._owned += compiled.programs
        self._compiled, self._pipelines, self._uniforms = compiled, compiled.pipelines, compiled.uniforms
        used = {image for each in compiled.pipelines.values() for image in each.usual.scratch}
        for image in self._scratch.keys() - used:
            self._owned.remove(self._scratch[image])
            self._scratch.pop(image).release()

    def _make_scratch(self, targets: PassTargets) -> None:
        for image in [each for each in targets.scratch if each not in self._scratch]:
            self._scratch[image] = self._own(ImageSpec(self.ctx, image.shape, image.layers, image.storage).make())

    @property
    def shape(self) -> tuple[int, ...]:
        """(rows, columns), or (depth, rows, columns)."""
        return self.request.shape

    @property
    def spectrum_shape(self) -> tuple[int, ...]:
        """The shape of the spectrum: `shape`, or with real= N // 2 + 1 along the last transformed axis."""
        return self.request.spectrum_shape

    def forward(self, src: End, dst: End, next_use: str | None = None, profiler: Sections | None = None) -> None:
        """Transform `src` into `dst`.

        Args:
            src: a texture as `storage=` and `layers=` say, width = columns, height = rows. It is not changed unless it
                is `dst`. If your shader has stored into it, issue a texture fetch barrier first; buffers need none.
                None if a load snippet does not read it. Or an array [layers, rows, columns, channels] of torch, CuPy,
                JAX, numpy or others, which is copied to an image of the plan's; see `glfft.interop`.
            dst: like `src`, and may be `src`. None if a store snippet does not write it. Its swizzle is checked in its
                first run only. An array must be contiguous and writable; what a store snippet leaves out is undefined.
            next_use: what you do with `dst` next: "transform" (run a plan on it), "sample" (texture functions), "image"
                (imageLoad, imageStore), "read" (texture.read, read_into), "draw" (into it), None for any of these. For
                a buffer: "transform", "storage" (in a shader), "read" (buffer.read), "draw" (vertices, indices, draw
                commands), "uniform" (as a block), "pixels" (texture.write). After a store snippet None covers both.
            profiler: times each pass as a section of its open frame, and is told how many bytes it must move.

        Raises TextureError where a texture has the wrong kind, size, format, component count or context, where `src` is
        `dst` with real=, where a single pass with snippets would store to what it reads, or where a snippet's texture
        has not been set; OptionError where `next_use` is none of these; DataError where an array has another dtype or
        shape than the plan, or cannot be shared or written; ContextError where there is no memory for an array's image,
        or CUDA fails; ReleasedError and NotCurrentError as the plan itself.
        """
        self._run(FORWARD, src, dst, next_use, profiler)

    def inverse(self, src: End, dst: End, next_use: str | None = None, profiler: Sections | None = None) -> None:
        """Transform `src` back into `dst`; arguments and errors are those of `forward`."""
        self._run(INVERSE, src, dst, next_use, profiler)

    def convolve(self, src: End, dst: End, next_use: str | None = None, profiler: Sections | None = None) -> None:
        """Transform `src`, multiply its spectrum by the snippet multiply=, and transform back into `dst`. This takes
        up to three dispatches, or five for a volume, and more for long lines. With every `norm`, a product with 1 gives
        `src` back. Errors and arguments are those of `forward`; OptionError where the plan was made without multiply=.
        """
        if self.request.multiply is None:
            raise OptionError("This plan has no multiply snippet; make it with multiply=, see glfft.snippets.")
        self._run(CONVOLVE, src, dst, next_use, profiler)

    def _run(self, direction: int, src: Any, dst: Any, next_use: str | None, profiler: Sections | None) -> None:
        self._check_alive()
        if direction not in self._pipelines:
            name = DIRECTION_NAMES[direction]
            raise OptionError(f"This plan was made without '{name}'; leave out directions=, or add '{name}'.")
        last_barrier = barrier_before(next_use, self.request.storage.buffer, self.request.store is not None)
        if is_array(src) or is_array(dst):
            with self._array_ends.as_images(direction, src, dst) as (source, target):
                self._run(direction, source, target, None, profiler)
                return
        if self._later is not None and not self._later.done:
            self._later.work(0.0)
        pipeline = self._pipelines[direction]
        if profiler is not None:
            require(hasattr(profiler, "section"), "profiler", profiler, "a glfft.Profiler")
        pipeline.check_images(src, dst)
        targets = pipeline.targets_for(src, dst)
        if targets is pipeline.safe:
            self._make_scratch(targets)
        pipeline.run(src, dst, targets, self._scratch, last_barrier, profiler)

    @property
    def settled(self) -> bool:
        """Whether runs use the fast kernels: with wait=False not before these are compiled."""
        return self._later is None or self._later.done

    def set_uniforms(self, **values: Any) -> None:
        """Set uniforms, samplers and images of the snippets. Values, given by name, stay until they are set again.

        Scalars take numbers, vectors and arrays take tuples, lists or arrays, matrices take arrays [row, column] or
        flat lists, column by column, samplers and images take textures. Raises OptionError where no snippet has that
        name, or the value does not fit it; TextureError where a texture has been released, belongs to another context,
        does not have the spectrum's shape, or does not suit its sampler or image; other errors as `forward`.
        """
        self._check_alive()
        for name, value in values.items():
            if any(name in each.shaped_as_spectrum for each in self.request.snippets):
                check_spectrum_size(name, value, self.spectrum_shape, self.request.layers)
        self._uniforms.set(values)

    def tune(self, progress: Callable[[float], object] | None = None, *, quick: bool = False) -> TuningReport:
        """Measure kernels for the plan's passes and use the fastest from the next run on. This takes seconds.

        Later plans use the results (`glfft.wisdom.store`). Each kernel's result is compared with that of the kernel in
        use. If tuning fails or is interrupted, nothing changes. Tuning changes the GL state of a run, storage buffer
        bindings 0 and 4, the array buffer and the last texture unit.

        `progress` is called with the share done, from 0 to 1. With quick=True 8 kernels a pass are measured instead of
        about 50. Returns a report; its `to_text()` is a table. Raises ContextError where there is not enough memory for
        two more pictures of the plan's size, TimingError where the GPU could not be kept busy while calls were queued,
        and ReleasedError and NotCurrentError as `forward`.
        """
        self._check_alive()
        report = LocalSearch(self.ctx, self._tunable(), quick).run(progress or (lambda share: None))
        for _ in self._install(report.passes):
            pass
        return report

    def background_tuner(self, *, quick: bool = False) -> BackgroundTuner:
        """Tune while the program runs. Returns a tuner, whose `step` to call once a frame; `quick` is as in `tune`.
        Each result is used when it is found. Raises ReleasedError and NotCurrentError as `forward`.
        """
        self._check_alive()
        return BackgroundTuner(self.ctx, self._tunable(), self._install, quick)

    def _tunable(self) -> list[AxisRequest]:
        return tunable(itertools.chain(*(self._passes if self.settled else self._specs()).values()))

    def _install(self, passes: Iterable[TunedPass]) -> Iterator[PassSpec]:
        """Save what tuning has found, and run it from now on. Each pass is yielded before it is compiled."""
        self._check_alive()
        keep(passes)
        if self._later is not None:
            self._later.close()
        with closing(self._compiling(self._specs())) as compiling:
            for spec in compiling:
                yield spec
                self._check_alive()  # again: many frames may have passed

    def explain(self) -> str:
        """A table of the passes: radices, threads, shared memory, barriers, bytes moved."""
        return explain(self.request, self._passes)

    @property
    def _passes(self) -> dict[int, list[PassSpec]]:
        return {direction: pipeline.specs for direction, pipeline in self._pipelines.items()}

    def source(self) -> tuple[PassText, ...]:
        """The GLSL of every pass that the plan runs: each has a name, a stage and a text."""
        return pass_texts(self._passes)

    def export(
        self, folder: str | os.PathLike[str], *, portable: bool = False, spirv: bool = True, overwrite: bool = False
    ) -> Path:
        """Write the passes for programs without glfft: GLSL, SPIR-V for Vulkan where glslangValidator is installed,
        tables, and a `manifest.json` that says how to run them.

        The folder is made, whole or not at all. portable=True writes GLSL ES 3.10 that needs no more than OpenGL ES 3.1
        guarantees, with other kernels; spirv=False leaves out SPIR-V; overwrite=True replaces an earlier export. Raises
        OutputError where the folder exists, or cannot be written; OptionError where a snippet declares more than
        numbers, or a snippet, storage or algorithm is not portable; LimitError where the shape is too large for that.
        """
        values, device = self._uniforms.values, self._state.device
        files = exported_files(self.request, self._passes, device, portable, spirv, values)
        return write_folder(folder, files, overwrite)

    @property
    def bytes_moved(self) -> int:
        """Bytes that one forward transform reads and writes; without "forward" the first of its directions."""
        return sum(spec.bytes_moved for spec in self._passes[self.request.directions[0]])

    @property
    def dispatches(self) -> int:
        """Dispatches of one forward transform; without "forward" the first of its directions."""
        return len(self._passes[self.request.directions[0]])

    def __repr__(self) -> str:
        request = self.request
        names = ("shape", "axes", "algorithm", "norm", "twiddles", "layers")
        values = {name: getattr(request, name) for name in names}
        values |= {"storage": request.storage.name, "real": request.real}
        values |= {"kind": request.kind.name} if request.kind is not None else {}
        return f"Plan({', '.join(f'{name}={value!r}' for name, value in values.items())})"
