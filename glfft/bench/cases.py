"""What is measured: forward transforms of pictures by shape, batch, axes and storage."""

from __future__ import annotations

import math
from dataclasses import dataclass

from glfft.algorithms.storage import STORAGES, Storage

FLOAT32 = STORAGES["rg32f"]

# Eight real fields, two a complex transform.
TRANSFORMS_A_TILE = 4


@dataclass(frozen=True)
class Case:
    """Forward transforms of `batch` pictures of complex numbers at once.

    Attributes:
        shape: rows, columns of a picture.
        batch: pictures; two ride in one layer where a texel holds two numbers.
        axes: transformed, as in `glfft.Plan`.
        storage: what a texel is.

    Raises:
        OptionError: the batch cannot fill the layers of that storage.
    """

    shape: tuple[int, int]
    batch: int = 1
    axes: tuple[int, ...] = (0, 1)
    storage: Storage = FLOAT32

    def __post_init__(self) -> None:
        self.storage.layers_of(self.batch)

    @property
    def layers(self) -> int | None:
        """Of the texture arrays, or None where a 2-D texture holds all."""
        return self.storage.layers_of(self.batch)

    @property
    def points(self) -> int:
        """Complex numbers in all."""
        return self.batch * math.prod(self.shape)

    @property
    def transform_points(self) -> int:
        """N of one transform: points along the axes transformed."""
        return math.prod(self.shape[axis] for axis in self.axes)

    @property
    def operations(self) -> float:
        """5 N log2 N floating-point operations a transform, by convention whatever the algorithm does."""
        return 5.0 * self.points * math.log2(self.transform_points)

    @property
    def title(self) -> str:
        """Its name in tables, such as "512x1024 x 12 rg16f", or "1-D 16 x 1048576" for so many lines."""
        if len(self.axes) == 1:
            size = f"1-D {self.transform_points} x {self.points // self.transform_points}"
        else:
            size = "x".join(map(str, self.shape)) + (f" x {self.batch}" if self.batch > 1 else "")
        return size if self.storage is FLOAT32 else f"{size} {self.storage.name}"


@dataclass(frozen=True)
class OceanCase(Case):
    """A step of the ocean, whose eight fields a tile are four transforms; libraries do those transforms alone.

    Attributes:
        half: the fields go to textures of half precision, as in the demo; float32 is like for like.
    """

    half: bool = False

    @property
    def title(self) -> str:
        size = "x".join(map(str, self.shape))
        return f"ocean step, {self.batch // TRANSFORMS_A_TILE} tiles of {size}{' to half' if self.half else ''}"
