"""Glare over pictures: light is kept and not made, stays on its side, and is what scipy convolves."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import signal
from support.gl_objects import live_objects
from support.profiling import Recorder
from support.tolerances import LIGHT, assert_close, half_db

from glfft import Plan
from glfft.apps.bloom.sources import download, upload
from glfft.apps.glare.glare import Glare
from glfft.apps.glare.lens import Lens
from glfft.apps.ocean.screen_pass import radiance_texture
from glfft.convolution import Convolution
from glfft.errors import LimitError

# As in tests of bloom, so that the transforms are the same programs.
WIDTH, HEIGHT, SIDE, DETAIL = 96, 54, 31, 128
LENS = Lens(blades=5, dust=80, f_number=128.0)


@pytest.fixture(scope="module")
def glare(ctx):
    with Glare(ctx, (WIDTH, HEIGHT), SIDE, DETAIL) as made:
        made.use(LENS)
        yield made


def with_glare(ctx, glare, picture, strength=1.0):
    source, target = upload(ctx, picture), radiance_texture(ctx, (WIDTH, HEIGHT))
    glare.strength = strength
    glare.add(source, target)
    found = download(target).astype(float)
    source.release()
    target.release()
    return found


def lights(seed=0, margin=SIDE // 2 + 1):
    """Lamps away from the borders, black around them."""
    random = np.random.default_rng(seed)
    picture = np.zeros((HEIGHT, WIDTH, 3), np.float32)
    inner = picture[margin : HEIGHT - margin, margin : WIDTH - margin]
    inner[:] = 50 * random.random(inner.shape) ** 8
    return picture


def kernel_of(glare):
    kernel = np.frombuffer(glare.kernel.texture.read(), np.float32).reshape(3, SIDE, SIDE).astype(float)
    return kernel, np.frombuffer(glare.kernel.core.read(), np.float32)[:3].astype(float)


@pytest.mark.parametrize("strength", [0.5, 1.0, 3.0, 1000.0])
def test_light_is_kept(ctx, glare, strength):
    picture = lights()
    found = with_glare(ctx, glare, picture, strength)
    assert (found >= 0).all()
    np.testing.assert_allclose(found.mean(axis=(0, 1)), picture.mean(axis=(0, 1)), rtol=LIGHT / 10)


def test_even_light_stays_as_it_is(ctx, glare):
    found = with_glare(ctx, glare, np.full((HEIGHT, WIDTH, 3), 0.5, np.float32))
    # At the edges too.
    np.testing.assert_allclose(found, 0.5, rtol=2e-3)


def test_no_light_leaves_at_the_edges(ctx, glare):
    picture = (np.random.default_rng(8).random((HEIGHT, WIDTH, 3)) ** 6 * 90).astype(np.float32)
    picture[0, 5], picture[-1, -1] = 3000.0, 5000.0
    found = with_glare(ctx, glare, picture, 2.0)
    np.testing.assert_allclose(found.mean(axis=(0, 1)), picture.mean(axis=(0, 1)), rtol=2e-3)


@pytest.mark.parametrize("strength", [0.3, 1.0, 1.4])
def test_it_is_the_convolution_with_the_kernel(ctx, glare, strength):
    picture = np.random.default_rng(3).random((HEIGHT, WIDTH, 3)).astype(np.float32)
    kernel, core = kernel_of(glare)
    halves = picture.astype(np.float16).astype(float)

    def sent(light):
        spread = [signal.fftconvolve(light[..., channel], kernel[channel], "same") for channel in range(3)]
        return np.stack(spread, axis=-1)

    stays = 1 - strength * sent(np.ones_like(halves))
    np.testing.assert_allclose(stays[HEIGHT // 2, WIDTH // 2], 1 - strength * (1 - core), atol=1e-5)
    expected = halves * stays + strength * sent(halves)
    assert_close(with_glare(ctx, glare, picture, strength), expected, half_db(3))


def test_without_strength_nothing_changes(ctx, glare):
    picture = lights(1)
    np.testing.assert_array_equal(with_glare(ctx, glare, picture, 0.0), picture.astype(np.float16))


def test_nothing_comes_in_at_the_other_side(ctx, glare):
    picture = np.zeros((HEIGHT, WIDTH, 3), np.float32)
    picture[2, 1], picture[-1, 24] = 60000.0, 60000.0
    found = with_glare(ctx, glare, picture)
    assert found[:, WIDTH // 2 :].max() < 0.02
    assert found[2, 4].max() > 0.2


def test_what_is_no_light_spoils_no_neighbour(ctx, glare):
    picture = lights(2)
    source, target = upload(ctx, picture), radiance_texture(ctx, (WIDTH, HEIGHT))
    texels = np.frombuffer(source.read(), np.float16).reshape(HEIGHT, WIDTH, 4).copy()
    texels[40, 60, :3], texels[50, 70, :3] = np.nan, -np.inf
    source.write(texels.tobytes())
    glare.strength = 1.0
    glare.add(source, target)
    assert np.isfinite(download(target)).all()
    source.release()
    target.release()


def test_alpha_is_kept(ctx, glare):
    source, target = upload(ctx, lights()), radiance_texture(ctx, (WIDTH, HEIGHT))
    texels = np.frombuffer(source.read(), np.float16).reshape(HEIGHT, WIDTH, 4).copy()
    texels[..., 3] = np.linspace(0, 1, WIDTH)
    source.write(texels.tobytes())
    glare.add(source, target)
    found = np.frombuffer(target.read(), np.float16).reshape(HEIGHT, WIDTH, 4)
    np.testing.assert_array_equal(found[..., 3], texels[..., 3])
    source.release()
    target.release()


def test_a_profiler_sees_each_pass(ctx, glare):
    recorder, picture, target = Recorder(), upload(ctx, lights()), radiance_texture(ctx, (WIDTH, HEIGHT))
    glare.add(picture, target, recorder)
    texels = WIDTH * HEIGHT
    names = list(recorder.seen)
    assert names == ["split", "rows 1", "columns", "rows 2", "merge"]
    # Pictures have four half floats a texel, light of colours three. The convolution works on more, float32.
    assert recorder.seen["split"] == (8 + 6) * texels
    assert recorder.seen["merge"] == (8 + 6 + 6 + 8) * texels
    assert min(recorder.seen[name] for name in names[1:4]) > (4 + 6) * texels
    glare.use(LENS, recorder)
    assert [*recorder.seen][5:] == ["kernel", "even", "even/rows 1", "even/columns", "even/rows 2"]
    picture.release()
    target.release()


@pytest.mark.parametrize("failing", [Convolution, Plan])
@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_without_room_for_all_of_it_nothing_is_left(ctx, monkeypatch, failing):
    def fail(*_, **__):
        raise LimitError("It is too large for the device.")

    before = live_objects(ctx)
    monkeypatch.setattr(f"glfft.apps.glare.glare.{failing.__name__}", fail)
    with pytest.raises(LimitError):
        Glare(ctx, (WIDTH, HEIGHT), SIDE, DETAIL)
    after = live_objects(ctx)
    assert (after["Texture"], after["Framebuffer"]) == (before["Texture"], before["Framebuffer"])
