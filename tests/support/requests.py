"""Requests for lines on the least device that OpenGL 4.3 allows: no driver is asked."""

from __future__ import annotations

from typing import Any

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.storage import STORAGES
from glfft.gl.device import Device, Limits

LEAST_DEVICE = Device(Limits(16384, 32768, 1024, (1024, 1024, 64), (65535, 65535, 65535), 8, 16))


def axis_request(shape: tuple[int, int], axis: int = 1, **changes: Any) -> AxisRequest:
    """The forward transform of all lines along an axis; `changes` are other fields of the request."""
    fields = {
        "direction": -1,
        "scale": 1.0,
        "computed_twiddles": False,
        "layers": None,
        "storage": STORAGES["rg32f"],
        "device": LEAST_DEVICE,
    }
    return AxisRequest(shape, axis, **{**fields, **changes})


def spec_of(shape: tuple[int, int] = (4, 8), axis: int = 1, *, request: Any = None, **fields: Any) -> PassSpec:
    """A pass that copies."""
    defines = (("THREADS", 8), ("BACKWARDS", False))
    return PassSpec("fft/copy.comp", request or axis_request(shape, axis), defines, (1, 1, 1), 8, **fields)
