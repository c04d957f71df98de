"""Where each pass of a transform writes: the caller's target, or scratch between passes.

The fewer different textures a transform goes through, the more of them stays in the GPU's caches. Most passes store
where they loaded, so once data is in the caller's target they work there in place; scratch is for those that do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from glfft.algorithms.passes import PassSpec


@dataclass(frozen=True)
class Slot:
    """A scratch carrier: two of a shape are enough, one to read and one to write.

    Attributes:
        shape: rows, columns of a layer.
        index: 0 or 1.
    """

    shape: tuple[int, int]
    index: int


@dataclass(frozen=True)
class Route:
    """Where passes write.

    Attributes:
        targets: of each pass in order, a slot, or None for the caller's target; the last is always None.
    """

    targets: tuple[Slot | None, ...]

    @property
    def rereads_target(self) -> bool:
        """Whether a pass reads from the caller's target what the one before has written."""
        return self.targets.count(None) > 1

    @property
    def overwrites_source(self) -> bool:
        """Whether the first of several passes writes the caller's target, which may be the source."""
        return self.rereads_target and self.targets[0] is None


def through_target(specs: Sequence[PassSpec]) -> Route:
    """The route that reaches the caller's target as early as it can."""
    last = specs[-1]
    settled = len(specs) - 1
    while settled > 0 and last.writes != "real" and specs[settled].keeps_places and _same(specs[settled - 1], last):
        settled -= 1
    return Route((*_slots(specs[:settled]), *([None] * (len(specs) - settled))))


def through_scratch(specs: Sequence[PassSpec]) -> Route:
    """The route that touches the caller's target last."""
    return Route((*_slots(specs[:-1]), None))


def _same(spec: PassSpec, last: PassSpec) -> bool:
    return spec.target_shape == last.target_shape


def _slots(specs: Sequence[PassSpec]) -> list[Slot]:
    slots: list[Slot] = []
    for spec in specs:
        source = slots[-1] if slots else None
        if source is not None and source.shape == spec.target_shape and spec.keeps_places:
            slots.append(source)
        else:
            first = Slot(spec.target_shape, 0)
            slots.append(first if first != source else Slot(spec.target_shape, 1))
    return slots
