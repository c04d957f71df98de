"""Linear convolution of textures with a kernel: sizes, borders and cropping are worked out here."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from moderngl import Context

from glfft.arrays.fast_lengths import length_for_convolutions, next_smooth
from glfft.convolution import pictures
from glfft.convolution.pictures import Ints, Picture, check_texture, ivec2, make_texture, shape_of, snippet
from glfft.errors import OptionError, ShapeError, check_choice, check_flag
from glfft.gl.releasable import Keeper, Owner
from glfft.gl.timed import Sections
from glfft.plan import Plan

MODES = ("full", "same", "valid")
BOUNDARIES = ("zero", "wrap", "mirror", "edge")  # what plans have outside a region
# A spectrum times its kernel's, by whether each layer has a kernel of its own.
PRODUCT = {False: "snippets/multiply_by_texture", True: "convolution/multiply_by_layers"}
# The storage of the plan, whether it is real, and the channels, by the storage of the pictures.
STORED_AS = {
    "r32f": ("rg32f", True, 1), "rg32f": ("rg32f", False, 2), "rgba32f": ("rgba32f", False, 4),
    "r16f": ("rg16f", True, 1), "rg16f": ("rg16f", False, 2), "rgba16f": ("rgba16f", False, 4),
}  # fmt: skip
_PARTS = "convolve parts of the picture, which overlap by the kernel's size less 1, or use glfft.oaconvolve for arrays"


@dataclass(frozen=True)
class AxisRegion:
    """Where the picture and the result lie in the lines of one axis."""

    points: int  # the least length of the transform
    picture: slice  # the points of the transform that are the picture's
    result: slice  # and those that are the result's
    middle: int | None = None  # in a transform as long as the picture: the kernel's point that is at its first one


def axis_region(picture: int, kernel: int, mode: str, boundary: str) -> AxisRegion:
    """The shortest transform whose circular convolution is the right one where the result is read.

    A result at n of the full convolution needs the picture from n - kernel + 1 to n. Points of the full convolution
    that a shorter circular one folds back must not reach the result.
    """
    reach = kernel - 1
    whole = slice(0, picture)
    begin = {"full": 0, "same": reach // 2, "valid": reach}[mode]
    count = {"full": picture + reach, "same": picture, "valid": picture - reach}[mode]
    if boundary == "zero" or mode == "valid":
        points = max(picture, begin + count, picture + reach - begin)  # what folds back ends before the result
        return AxisRegion(points, whole, slice(begin, begin + count))
    if boundary == "wrap" and mode == "same" and kernel <= picture == next_smooth(picture, 7):
        return AxisRegion(picture, whole, whole, begin)
    first = reach - begin
    return AxisRegion(count + reach, slice(first, first + picture), slice(reach, reach + count))


class Convolution(Owner):
    """The convolution of pictures with a kernel, as scipy.signal.fftconvolve, on textures of one shape.

    Every channel of a picture is convolved with the kernel by itself. A picture may be a texture of any format that
    shaders read as floats: r32f, rgba16f, rgba8, sRGB (decoded), with missing channels as OpenGL fills them. The
    target's format may be another one that shaders can store: of 1, 2 or 4 channels, not sRGB. Row 0 is the first row
    of a texture's data, in pictures and kernels.

    Args:
        ctx: the context of the textures, with OpenGL 4.3 or later.
        picture_shape: (rows, columns), at least 1 each, as those of kernel_shape.
        mode: "same", as large as the picture, around the middle of the full result; "full", all places where picture
            and kernel overlap, rows + kernel rows - 1 and so on; "valid", those where the kernel lies in the picture.
        boundary: what lies outside the picture: "zero"; "wrap", the picture again; "mirror", its mirror image with the
            texels at the edge twice (numpy.pad's "symmetric"); "edge", the nearest texel.
        layers: number of pictures to convolve at once, as layers of texture arrays; None for 2-D textures.
        kernel_per_layer: True gives each layer a kernel of its own.
        storage: channels and precision of the numbers that are computed with: "r32f", "r16f", "rg32f", "rg16f",
            "rgba32f" or "rgba16f". Half precision takes half the memory and holds 11 bits of the brightest lights:
            darker places in line with those get streaks.
        real: False takes the channels (r, g), and (b, a), as complex numbers; the kernel may be complex then.
        flip: True computes scipy.signal.correlate(picture, kernel, mode): the kernel turned by 180°, and conjugated.
        algorithm: as for `glfft.Plan`, like wait.

    Attributes:
        output_shape: (rows, columns) of results.
        plan: the plan that convolves, with its `shape`, `explain()`, `tune()`, `settled` and so on.

    Raises ShapeError where a shape is not two numbers of at least 1, or in mode "valid" the kernel is larger than the
    picture, OptionError where an option has none of its values. Other errors are those of `glfft.Plan`.
    """

    def __init__(
        self,
        ctx: Context,
        picture_shape: Ints,
        kernel_shape: Ints,
        *,
        mode: str = "same",
        boundary: str = "zero",
        layers: int | None = None,
        kernel_per_layer: bool = False,
        storage: str = "r32f",
        real: bool = True,
        flip: bool = False,
        algorithm: str = "auto",
        wait: bool = True,
    ) -> None:
        super().__init__(ctx)
        self.picture_shape = shape_of("picture", picture_shape)
        self.kernel_shape = shape_of("kernel", kernel_shape)
        check_choice("mode", mode, MODES)
        check_choice("boundary", boundary, BOUNDARIES)
        plan_storage, plan_is_real, self._channels = STORED_AS[check_choice("storage", storage, tuple(STORED_AS))]
        real, flip = check_flag("real", real), check_flag("flip", flip)
        kernel_per_layer = check_flag("kernel_per_layer", kernel_per_layer)
        if plan_is_real and not real:
            raise OptionError(f"Complex pictures have two or four channels; storage '{storage}' has one.")
        if mode == "valid":
            pictures.check_within("kernel", self.kernel_shape, self.picture_shape, "mode 'valid' has no result then")
        if kernel_per_layer and layers is None:
            raise OptionError("Kernels for layers need layers=, the number of pictures.")
        self._layers = layers
        shapes = zip(self.picture_shape, self.kernel_shape, strict=True)
        regions = [axis_region(picture, kernel, mode, boundary) for picture, kernel in shapes]
        rows, columns = (each.result.stop - each.result.start for each in regions)
        self.output_shape, kind = (rows, columns), (plan_storage, plan_is_real)
        shape = tuple(
            each.points if each.middle is not None else length_for_convolutions(each.points, axis, *kind, ctx=ctx)
            for axis, each in enumerate(regions)
        )
        pictures.check_size(ctx, {"picture": self.picture_shape, "kernel": self.kernel_shape}, shape, _PARTS)
        product = snippet(PRODUCT[kernel_per_layer])
        if real and not plan_is_real:
            # A real kernel's spectrum is kept by half, also where complex pairs of channels have whole spectra.
            product = snippet("convolution/multiply_by_half", TRANSFORM=ivec2(shape), OWN_KERNELS=int(kernel_per_layer))
        # With this norm spectra of half floats stay as small as the picture.
        options: dict[str, Any] = {"norm": "forward", "layers": layers, "storage": plan_storage, "real": plan_is_real}
        options |= {"multiply": product, "directions": ["convolve"], **self._ends(regions, boundary)}
        self.plan = self._own(Plan(ctx, shape, **options, algorithm=algorithm, wait=wait))
        middle = regions[0].middle or 0, regions[1].middle or 0
        kernels: dict[str, Any] = {"layers": layers if kernel_per_layer else None, "is_complex": not real, "flip": flip}
        kernels |= {"middle": middle, "real": real, "algorithm": algorithm, "wait": wait}
        self._kernel = self._own(KernelSpectrum(ctx, shape, self.kernel_shape, **kernels))
        self.plan.set_uniforms(factor=self._kernel.spectrum)

    def _ends(self, regions: Sequence[AxisRegion], boundary: str) -> dict[str, Any]:
        """The plan's options about what it loads and what it stores."""
        source, target = [region.picture for region in regions], [region.result for region in regions]
        source_first, target_first = (ivec2([each.start for each in region]) for region in (source, target))
        shared: dict[str, Any] = {"CHANNELS": self._channels, "LAYER_BY_LAYER": 1}
        load = snippet("convolution/picture_load", PICTURE_FIRST=source_first, **shared)
        store = snippet("convolution/result_store", RESULT_FIRST=target_first, **shared)
        return {"source_region": source, "target_region": target, "boundary": boundary, "load": load, "store": store}

    def set_kernel(self, kernel: Picture | npt.ArrayLike) -> None:
        """Convolve with this kernel from the next run on. A texture costs one transform and never waits.

        Args:
            kernel: a texture whose channel r is the kernel (r and g with real=False), or an array [rows, columns], real
                or, with real=False, complex. After a shader's stores, a texture needs a texture fetch barrier before.

        Raises ShapeError for an array of another shape, TextureError for a texture of another size, OptionError for a
        complex array with real=True, and for what is neither texture nor array.
        """
        self._check_alive()
        self._kernel.set(kernel)

    def run(self, src: Picture, dst: Picture, next_use: str | None = None, profiler: Sections | None = None) -> None:
        """Convolve `src` into `dst`. It may be `src` where both shapes and formats allow it.

        Args:
            src: a texture of `picture_shape`; a texture array with layers=.
            dst: a texture of `output_shape`, with at least as many channels as storage= has.
            next_use: as for `glfft.Plan.forward`, like profiler.

        Raises OptionError where no kernel has been set or `next_use` is not allowed, TextureError where a texture has
        another kind, size or context, or the target too few channels.
        """
        self._check_alive()
        self._kernel.check_set()
        check_texture(src, "source", self.picture_shape, self.ctx, self._layers, by_plan=True)
        pictures.check_target(dst, self.output_shape, self.ctx, self._layers, self._channels)
        self.plan.set_uniforms(picture=src, target=dst)
        self.plan.convolve(None, None, next_use, profiler)


class KernelSpectrum(Keeper):
    """The spectrum of a kernel that lies at the first points of a transform, zeros elsewhere: rg32f, (real, imaginary).

    Args:
        shape: (rows, columns) of the transform, as kernel_shape.
        layers: number of kernels, in a texture array; None for one, in a 2-D texture.
        is_complex: whether kernels hold complex numbers.
        flip: True turns kernels by 180° and conjugates them.
        middle: the kernel's point that is at the transform's first one.
        options: of the plan, such as real= for half spectra.
    """

    def __init__(self, ctx: Context, shape: Ints, kernel_shape: tuple[int, int], *, layers: int | None = None,
                 is_complex: bool = False, flip: bool = False, middle: tuple[int, int] = (0, 0),
                 **options: Any) -> None:  # fmt: skip
        self._ctx, self._shape, self._layers, self._is_complex = ctx, kernel_shape, layers, is_complex
        where = {"KERNEL_SIZE": ivec2(kernel_shape), "KERNEL_MIDDLE": ivec2(middle)}
        load = snippet("convolution/kernel_load", **where, FLIP=int(flip), COMPLEX=int(is_complex))
        # A kernel larger than the picture may be larger than the transform: what is beyond it reaches no result.
        held = [slice(0, min(lengths)) for lengths in zip(kernel_shape, shape, strict=True)]
        region = held if middle == (0, 0) else None
        plan = Plan(ctx, shape, layers=layers, load=load, source_region=region, directions=["forward"], **options)
        self._plan = self._own(plan)
        self.spectrum = self._own(make_texture(ctx, plan.spectrum_shape, layers, 2))
        self._uploaded: Picture | None = None
        self._is_set = False

    def set(self, kernel: Picture | npt.ArrayLike) -> None:
        """Transform a kernel; see `Convolution.set_kernel`."""
        if isinstance(kernel, Picture):
            check_texture(kernel, "kernel", self._shape, self._ctx, self._layers, by_plan=True)
        else:
            kernel = self._upload(kernel)
        self._plan.set_uniforms(kernel=kernel)
        self._plan.forward(None, self.spectrum, next_use="sample")
        self._is_set = True

    def check_set(self) -> None:
        """Raise OptionError where there is no kernel."""
        if not self._is_set:
            raise OptionError("There is no kernel yet: call set_kernel before run.")

    def _upload(self, kernel: npt.ArrayLike) -> Picture:
        values = pictures.as_numbers("kernel", kernel)
        if values.dtype.kind not in "biufc":
            raise OptionError(f"The kernel must be a texture or an array of numbers, not {type(kernel).__name__}.")
        wanted = self._shape if self._layers is None else (self._layers, *self._shape)
        if values.shape != wanted:
            raise ShapeError(f"The kernel has the shape {values.shape} and must have {wanted}.")
        if values.dtype.kind == "c" and not self._is_complex:
            raise OptionError("The kernel is complex; make the convolution with real=False, or take its real part.")
        if self._uploaded is None:
            self._uploaded = self._own(make_texture(self._ctx, self._shape, self._layers, 1 + self._is_complex))
        with np.errstate(over="ignore"):
            self._uploaded.write(values.astype(np.complex64 if self._is_complex else np.float32).tobytes())
        return self._uploaded
