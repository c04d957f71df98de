"""Which kernel to take for a request: the one measured nearest to it, or a family's default where there is none.

Some measurements are shipped (an NVIDIA H200's and llvmpipe's), the rest was made on this machine by tuning and is kept
in a file of the user's. A request takes, of the entries about such lines on such a device, the one nearest to it in
storage and in the number of points, which decides between many small work groups and few busy ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from glfft.algorithms import registry
from glfft.algorithms.family import Config, Family
from glfft.algorithms.passes import AxisRequest, Choice, PassSpec
from glfft.wisdom import store
from glfft.wisdom.entries import Entry, read

_NOT_MEASURED = "reasoned from the limits, as nothing was measured of such lines on this device"


@dataclass(frozen=True)
class Chosen:
    """A kernel chosen for lines, or for parts of them."""

    request: AxisRequest  # what it is to do
    family: Family  # its algorithm
    config: Config  # the kernel, None where the family has only one
    why: str  # why this one, in a few words

    def passes(self) -> list[PassSpec]:
        """The dispatches that do it."""
        specs = self.family.passes(self.request, self.config)
        if not self.family.tunable:
            return specs
        choice = Choice(self.family.name, self.config, self.why)
        return [replace(spec, choice=choice) for spec in specs]


@cache
def shipped() -> tuple[Entry, ...]:
    """What comes with glfft."""
    folder = resources.files("glfft.wisdom")
    texts = [file.read_text(encoding="utf-8") for file in folder.iterdir() if file.name.endswith(".json")]
    return tuple(entry for text in texts for entry in read(text).entries)


@cache
def _shipped_by_lines() -> dict[tuple[int, int], list[Entry]]:
    """The same by length and axis: every plan asks for a few of them."""
    found: dict[tuple[int, int], list[Entry]] = {}
    for entry in shipped():
        found.setdefault((entry.length, entry.axis), []).append(entry)
    return found


def passes(request: AxisRequest) -> list[PassSpec]:
    """The dispatches for one axis, with the kernels that are the best known now.

    Raises:
        LimitError: the algorithm cannot do lines of this length on this device.
    """
    return [spec for chosen in choose(request) for spec in chosen.passes()]


def choose(request: AxisRequest) -> list[Chosen]:
    """A kernel for each part of a request.

    Raises:
        LimitError: the algorithm cannot do lines of this length on this device.
    """
    families = registry.families_for(request)
    chosen = _best(request, families)
    if chosen is not None:
        return [chosen]
    parts = families[0].parts(request)
    if parts == [request]:
        return [_reasoned(request, families[0])]
    # What the caller's snippet computes is loaded by the first of them.
    parts = [parts[0], *(replace(part, loads_computed=False) for part in parts[1:])]
    owners = [registry.family_of(part.algorithm) for part in parts]
    return [_best(part, [owner]) or _reasoned(part, owner) for part, owner in zip(parts, owners, strict=True)]


def known(request: AxisRequest, families: Iterable[Family]) -> list[Entry]:
    """The entries about such lines on such a device, nearest first; of two as near, the one measured here first, then
    the one for computed loads where the request has them, and of two families the faster.
    """
    names = {family.name for family in families}
    own = [entry for entry in store.entries() if entry.family in names and entry.speaks_of(request)]
    about = _shipped_by_lines().get((request.length, request.measured_axis), ())
    others = [entry for entry in about if entry.family in names and entry.speaks_of(request)]
    ranked = [(*entry.distance(request), rank, entry) for rank, found in enumerate((own, others)) for entry in found]
    ranked.sort(key=lambda each: (*each[:3], not each[3].loads_computed, each[3].microseconds))
    return [entry for *_, entry in ranked]


def winners(request: AxisRequest, families: Iterable[Family]) -> list[Entry]:
    """What was fastest for lines of that length, nearest first: on such devices, then on any of the kind.

    Of the latter, those of textures for textures, and those of buffers for buffers.
    """
    families = list(families)
    names = {family.name for family in families}
    return known(request, families) + [
        entry
        for entry in shipped()
        if entry.family in names
        and (entry.length, entry.in_buffer, entry.loads_computed) == (request.length, request.storage.buffer, False)
        and entry.software == request.device.software
    ]


def _reasoned(request: AxisRequest, family: Family) -> Chosen:
    """The kernel of a family to take where nothing was measured."""
    return Chosen(request, family, family.default(request), _NOT_MEASURED)


def _best(request: AxisRequest, families: Iterable[Family]) -> Chosen | None:
    """The kernel measured nearest to a request, or None where nothing like it was measured."""
    found = known(request, families)
    if not found:
        return None
    nearest = found[0]
    storage = f" of {nearest.storage}" if nearest.storage else ""
    took = f"{nearest.microseconds:.4g} us a pass of {nearest.points} points{storage}"
    why = f"tuned on this device: {took}" if nearest.driver else f"shipped wisdom: {took} on {nearest.renderer}"
    if nearest.distance(request) > (0, 0.0):
        why += f", the nearest measured to {request.points} points of {request.storage.name}"
    return Chosen(request, registry.family_of(nearest.family), nearest.config, why)
