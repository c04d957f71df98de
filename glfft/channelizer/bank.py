"""A filter bank on the GPU: samples to channels in one dispatch, and channels to samples in two, block after block."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
from moderngl import Buffer, Context, InvalidObject

from glfft.channelizer.filters import FilterBank, block_times, kept_channels
from glfft.channelizer.recordings import SampleFormat, format_named
from glfft.errors import DataError, LimitError, OptionError, ShapeError, TextureError, require
from glfft.gl import bindings, programs
from glfft.gl.barriers import BUFFER_UPDATE_BARRIER, SHADER_STORAGE_BARRIER
from glfft.gl.functions import errors_checked
from glfft.gl.releasable import Owner
from glfft.gl.source import Define
from glfft.plan import Plan
from glfft.snippets import Snippet
from glfft.streaming import ArrayLayout, Layout, Stream
from glfft.streaming.sources import regroup

_THREADS = 64
# What channelizer/samples.glsl calls the samples.
_SHADER_NAMES = {"cf32": "FLOAT_32", "ci16": "SIGNED_16", "ci8": "SIGNED_8", "cu8": "UNSIGNED_8"}
Kept = Sequence[int] | None

# Synthesis is two programs; neither has channels and samples both.
_WAVES_BUFFER_BINDING = bindings.SAMPLES_BUFFER_BINDING
_RESULT_BUFFER_BINDING = bindings.CHANNELS_BUFFER_BINDING

_MAP_DEFINES = {"CHANNELS_BINDING": bindings.CHANNELS_BUFFER_BINDING, "MAP_BINDING": bindings.MAP_BUFFER_BINDING}
_FILTER_DEFINES = {
    "SAMPLES_BINDING": bindings.SAMPLES_BUFFER_BINDING,
    "HISTORY_BINDING": bindings.HISTORY_BUFFER_BINDING,
    "PROTOTYPE_BINDING": bindings.PROTOTYPE_BUFFER_BINDING,
}


class _Stage(Owner):
    """What both directions have: a plan over channels, buffers, what is carried from block to block, and its end."""

    block: ArrayLayout
    result: ArrayLayout
    _history: Buffer
    _silence: bytes  # what it holds before the first sample
    _prototype: Buffer
    _transform: Plan
    _dispatches_beside = 0  # dispatches other than the transform's

    def __init__(self, ctx: Context, bank: FilterBank, history: int, times: int | None, kept: Kept) -> None:
        self.times = block_times(bank, history, times)
        super().__init__(ctx)
        self.bank = bank
        self.kept = kept_channels(bank, kept)
        self._transforms = self.times * (bank.decimation // bank.hop)  # of a block
        self._stream: Stream | None = None
        self._dropped = self._rotation = 0
        self._rows = self._buffer(self._map())

    def _buffer(self, values: npt.NDArray[Any] | int) -> Buffer:
        """One with these values, or of so many bytes."""
        size = values if isinstance(values, int) else values.nbytes
        most = self._state.limits.buffer_bytes
        if size > most:
            needs = f"The channelizer needs a buffer of {size} bytes and the device can bind at most {most}"
            raise LimitError(f"{needs}; use fewer times, channels or taps.")
        with errors_checked(self.ctx, f"making a buffer of {size} bytes"):
            made = self.ctx.buffer(reserve=size) if isinstance(values, int) else self.ctx.buffer(values.tobytes())
            return self._own(made)

    def _bind(self, buffers: dict[int, Buffer]) -> None:
        """Bind buffers at their bindings, and what both directions have."""
        own = {bindings.HISTORY_BUFFER_BINDING: self._history, bindings.PROTOTYPE_BUFFER_BINDING: self._prototype}
        for binding, buffer in {**own, bindings.MAP_BUFFER_BINDING: self._rows, **buffers}.items():
            buffer.bind_to_storage_buffer(binding)

    def _map(self) -> npt.NDArray[Any]:
        """The row that each channel has, -1 for none; of a staggered bank also the angle by which it is turned."""
        bank = self.bank
        rows = np.full(bank.channels, -1, np.int32)
        rows[list(self.kept)] = np.arange(len(self.kept))
        if not bank.staggered:
            return rows
        places = np.empty(bank.channels, [("row", np.int32), ("cosine", np.float32), ("sine", np.float32)])
        # In whole turns first, so that long prototypes lose no digits.
        half_turns = np.arange(bank.channels) * (len(bank.prototype) - 1) % (2 * bank.channels) / bank.channels
        places["row"], places["cosine"] = rows, np.cos(np.pi * half_turns)
        places["sine"] = -np.sin(np.pi * half_turns)
        return places

    def _plan(self, load: Snippet, store: Snippet, algorithm: str) -> Plan:
        """The transforms over channels of a block, exp(+2 pi i ..) without a factor."""
        options: dict[str, Any] = {"load": load, "store": store, "algorithm": algorithm, "directions": ["inverse"]}
        shape = (self.bank.channels, self._transforms)
        return self._own(Plan(self.ctx, shape, axes=(0,), norm="forward", storage="buffer", **options))

    def reset(self) -> None:
        """Begin a new signal: forget what came before."""
        self._check_alive()
        self._rotation = 0
        self._history.write(self._silence)

    @property
    def dispatches(self) -> int:
        """Dispatches of a block."""
        return self._transform.dispatches + self._dispatches_beside

    def __call__(self, source: Buffer, target: Buffer) -> None:
        """The work for a `Stream`: one block, which follows the one before. Raises TextureError for other buffers."""
        self._check_alive()
        for role, given, layout in (("source", source, self.block), ("target", target, self.result)):
            # Shaders would read and store beyond the end of a shorter one.
            if not isinstance(given, Buffer) or isinstance(given.mglo, InvalidObject) or given.ctx is not self.ctx:
                raise TextureError(f"The {role} must be a moderngl.Buffer of the channelizer's context, not released.")
            if given.size < (needed := Layout.of(role, layout).size):
                raise TextureError(f"The {role} buffer has {given.size} bytes and this channelizer needs {needed}.")
        if source is target:
            raise TextureError("A channelizer cannot work in place; give it another target buffer.")
        self._work(source, target)
        self._rotation = (self._rotation + self.times * self.bank.decimation) % self.bank.channels

    def _work(self, source: Buffer, target: Buffer) -> None:
        raise NotImplementedError

    @contextmanager
    def _streaming(self, in_flight: int) -> Iterator[Stream]:
        """The stream of a new signal."""
        if self._stream is not None:
            raise OptionError("This channelizer has a run that has not ended; end it, or make another channelizer.")
        self.reset()
        self._stream = Stream(self.ctx, self, block=self.block, result=self.result, in_flight=in_flight)
        try:
            yield self._stream
        finally:
            self._end()

    def _end(self) -> None:
        stream, self._stream = self._stream, None  # before its release, which waits and may be interrupted
        if stream is not None:
            self._dropped = stream.dropped
            stream.release()

    @property
    def dropped(self) -> int:
        """How many blocks the run, or the last one, has dropped."""
        return self._dropped if self._stream is None else self._stream.dropped

    def release(self) -> None:
        """Free the buffers and the plan. Releasing twice is harmless."""
        self._end()
        super().release()


def _snippet(name: str, defines: Mapping[str, Define]) -> Snippet:
    lines = "".join(f"#define {key} {value}\n" for key, value in defines.items())
    return Snippet(f'{lines}#include "channelizer/{name}.glsl"\n', name=f"channelizer {name}")


class Channelizer(_Stage):
    """Samples to channels: polyphase filter, transform and channel map in one dispatch.

    If a work group cannot hold a line of `channels` points, the transform takes more dispatches. The history that a
    block needs stays on the GPU: channels have no gaps and do not depend on the length of blocks, but for rounding.

    A call `channelizer(source, target)` is the work of a `Stream`; `run` makes one. GL state: as `glfft.Plan`, and
    storage buffer bindings 0 to 4.

    Args:
        ctx: the context, as for `glfft.Plan`.
        bank: the filters.
        times: samples of each channel in a block, for which `times * bank.decimation` samples come in; at least the
            prototype's length. Default: about 2^17 samples come in.
        samples: "cf32" (complex64), or little endian integers, real and imaginary parts in turn: "ci16" in steps of
            1/32768, "ci8" of 1/128, "cu8" of 1/128 with 128 for 0.
        kept: the channels wanted, in this order, by default all in FFT order; -1 is the last, below channel 0.
        algorithm: of the transform over channels, as for `glfft.Plan`; "four-by-four" is del Mundo's, for 16 channels.

    Attributes:
        bank, times: as given; kept: the channels wanted, from 0 to channels - 1.
        block, result: shape and dtype of a block and of its result, [channels kept, times] of complex64.

    Raises ShapeError where the block is too short or a channel does not exist, OptionError where `samples` is none of
    these, LimitError where the device has no room for it, and other errors as `glfft.Plan` does.
    """

    def __init__(self, ctx: Context, bank: FilterBank, *, times: int | None = None, samples: str = "cf32",
                 kept: Kept = None, algorithm: str = "auto") -> None:  # fmt: skip
        self.format: SampleFormat = format_named(samples)
        require(isinstance(bank, FilterBank), "bank", bank, "a FilterBank, such as FilterBank.design(16)")
        branch_taps = -(-len(bank.prototype) // bank.channels)
        self._history_samples = -(-(branch_taps * bank.channels - 1) // 2) * 2  # two samples of 8 bits are a word
        super().__init__(ctx, bank, self._history_samples, times, kept)
        count = self.times * bank.decimation
        if count % 2 and self.format.sample_bytes == 2:
            ends = f"A block of {count} samples of {samples} ends within a word"
            raise ShapeError(f"{ends}; use an even number of times.")
        self.block = (self.format.shape(count), self.format.dtype)
        self.result = ((len(self.kept), self.times), np.dtype(np.complex64))
        padding = branch_taps * bank.channels - len(bank.prototype)
        self._prototype = self._buffer(np.pad(bank.prototype.astype(np.float32), (0, padding)))
        self._silence = self.format.silence(self._history_samples).tobytes()
        self._history = self._buffer(np.frombuffer(self._silence, np.uint8))
        defines: dict[str, Define] = {**_FILTER_DEFINES, "HISTORY": self._history_samples, "TAPS": branch_taps}
        defines |= {"SAMPLES": _SHADER_NAMES[samples], "DECIMATION": bank.hop}
        load = _snippet("analysis_load", defines)
        store = _snippet("staggered_store" if bank.staggered else "analysis_store", _MAP_DEFINES)
        self._transform = self._plan(load, store, algorithm)

    def _work(self, source: Buffer, target: Buffer) -> None:
        self._bind({bindings.SAMPLES_BUFFER_BINDING: source, bindings.CHANNELS_BUFFER_BINDING: target})
        self._transform.set_uniforms(rotation=self._rotation)
        self._transform.inverse(None, None, next_use="read")
        kept = len(self._silence)
        come_in = self.times * self.bank.decimation * self.format.sample_bytes
        self.ctx.copy_buffer(self._history, source, kept, read_offset=come_in - kept)

    def run(
        self, samples: Iterable[npt.ArrayLike], *, in_flight: int = 3, drop: bool = False, waiting: int = 4
    ) -> Iterator[npt.NDArray[np.complex64]]:
        """Divide a signal into channels.

        Args:
            samples: arrays of any lengths, as of `glfft.streaming.file_samples`: complex, or integers [samples, 2].
            in_flight: blocks on the GPU at a time.
            drop: drop blocks if results are taken too slowly and more are `waiting`, see `Stream.run`; `dropped` counts
                them. After a gap, filters still hold earlier samples, and phases go on as if there were no gap.

        Yields arrays [channels kept, times], one a block; the last has the rest. In all there is one time for every D
        samples begun. Raises DataError where the samples have another type than this channelizer's, OptionError where a
        run has not ended, and other errors as `Stream.run` does.
        """
        require(np.iterable(samples), "samples", samples, "arrays, such as a list of them", DataError)
        decimation = self.bank.decimation
        count = 0

        def counted() -> Iterator[npt.NDArray[Any]]:
            nonlocal count
            for each in samples:
                array = self.format.checked(each)
                count += len(array)
                yield array

        with self._streaming(in_flight) as stream:
            blocks = regroup(counted(), self.times * decimation, fill=self.format.zero)
            for result in stream.run(blocks, drop=drop, waiting=waiting):
                yield result[:, : -(-count // decimation) - stream.position * self.times]


class Synthesizer(_Stage):
    """Channels to samples, with the bank's second prototype: transform, then filter by overlap and addition.

    The history that a block needs stays on the GPU. Samples come `bank.delay` late.

    It takes the arguments of `Channelizer` and raises its errors. `times * bank.decimation` samples come out of a
    block. `kept` are the channels given; the others are silent. `block` and `result` are the shapes and dtypes of a
    block, [channels given, times], and of its result, [samples].
    """

    _dispatches_beside = 1

    def __init__(
        self, ctx: Context, bank: FilterBank, *, times: int | None = None, kept: Kept = None, algorithm: str = "auto"
    ) -> None:
        require(isinstance(bank, FilterBank), "bank", bank, "a FilterBank, such as FilterBank.design(16)")
        taps = len(bank.synthesis) // bank.hop
        super().__init__(ctx, bank, (taps - 1) * bank.hop, times, kept)
        count = self.times * bank.decimation
        self.block = ((len(self.kept), self.times), np.dtype(np.complex64))
        self.result = ((count,), np.dtype(np.complex64))
        self._history_bytes = 8 * (taps - 1) * bank.channels
        self._prototype = self._buffer(bank.synthesis.astype(np.float32))
        self._silence = bytes(max(self._history_bytes, 8))
        self._history = self._buffer(np.frombuffer(self._silence, np.uint8))
        self._waves = self._buffer(8 * self._transforms * bank.channels)
        waves: dict[str, Define] = {"WAVES_BINDING": _WAVES_BUFFER_BINDING}
        load = _snippet("staggered_load" if bank.staggered else "synthesis_load", _MAP_DEFINES)
        self._transform = self._plan(load, _snippet("synthesis_store", waves), algorithm)
        self._groups = self._state.limits.in_rows(-(-count // _THREADS))
        defines: dict[str, Define] = {**waves, **_FILTER_DEFINES, "SAMPLES_BINDING": _RESULT_BUFFER_BINDING}
        defines |= {"CHANNELS": bank.channels, "DECIMATION": bank.hop, "TIMES": self._transforms, "TAPS": taps}
        defines |= {"THREADS": _THREADS, "GROUPS_ACROSS": self._groups[0]}
        self._program = programs.compute(ctx, "channelizer/synthesis.comp", defines)

    def _work(self, source: Buffer, target: Buffer) -> None:
        self._bind({bindings.CHANNELS_BUFFER_BINDING: source, _WAVES_BUFFER_BINDING: self._waves})
        self._transform.inverse(None, None)
        target.bind_to_storage_buffer(_RESULT_BUFFER_BINDING)
        self._program["rotation"] = self._rotation
        self._program.run(*self._groups)
        # The next block's waves must not come before these have been read.
        self.ctx.memory_barrier(SHADER_STORAGE_BARRIER | BUFFER_UPDATE_BARRIER)
        if self._history_bytes:
            end = 8 * self._transforms * self.bank.channels
            self.ctx.copy_buffer(self._history, self._waves, self._history_bytes, read_offset=end - self._history_bytes)

    def run(self, channels: Iterable[npt.ArrayLike], *, in_flight: int = 3) -> Iterator[npt.NDArray[np.complex64]]:
        """Put channels together: consecutive complex arrays [channels given, any times], as `Channelizer.run` yields.
        Yields arrays [samples] of complex64, one a block; in all D samples for each time. `in_flight` is as there.
        Raises DataError where the arrays have another number of channels, and other errors as `Channelizer.run`.
        """
        require(np.iterable(channels), "channels", channels, "arrays, such as a list of them", DataError)
        count = 0

        def by_time() -> Iterator[npt.NDArray[np.complex64]]:
            nonlocal count
            for each in channels:
                array = np.asarray(each)
                if array.ndim != 2 or len(array) != len(self.kept) or array.dtype.kind not in "biufc":
                    have = f"Channels have shape {array.shape} and dtype {array.dtype}"
                    raise DataError(f"{have}; they must have {len(self.kept)} rows, one each, of numbers.")
                count += array.shape[1]
                yield array.T.astype(np.complex64)

        with self._streaming(in_flight) as stream:
            for result in stream.run(block.T for block in regroup(by_time(), self.times)):
                left = (count - stream.position * self.times) * self.bank.decimation
                yield result[:left]
