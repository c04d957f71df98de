"""WirelessHD's high-rate symbols (Hinitt and Kocak, table 1): their numbers, which subcarrier carries what, and the
sender in numpy: bits to points of 16-QAM, points to symbols, symbols to samples.

A symbol has 512 subcarriers, of which 352 are used: numbers -177 to -2 and 2 to 177 from the carrier's frequency. Three
in the middle and 157 at the edges are empty. In every symbol 16 of those used are pilots, 22 apart, and 336 carry data.
The paper does not say where the pilots lie. Here they move by three places from symbol to symbol, so that in 22 symbols
each subcarrier is a pilot once.
"""

import numpy as np
import numpy.typing as npt

SUBCARRIERS = 512
GUARD = 64
SYMBOL = GUARD + SUBCARRIERS
USED = 352
PILOTS = 16
DATA = USED - PILOTS

# From pilot to pilot, and how far they move from symbol to symbol.
PILOT_SPACING = USED // PILOTS
PILOT_STEP = 3

BITS_A_POINT = 4
BITS = DATA * BITS_A_POINT
WORDS = BITS // 32

# What the standard asks for, and how long a symbol lasts at that rate.
SAMPLES_A_SECOND = 2.538e9
SECONDS_A_SYMBOL = SYMBOL / SAMPLES_A_SECOND


def used_subcarriers() -> npt.NDArray[np.int64]:
    """The places in FFT order of the used subcarriers, from the lowest frequency to the highest: [352]."""
    half = USED // 2
    numbers = np.concatenate([np.arange(-half - 1, -1), np.arange(2, half + 2)])
    return numbers % SUBCARRIERS


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


# Two bits to a level, so that neighbours differ in one bit (Gray): 00, 01, 11, 10 from the lowest to the highest. The
# mean energy of a point is 1.
_LEVELS = np.array([-3, -1, 3, 1], np.float32) / np.float32(np.sqrt(10))


def random_words(random: np.random.Generator, symbols: int) -> npt.NDArray[np.uint32]:
    """The data of some symbols: [symbols, 42] words of 32 bits."""
    return random.integers(0, 1 << 32, (symbols, WORDS), np.uint32)


def points_of(words: npt.NDArray[np.uint32]) -> npt.NDArray[np.complex64]:
    """The points of data: [symbols, 336]. Four bits make a point, the lowest of a word first.

    The lower two bits are its real part and the upper two its imaginary part: in each, the higher bit is the sign and
    the lower one is set where the level is one of the inner two.
    """
    shifts = np.arange(0, 32, BITS_A_POINT, dtype=np.uint32)
    fours = (words[..., None] >> shifts & 15).reshape(len(words), DATA)
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


def bits_in(words: npt.NDArray[np.uint32]) -> int:
    """How many bits an array of words has."""
    return words.size // WORDS * BITS
