"""The passes of one direction of a plan, compiled and in order, and what their source and target must be."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from glfft.algorithms.passes import PassSpec, keep_places, readers, same_region, steps
from glfft.algorithms.regions import Points
from glfft.algorithms.storage import Storage
from glfft.engine.compiled_pass import CompiledPass, Samplers
from glfft.engine.images import Ends, Image
from glfft.engine.snippet_uniforms import SnippetUniforms
from glfft.errors import TextureError
from glfft.gl import barriers
from glfft.gl.glsl import without_comments
from glfft.gl.textures import fill
from glfft.gl.timed import UNTIMED, Sections


@dataclass(frozen=True)
class ScratchImage:
    """A scratch image, a texture or buffer: two of a shape are enough, one to read and one to write."""

    shape: tuple[int, ...]  # of a layer
    index: int  # 0 or 1 between steps, 2 of longer lines, 3 or 4 between the stages of a pass
    storage: Storage  # what a texel or a value of it is
    layers: int | None = None  # None for one, without layers


@dataclass(frozen=True)
class PassTargets:
    # of each pass in order, a scratch image, or None for the caller's target: the last, unless that is copied from it
    targets: tuple[ScratchImage | None, ...]
    # of each pass the two images between its stages, None for its target; nothing where it has none
    ping_pongs: tuple[tuple[ScratchImage | None, ...], ...]
    # of each pass, the number of the pass whose target it reads, or -1 for the caller's source
    sources: tuple[int, ...]
    # the targets of those steps alone that write a whole image, see `glfft.algorithms.passes.steps`
    whole: tuple[ScratchImage | None, ...]

    @property
    def scratch(self) -> list[ScratchImage]:
        """The scratch images that these passes need, each once."""
        return [image for image in dict.fromkeys(chain(self.targets, *self.ping_pongs)) if image is not None]


def in_target(specs: Sequence[PassSpec]) -> PassTargets:
    """The targets that reach the caller's target as early as it can."""
    found = steps(specs)
    last = found[-1][-1]
    if last.writes_buffer:
        return in_scratch(specs)
    settled = len(found) - 1
    while (
        settled > 0
        and keep_places(found[settled])
        and found[settled - 1][-1].target_lines.shape == last.target_lines.shape
        and found[settled - 1][-1].target_storage == last.target_storage
    ):
        settled -= 1
    return _targets(found, (*_scratch_images(found[:settled]), *([None] * (len(found) - settled))))


def in_scratch(specs: Sequence[PassSpec], in_place: bool = True) -> PassTargets:
    """The targets that touch the caller's target last; if not in place, no step reads the image that it writes."""
    found, copied = steps(specs), specs[-1].writes_buffer
    whole = _scratch_images(found if copied else found[:-1], in_place)
    return _targets(found, tuple(whole) if copied else (*whole, None))


def _targets(found: Sequence[Sequence[PassSpec]], whole: tuple[ScratchImage | None, ...]) -> PassTargets:
    """The images of every pass, from those that whole steps write."""
    targets: list[ScratchImage | None] = []
    ping_pongs: list[tuple[ScratchImage | None, ...]] = []
    sources: list[int] = []
    for step, target in zip(found, whole, strict=True):
        last_of_step_before = len(targets) - 1
        for spec in step:
            # A pass that reads scratch reads what the pass before it has written, in the same step.
            sources.append(len(targets) - 1 if spec.reads is Points.PADDED else last_of_step_before)
            padded = ScratchImage(spec.target_lines.shape, 2, spec.target_storage)
            targets.append(padded if spec.writes is Points.PADDED else target)
            held = spec.ping_pong_storage, spec.request.layers
            first, second = (ScratchImage(spec.request.shape, index, *held) for index in (3, 4))
            ping_pongs.append((None if spec.ping_pongs_in_target else first, second) if spec.ping_pong else ())
    return PassTargets(tuple(targets), tuple(ping_pongs), tuple(sources), whole)


def _scratch_images(found: Sequence[Sequence[PassSpec]], in_place: bool = True) -> list[ScratchImage]:
    images: list[ScratchImage] = []
    for step in found:
        last, source = step[-1], images[-1] if images else None
        first = ScratchImage(last.target_lines.shape, 0, last.target_storage, last.request.whole.layers)
        if in_place and source is not None and replace(source, index=0) == first and keep_places(step):
            images.append(source)
        else:
            images.append(first if first != source else replace(first, index=1))
    return images


class Pipeline:
    """Passes in order, and the images they lead from and to. `uniforms` belong to the plan's snippets. With
    `moves_texels`, snippets may load or store elsewhere than at the texel they are called for, and with `reads_texels`
    they may read their own textures elsewhere.
    """

    def __init__(self, passes: Sequence[CompiledPass], images: Ends, uniforms: SnippetUniforms,
                 moves_texels: bool, reads_texels: bool = False) -> None:  # fmt: skip
        self.passes, self._ctx, self._uniforms = tuple(passes), passes[0].ctx, uniforms
        textures = [uniforms.textures_of(each.program) for each in passes]
        self._textures = tuple(dict.fromkeys(chain(*textures)))  # the names of those that its snippets need
        self._sources, self._targets = images
        self.specs = specs = [each.spec for each in passes]
        self._samplers = Samplers(self._ctx, specs)
        first_step, *more_steps = steps(specs)
        # Whether it needs the caller's images at all; snippets may do without.
        self._reads, self._writes = _calls(specs[0], "read_source"), _calls(specs[-1], "write_target")
        # Where passes write: through the target as early as they can, or through scratch where that would not do.
        self.usual, self.safe = in_target(specs), in_scratch(specs)
        # glMemoryBarrier bits before the first pass, 0 where the caller's own barrier is enough; and after each pass
        # but the last, for the next one to see what was stored.
        self.barrier_before = specs[0].bindings.first_barrier
        self.barriers = tuple(spec.bindings.barrier for spec in specs[1:])
        # Whether the last pass writes a buffer, from which the target is filled.
        self._copies = specs[-1].writes_buffer
        # Whether a pass reads from the caller's target what one before has written.
        self._rereads_target = self.usual.whole.count(None) > 1
        # Whether the first pass would then overwrite what is still to be read, were source and target one image.
        self._loses_source = self._rereads_target and self.usual.whole[0] is None and not keep_places(first_step)
        # Whether a single step reads other points than it stores, or reads the source in turns between which it stores.
        self._moves_region = not more_steps and not same_region(first_step)
        self._takes_turns = not more_steps and len(readers(specs)) > 1
        # Whether snippets may load elsewhere, or read there, what has been stored by then.
        in_one_step = len(passes) == 1 or self._takes_turns
        self._loads_between_stores = moves_texels and in_one_step
        self._reads_between_stores = reads_texels and in_one_step
        self.sections = tuple(_sections(specs, textures, self._reads, self._writes))

    def check_images(self, src: Image | None, dst: Image | None) -> None:
        """Refuse what could not be read or written, or not both at once. Raises TextureError."""
        if self._reads or src is not None:
            self._sources.check(src, "source")
        if self._writes or dst is not None:
            self._targets.check(dst, "target")
        refused, in_place = "cannot work in place; give it another target.", src is dst and src is not None
        reached = self._reads_between_stores and self._uniforms.reach(self._textures, src, dst)
        if reached or (in_place and self._loads_between_stores):
            which = "This plan transforms a few lines at a time, and with snippets it"
            raise TextureError(f"{which if self._takes_turns else 'A one-pass plan with snippets'} {refused}")
        if not in_place:
            return
        if self._sources is not self._targets:
            raise TextureError("A real plan cannot work in place, nor one between regions that differ in size.")
        if self._moves_region:
            raise TextureError(f"A plan of one pass from one region to another {refused}")

    def run(self, src: Image | None, dst: Image | None, targets: PassTargets, scratch: Mapping[ScratchImage, Image],
            last_barrier: int, profiler: Sections | None) -> None:  # fmt: skip
        """Dispatch the passes, with a barrier after each. Each is a section of a profiler's open frame. Raises
        TextureError where a snippet's texture is not set or released, before anything runs.
        """
        ctx, uniforms = self._ctx, self._uniforms
        if self._textures:
            uniforms.bind(self._textures)
        if self.barrier_before:
            ctx.memory_barrier(self.barrier_before)
        written: list[Image | None] = []
        # What is copied to the target from a buffer needs no barrier after it.
        last_barrier = barriers.PIXEL_BUFFER_BARRIER if self._copies else last_barrier
        runs = zip(self.passes, (*self.barriers, last_barrier), targets.sources, targets.targets, strict=True)
        with self._samplers:
            for number, (each, barrier, before, place) in enumerate(runs):
                target, between = dst if place is None else scratch[place], targets.ping_pongs[number]
                images = [target if image is None else scratch[image] for image in between] if between else ()
                name, moved, textures = self.sections[number]
                with UNTIMED if profiler is None else profiler.section(name, moved + uniforms.bytes_of(textures)):
                    each.dispatch(src if before < 0 else written[before], target, images)
                    if barrier:
                        ctx.memory_barrier(barrier)
                    if self._copies and dst is not None and number == len(self.passes) - 1:
                        fill(ctx, dst, target)
                written.append(target)

    def targets_for(self, src: Image | None, dst: Image | None) -> PassTargets:
        """Where passes write: the target, unless it is swizzled, is still to be read, or a snippet reads it."""
        if not self._rereads_target:
            return self.usual
        loses_source = src is dst and self._loses_source
        seen = dst is not None and any(self._uniforms.values.get(name) is dst for name in self._textures)
        return self.safe if loses_source or seen or self._targets.is_swizzled(dst) else self.usual


def _sections(
    specs: Sequence[PassSpec], textures: Sequence[Sequence[str]], reads: bool, writes: bool
) -> Iterator[tuple[str, int, Sequence[str]]]:
    """For a profiler, of each pass: its lines, numbered where several work on them; bytes moved; snippets' textures."""
    names = [spec.request.line_name for spec in specs]
    for index, (spec, name, needed) in enumerate(zip(specs, names, textures, strict=True)):
        moved = spec.bytes_moved
        moved -= 0 if reads or index > 0 else spec.source_bytes
        moved -= 0 if writes or index < len(specs) - 1 else spec.target_bytes
        number = f" {names[: index + 1].count(name)}" if names.count(name) > 1 else ""
        yield name + number, moved, needed


def _calls(spec: PassSpec, function: str) -> bool:
    """Whether the text of a pass calls a function of its storage: what compiled programs tell differs by driver."""
    if not spec.snippets:
        return True
    # The functions are defined in storage/; all other files may call them.
    text = spec.source.text_of(lambda path: not path.startswith("storage/"))
    return re.search(rf"\b{function}\b", without_comments(text)) is not None
