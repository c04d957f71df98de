"""WirelessHD's high-rate symbols (Hinitt and Kocak, table 1): their numbers, which subcarrier carries what, and the
sender in numpy: bits to points of 16-QAM, points to symbols, symbols to samples.

A symbol has 512 subcarriers, of which 352 are used: numbers -177 to -2 and 2 to 177 from the carrier's frequency. Three
in the middle and 157 at the edges are empty. In every symbol 16 of those used are pilots, 22 apart, and 336 carry data.
The paper does not say where the pilots lie. Here they move by three places from symbol to symbol, so that in 22 symbols
each subcarrier is a pilot once.

Between sender and receiver are echoes and noise, with the theory of the bit errors that they cause. Samples come as a
radio delivers them: 32-bit floats, 16-bit floats, or integers of eight bits or fewer. The paper's LittleFloat has 1
sign, 5 exponent and 10 mantissa bits, which is IEEE's half precision; its TinyFixed has eight bits.
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

import glfft
from glfft.apps.ofdm.link.settings import CHANNELS, FIXED8, FLOAT16, FLOAT32, HIGHEST_DB, LOWEST_DB, WIDTHS
from glfft.errors import check_choice, require
from glfft.gl.bindings import FIRST_APP_BUFFER_BINDING

SUBCARRIERS = 512
GUARD = 64
SYMBOL = GUARD + SUBCARRIERS
USED = 352
PILOTS = 16
DATA = USED - PILOTS

PILOT_SPACING, PILOT_STEP = USED // PILOTS, 3  # from pilot to pilot, and how far they move from symbol to symbol
BITS_A_POINT = 4
BITS = DATA * BITS_A_POINT
WORDS = BITS // 32
SAMPLES_A_SECOND = 2.538e9  # what the standard asks for
SECONDS_A_SYMBOL = SYMBOL / SAMPLES_A_SECOND
# Two bits a level, neighbours differ in one (Gray): 00, 01, 11, 10 upwards. The mean energy of a point is 1.
_LEVELS = np.array([-3, -1, 3, 1], np.float32) / np.float32(np.sqrt(10))
# The echoes of a room: how much later in samples, how much weaker in dB, and their phase in turns.
_ECHOES = ((0, 0.0, 0.0), (3, -9.0, 0.31), (7, -12.0, 0.72), (16, -15.0, 0.15), (29, -18.0, 0.55), (47, -21.0, 0.9))
_tail = np.vectorize(lambda x: math.erfc(x / math.sqrt(2)) / 2, otypes=[float])

SAMPLES_BINDING = FIRST_APP_BUFFER_BINDING
_DTYPES = {FLOAT32: "<f4", FLOAT16: "<f2"}


def used_subcarriers() -> npt.NDArray[np.int64]:
    """The places in FFT order of the used subcarriers, from the lowest frequency to the highest: [352]."""
    half = np.arange(2, USED // 2 + 2)
    return np.concatenate([-half[::-1], half]) % SUBCARRIERS


def pilot_places(symbol: int) -> npt.NDArray[np.int64]:
    """Which of the used subcarriers are pilots in a symbol: [16]."""
    return symbol * PILOT_STEP % PILOT_SPACING + PILOT_SPACING * np.arange(PILOTS)


def data_places(symbol: int) -> npt.NDArray[np.int64]:
    """Which of the used subcarriers carry data in a symbol: [336]."""
    return np.setdiff1d(np.arange(USED), pilot_places(symbol))


def pilot_signs() -> npt.NDArray[np.float32]:
    """What each used subcarrier sends when it is a pilot, 1 or -1: [352]."""
    # Equal pilots would add up to a peak in each symbol.
    return np.random.default_rng(60).choice(np.array([-1, 1], np.float32), USED)


def random_words(random: np.random.Generator, symbols: int) -> npt.NDArray[np.uint32]:
    """The data of some symbols: [symbols, 42] words of 32 bits."""
    return random.integers(0, 1 << 32, (symbols, WORDS), np.uint32)


def points_of(words: npt.NDArray[np.uint32]) -> npt.NDArray[np.complex64]:
    """The points of data: [symbols, 336]. Four bits make a point, the lowest of a word first: two for its real and two
    for its imaginary part, the higher one the sign, the lower one set for an inner level.
    """
    fours = (words[..., None] >> np.arange(0, 32, BITS_A_POINT, dtype=np.uint32) & 15).reshape(len(words), DATA)
    points = np.empty(fours.shape, np.complex64)
    points.real, points.imag = _LEVELS[fours & 3], _LEVELS[fours >> 2]
    return points


def spectra_of(words: npt.NDArray[np.uint32]) -> npt.NDArray[np.complex64]:
    """The symbols' spectra in FFT order: [symbols, 512]. Data points and pilots, and zeros elsewhere."""
    symbols = len(words)
    used, signs, points = used_subcarriers(), pilot_signs(), points_of(words)
    spectra = np.zeros((symbols, SUBCARRIERS), np.complex64)
    for turn in range(min(PILOT_SPACING, symbols)):
        pilots, data = pilot_places(turn), data_places(turn)
        spectra[turn::PILOT_SPACING, used[pilots]] = signs[pilots]
        spectra[turn::PILOT_SPACING, used[data]] = points[turn::PILOT_SPACING]
    return spectra


def samples_of(words: npt.NDArray[np.uint32]) -> npt.NDArray[np.complex64]:
    """The samples of symbols: [symbols * 576], with a mean power of 1. The end of each symbol is sent before it too."""
    lines = np.fft.ifft(spectra_of(words), axis=1) * (SUBCARRIERS / np.sqrt(USED))
    return np.concatenate([lines[:, -GUARD:], lines], axis=1).astype(np.complex64).ravel()


def bit_errors(sent: npt.NDArray[np.uint32], received: npt.NDArray[np.uint32]) -> int:
    """In how many bits two arrays of words differ."""
    return int(np.unpackbits((sent ^ received).view(np.uint8)).sum())


@dataclass(frozen=True)
class Channel:
    name: str = "flat"  # "flat", the direct path alone, or "multipath", with five echoes up to 47 samples later
    # energy of a bit over the noise's density, Eb / N0, in dB. The energy is that of a data point divided by its four
    # bits: neither pilots nor the guard interval count.
    bit_energy_db: float = 14.0

    def __post_init__(self) -> None:
        check_choice("channel", self.name, CHANNELS)
        db = self.bit_energy_db
        require(LOWEST_DB <= db <= HIGHEST_DB, "Eb/N0", db, f"from {LOWEST_DB:g} to {HIGHEST_DB:g} dB")  # NaN fails too

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

    def send(self, samples: npt.NDArray[np.complex64], random: np.random.Generator) -> npt.NDArray[np.complex64]:
        """What arrives of samples, [samples], with their echoes, and noise that `random` draws."""
        taps, count = self.taps, len(samples)
        received = math.sqrt(self.noise / 2) * random.standard_normal((count, 2), np.float32).view(np.complex64)[:, 0]
        for delay in np.flatnonzero(taps):
            received[delay:] += np.complex64(taps[delay]) * samples[: count - delay]
        return received.astype(np.complex64)


def bit_error_rate(signal_to_noise: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """The share of wrong bits of 16-QAM with Gray's code in white noise, by Es / N0 of a point as a ratio.

    With Q the tail of the normal distribution and a = sqrt(Es / N0 / 5), half the distance between neighbours over the
    noise's standard deviation in one part, it is 3/4 Q(a) + 1/2 Q(3a) - 1/4 Q(5a) (Cho and Yoon, On the general BER
    expression of one- and two-dimensional amplitude modulations, IEEE Trans. Commun. 50, 2002).
    """
    half = np.sqrt(np.asarray(signal_to_noise, float) / 5)
    return 0.75 * _tail(half) + 0.5 * _tail(3 * half) - 0.25 * _tail(5 * half)


def expected_error_rate(channel: Channel, further_noise: float = 0.0, estimate_gain: float = 0.0) -> float:
    """The share of wrong bits to expect behind a channel. `further_noise` is the power of noise at the receiver, such
    as rounding, over the samples' power of 1, `estimate_gain` the share of noise in the estimate of a response.
    """
    noise = (channel.noise + further_noise) * USED / SUBCARRIERS * (1 + estimate_gain)
    return float(bit_error_rate(np.abs(channel.response) ** 2 / noise).mean())


@dataclass(frozen=True)
class Width:
    name: str = FIXED8  # "float32", "float16", or "fixed8" down to "fixed2" for integers of so many bits

    def __post_init__(self) -> None:
        check_choice("samples", self.name, WIDTHS)

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """The type of the real and of the imaginary part."""
        return np.dtype(_DTYPES.get(self.name, "i1"))

    @property
    def bits(self) -> int:
        return 0 if self.name in _DTYPES else int(self.name.removeprefix("fixed"))

    def encode(self, samples: npt.NDArray[np.complex64], power: float) -> npt.NDArray[np.generic]:
        """Samples as the receiver takes them, [samples, 2]; integers are scaled to the samples' mean power, and cut."""
        parts = np.ascontiguousarray(samples).view(np.float32).reshape(-1, 2)
        if not self.bits:
            return parts.astype(self.dtype)
        # A number stands for the middle of its interval, so that all of them have as many below zero as above.
        most = 1 << (self.bits - 1)
        return np.clip(np.floor(parts * np.float32(1 / self.step(power))), -most, most - 1).astype(np.int8)

    def load(self) -> glfft.snippets.Snippet:
        """What a transform loads from `SAMPLES_BINDING`; for integers it has the uniform `sample_step`, see `step`."""
        text = f'{self.samples}#include "ofdm/symbol_load.glsl"\n'
        return glfft.snippets.Snippet(text, name=f"of {self.name} samples")

    @property
    def samples(self) -> str:
        """GLSL of `vec2 sample_at(int index)`."""
        kind = "fixed" if self.bits else self.name
        return f'#define SAMPLES_BINDING {SAMPLES_BINDING}\n#include "ofdm/{kind}_samples.glsl"\n'

    def step(self, power: float) -> float:
        """What lies between an integer and the next, for samples of a mean power."""
        return _best_range(self.bits) * math.sqrt(power / 2) / (1 << (self.bits - 1))

    def noise(self, power: float) -> float:
        """The power of what rounding changes, for samples of a mean power with a normal distribution."""
        return _rounding(self.bits, _best_range(self.bits)) * power if self.bits else 0.0


@cache
def _best_range(bits: int) -> float:
    """The largest number worth saying, in standard deviations of one part: more would round coarser, less cut more."""
    return min((each / 50 for each in range(25, 300)), key=lambda largest: _rounding(bits, largest))


@cache
def _rounding(bits: int, largest: float) -> float:
    """The mean square of what rounding changes of normal numbers of unit variance, by numerical integration."""
    step = largest / (1 << (bits - 1))
    x = np.linspace(-8, 8, 16001)
    weights = np.exp(-(x**2) / 2)
    rounded = np.clip((np.floor(x / step) + 0.5) * step, step / 2 - largest, largest - step / 2)
    return float(((x - rounded) ** 2 * weights).sum() / weights.sum())
