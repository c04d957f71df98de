"""Development: glare keeps the light it spreads, exposure brightens, and bright light becomes white."""

from __future__ import annotations

import numpy as np
import pytest
from support.gl_objects import live_objects
from support.tolerances import assert_close

from glfft.apps.ocean.quality import GLARE_ROWS
from glfft.apps.ocean.scene import Development, SmallGlare, light_of_a_point
from glfft.apps.ocean.screen_pass import radiance_texture
from glfft.apps.picture_files import read_picture


def scene_of(ctx, radiance):
    """A texture of radiance [height, width, 3], row 0 at the top."""
    texels = np.concatenate([radiance, np.ones((*radiance.shape[:2], 1))], axis=2)
    scene = radiance_texture(ctx, radiance.shape[1::-1])
    scene.write(texels[::-1].astype(np.float16).tobytes())
    return scene


def developed(ctx, radiance, exposure=1.0, diffraction=0, **options):
    """The picture of a scene, row 0 at the top."""
    scene, development = scene_of(ctx, radiance), Development(ctx, radiance.shape[1::-1], diffraction=diffraction)
    target = ctx.simple_framebuffer(radiance.shape[1::-1], components=3)
    development.develop(scene, exposure, target, target.size, **options)
    picture = read_picture(target)
    for each in (scene, development, target):
        each.release()
    return picture.astype(float)


def grey(value, size=(48, 27)):
    return np.full((size[1], size[0], 3), value)


def test_more_light_or_exposure_is_brighter_and_stays_grey(ctx):
    dark, middle, bright = (developed(ctx, grey(value)) for value in (0.02, 0.18, 0.7))
    assert dark.mean() + 20 < middle.mean() < bright.mean() - 20
    assert np.ptp(middle, axis=2).max() <= 2, "grey light is a grey picture"
    np.testing.assert_allclose(developed(ctx, grey(0.09), exposure=2.0), middle, atol=1)


def test_light_of_the_colour_taken_for_white_is_grey(ctx):
    white = np.array([1.3, 0.95, 0.7])
    picture = developed(ctx, 0.18 * white * np.ones((27, 48, 3)), white=tuple(white))
    np.testing.assert_allclose(picture, developed(ctx, grey(0.18)), atol=2)


def test_very_bright_light_of_any_colour_becomes_white(ctx):
    sun = np.broadcast_to([4000.0, 1500.0, 400.0], (27, 48, 3))
    dimmer = sun / 4000.0
    # Colours are told apart in the dim one, and hardly in the bright one.
    assert np.ptp(developed(ctx, dimmer)[13, 24]) > 40
    assert np.ptp(developed(ctx, sun)[13, 24]) < 10
    assert developed(ctx, sun)[13, 24].min() > 240


@pytest.mark.parametrize("place", [(7, 11), (13, 24), (20, 40)])
def test_a_light_spreads_round_itself(ctx, place):
    lit = grey(0.0)
    lit[place] = 3000.0
    picture = developed(ctx, lit).sum(axis=2)
    row, column = place
    assert picture[row, column] == picture.max()
    beside = picture[row, [column - 4, column + 4]]
    assert beside.min() > picture[0 if row > 13 else -1, 0 if column > 24 else -1] + 5
    assert abs(beside[0] - beside[1]) < 0.2 * beside.mean()


@pytest.mark.parametrize("size", [(1, 600), (640, 4)])
def test_the_glare_of_any_aspect_fits_textures_and_is_released(ctx, size):
    Development(ctx, size).release()  # compiles, once for all
    before = live_objects(ctx)
    development = Development(ctx, size)
    assert ctx.error == "GL_NO_ERROR"
    development.release()
    assert live_objects(ctx) == before


def test_the_glare_is_the_convolution_with_the_light_of_a_point(ctx):
    """Against numpy in float64: none of the light is lost or comes back on the other side."""
    radiance = np.random.default_rng(1).gamma(0.1, 4.0, size=(135, 200, 3))
    radiance[120, 190] = 300.0
    scene, glare = scene_of(ctx, radiance), SmallGlare(ctx, (200, 135), GLARE_ROWS)
    glare.spread(scene, 1.0)
    rows, columns = glare.glare.height, glare.glare.width
    found = np.frombuffer(glare.glare.read(), np.float32).reshape(rows, columns, 4)[..., :3]
    light = np.zeros((rows, columns, 3))
    light[:135, :200] = np.frombuffer(glare._light.read(), np.float16).reshape(135, 200, 4)[..., :3]
    point = light_of_a_point((rows, columns))
    for each in (scene, glare):
        each.release()
    assert point.sum() == pytest.approx(1.0)
    exact = np.fft.ifft2(np.fft.fft2(light, axes=(0, 1)) * np.fft.fft2(point)[..., None], axes=(0, 1)).real
    assert_close(found, exact)
    lone = np.zeros((rows, columns))
    lone[134, 199] = 1.0
    spread = np.fft.ifft2(np.fft.fft2(lone) * np.fft.fft2(point)).real
    assert spread[:70, :130].max() < 1e-12, "nothing comes round the edges"


def test_diffraction_spreads_light_at_full_resolution(ctx):
    lit = grey(0.002, (64, 36))
    lit[18, 32] = 60000.0
    plain, spread = developed(ctx, lit), developed(ctx, lit, diffraction=128)
    assert plain.shape == spread.shape
    # Streaks are thin: of places as far away, some get much more light. A small picture that is enlarged is smooth.
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    rows, columns = np.rint(18 + 5 * np.sin(angles)).astype(int), np.rint(32 + 5 * np.cos(angles)).astype(int)
    ring = spread[rows, columns].sum(axis=1)
    assert ring.max() > 1.5 * ring.min()
    assert spread[18, 32].min() > 240


def test_even_light_stays_even_under_diffraction(ctx):
    found = [developed(ctx, grey(0.18, (64, 36)), diffraction=diffraction) for diffraction in (0, 128)]
    assert abs(found[0] - found[1]).max() <= 2
