"""The numbers of WirelessHD's high-rate symbols (Hinitt and Kocak, table 1), and which subcarrier carries what.

A symbol has 512 subcarriers, of which 352 are used: numbers -177 to -2 and 2 to 177 from the carrier's frequency. Three
in the middle and 157 at the edges are empty. In every symbol 16 of those used are pilots, 22 apart, and 336 carry data.
The paper does not say where the pilots lie. Here they move by three places from symbol to symbol, so that in 22 symbols
each subcarrier is a pilot once.
"""

from __future__ import annotations

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
