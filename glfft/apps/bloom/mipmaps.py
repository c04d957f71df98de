"""The bloom of engines, to compare with: a picture made smaller again and again, and the sizes blurred into each other.

As Jimenez, "Next Generation Post Processing in Call of Duty: Advanced Warfare", SIGGRAPH 2014 courses, describes it.
"""

import moderngl

from glfft.apps.ocean.screen_pass import ScreenPass, radiance_texture
from glfft.gl.releasable import release_all
from glfft.gl.textures import bytes_of
from glfft.gl.timed import Sections, timed

_LEVELS = 7
# How much of each level comes from those below it.
_LARGER = 0.72


class MipmapBloom:
    """Blurs pictures of one size (width, height).

    Attributes:
        blurred: rgba16f, half as wide and high, filtered linearly: all light of the picture, spread.
    """

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int]) -> None:
        self._down = ScreenPass(ctx, "bloom/smaller.frag")
        self._up = ScreenPass(ctx, "bloom/larger.frag")
        sizes = [(max(1, size[0] >> level), max(1, size[1] >> level)) for level in range(1, _LEVELS + 1)]
        self._levels = [radiance_texture(ctx, each) for each in sizes]
        self._mixed = [radiance_texture(ctx, each) for each in sizes[:-1]]
        self.blurred = self._mixed[0]

    def make(self, picture: moderngl.Texture, profiler: Sections | None = None) -> None:
        """Blur a picture of linear light, filtered linearly, into `blurred`.

        A profiler times each level: "smaller 1" and on, then from the last but one "larger 6" and back.
        """
        finer = picture
        for number, level in enumerate(self._levels, 1):
            with timed(profiler, f"smaller {number}", bytes_of(finer, level)):
                self._down.draw_into(level, {"finer": finer})
            finer = level
        coarser = self._levels[-1]
        for number in range(len(self._mixed), 0, -1):
            level, mixed = self._levels[number - 1], self._mixed[number - 1]
            with timed(profiler, f"larger {number}", bytes_of(coarser, level, mixed)):
                self._up.draw_into(mixed, {"coarser": coarser, "own": level}, share=_LARGER)
            coarser = mixed

    def release(self) -> None:
        """Free the textures."""
        release_all((*self._levels, *self._mixed, self._down, self._up))
