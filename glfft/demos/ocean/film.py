"""From the radiance of the scene to the picture: glare around bright light, exposure, the tone curve."""

from __future__ import annotations

import moderngl

from glfft.demos.ocean.screen_pass import ScreenPass, radiance_texture

# Share of the light that a lens spreads, and the brightest light that counts, in display whites.
_GLARE = 0.075
_MOST = 4000.0

# Heights of the pictures for the glare, and its blur in their pixels: so its angles do not depend on the resolution.
_NEAR_HEIGHT, _NEAR_DEVIATION = 135, 2.2
_FAR_HEIGHT, _FAR_DEVIATION = 45, 3.2

# A picture thirty times as wide as high reaches it; beyond that the glare's pixels become wider than high.
_WIDEST = 4096


class Film:
    """Makes pictures of one size from their radiance.

    Args:
        ctx: the context.
        size: width and height of the scene's texture.
    """

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int]) -> None:
        self._gather = ScreenPass(ctx, "ocean/glare_gather.frag")
        self._blur = ScreenPass(ctx, "ocean/glare_blur.frag")
        self._tone = ScreenPass(ctx, "ocean/tone.frag")
        self._aspect = size[0] / size[1]
        self._near = [_small(ctx, _NEAR_HEIGHT, self._aspect) for _ in range(2)]
        self._far = [_small(ctx, _FAR_HEIGHT, self._aspect) for _ in range(2)]
        self._half: list[moderngl.Texture] = []
        width, height = size
        # Each step averages four by four pixels, so that none is left out.
        while height > 4 * _NEAR_HEIGHT:
            width, height = max(1, width // 4), max(1, height // 4)
            self._half.append(radiance_texture(ctx, (width, height)))

    def spread(self, scene: moderngl.Texture, exposure: float) -> None:
        """Make the glare of a scene; the framebuffer bound before is bound again after.

        Args:
            scene: radiance, rgba16f, filtered linearly.
            exposure: display white per radiance.
        """
        most = _MOST / exposure
        source = scene
        for smaller in (*self._half, self._near[0]):
            self._gather.draw_into(smaller, {"scene": source}, most=most)
            source = smaller
        self._blur_both(self._near, _NEAR_DEVIATION)
        self._gather.draw_into(self._far[0], {"scene": self._near[0]}, most=most)
        self._blur_both(self._far, _FAR_DEVIATION)

    def develop(self, scene: moderngl.Texture, exposure: float) -> None:
        """Draw the finished picture into the bound framebuffer's viewport; call `spread` first."""
        self._tone.draw(
            {"scene": scene, "near_glare": self._near[0], "far_glare": self._far[0]},
            exposure=exposure,
            glare=_GLARE,
        )

    def release(self) -> None:
        """Free the textures."""
        for thing in (*self._near, *self._far, *self._half, self._gather, self._blur, self._tone):
            thing.release()

    def _blur_both(self, pair: list[moderngl.Texture], deviation: float) -> None:
        first, second = pair
        # In very wide pictures the glare's pixels are wider than high, so the blur is narrower in pixels.
        across = deviation * min(1.0, first.width / (first.height * self._aspect))
        self._blur.draw_into(second, {"light": first}, along=(1 / first.width, 0.0), deviation=max(across, 0.1))
        self._blur.draw_into(first, {"light": second}, along=(0.0, 1 / first.height), deviation=deviation)


def _small(ctx: moderngl.Context, height: int, aspect: float) -> moderngl.Texture:
    return radiance_texture(ctx, (min(max(1, round(height * aspect)), _WIDEST), height))
