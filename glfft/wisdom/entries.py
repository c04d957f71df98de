"""Measured kernels as data, and as JSON: {"version": 1, "entries": [{...}, ...]}."""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import Any

from glfft.algorithms.passes import AxisRequest
from glfft.algorithms.stockham.kernel import EXCHANGES, RADICES, Kernel

FORMAT_VERSION = 1

_SIMPLE_TYPES: dict[str, tuple[type, ...]] = {"int": (int,), "bool": (bool,), "str": (str,), "float": (int, float)}
_ANY = (tuple, Kernel)

# JSON has whole numbers beyond what a float holds.
_LARGEST = sys.float_info.max
# And beyond what GLSL's int holds.
_MOST_PADDING = 1 << 31

# Which lines on which device an entry is about: one entry is kept for each.
Key = tuple[str, str, int, int, int, str, int]


@dataclass(frozen=True)
class Entry:
    """One measurement.

    Attributes:
        renderer: the device's name; with no driver, a part of it that speaks for many devices, compared without case.
        length: points of a line.
        axis: 1 rows, 0 columns.
        components: channels of a texel.
        points: points of the whole picture, all layers together.
        kernel: the fastest found.
        microseconds: a pass of it took, GPU time or, on software renderers, wall time.
        driver: the driver and its version, or "" for any.
        storage: what a texel is, a name of glfft.algorithms.storage, or "" for any with so many components.
    """

    renderer: str
    length: int
    axis: int
    components: int
    points: int
    kernel: Kernel
    microseconds: float
    driver: str = ""
    storage: str = ""

    @classmethod
    def of(cls, request: AxisRequest, kernel: Kernel, microseconds: float) -> Entry:
        """What a measurement for a request says."""
        return cls(
            request.renderer,
            request.length,
            request.measured_axis,
            request.storage.components,
            request.points,
            kernel,
            float(f"{microseconds:.4g}"),
            request.driver,
            request.storage.name,
        )

    @property
    def key(self) -> Key:
        """What it is about."""
        return (self.renderer, self.driver, self.length, self.axis, self.components, self.storage, self.points)

    def speaks_of(self, request: AxisRequest) -> bool:
        """Whether it was measured on such a device, for such lines."""
        return (
            self._same_device(request)
            and (self.length, self.axis) == (request.length, request.measured_axis)
            and self.kernel.fits(request.limits, request.storage.value_bytes)
        )

    def distance(self, request: AxisRequest) -> tuple[int, float]:
        """How far it is from a request it speaks of: unlike storage, then the ratio of the points, logarithmically."""
        storage = request.storage
        same_name = self.storage in ("", storage.name)
        unlike = 2 if self.components != storage.components else int(not same_name)
        return unlike, abs(math.log2(self.points / request.points))

    def _same_device(self, request: AxisRequest) -> bool:
        if self.driver:
            return (self.renderer, self.driver) == (request.renderer, request.driver)
        return self.renderer.lower() in request.renderer.lower()


def parse(text: str) -> tuple[Entry, ...]:
    """Entries from JSON; those that make no sense are left out.

    Raises:
        ValueError: it is not wisdom of this version.
    """
    return parse_and_count(text)[0]


def parse_and_count(text: str) -> tuple[tuple[Entry, ...], dict[str, int]]:
    """The same, and how many were left out for each reason.

    Raises:
        ValueError: it is not wisdom of this version.
    """
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"it is not JSON ({error})") from error
    if not isinstance(content, dict) or "version" not in content or not isinstance(content.get("entries"), list):
        raise ValueError("it is not wisdom")
    if content["version"] != FORMAT_VERSION:
        raise ValueError(f"it has version {content['version']!r} and this glfft reads {FORMAT_VERSION}")
    entries: list[Entry] = []
    left_out: Counter[str] = Counter()
    for each in content["entries"]:
        try:
            entries.append(_entry(each))
        except ValueError as reason:
            left_out[str(reason)] += 1
    return tuple(entries), left_out


def to_json(entries: Iterable[Entry]) -> str:
    """The text `parse` reads, one entry a line, in an order that does not depend on how they were come by."""
    lines = [json.dumps(asdict(entry)) for entry in sorted(entries, key=lambda entry: entry.key)]
    return f'{{"version": {FORMAT_VERSION}, "entries": [\n  ' + ",\n  ".join(lines) + "\n]}\n"


def _entry(content: Any) -> Entry:
    """An entry; ValueError says why there is none."""
    try:
        cut = content["kernel"]
        entry = Entry(**{**content, "kernel": Kernel(**{**cut, "radices": tuple(cut["radices"])})})
    except (KeyError, TypeError) as error:
        raise ValueError("fields are missing, or unknown to this glfft") from error
    if not _sound(entry):
        raise ValueError("no kernel has such values")
    return entry


def _sound(entry: Entry) -> bool:
    kernel = entry.kernel
    return (
        _typed(entry)
        and _typed(kernel)
        and 0 < entry.microseconds < _LARGEST
        and 0 < entry.points < _LARGEST
        and all(type(radix) is int and radix in RADICES for radix in kernel.radices)
        and kernel.length == entry.length
        and kernel.points > 0
        and kernel.lines > 0
        and kernel.exchange in EXCHANGES
        and 0 <= kernel.padding < _MOST_PADDING
        # A free slot is found by a shift.
        and kernel.padding & (kernel.padding - 1) == 0
    )


def _typed(item: Entry | Kernel) -> bool:
    """Whether fields of simple types hold what their annotations, which are text here, say."""
    return all(type(getattr(item, field.name)) in _SIMPLE_TYPES.get(str(field.type), _ANY) for field in fields(item))
