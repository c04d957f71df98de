"""Where a transform's data lives: the formats of textures, texture arrays and buffers a plan can work on."""

from __future__ import annotations

from dataclasses import dataclass

from glfft.algorithms.line_layout import Points
from glfft.errors import OptionError


@dataclass(frozen=True)
class Storage:
    """One way of keeping complex numbers."""

    name: str  # what users call it
    components: int  # channels of a texel: 2 is one complex number, 4 are two; 1 is one real number
    # of its numbers: "f4"; "f2", half precision, with arithmetic in float32 all the same; "f8", which only buffers
    # have, with arithmetic in float64
    dtype: str
    buffer: bool = False  # in a buffer instead of a texture
    real: bool = False  # its numbers are real ones, as the pictures of a plan with real= are

    @property
    def meaning(self) -> str:
        """What the channels of a texel are."""
        if self.real:
            return "(a real number)" if self.components == 1 else "(two real numbers)"
        return "(real, imaginary)" if self.components == 2 else "(two complex numbers)"

    @property
    def paired(self) -> bool:
        """Whether a texel carries two complex numbers."""
        return self.components == 4

    @property
    def texel_bytes(self) -> int:
        """Bytes of one texel."""
        return self.components * int(self.dtype[1:])

    @property
    def double(self) -> bool:
        """Whether shaders compute in float64 instead of float32."""
        return self.dtype == "f8"

    @property
    def number_bytes(self) -> int:
        """Bytes of a real number in registers and shared memory."""
        return 8 if self.double else 4

    @property
    def value_bytes(self) -> int:
        """Bytes of one value in registers and shared memory."""
        return self.components * self.number_bytes

    @property
    def of_reals(self) -> Storage:
        """The one that holds a real number for each complex one of this."""
        channels = {1: "r", 2: "rg"}[self.components // 2]
        name = self.name if self.buffer else f"{channels}{'32f' if self.dtype == 'f4' else '16f'}"
        return Storage(name, self.components // 2, self.dtype, self.buffer, real=True)

    @property
    def scratch(self) -> Storage:
        """The buffer for as many numbers a value, where a scratch texture would be too large."""
        return self if self.buffer else STORAGES["buffer_pairs" if self.paired else "buffer"]

    def of(self, points: Points) -> Storage:
        """The one of an image that holds such points."""
        return self.of_reals if points is Points.REAL else self

    def layers_of(self, pictures: int) -> int | None:
        """Layers of the texture arrays that hold so many pictures, or None where one 2-D texture does. Raises
        OptionError: they would leave half a layer empty.
        """
        count, left_over = divmod(pictures, 2 if self.paired else 1)
        if left_over:
            raise OptionError(
                f"Storage {self.name} holds two pictures in a layer, so the batch of {pictures} must be even."
            )
        return None if count == 1 else count

    @property
    def shader(self) -> str:
        """The file below shaders/ that reads and writes it."""
        return "storage/buffer.glsl" if self.buffer else "storage/texture.glsl"


STORAGES = {
    storage.name: storage
    for storage in (
        Storage("rg32f", 2, "f4"),
        Storage("rgba32f", 4, "f4"),
        Storage("rg16f", 2, "f2"),
        Storage("rgba16f", 4, "f2"),
        Storage("buffer", 2, "f4", buffer=True),
        Storage("buffer_pairs", 4, "f4", buffer=True),
        Storage("buffer_double", 2, "f8", buffer=True),
    )
}
