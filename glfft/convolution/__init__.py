"""Linear convolution of textures with a kernel: sizes, borders and cropping are worked out here."""

import itertools
import operator
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from moderngl import Context, InvalidObject, Texture, TextureArray

from glfft.arrays.fast_lengths import length_for_convolutions, next_smooth
from glfft.errors import DataError, LimitError, OptionError, ShapeError, TextureError, check_choice, shown, size_text
from glfft.gl.bindings import source_texture_unit
from glfft.gl.context import state_of
from glfft.gl.releasable import Keeper, Owner
from glfft.gl.textures import Completeness
from glfft.gl.timed import Sections
from glfft.plan import Plan

Picture = Texture | TextureArray
Ints = Sequence[int]

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
        if not all(isinstance(each, int | np.bool_) and each in (0, 1) for each in (real, flip, kernel_per_layer)):
            raise OptionError("The options real, flip and kernel_per_layer must be True or False.")
        if plan_is_real and not real:
            raise OptionError(f"Complex pictures have two or four channels; storage '{storage}' has one.")
        if mode == "valid":
            check_within("kernel", self.kernel_shape, self.picture_shape, "mode 'valid' has no result then")
        if kernel_per_layer and layers is None:
            raise OptionError("Kernels for layers need layers=, the number of pictures.")
        self._layers, kernel_layers = layers, layers if kernel_per_layer else None
        shapes = zip(self.picture_shape, self.kernel_shape, strict=True)
        regions = [axis_region(picture, kernel, mode, boundary) for picture, kernel in shapes]
        source, target = [region.picture for region in regions], [region.result for region in regions]
        self.output_shape = target[0].stop - target[0].start, target[1].stop - target[1].start
        kind = plan_storage, plan_is_real
        shape = tuple(
            each.points if each.middle is not None else length_for_convolutions(each.points, axis, *kind, ctx=ctx)
            for axis, each in enumerate(regions)
        )
        middle = regions[0].middle or 0, regions[1].middle or 0
        check_size(ctx, {"picture": self.picture_shape, "kernel": self.kernel_shape}, shape, _PARTS)
        product = snippet(PRODUCT[kernel_per_layer])
        if real and not plan_is_real:
            # A real kernel's spectrum is kept by half, also where complex pairs of channels have whole spectra.
            product = snippet("convolution/multiply_by_half", TRANSFORM=ivec2(shape), OWN_KERNELS=int(kernel_per_layer))
        shared: dict[str, Any] = {"CHANNELS": self._channels, "LAYER_BY_LAYER": 1}
        source_first, target_first = (ivec2([each.start for each in region]) for region in (source, target))
        load = snippet("convolution/picture_load", PICTURE_FIRST=source_first, **shared)
        store = snippet("convolution/result_store", RESULT_FIRST=target_first, **shared)
        ends: dict[str, Any] = {"source_region": source, "target_region": target, "boundary": boundary}
        # With this norm spectra of half floats stay as small as the picture.
        options: dict[str, Any] = {"norm": "forward", "layers": layers, "storage": plan_storage, "real": plan_is_real}
        options |= {"load": load, "store": store, "multiply": product, "directions": ["convolve"]}
        of_both: dict[str, Any] = {"algorithm": algorithm, "wait": wait}
        self.plan = self._own(Plan(ctx, shape, **ends, **options, **of_both))
        of_both["real"] = real
        kernel = (self.kernel_shape, kernel_layers, real, flip, of_both, middle)
        self._kernel = self._own(KernelSpectrum(ctx, shape, *kernel))
        self.plan.set_uniforms(factor=self._kernel.spectrum)

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
        check_target(dst, self.output_shape, self.ctx, self._layers, self._channels)
        self.plan.set_uniforms(picture=src, target=dst)
        self.plan.convolve(None, None, next_use, profiler)


class KernelSpectrum(Keeper):
    """The spectrum of a kernel that lies at the first points of a transform, zeros elsewhere: rg32f, (real, imaginary).
    The kernel's `middle` is at the transform's first point; shapes are (rows, columns). `layers` kernels are in a
    texture array; with None it is one, in a 2-D texture. `options` of the plan, such as real= for half spectra.
    """

    def __init__(self, ctx: Context, shape: Ints, kernel_shape: tuple[int, int], layers: int | None, real: bool,
                 flip: bool, options: dict[str, Any], middle: tuple[int, int] = (0, 0)) -> None:  # fmt: skip
        self._ctx, self._shape, self._layers, self._real = ctx, kernel_shape, layers, real
        where = {"KERNEL_SIZE": ivec2(kernel_shape), "KERNEL_MIDDLE": ivec2(middle)}
        load = snippet("convolution/kernel_load", **where, FLIP=int(flip), COMPLEX=int(not real))
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
        values = as_numbers("kernel", kernel)
        if values.dtype.kind not in "biufc":
            raise OptionError(f"The kernel must be a texture or an array of numbers, not {type(kernel).__name__}.")
        wanted = self._shape if self._layers is None else (self._layers, *self._shape)
        if values.shape != wanted:
            raise ShapeError(f"The kernel has the shape {values.shape} and must have {wanted}.")
        if values.dtype.kind == "c" and self._real:
            raise OptionError("The kernel is complex; make the convolution with real=False, or take its real part.")
        if self._uploaded is None:
            self._uploaded = self._own(make_texture(self._ctx, self._shape, self._layers, 1 if self._real else 2))
        self._uploaded.write(np.ascontiguousarray(values, np.float32 if self._real else np.complex64).tobytes())
        return self._uploaded


def snippet(name: str, **defines: object) -> str:
    """A snippet of a file with these constants."""
    return "".join(f"#define {define} {value}\n" for define, value in defines.items()) + f'#include "{name}.glsl"\n'


def check_within(what: str, shape: Ints, picture: Ints, advice: str) -> None:
    """Make sure that a kernel or template is at most as large as a picture. Raises ShapeError if not."""
    if any(own > most for own, most in zip(shape, picture, strict=True)):
        sizes = size_text(shape), size_text(picture)
        raise ShapeError(f"The {what} {sizes[0]} is larger than the picture {sizes[1]} (rows x columns); {advice}.")


def check_size(ctx: Context, given: Mapping[str, Ints], transform: Ints, advice: str) -> None:
    """Raise LimitError, ending with the advice, where textures do not hold what is given by name, or its transform."""
    most = state_of(ctx).limits.texture_size
    if max(*transform, *itertools.chain(*given.values())) > most:
        sizes = " and ".join(f"the {name} {size_text(shape)}" for name, shape in given.items())
        takes = f"{sizes.capitalize()} (rows x columns) take a transform of {size_text(transform)}"
        raise LimitError(f"{takes}, and this device's textures have at most {most} rows and columns; {advice}.")


def ivec2(rows_and_columns: Ints) -> str:
    """GLSL of (columns, rows)."""
    rows, columns = rows_and_columns
    return f"ivec2({columns}, {rows})"


def make_texture(ctx: Context, shape: Ints, layers: int | None, channels: int) -> Picture:
    """A texture of float32, (rows, columns), or an array of them."""
    make: Any = ctx.texture if layers is None else ctx.texture_array
    return make(shape[::-1] if layers is None else (*shape[::-1], layers), channels, dtype="f4")


def check_texture(
    texture: Any, role: str, shape: tuple[int, int], ctx: Context, layers: int | None = None, by_plan: bool = False
) -> None:
    """Raise TextureError for no texture of (rows, columns), or array of them, in ctx; by_plan, snippets check more."""
    wanted = shape[::-1] if layers is None else (*shape[::-1], layers)
    kind = Texture if layers is None else TextureArray
    if not isinstance(texture, kind):
        raise TextureError(f"The {role} must be a moderngl.{kind.__name__}, not {type(texture).__name__}.")
    if tuple(texture.size) != wanted:
        have, want = size_text(texture.size), size_text(wanted)
        raise TextureError(f"The {role} is {have} and must be {want}, in columns x rows.")
    if isinstance(texture.mglo, InvalidObject) or texture.ctx is not ctx:
        raise TextureError(f"The {role} has been released, or belongs to another context than this; make a new one.")
    levels = state_of(ctx).cache("levels", lambda: Completeness(ctx, source_texture_unit(state_of(ctx).limits)))
    if not (levels.begins_at_first(texture) and (by_plan or levels.of(texture))):
        raise TextureError(f"The {role} begins at a smaller mipmap or lacks those of its filter; call build_mipmaps().")
    if texture.dtype[0] in "iu" or getattr(texture, "samples", 0):
        raise TextureError(f"The {role} must be of floats or normalised numbers ('f1', 'f2', 'f4'), with one sample.")
    no_image = role == "target" and (texture.components == 3 or not levels.takes_stores(texture))
    if (getattr(texture, "depth", False) or no_image) and not by_plan:
        raise TextureError(f"The {role} must not be a depth texture; a target has 1, 2 or 4 channels and is not sRGB.")


def check_target(texture: Any, shape: tuple[int, int], ctx: Context, layers: int | None, channels: int) -> None:
    """Make sure that a result of so many channels has room in a texture or an array. Raises TextureError if not."""
    check_texture(texture, "target", shape, ctx, layers, by_plan=True)
    if texture.components < channels:
        have = f"The target has {texture.components} of the {channels} channels of the result"
        raise TextureError(f"{have}; take a texture with {channels}, or a storage= with fewer.")


def shape_of(name: str, given: Ints) -> tuple[int, int]:
    """(rows, columns) as given. Raises ShapeError where they are not two numbers of at least 1."""
    try:
        rows, columns = (operator.index(length) for length in given)
    except (TypeError, ValueError):
        raise ShapeError(f"The {name}'s shape is {shown(given)} and must be (rows, columns).") from None
    if rows < 1 or columns < 1:
        raise ShapeError(f"The {name} is {size_text((rows, columns))}; it needs at least one row and one column.")
    return rows, columns


@contextmanager
def uploaded(ctx: Context, *pictures: npt.NDArray[np.float32]) -> Iterator[list[Texture]]:
    """Textures of pictures, [rows, columns] or [rows, columns, channels], inside the `with` block."""
    with Keeper() as keeper:
        sizes = [(each.shape[1::-1], each.shape[2] if each.ndim > 2 else 1) for each in pictures]
        made = (ctx.texture(*size, each, dtype="f4") for size, each in zip(sizes, pictures, strict=True))
        yield [keeper._own(each) for each in made]


def as_numbers(name: str, given: npt.ArrayLike) -> npt.NDArray[Any]:
    """An array of what is given. Raises ShapeError where its rows differ in length."""
    try:
        return np.asarray(given)
    except ValueError:
        raise ShapeError(f"The {name} array has rows of different lengths; make them equal.") from None


def picture_array(name: str, given: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """Finite real numbers [rows, columns] as float32. ShapeError, OptionError or DataError: other numbers."""
    values = as_numbers(name, given)
    if values.dtype.kind not in "biuf":
        raise OptionError(f"The {name} array must hold real numbers, not {values.dtype}.")
    if values.ndim != 2 or values.size == 0:
        raise ShapeError(f"The {name} array has the shape {values.shape}; give rows and columns of one channel.")
    with np.errstate(over="ignore"):
        numbers = np.ascontiguousarray(values, np.float32)
    if not np.isfinite(numbers).all():
        raise DataError(f"The {name} array has a NaN or an infinity; replace it by a number.")
    return numbers
