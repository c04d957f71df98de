"""Where each pass of a transform writes: the caller's target, or scratch between passes.

The fewer different textures a transform goes through, the more of them stays in the GPU's caches. Most passes store
where they loaded, so once data is in the caller's target they work there in place; scratch is for those that do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from glfft.algorithms.line_layout import Points
from glfft.algorithms.passes import PassSpec


@dataclass(frozen=True)
class ScratchImage:
    """A scratch image, a texture or buffer: two of a shape are enough, one to read and one to write.

    Attributes:
        shape: of a layer.
        index: 0 or 1.
    """

    shape: tuple[int, ...]
    index: int


@dataclass(frozen=True)
class PassTargets:
    """Where passes write.

    Attributes:
        targets: of each pass in order, a scratch image, or None for the caller's target; the last is always None.
    """

    targets: tuple[ScratchImage | None, ...]

    @property
    def rereads_target(self) -> bool:
        """Whether a pass reads from the caller's target what the one before has written."""
        return self.targets.count(None) > 1

    @property
    def overwrites_source(self) -> bool:
        """Whether the first of several passes writes the caller's target, which may be the source."""
        return self.rereads_target and self.targets[0] is None


def in_target(specs: Sequence[PassSpec]) -> PassTargets:
    """The targets that reach the caller's target as early as it can."""
    last = specs[-1]
    settled = len(specs) - 1
    while (
        settled > 0
        and last.writes is not Points.REAL
        and specs[settled].keeps_places
        and _same(specs[settled - 1], last)
    ):
        settled -= 1
    return PassTargets((*_scratch_images(specs[:settled]), *([None] * (len(specs) - settled))))


def in_scratch(specs: Sequence[PassSpec]) -> PassTargets:
    """The targets that touch the caller's target last."""
    return PassTargets((*_scratch_images(specs[:-1]), None))


def _same(spec: PassSpec, last: PassSpec) -> bool:
    return spec.target_lines.shape == last.target_lines.shape


def _scratch_images(specs: Sequence[PassSpec]) -> list[ScratchImage]:
    images: list[ScratchImage] = []
    for spec in specs:
        source = images[-1] if images else None
        if source is not None and source.shape == spec.target_lines.shape and spec.keeps_places:
            images.append(source)
        else:
            first = ScratchImage(spec.target_lines.shape, 0)
            images.append(first if first != source else ScratchImage(spec.target_lines.shape, 1))
    return images
