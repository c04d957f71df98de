"""The passes of one direction of a plan, compiled and in order, and what their source and target must be."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from typing import NamedTuple

import moderngl

from glfft.algorithms.pass_steps import keep_places, readers, same_region, steps
from glfft.algorithms.passes import PassSpec
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.images import Image, ImageSpec
from glfft.engine.scratch import PassTargets, ScratchImage, in_scratch, in_target
from glfft.engine.snippet_uniforms import SnippetUniforms
from glfft.errors import TextureError
from glfft.gl.glsl import without_comments
from glfft.gl.timed import UNTIMED, Sections


class PassSection(NamedTuple):
    """What there is to tell a profiler of a pass."""

    name: str  # the lines it works on, with a number where several passes do
    moved: int  # bytes of source, target and the images between stages that it reads and writes
    textures: Sequence[str]  # names of its snippets' textures, each of which it reads or writes once besides

    def timed(self, profiler: Sections | None, uniforms: SnippetUniforms) -> AbstractContextManager[None]:
        """The section around the pass; without a profiler, a context manager that does nothing."""
        if profiler is None:
            return UNTIMED
        return profiler.section(self.name, self.moved + uniforms.bytes_of(self.textures))


class Pipeline:
    """Passes in order, and the images they lead from and to.

    Args:
        passes: what is dispatched.
        images: what the caller's source and target must be like.
        textures: names of the snippets' textures that each pass needs.
        moves_texels: whether snippets may load or store elsewhere than at the texel they are called for.
    """

    def __init__(
        self,
        passes: Sequence[CompiledPass],
        images: tuple[ImageSpec, ImageSpec],
        textures: Sequence[Sequence[str]],
        moves_texels: bool,
    ) -> None:
        self.passes, self.textures = tuple(passes), tuple(dict.fromkeys(chain(*textures)))
        self._samplers = passes[0].samplers  # those of the context
        self._sources, self._targets = images
        self._moves_texels = moves_texels
        self.specs = specs = [each.spec for each in passes]
        first_step, *more_steps = steps(specs)
        # Whether it needs the caller's images at all; snippets may do without.
        self._reads, self._writes = _calls(specs[0], "read_source"), _calls(specs[-1], "write_target")
        # Where passes write: through the target as early as they can, or through scratch where that would not do.
        self.usual, self.safe = in_target(specs), in_scratch(specs)
        # glMemoryBarrier bits before the first pass, 0 where the caller's own barrier is enough; and after each pass
        # but the last, for the next one to see what was stored.
        self.barrier_before = specs[0].bindings.first_barrier
        self.barriers = tuple(spec.bindings.barrier for spec in specs[1:])
        self._rereads_target = self.usual.rereads_target
        # Whether the first pass would then overwrite what is still to be read, were source and target one image.
        self._loses_source = self.usual.overwrites_source and not keep_places(first_step)
        # Whether a single step reads other points than it stores, or reads the source in turns between which it stores.
        self._moves_region = not more_steps and not same_region(first_step)
        self._takes_turns = not more_steps and len(readers(specs)) > 1
        self.sections = tuple(_sections(specs, textures, self._reads, self._writes))

    def check_images(self, src: Image | None, dst: Image | None) -> None:
        """Refuse what could not be read or written, or not both at once. Raises TextureError."""
        if self._reads or src is not None:
            self._sources.check(src, "source")
        if self._writes or dst is not None:
            self._targets.check(dst, "target")
        if src is not dst or src is None:
            return
        if self._moves_texels and len(self.passes) == 1:
            raise TextureError("A one-pass plan with snippets cannot work in place; give it another target.")
        if self._moves_texels and self._takes_turns:
            raise TextureError(
                "This plan transforms a few lines at a time, and with snippets it cannot work in place; give it "
                "another target."
            )
        if self._sources is not self._targets:
            raise TextureError(
                "A real plan cannot work in place, nor one between regions of two sizes: its source and its target "
                "differ in size."
            )
        if self._moves_region:
            raise TextureError(
                "A plan of one pass from one region to another cannot work in place; give it another target."
            )

    def run(
        self,
        ctx: moderngl.Context,
        src: Image | None,
        dst: Image | None,
        targets: PassTargets,
        scratch: Mapping[ScratchImage, Image],
        uniforms: SnippetUniforms,
        last_barrier: int,
        profiler: Sections | None,
    ) -> None:
        """Dispatch the passes, with a barrier after each. Each is a section of a profiler's open frame."""
        written: list[Image | None] = []
        runs = zip(self.passes, self.sections, (*self.barriers, last_barrier), strict=True)
        places = zip(targets.sources, targets.targets, targets.ping_pongs, strict=True)
        self._samplers.use()
        try:
            for (each, section, barrier), (before, place, ping_pong) in zip(runs, places, strict=True):
                target = dst if place is None else scratch[place]
                images = [target if image is None else scratch[image] for image in ping_pong]
                with section.timed(profiler, uniforms):
                    each.dispatch(src if before < 0 else written[before], target, images)
                    if barrier:
                        ctx.memory_barrier(barrier)
                written.append(target)
        finally:
            self._samplers.clear()

    def targets_for(self, src: Image | None, dst: Image | None, uniforms: SnippetUniforms) -> PassTargets:
        """Where passes write: through the target, unless a pass would read back something else than was written.

        Nor may snippets that read what the target held before, such as a filter to be replaced, find it overwritten.
        """
        if not self._rereads_target:
            return self.usual
        loses_source = src is dst and self._loses_source
        seen = bool(self.textures) and uniforms.any_is(dst, self.textures)
        return self.safe if loses_source or seen or self._targets.is_swizzled(dst) else self.usual


def _sections(
    specs: Sequence[PassSpec], textures: Sequence[Sequence[str]], reads: bool, writes: bool
) -> Iterator[PassSection]:
    names = [spec.request.line_name for spec in specs]
    for index, (spec, name, needed) in enumerate(zip(specs, names, textures, strict=True)):
        moved = spec.bytes_moved
        moved -= 0 if reads or index > 0 else spec.source_bytes
        moved -= 0 if writes or index < len(specs) - 1 else spec.target_bytes
        number = f" {names[: index + 1].count(name)}" if names.count(name) > 1 else ""
        yield PassSection(name + number, moved, needed)


def _calls(spec: PassSpec, function: str) -> bool:
    """Whether a pass calls what reads the source or writes the target; snippets of the caller may do without.

    The text and not the program, since drivers differ in what they drop, and keep blocks of buffers whatever happens.
    """
    if not spec.snippets:
        return True
    # The functions are defined in storage/; all other files may call them.
    text = spec.source.text_of(lambda path: not path.startswith("storage/"))
    return re.search(rf"\b{function}\b", without_comments(text)) is not None
