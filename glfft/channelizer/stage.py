"""What both directions of a filter bank have: a plan over channels, buffers, and what is carried between blocks."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.channelizer.filters import FilterBank
from glfft.errors import LimitError, OptionError, ShapeError, at_least_one
from glfft.gl import bindings
from glfft.gl.functions import check_errors, clear_errors
from glfft.gl.releasable import Owner
from glfft.gl.source import Define
from glfft.plan import Plan
from glfft.snippets import Snippet
from glfft.streaming.slots import ArrayLayout
from glfft.streaming.stream import Stream

# Samples of a block where its size is left open: enough to keep a GPU busy.
_BLOCK_SAMPLES = 1 << 17


class ChannelStage(Owner):
    """What both directions have: a plan over channels, buffers, what is carried from block to block, and its end."""

    _name = "channelizer"

    def __init__(
        self, ctx: moderngl.Context, bank: FilterBank, times: int, kept: Sequence[int] | None, algorithm: str
    ) -> None:
        super().__init__(ctx)
        clear_errors(ctx)
        self.bank = bank
        self.times = times
        self.kept = kept_channels(bank, kept)
        self._algorithm = algorithm
        self._stream: Stream | None = None
        self._dropped = 0
        self._rotation = 0
        self.block: ArrayLayout
        self.result: ArrayLayout
        self._history: moderngl.Buffer
        self._prototype: moderngl.Buffer
        self._rows: moderngl.Buffer

    def _buffer(self, values: npt.NDArray[Any] | int) -> moderngl.Buffer:
        """One with these values, or of so many bytes."""
        size = values if isinstance(values, int) else values.nbytes
        most = self._state.limits.buffer_bytes
        if size > most:
            raise LimitError(
                f"The channelizer needs a buffer of {size} bytes and the device can bind at most {most}; use fewer "
                "times, channels or taps."
            )
        made = self.ctx.buffer(reserve=size) if isinstance(values, int) else self.ctx.buffer(values.tobytes())
        self._owned.append(made)
        check_errors(self.ctx, f"making a buffer of {size} bytes")
        return made

    def _bind(self, buffers: dict[int, moderngl.Buffer]) -> None:
        """Bind buffers at their bindings, and what both directions have."""
        own = {bindings.HISTORY_BUFFER_BINDING: self._history, bindings.PROTOTYPE_BUFFER_BINDING: self._prototype}
        for binding, buffer in {**own, bindings.MAP_BUFFER_BINDING: self._rows, **buffers}.items():
            buffer.bind_to_storage_buffer(binding)

    def _map(self) -> moderngl.Buffer:
        """The row that each channel has, -1 for none; of a staggered bank also the angle by which it is turned."""
        bank = self.bank
        rows = np.full(bank.channels, -1, np.int32)
        rows[list(self.kept)] = np.arange(len(self.kept))
        if not bank.staggered:
            return self._buffer(rows)
        places = np.empty(bank.channels, [("row", np.int32), ("cosine", np.float32), ("sine", np.float32)])
        # In whole turns first, so that long prototypes lose no digits.
        half_turns = np.arange(bank.channels) * (len(bank.prototype) - 1) % (2 * bank.channels) / bank.channels
        places["row"], places["cosine"] = rows, np.cos(np.pi * half_turns)
        places["sine"] = -np.sin(np.pi * half_turns)
        return self._buffer(places)

    @property
    def _transforms(self) -> int:
        """Transforms of a block."""
        return self.times * (self.bank.decimation // self.bank.hop)

    def _plan(self, load: Snippet, store: Snippet) -> Plan:
        """The transforms over channels of a block: exp(+2 pi i ..), without a factor."""
        shape = (self.bank.channels, self._transforms)
        options = {"algorithm": self._algorithm, "load": load, "store": store}
        plan = Plan(self.ctx, shape, axes=(0,), norm="forward", storage="buffer", **options)
        self._owned.append(plan)
        return plan

    def _advance(self) -> None:
        """The next block begins where this one has ended."""
        self._rotation = (self._rotation + self.times * self.bank.decimation) % self.bank.channels

    @contextmanager
    def _streaming(self, in_flight: int) -> Iterator[Stream]:
        """The stream of a new signal."""
        self._check_alive()
        if self._stream is not None:
            raise OptionError("This channelizer has a run that has not ended; end it, or make another channelizer.")
        self.reset()
        self._stream = Stream(self.ctx, self, block=self.block, result=self.result, in_flight=in_flight)
        try:
            yield self._stream
        finally:
            self._end()

    def _end(self) -> None:
        if self._stream is not None:
            self._dropped = self._stream.dropped
            self._stream.release()
            self._stream = None

    @property
    def dropped(self) -> int:
        """How many blocks the run, or the last one, has dropped."""
        return self._dropped if self._stream is None else self._stream.dropped

    def reset(self) -> None:
        """Begin a new signal: forget what came before."""
        raise NotImplementedError

    def __call__(self, source: moderngl.Buffer, target: moderngl.Buffer) -> None:
        """The work for a `Stream`: one block, which follows the one before."""
        raise NotImplementedError

    def release(self) -> None:
        """Free the buffers and the plan. Releasing twice is harmless."""
        self._end()
        super().release()


MAP_DEFINES: dict[str, Define] = {
    "CHANNELS_BINDING": bindings.CHANNELS_BUFFER_BINDING,
    "MAP_BINDING": bindings.MAP_BUFFER_BINDING,
}


def channel_snippet(name: str, defines: dict[str, Define]) -> Snippet:
    """The snippet of a file of shaders/channelizer, with its constants."""
    lines = "".join(f"#define {key} {value}\n" for key, value in defines.items())
    return Snippet(f'{lines}#include "channelizer/{name}.glsl"\n', name=f"channelizer {name}")


def kept_channels(bank: FilterBank, kept: Sequence[int] | None) -> tuple[int, ...]:
    """The channels wanted, from 0 to channels - 1. Raises ShapeError where one does not exist or comes twice."""
    count = bank.channels
    if kept is None:
        return tuple(range(count))
    found = tuple(int(each) for each in kept)
    for each in found:
        if not -count <= each < count:
            raise ShapeError(f"There is no channel {each}; with {count} channels they are {-count} to {count - 1}.")
    found = tuple(each % count for each in found)
    if not found or len(set(found)) != len(found):
        raise ShapeError(f"The channels kept are {list(found)} and must be one or more, each named once.")
    return found


def block_times(bank: FilterBank, history: int, times: int | None) -> int:
    """Times of a block, which must be no shorter than what is kept of it for the next."""
    decimation = bank.decimation
    least = max(-(-history // decimation), 1)
    if times is not None:
        times = at_least_one("times", times)
        if times < least:
            raise ShapeError(f"times is {times} and must be {least} or more: a block must be as long as the filter.")
        return times
    # A whole number of turns, if that is not too many, and an even one.
    period = math.lcm(bank.channels // math.gcd(bank.channels, decimation), 2)
    if period * decimation > _BLOCK_SAMPLES:
        period = 2
    return -(-max(least, _BLOCK_SAMPLES // decimation) // period) * period
