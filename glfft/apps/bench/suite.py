"""What is measured, by shape, batch, axes and storage; and suites of cases."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import starmap
from typing import TYPE_CHECKING, Any

from glfft.algorithms.lengths import largest_prime_factor
from glfft.algorithms.storage import STORAGES, Storage

if TYPE_CHECKING:
    from glfft.engine.request import PlanRequest

FLOAT32 = STORAGES["rg32f"]

SMOOTH = 7  # lengths whose prime factors are at most this are called smooth
TRANSFORMS_A_TILE = 4  # a tile has eight real fields, and one complex transform computes two of them
RANDOM = "random"  # the name of the suite that `glfft.apps.bench.random_suite` draws
SOFTWARE_POINTS = 1 << 22  # a software renderer takes minutes for a case of more points


@dataclass(frozen=True)
class Case:
    """Forward transforms of so many pictures. Raises OptionError for an odd number where a layer keeps two pictures."""

    shape: tuple[int, ...]  # rows and columns of a picture; or depth, rows and columns of a volume
    batch: int = 1  # the number of pictures. Storages with two complex numbers a texel keep two pictures in each layer.
    axes: tuple[int, ...] = ()  # the axes that are transformed, as in `glfft.Plan`; none when a case is made means all
    storage: Storage = FLOAT32  # how the pictures are stored; of real ones, how their spectra are
    real: bool = False  # pictures of real numbers, transformed to the non-redundant half of their spectra
    cosine: bool = False  # pictures of real numbers, and the cosine transform of type 2 instead

    def __post_init__(self) -> None:
        self.storage.layers_of(self.batch)
        if not self.axes:
            object.__setattr__(self, "axes", tuple(range(len(self.shape))))

    @property
    def layers(self) -> int | None:
        """The layers of the texture arrays, or None if one 2-D texture holds everything."""
        return self.storage.layers_of(self.batch)

    @property
    def request(self) -> "PlanRequest":
        # Help and usage errors name the suites, and should come at once.
        from glfft.engine.request import PlanRequest

        held: dict[str, Any] = {"layers": self.layers, "storage": self.storage}
        return PlanRequest.of(self.shape, self.axes, real=self.real, kind="dct2" if self.cosine else None, **held)

    @property
    def spectrum_shape(self) -> tuple[int, ...]:
        return self.request.spectrum_shape

    @property
    def points(self) -> int:
        return self.batch * math.prod(self.shape)

    @property
    def transform_points(self) -> int:
        """N of one transform: the points along the axes that are transformed."""
        return math.prod(self.shape[axis] for axis in self.axes)

    @property
    def smooth(self) -> bool:
        """Whether no length that is transformed has a prime factor above SMOOTH."""
        return all(largest_prime_factor(self.shape[axis]) <= SMOOTH for axis in self.axes)

    @property
    def operations(self) -> float:
        """5 N log2 N floating-point operations a transform, of real numbers half: a convention, for any algorithm."""
        return (2.5 if self.real or self.cosine else 5.0) * self.points * math.log2(self.transform_points)

    @property
    def title(self) -> str:
        """Its name in tables, such as "512x1024 x 12 rg16f", or "1-D 16 x 1048576" for 1048576 lines of 16 points."""
        if len(self.axes) == 1:
            size = f"1-D {self.transform_points} x {self.points // self.transform_points}"
        else:
            size = "x".join(map(str, self.shape)) + (f" x {self.batch}" if self.batch > 1 else "")
        size += " real" if self.real else " cosine" if self.cosine else ""
        return size if self.storage is FLOAT32 else f"{size} {self.storage.name}"


@dataclass(frozen=True)
class OceanCase(Case):
    """A step of the ocean: evolution, transforms, unpacking of eight fields a tile; in libraries four transforms."""

    half: bool = False  # the fields go to textures of half precision, as in the demo; else to float32, as libraries' do

    @property
    def title(self) -> str:
        size = "x".join(map(str, self.shape))
        tiles = self.batch // TRANSFORMS_A_TILE
        return f"ocean step, {tiles} tile{'s' if tiles > 1 else ''} of {size}{' to half' if self.half else ''}"


@dataclass(frozen=True)
class ConvolutionCase(Case):
    """Convolutions: circular ones of complex pictures, or linear ones of a texture's channels, of the same size."""

    kernel: tuple[int, int] | None = None  # rows and columns of the kernel of a linear convolution; None: circular
    own_kernels: bool = False  # whether each picture has a kernel of its own
    filled: tuple[int, int] | None = None  # the first rows and columns of a picture that are not zero; None: all
    arrays: bool = False  # of numpy, from and to which a linear convolution copies, instead of textures

    @property
    def spectrum_shape(self) -> tuple[int, ...]:
        return self.shape

    @property
    def operations(self) -> float:
        return 2.0 * super().operations

    @property
    def title(self) -> str:
        size = "x".join(map(str, self.shape)) + (f" x {self.batch}" if self.batch > 1 else "")
        own = ", own kernels" if self.own_kernels else ""
        filled = f", {'x'.join(map(str, self.filled))} filled" if self.filled else ""
        kernel = f" with {'x'.join(map(str, self.kernel))}" if self.kernel else ""
        storage = "" if self.storage is FLOAT32 else f" {self.storage.name}"
        return f"convolution {size}{kernel}{own}{filled}{storage}{', arrays' if self.arrays else ''}"


@dataclass(frozen=True)
class Suite:
    """Cases, and how much of each is measured."""

    title: str | None = None  # its name, for the record; None for cases of the caller's
    cases: Sequence[Case] = ()
    times_only: bool = False  # whether plain copies and the calls from Python are not timed
    most_compared: float = math.inf  # results of more points are not compared with float64


def lines(length: int, count: int, storage: str = FLOAT32.name, real: bool = False) -> Case:
    """Lines as the rows of as few layers as possible: every OpenGL 4.3 device allows 16384 rows a texture."""
    layers = -(-count // 16384)
    return Case((count // layers, length), layers, axes=(1,), storage=STORAGES[storage], real=real)


def _square(side: int, batch: int = 1, storage: str = FLOAT32.name) -> Case:
    return Case((side, side), batch, storage=STORAGES[storage])


_SIDES = (128, 256, 512, 1024, 2048, 4096)
_STACKS = ((512, 12), (1024, 12), (256, 256), (1024, 64), (2048, 16))

_POWERS_OF_TWO = (
    *map(_square, _SIDES),
    *starmap(_square, _STACKS),
    *(lines(16, 1 << 20), lines(512, 16384), lines(1024, 8192)),
    *(_square(1024, 12, half) for half in ("rg16f", "rgba16f")),
    *(OceanCase((512, 512), 3 * TRANSFORMS_A_TILE, half=half) for half in (False, True)),
)

_SINGLE = (
    *((720, 1280), (1080, 1920), (2160, 3840), (768, 768), (1000, 1000)),
    *((1536, 1536), (960, 960), (600, 800), (1350, 2187)),
)
_PICTURES = (*((shape, 1) for shape in _SINGLE), ((1080, 1920), 4), ((540, 960), 8))
_CUBES = (48, 64, 100, 128, 144, 180, 256)
_PRIMES, _MANY_LINES = (1021, 997, 2039), (243, 625, 1000, 1080, 1920, 3840, 3125, 4095, 6144)

_SIZES = (
    *starmap(Case, _PICTURES),
    *(_square(343), _square(343, storage="buffer"), _square(1001), _square(1021)),
    *(lines(n, (1 << 23) // n, "buffer") for n in (*_PRIMES, *_MANY_LINES)),
    *(lines(n, 1, "buffer") for n in (1 << 20, 1 << 24, 1000003)),
    Case((4896, 3264)),
    *(Case(*each, real=True) for each in _PICTURES),
    *(Case(shape, cosine=True) for shape in _SINGLE),
    *(Case((side, side, side), storage=STORAGES[name]) for name in ("rg32f", "buffer") for side in _CUBES),
    *(_square(side, storage="buffer") for side in (256, 512, 1000, 1024, 2048, 4096)),
)

_ONE_KERNEL = ((512, 12), (1024, 12), (1024, 64), (64, 2048), (128, 2048))
_BLOOMS = (((720, 1280), 256), ((1080, 1920), 256), ((1080, 1920), 512), ((2160, 3840), 512))


def _own_kernels(side: int, filled: int | None = None) -> Case:
    """Many complex pictures with kernels of their own, and perhaps zeros but for so many rows and columns."""
    batch = min((1 << 27) // side**2, 2048)  # 2^27 values, or as many as layers allow
    return ConvolutionCase((side, side), batch, own_kernels=True, filled=(filled, filled) if filled else None)


def _linear(shape: tuple[int, int], kernel: int, channels: int = 1, storage: str = FLOAT32.name) -> ConvolutionCase:
    return ConvolutionCase(shape, channels, storage=STORAGES[storage], real=True, kernel=(kernel, kernel))


_CONVOLUTIONS = (
    *(ConvolutionCase((n, n), batch) for n, batch in _ONE_KERNEL),
    *(ConvolutionCase((n, n)) for n in _SIDES[1:]),
    *(_own_kernels(side) for side in (256, 512, 1024, 2048, 4096)),
    *(_own_kernels(side, side // 8) for side in (64, 512, 1024, 4096)),
    *(_linear(*each, 4, "rgba16f") for each in _BLOOMS),
    *(_linear((360, 640), 64), replace(_linear((1000, 1000), 100), arrays=True)),
)

NO_SUITE, DEFAULT_SUITE = Suite(), "powers-of-two"
_ALL = ((DEFAULT_SUITE, _POWERS_OF_TWO), ("sizes", _SIZES), ("convolution", _CONVOLUTIONS))
SUITES = {name: Suite(name, cases) for name, cases in _ALL}


def affordable(cases: Sequence[Case]) -> tuple[list[Case], list[str]]:
    """The cases that a software renderer can do in seconds, and a sentence on those left out, if any."""
    kept = [case for case in cases if case.points <= SOFTWARE_POINTS]
    left_out = [case.title for case in cases if case not in kept]
    sentence = f"On a software renderer the suite leaves out cases of more than {SOFTWARE_POINTS} points: "
    return kept, [sentence + ", ".join(left_out) + "."] if left_out else []
