"""Where each pass of a transform writes: the caller's target, or scratch between passes.

The fewer different textures a transform goes through, the more of them stays in the GPU's caches. Most passes store
where they loaded, so once data is in the caller's target they work there in place; scratch is for those that do not.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from glfft.algorithms.line_layout import Points
from glfft.algorithms.pass_steps import keep_places, steps
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.storage import Storage


@dataclass(frozen=True)
class ScratchImage:
    """A scratch image, a texture or buffer: two of a shape are enough, one to read and one to write."""

    shape: tuple[int, ...]  # of a layer
    index: int  # 0 or 1
    # of a buffer for longer lines what a value in it is; None for an image like the plan's
    padded: Storage | None = None
    real: bool = False  # of real numbers, instead of complex ones
    # of an image between stages of a pass what a texel is; index 0 is the first of the two, 1 the second
    ping_pong: Storage | None = None

    def held_as(self, layers: int | None, storage: Storage) -> tuple[int | None, Storage]:
        """Its layers and what a texel or a value of it is, from those of the plan."""
        if self.padded is not None:
            return None, self.padded
        return layers, self.ping_pong or storage.of(Points.REAL if self.real else Points.COMPLEX)


@dataclass(frozen=True)
class PassTargets:
    """Where passes write."""

    # of each pass in order, a scratch image, or None for the caller's target; the last is always None
    targets: tuple[ScratchImage | None, ...]
    # of each pass the two images between its stages, None for its target; nothing where it has none
    ping_pongs: tuple[tuple[ScratchImage | None, ...], ...]
    # of each pass, the number of the pass whose target it reads, or -1 for the caller's source
    sources: tuple[int, ...]
    # the targets of those steps alone that write a whole image, see `glfft.algorithms.pass_steps.steps`
    whole: tuple[ScratchImage | None, ...]

    @property
    def scratch(self) -> list[ScratchImage]:
        """The scratch images that these passes need, each once."""
        return [image for image in dict.fromkeys(itertools.chain(self.targets, *self.ping_pongs)) if image is not None]

    @property
    def rereads_target(self) -> bool:
        """Whether a pass reads from the caller's target what one before has written."""
        return self.whole.count(None) > 1

    @property
    def overwrites_source(self) -> bool:
        """Whether the first of several steps writes the caller's target, which may be the source."""
        return self.rereads_target and self.whole[0] is None


def in_target(specs: Sequence[PassSpec]) -> PassTargets:
    """The targets that reach the caller's target as early as it can."""
    found = steps(specs)
    last = found[-1][-1]
    settled = len(found) - 1
    while (
        settled > 0
        and keep_places(found[settled])
        and found[settled - 1][-1].target_lines.shape == last.target_lines.shape
        and found[settled - 1][-1].target_storage == last.target_storage
    ):
        settled -= 1
    return _targets(found, (*_scratch_images(found[:settled]), *([None] * (len(found) - settled))))


def in_scratch(specs: Sequence[PassSpec]) -> PassTargets:
    """The targets that touch the caller's target last."""
    found = steps(specs)
    return _targets(found, (*_scratch_images(found[:-1]), None))


def apart(specs: Sequence[PassSpec]) -> PassTargets:
    """The targets with which no step reads the image that it writes; source and target must be two."""
    found = steps(specs)
    return _targets(found, (*_scratch_images(found[:-1], in_place=False), None))


def _targets(found: Sequence[Sequence[PassSpec]], whole: tuple[ScratchImage | None, ...]) -> PassTargets:
    """The images of every pass, from those that whole steps write."""
    targets: list[ScratchImage | None] = []
    sources: list[int] = []
    for step, target in zip(found, whole, strict=True):
        last_of_step_before = len(targets) - 1
        for spec in step:
            # A pass that reads scratch reads what the pass before it has written, in the same step.
            pass_before = len(targets) - 1
            sources.append(pass_before if spec.reads is Points.PADDED else last_of_step_before)
            padded = ScratchImage(spec.target_lines.shape, 0, spec.target_storage)
            targets.append(padded if spec.writes is Points.PADDED else target)
    ping_pongs = [_ping_pong(spec) if spec.ping_pong else () for step in found for spec in step]
    return PassTargets(tuple(targets), tuple(ping_pongs), tuple(sources), whole)


def _ping_pong(spec: PassSpec) -> tuple[ScratchImage | None, ScratchImage]:
    first, second = (ScratchImage(spec.request.shape, index, ping_pong=spec.ping_pong_storage) for index in (0, 1))
    return None if spec.ping_pongs_in_target else first, second


def _scratch_images(found: Sequence[Sequence[PassSpec]], in_place: bool = True) -> list[ScratchImage]:
    images: list[ScratchImage] = []
    for step in found:
        source = images[-1] if images else None
        shape, real = step[-1].target_lines.shape, step[-1].writes is Points.REAL
        if in_place and source is not None and (source.shape, source.real) == (shape, real) and keep_places(step):
            images.append(source)
        else:
            first = ScratchImage(shape, 0, real=real)
            images.append(first if first != source else ScratchImage(shape, 1, real=real))
    return images
