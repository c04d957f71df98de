"""Regions: which points of a transform an image holds, where it does not hold all of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from glfft.gl.source import Define

# What is read outside a region, in the order of the numbers in shaders/storage/region.glsl.
BOUNDARIES = ("zero", "wrap", "mirror", "edge")


class Points(Enum):
    """What an image holds of each line."""

    COMPLEX = "complex numbers"
    REAL = "real numbers"
    HERMITIAN = "the non-redundant half of the spectrum of a real line"
    PADDED = "complex numbers of a longer line, in a scratch buffer"
    CARRIED = "complex numbers, by which a transform of real lines is done"


def half_shape(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    """The shape of the non-redundant half of a real picture's spectrum, where `axis` is the one halved."""
    return (*shape[:axis], shape[axis] // 2 + 1 if shape[axis] > 1 else 1, *shape[axis + 1 :])


@dataclass(frozen=True)
class Region:
    """Points side by side along every axis."""

    first: tuple[int, ...]  # the number of the first one along each axis; nothing of what an image holds whole
    shape: tuple[int, ...]  # how many there are

    @classmethod
    def whole(cls, shape: Sequence[int]) -> "Region":
        return cls((0,) * len(shape), tuple(shape))

    def taking(self, axes: Sequence[int], other: "Region") -> "Region":
        """The same with some axes as another region has them."""
        owners = [other if axis in axes else self for axis in range(len(self.shape))]
        first = tuple(each.first[axis] for axis, each in enumerate(owners))
        return Region(first, tuple(each.shape[axis] for axis, each in enumerate(owners)))

    def common(self, other: "Region") -> "Region":
        """The points in both; where there are none along an axis, no points of its own."""
        first = tuple(map(max, self.first, other.first))
        ends = (min(a + n, b + m) for a, n, b, m in zip(self.first, self.shape, other.first, other.shape, strict=True))
        return Region(first, tuple(max(end - begin, 0) for begin, end in zip(first, ends, strict=True)))

    def holds(self, other: "Region", axis: int) -> bool:
        """Whether it has all points of another region along an axis."""
        own, theirs = self.first[axis], other.first[axis]
        return own <= theirs and theirs + other.shape[axis] <= own + self.shape[axis]


def regions_between(axes: Sequence[int], source: Region, target: Region) -> list[Region]:
    """What there is before and after the transform along each of `axes`, from a source to a target: lines along an axis
    still to be transformed as in the source, those along others, and what is not transformed, as in the target.
    """
    found = [source]
    for number, axis in enumerate(axes):
        done = [each for each in range(len(source.shape)) if each not in axes[number + 1 :]]
        found.append(found[-1].taking([axis, *done], target))
    return found if axes else [source, target]


def crossing_constants(crossing: Region | None, axis: int) -> dict[str, Define]:
    """The constants of shaders/common/line_access.glsl for the lines along an axis that go through a region."""
    if crossing is None:
        return {"CROSSING": False}
    across = [first for each, first in enumerate(crossing.first) if each != axis][::-1]
    return {"CROSSING": True, "CROSSING_FIRST": f"ivec2({across[0]}, {across[-1]})"}


def end_constants(end: str, region: Region, asked: Region, boundary: str, anywhere: bool) -> dict[str, Define]:
    """The constants of shaders/storage/region.glsl for one `end` of a pass, SOURCE or TARGET, whose image holds a
    region: `asked` are the points that the pass works on, unless a snippet may ask for points `anywhere`.
    """
    if not region.first:
        return {f"{end}_REGION": False}
    constants: dict[str, Define] = {f"{end}_REGION": True}
    # How far a place moves for what repeats the region to begin at one that is not negative.
    period = 2 if boundary == "mirror" else 1
    shift = [-first % (period * count) for first, count in zip(region.first, region.shape, strict=True)]
    for name, numbers in (("FIRST", region.first), ("SHAPE", region.shape), ("SHIFT", shift)):
        columns, rows, planes = (*numbers[::-1], 0)[:3]
        constants[f"{end}_{name}"] = f"ivec3({columns}, {rows}, {planes})"
    constants[f"{end}_BOUNDARY"] = BOUNDARIES.index(boundary)
    constants[f"{end}_ENDS_Z"] = False  # pictures have one plane
    for axis, name in enumerate("XYZ"[: len(region.shape)][::-1]):
        constants[f"{end}_ENDS_{name}"] = anywhere or not region.holds(asked, axis)
    return constants
