"""What the single-pass algorithms share: a line lives in one work group, so the device's limits bound its length."""

from __future__ import annotations

from glfft.algorithms.passes import AxisRequest
from glfft.algorithms.storage import Storage
from glfft.gl.device import Limits


def max_length(limits: Limits, storage: Storage) -> int:
    """The longest power of two whose points fit the shared memory of a work group, and a texture."""
    fits = min(limits.shared_memory // storage.value_bytes, limits.texture_size)
    return 1 << (fits.bit_length() - 1)


def limit(request: AxisRequest) -> str:
    """Why a line does not fit, to complete "it would need"."""
    need = request.length * request.storage.value_bytes
    return f"{need} bytes of shared memory, and the device has {request.limits.shared_memory}"


def threads(request: AxisRequest, points: int) -> int:
    """Invocations a line, a power of two: one for every `points` points, or as many as the device allows."""
    # Some devices allow 1536 or 896: the line must still split evenly.
    most = min(request.limits.invocations, request.limits.group_size[0])
    return min(request.length // points, 1 << (most.bit_length() - 1))
