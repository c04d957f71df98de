"""A wideband signal divided into channels, block after block: how strong each channel is."""

import time
from collections import deque
from dataclasses import dataclass

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.channelizer.bank import Channelizer
from glfft.channelizer.filters import FilterBank
from glfft.channelizer.recordings import Recording, Wideband
from glfft.gl.releasable import Releasable

FLOOR_DB = -160.0  # below this nothing is told apart: decibels


@dataclass(frozen=True)
class ScanSettings:
    channels: int = 256  # channels, decimation, taps: of the filter bank, see `FilterBank.design`
    decimation: int | None = None
    taps: int = 12
    recording: Recording | None = None  # what is scanned; None for a synthetic signal of several stations
    rows: int = 372  # of the waterfall
    row_samples: int = 4096  # that a row of the waterfall stands for, about

    @property
    def bank(self) -> FilterBank:
        """The filters; without a decimation, channels are oversampled twice. Raises GlfftError where they cannot be."""
        decimation = max(self.channels // 2, 1) if self.decimation is None else self.decimation
        return FilterBank.design(self.channels, decimation, taps=self.taps)


class Scan(Releasable):
    """Divides a signal into channels, in the order of frequency, for a while at a time. Raises GlfftError where the
    settings make no sense, or are too large for the device.

    `levels` are decibels of each channel, [rows, channels], the newest row last, FLOOR_DB where there is none yet.
    `rows` and `done` count rows and samples of the signal so far; `ended` is whether the recording has ended.
    """

    def __init__(self, ctx: moderngl.Context, settings: ScanSettings) -> None:
        self.settings = settings
        self.bank = bank = settings.bank
        self._row_times = max(settings.row_samples // bank.decimation, 1)
        # A window goes on smoothly with blocks so long; at least as long as the filter, and an even number.
        self.times = max(1 << 14, len(bank.prototype) + 2 * bank.decimation) // bank.decimation // 2 * 2 + 2
        recording, channels, half = settings.recording, settings.channels, settings.channels // 2
        samples = "cf32" if recording is None else recording.format.name
        self.rate = 0.0 if recording is None else recording.rate  # samples a second, 0 where nobody knows
        kept = range(-half, channels - half)
        self.channelizer = Channelizer(ctx, bank, times=self.times, samples=samples, kept=kept)
        signal = Wideband(self.times * bank.decimation) if recording is None else recording.samples()
        self._results = self.channelizer.run(signal)
        self.levels = np.full((settings.rows, channels), FLOOR_DB, np.float32)
        self.rows, self.done, self.ended = 0, 0, False
        # The row that is not full: the sum of its powers, and how many times it has.
        self._sum, self._summed = np.zeros(channels), 0
        self._paces: deque[tuple[int, float]] = deque(maxlen=60)

    @property
    def samples_a_second(self) -> float:
        """Samples done in a second lately, the source's time included; 0 before the first."""
        seconds = sum(each for _, each in self._paces)
        return sum(count for count, _ in self._paces) / seconds if seconds else 0.0

    @property
    def row_samples(self) -> int:
        """Samples that a row of the waterfall stands for."""
        return self._row_times * self.bank.decimation

    def frequency_of(self, place: float) -> float:
        """The middle of a channel by its place, as a part of the sample rate."""
        return (place - self.settings.channels // 2) / self.settings.channels

    def step(self, seconds: float) -> None:
        """Go on for some time, by one block at least; does nothing once the recording has ended."""
        begun, before = time.perf_counter(), self.done
        self._take()
        while not self.ended and time.perf_counter() - begun < seconds:
            self._take()
        if self.done > before:
            self._paces.append((self.done - before, time.perf_counter() - begun))

    def fill(self) -> None:
        """Go on until the waterfall is full, or has all of a recording."""
        recording, rows = self.settings.recording, self.settings.rows
        if recording is not None:
            self._row_times = -(-recording.count // (rows * self.bank.decimation))
        while self.rows < rows and not self.ended:
            self.step(0.0)

    def release(self) -> None:
        self._results.close()  # pyright: ignore[reportAttributeAccessIssue]
        self.channelizer.release()

    def _take(self) -> None:
        block = next(self._results, None)
        if block is None:
            self.ended = True
            return
        self.done += block.shape[1] * self.bank.decimation
        self._add(block.real**2 + block.imag**2)

    def _add(self, power: npt.NDArray[np.floating]) -> None:
        """Powers [channels, times] to rows of the waterfall."""
        starts = np.arange(-self._summed, power.shape[1], self._row_times)
        starts[0] = 0
        sums = np.add.reduceat(power, starts, axis=1, dtype=np.float64).T
        sums[0] += self._sum
        self._summed = (self._summed + power.shape[1]) % self._row_times
        full = len(sums) if self._summed == 0 else len(sums) - 1
        self._sum = sums[-1] if full < len(sums) else np.zeros(len(power))
        if full:
            mean = sums[:full] / self._row_times
            rows = 10 * np.log10(np.maximum(mean[-len(self.levels) :], 10 ** (FLOOR_DB / 10)))
            self.rows += full
            self.levels = np.concatenate([self.levels[len(rows) :], rows.astype(np.float32)])
