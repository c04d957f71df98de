"""Numpy arrays uploaded, transformed by a plan and read back: the work behind `glfft.arrays`."""

from __future__ import annotations

import gc
import math
import operator
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.algorithms.registry import check_algorithm
from glfft.engine.request import FORWARD, INVERSE, NORMS, TWIDDLES, check_choice
from glfft.errors import ComplexDataError, LimitError, NotCurrentError, OptionError, ShapeError
from glfft.gl.context import ContextState, check_errors, default_context, stand_in_for, state_of
from glfft.gl.current import switch_to
from glfft.gl.forks import refuse_forked
from glfft.plan import Plan

_CARRIERS_KEPT = 8
_OPTIONS = ("algorithm", "twiddles")

# Of numpy's types: objects may be numbers too. Text and dates could be converted, and numpy's transforms refuse them.
_KINDS_OF_NUMBERS = "biufcO"

# Beyond any device's textures: padding stops here before it eats the memory.
_LONGEST = 1 << 20


@dataclass(frozen=True)
class Transform:
    """One of numpy's transforms.

    Attributes:
        direction: FORWARD or INVERSE.
        real: between real numbers and the non-redundant half of their spectrum.
    """

    direction: int
    real: bool = False

    @property
    def source_type(self) -> type[np.generic]:
        """What it takes."""
        return np.float32 if self.real and self.direction == FORWARD else np.complex64

    @property
    def target_type(self) -> type[np.generic]:
        """What it makes."""
        return np.float32 if self.real and self.direction == INVERSE else np.complex64

    def default_length(self, have: int) -> int:
        """The length of the transform that an axis of the input is taken for."""
        return 2 * (have - 1) if self.real and self.direction == INVERSE else have

    def source_length(self, length: int) -> int:
        """What a transform of a length takes along the axis halved."""
        return length // 2 + 1 if self.real and self.direction == INVERSE else length

    def target_length(self, length: int) -> int:
        """What it makes along the axis halved."""
        return length // 2 + 1 if self.real and self.direction == FORWARD else length


def along_axis(
    kind: Transform,
    array: npt.ArrayLike,
    n: int | None,
    axis: int,
    norm: str | None,
    ctx: moderngl.Context | None,
    options: dict[str, Any],
) -> npt.NDArray[Any]:
    """A transform of an array along one axis; arguments and errors as in `glfft.arrays`."""
    if "axes" in options:
        raise OptionError("A transform along one axis takes axis=, not axes=; those with a 2 in their name take axes=.")
    _check_options(options, norm)
    data = _numbers(array, 1, kind)
    (axis,) = _checked_axes(data, (axis,))
    length = _checked_length(kind.default_length(data.shape[axis]) if n is None else n, axis)
    lines = np.moveaxis(_fit(data, axis, kind.source_length(length)), axis, -1)
    rows = lines.reshape(math.prod(lines.shape[:-1]), lines.shape[-1])
    result = np.empty((len(rows), kind.target_length(length)), kind.target_type)
    if result.size:
        with _at_work(ctx) as used:
            _transform_rows(kind, rows, length, norm, used, options, result)
    return np.ascontiguousarray(np.moveaxis(result.reshape(*lines.shape[:-1], result.shape[-1]), -1, axis))


def over_two_axes(
    kind: Transform,
    array: npt.ArrayLike,
    s: Sequence[int] | None,
    axes: Sequence[int],
    norm: str | None,
    ctx: moderngl.Context | None,
    options: dict[str, Any],
) -> npt.NDArray[Any]:
    """A transform of an array over two axes; arguments and errors as in `glfft.arrays`."""
    _check_options(options, norm)
    data = _numbers(array, 2, kind)
    checked = _checked_axes(data, axes)
    if len(checked) != 2:
        raise ShapeError(f"axes is {tuple(axes)} and must be two axes.")
    first, last = checked
    lengths = (data.shape[first], kind.default_length(data.shape[last])) if s is None else s
    if not np.iterable(lengths) or len(lengths) != 2:
        raise ShapeError(f"s is {s!r} and must be two lengths, one for each of the axes.")
    rows, columns = (_checked_length(length, axis) for length, axis in zip(lengths, checked, strict=True))
    data = _fit(_fit(data, first, rows), last, kind.source_length(columns))
    moved = np.moveaxis(data, checked, (-2, -1))
    result = np.empty((*moved.shape[:-1], kind.target_length(columns)), kind.target_type)
    if result.size:
        with _at_work(ctx) as used:
            carrier = _carrier(used, (rows, columns), {**options, "norm": norm, "real": kind.real})
            for index in np.ndindex(moved.shape[:-2]):
                result[index] = carrier.transform(kind, moved[index])
    return np.ascontiguousarray(np.moveaxis(result, (-2, -1), checked))


def _transform_rows(
    kind: Transform,
    rows: npt.NDArray[Any],
    length: int,
    norm: str | None,
    ctx: moderngl.Context,
    options: dict[str, Any],
    result: npt.NDArray[Any],
) -> None:
    """Transform each row into `result`; more rows than a texture holds go in several textures."""
    options = {**options, "norm": norm, "axes": (1,), "real": kind.real}
    at_once = state_of(ctx).limits.texture_size
    for start in range(0, len(rows), at_once):
        part = rows[start : start + at_once]
        result[start : start + at_once] = _carrier(ctx, (len(part), length), options).transform(kind, part)


class _Carrier:
    """A plan and the textures that take arrays to it and back."""

    def __init__(self, ctx: moderngl.Context, shape: tuple[int, int], options: dict[str, Any]) -> None:
        self._plan = Plan(ctx, shape, **options)
        self._textures: list[moderngl.Texture] = []
        try:
            rows, columns = self._plan.spectrum_shape
            self._textures.append(ctx.texture((columns, rows), 2, dtype="f4"))
            if options["real"]:
                self._textures.append(ctx.texture((shape[1], shape[0]), 1, dtype="f4"))
            # moderngl says nothing where the device has no memory left.
            check_errors(ctx, f"making textures for arrays of shape {shape}")
        except BaseException:
            self.release()
            raise

    def transform(self, kind: Transform, data: npt.NDArray[Any]) -> npt.NDArray[Any]:
        source, target, run = self._textures[-1], self._textures[0], self._plan.forward
        if kind.direction == INVERSE:
            source, target, run = target, source, self._plan.inverse
        source.write(np.ascontiguousarray(data).tobytes())
        run(source, target, next_use="read")
        return np.frombuffer(target.read(), kind.target_type).reshape(target.height, target.width)

    def release(self) -> None:
        self._plan.release()
        for texture in self._textures:
            texture.release()


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


# Other threads share contexts that nobody else has, and the caches of every context.
_one_at_a_time = threading.RLock()


@contextmanager
def _at_work(ctx: moderngl.Context | None) -> Iterator[moderngl.Context]:
    """A context that is current while the work lasts; what was current in this thread before is so again after it.

    A context left current in a thread that ends could never be used by another one.
    """
    refuse_forked()
    with _one_at_a_time, _collector_paused():
        used, put_back = _made_current(ctx)
        try:
            yield used
        finally:
            put_back()


def _made_current(ctx: moderngl.Context | None) -> tuple[moderngl.Context, Callable[[], object]]:
    """The context asked for, or one on the same device where another thread has it, and what puts the one before back.

    Raises:
        NotCurrentError: another thread has the context, and nobody knows on which device that is.
        ContextError: there is no OpenGL 4.3.
        ReleasedError: the context has been released.
    """
    with suppress(NotCurrentError):
        wanted = default_context() if ctx is None else ctx
        if wanted is not None:
            return wanted, _nothing if state_of(wanted).check.is_current() else switch_to(wanted)
    used = stand_in_for(ctx)
    return used, switch_to(used)


def _nothing() -> None:
    pass


@contextmanager
def _collector_paused() -> Iterator[None]:
    """No garbage is collected meanwhile.

    It may hold objects of other contexts, which moderngl would free in the one that is current here, by their names.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _numbers(array: npt.ArrayLike, least_dimensions: int, kind: Transform) -> npt.NDArray[Any]:
    try:
        data = np.asarray(array)
        if data.dtype.kind not in _KINDS_OF_NUMBERS:
            raise TypeError
        if kind.source_type is np.float32 and np.iscomplexobj(data):
            raise ComplexDataError("The array is complex, and rfft and rfft2 take real numbers; use fft or fft2.")
        # Overflow to infinity in the conversion is the caller's data speaking, not a mistake to warn of.
        with np.errstate(over="ignore", invalid="ignore"):
            data = data.astype(kind.source_type)
    except ComplexDataError:
        raise
    except (TypeError, ValueError, OverflowError):
        raise ShapeError("The input is not an array of numbers; give something numpy can make one of.") from None
    if data.ndim < least_dimensions:
        raise ShapeError(
            f"The array has {data.ndim} dimensions and at least {least_dimensions} are needed; reshape it first."
        )
    return data


def _check_options(options: dict[str, Any], norm: str | None) -> None:
    # Layers, storage and snippets say what textures a plan works on; here the textures are ours.
    for name in options:
        if name not in _OPTIONS:
            raise OptionError(
                f"Transforms of arrays have no option '{name}'; beside numpy's they take algorithm= and twiddles=."
            )
    # Before any length, as in scipy, and also where there is nothing to transform.
    if norm is not None:
        check_choice("norm", norm, NORMS)
    check_algorithm(options.get("algorithm", "auto"))
    check_choice("twiddles", options.get("twiddles", TWIDDLES[0]), TWIDDLES)


def _checked_axes(data: npt.NDArray[Any], axes: Sequence[int]) -> tuple[int, ...]:
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


def _checked_length(length: Any, axis: int) -> int:
    """The length of a transform along an axis."""
    try:
        length = operator.index(length)
    except TypeError:
        raise ShapeError(f"A transform of length {length!r} is asked for; the length must be a whole number.") from None
    if length < 1:
        raise ShapeError(
            f"A transform of length {length} along axis {axis} is asked for; the length must be at least 1."
        )
    if length > _LONGEST:
        raise LimitError(f"A transform of length {length} is asked for; no texture is longer than {_LONGEST}.")
    return length


def _fit(data: npt.NDArray[Any], axis: int, length: int) -> npt.NDArray[Any]:
    """Crop or zero-pad an axis, as numpy.fft does."""
    have = data.shape[axis]
    if length <= have:
        return data.take(range(length), axis) if length < have else data
    widths = [(0, 0)] * data.ndim
    widths[axis] = (0, length - have)
    return np.pad(data, widths)
