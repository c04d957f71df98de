"""The passes of one direction of a plan, compiled and in order, and what their source and target must be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from glfft.algorithms.pass_steps import keep_places, readers, same_region, steps
from glfft.algorithms.passes import PassSpec
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.images import Image, ImageSpec
from glfft.engine.scratch import PassTargets, in_scratch, in_target
from glfft.engine.snippet_uniforms import SnippetUniforms
from glfft.errors import TextureError
from glfft.gl.glsl import without_comments


@dataclass(frozen=True)
class Pipeline:
    """Passes in order, and the images they lead from and to."""

    passes: tuple[CompiledPass, ...]  # what is dispatched
    sources: ImageSpec  # sources, targets: what the caller's images must be like
    targets: ImageSpec
    textures: Sequence[str]  # names of the snippets' textures it needs
    reads: bool  # reads, writes: whether it needs the caller's images at all; snippets may do without
    writes: bool
    moves_texels: bool  # whether snippets may load or store elsewhere than at the texel they are called for
    # usual, safe: where passes write: through the target as early as they can, or through scratch where that would
    # not do
    usual: PassTargets
    safe: PassTargets
    barrier_before: int  # glMemoryBarrier bits before the first pass; 0 where the caller's own barrier is enough
    barriers: tuple[int, ...]  # bits after each pass but the last, for the next one to see what was stored
    rereads_target: bool  # whether, in the usual targets, a pass reads what one before has stored in the caller's
    loses_source: bool  # whether the first pass would then overwrite what is still to be read, were both one image
    moves_region: bool  # whether a single step reads other points of the transform than it stores
    takes_turns: bool  # whether a single step reads the source in turns, between which it stores

    @classmethod
    def of(
        cls,
        passes: Sequence[CompiledPass],
        images: tuple[ImageSpec, ImageSpec],
        textures: Sequence[str],
        moves_texels: bool,
    ) -> Pipeline:
        """The pipeline of compiled passes."""
        specs = [each.spec for each in passes]
        found = steps(specs)
        usual = in_target(specs)
        return cls(
            tuple(passes),
            *images,
            textures,
            _calls(specs[0], "read_source"),
            _calls(specs[-1], "write_target"),
            moves_texels,
            usual,
            in_scratch(specs),
            specs[0].bindings.first_barrier,
            tuple(spec.bindings.barrier for spec in specs[1:]),
            usual.rereads_target,
            usual.overwrites_source and not keep_places(found[0]),
            len(found) == 1 and not same_region(found[0]),
            len(found) == 1 and len(readers(specs)) > 1,
        )

    def check_images(self, src: Image | None, dst: Image | None) -> None:
        """Refuse what could not be read or written, or not both at once. Raises TextureError."""
        if self.reads or src is not None:
            self.sources.check(src, "source")
        if self.writes or dst is not None:
            self.targets.check(dst, "target")
        if src is dst and src is not None:
            if self.moves_texels and len(self.passes) == 1:
                raise TextureError("A one-pass plan with snippets cannot work in place; give it another target.")
            if self.moves_texels and self.takes_turns:
                raise TextureError(
                    "This plan transforms a few lines at a time, and with snippets it cannot work in place; give it "
                    "another target."
                )
            if self.sources is not self.targets:
                raise TextureError(
                    "A real plan cannot work in place, nor one between regions of two sizes: its source and its target "
                    "differ in size."
                )
            if self.moves_region:
                raise TextureError(
                    "A plan of one pass from one region to another cannot work in place; give it another target."
                )

    def targets_for(self, src: Image | None, dst: Image | None, uniforms: SnippetUniforms) -> PassTargets:
        """Where passes write: through the target, unless a pass would read back something else than was written.

        Nor may snippets that read what the target held before, such as a filter to be replaced, find it overwritten.
        """
        if not self.rereads_target:
            return self.usual
        loses_source = src is dst and self.loses_source
        seen = bool(self.textures) and uniforms.any_is(dst, self.textures)
        return self.safe if loses_source or seen or self.targets.is_swizzled(dst) else self.usual


# Where `read_source` and `write_target` are defined; all other files may call them.
_DEFINITIONS = "storage/"


def _calls(spec: PassSpec, function: str) -> bool:
    """Whether a pass calls what reads the source or writes the target; snippets of the caller may do without.

    The text and not the program, since drivers differ in what they drop, and keep blocks of buffers whatever happens.
    """
    if not spec.snippets:
        return True
    source = spec.source
    lines = zip(source.text.split("\n"), source.origins, strict=False)
    text = "\n".join(line for line, (path, _) in lines if path and not path.startswith(_DEFINITIONS))
    return re.search(rf"\b{function}\b", without_comments(text)) is not None
