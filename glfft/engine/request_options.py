"""What users give for a plan's options, checked and put in order."""

import operator
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from glfft.algorithms.kinds import KINDS, Kind
from glfft.algorithms.regions import BOUNDARIES, Region
from glfft.algorithms.storage import STORAGES, Storage
from glfft.errors import OptionError, ShapeError, check_choice, shown

# What lies along the axes of a picture and of a volume, by their number.
AXIS_NAMES = {2: ("rows", "columns"), 3: ("planes", "rows", "columns")}
_AXES_TO_NAME = {
    2: "one or both of axis 0 (columns) and 1 (rows)",
    3: "one or more of axis 0 (lines through the planes), 1 (columns) and 2 (rows)",
}


def as_shape(shape: Sequence[int]) -> tuple[int, ...]:
    """Two or three lengths of at least 1."""
    try:
        lengths = tuple(operator.index(length) for length in shape)
    except TypeError:
        raise ShapeError(
            f"The shape is {shown(shape)} and must be two whole numbers, (rows, columns), or three, (depth, rows, "
            "columns)."
        ) from None
    if len(lengths) not in AXIS_NAMES:
        raise ShapeError(
            f"The shape is {lengths} and must be two numbers, (rows, columns), or three, (depth, rows, columns)."
        )
    for length, what in zip(lengths, AXIS_NAMES[len(lengths)], strict=True):
        if length < 1:
            raise ShapeError(f"The shape is {lengths}: the number of {what} must be at least 1.")
    return lengths


def as_axes(axes: Iterable[int] | None, rank: int) -> tuple[int, ...]:
    """Different axes of a shape, the last one first: its points lie side by side in memory."""
    every = range(rank)
    try:
        wanted = tuple(operator.index(axis) for axis in (every if axes is None else axes))
    except TypeError:
        raise ShapeError(
            f"axes is {shown(axes)} and must be a sequence of axis numbers, such as {tuple(every)}."
        ) from None
    if not wanted or any(not -rank <= axis < rank for axis in wanted):
        raise ShapeError(f"axes is {wanted} and must name {_AXES_TO_NAME[rank]}.")
    different = {axis % rank for axis in wanted}
    if len(different) != len(wanted):
        raise ShapeError(f"axes is {wanted}: each axis can be transformed once.")
    return tuple(sorted(different, reverse=True))


def as_layers(layers: int | None) -> int | None:
    """A number of at least 1, or None."""
    if layers is None:
        return None
    try:
        # True is a whole number to Python, but nobody who gives it asks for one layer.
        count = 0 if isinstance(layers, bool) else operator.index(layers)
    except TypeError:
        count = 0
    if count < 1:
        raise ShapeError(f"layers is {layers!r} and must be a whole number of at least 1, or None for 2-D textures.")
    return count


def as_storage(storage: Storage | str) -> Storage:
    """A storage, or the one of a name."""
    return storage if isinstance(storage, Storage) else STORAGES[check_choice("storage", storage, tuple(STORAGES))]


def as_kind(kind: Kind | str | None) -> Kind | None:
    """A cosine or sine transform, or the one of a name."""
    return kind if kind is None or isinstance(kind, Kind) else KINDS[check_choice("kind", kind, tuple(KINDS))]


def as_real(real: Any) -> bool:
    """True or False."""
    if not isinstance(real, bool):
        raise OptionError(f"real is {real!r} and must be True, for real pictures, or False.")
    return real


def as_orthogonalize(orthogonalize: Any, kind: Kind | None, norm: str) -> bool:
    """True or False; for None what norm= asks for."""
    if orthogonalize is None:
        return kind is not None and norm == "ortho"
    if not isinstance(orthogonalize, bool | np.bool_):
        raise OptionError(f"orthogonalize is {shown(orthogonalize)} and must be True, False or None.")
    if kind is None:
        raise OptionError("The option orthogonalize= is for cosine and sine transforms; give a kind= too.")
    return bool(orthogonalize)


def as_region(option: str, given: Any, shape: tuple[int, ...]) -> Region | None:
    """The region of slices, one for each axis of a shape; None for None and for all of it."""
    if given is None or isinstance(given, Region):
        return given
    example = f"{option}=np.s_[{', '.join(f'0:{(length + 1) // 2}' for length in shape)}]"
    slices = tuple(given) if isinstance(given, tuple | list) else ()
    if len(slices) != len(shape) or not all(isinstance(each, slice) for each in slices):
        raise OptionError(f"{option} is {shown(given)} and must be {len(shape)} slices, such as {example}.")
    ends = [_ends(option, each, length) for each, length in zip(slices, shape, strict=True)]
    for (first, end), length, what in zip(ends, shape, AXIS_NAMES[len(shape)], strict=True):
        if not 0 <= first < end <= length:
            raise ShapeError(
                f"{option} has the {what} from {first} to before {end}: it must have at least one, and lie within the "
                f"{length} of the transform."
            )
    region = Region(tuple(first for first, _ in ends), tuple(end - first for first, end in ends))
    return None if region == Region.whole(shape) else region


def _ends(option: str, given: slice, length: int) -> tuple[int, int]:
    """The first point and the one after the last, which must not count from the end as they do in Python."""
    first, end = 0 if given.start is None else given.start, length if given.stop is None else given.stop
    try:
        if given.step in (None, 1):
            return operator.index(first), operator.index(end)
    except TypeError:
        pass
    raise OptionError(f"{option} has {given!r} and must have slices of whole numbers without a step.")


def as_boundary(boundary: str, given_region: Any) -> str:
    """A name of BOUNDARIES, for the region given as source_region=."""
    boundary = check_choice("boundary", boundary, BOUNDARIES)
    if boundary != "zero" and given_region is None:
        raise OptionError(f"The boundary '{boundary}' is for what lies outside source_region=; give that too.")
    return boundary
