"""How close a transform must come to numpy's in float64: the one table, and where its numbers come from.

What the benchmark checks against too stands in `glfft.apps.signal_to_noise`.

A closeness is a signal-to-noise ratio in dB, SNR = -20 log10(|result - exact| / |exact|), norms over all elements.

Rounding to float32 is off by at most u = 2^-24 of a number. A radix-2 stage adds an independent error of a good half
u (a product, an addition and a twiddle factor, each rounded once), and independent errors add as squares, so that

    |result - exact| / |exact| = K u sqrt(log2 N), N the points of the transform over all its axes.

K is 0.6 to 0.65 for factors rounded once from float64: 1024 x 1024 points, log2 N = 20, come to 1.7e-7, or 135 dB.
The floor leaves almost a factor of two for other devices' ways to fuse or split products, and none for a wrong
algorithm: one element lost in a thousand gives 30 dB.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from glfft.algorithms.storage import FLOAT16, Storage
from glfft.apps.signal_to_noise import EXPECTED_DB, EXPECTED_DOUBLE_DB, snr_db, stores_db
from glfft.apps.signal_to_noise import U as U

# K u sqrt(20) with K = 1.19: up to 2^20 points, factors from the table.
TABLE_DB = EXPECTED_DB

# The same for float64, where numpy's is off by as much: against it, one of Bluestein's transforms comes to 305 dB.
DOUBLE_DB = EXPECTED_DOUBLE_DB

# Bluestein's transform is two transforms of twice as many points and three products, and its tables are rounded once
# more: about 4 dB less, and as much again for two axes.
BLUESTEIN_DB = 125.0

# GLSL 4.30 bounds the error of sine and cosine nowhere; a relative error of 3e-6 is what a drawing can still bear.
COMPUTED_DB = 110.0

# Two float32 results compared with each other, each out of up to three transforms and a few products more:
# 130 dB less 20 log10(3).
COMPOSED_DB = 120.0

# K grows from 0.53 to 0.65 between 16 points and 2^12, since the first factors are exact; an error in log N would grow
# by 1.7 over its root, one in N by 150.
GROWTH_DRIFT = 1.4


# In a normal distribution one correct result in 16,000 lies further from what is expected.
STANDARD_DEVIATIONS = 4.0


def error_rate_margin(expected: float, bits: int) -> float:
    """How far the share of wrong bits may be from the expected one: errors of bits are independent of each other."""
    return STANDARD_DEVIATIONS * (expected * (1 - expected) / bits) ** 0.5


# Pictures, as distances in CIELAB between squares of 2 x 2 pixels: a distance of 2.3 is just seen. The mean may be a
# fifth of that; glitter may move by a pixel when processors round differently, so a square in a hundred may be far off.
PICTURE_MEAN = 0.5
PICTURE_FAR = 5.0
PICTURE_SHARE_FAR = 0.01

# The same pictures from other devices, as levels of 255: filters, and samples along an edge, are each one's own. Of 100
# pixels one may be another, where glitter or an edge falls into the next.
OTHER_DEVICE_LEVELS = 3.0
OTHER_DEVICE_FAR = 30.0
OTHER_DEVICE_SHARE_FAR = 0.01

# Light that should come out as it went in: half floats hold 11 bits, 0.05 %; the rest is for averages over pixels.
LIGHT = 0.01

# Kernels of glare: texture filters place samples to 8 bits between bins, half a step of 2^-8 at most, and a bin may
# have a good half more light than the next: 20 log10(2^9) less the few dB of several at once.
GLARE_DB = 50.0

# The same against Airy's rings: linear interpolation between bins cuts the tops of rings, and colours that displays
# lack are made paler. With eight bins a cycle 33 dB are seen; two left 16.
AIRY_DB = 28.0

# The mean second difference along rows on the backs of waves: filters are not exact, and teeth were 1.4 to 2.0.
MOST_ROUGHNESS = 1.1

# What of it is where the picture is less rough all around: at most 0.025 is seen, and 0.06 where places behind an edge
# were taken for parts of a level sea.
MOST_TEETH = 0.04

# The same at a foamy crest's edge, which has threads of foam beside it: 0.0021 is seen, and 0.0031 where foam is read
# once, so sharply that there are dots.
MOST_TEETH_OF_CREST = 0.0025

# The mean second difference along the rows of that edge at low quality, which reads the foam once, of what is shown
# from 0 to 1: 0.0028 is seen, and 0.0045 with dots along it.
MOST_ROUGHNESS_OF_CREST = 0.0036

# Dark dots in a thousand pixels of a moderate sea, from the horizon to a tenth of the picture below it: 0.1 to 0.5 are
# seen, and none in the mean of sixteen times as many pixels. There were 1.2 to 1.4 when the size of what a pixel covers
# was taken from its neighbours.
DOTS_PER_THOUSAND = 0.9


def half_db(stores: int) -> float:
    """The least signal-to-noise ratio after so many stores in half precision."""
    return stores_db(stores, FLOAT16)


def floor_of(storage: Storage, stores: int, single_db: float = TABLE_DB) -> float:
    """The least signal-to-noise ratio of results in a storage.

    Args:
        storage: what holds them.
        stores: how often they were rounded to it.
        single_db: the floor in single precision.
    """
    if storage.number.coarse and stores:
        return stores_db(stores, storage.number)
    return DOUBLE_DB if storage.double else single_db


def relative_error(result: npt.ArrayLike, exact: npt.ArrayLike) -> float:
    """|result - exact| / |exact|."""
    return 10.0 ** (-snr_db(result, exact) / 20.0)


def assert_close(result: npt.NDArray[np.inexact], exact: npt.ArrayLike, floor_db: float = TABLE_DB) -> None:
    """Fail unless the result has the exact one's shape and comes as close as the floor says."""
    exact = np.asarray(exact)
    assert result.shape == exact.shape
    snr = snr_db(result, exact)
    # NaN in the result is minus infinity here.
    assert snr >= floor_db, f"{snr:.1f} dB, and at least {floor_db:g} dB are asked for"
