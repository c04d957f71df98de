"""Numpy arrays uploaded, transformed by a plan and read back: the work behind `glfft.arrays`."""

from __future__ import annotations

import gc
import math
import operator
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.algorithms.kinds import KINDS, Kind
from glfft.algorithms.lengths import power_of_two_above
from glfft.algorithms.registry import check_algorithm
from glfft.algorithms.storage import STORAGES, Storage
from glfft.engine.request import FORWARD, INVERSE, NORMS, TWIDDLES
from glfft.errors import ComplexDataError, LimitError, NotCurrentError, OptionError, ShapeError, check_choice, shown
from glfft.gl.context import ContextState, check_errors, default_context, stand_in_for, state_of
from glfft.gl.current import switch_to
from glfft.gl.forks import refuse_forked
from glfft.plan import Plan

_PLANS_KEPT = 8
_BYTES_KEPT = 1 << 28
_OPTIONS = ("algorithm", "twiddles", "precision")
PRECISIONS = ("single", "double")

# Of numpy's types: objects may be numbers too. Text and dates could be converted, and numpy's transforms refuse them.
_KINDS_OF_NUMBERS = "biufcO"

# Padding stops here before it eats the memory.
LONGEST = 1 << 27
_MOST_PADDED = 1 << 31

# Numbers that go through a plan at once, where lines are not longer: enough to keep any device busy.
_MOST_AT_ONCE = 1 << 24

# So few numbers are transformed in less time than another count of lines would take to compile.
_FEW = 1 << 16

# Axes of a plan.
_MOST_AXES = 3

# hfft is forward by its sign and undoes ihfft: each norm scales the other direction than it does elsewhere.
_MIRRORED_NORMS = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}
_COUNTS = {1: "one length", 2: "two lengths", 3: "three lengths"}


@dataclass(frozen=True)
class Transform:
    """One of numpy's transforms, or of scipy's cosine and sine transforms.

    Attributes:
        direction: FORWARD or INVERSE.
        real: between real numbers and the non-redundant half of their spectrum.
        mirrored: as the names with an h: the half is conjugated, and `norm` means the other direction.
        double: in float64 instead of float32.
        kind: a cosine or sine transform, from real numbers to as many; the parts of complex ones go each on their own.
        orthogonalize: of a kind, as in scipy.
    """

    direction: int
    real: bool = False
    mirrored: bool = False
    double: bool = False
    kind: Kind | None = None
    orthogonalize: bool | None = None

    @classmethod
    def trigonometric(cls, name: str, number: int, direction: int, orthogonalize: bool | None) -> Transform:
        """The cosine ("dct") or sine ("dst") transform of a type, or its inverse.

        Raises:
            OptionError: there is no such type, or `orthogonalize` is neither True, False nor None.
        """
        kind = KINDS.get(f"{name}{_as_index(number)}")
        if kind is None:
            raise OptionError(f"The type is {shown(number)} and must be 1, 2, 3 or 4.")
        if orthogonalize is not None and not isinstance(orthogonalize, bool | np.bool_):
            raise OptionError(f"orthogonalize is {shown(orthogonalize)} and must be True, False or None.")
        return cls(direction, kind=kind, orthogonalize=None if orthogonalize is None else bool(orthogonalize))

    @property
    def storage(self) -> Storage:
        """What its plans work on."""
        return STORAGES["buffer_double" if self.double else "buffer"]

    @property
    def source_type(self) -> type[np.generic]:
        """What it takes."""
        return self._numbers(self.kind is not None or (self.real and self.direction == FORWARD))

    @property
    def target_type(self) -> type[np.generic]:
        """What it makes."""
        return self._numbers(self.kind is not None or (self.real and self.direction == INVERSE))

    def _numbers(self, real: bool) -> type[np.generic]:
        if self.double:
            return np.float64 if real else np.complex128
        return np.float32 if real else np.complex64

    @property
    def complex_type(self) -> type[np.generic]:
        """Its complex numbers."""
        return self._numbers(False)

    def default_length(self, have: int) -> int:
        """The length of the transform that the last axis of the input is taken for."""
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
        raise OptionError(
            "A transform along one axis takes axis=, not axes=; those with a 2 or n at the end take axes=."
        )
    kind, options = _checked_options(kind, options, norm)
    data = _numbers(array, 1, kind)
    axes = _checked_axes(data, (axis,))
    lengths = None if n is None else [_checked_length(n, axes[0])]
    return _transformed(kind, data, axes, lengths, norm, ctx, options)


def over_axes(
    kind: Transform,
    array: npt.ArrayLike,
    s: Sequence[int] | int | None,
    axes: Sequence[int] | int | None,
    norm: str | None,
    ctx: moderngl.Context | None,
    options: dict[str, Any],
    rank: int | None = None,
) -> npt.NDArray[Any]:
    """A transform of an array over several axes; arguments and errors as in `glfft.arrays`.

    Args:
        kind: which.
        array: its numbers.
        s: lengths along the axes; -1 is the length that the array has.
        axes: the axes, the last one halved where the transform halves one; None for the last ones, as many as `s` has,
            or all.
        norm: as in numpy.
        ctx: the context to use.
        options: of the plans.
        rank: how many axes there must be, or None for any number.
    """
    kind, options = _checked_options(kind, options, norm)
    data = _numbers(array, rank or 0, kind)
    given = None if s is None else _sequence(s)
    if axes is None:
        count = data.ndim if given is None else len(given)
        if count > data.ndim:
            raise ShapeError(f"s is {given} and the array has only {data.ndim} dimensions; give fewer lengths.")
        axes = range(data.ndim - count, data.ndim)
    checked = _checked_axes(data, _sequence(axes))
    if rank is not None and len(checked) != rank:
        raise ShapeError(f"axes is {_sequence(axes)} and must be two axes.")
    if given is not None and len(given) != len(checked):
        wanted = _COUNTS.get(len(checked), f"{len(checked)} lengths")
        raise ShapeError(f"s is {shown(s)} and must be {wanted}, one for each of the axes.")
    if not checked:
        if kind.real:
            raise ShapeError("No axis is given, and a transform between real numbers and half spectra needs one.")
        return data.copy()
    lengths = None
    if given is not None:
        lengths = [
            _checked_length(data.shape[axis] if _is_minus_one(length) else length, axis)
            for length, axis in zip(given, checked, strict=True)
        ]
    return _transformed(kind, data, checked, lengths, norm, ctx, options)


def _transformed(
    kind: Transform,
    data: npt.NDArray[Any],
    axes: tuple[int, ...],
    lengths: list[int] | None,
    norm: str | None,
    ctx: moderngl.Context | None,
    options: dict[str, Any],
) -> npt.NDArray[Any]:
    """The transform of numbers over checked axes; `lengths` None for those of the data."""
    if lengths is None:
        have = [data.shape[axis] for axis in axes]
        have[-1] = kind.default_length(have[-1])
        lengths = [_checked_length(length, axis) for length, axis in zip(have, axes, strict=True)]
    if kind.kind is not None:
        _check_lengths_of(kind.kind, axes, lengths)
    source = [*lengths[:-1], kind.source_length(lengths[-1])]
    if math.prod(_with_lengths(data.shape, axes, source)) > max(_MOST_PADDED, data.size):
        raise LimitError(f"Lengths of {tuple(lengths)} are asked for; an array of that size does not fit in memory.")
    target = _with_lengths(data.shape, axes, [*lengths[:-1], kind.target_length(lengths[-1])])
    if kind.kind is not None and np.iscomplexobj(data):
        result = np.empty(target, kind.complex_type)
        parts = np.stack((np.real(data), np.imag(data)))
        next_axes = tuple(axis + 1 for axis in axes)
        result.real, result.imag = _transformed(kind, parts, next_axes, lengths, norm, ctx, options)
        return result
    if not math.prod(target):
        return np.empty(target, kind.target_type)
    if kind.mirrored:
        norm = _MIRRORED_NORMS[norm]
    with _at_work(ctx) as used:
        steps = _steps(kind, axes, lengths, _most_at_once(used, kind))
        for axis, length in zip(axes, source, strict=True):
            data = _fit(data, axis, length)
        if kind.mirrored and kind.direction == INVERSE:
            data = data.conj()
        for step in steps:
            data = _run(step, data, {**options, "norm": norm}, used)
    if kind.mirrored and kind.direction == FORWARD:
        data = data.conj()
    return np.ascontiguousarray(data)


@dataclass(frozen=True)
class _Step:
    """A transform over one, two or three axes of an array: what a plan does at once.

    Attributes:
        kind: which.
        axes: of the array, the last one halved if the kind halves one.
        lengths: of the transform along the axes.
    """

    kind: Transform
    axes: tuple[int, ...]
    lengths: tuple[int, ...]


def _steps(kind: Transform, axes: tuple[int, ...], lengths: Sequence[int], most: int) -> list[_Step]:
    """Plans for any number of axes, in order: as many as fit, up to three, from the last axis on.

    Real numbers are real before the first step forward and after the last step back.

    Raises:
        LimitError: a line is longer than a plan can take.
    """
    for length in lengths:
        if length > most:
            raise LimitError(
                f"A transform of length {length} is asked for; the device can bind buffers of at most {most} complex "
                "numbers."
            )
    left = list(zip(axes, lengths, strict=True))
    groups: list[list[tuple[int, int]]] = []
    while left:
        count = next(
            count for count in range(_MOST_AXES, 0, -1) if math.prod(length for _, length in left[-count:]) <= most
        )
        groups.append(left[-count:])
        del left[-count:]
    steps = []
    for index, group in enumerate(groups):
        real = kind.real and index == 0
        # The order of the axes matters only to the one halved; the later one is the nearer one in memory.
        pairs = group if real else sorted(group)
        steps.append(_Step(replace(kind, real=real), *zip(*pairs, strict=True)))  # pyright: ignore[reportArgumentType]
    return steps if kind.direction == FORWARD else steps[::-1]


def _most_at_once(ctx: moderngl.Context, kind: Transform) -> int:
    """The complex numbers that a buffer of a plan can hold."""
    return state_of(ctx).limits.buffer_bytes // kind.storage.texel_bytes


@dataclass(frozen=True)
class _Block:
    """A part of an array that a plan takes whole: its last axes, from one on.

    Attributes:
        first: the array's axis that it begins with.
        shape: the plan's: the lengths of transforms, and what lies between and beyond the axes transformed.
        axes: of the shape, those transformed.
    """

    first: int
    shape: tuple[int, ...]
    axes: tuple[int, ...]


def _block(step: _Step, shape: Sequence[int]) -> _Block | None:
    """The part of an array of a shape that a plan can take as it lies in memory; None where no plan can."""
    if step.kind.real and step.axes[-1] != max(step.axes):
        return None
    lengths = dict(zip(step.axes, step.lengths, strict=True))
    first = min(step.axes)
    sizes: list[int] = []
    transformed: list[int] = []
    for axis in range(first, len(shape)):
        if axis in lengths:
            transformed.append(len(sizes))
            sizes.append(lengths[axis])
        elif axis - 1 in lengths:
            sizes.append(shape[axis])
        else:
            # Beside one that is not transformed either.
            sizes[-1] *= shape[axis]
    return _Block(first, tuple(sizes), tuple(transformed)) if len(sizes) <= _MOST_AXES else None


def _run(step: _Step, data: npt.NDArray[Any], options: dict[str, Any], ctx: moderngl.Context) -> npt.NDArray[Any]:
    """One step over a whole array, in several runs of a plan where it does not fit one."""
    ends = tuple(range(data.ndim - len(step.axes), data.ndim))
    block = _block(step, data.shape)
    # Of few numbers it is quicker to bring the axes to the end, where plans for other counts of them will do.
    as_it_lies = block is not None and (
        block.axes == tuple(range(len(block.shape))) or _FEW < math.prod(block.shape) <= _most_at_once(ctx, step.kind)
    )
    if block is None or not as_it_lies:
        moved = _run(replace(step, axes=ends), np.moveaxis(data, step.axes, ends), options, ctx)
        return np.moveaxis(moved, ends, step.axes)
    targets = [*step.lengths[:-1], step.kind.target_length(step.lengths[-1])]
    result = np.empty(_with_lengths(data.shape, step.axes, targets), step.kind.target_type)
    count = math.prod(data.shape[: block.first])
    sources, results = data.reshape(count, -1), result.reshape(count, -1)
    points = math.prod(block.shape)
    at_once = max(1, min(_most_at_once(ctx, step.kind), _MOST_AT_ONCE) // points)
    if len(block.shape) > 1:
        at_once = min(at_once, state_of(ctx).limits.group_count[1])
    for start in range(0, count, at_once):
        part = slice(start, start + at_once)
        carried = min(_rounded(len(sources[part]), points), at_once)
        plan = _plan_with_buffers(ctx, step.kind, block, carried, options)
        plan.transform(step.kind.direction, sources[part], results[part])
    return result


def _rounded(count: int, points: int) -> int:
    """How many lines or pictures of so many points go through a plan made for a count: so that there are few plans."""
    rounded = power_of_two_above(count)
    return rounded if rounded * points <= _FEW else count


class _PlanWithBuffers:
    """A plan with the buffers that arrays are uploaded to and read back from.

    Args:
        ctx: where.
        kind: which transform.
        block: what the plan takes.
        count: how many of them go at once.
        options: of the plan.
    """

    def __init__(
        self, ctx: moderngl.Context, kind: Transform, block: _Block, count: int, options: dict[str, Any]
    ) -> None:
        lines = len(block.shape) == 1
        shape = (count, *block.shape) if lines else block.shape
        layers, axes = (1, (1,)) if lines else (count, block.axes)
        storage = kind.storage
        options = {**options, "real": kind.real, "orthogonalize": kind.orthogonalize}
        options["kind"] = None if kind.kind is None else kind.kind.name
        self._plan = Plan(ctx, shape, axes=axes, layers=layers, storage=storage.name, **options)
        self._buffers: list[moderngl.Buffer] = []
        try:
            spectra = math.prod(self._plan.spectrum_shape) * layers
            held = storage if kind.kind is None else storage.of_reals
            self._buffers.append(ctx.buffer(reserve=spectra * held.texel_bytes))
            if kind.real:
                pictures = math.prod(self._plan.shape) * layers
                self._buffers.append(ctx.buffer(reserve=pictures * storage.of_reals.texel_bytes))
            # moderngl says nothing where the device has no memory left.
            check_errors(ctx, f"making buffers for {count} transforms of {' x '.join(map(str, block.shape))}")
        except BaseException:
            self.release()
            raise

    @property
    def bytes(self) -> int:
        """What its buffers take."""
        return sum(buffer.size for buffer in self._buffers)

    def transform(self, direction: int, data: npt.NDArray[Any], result: npt.NDArray[Any]) -> None:
        """Transform an array into a contiguous one; it may have fewer lines or pictures than go at once."""
        source, target, run = self._buffers[-1], self._buffers[0], self._plan.forward
        if direction == INVERSE:
            source, target, run = target, source, self._plan.inverse
        source.write(np.ascontiguousarray(data))
        run(source, target, next_use="read")
        target.read_into(result, size=result.nbytes)

    def release(self) -> None:
        self._plan.release()
        for buffer in self._buffers:
            buffer.release()


def _plan_with_buffers(
    ctx: moderngl.Context, kind: Transform, block: _Block, count: int, options: dict[str, Any]
) -> _PlanWithBuffers:
    state: ContextState = state_of(ctx)
    plans: OrderedDict[Any, _PlanWithBuffers] = state.cache("plans of arrays", OrderedDict)
    wanted = tuple(sorted((name, repr(value)) for name, value in options.items()))
    key = (block.shape, block.axes, count, replace(kind, direction=FORWARD, mirrored=False), wanted)
    if key not in plans:
        plans[key] = _PlanWithBuffers(ctx, kind, block, count, options)
    plans.move_to_end(key)
    while len(plans) > 1 and (len(plans) > _PLANS_KEPT or sum(each.bytes for each in plans.values()) > _BYTES_KEPT):
        plans.popitem(last=False)[1].release()
    return plans[key]


# Threads share the contexts that glfft keeps for them, and the caches of every context.
_one_at_a_time = threading.RLock()


@contextmanager
def _at_work(ctx: moderngl.Context | None) -> Iterator[moderngl.Context]:
    """A context that is current inside the `with` block; after it, the one that was current before is so again.

    If a thread ends while a context is current in it, no other thread can use that context any more.
    """
    refuse_forked()
    with _one_at_a_time, _collector_paused():
        used, put_back = _made_current(ctx)
        try:
            yield used
        finally:
            put_back()


def _made_current(ctx: moderngl.Context | None) -> tuple[moderngl.Context, Callable[[], object]]:
    """Make the context asked for current, or a stand-in if that cannot be.

    Returns:
        The context that is current now, and a function that makes the one before current again.

    Raises:
        NotCurrentError: the context cannot be made current, and its device is unknown.
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
    """Collect no garbage inside the `with` block.

    There may be objects of other contexts in it. moderngl frees those by their names in the current context, where
    other objects have the same names.
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
    if data.ndim < least_dimensions:
        raise ShapeError(
            f"The array has {data.ndim} dimensions and at least {least_dimensions} are needed; reshape it first."
        )
    return data


def _checked_options(kind: Transform, options: dict[str, Any], norm: str | None) -> tuple[Transform, dict[str, Any]]:
    """The transform in the precision asked for, and the options of its plans."""
    # Layers, storage and snippets say what textures a plan works on; here the textures are ours.
    for name in options:
        if name not in _OPTIONS:
            raise OptionError(
                f"Transforms of arrays have no option '{name}'; beside numpy's they take algorithm=, twiddles= and "
                "precision=."
            )
    # Before any length, as in scipy, and also where there is nothing to transform.
    if norm is not None:
        check_choice("norm", norm, NORMS)
    check_algorithm(options.get("algorithm", "auto"))
    check_choice("twiddles", options.get("twiddles", TWIDDLES[0]), TWIDDLES)
    precision = check_choice("precision", options.get("precision", PRECISIONS[0]), PRECISIONS)
    of_plans = {name: value for name, value in options.items() if name != "precision"}
    return replace(kind, double=precision == "double"), of_plans


def _sequence(given: Any) -> tuple[Any, ...]:
    """One number is a sequence of one, as in scipy."""
    return tuple(given) if np.iterable(given) else (given,)


def _is_minus_one(length: Any) -> bool:
    return isinstance(length, int | np.integer) and length == -1


def _with_lengths(shape: Sequence[int], axes: Sequence[int], lengths: Sequence[int]) -> tuple[int, ...]:
    """A shape with other lengths along some axes."""
    changed = list(shape)
    for axis, length in zip(axes, lengths, strict=True):
        changed[axis] = length
    return tuple(changed)


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
    if length > LONGEST:
        raise LimitError(f"A transform of length {length} is asked for; the longest there is has {LONGEST} points.")
    return length


def _check_lengths_of(kind: Kind, axes: Sequence[int], lengths: Sequence[int]) -> None:
    for axis, length in zip(axes, lengths, strict=True):
        if length < kind.fewest_points:
            raise ShapeError(
                f"A cosine transform of type {kind.type} and length {length} along axis {axis} is asked for; it is not "
                f"defined for fewer than {kind.fewest_points} points."
            )


def _as_index(number: Any) -> int | None:
    """A whole number as Python's own, None for anything else."""
    try:
        return operator.index(number)
    except TypeError:
        return None


def _fit(data: npt.NDArray[Any], axis: int, length: int) -> npt.NDArray[Any]:
    """Crop or zero-pad an axis, as numpy.fft does."""
    have = data.shape[axis]
    if length <= have:
        return data.take(range(length), axis) if length < have else data
    widths = [(0, 0)] * data.ndim
    widths[axis] = (0, length - have)
    return np.pad(data, widths)
