"""Where a transform's data lives: the formats of textures, texture arrays and buffers a plan can work on."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from glfft.algorithms.regions import Points
from glfft.errors import OptionError


@dataclass(frozen=True)
class Number:
    """How a real number is kept: all that is known of it."""

    name: str  # in exports
    dtype: str  # numpy's, and moderngl's
    bits: int  # of its mantissa: a store is off by up to 2 ** -bits of a number
    suffix: str = ""  # of OpenGL's names of formats: "r", "rg" or "rgba", and this
    formats: Mapping[int, int] = field(default_factory=dict, compare=False)  # OpenGL's numbers for those, by channels
    rounding: str = ""  # the file below shaders/ whose `rounded` rounds what is stored, as drivers may cut bits off

    @property
    def coarse(self) -> bool:
        """Whether stores round more than float32's arithmetic."""
        return self.bits < FLOAT32.bits


FLOAT16 = Number("float16", "f2", 11, "16f", {1: 0x822D, 2: 0x822F, 4: 0x881A}, rounding="storage/half_precision.glsl")
FLOAT32 = Number("float32", "f4", 24, "32f", {1: 0x822E, 2: 0x8230, 4: 0x8814})
FLOAT64 = Number("float64", "f8", 53)  # in buffers, with arithmetic in float64 too


@dataclass(frozen=True)
class Storage:
    """One way of keeping complex numbers."""

    name: str  # what users call it
    components: int  # channels of a texel: 2 is one complex number, 4 are two; 1 is one real number
    number: Number
    buffer: bool = False  # in a buffer instead of a texture
    real: bool = False  # its numbers are real ones, as the pictures of a plan with real= are

    @property
    def dtype(self) -> str:
        return self.number.dtype

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
        return self.components * int(self.dtype[1:])

    @property
    def double(self) -> bool:
        """Whether shaders compute in float64 instead of float32."""
        return self.number is FLOAT64

    @property
    def number_bytes(self) -> int:
        """Bytes of a real number in registers and shared memory."""
        return 8 if self.double else 4

    @property
    def value_bytes(self) -> int:
        """Bytes of one value in registers and shared memory."""
        return self.components * self.number_bytes

    @property
    def of_reals(self) -> "Storage":
        """The one that holds a real number for each complex one of this."""
        texture = f"{'r' if self.components == 2 else 'rg'}{self.number.suffix}"
        return replace(self, name=self.name if self.buffer else texture, components=self.components // 2, real=True)

    @property
    def scratch(self) -> "Storage":
        """The buffer for as many numbers a value, where a scratch texture would be too large."""
        return self if self.buffer else STORAGES["buffer_pairs" if self.paired else "buffer"]

    def of(self, points: Points) -> "Storage":
        return self.of_reals if points is Points.REAL else self

    def layers_of(self, pictures: int) -> int | None:
        """Layers of texture arrays for so many pictures, None for one texture. Raises OptionError for half a layer."""
        count, left_over = divmod(pictures, 2 if self.paired else 1)
        if left_over:
            raise OptionError(f"Storage {self.name} has two pictures a layer, so the batch of {pictures} must be even.")
        return None if count == 1 else count

    @property
    def shaders(self) -> list[str]:
        """The files below shaders/ for it: what stores call, if anything, and what reads and writes."""
        own = f"storage/{'buffer' if self.buffer else 'texture'}.glsl"
        return [self.number.rounding, own] if self.number.rounding else [own]

    def constants(self, end: str) -> dict[str, bool]:
        """What those files have to know of it, for "SOURCE" or "TARGET"."""
        return {f"{end}_IN_BUFFER": self.buffer, f"{end}_ROUNDED": bool(self.number.rounding)}


# All that users choose from, in plans and commands. docs/conventions.md says what they are for.
STORAGES = {
    storage.name: storage
    for storage in (
        Storage("rg32f", 2, FLOAT32), Storage("rgba32f", 4, FLOAT32),
        Storage("rg16f", 2, FLOAT16), Storage("rgba16f", 4, FLOAT16),
        Storage("buffer", 2, FLOAT32, buffer=True), Storage("buffer_pairs", 4, FLOAT32, buffer=True),
        Storage("buffer_double", 2, FLOAT64, buffer=True),
    )
}  # fmt: skip
