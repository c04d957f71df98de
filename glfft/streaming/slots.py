"""The buffers of one block in flight: how its numbers get to the GPU, and its results back."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.errors import DataError, OptionError, shown
from glfft.gl.functions import errors_checked
from glfft.gl.mapped_buffers import for_reading, for_writing

ArrayLayout = tuple[int | Sequence[int], npt.DTypeLike]


@dataclass(frozen=True)
class Layout:
    """The shape and dtype of all blocks, or of all results."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    @classmethod
    def of(cls, option: str, given: object) -> Layout:
        """A layout from (shape, dtype). Raises OptionError where it is no such pair, or holds no numbers."""
        try:
            shape, dtype = given  # pyright: ignore[reportGeneralTypeIssues]
            found = np.dtype(dtype)
            lengths = tuple(map(operator.index, shape if isinstance(shape, Sequence) else (shape,)))
        except (TypeError, ValueError):
            wanted = "a shape and a dtype, such as ((64, 1024), 'c8')"
            raise OptionError(f"{option} is {shown(given)} and must be {wanted}.") from None
        if min(lengths, default=0) < 1 or found.hasobject or not found.itemsize:
            raise OptionError(f"{option} is {shown(given)} and must have at least one number along each axis.")
        return cls(lengths, found)

    @property
    def size(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize

    def check(self, what: str, given: object) -> npt.NDArray[Any]:
        """A block, or a place for results, as an array. Raises DataError where it has another shape or dtype."""
        array = np.asarray(given)
        if array.shape != self.shape or array.dtype != self.dtype:
            own = f"this stream has {self.shape} of {self.dtype}"
            raise DataError(f"{what} has shape {array.shape} and dtype {array.dtype}, and {own}.")
        return array


class MappedSlot:
    """Buffers that stay mapped at both ends, and memory of the device in the middle, put into `owned` as they are made.
    A block is sent from the memory `block`, of `upload_buffer`; results arrive in `results`, of `download_buffer`.
    """

    def __init__(self, ctx: moderngl.Context, owned: list[Any], block: Layout, result: Layout, direct: bool) -> None:
        self._ctx = ctx
        owned.append((upload := for_writing(ctx, block.size)).buffer)
        owned.append((download := for_reading(ctx, result.size)).buffer)
        self.upload_buffer, self.download_buffer = upload.buffer, download.buffer
        self.source = upload.buffer if direct else _device_buffer(ctx, owned, block)
        self.target = _device_buffer(ctx, owned, result)
        self.block = upload.memory.view(block.dtype).reshape(block.shape)
        self.results = download.memory.view(result.dtype).reshape(result.shape)

    def upload(self, block: npt.NDArray[Any]) -> None:
        """Give the GPU a block."""
        self.block[...] = block
        self.send()

    def send(self) -> None:
        """Give the GPU what is in `block`."""
        if self.source is not self.upload_buffer:
            self._ctx.copy_buffer(self.source, self.upload_buffer, self.source.size)

    def download(self) -> None:
        """Ask the GPU for the results."""
        self._ctx.copy_buffer(self.download_buffer, self.target, self.target.size)

    def result(self, out: npt.NDArray[Any]) -> None:
        """Copy the results, once they have arrived, into an array of their layout."""
        out[...] = self.results


class PlainSlot:
    """The same with plain buffers, where the driver has none that stay mapped: it copies once more at each end."""

    def __init__(self, ctx: moderngl.Context, owned: list[Any], block: Layout, result: Layout) -> None:
        self._ctx = ctx
        self.source, self.target = (_device_buffer(ctx, owned, each) for each in (block, result))
        # Drivers move a buffer that is read from to the program's memory; the target should stay on the device.
        self._download = _device_buffer(ctx, owned, result)

    def upload(self, block: npt.NDArray[Any]) -> None:
        self.source.write(np.ascontiguousarray(block))

    def download(self) -> None:
        self._ctx.copy_buffer(self._download, self.target, self.target.size)

    def result(self, out: npt.NDArray[Any]) -> None:
        array = np.ascontiguousarray(out)  # `out` itself, or a copy to be filled instead
        self._download.read_into(array)
        if array is not out:
            out[...] = array


Slot = MappedSlot | PlainSlot


def _device_buffer(ctx: moderngl.Context, owned: list[Any], layout: Layout) -> moderngl.Buffer:
    with errors_checked(ctx, f"making a buffer of {layout.size} bytes"):
        owned.append(buffer := ctx.buffer(reserve=layout.size))
    return buffer
