"""The waves of tiles as textures that the ocean step reads: amplitudes and frequencies, computed in float64."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from moderngl import Context, TextureArray
from numpy.typing import NDArray

from glfft.errors import OptionError, ShapeError
from glfft.gl.functions import errors_checked
from glfft.gl.releasable import Keeper, released_on_error
from glfft.sea import waves
from glfft.sea.settings import OceanSettings


class WaveTextures(Keeper):
    """Texture arrays with a layer per tile, of N/2 columns, as shaders/sea/waves_load.glsl reads them: `amplitudes`,
    h0(k) and h0(-k), four floats, and `frequencies`, turns per second in fixed point, two integers.
    """

    def __init__(self, ctx: Context, tiles: Sequence[OceanSettings]) -> None:
        """Make and fill them; ContextError if the device has no memory for them."""
        self._size = tiles[0].size
        half, count = self._size // 2, len(tiles)
        with released_on_error([self]):
            with errors_checked(ctx, f"making an ocean of {self._size} x {self._size}"):
                self.amplitudes = self._own(ctx.texture_array((half, self._size, count), 4, dtype="f4"))
                self.frequencies = self._own(ctx.texture_array((half, half + 1, count), 2, dtype="u4"))
            for index, tile in enumerate(tiles):
                self.fill(index, tile)

    def fill(self, index: int, tile: OceanSettings) -> None:
        """Write the waves of a tile's settings."""
        half, turns_per_second = self._size // 2, waves.frequencies(tile) / (2 * math.pi)
        _write_layer(self.frequencies, index, fixed_point(turns_per_second[: half + 1, :half]))
        self.set_amplitudes(index, tile, waves.amplitudes(tile))

    def read_amplitudes(self) -> NDArray[np.complex64]:
        """The amplitudes of all tiles, [tiles, N, N], m, in FFT order; waits for the GPU."""
        half = self._size // 2
        there, back = np.moveaxis(read_layers(self.amplitudes).view(np.complex64), -1, 0)
        return np.concatenate([there, [waves.mirrored(np.pad(h, ((0, 0), (0, half))))[:, half:] for h in back]], -1)

    def set_amplitudes(self, index: int, tile: OceanSettings, amplitudes: NDArray[np.complexfloating]) -> None:
        """Write amplitudes, [N, N], m, in FFT order; ShapeError for others, or waves at k = 0, row or column N/2;
        OptionError for NaN, infinity or more than float32 holds.
        """
        size, h0 = self._size, np.asarray(amplitudes)
        if h0.shape != (size, size) or h0.dtype.kind not in "biufc":
            have = f"The amplitudes have shape {h0.shape} of {h0.dtype}"
            raise ShapeError(f"{have} and must have ({size}, {size}), of numbers.")
        if np.any(h0[~waves.wave_vectors(size, tile.tile).used]):
            raise ShapeError("The amplitudes must be zero at k = 0 and in row and column N/2.")
        with np.errstate(over="ignore"):
            there_and_back = np.stack([h0, waves.mirrored(h0)], axis=-1)[:, : size // 2].astype(np.complex64)
        if not np.isfinite(there_and_back).all():
            raise OptionError("The amplitudes must be finite in float32: one that is not would spoil the whole sea.")
        _write_layer(self.amplitudes, index, there_and_back)


def read_layers(texture: TextureArray) -> NDArray[Any]:
    """What a texture array holds, [layers, height, width, components], in its own dtype; waits for the GPU."""
    width, height, layers = texture.size
    return np.frombuffer(texture.read(), texture.dtype).reshape(layers, height, width, texture.components)


def fixed_point(value: NDArray[np.float64]) -> NDArray[np.uint32]:
    """Numbers below 2^31 as phase.glsl reads them, [..., 2]: whole part (two's complement) and fraction * 2^32."""
    scaled = np.rint(value * 2.0**32).astype(np.int64)
    return np.stack([scaled >> 32, scaled & 0xFFFFFFFF], axis=-1).astype(np.uint32)


def fixed_point_time(seconds: float) -> tuple[int, int]:
    """`fixed_point` of one number, in a tenth of the time."""
    scaled = round(seconds * 2.0**32)
    return scaled >> 32 & 0xFFFFFFFF, scaled & 0xFFFFFFFF


def _write_layer(texture: TextureArray, index: int, data: NDArray[Any]) -> None:
    width, height, _ = texture.size
    texture.write(np.ascontiguousarray(data), viewport=(0, 0, index, width, height, 1))
