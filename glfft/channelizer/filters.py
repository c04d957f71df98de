"""The filters of a channelizer: the prototype that divides a signal into channels, and the one that undoes it.

With M channels, decimation D and a prototype h, channel k has the frequencies round k/M of the sample rate:

    y_k[m] = sum over j of h[j] x[mD - j] exp(-2 pi i k (mD - j) / M),

x mixed down, filtered and every D-th sample kept (Harris, Dick and Rice, Digital receivers and transmitters using
polyphase filter banks, 2003). With a second prototype f, x comes back delayed, but for an error:

    x[n - delay] = sum over m of f[n - mD] sum over k of y_k[m] exp(+2 pi i k n / M).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from glfft.errors import OptionError, ShapeError, shown

# Synthesis prototypes are this many times as long as the prototype.
_TIMES_AS_LONG = 2
_TIMES_AS_LONG_AT_CRITICAL_RATE = 8

# Singular values below this part of the largest are taken for zero.
_SMALLEST = 1e-10

# Systems solved at once.
_AT_ONCE = 256


@dataclass(frozen=True, eq=False)
class FilterBank:
    """Channels and their filters.

    Attributes:
        channels: M, their number.
        decimation: D, from 1 to M: the samples for one of each channel. With M the bank is critically sampled, with
            less it is oversampled by M/D, which need not be a whole number.
        prototype: h, float64 [taps]; as many taps as M or more.
        synthesis_taps: of the filter that puts the channels together again; 0 for a length that suits.

    Raises:
        ShapeError: a number of channels, decimation or taps makes no sense.
        OptionError: the prototype is not a row of finite numbers.
    """

    channels: int
    decimation: int
    prototype: npt.NDArray[np.float64]
    synthesis_taps: int = 0

    def __post_init__(self) -> None:
        if self.channels < 2:
            raise ShapeError(f"channels is {self.channels} and must be 2 or more.")
        if not 1 <= self.decimation <= self.channels:
            raise ShapeError(
                f"decimation is {self.decimation} and must be from 1 to the number of channels, {self.channels}: "
                "with more, channels would not hold the signal."
            )
        try:
            taps = np.array(self.prototype, np.float64)
        except (TypeError, ValueError):
            taps = np.empty(0)
        if taps.ndim != 1 or not np.isfinite(taps).all() or not taps.any():
            raise OptionError(
                f"The prototype is {shown(self.prototype)} and must be a row of finite numbers that are not all 0."
            )
        if len(taps) < self.channels:
            raise ShapeError(
                f"The prototype has {len(taps)} taps and must have one or more for each of {self.channels} channels; "
                "add zeros at its end."
            )
        if self.synthesis_taps < 0:
            raise ShapeError(f"synthesis_taps is {self.synthesis_taps} and must be 0 or more.")
        object.__setattr__(self, "prototype", taps)

    @classmethod
    def design(
        cls,
        channels: int,
        decimation: int | None = None,
        *,
        taps: int = 12,
        attenuation: float = 80.0,
        synthesis_taps: int = 0,
    ) -> FilterBank:
        """A bank whose prototype is a windowed sinc (Kaiser's window) of gain 1 in the middle of a channel.

        Half its amplitude is left at half the rate of a channel, or at the middle of the next channel if that is
        nearer. With M/D of 4/3 or more, a channel is flat over its own width, and free of aliases there.

        Args:
            channels: M.
            decimation: D; by default M.
            taps: of the prototype for each channel.
            attenuation: of what is outside a channel, in decibels, beyond the transition: of 5/taps of a channel's
                width with 80 dB.
            synthesis_taps: as of the class.

        Raises:
            ShapeError, OptionError: a value makes no sense.
        """
        decimation = channels if decimation is None else decimation
        if taps < 1:
            raise ShapeError(f"taps is {taps} and must be 1 or more.")
        if not 0 <= attenuation <= 200:
            raise OptionError(f"attenuation is {attenuation:g} and must be from 0 to 200 decibels.")
        length = max(channels, 2) * taps
        n = np.arange(length) - (length - 1) / 2
        half_amplitude = min(1 / (2 * max(decimation, 1)), 1 / max(channels, 1))
        prototype = np.sinc(2 * half_amplitude * n) * np.kaiser(length, _kaiser_beta(attenuation))
        return cls(channels, decimation, prototype / prototype.sum(), synthesis_taps)

    @property
    def oversampling(self) -> float:
        """M/D."""
        return self.channels / self.decimation

    @cached_property
    def synthesis(self) -> npt.NDArray[np.float64]:
        """f: float64 [taps], the filter that puts channels together again with the least squared error and, of those,
        the least energy.

        Oversampled banks can be undone but for rounding by a filter that is long enough; `reconstruction_db` says
        whether it is. Critically sampled ones with good filters cannot (Balian and Low), but the longer it is the
        better.
        """
        return self._solution[0]

    @cached_property
    def delay(self) -> int:
        """Samples by which a signal that was divided and put together again comes late."""
        return self._middle * self.channels

    @cached_property
    def reconstruction_db(self) -> float:
        """Energy of a signal over that of the error, in decibels, when white noise is divided into channels and put
        together again, all in exact arithmetic.
        """
        return -10.0 * math.log10(max(self._solution[1], 1e-40))

    @property
    def _synthesis_length(self) -> int:
        """A multiple of D."""
        longer = _TIMES_AS_LONG_AT_CRITICAL_RATE if self.decimation == self.channels else _TIMES_AS_LONG
        wanted = self.synthesis_taps or longer * len(self.prototype)
        return -(-wanted // self.decimation) * self.decimation

    @property
    def _middle(self) -> int:
        """The delay in periods of M samples: of both filters together."""
        return round((len(self.prototype) + self._synthesis_length - 2) / (2 * self.channels))

    @cached_property
    def _solution(self) -> tuple[npt.NDArray[np.float64], float]:
        """f, and the energy of the error over that of the signal.

        x[n] comes back as the sum over s of x[n - sM] M sum over i of f[r + iD] h[sM - r - iD], r = n mod D. It should
        be 1 for one s, the delay, and 0 for the others: a linear system for each r.
        """
        h, spaced, length = self.prototype, self.decimation, self._synthesis_length
        i = np.arange(length // spaced)
        s = np.arange((len(h) + length) // self.channels + 1)
        wanted = (s == self._middle).astype(np.float64)
        found, error = np.empty((spaced, len(i))), 0.0
        for begin in range(0, spaced, _AT_ONCE):
            r = np.arange(begin, min(begin + _AT_ONCE, spaced))
            at = s[None, :, None] * self.channels - r[:, None, None] - i[None, None, :] * spaced
            inside = (at >= 0) & (at < len(h))
            systems = self.channels * np.where(inside, h[np.clip(at, 0, len(h) - 1)], 0.0)
            solved = np.linalg.pinv(systems, rcond=_SMALLEST) @ wanted
            found[r] = solved
            error += float(((np.einsum("rsi,ri->rs", systems, solved) - wanted) ** 2).sum())
        return found.T.ravel(), error / spaced


def _kaiser_beta(attenuation: float) -> float:
    """The shape of Kaiser's window for an attenuation in decibels (Oppenheim and Schafer, Discrete-Time Signal
    Processing, 7.75).
    """
    if attenuation > 50:
        return 0.1102 * (attenuation - 8.7)
    return 0.5842 * max(attenuation - 21, 0.0) ** 0.4 + 0.07886 * max(attenuation - 21, 0.0)
