"""Filter banks by the textbook, in float64 with scipy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import signal

from glfft.channelizer.filters import FilterBank
from glfft.channelizer.recordings import SampleFormat


def channels_of(bank: FilterBank, samples: npt.NDArray[Any]) -> npt.NDArray[np.complex128]:
    """Each channel by the textbook: mixed down, filtered, every D-th sample kept; of staggered banks parts of these."""
    n = np.arange(len(samples))
    mixed = [samples * np.exp(-2j * np.pi * k * n / bank.channels) for k in range(bank.channels)]
    found = np.array([signal.lfilter(bank.prototype, 1.0, each)[:: bank.hop] for each in mixed])
    if not bank.staggered:
        return found
    turned = found[:, : found.shape[1] // 2 * 2] * _turns(bank)
    real, imaginary = np.real(turned), np.imag(turned)
    of_even_channels = np.arange(bank.channels)[:, None] % 2 == 0
    return np.where(of_even_channels, real[:, ::2] + 1j * imaginary[:, 1::2], real[:, 1::2] + 1j * imaginary[:, ::2])


def samples_of(bank: FilterBank, channels: npt.NDArray[Any]) -> npt.NDArray[np.complex128]:
    """Each channel by the textbook: zeros put between, filtered, mixed up; and their sum."""
    total = np.zeros(channels.shape[1] * bank.decimation, np.complex128)
    n = np.arange(len(total))
    if bank.staggered:
        parts = np.empty((bank.channels, 2 * channels.shape[1]), np.complex128)
        real, imaginary = np.real(channels), np.imag(channels)
        parts[::2, ::2], parts[::2, 1::2] = real[::2], 1j * imaginary[::2]
        parts[1::2, 1::2], parts[1::2, ::2] = real[1::2], 1j * imaginary[1::2]
        channels = parts * _turns(bank).conj()
    for k, channel in enumerate(channels):
        sparse = np.zeros(len(total), np.complex128)
        sparse[:: bank.hop] = channel
        total += signal.lfilter(bank.synthesis, 1.0, sparse) * np.exp(2j * np.pi * k * n / bank.channels)
    return total


def _turns(bank: FilterBank) -> npt.NDArray[np.complex128]:
    """By which the channels of a staggered bank are turned: [channels, 1]."""
    return np.exp(-1j * np.pi * np.arange(bank.channels) * (len(bank.prototype) - 1) / bank.channels)[:, None]


def as_format(samples: npt.NDArray[np.complexfloating], kind: SampleFormat) -> npt.NDArray[Any]:
    """Complex numbers as samples of a format; whole numbers are rounded, and clipped where they are too large."""
    if kind.dtype.kind == "c":
        return samples.astype(kind.dtype)
    limits = np.iinfo(kind.dtype)
    half = 2.0 ** (8 * kind.dtype.itemsize - 1)
    numbers = np.ascontiguousarray(samples, np.complex128).view(np.float64).reshape(-1, 2) * half + kind.zero
    return np.clip(np.rint(numbers), limits.min, limits.max).astype(kind.dtype)


def as_complex(kind: SampleFormat, numbers: npt.NDArray[Any]) -> npt.NDArray[np.complex64]:
    """What the samples of a format stand for: complex64 [samples]."""
    return kind.to_complex(numbers)
