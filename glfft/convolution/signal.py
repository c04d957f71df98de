"""Convolution and correlation of numpy arrays, with scipy.signal's names and results.

Each call uploads, transforms and reads back; in a frame, use `glfft.Convolution`.
"""

import math
import operator
from collections.abc import Iterable
from typing import Any

import numpy as np
from moderngl import Context
from numpy.typing import ArrayLike, NDArray

from glfft.arrays import fftn, ifftn, irfftn, rfftn
from glfft.arrays.fast_lengths import next_fast_len
from glfft.arrays.kept_plans import at_work, kept
from glfft.convolution import MODES, Convolution
from glfft.convolution.pictures import Ints, as_numbers, make_texture
from glfft.errors import DataError, OptionError, ShapeError, check_choice, check_flag, shown, size_text
from glfft.gl.context import state_of
from glfft.gl.functions import errors_checked
from glfft.gl.releasable import Keeper, released_on_error

Axes = int | Ints | None
Numbers = NDArray[np.inexact]
_Checked = tuple[Numbers, Numbers, list[int]]

# From so many numbers on, a convolution of its own is compiled for two arrays: it gains more than that takes. Fewer go
# through the plans of their padded lengths, which serve other arrays too.
_MANY = 1 << 16
# Blocks of the longer array are so many times as long as the shorter one: less is computed twice, more is kept.
_BLOCK = 4
_FLAT = 1e-12  # what rounding leaves of no contrast, as a share of a window's sum of squares
_SMALL = 1e-3  # numbers below this share of the greatest get a transform of their own where it matters


def fftconvolve(in1: ArrayLike, in2: ArrayLike, mode: str = "full", axes: Axes = None, *,
                ctx: Context | None = None, precision: str = "single") -> Numbers:  # fmt: skip
    """The convolution of two arrays, as scipy.signal.fftconvolve.

    Args:
        in1: real or complex numbers, as in2, with as many dimensions. Lengths off the axes are equal, or 1.
        mode: "full", every place where the arrays overlap; "same", as large as `in1` around the middle of that;
            "valid", the places where one lies within the other.
        axes: the axes to convolve along; None for all.
        ctx: as for `glfft.fft`, like precision.

    Returns float32, or complex64 of complex numbers; float64 and complex128 in double precision. Empty if an input is.

    Raises ShapeError where the arrays differ in dimensions or off the axes, or in mode "valid" neither lies within the
    other, OptionError where `mode` is none of these, or an axis does not exist or comes twice. Else as `glfft.fft`.
    """
    first, second, along = _checked(in1, in2, mode, axes)
    if first.size == 0 or second.size == 0:
        return np.array([])
    found = _by_textures(first, second, mode, along, ctx) if precision == "single" else None
    if found is not None:
        return found
    return _part(_full(first, second, along, ctx, precision), first.shape, second.shape, mode, along)


def correlate(in1: ArrayLike, in2: ArrayLike, mode: str = "full", *, normalised: bool = False,
              ctx: Context | None = None, precision: str = "single") -> Numbers:  # fmt: skip
    """The cross-correlation of two arrays, as scipy.signal.correlate: sum over l of in1[l] conj(in2[l - k]).

    In mode "full" the lag 0 is at in2.shape - 1 of the result. Arguments, result and errors are as for `fftconvolve`.

    Args:
        normalised: True takes the mean off `in2` and off the part of `in1` under it, and divides by the root of the
            product of their sums of squares (Lewis, Fast normalized cross-correlation, 1995): from -1 to 1, and 1 where
            `in1` is `in2` but for brightness and contrast; 0 where that part has one value everywhere. Outside `in1`
            are zeros. In mode "valid" this is scikit-image's match_template, and `in2` must lie within `in1`. Raises
            DataError where a number is complex, NaN or infinite, or `in2` has one value everywhere.
    """
    if check_flag("normalised", normalised):
        return _normalised(in1, in2, mode, ctx, precision)
    first, second, _ = _checked(in1, in2, mode, None, whole=True)
    turned = np.flip(second.conj() if second.dtype.kind == "c" else second)
    return fftconvolve(first, turned, mode, ctx=ctx, precision=precision)


def _normalised(in1: ArrayLike, in2: ArrayLike, mode: str, ctx: Context | None, precision: str) -> Numbers:
    first, second, along = _checked(in1, in2, mode, None)
    if first.size == 0 or second.size == 0:
        return np.array([])
    if any(each.dtype.kind not in "biuf" or not np.isfinite(each).all() for each in (first, second)):
        raise DataError("A normalised correlation takes real numbers without NaN and infinity; replace those.")
    if mode == "valid" and any(t > f for t, f in zip(second.shape, first.shape, strict=True)):
        raise ShapeError(f"The template {second.shape} is larger than the array {first.shape}; crop it.")
    # No scale changes scores, and squares and products would overflow at some.
    first, second = (each / (np.abs(each).max() or 1.0) for each in map(np.float64, (first, second)))
    if np.ptp(second) == 0:
        raise DataError("The template has one value everywhere, which can be anywhere; choose another.")
    template = (second - second.mean()) / np.linalg.norm(second - second.mean())
    # Around the median, which a few numbers far off do not draw along, those near it keep their digits.
    offset, count, inside = float(np.median(first)), second.size, mode == "valid"
    outside = [(0, 0) if inside else (n - 1, n - 1) for n in second.shape]
    centred = np.pad(first - offset, outside, constant_values=-offset)
    sums, squares = (_window_sums(each, second.shape) for each in (centred, centred * centred))
    spread = np.maximum(squares - sums * sums / count, 0.0)
    is_flat = spread <= np.maximum(_FLAT * squares, count * (1e-15 * offset) ** 2)
    # The template's numbers add up to 0, so that the mean adds rounding only.
    products = _window_products(centred, template, ~is_flat, ctx, precision)
    scores = np.clip(np.where(is_flat, 0, products) / np.sqrt(np.where(is_flat, 1, spread)), -1, 1)
    scores = scores.astype(np.float32 if precision == "single" else np.float64)
    return scores if inside else _part(scores, first.shape, second.shape, mode, along)


def _window_products(
    values: Numbers, template: Numbers, wanted: NDArray[np.bool_], ctx: Context | None, precision: str
) -> Numbers:
    """The sum of products with a template over each window that is wanted. A transform spreads the rounding of great
    numbers over all windows: those without one are left to one of the smaller numbers.
    """
    products = np.zeros(wanted.shape)
    while True:
        greatest = float(np.abs(values).max()) or 1.0
        is_great = np.abs(values) > greatest * _SMALL
        holds_great = _window_sums(is_great, template.shape) > 0
        wanted = wanted & ~holds_great
        is_last = not (is_great.any() and wanted.any())
        part = values if is_last else np.where(is_great, values, 0.0)
        found = fftconvolve(part / greatest, np.flip(template), "valid", ctx=ctx, precision=precision)
        products += np.where(holds_great | is_last, found, 0.0) * greatest
        if is_last:
            return products
        values = values - part


def _window_sums(values: NDArray[Any], window: Ints) -> NDArray[Any]:
    """The sum over the window that begins at each place, where it lies within; numbers outside leave no rounding."""
    for axis, length in enumerate(window):
        lines, sums, run, summed = np.moveaxis(values, axis, 0), np.zeros(()), 1, 0
        places = len(lines) - length + 1
        # `lines` has sums of `run` numbers, a power of 2; a window is one of each power that its length is made of.
        while summed < length:
            if length & run:
                sums = sums + lines[summed : summed + places]
                summed += run
            lines, run = lines[:-run] + lines[run:], 2 * run
        values = np.moveaxis(sums, 0, axis)
    return values


def oaconvolve(in1: ArrayLike, in2: ArrayLike, mode: str = "full", axes: Axes = None, *,
               ctx: Context | None = None, precision: str = "single") -> Numbers:  # fmt: skip
    """`fftconvolve` in blocks of the longer array that overlap and add, as scipy.signal.oaconvolve. It needs less
    memory on the device where one array is much longer than the other, and transforms fewer points.
    """
    first, second, along = _checked(in1, in2, mode, axes)
    if first.size == 0 or second.size == 0:
        return np.array([])
    is_shorter = any(second.shape[axis] > first.shape[axis] for axis in along)
    longer, shorter = (second, first) if is_shorter else (first, second)
    blocks = {axis: next_fast_len(_BLOCK * shorter.shape[axis], ctx=ctx) for axis in along}
    fits = all(shorter.shape[axis] <= longer.shape[axis] for axis in along)
    whole = not fits or all(longer.shape[axis] + shorter.shape[axis] - 1 <= blocks[axis] for axis in along)
    full = _full(first, second, along, ctx, precision) if whole else _by_blocks(longer, shorter, blocks, ctx, precision)
    return _part(full, first.shape, second.shape, mode, along)


class _PictureConvolution(Keeper):
    """A convolution of arrays of two axes, with textures that they are uploaded to and read back from."""

    def __init__(self, ctx: Context, first: Ints, second: Ints, mode: str, real: bool) -> None:
        storage = "r32f" if real else "rg32f"
        self._convolution = self._own(Convolution(ctx, first, second, mode=mode, storage=storage, real=real))
        self._kernel: Numbers | None = None
        self._type, self._shape = np.float32 if real else np.complex64, self._convolution.output_shape
        shapes, doing = (first, self._shape), f"making textures for the convolution of {size_text(first)} numbers"
        with released_on_error([self]), errors_checked(ctx, doing):
            self._textures = [self._own(make_texture(ctx, shape, None, 1 if real else 2)) for shape in shapes]
        texels = sum(texture.width * texture.height for texture in self._textures)
        # Spectra of the array and of the kernel are complex.
        self.bytes = np.dtype(self._type).itemsize * texels + 2 * 8 * math.prod(self._convolution.plan.spectrum_shape)

    def __call__(self, first: Numbers, second: Numbers) -> Numbers:
        source, target = self._textures
        result = np.empty(self._shape, self._type)
        # Overflow to infinity is what the data says, not a mistake to warn of.
        with np.errstate(over="ignore", invalid="ignore"):
            source.write(np.ascontiguousarray(first, self._type))
            kernel = second.astype(self._type)
        if self._kernel is None or not np.array_equal(kernel, self._kernel):
            self._kernel = None  # stays None if the transform fails
            self._convolution.set_kernel(kernel)
            self._kernel = kernel
        self._convolution.run(source, target, next_use="read")
        target.read_into(result)
        return result


def _by_textures(first: Numbers, second: Numbers, mode: str, axes: list[int], ctx: Context | None) -> Numbers | None:
    """The convolution of large arrays of two axes without a way back for the spectra; None for others."""
    are_numbers = all(each.dtype.kind in "biufc" for each in (first, second))
    if first.ndim != 2 or len(axes) != 2 or max(first.size, second.size) < _MANY or not are_numbers:
        return None
    if mode == "valid":
        first, second = sorted((first, second), key=np.size, reverse=True)
        if any(b > a for a, b in zip(first.shape, second.shape, strict=True)):
            return None
    real = not np.iscomplexobj(first) and not np.iscomplexobj(second)
    with at_work(ctx) as used:
        # Lengths to pad to are up to an eighth longer.
        if 9 * max(map(operator.add, first.shape, second.shape)) // 8 > state_of(used).limits.texture_size:
            return None
        key = ("convolution", first.shape, second.shape, mode, real)
        return kept(used, key, lambda: _PictureConvolution(used, first.shape, second.shape, mode, real))(first, second)


def _full(first: Numbers, second: Numbers, axes: Ints, ctx: Context | None, precision: str) -> Numbers:
    """The whole convolution along axes; along others, and axes where one array has a single point, a product."""
    lengths = [first.shape[axis] + second.shape[axis] - 1 for axis in axes]
    product = _product(first, second, axes, [next_fast_len(length, ctx=ctx) for length in lengths], ctx, precision)
    whole = dict(zip(axes, lengths, strict=True))
    return product[tuple(slice(whole.get(axis)) for axis in range(product.ndim))]


def _product(first: Numbers, second: Numbers, axes: Ints, s: Ints, ctx: Context | None, precision: str) -> Numbers:
    """The circular convolution of arrays padded with zeros to the lengths `s` along axes."""
    is_complex = np.iscomplexobj(first) or np.iscomplexobj(second)
    # Over no axes, numbers are checked and converted alone.
    forward, inverse = (fftn, ifftn) if is_complex or not axes else (rfftn, irfftn)
    spectra = [forward(each, s, axes, ctx=ctx, precision=precision) for each in (first, second)]
    with np.errstate(over="ignore", invalid="ignore"):  # as where there are textures
        product = inverse(spectra[0] * spectra[1], s, axes, ctx=ctx, precision=precision)
    return product if is_complex or axes else product.real


def _by_blocks(
    longer: Numbers, shorter: Numbers, blocks: dict[int, int], ctx: Context | None, precision: str
) -> Numbers:
    """The whole convolution: each axis becomes two, of blocks and of points in a block; the tails of blocks add up."""
    steps = {axis: length - shorter.shape[axis] + 1 for axis, length in blocks.items()}
    counts = {axis: -(-longer.shape[axis] // step) for axis, step in steps.items()}
    padding = [(0, counts[axis] * steps[axis] - n if axis in blocks else 0) for axis, n in enumerate(longer.shape)]
    parted, kernel, within = [], [], []
    for axis, length in enumerate(longer.shape):
        if axis in blocks:
            parted.append(counts[axis])
            kernel.append(1)
            within.append(len(parted))
        parted.append(steps.get(axis, length))
        kernel.append(shorter.shape[axis])
    pieces = np.pad(longer, padding).reshape(parted)
    found = _product(pieces, shorter.reshape(kernel), within, list(blocks.values()), ctx, precision)
    # From the last axis on, so that the places of those before stay. Sums may overflow too.
    with np.errstate(over="ignore", invalid="ignore"):
        for axis, place in reversed(list(zip(blocks, within, strict=True))):
            found = _overlapped(found, place, steps[axis], longer.shape[axis] + shorter.shape[axis] - 1)
    return found


def _overlapped(found: Numbers, axis: int, step: int, length: int) -> Numbers:
    """Blocks along the axis before, with their points along this one, added up at multiples of `step`."""
    moved = np.moveaxis(found, (axis - 1, axis), (0, 1))
    count, points = moved.shape[:2]
    total = np.zeros((max(length, (count - 1) * step + points), *moved.shape[2:]), moved.dtype)
    for index, block in enumerate(moved):
        total[index * step : index * step + points] += block
    return np.moveaxis(total[:length], 0, axis - 1)


def _part(full: Numbers, first: Ints, second: Ints, mode: str, axes: Ints) -> Numbers:
    """What a mode keeps, around the middle of the whole convolution."""
    kept = list(first if mode == "same" else full.shape)
    for axis in axes if mode == "valid" else ():
        kept[axis] = abs(first[axis] - second[axis]) + 1
    begins = [(whole - part) // 2 for whole, part in zip(full.shape, kept, strict=True)]
    return full[tuple(slice(begin, begin + part) for begin, part in zip(begins, kept, strict=True))]


def _checked(in1: ArrayLike, in2: ArrayLike, mode: str, axes: Axes, whole: bool = False) -> _Checked:
    first, second = as_numbers("first", in1), as_numbers("second", in2)
    check_choice("mode", mode, MODES)
    if first.ndim != second.ndim:
        raise ShapeError(f"The arrays have {first.ndim} and {second.ndim} dimensions, and need as many.")
    given = range(first.ndim) if axes is None else axes if isinstance(axes, Iterable) else [axes]
    try:
        along = sorted(range(first.ndim)[operator.index(axis)] for axis in given)
    except (TypeError, IndexError):
        raise OptionError(f"The axes are {shown(axes)}; the arrays have {first.ndim}.") from None
    if len({*along}) < len(along) or (first.ndim and not along):
        raise OptionError(f"The axes are {shown(axes)}; give one or more, each once.")
    sides = zip(range(first.ndim), first.shape, second.shape, strict=True) if first.size and second.size else ()
    for axis, a, b in (many := [each for each in sides if whole or 1 not in each[1:]]):
        if a != b and axis not in along:
            wanted = "which is not convolved; make them equal, or one of them 1."
            raise ShapeError(f"The arrays have {a} and {b} points along axis {axis}, {wanted}")
    # Off the axes and, but in correlations, where one has a single point, each number is multiplied, as by scipy.
    apart = [a - b for axis, a, b in many if axis in along]
    if mode == "valid" and min(apart, default=0) < 0 < max(apart, default=0):
        raise ShapeError("In mode 'valid' one array must be at least as long as the other along every axis.")
    return first, second, along
