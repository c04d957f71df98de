"""The sender: bits to points of 16-QAM, points to symbols, symbols to samples, in numpy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from glfft.apps.ofdm.link.numbers import (
    BITS,
    BITS_A_POINT,
    DATA,
    GUARD,
    PILOT_SPACING,
    SUBCARRIERS,
    USED,
    WORDS,
    data_places,
    pilot_places,
    pilot_signs,
    used_subcarriers,
)

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
