"""A picture of linear light with a lens's glare: by convolution, by mipmaps to compare, and as displays show it."""

import itertools

import numpy as np
from moderngl import Context, Texture
from numpy.typing import NDArray

from glfft.apps.glare.glare import DETAIL, Glare, merge
from glfft.apps.ocean.screen_pass import ScreenPass, radiance_texture
from glfft.errors import check_choice
from glfft.gl.releasable import Keeper, Owner
from glfft.gl.textures import bytes_of
from glfft.gl.timed import Sections, timed

TONES = ("filmic", "plain")

Area = tuple[int, int, int, int]
"""X and y of the lower left corner, width and height."""

LEAST_SIDE, MOST_SIDE = 16, 8192
LARGEST_LIGHT = 65504.0  # of half floats
_LEVELS, _LARGER = 7, 0.72  # of the mipmaps, and how much of each comes from those below it


class Bloom(Owner):
    """Pictures of one size (width, height) with the lens of `glare`; the last is `result`, rgba16f, row 0 on top."""

    def __init__(self, ctx: Context, size: tuple[int, int], kernel_side: int, detail: int = DETAIL) -> None:
        super().__init__(ctx)
        self.size = size
        self.glare = self._own(Glare(ctx, size, kernel_side, detail))
        self.result = self._own(radiance_texture(ctx, size))
        self._tones = {
            tone: self._own(ScreenPass(ctx, "bloom/develop.frag", {"FILMIC": int(tone == "filmic")})) for tone in TONES
        }
        self._mipmaps: MipmapBloom | None = None
        self._released = False

    def spread(self, picture: Texture, profiler: Sections | None = None) -> None:
        """Make `result` of a picture with the glare of the lens; a profiler times each pass."""
        self.glare.add(picture, self.result, profiler)

    def spread_by_mipmaps(self, picture: Texture, profiler: Sections | None = None) -> None:
        """Make `result` of a picture with as much light spread by a chain of mipmaps; a profiler times each pass."""
        mipmaps = self._mipmaps = self._mipmaps or self._own(MipmapBloom(self.ctx, self.size))
        mipmaps.make(picture, profiler)
        with timed(profiler, "merge", bytes_of(picture, mipmaps.blurred, self.result)):
            merge(picture, mipmaps.blurred, self.glare.kernel.core, self.glare.strength, self.result)

    def develop(
        self, light: Texture, exposure: float, tone: str, area: Area | None = None, top_first: bool = True
    ) -> None:
        """Draw linear light, filtered linearly, into the bound framebuffer, `exposure` being display white per light,
        in one of `TONES`; `area` is by default the picture's own pixels, and `top_first` whether row 0 is at the top.
        """
        check_choice("tone", tone, TONES)
        self.ctx.viewport = area or (0, 0, *self.size)
        self._tones[tone].draw({"light": light}, exposure=exposure, top_first=top_first)


class MipmapBloom(Keeper):
    """The bloom of engines, to compare with: pictures of one size (width, height) made smaller again and again, and the
    sizes blurred into each other (Jimenez, "Next Generation Post Processing in Call of Duty", SIGGRAPH 2014 courses).
    `blurred`, rgba16f, half as wide and high, is all light of the picture, spread.
    """

    def __init__(self, ctx: Context, size: tuple[int, int]) -> None:
        self._down = self._own(ScreenPass(ctx, "bloom/smaller.frag"))
        self._up = self._own(ScreenPass(ctx, "bloom/larger.frag"))
        sizes = [(max(1, size[0] >> level), max(1, size[1] >> level)) for level in range(1, _LEVELS + 1)]
        self._levels = [self._own(radiance_texture(ctx, each)) for each in sizes]
        self._mixed = [self._own(radiance_texture(ctx, each)) for each in sizes[:-1]]
        self.blurred = self._mixed[0]

    def make(self, picture: Texture, profiler: Sections | None = None) -> None:
        """Blur linear light, filtered linearly, into `blurred`; sections: "smaller 1" and on, "larger 6" and back."""
        for number, (finer, level) in enumerate(itertools.pairwise([picture, *self._levels]), 1):
            with timed(profiler, f"smaller {number}", bytes_of(finer, level)):
                self._down.draw_into(level, {"finer": finer})
        coarser = self._levels[-1]
        for number in range(len(self._mixed), 0, -1):
            level, mixed = self._levels[number - 1], self._mixed[number - 1]
            with timed(profiler, f"larger {number}", bytes_of(coarser, level, mixed)):
                self._up.draw_into(mixed, {"coarser": coarser, "own": level}, share=_LARGER)
            coarser = mixed


def upload(ctx: Context, picture: NDArray[np.float32]) -> Texture:
    """A texture of linear light [height, width, 3], row 0 first; light beyond half floats' range counts as the most."""
    height, width = picture.shape[:2]
    with np.errstate(invalid="ignore"):
        light = np.clip(np.nan_to_num(picture, nan=0.0, posinf=LARGEST_LIGHT, neginf=0.0), 0.0, LARGEST_LIGHT)
    texels = np.pad(light.astype(np.float16), [(0, 0), (0, 0), (0, 1)], constant_values=1)
    texture = radiance_texture(ctx, (width, height))
    texture.write(texels.tobytes())
    return texture


def download(texture: Texture) -> NDArray[np.float16]:
    """The light of a texture of half floats, [height, width, 3], row 0 first."""
    width, height = texture.size
    return np.frombuffer(texture.read(), np.float16).reshape(height, width, 4)[..., :3]
