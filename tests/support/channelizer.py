"""Filter banks by the textbook, in float64 with scipy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import signal

from glfft.channelizer.filters import FilterBank


def channels_of(bank: FilterBank, samples: npt.NDArray[Any]) -> npt.NDArray[np.complex128]:
    """Each channel by the textbook: mixed down, filtered, every D-th sample kept."""
    n = np.arange(len(samples))
    mixed = [samples * np.exp(-2j * np.pi * k * n / bank.channels) for k in range(bank.channels)]
    return np.array([signal.lfilter(bank.prototype, 1.0, each)[:: bank.decimation] for each in mixed])


def samples_of(bank: FilterBank, channels: npt.NDArray[Any]) -> npt.NDArray[np.complex128]:
    """Each channel by the textbook: zeros put between, filtered, mixed up; and their sum."""
    total = np.zeros(channels.shape[1] * bank.decimation, np.complex128)
    n = np.arange(len(total))
    for k, channel in enumerate(channels):
        sparse = np.zeros(len(total), np.complex128)
        sparse[:: bank.decimation] = channel
        total += signal.lfilter(bank.synthesis, 1.0, sparse) * np.exp(2j * np.pi * k * n / bank.channels)
    return total
