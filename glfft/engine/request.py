"""What a plan is asked for: checked as it is made, and turned into passes without touching the driver."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

import numpy as np

from glfft.algorithms import registry, trigonometric
from glfft.algorithms.kinds import KINDS, Kind
from glfft.algorithms.line_layout import Points, half_shape
from glfft.algorithms.passes import AxisRequest, PassSpec, readers, steps, writers
from glfft.algorithms.storage import STORAGES, Storage
from glfft.errors import LimitError, OptionError, ShapeError, shown
from glfft.gl.device import Device
from glfft.snippets import Snippet, as_snippet, is_for_complex_pictures
from glfft.wisdom import lookup

FORWARD = -1
INVERSE = +1
CONVOLVE = 0
DIRECTION_NAMES = {FORWARD: "forward", INVERSE: "inverse", CONVOLVE: "convolve"}

NORMS = ("backward", "ortho", "forward")
TWIDDLES = ("table", "computed")

# What lies along the axes of a picture and of a volume, by their number.
_AXIS_NAMES = {2: ("rows", "columns"), 3: ("planes", "rows", "columns")}
_AXES_TO_NAME = {
    2: "one or both of axis 0 (columns) and 1 (rows)",
    3: "one or more of axis 0 (lines through the planes), 1 (columns) and 2 (rows)",
}

# What the coordinates and indices of shaders can count.
_MOST_ELEMENTS = (1 << 31) - 1


@dataclass(frozen=True)
class PlanRequest:
    """The transform a plan does, as data. What users give is checked and put in order when one is made.

    Attributes:
        shape: rows, columns; or of a volume depth, rows, columns.
        axes: axes of the shape that are transformed, in the order of the forward passes: the last one, along rows,
            first. None when one is made means all.
        algorithm: a name of `glfft.algorithm_names()`.
        norm: "backward", "ortho" or "forward", as in numpy; None is "backward".
        twiddles: "table" (from float64) or "computed" (in the shader).
        layers: pictures transformed at once, in texture arrays, or volumes in a buffer; None for one.
        storage: what a texel is; a name of STORAGES.
        load, store: snippets fused into the first and the last pass, or their text.
        multiply: snippet that multiplies a spectrum between there and back, or its text.
        real: real pictures, and the non-redundant halves of their spectra.
        kind: a cosine or sine transform of real pictures, or its name; None for a Fourier transform.
        orthogonalize: whether it is made orthogonal but for a factor; None for where `norm` is "ortho".

    Raises:
        ShapeError: the shape or an axis makes no sense, or there is no such axis; or a line of a "dct1" has one point.
        AlgorithmError, OptionError: an unknown name.
        ShaderError: a snippet without the function it is for.
    """

    shape: tuple[int, ...]
    axes: tuple[int, ...] = None  # pyright: ignore[reportAssignmentType]
    algorithm: str = registry.AUTO
    norm: str = "backward"
    twiddles: str = "table"
    layers: int | None = None
    storage: Storage = STORAGES["rg32f"]
    load: Snippet | None = None
    store: Snippet | None = None
    multiply: Snippet | None = None
    real: bool = False
    kind: Kind | None = None
    orthogonalize: bool | None = None

    def __post_init__(self) -> None:
        def put(**values: Any) -> None:
            for name, value in values.items():
                object.__setattr__(self, name, value)

        put(shape=_checked_shape(self.shape))
        put(axes=_checked_axes(self.axes, len(self.shape)))
        put(norm=check_choice("norm", "backward" if self.norm is None else self.norm, NORMS))
        check_choice("twiddles", self.twiddles, TWIDDLES)
        registry.check_algorithm(self.algorithm)
        if not isinstance(self.storage, Storage):
            put(storage=STORAGES[check_choice("storage", self.storage, tuple(STORAGES))])
        put(load=as_snippet("load", self.load), store=as_snippet("store", self.store))
        if self.storage.double and self.twiddles == "computed":
            raise OptionError(
                "Double precision has no twiddles='computed', since GLSL has no sine and cosine in float64; leave it "
                "out."
            )
        if _checked_real(self.real):
            _check_for_real(self.load, self.store)
        put(layers=_checked_layers(self.layers), multiply=as_snippet("multiply", self.multiply))
        if self.is_volume and self.layers is not None and not self.storage.buffer:
            raise OptionError(
                f"layers is {self.layers} and OpenGL has no arrays of 3-D textures; leave layers= out and run the plan "
                "for each volume, or use storage='buffer'."
            )
        put(kind=_checked_kind(self.kind), orthogonalize=self._checked_orthogonalize())
        if self.kind is not None:
            self._check_for_kind(self.kind)

    @property
    def is_volume(self) -> bool:
        """Whether its textures are 3-D ones, and its buffers hold volumes."""
        return len(self.shape) == 3

    def _checked_orthogonalize(self) -> bool:
        if self.orthogonalize is None:
            return self.kind is not None and self.norm == "ortho"
        if not isinstance(self.orthogonalize, bool | np.bool_):
            raise OptionError(f"orthogonalize is {shown(self.orthogonalize)} and must be True, False or None.")
        if self.kind is None:
            raise OptionError("The option orthogonalize= is for cosine and sine transforms; give a kind= too.")
        return bool(self.orthogonalize)

    def _check_for_kind(self, kind: Kind) -> None:
        if self.real:
            raise OptionError(f"A plan with kind='{kind.name}' has real numbers on both sides; leave out real=True.")
        if self.multiply is not None:
            raise OptionError(
                f"A plan with kind='{kind.name}' cannot convolve, which takes Fourier spectra; leave out multiply= or "
                "kind=."
            )
        for snippet in filter(is_for_complex_pictures, (self.load, self.store)):
            assert snippet is not None
            raise OptionError(
                f"The {snippet.name} is for complex pictures, and a plan with kind='{kind.name}' has real ones; leave "
                "out one of the two."
            )
        for axis in self.axes:
            if self.shape[axis] < kind.fewest_points:
                raise ShapeError(
                    f"The shape is {self.shape}: a {kind.name} of one point is not defined; give at least "
                    f"{kind.fewest_points}."
                )

    @property
    def points(self) -> int:
        """What norms count: points of one transform, over the axes transformed; of a kind, of its periods."""
        if self.kind is not None:
            return math.prod(self.kind.period(self.shape[axis]) for axis in self.axes)
        return math.prod(self.shape[axis] for axis in self.axes)

    @property
    def directions(self) -> tuple[int, ...]:
        """What it can be run for."""
        return (FORWARD, INVERSE) if self.multiply is None else (FORWARD, INVERSE, CONVOLVE)

    def scale(self, direction: int) -> float:
        """The factor on the result that `norm` asks for."""
        if direction == CONVOLVE:
            return 1.0 / self.points
        if self.norm == "ortho":
            return 1.0 / math.sqrt(self.points)
        scaled_direction = INVERSE if self.norm == "backward" else FORWARD
        return 1.0 / self.points if direction == scaled_direction else 1.0

    @property
    def real_axis(self) -> int | None:
        """The axis whose spectrum is halved: the last of those transformed, if it has more than one point."""
        axis = max(self.axes)
        return axis if self.real and self.shape[axis] > 1 else None

    @property
    def spectrum_shape(self) -> tuple[int, ...]:
        """The shape of the spectrum."""
        return half_shape(self.shape, max(self.axes)) if self.real else self.shape

    def check_limits(self, device: Device) -> None:
        """Refuse what the device has no room for: textures by their size, buffers by what can be bound of them.

        Raises:
            LimitError: the shape, the bytes or the layers are too many; the message says how many there may be.
        """
        limits = device.limits
        layers = self.layers or 1
        if self.storage.double and not limits.float64:
            raise LimitError(
                "Double precision takes float64 in shaders, which this device does not have; use single precision: "
                "storage='buffer', or leave out precision= with arrays."
            )
        if not self.storage.buffer:
            most = limits.texture_3d_size if self.is_volume else limits.texture_size
            kind = "3-D textures" if self.is_volume else "textures"
            for length, what in zip(self.shape, _AXIS_NAMES[len(self.shape)], strict=True):
                if length > most:
                    raise LimitError(
                        f"The shape is {self.shape}: the device's {kind} have at most {most} {what}; "
                        "use a smaller shape, split the data, or use storage='buffer'."
                    )
            if layers > limits.array_layers:
                raise LimitError(
                    f"layers is {layers} and the device's texture arrays have at most {limits.array_layers}; use "
                    "several plans."
                )
            return
        elements = math.prod(self.shape) * layers
        need = elements * self.storage.texel_bytes
        if need > limits.buffer_bytes or elements > _MOST_ELEMENTS:
            raise LimitError(
                f"A buffer of {need} bytes is needed and the device can bind at most {limits.buffer_bytes}; split the "
                "data, or use textures."
            )
        if layers > limits.group_count[1]:
            raise LimitError(
                f"layers is {layers} and the device's dispatches have at most {limits.group_count[1]}; use several "
                "plans."
            )

    def passes(self, direction: int, device: Device) -> list[PassSpec]:
        """The dispatches of one direction, in order, with the kernels that are the best known now.

        Args:
            direction: FORWARD, INVERSE, or CONVOLVE: forward, product and back, the last axis of the forward transform
                and the first of the inverse one in one dispatch where that can be.
            device: where they will run.

        Raises:
            LimitError: the algorithm cannot do a line of this length on this device.
        """
        if direction == CONVOLVE:
            return self._with_snippets(self._convolution(device))
        return self._with_snippets(_joined(self._chains(direction, device)))

    def _convolution(self, device: Device) -> list[PassSpec]:
        assert self.multiply is not None
        there, back = self._chains(FORWARD, device), self._chains(INVERSE, device, begins=False)
        snippets = self.multiply.generated("multiply")
        last, first = there[-1][-1].request.whole, back[0][-1].request.whole
        loads_computed = there[-1][0].request.loads_computed
        middle = self._axis_request(last.axis, FORWARD, last.scale, device)
        middle = replace(middle, inverse_scale=first.scale, loads_computed=loads_computed)
        if self.points > 1 and middle.axis != self.real_axis and registry.families_for(middle)[0].convolves(middle):
            (both,) = lookup.passes(middle)
            both = replace(both, snippets=snippets, reads=there[-1][0].reads, writes=back[0][-1].writes)
            return [*_joined(there[:-1]), both, *_joined(back[1:])]
        product = (("generated/store.glsl", '#include "fft/product_store.glsl"\n'),)
        return [*_joined(there[:-1]), *_with_last(there[-1], snippets=product + snippets), *_joined(back)]

    def _chains(self, direction: int, device: Device, begins: bool = True) -> list[list[PassSpec]]:
        """The dispatches of each axis, without snippets. The caller's load is for the first, if they begin there."""
        if self.kind is not None:
            return self._chains_of_kind(self.kind if direction == FORWARD else self.kind.inverse, direction, device)
        # The inverse goes back along the axes in the opposite order.
        ordered = self.axes if direction == FORWARD else self.axes[::-1]
        axes = [axis for axis in ordered if self.shape[axis] > 1]
        chains: list[list[PassSpec]] = []
        for axis in axes:
            scale = self.scale(direction) if axis == axes[-1] else 1.0
            request = self._axis_request(axis, direction, scale, device)
            loads_computed = begins and self.load is not None and axis == axes[0]
            chain = lookup.passes(replace(request, loads_computed=loads_computed))
            if axis == self.real_axis:
                # What is a real line on one side is the Hermitian half of its spectrum on the other.
                if direction == FORWARD:
                    chain = _with_last(chain, writes=Points.HERMITIAN)
                else:
                    chain = _with_first(chain, reads=Points.HERMITIAN)
            chains.append(chain)
        chains = chains or [[self.copy_pass(direction, device)]]
        if self.real and direction == FORWARD:
            chains[0] = _with_first(chains[0], reads=Points.REAL)
        elif self.real:
            chains[-1] = _with_last(chains[-1], writes=Points.REAL)
        return chains

    def _chains_of_kind(self, kind: Kind, direction: int, device: Device) -> list[list[PassSpec]]:
        """The same of cosine and sine transforms."""
        ordered = self.axes if direction == FORWARD else self.axes[::-1]
        axes = [axis for axis in ordered if self.shape[axis] > 1]
        scale = self.scale(direction)
        # Of one point, the transform is a product with a number.
        scale *= kind.factor_of_one(bool(self.orthogonalize)) ** (len(ordered) - len(axes))
        if not axes:
            copy = self.copy_pass(direction, device, scale=scale)
            return [[replace(copy, reads=Points.REAL, writes=Points.REAL)]]
        return [self._chain_of_kind(kind, axis, scale if axis == axes[-1] else 1.0, device) for axis in axes]

    def _chain_of_kind(self, kind: Kind, axis: int, scale: float, device: Device) -> list[PassSpec]:
        """The dispatches of one axis: one, where the complex transform that it takes is one."""
        request = replace(
            self._axis_request(axis, FORWARD, scale, device),
            kind=kind,
            orthogonal=bool(self.orthogonalize),
            # See `_axis_request`.
            real_pairs=self._neighbours_meet(axis),
        )
        if all(family.fuses(request) for family in registry.families_for(request)):
            return lookup.passes(request)
        # What shaders make of lines' numbers holds for both ends of a pass over a volume.
        request = replace(request, real_pairs=request.real_pairs and not self.is_volume)
        try:
            replace(self, shape=request.complex_lines.shape, axes=None, kind=None, orthogonalize=None).check_limits(
                device
            )
        except LimitError as error:
            raise LimitError(
                f"A {kind.name} of {self.shape[axis]} points takes more dispatches here and complex numbers between "
                f"them, which do not fit: {error}"
            ) from error
        return trigonometric.round_complex_passes(request, lookup.passes(request.complex_lines))

    def _with_snippets(self, passes: list[PassSpec]) -> list[PassSpec]:
        """The passes, every other one backwards, with the caller's load in the first and store in the last."""
        passes = [each.backwards if odd else each for each, odd in zip(passes, _alternating(passes), strict=True)]
        if any(snippet is not None for snippet in (self.load, self.store, self.multiply)):
            # The image unit is left to what the snippets declare.
            passes = [each.fetching for each in passes]
        if self.load is not None:
            passes = _with_first(passes, snippets=passes[0].snippets + self.load.generated("load"))
        if self.store is not None:
            passes = _with_last(passes, snippets=passes[-1].snippets + self.store.generated("store"))
        return passes

    def _axis_request(self, axis: int, direction: int, scale: float, device: Device) -> AxisRequest:
        halved = self.real_axis is not None and axis != self.real_axis
        return AxisRequest(
            self.spectrum_shape if halved else self.shape,
            axis,
            direction,
            scale,
            self.twiddles == "computed",
            self.layers,
            self.storage,
            device,
            self.algorithm,
            # A pair shares its NaNs and its rounding, as all lines of a picture do once both axes are through.
            real_pairs=axis == self.real_axis and self._neighbours_meet(axis),
            picture=self.shape if halved else None,
        )

    def _neighbours_meet(self, axis: int) -> bool:
        """Whether two lines along an axis whose numbers follow each other are parts of the same transform."""
        # The nearest axis first: of even length, both lines of a pair have the same place along the axes beyond.
        for other in reversed([each for each in range(len(self.shape)) if each != axis]):
            if other not in self.axes:
                return False
            if self.shape[other] % 2 == 0:
                break
        return True

    def copy_pass(
        self, direction: int, device: Device, block: tuple[int, int, int] = (8, 8, 1), scale: float = 1.0
    ) -> PassSpec:
        """A dispatch that only copies: all there is to do along axes of one point.

        Args:
            direction: FORWARD or INVERSE.
            device: where it will run.
            block: width, height of a work group, and rows that each of its invocations copies.
            scale: factor on what it copies.
        """
        request = self._axis_request(len(self.shape) - 1, direction, 1.0, device)
        width, height, rows_each = block
        # Devices may allow no more than 65535 groups in a row.
        most = device.limits.group_count
        while request.length > width * most[0] and width < device.limits.invocations:
            width, height = 2 * width, max(height // 2, 1)
        rows_each = max(rows_each, -(-request.lines // (height * most[1])))
        defines = {"GROUP_WIDTH": width, "GROUP_HEIGHT": height, "ROWS_EACH": rows_each, "LINE_COUNT": request.lines}
        return PassSpec(
            shader="fft/copy.comp",
            request=request,
            defines=(*defines.items(), ("SCALE", scale)),
            groups=(-(-request.length // width), -(-request.lines // (height * rows_each)), self.layers or 1),
            threads=width * height,
        )


def check_choice(option: str, value: str, allowed: Sequence[str]) -> str:
    """A value of an option that must be one of a few names.

    Raises:
        OptionError: it is none of them; the message has the nearest.
    """
    if isinstance(value, str) and value in allowed:
        return value
    near = get_close_matches(str(value), allowed, n=1) if isinstance(value, str) else []
    hint = f"; did you mean '{near[0]}'?" if near else "."
    raise OptionError(f"{option} is {shown(value)} and must be one of {', '.join(allowed)}{hint}")


def _checked_axes(axes: Any, rank: int) -> tuple[int, ...]:
    every = range(rank)
    try:
        wanted = [operator.index(axis) for axis in (every if axes is None else axes)]
    except TypeError:
        raise ShapeError(
            f"axes is {shown(axes)} and must be a sequence of axis numbers, such as {tuple(every)}."
        ) from None
    if not wanted or any(not -rank <= axis < rank for axis in wanted):
        raise ShapeError(f"axes is {tuple(wanted)} and must name {_AXES_TO_NAME[rank]}.")
    normalised = {axis % rank for axis in wanted}
    if len(normalised) != len(wanted):
        raise ShapeError(f"axes is {tuple(wanted)}: each axis can be transformed once.")
    # Rows first: their texels lie side by side in memory, and the order of the axes does not change the result.
    return tuple(sorted(normalised, reverse=True))


def _checked_shape(shape: Any) -> tuple[int, ...]:
    try:
        lengths = tuple(operator.index(length) for length in shape)
    except TypeError:
        raise ShapeError(
            f"The shape is {shown(shape)} and must be two whole numbers, (rows, columns), or three, (depth, rows, "
            "columns)."
        ) from None
    if len(lengths) not in _AXIS_NAMES:
        raise ShapeError(
            f"The shape is {lengths} and must be two numbers, (rows, columns), or three, (depth, rows, columns)."
        )
    for length, what in zip(lengths, _AXIS_NAMES[len(lengths)], strict=True):
        if length < 1:
            raise ShapeError(f"The shape is {lengths}: the number of {what} must be at least 1.")
    return lengths


def _checked_layers(layers: Any) -> int | None:
    if layers is None:
        return None
    try:
        # True is a whole number to Python, and asks for something else than one layer.
        count = 0 if isinstance(layers, bool) else operator.index(layers)
    except TypeError:
        count = 0
    if count < 1:
        raise ShapeError(f"layers is {layers!r} and must be a whole number of at least 1, or None for 2-D textures.")
    return count


def _checked_real(real: Any) -> bool:
    if not isinstance(real, bool):
        raise OptionError(f"real is {real!r} and must be True, for real pictures, or False.")
    return real


def _checked_kind(kind: Any) -> Kind | None:
    if kind is None or isinstance(kind, Kind):
        return kind
    return KINDS[check_choice("kind", kind, tuple(KINDS))]


def _check_for_real(*given: Snippet | None) -> None:
    for snippet in filter(is_for_complex_pictures, given):
        assert snippet is not None
        raise OptionError(
            f"The {snippet.name} is for whole complex pictures, and a plan with real=True has real ones and half "
            "spectra; leave out one of the two."
        )


def _with_first(passes: list[PassSpec], **changes: Any) -> list[PassSpec]:
    """Passes with changes to the first, and to others that read the same image as that."""
    first = readers(steps(passes)[0])
    return [replace(each, **changes) if any(each is one for one in first) else each for each in passes]


def _with_last(passes: list[PassSpec], **changes: Any) -> list[PassSpec]:
    """Passes with changes to the last, and to others that write the same image as that."""
    last = writers(steps(passes)[-1])
    return [replace(each, **changes) if any(each is one for one in last) else each for each in passes]


def _alternating(passes: list[PassSpec]) -> list[bool]:
    """Whether each pass is an odd one: no, yes, no, and so on; where lines go in turn, the same for all of them."""
    found: list[bool] = []
    start = 0
    for each in passes:
        padded = each.request.padded
        if padded is not None and padded.enters and padded.first == 0:
            start = len(found)
        again = padded is not None and padded.enters and padded.first > 0
        found.append(found[start] if again else bool(found) and not found[-1])
    return found


def _joined(chains: list[list[PassSpec]]) -> list[PassSpec]:
    return list(itertools.chain.from_iterable(chains))
