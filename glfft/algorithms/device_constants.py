"""What a device can do at once and how long things take on it, as data: what kernels' times are predicted from."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any


@dataclass(frozen=True)
class DeviceConstants:
    """The constants of a device: what its maker says, and times that were measured on it, by default on an NVIDIA H200.
    A unit runs work groups: NVIDIA's multiprocessors, AMD's compute units, Intel's Xe cores. A warp is 32 threads.
    """

    # What its maker says.
    units: int = 132
    megahertz: float = 1755.0
    unit_threads: int = 2048  # a unit holds at once
    unit_registers: int = 65536  # of 4 bytes, of a unit
    # Of all work groups that a unit holds. Under OpenGL, NVIDIA's (580.159.04) has no more than one group may have.
    unit_shared_bytes: int = 49152
    # Measured.
    launch_us: float = 2.61  # a dispatch and its barrier
    gigabytes_per_second: float = 4030.0  # read and written
    latency_us: float = 0.25  # from a work group's start to its end, apart from what it computes
    barrier_us: float = 0.03  # for the threads of a work group to meet
    # Clocks.
    instruction: float = 0.74  # of a thread, for each of a butterfly
    dependence: float = 1.1  # until the next instruction can use a result
    shared_access: float = 0.21  # of a warp to one row of banks
    twiddle: float = 1.85  # read by a warp from a buffer
    sampled_twiddle: float = 2.99  # the same from a texture
    texel: float = 1.94  # a warp's loads and stores, of 32 bytes a row of its threads
    alone: float = 1.64  # how many times as long as a busy unit one with a single work group takes for its work

    def scaled(self, factors: Mapping[str, float]) -> "DeviceConstants":
        return replace(self, **{name: getattr(self, name) * factor for name, factor in factors.items()})

    @classmethod
    def from_fields(cls, values: Mapping[str, Any]) -> "DeviceConstants":
        """The constants that JSON has. Raises ValueError where a value is none."""
        sound = all(type(value) in (int, float) and 0 < value < math.inf for value in values.values())
        if not set(values) <= {each.name for each in fields(cls)} or not sound:
            raise ValueError("no device has such constants")
        return cls(**values)


_FROM_ITS_MAKER = {"units", "megahertz", "unit_threads", "unit_registers", "unit_shared_bytes"}
MEASURED = tuple(each.name for each in fields(DeviceConstants) if each.name not in _FROM_ITS_MAKER)
