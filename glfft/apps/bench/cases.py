"""What is measured: forward transforms of pictures and volumes by shape, batch, axes and storage."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from glfft.algorithms.kinds import KINDS
from glfft.algorithms.lengths import largest_prime_factor
from glfft.algorithms.storage import STORAGES, Storage

if TYPE_CHECKING:
    from glfft.engine.request import PlanRequest

FLOAT32 = STORAGES["rg32f"]

# Lengths whose prime factors are at most this are called smooth.
SMOOTH = 7

# A tile has eight real fields, and one complex transform computes two of them.
TRANSFORMS_A_TILE = 4


@dataclass(frozen=True)
class Case:
    """Forward transforms of `batch` pictures at once, of complex numbers or of real ones. Raises OptionError where the
    batch is odd, and the storage keeps two pictures in each layer.
    """

    shape: tuple[int, ...]  # rows and columns of a picture; or depth, rows and columns of a volume
    batch: int = 1  # the number of pictures. Storages with two complex numbers a texel keep two pictures in each layer.
    # the axes that are transformed, as in `glfft.Plan`; None when a case is made means all
    axes: tuple[int, ...] = None  # pyright: ignore[reportAssignmentType]
    storage: Storage = FLOAT32  # how the pictures are stored; of real ones, how their spectra are
    real: bool = False  # pictures of real numbers, transformed to the non-redundant half of their spectra
    cosine: bool = False  # pictures of real numbers, and the cosine transform of type 2 instead

    def __post_init__(self) -> None:
        self.storage.layers_of(self.batch)
        if self.axes is None:
            object.__setattr__(self, "axes", tuple(range(len(self.shape))))

    @property
    def layers(self) -> int | None:
        """The layers of the texture arrays, or None if one 2-D texture holds everything."""
        return self.storage.layers_of(self.batch)

    @property
    def request(self) -> PlanRequest:
        """The plan it asks for."""
        # Help and usage errors name the suites, and should come at once.
        from glfft.engine.request import PlanRequest

        kind = KINDS["dct2"] if self.cosine else None
        return PlanRequest.of(
            self.shape, self.axes, layers=self.layers, storage=self.storage, real=self.real, kind=kind
        )

    @property
    def spectrum_shape(self) -> tuple[int, ...]:
        """Rows and columns of a spectrum."""
        return self.request.spectrum_shape

    @property
    def points(self) -> int:
        """The number of points of all pictures."""
        return self.batch * math.prod(self.shape)

    @property
    def transform_points(self) -> int:
        """N of one transform: the points along the axes that are transformed."""
        return math.prod(self.shape[axis] for axis in self.axes)

    @property
    def smooth(self) -> bool:
        """Whether no length that is transformed has a prime factor above 7."""
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
    """A step of the ocean: evolution, transforms and unpacking of eight fields in each tile. Libraries are timed with
    its transforms alone: four complex ones for each tile.
    """

    # whether the fields go to textures of half precision, as in the demo, or to float32 as the libraries' do
    half: bool = False

    @property
    def title(self) -> str:
        size = "x".join(map(str, self.shape))
        tiles = self.batch // TRANSFORMS_A_TILE
        return f"ocean step, {tiles} tile{'s' if tiles > 1 else ''} of {size}{' to half' if self.half else ''}"


@dataclass(frozen=True)
class ConvolutionCase(Case):
    """Convolutions of pictures. Circular ones are of complex numbers, with kernels as large as a picture. Linear ones
    are of real pictures, which are the channels of a texture, and as large as these, with zeros around.
    """

    kernel: tuple[int, int] | None = None  # rows and columns of the kernel of a linear convolution; None: circular
    own_kernels: bool = False  # whether each picture has a kernel of its own
    filled: tuple[int, int] | None = None  # the first rows and columns of a picture that are not zero; None: all
    arrays: bool = False  # of numpy, from and to which a linear convolution copies, instead of textures

    @property
    def spectrum_shape(self) -> tuple[int, ...]:
        """Rows and columns of a result."""
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
