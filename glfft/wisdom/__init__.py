"""Wisdom: which kernel was fastest where, by measurement. Shipped for an NVIDIA H200.

An entry says: on renderers whose name holds `renderer`, lines of `length` along `axis` in storage of so many
`components`, `points` in all of the picture's layers, `kernel` took `microseconds`. A request takes the entry nearest
to it in the number of points, which decides between many small work groups and few busy ones; one measured for other
components serves where there is none.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from glfft.algorithms.stockham import Kernel
from glfft.passes import AxisRequest

FORMAT_VERSION = 1


@dataclass(frozen=True)
class Entry:
    """One measurement.

    Attributes:
        renderer: part of the renderer's name, compared without case.
        length: points of a line.
        axis: 1 rows, 0 columns.
        components: channels of a texel.
        points: points of the whole picture, all layers together.
        kernel: the fastest found.
        microseconds: a pass of it took, GPU time or, on software renderers, wall time.
    """

    renderer: str
    length: int
    axis: int
    components: int
    points: int
    kernel: Kernel
    microseconds: float

    def speaks_of(self, request: AxisRequest) -> bool:
        """Whether it was measured on such a device, for such lines."""
        return (
            self.renderer.lower() in request.renderer.lower()
            and (self.length, self.axis) == (request.length, request.measured_axis)
            and self.kernel.fits(request.limits, request.storage.value_bytes)
        )


def parse(text: str) -> tuple[Entry, ...]:
    """Entries from JSON.

    Raises:
        ValueError: it is not wisdom of this version.
    """
    try:
        content = json.loads(text)
        if content["version"] != FORMAT_VERSION:
            raise ValueError(f"it has version {content['version']} and this glfft reads {FORMAT_VERSION}")
        return tuple(_entry(each) for each in content["entries"])
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"it is not wisdom: {error!r}") from error


def _entry(each: dict[str, Any]) -> Entry:
    kernel = dict(each["kernel"])
    kernel["radices"] = tuple(kernel["radices"])
    return Entry(**{**each, "kernel": Kernel(**kernel)})


@cache
def shipped() -> tuple[Entry, ...]:
    """What comes with glfft."""
    folder = resources.files("glfft.wisdom")
    texts = [file.read_text(encoding="utf-8") for file in folder.iterdir() if file.name.endswith(".json")]
    return tuple(entry for text in texts for entry in parse(text))


def best(request: AxisRequest) -> tuple[Kernel, str] | None:
    """The kernel measured nearest to a request, and why, or None where nothing like it was measured."""
    points = request.shape[0] * request.shape[1] * (request.layers or 1)
    entries = [entry for entry in shipped() if entry.speaks_of(request)]
    if not entries:
        return None

    def distance(entry: Entry) -> tuple[bool, float]:
        return entry.components != request.storage.components, abs(math.log2(entry.points / points))

    nearest = min(entries, key=distance)
    return nearest.kernel, f"measured: {nearest.microseconds:.4g} us on {nearest.renderer} with {nearest.points} points"
