"""A shader over a whole target: every pixel is drawn, and what was bound is bound again."""

from __future__ import annotations

import numpy as np
from support.gl_objects import live_objects

from glfft.demos.ocean.screen_pass import ScreenPass, radiance_texture

GATHER = "ocean/glare_gather.frag"


def lit(texture):
    """Radiance, [height, width, 3]."""
    return np.frombuffer(texture.read(), np.float16).reshape(texture.height, texture.width, 4)[..., :3].astype(float)


def uniform_light(ctx, value):
    source = radiance_texture(ctx, (4, 4))
    source.write(np.full((4, 4, 4), value, np.float16).tobytes())
    return source


def test_every_pixel_is_drawn_and_the_framebuffer_before_is_bound_again(ctx, freed_by_glfft_alone):
    source, target = uniform_light(ctx, 0.5), radiance_texture(ctx, (7, 5))
    target.write(np.full((5, 7, 4), np.nan, np.float16).tobytes())
    screen = ScreenPass(ctx, GATHER)
    before = ctx.simple_framebuffer((4, 4))
    before.use()
    screen.draw_into(target, {"scene": source}, most=10.0)  # frees what tests before have left in use
    target.write(np.full((5, 7, 4), np.nan, np.float16).tobytes())
    objects = live_objects(ctx)
    screen.draw_into(target, {"scene": source}, most=10.0)
    np.testing.assert_allclose(lit(target), 0.5, rtol=2e-3)
    assert ctx.fbo.glo == before.glo
    assert live_objects(ctx) == objects, "no framebuffer is left over"
    ctx.detect_framebuffer(0).use()
    for each in (source, target, screen, before):
        each.release()
