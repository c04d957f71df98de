"""Between sender and receiver: echoes and noise, and the theory of the bit errors that they cause."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from glfft.apps.ofdm.link.settings import CHANNELS, HIGHEST_DB, LOWEST_DB
from glfft.apps.ofdm.link.symbols import BITS_A_POINT, GUARD, SUBCARRIERS, USED, used_subcarriers
from glfft.errors import OptionError, shown

# The echoes of a room: how much later in samples, how much weaker in dB, and their phase in turns.
_ECHOES = ((0, 0.0, 0.0), (3, -9.0, 0.31), (7, -12.0, 0.72), (16, -15.0, 0.15), (29, -18.0, 0.55), (47, -21.0, 0.9))


@dataclass(frozen=True)
class Channel:
    """Echoes and white noise."""

    name: str = "flat"  # "flat", the direct path alone, or "multipath", with five echoes up to 47 samples later
    # energy of a bit over the noise's density, Eb / N0, in dB. The energy is that of a data point divided by its four
    # bits: neither pilots nor the guard interval count.
    bit_energy_db: float = 14.0

    def __post_init__(self) -> None:
        if self.name not in CHANNELS:
            raise OptionError(f"The channel is {shown(self.name)} and must be one of {', '.join(CHANNELS)}.")
        if not LOWEST_DB <= self.bit_energy_db <= HIGHEST_DB:  # written so that NaN fails too
            raise OptionError(
                f"Eb/N0 is {shown(self.bit_energy_db)} and must be from {LOWEST_DB:g} to {HIGHEST_DB:g} dB."
            )

    @property
    def taps(self) -> npt.NDArray[np.complex128]:
        """The impulse response, with an energy of 1. It is shorter than the guard interval."""
        echoes = _ECHOES if self.name == "multipath" else _ECHOES[:1]
        taps = np.zeros(echoes[-1][0] + 1, np.complex128)
        for delay, db, turns in echoes:
            taps[delay] = 10 ** (db / 20) * np.exp(2j * math.pi * turns)
        return taps / np.linalg.norm(taps)

    @property
    def response(self) -> npt.NDArray[np.complex128]:
        """What it does to each used subcarrier: [352]."""
        return np.fft.fft(self.taps, SUBCARRIERS)[used_subcarriers()]

    @property
    def noise(self) -> float:
        """The noise's power, over the samples' power of 1."""
        # A data point has the energy of 512 / 352 samples, and a unitary transform keeps the noise's density.
        return SUBCARRIERS / USED / BITS_A_POINT / 10 ** (self.bit_energy_db / 10)

    def send(
        self, samples: npt.NDArray[np.complex64], random: np.random.Generator, before: npt.NDArray[np.complex64] | None
    ) -> npt.NDArray[np.complex64]:
        """What arrives of samples.

        Args:
            samples: sent, [samples].
            random: what draws the noise.
            before: what was sent just before, at least a guard interval of it, whose echoes arrive too; None for
                nothing.
        """
        taps, count = self.taps, len(samples)
        sent = np.concatenate([np.zeros(GUARD, np.complex64) if before is None else before[-GUARD:], samples])
        received = math.sqrt(self.noise / 2) * random.standard_normal((count, 2), np.float32).view(np.complex64)[:, 0]
        for delay in np.flatnonzero(taps):
            received += np.complex64(taps[delay]) * sent[GUARD - delay : GUARD - delay + count]
        return received.astype(np.complex64)


def bit_error_rate(signal_to_noise: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """The share of wrong bits of 16-QAM with Gray's code in white noise, decided bit by bit.

    With Q the tail of the normal distribution and a = sqrt(Es / N0 / 5), half the distance between neighbours over the
    noise's standard deviation in one part, it is 3/4 Q(a) + 1/2 Q(3a) - 1/4 Q(5a) (Cho and Yoon, On the general BER
    expression of one- and two-dimensional amplitude modulations, IEEE Trans. Commun. 50, 2002).

    Args:
        signal_to_noise: Es / N0 of a point, as a ratio.
    """
    half = np.sqrt(np.asarray(signal_to_noise, float) / 5)
    return 0.75 * _tail(half) + 0.5 * _tail(3 * half) - 0.25 * _tail(5 * half)


def expected_error_rate(channel: Channel, further_noise: float = 0.0, estimate_gain: float = 0.0) -> float:
    """The share of wrong bits to expect behind a channel, as the mean over its subcarriers.

    Args:
        channel: echoes and noise.
        further_noise: power of noise that comes in at the receiver, such as rounding, over the samples' power of 1.
        estimate_gain: how much of the noise's power is in the receiver's estimate of a subcarrier's response.
    """
    noise = (channel.noise + further_noise) * USED / SUBCARRIERS * (1 + estimate_gain)
    return float(bit_error_rate(np.abs(channel.response) ** 2 / noise).mean())


_tail = np.vectorize(lambda x: math.erfc(x / math.sqrt(2)) / 2, otypes=[float])
