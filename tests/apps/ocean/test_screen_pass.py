"""A shader over a whole target: every pixel is drawn, what was bound is bound again, and mipmaps are means."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest
from support.gl_objects import live_objects

from glfft.apps.ocean.screen_pass import Mipmaps, ScreenPass, radiance_texture

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


_FETCH = """
#version 430
layout(local_size_x = 1) in;
uniform sampler2D picture;
uniform int level;
layout(std430, binding = 0) writeonly buffer Found { vec4 found[]; };
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID);
    found[at.y * textureSize(picture, level).x + at.x] = texelFetch(picture, at, level);
}
"""


def level_of(ctx, texture, level):
    width, height = (max(1, side >> level) for side in texture.size)
    shader, found = ctx.compute_shader(_FETCH), ctx.buffer(reserve=16 * width * height)
    texture.use(0)
    found.bind_to_storage_buffer(0)
    shader["level"] = level
    shader.run(width, height)
    ctx.memory_barrier()
    values = np.frombuffer(found.read(), np.float32).reshape(height, width, 4).astype(float)
    shader.release()
    found.release()
    return values


@pytest.mark.parametrize("size", [(16, 8), (4, 4), (1, 2)])
def test_mipmaps_are_means_of_four_texels_and_leave_nothing_but_the_texture(ctx, freed_by_glfft_alone, size):
    width, height = size
    finest = np.random.default_rng(4).random((height, width, 4)).astype(np.float16)
    texture = radiance_texture(ctx, size)
    texture.filter = (moderngl.NEAREST_MIPMAP_NEAREST, moderngl.LINEAR)
    objects = live_objects(ctx)
    mipmaps = Mipmaps(ctx, texture)
    texture.write(finest.tobytes())
    mipmaps.make()
    copies = [lit(each) for each in mipmaps.levels]
    mipmaps.release()
    # A program is kept for the next ones; what other tests have left may go in the meantime.
    left = {kind: count - objects[kind] for kind, count in live_objects(ctx).items() if count > objects[kind]}
    assert left.keys() <= {"Program", "Shader"}
    assert len(copies) == max(size).bit_length() - 1
    expected = finest.astype(float)
    for level, copy in enumerate(copies, 1):
        rows, columns = (max(1, side // 2) for side in expected.shape[:2])
        expected = expected.reshape(rows, expected.shape[0] // rows, columns, -1, 4).mean(axis=(1, 3))
        found = level_of(ctx, texture, level)
        np.testing.assert_allclose(found, expected, rtol=2e-3)
        assert np.array_equal(found[..., :3], copy)
    texture.release()
