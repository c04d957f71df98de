"""What an algorithm is asked for: the transforms of all lines along one axis of a picture or a volume."""

import math
from dataclasses import dataclass, replace

from glfft.algorithms.kinds import Kind
from glfft.algorithms.regions import Region
from glfft.algorithms.storage import Storage
from glfft.gl.device import Device

LINE_NAMES = {"x": "rows", "y": "columns", "z": "lines along z"}  # what lines are called, by their direction


def along(axis: int, rank: int) -> str:
    """The direction of an axis of a picture (rank 2) or a volume (rank 3): "x", "y" or "z"."""
    return "xyz"[rank - 1 - axis]


@dataclass(frozen=True)
class FourStepPart:
    """One of the passes that together transform lines too long for a work group, see fft/four_step.glsl."""

    length: int  # points of a part
    before: tuple[int, ...]  # the lengths of the parts in the passes before, in order
    after: int  # the product of the lengths in the passes after; so far apart are the points of a part

    @property
    def count(self) -> int:
        return math.prod(self.before) * self.after

    @property
    def couples(self) -> int:
        """How many there are of parts whose numbers add up to 0 or `count`."""
        return self.count // 2 + 1

    @property
    def last(self) -> bool:
        """Whether it is the pass over contiguous parts, which puts its outputs in order."""
        return self.after == 1


@dataclass(frozen=True)
class PaddedLines:
    """What a pass over longer lines in a scratch buffer, those of all layers in turn, does for a picture's lines."""

    whole: "AxisRequest"  # what was asked for
    first: int  # the number of the first line that is in the buffer
    enters: bool = False  # the pass reads the lines of the picture, and multiplies them by the chirp
    leaves: bool = False  # the pass writes their transform, multiplied by the chirp


@dataclass(frozen=True)
class AxisRequest:
    shape: tuple[int, ...]  # rows, columns of a layer; of a volume depth, rows, columns
    axis: int  # of the shape, along which the lines run
    direction: int  # -1 forward, exp(-2 pi i jk/N); +1 inverse
    scale: float  # factor on the result
    computed_twiddles: bool  # sine and cosine in the shader instead of a table
    layers: int | None  # pictures transformed at once, or None where the textures have no layers
    storage: Storage  # what a texel is
    device: Device  # where it will run
    algorithm: str = "auto"  # the name that was asked for
    part: FourStepPart | None = None  # which part of its lines is transformed, or None for whole lines
    real: bool = False  # lines are real on the side that is not their spectrum
    halved: bool = False  # and go each as a complex one of half as many points, see fft/real_halves.glsl
    real_pairs: bool = False  # lines are real on the side that is not their spectrum, and may go two as a complex one
    picture: tuple[int, ...] | None = None  # the plan's shape, where `shape` is that of a Hermitian half; else None
    inverse_scale: float | None = None  # the factor on the result, where a product and the inverse transform follow
    padded: PaddedLines | None = None  # what its lines are for, where they are longer ones in a scratch buffer
    # what was asked for, where each of its lines is two real ones, or one of twice as many points; else None
    real_lines: "AxisRequest | None" = None
    kind: Kind | None = None  # a cosine or sine transform of real lines instead of a Fourier transform; else None
    orthogonal: bool = False  # with its end points scaled so that it is orthogonal but for a factor
    loads_computed: bool = False  # what it loads is computed by a snippet of the caller's
    convolution: str = ""  # it is of a convolution of "complex" or "real" pictures
    crossing: Region | None = None  # the region whose lines alone are transformed, whatever it has along the axis
    both_axes: bool = False  # all other lines too, in one dispatch
    quick: bool = False  # the kernel is to compile quickly rather than to run so

    @property
    def length(self) -> int:
        """Points of a transform: of a line, of the part of one, or of the complex line that real ones go as."""
        points = self.shape[self.axis]
        if self.kind is not None and self.kind.type == 1:
            return self.kind.period(points)
        if self.halved:
            return points // 2
        return points if self.part is None else self.part.length

    def of_length(self, length: int) -> "AxisRequest":
        """The request with lines, or parts of lines, of another length."""
        if self.part is not None:
            return replace(self, part=replace(self.part, length=length))
        return replace(self, shape=(*self.shape[: self.axis], length, *self.shape[self.axis + 1 :]), kind=None)

    @property
    def complex_lines(self) -> "AxisRequest":
        """The forward transforms of complex lines that real ones are done by; in volumes, pairs lie side by side."""
        plain = replace(self, direction=-1, scale=1.0, picture=None, kind=None, orthogonal=False, real_pairs=False)
        plain = replace(plain, real=False, halved=False)
        if not self.real_pairs:
            return plain.of_length(self.length)
        axis, pairs = int(self.measured_axis == 1), -(-self.lines // 2)
        shape = (pairs, self.length) if axis == 1 else (self.length, pairs)
        return replace(plain, shape=shape, axis=axis, crossing=None)

    @property
    def points(self) -> int:
        """Points of the whole picture, all layers together; of the complex lines that real ones go as."""
        return math.prod(self.shape) * (self.layers or 1) // (2 if self.halved else 1)

    @property
    def is_volume(self) -> bool:
        return len(self.shape) == 3

    @property
    def along(self) -> str:
        return along(self.axis, len(self.shape))

    @property
    def measured_axis(self) -> int:
        """The axis of pictures whose measured kernels suit: parts of a line and lines along z lie side by side in
        memory, as columns do. On GPUs, 2 are those in squares in textures, and parts of a buffer's rows.
        """
        part = self.part is not None
        if self.along == "x" and not part:
            return 1
        own = self.along == "x" if self.storage.buffer else part or self.along == "z"
        return 2 if own and not self.device.software else 0

    @property
    def measured_axes(self) -> tuple[int, ...]:
        """The same, and after it the axis whose kernels suit where nothing was measured of that one."""
        return (2, 0) if self.measured_axis == 2 and self.storage.buffer else (self.measured_axis,)

    @property
    def line_name(self) -> str:
        if self.both_axes:
            return "rows and columns"
        name = f"{'' if self.padded is None else 'padded '}{LINE_NAMES[self.whole.along]}"
        return name if self.part is None else f"parts of {name}"

    @property
    def lines_above(self) -> int:
        """How many lines or parts of lines lie above each other where neighbours may be numbered in squares: in
        textures, whose sectors hold points of two rows. 1 where they stay side by side, as lines that go in pairs do.
        """
        if self.storage.buffer or self.padded is not None or self.real_pairs or self.kind is not None:
            return 1
        if self.part is not None and not self.is_volume:
            return self.part.count if self.along == "y" else self.lines // self.part.count
        return (self.crossing or self).shape[-2] if self.part is None and self.along == "z" else 1

    @property
    def whole(self) -> "AxisRequest":
        """The request that it is a part of, if there is one, for the lines of a picture."""
        return self.picture_lines.real_lines or self.picture_lines

    @property
    def picture_lines(self) -> "AxisRequest":
        """The same but for real lines of which two are one of its own."""
        return self if self.padded is None else self.padded.whole

    @property
    def enters(self) -> bool:
        """Whether its pass reads the points of a picture's lines, rather than what a pass over parts has left."""
        return self.padded.enters if self.padded is not None else self.part is None or not self.part.before

    @property
    def leaves(self) -> bool:
        """Whether its pass writes the transform of a picture's lines."""
        return self.padded.leaves if self.padded is not None else self.part is None or self.part.last

    @property
    def at_padded_end(self) -> bool:
        """Whether it is the first or the last pass over padded lines, which reads or writes the picture's lines."""
        return self.padded is not None and (self.padded.enters or self.padded.leaves)

    @property
    def couples_parts(self) -> bool:
        """Whether its parts go two at a time, as the spectra of real lines are made of points in both."""
        return self.leaves and self.picture_lines.real_lines is not None and self.picture_lines.direction < 0

    @property
    def of_halves(self) -> bool:
        """Whether each of its lines is a real one of twice as many points, rather than two real ones."""
        return self.real_lines is not None and self.real_lines.length == 2 * self.shape[self.axis]

    @property
    def in_halves(self) -> bool:
        """Whether its real lines go each as a complex one of half as many points, whole or in parts."""
        return self.halved or self.of_halves

    @property
    def mirrors(self) -> bool:
        """Whether its passes exchange points with those at mirrored positions too."""
        return self.real_pairs or self.halved or self.couples_parts or self.kind is not None

    @property
    def of_values(self) -> "AxisRequest":
        """The request of complex lines whose kernels suit: what real ones go as; or parts, two in a value."""
        if self.halved:
            return self.complex_lines
        if not self.couples_parts:
            return self if self.real_lines is None else replace(self, real_lines=None)
        shape = (-(-self.shape[0] // 2), *self.shape[1:])
        return replace(self, real_lines=None, padded=None, shape=shape, storage=replace(self.storage, components=4))

    @property
    def lines(self) -> int:
        """Lines in a layer, each part of one counted."""
        shape = self.shape if self.crossing is None else self.crossing.shape
        return math.prod(shape) // shape[self.axis] * (1 if self.part is None else self.part.count)

    @property
    def reals(self) -> str:
        """How real lines go that have kernels of their own, whole ones: "alone" or "in pairs"; "" for other lines."""
        if not self.real or self.halved or self.kind is not None or (self.part or self.inverse_scale) is not None:
            return ""
        return "in pairs" if self.real_pairs else "alone"

    @property
    def plain(self) -> "AxisRequest":
        """The plain forward transform of the same lines, by which kernels for all passes along them are measured."""
        request = replace(self, loads_computed=False, convolution="", crossing=None, quick=False)
        if self.kind is not None or self.halved:
            return replace(request, real_pairs=False).complex_lines
        request = replace(request, direction=-1, scale=1.0, picture=None)
        if request.reals:
            return request
        return replace(request, real=False, real_pairs=False, inverse_scale=None, padded=None, real_lines=None)
