"""Calls of array functions: what is given is checked, cut or padded to its lengths, and transformed step by step."""

import math
import operator
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glfft.algorithms.registry import check_algorithm
from glfft.arrays import kept_plans
from glfft.arrays.transform import Options, Transform, steps_over, with_lengths
from glfft.engine.request import FORWARD, INVERSE, NORMS, TWIDDLES
from glfft.errors import ComplexDataError, LimitError, ShapeError, check_choice, require, shown, whole_number

Ints = Sequence[int]
Axes = Ints | int | None
Array = NDArray[Any]
PRECISIONS = ("single", "double")

# The longest transform there is, and the most numbers that an array is padded to: more would eat the memory.
LONGEST = 1 << 27
_MOST_PADDED = 1 << 31

# Letters of numpy's types: objects may be numbers too. Text and dates convert, but numpy's transforms refuse them.
_KINDS_OF_NUMBERS = "biufcO"

# hfft is forward by its sign and undoes ihfft: each norm scales the other direction than it does elsewhere.
_MIRRORED_NORMS = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}
_COUNTS = {1: "one length", 2: "two lengths", 3: "three lengths"}


def along_axis(
    kind: Transform, array: ArrayLike, n: int | None, axis: int, norm: str | None, options: Options
) -> Array:
    """A transform of an array along one axis; arguments and errors as in `glfft.arrays`."""
    kind = _with_options(kind, norm, options)
    data = _numbers(array, 1, kind)
    axes = _checked_axes(data, (axis,))
    return _transformed(kind, data, axes, None if n is None else [_checked_length(n, axes[0])], options)


def over_axes(kind: Transform, array: ArrayLike, s: Axes, axes: Axes, norm: str | None, options: Options) -> Array:
    """The same over several axes; the last one is halved where the transform halves one."""
    kind = _with_options(kind, norm, options)
    data = _numbers(array, 0, kind)
    given = None if s is None else _sequence(s)
    if axes is None:
        count = data.ndim if given is None else len(given)
        if count > data.ndim:
            raise ShapeError(f"s is {shown(given)} and the array has only {data.ndim} dimensions; give fewer lengths.")
        axes = range(data.ndim - count, data.ndim)
    checked = _checked_axes(data, _sequence(axes))
    lengths = None
    if given is not None:
        count = _COUNTS.get(len(checked), f"{len(checked)} lengths")
        require(len(given) == len(checked), "s", s, f"{count}, one for each of the axes", ShapeError)
        lengths = [
            _checked_length(data.shape[axis] if whole_number(length) == -1 else length, axis)
            for length, axis in zip(given, checked, strict=True)
        ]
    if checked:
        return _transformed(kind, data, checked, lengths, options)
    if kind.real:
        raise ShapeError("No axis is given, and a transform between real numbers and half spectra needs one.")
    return data.copy()


def _transformed(kind: Transform, data: Array, axes: Ints, lengths: list[int] | None, options: Options) -> Array:
    """The transform of numbers over checked axes; `lengths` None for the array's own."""
    if lengths is None:
        have = [data.shape[axis] for axis in axes]
        have[-1] = kind.default_length(have[-1])
        lengths = [_checked_length(length, axis) for length, axis in zip(have, axes, strict=True)]
    for axis, length in zip(axes, lengths, strict=True):
        if kind.kind is not None and length < kind.kind.fewest_points:
            asked = f"A cosine transform of type {kind.kind.type} and length {length} along axis {axis} is asked for"
            raise ShapeError(f"{asked}; it is not defined for fewer than {kind.kind.fewest_points} points.")
    source = [*lengths[:-1], kind.source_length(lengths[-1])]
    if math.prod(with_lengths(data.shape, axes, source)) > max(_MOST_PADDED, data.size):
        raise LimitError(f"Lengths of {tuple(lengths)} are asked for; an array of that size does not fit in memory.")
    target = with_lengths(data.shape, axes, [*lengths[:-1], kind.target_length(lengths[-1])])
    if kind.kind is not None and np.iscomplexobj(data):
        result = np.empty(target, kind.complex_type)
        parts = np.stack((np.real(data), np.imag(data)))
        result.real, result.imag = _transformed(kind, parts, tuple(axis + 1 for axis in axes), lengths, options)
        return result
    if not math.prod(target):
        return np.empty(target, kind.target_type)
    for axis, length in zip(axes, source, strict=True):
        data = _fit(data, axis, length)
    if kind.mirrored:
        kind = replace(kind, norm=_MIRRORED_NORMS[kind.norm])
        data = data.conj() if kind.direction == INVERSE else data
    with kept_plans.at_work(options[0]) as used:
        for step in steps_over(kind, axes, lengths, kept_plans.most_in_a_buffer(used, kind)):
            data = kept_plans.run_step(step, data, used)
    if kind.mirrored and kind.direction == FORWARD:
        data = data.conj()
    return np.ascontiguousarray(data)


def _with_options(kind: Transform, norm: str | None, options: Options) -> Transform:
    # Before any length, as in scipy, and also where there is nothing to transform.
    _, algorithm, twiddles, precision = options
    if norm is not None:
        check_choice("norm", norm, NORMS)
    return replace(
        kind,
        norm=norm,
        algorithm=check_algorithm(algorithm),
        twiddles=check_choice("twiddles", twiddles, TWIDDLES),
        double=check_choice("precision", precision, PRECISIONS) == "double",
    )


def _numbers(array: ArrayLike, least: int, kind: Transform) -> Array:
    try:
        data = np.asarray(array)
        if data.dtype.kind not in _KINDS_OF_NUMBERS or (data.dtype == object and None in data.ravel().tolist()):
            raise TypeError  # None would become NaN
        if kind.real and kind.direction == FORWARD and np.iscomplexobj(data):
            raise ComplexDataError("The array is complex and this transform takes real numbers; use fft, fft2 or fftn.")
        # Overflow to infinity in the conversion is the caller's data speaking, not a mistake to warn of.
        with np.errstate(over="ignore", invalid="ignore"):
            split = kind.kind is not None and np.iscomplexobj(data)
            data = data.astype(kind.complex_type if split else kind.source_type, copy=False)
    except ComplexDataError:
        raise
    except (TypeError, ValueError, OverflowError):
        raise ShapeError("The input is not an array of numbers; give numbers that numpy can convert to one.") from None
    if data.ndim < least:
        raise ShapeError(f"The array has {data.ndim} dimensions and at least {least} are needed; reshape it first.")
    return data


def _sequence(given: Any) -> tuple[Any, ...]:
    """One number is a sequence of one, as in scipy."""
    return tuple(given) if np.iterable(given) else (given,)


def _checked_axes(data: Array, axes: Ints) -> tuple[int, ...]:
    try:
        axes = tuple(operator.index(axis) for axis in axes)
    except TypeError:
        raise ShapeError(f"axis is {shown(axes)} and an axis must be a whole number.") from None
    for axis in axes:
        if not -data.ndim <= axis < data.ndim:
            raise ShapeError(f"Axis {axis} does not exist in an array of {data.ndim} dimensions.")
    checked = tuple(axis % data.ndim for axis in axes)
    if len(set(checked)) != len(checked):
        raise ShapeError(f"axes is {axes}: each axis can be transformed once.")
    return checked


def _checked_length(length: Any, axis: int) -> int:
    n = whole_number(length)
    if n is None:
        raise ShapeError(f"A transform of length {shown(length)} is asked for; the length must be a whole number.")
    if n < 1:
        raise ShapeError(f"A transform of length {n} along axis {axis} is asked for; the length must be at least 1.")
    if n > LONGEST:
        raise LimitError(f"A transform of length {n} is asked for; the longest there is has {LONGEST} points.")
    return n


def _fit(data: Array, axis: int, length: int) -> Array:
    """Crop or zero-pad an axis, as numpy.fft does."""
    have = data.shape[axis]
    if length <= have:
        return data.take(range(length), axis) if length < have else data
    widths = [(0, 0)] * data.ndim
    widths[axis] = (0, length - have)
    return np.pad(data, widths)
