"""The accuracy of a transform: its signal-to-noise ratio in dB against numpy, on random input."""

import math

import moderngl
import numpy as np
import numpy.typing as npt

from glfft import fft2, ifft2
from glfft.algorithms.storage import Number, Storage

U = 2.0**-24  # half the distance from 1 to the next float32: the relative error of one rounding

# What every algorithm reaches up to 1024 x 1024 with table twiddles. float32 rounds to 2^-24, or 144 dB, once; the
# rounding of log2 N butterfly stages adds up like a random walk, as sqrt(log N).
EXPECTED_DB = 130.0
_EXPECTED_STAGES = 20

# What factors that a shader computes may cost beside a table's: GLSL bounds the error of sine and cosine nowhere.
COMPUTED_LOSS_DB = 30.0

# The same in float64, which rounds once to 2^-53, or 319 dB, with room for Bluestein's transform and the references.
EXPECTED_DOUBLE_DB = 290.0

# A store to half precision rounds to 11 bits. That changes a number between 1 and 2 by up to 2^-11, in the root mean
# square by 2^-11 / sqrt(3); the larger the mantissa, the smaller the relative error. Errors of several stores add up as
# squares. The floor is 3 dB lower, since with few numbers most may have small mantissas.
_MARGIN = math.sqrt(2.0)


def stores_db(stores: int, number: Number) -> float:
    """The least signal-to-noise ratio after so many stores of numbers, in dB."""
    return -20.0 * math.log10(math.sqrt(stores / 3.0) * 2.0**-number.bits * _MARGIN)


def floor_db(points: int, storage: Storage, stores: int) -> float:
    """The least signal-to-noise ratio, in dB, of a right transform of so many points, in `stores` dispatches."""
    if storage.number.coarse:
        return stores_db(stores, storage.number)
    stages = math.log2(max(2, points))
    expected = EXPECTED_DOUBLE_DB if storage.double else EXPECTED_DB
    return expected - 10.0 * math.log10(max(1.0, stages / _EXPECTED_STAGES))


def random_complex(shape: tuple[int, ...], seed: int = 0, double: bool = False) -> npt.NDArray[np.complexfloating]:
    """Normally distributed numbers, complex64 or complex128, the same for the same seed."""
    parts = np.random.default_rng(seed).standard_normal((*shape, 2), np.float64 if double else np.float32)
    return parts.view(np.complex128 if double else np.complex64)[..., 0]


def snr_db(result: npt.ArrayLike, exact: npt.ArrayLike) -> float:
    """Signal-to-noise ratio 20 log10(|exact| / |result - exact|) in dB, norms over all elements, in float64. Infinity
    if both are equal; minus infinity if the result holds NaN or infinity, or should be zero and is not.
    """
    right = np.asarray(exact, np.complex128)
    noise = np.linalg.norm(np.asarray(result, np.complex128) - right)
    signal = np.linalg.norm(right)
    if not np.isfinite(noise):
        return -math.inf
    if noise == 0.0:
        return math.inf
    return float(20.0 * np.log10(signal / noise)) if signal > 0.0 else -math.inf


def self_check(ctx: moderngl.Context, algorithm: str) -> float:
    """The worse of an algorithm's forward and inverse transforms against float64 numpy, in dB; takes milliseconds."""
    data = random_complex((64, 128))
    exact = data.astype(np.complex128)
    transforms = (fft2, np.fft.fft2), (ifft2, np.fft.ifft2)
    return min(snr_db(ours(data, ctx=ctx, algorithm=algorithm), numpys(exact)) for ours, numpys in transforms)
