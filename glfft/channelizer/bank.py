"""A filter bank on the GPU: samples to channels in one dispatch, and channels to samples in two, block after block."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.channelizer.filters import FilterBank
from glfft.channelizer.recordings import SampleFormat, format_named
from glfft.channelizer.stage import MAP_DEFINES, ChannelStage, block_times, channel_snippet
from glfft.errors import DataError, ShapeError
from glfft.gl import bindings, programs
from glfft.gl.barriers import BUFFER_UPDATE_BARRIER, SHADER_STORAGE_BARRIER
from glfft.gl.source import Define
from glfft.streaming.slots import ArrayLayout
from glfft.streaming.sources import regroup

_THREADS = 64

# Synthesis is two programs; neither has channels and samples both.
_WAVES_BUFFER_BINDING = bindings.SAMPLES_BUFFER_BINDING
_RESULT_BUFFER_BINDING = bindings.CHANNELS_BUFFER_BINDING


class Channelizer(ChannelStage):
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
        kept: the channels wanted, in this order; negative ones count from the last, so -1 is below channel 0. Default:
            all, in FFT order.
        algorithm: of the transform over channels, as for `glfft.Plan`; "four-by-four" is del Mundo's, for 16 channels.

    Attributes:
        bank, times: as given.
        kept: the channels wanted, from 0 to channels - 1.
        block, result: shape and dtype of a block and of its result, [channels kept, times] of complex64.

    Raises:
        ShapeError: the block is too short, or a channel does not exist.
        OptionError: `samples` is none of these.
        LimitError: the device has no room for it. Other errors are those of `glfft.Plan`.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        bank: FilterBank,
        *,
        times: int | None = None,
        samples: str = "cf32",
        kept: Sequence[int] | None = None,
        algorithm: str = "auto",
    ) -> None:
        self.format: SampleFormat = format_named(samples)
        branch_taps = -(-len(bank.prototype) // bank.channels)
        # Two samples of 8 bits are a word.
        self._history_samples = -(-(branch_taps * bank.channels - 1) // 2) * 2
        super().__init__(ctx, bank, block_times(bank, self._history_samples, times), kept, algorithm)
        count = self.times * bank.decimation
        if count % 2 and self.format.sample_bytes == 2:
            raise ShapeError(
                f"A block of {count} samples of {samples} ends within a word of 4 bytes; use an even number of times."
            )
        self.block: ArrayLayout = (self.format.shape(count), self.format.dtype)
        self.result: ArrayLayout = ((len(self.kept), self.times), np.dtype(np.complex64))
        prototype = np.zeros(branch_taps * bank.channels, np.float32)
        prototype[: len(bank.prototype)] = bank.prototype
        self._prototype, self._rows = self._buffer(prototype), self._map()
        self._history = self._buffer(self._history_samples * self.format.sample_bytes)
        defines: dict[str, Define] = {
            "SAMPLES": self.format.shader_name,
            "HISTORY": self._history_samples,
            "DECIMATION": bank.hop,
            "TAPS": branch_taps,
            "SAMPLES_BINDING": bindings.SAMPLES_BUFFER_BINDING,
            "HISTORY_BINDING": bindings.HISTORY_BUFFER_BINDING,
            "PROTOTYPE_BINDING": bindings.PROTOTYPE_BUFFER_BINDING,
        }
        store = "staggered_store" if bank.staggered else "analysis_store"
        self._transform = self._plan(channel_snippet("analysis_load", defines), channel_snippet(store, MAP_DEFINES))
        self._released = False
        self.reset()

    @property
    def dispatches(self) -> int:
        """Dispatches of a block."""
        return self._transform.dispatches

    def reset(self) -> None:
        """Begin a new signal: forget what came before."""
        self._check_alive()
        self._rotation = 0
        self._history.write(self.format.silence(self._history_samples).tobytes())

    def __call__(self, source: moderngl.Buffer, target: moderngl.Buffer) -> None:
        self._check_alive()
        self._bind({bindings.SAMPLES_BUFFER_BINDING: source, bindings.CHANNELS_BUFFER_BINDING: target})
        self._transform.set_uniforms(rotation=self._rotation)
        self._transform.inverse(None, None, next_use="read")
        kept = self._history_samples * self.format.sample_bytes
        come_in = self.times * self.bank.decimation * self.format.sample_bytes
        self.ctx.copy_buffer(self._history, source, kept, read_offset=come_in - kept)
        self._advance()

    def run(
        self, samples: Iterable[npt.ArrayLike], *, in_flight: int = 3, drop: bool = False, waiting: int = 4
    ) -> Iterator[npt.NDArray[np.complex64]]:
        """Divide a signal into channels.

        Args:
            samples: consecutive arrays of any lengths: complex [samples] for "cf32", else integers [samples, 2], as
                `glfft.streaming.file_samples` yields them.
            in_flight: blocks on the GPU at a time.
            drop: drop blocks if results are taken too slowly, see `Stream.run`; `dropped` counts them. After a gap,
                filters still hold earlier samples, and phases go on as if there were no gap.
            waiting: how many blocks may wait with drop=True.

        Yields:
            Arrays [channels kept, times], one a block; the last has the rest. In all there is one time for every D
            samples begun.

        Raises:
            DataError: the samples have another type than this channelizer's.
            OptionError: a run has not ended. Other errors are those of `Stream.run`.
        """
        decimation = self.bank.decimation
        count = 0

        def counted() -> Iterator[npt.NDArray[Any]]:
            nonlocal count
            for each in samples:
                array = self.format.checked(each)
                count += len(array)
                yield array

        with self._streaming(in_flight) as stream:
            blocks = regroup(counted(), self.times * decimation)
            for result in stream.run(blocks, drop=drop, waiting=waiting):
                left = -(-count // decimation) - stream.position * self.times
                yield result[:, :left]


class Synthesizer(ChannelStage):
    """Channels to samples, with the bank's second prototype: transform, then filter by overlap and addition.

    The history that a block needs stays on the GPU. Samples come `bank.delay` late.

    Args:
        ctx: the context, as for `glfft.Plan`.
        bank: the filters.
        times: samples of each channel in a block, for which `times * bank.decimation` samples come out. Default: about
            2^17 samples come out.
        kept: the channels given, in this order, as in `Channelizer`; the others are silent.
        algorithm: as in `Channelizer`.

    Attributes:
        bank, times, kept: as given.
        block, result: shape and dtype of a block, [channels given, times], and of its result, [samples].

    Raises:
        ShapeError: the block is too short, or a channel does not exist.
        LimitError: the device has no room for it. Other errors are those of `glfft.Plan`.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        bank: FilterBank,
        *,
        times: int | None = None,
        kept: Sequence[int] | None = None,
        algorithm: str = "auto",
    ) -> None:
        taps = len(bank.synthesis) // bank.hop
        super().__init__(ctx, bank, block_times(bank, (taps - 1) * bank.hop, times), kept, algorithm)
        count = self.times * bank.decimation
        self.block: ArrayLayout = ((len(self.kept), self.times), np.dtype(np.complex64))
        self.result: ArrayLayout = ((count,), np.dtype(np.complex64))
        self._history_bytes = 8 * (taps - 1) * bank.channels
        self._prototype, self._rows = self._buffer(bank.synthesis.astype(np.float32)), self._map()
        self._history = self._buffer(max(self._history_bytes, 8))
        self._waves = self._buffer(8 * self._transforms * bank.channels)
        waves: dict[str, Define] = {"WAVES_BINDING": _WAVES_BUFFER_BINDING}
        load = "staggered_load" if bank.staggered else "synthesis_load"
        self._transform = self._plan(channel_snippet(load, MAP_DEFINES), channel_snippet("synthesis_store", waves))
        groups = -(-count // _THREADS)
        down = -(-groups // self._state.limits.group_count[0])
        self._groups = (-(-groups // down), down)
        defines: dict[str, Define] = {
            **waves,
            "THREADS": _THREADS,
            "GROUPS_ACROSS": self._groups[0],
            "CHANNELS": bank.channels,
            "DECIMATION": bank.hop,
            "TIMES": self._transforms,
            "TAPS": taps,
            "HISTORY_BINDING": bindings.HISTORY_BUFFER_BINDING,
            "PROTOTYPE_BINDING": bindings.PROTOTYPE_BUFFER_BINDING,
            "SAMPLES_BINDING": _RESULT_BUFFER_BINDING,
        }
        self._program = programs.compute(ctx, "channelizer/synthesis.comp", defines)
        self._released = False
        self.reset()

    @property
    def dispatches(self) -> int:
        """Dispatches of a block."""
        return self._transform.dispatches + 1

    def reset(self) -> None:
        """Begin a new signal: forget what came before."""
        self._check_alive()
        self._rotation = 0
        self._history.clear()

    def __call__(self, source: moderngl.Buffer, target: moderngl.Buffer) -> None:
        self._check_alive()
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
        self._advance()

    def run(self, channels: Iterable[npt.ArrayLike], *, in_flight: int = 3) -> Iterator[npt.NDArray[np.complex64]]:
        """Put channels together.

        Args:
            channels: consecutive complex arrays [channels given, any times], such as `Channelizer.run` yields.
            in_flight: blocks on the GPU at a time.

        Yields:
            Arrays [samples] of complex64, one a block; in all D samples for each time.

        Raises:
            DataError: the arrays have another number of channels.
            OptionError: a run has not ended. Other errors are those of `Stream.run`.
        """
        count = 0

        def by_time() -> Iterator[npt.NDArray[np.complex64]]:
            nonlocal count
            for each in channels:
                array = np.asarray(each)
                if array.ndim != 2 or len(array) != len(self.kept):
                    raise DataError(
                        f"An array of channels has shape {array.shape} and must have {len(self.kept)} rows, one for "
                        "each channel."
                    )
                count += array.shape[1]
                yield array.T.astype(np.complex64)

        with self._streaming(in_flight) as stream:
            blocks = (block.T for block in regroup(by_time(), self.times))
            for result in stream.run(blocks):
                left = (count - stream.position * self.times) * self.bank.decimation
                yield result[:left]
