"""Which arrays hold what a texture or a plan's image holds, byte for byte."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import moderngl
import numpy as np

from glfft.errors import DataError, LimitError, TextureError
from glfft.gl.context import state_of

# Textures of bytes, which shaders see as 0 to 1, have a dtype of moderngl's own.
_NUMBERS = {"f1": np.dtype(np.uint8)}
_COMPLEX = {np.dtype(np.float32): np.dtype(np.complex64), np.dtype(np.float64): np.dtype(np.complex128)}
# What a texture is made for: moderngl's dtype, and channels a number takes.
_TEXELS = {
    np.dtype(np.uint8): ("f1", 1),
    np.dtype(np.float16): ("f2", 1),
    np.dtype(np.float32): ("f4", 1),
    np.dtype(np.complex64): ("f4", 2),
}
_MOST_CHANNELS = 4

NewTexture = moderngl.Texture | moderngl.TextureArray


@dataclass(frozen=True)
class Forms:
    """The arrays of an image's bytes.

    Args:
        base: the image's shape without channels.
        channels: numbers a texel.
        number: the dtype of one, by moderngl's name.
    """

    base: tuple[int, ...]
    channels: int
    number: str

    @classmethod
    def of_texture(cls, texture: Any) -> Forms:
        """Those of a texture. Raises TextureError where it has several samples a texel."""
        if getattr(texture, "samples", 0):
            raise TextureError("The texture has several samples a texel; copy it with ctx.copy_framebuffer before.")
        return cls(tuple(texture.size[::-1]), texture.components, texture.dtype)

    @property
    def all(self) -> list[tuple[np.dtype[Any], tuple[int, ...]]]:
        """Dtype and shape of each, the usual one first: two channels of floats are one complex number."""
        number = _NUMBERS.get(self.number) or np.dtype(self.number)
        found: list[tuple[np.dtype[Any], tuple[int, ...]]] = [(number, (*self.base, self.channels))]
        if self.channels == 1:
            found.insert(0, (number, self.base))
        elif number in _COMPLEX and self.channels == 2:
            found.insert(0, (_COMPLEX[number], self.base))
        elif number in _COMPLEX and self.channels == 4:
            found.append((_COMPLEX[number], (*self.base, 2)))
        return found

    @property
    def size(self) -> int:
        """In bytes."""
        dtype, shape = self.all[0]
        return dtype.itemsize * math.prod(shape)

    def check(self, dtype: np.dtype[Any], shape: tuple[int, ...], what: str) -> None:
        """Refuse an array of another form. Raises DataError."""
        if (dtype.newbyteorder("="), shape) not in self.all:
            wanted = " or ".join(f"{each} {list(sides)}" for each, sides in self.all)
            raise DataError(f"The array is {dtype} {list(shape)}, and {what} needs {wanted}.")


def new_texture(ctx: moderngl.Context, dtype: np.dtype[Any], shape: tuple[int, ...], layers: bool) -> NewTexture:
    """A texture for arrays of a dtype and shape. Raises DataError where no texture can hold them, LimitError where it
    would be too large.
    """
    if dtype not in _TEXELS:
        raise DataError(
            f"The array is {dtype} and a texture holds uint8, float16, float32 or complex64; convert it before."
        )
    number, per_channel = _TEXELS[dtype]
    axes = 3 if layers else 2
    channels = per_channel * (shape[axes] if len(shape) == axes + 1 else 1)
    if len(shape) not in (axes, axes + 1) or channels > _MOST_CHANNELS:
        named = f"{'layers, ' if layers else ''}rows, columns"
        raise DataError(
            f"The array has the shape {list(shape)} and must have [{named}] or [{named}, channels], with at most "
            f"{_MOST_CHANNELS // per_channel} channels of {dtype}."
        )
    size, limits = shape[:axes][::-1], state_of(ctx).limits
    if max(size[:2]) > limits.texture_size or (layers and size[2] > limits.array_layers):
        raise LimitError(
            f"The array is {' x '.join(map(str, size))} and this device's textures end at {limits.texture_size} texels "
            f"a side and {limits.array_layers} layers."
        )
    make: Any = ctx.texture_array if layers else ctx.texture
    return make(size, channels, dtype=number)
