"""Numpy arrays in and out: `fft`, `ifft`, `fft2`, `ifft2`, with numpy's names and numpy's results in complex64.

Each call uploads, transforms and reads back, so it is for convenience and checks; in a frame, keep to textures and
`glfft.Plan`. Plans and textures of the last shapes are kept for the next call.
"""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.errors import LimitError, OptionError, ShapeError
from glfft.gl import ContextState, state_of
from glfft.plan import Plan, require_context
from glfft.request import FORWARD, INVERSE

_CARRIERS_KEPT = 8
_OPTIONS = ("algorithm", "twiddles")


def fft(
    array: npt.ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.complex64]:
    """The discrete Fourier transform along one axis, as numpy.fft.fft: sum of f[j] exp(-2 pi i jk/n).

    Args:
        array: real or complex, any number of dimensions; computed in float32.
        n: length of the transform, a power of two; the axis is cropped or padded with zeros to it. Default: its length.
        axis: the axis.
        norm: None or "backward" (no scaling), "ortho" (1/sqrt(n)), "forward" (1/n).
        ctx: the context to use; by default moderngl's current one, or a headless one opened at the first call.
        options: algorithm= and twiddles=, as for `glfft.Plan`.

    Returns:
        complex64, shaped as the input with `n` along the axis. NaN and infinity spread as in numpy.

    Raises:
        ShapeError: the length is no power of two, the array is empty, or there is no such axis.
        LimitError: it is longer than the device's textures.
        OptionError: an option or its value is not one of those allowed.
        ContextError: there is no OpenGL 4.3.
    """
    return _fft(array, n, axis, norm, FORWARD, ctx, options)


def ifft(
    array: npt.ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.complex64]:
    """The inverse of `fft`: exp(+2 pi i jk/n), scaled by 1/n for norm None or "backward", not at all for "forward"."""
    return _fft(array, n, axis, norm, INVERSE, ctx, options)


def fft2(
    array: npt.ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.complex64]:
    """The transform over two axes, as numpy.fft.fft2.

    Args:
        array: real or complex, two or more dimensions; computed in float32. Further axes are a batch.
        s: lengths of the transform along `axes`, powers of two; axes are cropped or padded with zeros to them.
        axes: two different axes.
        norm: None or "backward" (no scaling), "ortho" (1/sqrt(points)), "forward" (1/points).
        ctx: as in `fft`.
        options: as in `fft`.

    Returns:
        complex64, shaped as the input with `s` along the axes.

    Raises:
        As `fft`.
    """
    return _fft2(array, s, axes, norm, FORWARD, ctx, options)


def ifft2(
    array: npt.ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    ctx: moderngl.Context | None = None,
    **options: Any,
) -> npt.NDArray[np.complex64]:
    """The inverse of `fft2`, scaled by 1/points for norm None or "backward"."""
    return _fft2(array, s, axes, norm, INVERSE, ctx, options)


def _fft(
    array: npt.ArrayLike,
    n: int | None,
    axis: int,
    norm: str | None,
    direction: int,
    ctx: moderngl.Context | None,
    options: dict[str, Any],
) -> npt.NDArray[np.complex64]:
    data = _numbers(array, least_dimensions=1)
    if "axes" in options:
        raise OptionError("A transform along one axis takes axis=, not axes=; fft2 and ifft2 take axes=.")
    _check_options(options)
    (axis,) = _checked_axes(data, (axis,))
    data = _fit(data, axis, data.shape[axis] if n is None else n)
    lines = np.moveaxis(data, axis, -1)
    result = _transform_rows(lines.reshape(-1, lines.shape[-1]), norm, direction, require_context(ctx), options)
    return np.ascontiguousarray(np.moveaxis(result.reshape(lines.shape), -1, axis))


def _fft2(
    array: npt.ArrayLike,
    s: Sequence[int] | None,
    axes: Sequence[int],
    norm: str | None,
    direction: int,
    ctx: moderngl.Context | None,
    options: dict[str, Any],
) -> npt.NDArray[np.complex64]:
    data = _numbers(array, least_dimensions=2)
    _check_options(options)
    checked = _checked_axes(data, axes)
    if len(checked) != 2:
        raise ShapeError(f"axes is {tuple(axes)} and must be two axes.")
    lengths = [data.shape[axis] for axis in checked] if s is None else s
    if not np.iterable(lengths) or len(lengths) != 2:
        raise ShapeError(f"s is {s!r} and must be two lengths, one for each of the axes.")
    for axis, length in zip(checked, lengths, strict=True):
        data = _fit(data, axis, length)
    moved = np.moveaxis(data, checked, (-2, -1))
    shape = moved.shape
    carrier = _carrier(require_context(ctx), (shape[-2], shape[-1]), {**options, "norm": norm})
    result = np.empty(shape, np.complex64)
    for index in np.ndindex(shape[:-2]):
        result[index] = carrier.transform(moved[index], direction)
    return np.ascontiguousarray(np.moveaxis(result, (-2, -1), checked))


def _transform_rows(
    rows: npt.NDArray[np.complex64], norm: str | None, direction: int, ctx: moderngl.Context, options: dict[str, Any]
) -> npt.NDArray[np.complex64]:
    """Transform each row; more rows than a texture holds go in several textures."""
    options = {**options, "norm": norm, "axes": (1,)}
    at_once = state_of(ctx).limits.texture_size
    result = np.empty(rows.shape, np.complex64)
    for start in range(0, len(rows), at_once):
        part = rows[start : start + at_once]
        result[start : start + at_once] = _carrier(ctx, part.shape, options).transform(part, direction)
    return result


class _Carrier:
    """A plan and the texture that takes arrays to it and back."""

    def __init__(self, ctx: moderngl.Context, shape: tuple[int, int], options: dict[str, Any]) -> None:
        self._plan = Plan(ctx, shape, **options)
        self._texture = ctx.texture((shape[1], shape[0]), 2, dtype="f4")

    def transform(self, data: npt.NDArray[np.complex64], direction: int) -> npt.NDArray[np.complex64]:
        self._texture.write(np.ascontiguousarray(data).tobytes())
        run = self._plan.forward if direction == FORWARD else self._plan.inverse
        run(self._texture, self._texture, next_use="read")
        return np.frombuffer(self._texture.read(), np.complex64).reshape(data.shape)

    def release(self) -> None:
        self._plan.release()
        self._texture.release()


def _carrier(ctx: moderngl.Context, shape: tuple[int, int], options: dict[str, Any]) -> _Carrier:
    state: ContextState = state_of(ctx)
    carriers: OrderedDict[Any, _Carrier] = state.cache("carriers", OrderedDict)
    key = (shape, tuple(sorted((name, repr(value)) for name, value in options.items())))
    if key not in carriers:
        carriers[key] = _Carrier(ctx, shape, options)
        if len(carriers) > _CARRIERS_KEPT:
            carriers.popitem(last=False)[1].release()
    carriers.move_to_end(key)
    return carriers[key]


def _numbers(array: npt.ArrayLike, least_dimensions: int) -> npt.NDArray[np.complex64]:
    try:
        # Overflow to infinity in the conversion is the caller's data speaking, not a mistake to warn of.
        with np.errstate(over="ignore", invalid="ignore"):
            data = np.asarray(array).astype(np.complex64)
    except (TypeError, ValueError):
        raise ShapeError("The input is not an array of numbers; give something numpy can make one of.") from None
    if data.ndim < least_dimensions:
        raise ShapeError(
            f"The array has {data.ndim} dimensions and at least {least_dimensions} are needed; reshape it first."
        )
    if data.size == 0:
        raise ShapeError(f"The array of shape {data.shape} is empty; there is nothing to transform.")
    return data


def _check_options(options: dict[str, Any]) -> None:
    # Layers, storage and snippets say what textures a plan works on; here the textures are ours.
    for name in options:
        if name not in _OPTIONS:
            raise OptionError(
                f"Transforms of arrays have no option '{name}'; beside numpy's they take algorithm= and twiddles=."
            )


def _checked_axes(data: npt.NDArray[np.complex64], axes: Sequence[int]) -> tuple[int, ...]:
    try:
        axes = tuple(operator.index(axis) for axis in axes)
    except TypeError:
        raise ShapeError(f"axis is {axes!r} and an axis must be a whole number.") from None
    for axis in axes:
        if not -data.ndim <= axis < data.ndim:
            raise ShapeError(f"Axis {axis} does not exist in an array of {data.ndim} dimensions.")
    checked = tuple(axis % data.ndim for axis in axes)
    if len(set(checked)) != len(checked):
        raise ShapeError(f"axes is {tuple(axes)}: each axis can be transformed once.")
    return checked


def _fit(data: npt.NDArray[np.complex64], axis: int, length: int) -> npt.NDArray[np.complex64]:
    """Crop or zero-pad an axis, as numpy.fft does."""
    try:
        length = operator.index(length)
    except TypeError:
        raise ShapeError(f"A transform of length {length!r} is asked for; the length must be a whole number.") from None
    if length < 1:
        raise ShapeError(f"A transform of length {length} is asked for; the length must be at least 1.")
    if length & (length - 1):
        below = 1 << (length.bit_length() - 1)
        raise ShapeError(
            f"Axis {axis} would be {length} long, which is not a power of two; "
            f"pad to {2 * below} or crop to {below} (n= or s= does either)."
        )
    have = data.shape[axis]
    if length == have:
        return data
    if length < have:
        return data.take(range(length), axis)
    if length > _LONGEST:
        raise LimitError(f"A transform of length {length} is asked for; no texture is longer than {_LONGEST}.")
    widths = [(0, 0)] * data.ndim
    widths[axis] = (0, length - have)
    return np.pad(data, widths)


# Beyond any device's textures: padding stops here before it eats the memory.
_LONGEST = 1 << 20
