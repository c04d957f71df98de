"""What a plan is asked for, as data that is checked when it is made."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from glfft.algorithms import registry
from glfft.algorithms.kinds import Kind
from glfft.algorithms.line_layout import half_shape
from glfft.algorithms.regions import Region
from glfft.algorithms.storage import STORAGES, Storage
from glfft.engine import request_options as given
from glfft.errors import LimitError, OptionError, ShapeError, check_choice
from glfft.gl.device import Device
from glfft.snippets import Snippet, as_snippet, is_for_complex_pictures

FORWARD = -1
INVERSE = +1
CONVOLVE = 0
DIRECTION_NAMES = {FORWARD: "forward", INVERSE: "inverse", CONVOLVE: "convolve"}

NORMS = ("backward", "ortho", "forward")
TWIDDLES = ("table", "computed")

# What the coordinates and indices of shaders can count.
_MOST_ELEMENTS = (1 << 31) - 1


@dataclass(frozen=True)
class PlanRequest:
    """The transform a plan does. `PlanRequest.of` makes one of what users give.

    Raises:
        OptionError: two options exclude each other.
        ShapeError: a line of a "dct1" has one point.
    """

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
    boundary: str = "zero"  # what is read outside the source's
    quick: bool = False  # with kernels that compile quickly, in place of fast ones

    @classmethod
    def of(
        cls,
        shape: Sequence[int],
        axes: Iterable[int] | None = None,
        algorithm: str = registry.AUTO,
        norm: str | None = None,
        twiddles: str = "table",
        layers: int | None = None,
        storage: Storage | str = "rg32f",
        load: Snippet | str | None = None,
        store: Snippet | str | None = None,
        multiply: Snippet | str | None = None,
        real: bool = False,
        kind: Kind | str | None = None,
        orthogonalize: bool | None = None,
        source_region: Sequence[slice] | None = None,
        target_region: Sequence[slice] | None = None,
        boundary: str = "zero",
    ) -> PlanRequest:
        """The request for the options of `glfft.Plan`.

        Raises:
            ShapeError: the shape, an axis or the layers make no sense.
            AlgorithmError, OptionError: an unknown name, or two options exclude each other.
            ShaderError: a snippet without the function it is for.
        """
        lengths = given.as_shape(shape)
        norm = check_choice("norm", "backward" if norm is None else norm, NORMS)
        kind = given.as_kind(kind)
        return cls(
            shape=lengths,
            axes=given.as_axes(axes, len(lengths)),
            algorithm=registry.check_algorithm(algorithm),
            norm=norm,
            twiddles=check_choice("twiddles", twiddles, TWIDDLES),
            layers=given.as_layers(layers),
            storage=given.as_storage(storage),
            load=as_snippet("load", load),
            store=as_snippet("store", store),
            multiply=as_snippet("multiply", multiply),
            real=given.as_real(real),
            kind=kind,
            orthogonalize=given.as_orthogonalize(orthogonalize, kind, norm),
            source_region=given.as_region("source_region", source_region, lengths),
            target_region=given.as_region("target_region", target_region, lengths),
            boundary=given.as_boundary(boundary, source_region),
        )

    def __post_init__(self) -> None:
        if self.storage.double and self.twiddles == "computed":
            raise OptionError(
                "Double precision has no twiddles='computed', since GLSL has no sine and cosine in float64; leave it "
                "out."
            )
        if self.is_volume and self.layers is not None and not self.storage.buffer:
            raise OptionError(
                f"layers is {self.layers} and OpenGL has no arrays of 3-D textures; leave layers= out and run the plan "
                "for each volume, or use storage='buffer'."
            )
        for snippet in (self.load, self.store):
            if self.real and snippet is not None and is_for_complex_pictures(snippet):
                raise OptionError(
                    f"The {snippet.name} is for whole complex pictures, and a plan with real=True has real ones and "
                    "half spectra; leave out one of the two."
                )
        if self.kind is not None:
            self._check_for_kind(self.kind)
        if self.has_regions and self.algorithm != registry.AUTO and registry.family_of(self.algorithm).study:
            raise OptionError(
                f"The algorithm '{self.algorithm}' is for study and has no regions; leave out source_region= and "
                "target_region=, or use algorithm='auto'."
            )

    def _check_for_kind(self, kind: Kind) -> None:
        if self.real:
            raise OptionError(f"A plan with kind='{kind.name}' has real numbers on both sides; leave out real=True.")
        if self.multiply is not None:
            raise OptionError(
                f"A plan with kind='{kind.name}' cannot convolve, which takes Fourier spectra; leave out multiply= or "
                "kind=."
            )
        for snippet in (self.load, self.store):
            if snippet is not None and is_for_complex_pictures(snippet):
                raise OptionError(
                    f"The {snippet.name} is for complex pictures, and a plan with kind='{kind.name}' has real ones; "
                    "leave out one of the two."
                )
        if any(self.shape[axis] < kind.fewest_points for axis in self.axes):
            raise ShapeError(
                f"The shape is {self.shape}: a {kind.name} of one point is not defined; give at least "
                f"{kind.fewest_points}."
            )

    @property
    def snippets(self) -> tuple[Snippet, ...]:
        """Those that it has."""
        return tuple(each for each in (self.load, self.store, self.multiply) if each is not None)

    @property
    def is_volume(self) -> bool:
        """Whether its textures are 3-D ones, and its buffers hold volumes."""
        return len(self.shape) == 3

    @property
    def has_regions(self) -> bool:
        """Whether a source or a target holds a part of the points only."""
        return self.source_region is not None or self.target_region is not None

    @property
    def without_regions(self) -> PlanRequest:
        """The same with whole pictures."""
        return replace(self, source_region=None, target_region=None, boundary="zero")

    def regions(self, direction: int) -> tuple[Region, Region]:
        """The points that source and target hold. The half spectra of real pictures are whole."""
        picture, spectrum = Region.whole(self.shape), Region.whole(self.spectrum_shape)
        source, target = self.source_region, self.target_region
        if direction == INVERSE and (source is None or self.real):
            source = spectrum
        if direction == FORWARD and (target is None or self.real):
            target = spectrum
        return source or picture, target or picture

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

    def ends(self, direction: int) -> tuple[tuple[tuple[int, ...], Storage], tuple[tuple[int, ...], Storage]]:
        """Shape and storage of what a direction reads, and of what it writes."""
        real = self.real or self.kind is not None
        picture = self.storage.of_reals if real else self.storage
        spectrum = picture if self.kind is not None else self.storage
        source, target = (region.shape for region in self.regions(direction))
        return (
            (source, spectrum if direction == INVERSE else picture),
            (target, spectrum if direction == FORWARD else picture),
        )

    def check_limits(self, device: Device) -> None:
        """Refuse what the device has no room for: textures by their size, buffers by what can be bound of them. Raises
        LimitError where the shape, the bytes or the layers are too many; the message says how many there may be.
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
            for length, what in zip(self.shape, given.AXIS_NAMES[len(self.shape)], strict=True):
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
