"""One way through a plan, compiled: forward, inverse or there and back, and what its ends must be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from glfft.engine.compiled_pass import Pass
from glfft.engine.images import Carrier, Carriers
from glfft.engine.scratch import Route, through_scratch, through_target
from glfft.engine.snippet_uniforms import Settings
from glfft.errors import TextureError
from glfft.gl.glsl import without_comments


@dataclass(frozen=True)
class Way:
    """Passes in order, and where they lead from and to.

    Attributes:
        passes: what is dispatched.
        sources, targets: what the caller's ends must be like.
        textures: names of the snippets' textures it needs.
        reads, writes: whether it needs the ends at all; snippets may do without.
        moves_texels: whether snippets may load or store elsewhere than at the texel they are called for.
        usual, safe: the route through the target, and the one where that would not do.
        barriers: glMemoryBarrier bits after each pass but the last, for the next one to see what was stored.
    """

    passes: tuple[Pass, ...]
    sources: Carriers
    targets: Carriers
    textures: Sequence[str]
    reads: bool
    writes: bool
    moves_texels: bool
    usual: Route
    safe: Route
    barriers: tuple[int, ...]

    @classmethod
    def of(
        cls, passes: Sequence[Pass], ends: tuple[Carriers, Carriers], textures: Sequence[str], moves_texels: bool
    ) -> Way:
        """The way of compiled passes."""
        specs = [each.spec for each in passes]
        return cls(
            tuple(passes),
            *ends,
            textures,
            _calls(passes[0], "read_source"),
            _calls(passes[-1], "write_target"),
            moves_texels,
            through_target(specs),
            through_scratch(specs),
            tuple(spec.read_barrier for spec in specs[1:]),
        )

    def check_ends(self, src: Carrier | None, dst: Carrier | None) -> None:
        """Refuse what could not be read or written, or not both at once.

        Raises:
            TextureError: what is wrong.
        """
        if self.reads or src is not None:
            self.sources.check(src, "source")
        if self.writes or dst is not None:
            self.targets.check(dst, "target")
        if src is dst and src is not None:
            if self.moves_texels and len(self.passes) == 1:
                raise TextureError("A one-pass plan with snippets cannot work in place; give it another target.")
            if self.sources is not self.targets:
                raise TextureError("A real plan cannot work in place: a picture and its spectrum differ in size.")

    def route(self, src: Carrier | None, dst: Carrier | None, settings: Settings) -> Route:
        """The route through the target, unless that would read back something else than was written.

        Nor may snippets that read what the target held before, such as a filter to be replaced, find it overwritten.
        """
        if not self.usual.rereads_target:
            return self.usual
        loses_source = src is dst and self.usual.overwrites_source and not self.passes[0].spec.keeps_places
        seen = settings.any_is(dst, self.textures)
        return self.safe if loses_source or seen or self.targets.is_swizzled(dst) else self.usual


def _calls(each: Pass, function: str) -> bool:
    """Whether a pass's text calls what reads the source or writes the target; a snippet may do without.

    The text and not the program, since drivers differ in what they drop, and keep blocks of buffers whatever happens.
    """
    text = without_comments(each.spec.source.text)
    return len(re.findall(rf"\b{function}\b", text)) > 1
