"""Wisdom: which kernel was fastest where, by measurement.

Some is shipped (an NVIDIA H200's and llvmpipe's), the rest was measured on this machine by tuning and is kept in a file
of the user's.
A request takes, of the entries about such lines on such a device, the one nearest to it in storage and in the number of
points, which decides between many small work groups and few busy ones.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

from glfft.algorithms.passes import AxisRequest
from glfft.algorithms.stockham.kernel import Kernel
from glfft.wisdom import store
from glfft.wisdom.entries import Entry, parse


@cache
def shipped() -> tuple[Entry, ...]:
    """What comes with glfft."""
    folder = resources.files("glfft.wisdom")
    texts = [file.read_text(encoding="utf-8") for file in folder.iterdir() if file.name.endswith(".json")]
    return tuple(entry for text in texts for entry in parse(text))


def best(request: AxisRequest) -> tuple[Kernel, str] | None:
    """The kernel measured nearest to a request, and why, or None where nothing like it was measured."""
    found = known(request)
    if not found:
        return None
    nearest = found[0]
    storage = f" of {nearest.storage}" if nearest.storage else ""
    took = f"{nearest.microseconds:.4g} us a pass of {nearest.points} points{storage}"
    why = f"tuned on this device: {took}" if nearest.driver else f"shipped wisdom: {took} on {nearest.renderer}"
    if nearest.distance(request) > (0, 0.0):
        why += f", the nearest measured to {request.points} points of {request.storage.name}"
    return nearest.kernel, why


def known(request: AxisRequest) -> list[Entry]:
    """The entries about such lines on such a device, nearest first; of two as near, the one measured here first."""
    found = [entry for entry in (*store.entries(), *shipped()) if entry.speaks_of(request)]
    return sorted(found, key=lambda entry: entry.distance(request))
