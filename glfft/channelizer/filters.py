"""The filters of a channelizer: the prototype that divides a signal into channels, and the one that undoes it.

With M channels, decimation D and a prototype h, channel k has the frequencies round k/M of the sample rate:

    y_k[m] = sum over j of h[j] x[mD - j] exp(-2 pi i k (mD - j) / M),

x mixed down, filtered and every D-th sample kept (Harris, Dick and Rice, Digital receivers and transmitters using
polyphase filter banks, 2003). With a second prototype f, x comes back delayed, but for an error:

    x[n - delay] = sum over m of f[n - mD] sum over k of y_k[m] exp(+2 pi i k n / M).

A *staggered* bank has an even M, a hop of M/2 and a symmetric h of L taps. It keeps one part of each sample:

    z_k[m] = y_k[m] exp(-pi i k (L - 1) / M), its real part where k + m is even and its imaginary part where it is odd.

Real and imaginary part of a channel come in turn and are paired to one complex number for every M samples. For an h
whose branches have constant power in pairs (`design_staggered`) these parts are an orthonormal basis, so that the
signal comes back but for rounding, although there are no more numbers than samples (Daubechies, Jaffard and Journe, A
simple Wilson orthonormal basis with exponential decay, 1991; Fliege, Modified DFT filter banks, 1994).
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from glfft.errors import OptionError, ShapeError, at_least_one, check_flag, real_number, require, shown, whole_number

_SMALLEST = 1e-10  # singular values below this part of the largest are taken for zero
_AT_ONCE = 256  # systems solved at once
_BLOCK_SAMPLES = 1 << 17  # samples of a block where its size is left open: enough to keep a GPU busy

# Staggered banks: steps towards constant power, damped so that none changes much for little.
_STEPS_TO_CONSTANT_POWER, _DAMPING = 8, 1e-8
_BETA_A_TAP = 2 / 3  # the shape of the window that rounds their transition, for each tap of a branch


@dataclass(frozen=True, eq=False)
class FilterBank:
    """The prototype filters of a bank of channels.

    Attributes:
        channels: M.
        decimation: D, from 1 to M: input samples for a sample of each channel; critical if M, else oversampled by M/D.
        prototype: h, float64 [taps], with M taps or more.
        synthesis_taps: length of the filter that puts the channels together; 0 chooses one.
        staggered: the imaginary parts of a channel's samples are half a sample later than the real parts (in odd
            channels earlier). Such a bank is critically sampled and can be inverted.

    Raises ShapeError where a number of channels, decimation or taps is not in its range, OptionError where the
    prototype is not a row of finite numbers, or not symmetric in a staggered bank.
    """

    channels: int
    decimation: int
    prototype: npt.NDArray[np.float64]
    synthesis_taps: int = 0
    staggered: bool = False

    def __post_init__(self) -> None:
        sizes = _sizes(self.channels, self.decimation)
        for name, size in zip(("channels", "decimation"), sizes, strict=False):
            object.__setattr__(self, name, size)
        try:
            taps = np.array(self.prototype, np.float64)
        except (TypeError, ValueError):
            taps = np.empty(0)
        in_a_row = taps.ndim == 1 and np.isfinite(taps).all() and taps.any()
        require(in_a_row, "The prototype", self.prototype, "finite numbers in a row, not all 0")
        if len(taps) < self.channels:
            wanted = f"one or more for each of {self.channels} channels; add zeros at its end"
            raise ShapeError(f"The prototype has {len(taps)} taps and must have {wanted}.")
        given, least = self.synthesis_taps, whole_number(self.synthesis_taps)
        require(least is not None and least >= 0, "synthesis_taps", given, "a whole number, 0 or more", ShapeError)
        object.__setattr__(self, "synthesis_taps", least)
        if check_flag("staggered", self.staggered):
            self._check_staggered(taps)
        object.__setattr__(self, "prototype", taps)

    def _check_staggered(self, taps: npt.NDArray[np.float64]) -> None:
        channels, decimation = self.channels, self.decimation
        require(channels % 2 == 0, "channels", channels, f"even if staggered, such as {channels + 1}", ShapeError)
        wanted = f"the number of channels, {channels}, for a staggered bank: it is critically sampled"
        require(decimation == channels, "decimation", decimation, wanted, ShapeError)
        if self.synthesis_taps:
            raise ShapeError("synthesis_taps must be left out for a staggered bank: its prototype serves both ways.")
        if np.abs(taps - taps[::-1]).max() > 1e-9 * np.abs(taps).max():
            raise OptionError("The prototype of a staggered bank must be symmetric.")

    @classmethod
    def design(cls, channels: int, decimation: int | None = None, *, taps: int = 12, attenuation: float = 80.0,
               synthesis_taps: int = 0) -> Self:  # fmt: skip
        """A bank whose prototype is a windowed sinc (Kaiser's window) of gain 1 in the middle of a channel, with so
        many `taps` for each of M channels.

        The amplitude is a half at half the rate of a channel, or at the middle of the next channel if that is nearer.
        With M/D of 4/3 or more, a channel is flat and free of aliases over its own width. By default D is M.
        Frequencies outside a channel and its transition lose `attenuation` decibels; with 80 dB the transition is
        5/taps of a channel's width. `synthesis_taps` is as in the class. Raises ShapeError or OptionError where a value
        is not in its range.
        """
        channels, decimation, taps = _sizes(channels, channels if decimation is None else decimation, taps)
        require(0 <= real_number(attenuation) <= 200, "attenuation", attenuation, "from 0 to 200 decibels")
        n = np.arange(channels * taps) - (channels * taps - 1) / 2
        half_amplitude = min(1 / (2 * decimation), 1 / channels)
        prototype = np.sinc(2 * half_amplitude * n) * np.kaiser(len(n), _kaiser_beta(attenuation))
        return cls(channels, decimation, prototype / prototype.sum(), synthesis_taps)

    @classmethod
    def design_staggered(cls, channels: int, *, taps: int = 12) -> Self:
        """A staggered bank: critically sampled, invertible, with channels that overlap their neighbours only.

        From the middle of a channel to the middle of the next the amplitude falls as a cosine, whose phase is rounded
        by Kaiser's window (Meyer). Cutting the filter to length disturbs the sum of powers of branches M/2 apart; a few
        of Newton's steps correct it. Beyond the middles of the next channels, 4 taps of the prototype for each channel
        attenuate by 28 dB or more, 8 by 57 dB, 12 by 82 dB and 16 by 105 dB. Raises ShapeError where a number is not in
        its range; `channels` must be even.
        """
        channels, _, taps = _sizes(channels, channels, taps)
        even = channels + channels % 2
        prototype = _with_constant_power(_rounded_cosine(even, taps), even)
        return cls(channels, channels, (prototype + prototype[::-1]) / 2, staggered=True)  # but for rounding

    @property
    def hop(self) -> int:
        """Samples from one transform over channels to the next: D, or D/2 in a staggered bank."""
        return self.decimation // 2 if self.staggered else self.decimation

    @property
    def oversampling(self) -> float:
        """M/D."""
        return self.channels / self.decimation

    @cached_property
    def synthesis(self) -> npt.NDArray[np.float64]:
        """f, float64 [taps]: the filter that puts channels together with the least squared error, and the least energy.

        A long enough f inverts an oversampled bank but for rounding; `reconstruction_db` says whether it does. A
        critically sampled bank with good filters cannot be inverted (Balian and Low); a longer f has less error. In a
        staggered bank f is h, scaled.
        """
        return self._solution[0]

    @cached_property
    def delay(self) -> int:
        """Samples by which a signal comes back late after both banks."""
        return self._middle * self.channels

    @cached_property
    def reconstruction_db(self) -> float:
        """Energy of white noise over the energy of its error after both banks, in decibels, in exact arithmetic."""
        return -10.0 * math.log10(max(self._solution[1], 1e-40))

    @property
    def _synthesis_length(self) -> int:
        # Synthesis prototypes are twice as long as the prototype, or eight times at the critical rate.
        wanted = self.synthesis_taps or (8 if self.decimation == self.channels else 2) * len(self.prototype)
        if self.staggered:
            wanted = self._middle * self.channels + 1
        return -(-wanted // self.hop) * self.hop

    @property
    def _middle(self) -> int:
        """The delay in periods of M samples: of both filters together."""
        if self.staggered:
            return -(-(len(self.prototype) - 1) // self.channels)
        return round((len(self.prototype) + self._synthesis_length - 2) / (2 * self.channels))

    @cached_property
    def _solution(self) -> tuple[npt.NDArray[np.float64], float]:
        """f, and the energy of the error over the signal's energy.

        x[n] comes back as the sum over s of x[n - sM] M sum over i of f[r + iD] h[sM - r - iD], r = n mod D. It should
        be 1 for one s, the delay, and 0 for the others: a linear system for each r.
        """
        h, spaced, length = self.prototype, self.hop, self._synthesis_length

        def taps(at: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
            return np.where((at >= 0) & (at < len(h)), h[np.clip(at, 0, len(h) - 1)], 0.0)

        i = np.arange(length // spaced)
        s = np.arange((len(h) + length) // self.channels + 1)
        wanted = (s == self._middle).astype(np.float64)
        found, error = np.empty((spaced, len(i))), 0.0
        for begin in range(0, spaced, _AT_ONCE):
            r = np.arange(begin, min(begin + _AT_ONCE, spaced))
            at = s[None, :, None] * self.channels - r[:, None, None] - i[None, None, :] * spaced
            systems = self.channels * taps(at)
            if self.staggered:
                solved = taps(self._middle * self.channels - r[:, None] - i * spaced) / (2 * (h**2).sum())
            else:
                solved = np.linalg.pinv(systems, rcond=_SMALLEST) @ wanted
            found[r] = solved
            error += float(((np.einsum("rsi,ri->rs", systems, solved) - wanted) ** 2).sum())
        # One part of each number is half of its energy.
        return found.T.ravel() * (2.0 if self.staggered else 1.0), error / spaced


def _rounded_cosine(channels: int, taps: int) -> npt.NDArray[np.float64]:
    """A prototype [taps * channels] of gain 1 whose power and its neighbour's add up to 1, but for its length."""
    steps = 64 * taps
    x = (np.arange(steps) + 0.5) / steps
    rounded = np.cumsum(np.kaiser(steps, _BETA_A_TAP * taps))
    amplitude = np.cos(np.pi / 2 * (rounded - rounded[0] / 2) / rounded[-1])
    n = np.arange(taps * channels // 2) + 0.5
    parts = (n[begin : begin + _AT_ONCE] for begin in range(0, len(n), _AT_ONCE))
    later = np.concatenate([np.cos(2 * np.pi / channels * np.outer(part, x)) @ amplitude for part in parts])
    waves = np.concatenate([later[::-1], later])
    return waves / waves.sum()


def _with_constant_power(prototype: npt.NDArray[np.float64], channels: int) -> npt.NDArray[np.float64]:
    """The prototype nearest to one [taps * channels] for which branches r and r + M/2 have constant power together: the
    sum of their autocorrelations is 0 but at lag 0. Newton's method solves it, with the smallest steps.
    """
    pairs, taps = channels // 2, len(prototype) // channels
    branches = prototype.reshape(taps, 2, pairs).transpose(2, 1, 0).copy()  # [pair, branch, tap]
    wanted = np.zeros(taps)
    wanted[0] = (prototype**2).sum() / pairs
    for _ in range(_STEPS_TO_CONSTANT_POWER):
        for begin in range(0, pairs, _AT_ONCE):
            some = branches[begin : begin + _AT_ONCE]
            lags = np.zeros((len(some), taps))
            slopes = np.zeros((len(some), taps, 2, taps))
            for lag in range(taps):
                earlier, later = some[:, :, : taps - lag], some[:, :, lag:]
                lags[:, lag] = (earlier * later).sum(axis=(1, 2))
                slopes[:, lag, :, : taps - lag] += later
                slopes[:, lag, :, lag:] += earlier
            slopes = slopes.reshape(len(some), taps, 2 * taps)
            across = slopes.transpose(0, 2, 1)
            damped = slopes @ across + np.eye(taps) * (_DAMPING * wanted[0])
            some -= (across @ np.linalg.solve(damped, (lags - wanted)[:, :, None])).reshape(some.shape)
    found = branches.transpose(2, 1, 0).ravel()
    return found / found.sum()


def _kaiser_beta(attenuation: float) -> float:
    """Kaiser's shape for an attenuation, dB (Oppenheim and Schafer, Discrete-Time Signal Processing, 7.75)."""
    above = max(attenuation - 21, 0.0)
    return 0.1102 * (attenuation - 8.7) if attenuation > 50 else 0.5842 * above**0.4 + 0.07886 * above


def _sizes(channels: int, decimation: int, taps: int = 1) -> tuple[int, int, int]:
    """All as Python's integers. Raises ShapeError where one is no whole number, or not in its range."""
    require((whole_number(channels) or 0) >= 2, "channels", channels, "a whole number, 2 or more", ShapeError)
    allowed = f"a whole number from 1 to the number of channels, {channels}: with more, they would not hold the signal"
    require(whole_number(decimation) in range(1, channels + 1), "decimation", decimation, allowed, ShapeError)
    require((whole_number(taps) or 0) >= 1, "taps", taps, "a whole number, 1 or more", ShapeError)
    return int(channels), int(decimation), int(taps)


def kept_channels(bank: FilterBank, kept: Iterable[int] | None) -> tuple[int, ...]:
    """The channels wanted, from 0 to channels - 1. Raises ShapeError where one does not exist or comes twice."""
    count = bank.channels
    alone = not isinstance(kept, Iterable) or getattr(kept, "ndim", 1) == 0  # numpy's arrays may have no axis
    found: tuple[Any, ...] = tuple(range(count) if kept is None else [kept] if alone else kept)
    for each in found:
        if whole_number(each) not in range(-count, count):
            raise ShapeError(f"There is no channel {shown(each)}; of {count} they are {-count} to {count - 1}.")
    found = tuple(int(each) % count for each in found)
    if not found or len(set(found)) != len(found):
        raise ShapeError(f"The channels kept are {list(found)} and must be one or more, each named once.")
    return found


def block_times(bank: FilterBank, history: int, times: int | None) -> int:
    """Times of a block, which must be no shorter than what is kept of it for the next."""
    decimation = bank.decimation
    least = max(-(-history // decimation), 1)
    if times is not None:
        wanted = f"{least} or more: a block must be as long as the filter"
        require(at_least_one("times", times) >= least, "times", times, wanted, ShapeError)
        return int(times)
    # A whole number of turns, if that is not too many, and an even one.
    period = math.lcm(bank.channels // math.gcd(bank.channels, decimation), 2)
    if period * decimation > _BLOCK_SAMPLES:
        period = 2
    return -(-max(least, _BLOCK_SAMPLES // decimation) // period) * period
