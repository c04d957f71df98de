"""From the radiance of the scene to the picture: glare around bright light, exposure, the tone curve."""

import math
from typing import Any

import moderngl
import numpy as np

import glfft
from glfft.apps.glare.glare import Glare, default_kernel
from glfft.apps.glare.lens import Lens
from glfft.apps.ocean.screen_pass import ScreenPass, radiance_texture
from glfft.gl.releasable import Keeper
from glfft.gl.timed import Sections, timed

# Share of the light that a lens spreads, and the brightest light that counts, in display whites.
_GLARE, _MOST = 0.03, 4000.0
# Height of the picture of the glare, in which all lengths below are measured: so its angles do not depend on the
# resolution. As far as light reaches, the plan has a dark margin, since a convolution by transforms is circular.
GLARE_ROWS = 135
_REACH = 57
_WIDEST = 960  # a wider picture has pixels of the glare that are wider than high
_STEP = 64  # widths and heights of plans are multiples of this: windows of any size need few different kernels
_MOST_KERNEL = 511  # the side of diffraction's kernel; a larger one takes longer in each picture
_LENS = Lens(f_number=22.0, dust=120, scratches=2)

_LIGHT = """
uniform sampler2D light;
value load(ivec3 at) {
    bool inside = all(lessThan(at.xy, textureSize(light, 0)));
    return inside ? texelFetch(light, at.xy, 0) : value(0.0);
}
"""


class Film(Keeper):
    """Makes pictures of one size (width, height) from their radiance, with the glare of a `SmallGlare` or, with
    `diffraction`, of an aperture whose picture has so many texels a side, at full resolution.
    """

    def __init__(
        self, ctx: moderngl.Context, size: tuple[int, int], glare_rows: int = GLARE_ROWS, diffraction: int = 0
    ) -> None:
        self._tone = self._own(ScreenPass(ctx, "ocean/tone.frag"))
        self._enlarge = self._own(ScreenPass(ctx, "ocean/enlarge.frag"))
        self._ctx, self._size = ctx, size
        self._developed: moderngl.Texture | None = None
        if diffraction:
            self._glare = self._own(Glare(ctx, size, min(default_kernel(size), _MOST_KERNEL), diffraction))
            self._glare.use(_LENS)
            self._spread = self._own(radiance_texture(ctx, size))
        else:
            self._glare = self._own(SmallGlare(ctx, size, glare_rows))

    def develop(
        self,
        scene: moderngl.Texture,
        exposure: float,
        target: moderngl.Framebuffer,
        size: tuple[int, int],
        profiler: Sections | None = None,
    ) -> None:
        """Draw the finished picture of a scene (rgba16f, filtered linearly), with an exposure in display white per
        radiance, into so much of a framebuffer. Where that is another size, the picture is finished at its own and then
        enlarged, which is less work. A profiled section is "glare".
        """
        with timed(profiler, "glare"):
            if isinstance(self._glare, SmallGlare):
                self._glare.spread(scene, exposure, profiler)
                textures = {"scene": scene, "spread_light": self._glare.glare}
                share, part = _GLARE, self._glare.part
            else:
                self._glare.add(scene, self._spread, profiler)
                textures = {"scene": self._spread, "spread_light": self._spread}
                share, part = 0.0, (1.0, 1.0)
        last, uniforms = self._tone, {"exposure": exposure, "glare": share, "glare_part": part}
        if size != self._size:
            own = self._developed = self._developed or self._own(radiance_texture(self._ctx, self._size, dtype="f1"))
            self._tone.draw_into(own, textures, **uniforms)
            last, textures, uniforms = self._enlarge, {"picture": own}, {}
        with self._ctx.scope(target):
            self._ctx.viewport = (0, 0, *size)
            last.draw(textures, **uniforms)


class SmallGlare(Keeper):
    """Glare of pictures of one size (width, height), by a picture of so many rows, convolved with the light that a lens
    makes of a point: `glare`, in the `part` (width, height) of a texture.
    """

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int], glare_rows: int) -> None:
        self._gather = self._own(ScreenPass(ctx, "ocean/glare_gather.frag"))
        width, height = size
        wanted = glare_rows * width / height
        self._light = self._own(radiance_texture(ctx, (min(max(1, round(wanted)), _WIDEST), glare_rows)))
        reach = math.ceil(_REACH * glare_rows / GLARE_ROWS)
        rows, columns = (_STEP * glfft.next_fast_len(-(-(side + reach) // _STEP)) for side in self._light.size[::-1])
        point = light_of_a_point((rows, columns), wanted / self._light.width, GLARE_ROWS / glare_rows)
        spectrum = np.fft.fft2(point).astype(np.complex64)
        factor = self._own(ctx.texture((columns, rows), 2, spectrum.tobytes(), dtype="f4"))
        self.glare = self._own(ctx.texture((columns, rows), 4, dtype="f4"))
        options: dict[str, Any] = {"load": _LIGHT, "multiply": glfft.snippets.multiply_by_texture()}
        options |= {"storage": "rgba32f", "norm": "ortho", "directions": ["convolve"]}
        self._plan = self._own(glfft.Plan(ctx, (rows, columns), **options))
        self._plan.set_uniforms(light=self._light, factor=factor)
        self.part = self._light.width / columns, self._light.height / rows
        self._half: list[moderngl.Texture] = []
        # Each step averages four by four pixels, so that none is left out.
        while height > 4 * glare_rows:
            width, height = max(1, width // 4), max(1, height // 4)
            self._half.append(self._own(radiance_texture(ctx, (width, height))))

    def spread(self, scene: moderngl.Texture, exposure: float, profiler: Sections | None = None) -> None:
        """Make the glare of a scene. Profiled sections are "gather" and the passes of the convolution."""
        source = scene
        with timed(profiler, "gather"):
            for smaller in (*self._half, self._light):
                self._gather.draw_into(smaller, {"scene": source}, most=_MOST / exposure)
                source = smaller
        self._plan.convolve(None, self.glare, "sample", profiler)


def light_of_a_point(shape: tuple[int, int], wider: float = 1.0, larger: float = 1.0) -> np.ndarray:
    """What a lens makes of a point of light: a core, a halo that falls with the third power, and faint rays.

    Light scattered in eyes and lenses falls about so (Spencer, Shirley, Zimmerman and Greenberg, "Physically-Based
    Glare Effects for Digital Images", SIGGRAPH 1995). The result is float64 (rows, columns), the point at (0, 0), sum
    1, no light beyond `_REACH` pixels of GLARE_ROWS; a pixel is `larger` of those high, and `wider` times as wide.
    """
    y, x = np.meshgrid(*(np.fft.fftfreq(side, 1 / side) for side in shape), indexing="ij")
    x, y = x * (wider * larger), y * larger
    away = np.hypot(x, y)
    core = np.exp(-0.5 * (away / 1.6) ** 2)
    halo = (1 + (away / 4.0) ** 2) ** -1.5
    angles = math.radians(12.0) + np.arange(3) * math.pi / 3
    rays = sum(np.exp(-((x * np.sin(angle) - y * np.cos(angle)) ** 2)) for angle in angles) * np.exp(-away / 11.0)
    inside = np.clip(1 - (away / _REACH) ** 2, 0.0, 1.0)
    parts = [part * inside / (part * inside).sum() for part in (core, halo, rays)]
    return 0.34 * parts[0] + 0.54 * parts[1] + 0.12 * parts[2]
