"""What a plan is asked for, as data that is checked when it is made."""

import math
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from glfft.algorithms import registry
from glfft.algorithms.kinds import KINDS, Kind
from glfft.algorithms.regions import BOUNDARIES, Region, half_shape
from glfft.algorithms.storage import STORAGES, Storage
from glfft.errors import LimitError, OptionError, ShapeError, check_choice, require, shown, whole_number
from glfft.gl.device import Device
from glfft.snippets import Snippet, as_snippet, is_for_complex_pictures, shift_load, shift_store

FORWARD = -1
INVERSE = +1
CONVOLVE = 0
DIRECTION_NAMES = {FORWARD: "forward", INVERSE: "inverse", CONVOLVE: "convolve"}

# What lies along the axes of a picture and of a volume, by their number.
AXIS_NAMES = {2: ("rows", "columns"), 3: ("planes", "rows", "columns")}
_AXES_TO_NAME = {
    2: "one or both of axis 0 (along columns) and 1 (along rows)",
    3: "one or more of axis 0 (lines through the planes), 1 (along columns) and 2 (along rows)",
}
NORMS = ("backward", "ortho", "forward")
TWIDDLES = ("table", "computed")

_MOST_ELEMENTS = (1 << 31) - 1  # what the coordinates and indices of shaders can count


def as_shape(shape: Sequence[int]) -> tuple[int, ...]:
    """Two or three lengths of at least 1."""
    try:
        lengths = tuple(operator.index(length) for length in shape)
    except TypeError:
        wanted = "whole numbers, (rows, columns) or (depth, rows, columns)"
        raise ShapeError(f"The shape is {shown(shape)} and must be {wanted}.") from None
    require(len(lengths) in AXIS_NAMES, "The shape", lengths, "(rows, columns) or (depth, rows, columns)", ShapeError)
    for length, what in zip(lengths, AXIS_NAMES[len(lengths)], strict=True):
        if length < 1:
            raise ShapeError(f"The shape is {lengths}: the number of {what} must be at least 1.")
    return lengths


def as_axes(axes: Iterable[int] | None, rank: int, real: bool) -> tuple[int, ...]:
    """Different axes of a shape, the last one first: its points lie side by side in memory, and real= halves it."""
    every = tuple(range(rank))
    try:
        wanted = tuple(operator.index(axis) for axis in (every if axes is None else axes))
    except TypeError:
        raise ShapeError(f"axes is {shown(axes)} and must be a sequence of axis numbers, such as {every}.") from None
    if not wanted or any(not -rank <= axis < rank for axis in wanted):
        raise ShapeError(f"axes is {wanted} and must name {_AXES_TO_NAME[rank]}.")
    different = {axis % rank for axis in wanted}
    if len(different) != len(wanted):
        raise ShapeError(f"axes is {wanted}: each axis can be transformed once.")
    if real and wanted[-1] % rank != (last := max(different)):
        raise ShapeError(f"axes is {wanted}: real=True halves axis {last} of these; name that one last.")
    return tuple(sorted(different, reverse=True))


def as_layers(layers: int | None) -> int | None:
    """A number of at least 1, or None."""
    count = None if isinstance(layers, bool) else whole_number(layers)  # nobody who gives True asks for one layer
    fits = layers is None or (count is not None and count >= 1)
    require(fits, "layers", layers, "a whole number of at least 1, or None for 2-D textures", ShapeError)
    return count


def as_orthogonalize(orthogonalize: Any, kind: Kind | None, norm: str) -> bool:
    """True or False; for None what norm= asks for."""
    if orthogonalize is None:
        return kind is not None and norm == "ortho"
    require(isinstance(orthogonalize, bool | np.bool_), "orthogonalize", orthogonalize, "True, False or None")
    if kind is None:
        raise OptionError("The option orthogonalize= is for cosine and sine transforms; give a kind= too.")
    return bool(orthogonalize)


def as_region(option: str, given: Any, shape: tuple[int, ...], snippet: Snippet | None) -> Region | None:
    """The region of slices, an axis each; None for None, and for all of it unless a snippet may go beyond that."""
    if given is None or isinstance(given, Region):
        return given
    example = f"{option}=np.s_[{', '.join(f'0:{(length + 1) // 2}' for length in shape)}]"
    slices = tuple(given) if isinstance(given, tuple | list) else ()
    if len(slices) != len(shape) or not all(isinstance(each, slice) for each in slices):
        raise OptionError(f"{option} is {shown(given)} and must be {len(shape)} slices, such as {example}.")
    ends: list[tuple[int, int]] = []
    for each, length, what in zip(slices, shape, AXIS_NAMES[len(shape)], strict=True):
        # They must not count from the end as they do in Python.
        first = whole_number(0 if each.start is None else each.start)
        end = whole_number(length if each.stop is None else each.stop)
        if first is None or end is None or each.step not in (None, 1):
            raise OptionError(f"{option} has {each!r} and must have slices of whole numbers without a step.")
        ends.append((first, end))
        if not 0 <= first < end <= length:
            wanted = f"it must have at least one, and lie within the {length} of the transform"
            raise ShapeError(f"{option} has the {what} from {first} to before {end}: {wanted}.")
    region = Region(tuple(first for first, _ in ends), tuple(end - first for first, end in ends))
    beyond = snippet is not None and ("read_source" in snippet.source or "write_target" in snippet.source)
    return None if region == Region.whole(shape) and not beyond else region


def as_directions(names: Iterable[str] | None, convolves: bool) -> tuple[int, ...]:
    """Directions by name, in the order of DIRECTION_NAMES; for None all that there are."""
    able = {name: each for each, name in DIRECTION_NAMES.items() if convolves or each != CONVOLVE}
    wanted = able if names is None else list(names) if np.iterable(names) and not isinstance(names, str) else [names]
    if not wanted:
        raise OptionError("A plan needs at least one of directions=, such as 'forward'.")
    wanted = [check_choice("directions", name, list(able)) for name in wanted]
    return tuple(each for name, each in able.items() if name in wanted)


@dataclass(frozen=True)
class PlanRequest:
    """The transform a plan does, see `of`. Raises OptionError where options exclude each other, ShapeError for dct1."""

    shape: tuple[int, ...]  # rows, columns; or of a volume depth, rows, columns
    # axes of the shape that are transformed, in the order of the forward passes: the last one, along rows, first
    axes: tuple[int, ...]
    algorithm: str = registry.AUTO  # a name of `glfft.algorithm_names()`
    norm: str = "backward"  # "backward", "ortho" or "forward", as in numpy
    twiddles: str = "table"  # "table" (from float64) or "computed" (in the shader)
    layers: int | None = None  # pictures transformed at once, in texture arrays, or volumes in a buffer; None for one
    storage: Storage = STORAGES["rg32f"]  # what a texel is
    load: Snippet | None = None  # load, store: snippets fused into the first and the last pass
    store: Snippet | None = None
    multiply: Snippet | None = None  # snippet that multiplies a spectrum between there and back
    real: bool = False  # real pictures, and the non-redundant halves of their spectra
    kind: Kind | None = None  # a cosine or sine transform of real pictures; None for a Fourier transform
    orthogonalize: bool = False  # whether the kind is made orthogonal but for a factor
    # source_region, target_region: the points that sources and targets hold; None for all
    source_region: Region | None = None
    target_region: Region | None = None
    boundary: str = "zero"  # what is read outside `source_region`
    quick: bool = False  # with kernels that compile quickly, in place of fast ones
    directions: tuple[int, ...] = (FORWARD, INVERSE)  # what it can do

    @classmethod
    def of(cls, shape: Sequence[int], axes: Iterable[int] | None = None, algorithm: str = registry.AUTO,
           norm: str | None = None, twiddles: str = "table", layers: int | None = None,
           storage: Storage | str = "rg32f", load: Snippet | str | None = None, store: Snippet | str | None = None,
           multiply: Snippet | str | None = None, real: bool = False, kind: Kind | str | None = None,
           orthogonalize: bool | None = None, source_region: Sequence[slice] | None = None,
           target_region: Sequence[slice] | None = None, boundary: str = "zero",
           directions: Iterable[str] | None = None) -> "PlanRequest":  # fmt: skip
        """The request for the options of `glfft.Plan`. Raises ShapeError where the shape, an axis or the layers make no
        sense, AlgorithmError or OptionError for an unknown name or options that exclude each other, ShaderError for a
        snippet without the function it is for.
        """
        lengths = as_shape(shape)
        norm = check_choice("norm", "backward" if norm is None else norm, NORMS)
        if isinstance(storage, str) and storage in ("r32f", "r16f"):
            raise OptionError(f"Textures of {storage} take real=True and storage='rg{storage[1:]}', their spectra's.")
        if not isinstance(storage, Storage):
            storage = STORAGES[check_choice("storage", storage, tuple(STORAGES))]
        if kind is not None and not isinstance(kind, Kind):
            kind = KINDS[check_choice("kind", kind, tuple(KINDS))]
        require(isinstance(real, bool), "real", real, "True, for real pictures, or False")
        if check_choice("boundary", boundary, BOUNDARIES) != "zero" and source_region is None:
            raise OptionError(f"The boundary '{boundary}' is for what lies outside source_region=; give that too.")
        return cls(
            shape=lengths,
            axes=as_axes(axes, len(lengths), real),
            algorithm=registry.check_algorithm(algorithm),
            norm=norm,
            twiddles=check_choice("twiddles", twiddles, TWIDDLES),
            layers=as_layers(layers),
            storage=storage,
            load=(before := as_snippet("load", load)),
            store=(after := as_snippet("store", store)),
            multiply=as_snippet("multiply", multiply),
            real=real,
            kind=kind,
            orthogonalize=as_orthogonalize(orthogonalize, kind, norm),
            source_region=as_region("source_region", source_region, lengths, before),
            target_region=as_region("target_region", target_region, lengths, after),
            boundary=boundary,
            directions=as_directions(directions, multiply is not None),
        )

    def __post_init__(self) -> None:
        if self.storage.double and self.twiddles == "computed":
            raise OptionError("Double precision has no twiddles='computed': GLSL has no sine in float64; leave it out.")
        if self.is_volume and self.layers is not None and not self.storage.buffer:
            instead = "run a plan without layers for each volume, or use storage='buffer'"
            raise OptionError(f"layers is {self.layers} and OpenGL has no arrays of 3-D textures; {instead}.")
        if self.kind is not None:
            self._check_kind(self.kind)
        plan = f"kind='{self.kind.name}' has real ones" if self.kind else "real=True has real ones and half spectra"
        for snippet, region in ((self.load, self.source_region), (self.store, self.target_region)):
            if region is not None and snippet is not None and snippet in (shift_load(), shift_store()):
                raise OptionError(f"The {snippet.name} moves points out of their region; leave out one of the two.")
            if (self.real or self.kind is not None) and snippet is not None and is_for_complex_pictures(snippet):
                wanted = f"The {snippet.name} is for whole complex pictures, and a plan with {plan}"
                raise OptionError(f"{wanted}; leave out one of the two.")
        if self.has_regions and self.algorithm != registry.AUTO and registry.family_of(self.algorithm).study:
            instead = "leave out source_region= and target_region=, or use algorithm='auto'"
            raise OptionError(f"The algorithm '{self.algorithm}' is for study and has no regions; {instead}.")

    def _check_kind(self, kind: Kind) -> None:
        if self.real:
            raise OptionError(f"A plan with kind='{kind.name}' has real numbers on both sides; leave out real=True.")
        if self.multiply is not None:
            raise OptionError(f"A plan with kind='{kind.name}' cannot convolve; leave out multiply= or kind=.")
        if any(self.shape[axis] < kind.fewest_points for axis in self.axes):
            raise ShapeError(f"The shape is {self.shape}: a {kind.name} of one point is not defined; give at least 2.")

    @property
    def snippets(self) -> tuple[Snippet, ...]:
        return tuple(each for each in (self.load, self.store, self.multiply) if each is not None)

    @property
    def is_volume(self) -> bool:
        """Whether its textures are 3-D ones, and its buffers hold volumes."""
        return len(self.shape) == 3

    @property
    def has_regions(self) -> bool:
        return self.source_region is not None or self.target_region is not None

    def regions(self, direction: int) -> tuple[Region, Region]:
        """The points that source and target hold. The half spectra of real pictures are whole."""
        picture, spectrum = Region.whole(self.shape), Region.whole(self.spectrum_shape)
        source, target = self.source_region, self.target_region
        if direction == INVERSE and (source is None or self.real):
            source = spectrum
        if direction == FORWARD and (target is None or self.real):
            target = spectrum
        return source or picture, target or picture

    def points(self, axes: Iterable[int] | None = None) -> int:
        """The points that norms count: of one transform, over its axes or some of them. A kind counts its periods."""
        lengths = [self.shape[axis] for axis in (self.axes if axes is None else axes)]
        return math.prod(lengths if self.kind is None else map(self.kind.period, lengths))

    def scale(self, direction: int, axes: Iterable[int] | None = None) -> float:
        """The factor on the result that `norm` asks for, or what some of the axes have of it."""
        points = self.points(axes)
        if direction == CONVOLVE:
            return 1.0 / points
        if self.norm == "ortho":
            return 1.0 / math.sqrt(points)
        return 1.0 / points if direction == (INVERSE if self.norm == "backward" else FORWARD) else 1.0

    @property
    def real_axis(self) -> int | None:
        """The axis whose spectrum is halved: the last of those transformed, if it has more than one point."""
        axis = max(self.axes)
        return axis if self.real and self.shape[axis] > 1 else None

    @property
    def spectrum_shape(self) -> tuple[int, ...]:
        return half_shape(self.shape, max(self.axes)) if self.real else self.shape

    def ends(self, direction: int) -> tuple[tuple[tuple[int, ...], Storage], tuple[tuple[int, ...], Storage]]:
        """Shape and storage of what a direction reads, and of what it writes."""
        picture = self.storage.of_reals if self.real or self.kind is not None else self.storage
        spectrum = picture if self.kind is not None else self.storage
        source, target = (region.shape for region in self.regions(direction))
        held = [spectrum if direction == transformed else picture for transformed in (INVERSE, FORWARD)]
        return (source, held[0]), (target, held[1])

    def check_limits(self, device: Device) -> None:
        """Raise LimitError where a texture's size, a buffer's bytes or the layers are too many for the device."""
        limits = device.limits
        layers = self.layers or 1
        if self.storage.double and not limits.float64:
            single = "use single precision: storage='buffer', or leave out precision= with arrays"
            raise LimitError(f"Double precision takes float64 in shaders, which this device does not have; {single}.")
        if not self.storage.buffer:
            most = limits.texture_3d_size if self.is_volume else limits.texture_size
            kind = "3-D textures" if self.is_volume else "textures"
            for length, what in zip(self.shape, AXIS_NAMES[len(self.shape)], strict=True):
                if length > most:
                    limit = f"the device's {kind} have at most {most} {what}; use a smaller shape"
                    raise LimitError(f"The shape is {self.shape}: {limit}, split the data, or use storage='buffer'.")
        need = math.prod(self.shape) * layers * self.storage.texel_bytes
        most = min(limits.buffer_bytes, _MOST_ELEMENTS * self.storage.texel_bytes)
        if self.storage.buffer and need > most:
            can = f"the device can bind at most {most}"
            raise LimitError(f"A buffer of {need} bytes is needed and {can}; split the data, or use textures.")
        most = limits.group_count[1] if self.storage.buffer else limits.array_layers
        if layers > most:
            what = "dispatches" if self.storage.buffer else "texture arrays"
            raise LimitError(f"layers is {layers} and the device's {what} have at most {most}; use several plans.")
