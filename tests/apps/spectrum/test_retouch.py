"""A painted mask on the GPU: what is seen while a stroke is drawn, and after it, compared with numpy in float64."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
import pytest
from support.pictures import upload

from glfft.apps.spectrum import retouch as module
from glfft.apps.spectrum.retouch import Preview, Retouch, Sketch
from glfft.apps.spectrum.strokes import TOOLS, Stroke, paint

SHAPE = (24, 36)


def seen(retouch: Retouch) -> np.ndarray:
    width, height = retouch.picture.size
    return np.frombuffer(retouch.picture.read(), np.uint8).reshape(height, width, 4)[..., 0] / 255


def expected(plane: np.ndarray, sketch: Sketch) -> np.ndarray:
    return np.clip(np.fft.ifft2(np.fft.fft2(plane) * sketch.mask).real, 0, 1)


@pytest.mark.parametrize("prompt", [1e9, -1.0], ids=["full", "rough"])
def test_the_picture_follows_each_step(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, prompt: float) -> None:
    monkeypatch.setattr(module, "_PROMPT", prompt)
    monkeypatch.setattr(module, "_LONGEST", 16)
    plane = np.random.default_rng(0).random(SHAPE)
    spectrum = upload(ctx, np.fft.fft2(plane))
    sketch = Sketch(SHAPE)
    sketch.pen = replace(sketch.pen, radius=2.0)
    retouch = Retouch(ctx, sketch, 1)
    retouch.update([spectrum])
    assert not retouch.is_painted
    assert not retouch.update([spectrum])
    sketch.begin((3.0, 4.0))
    for point in ((5.0, 4.0), (6.0, -7.0), (11.0, 2.0)):
        sketch.extend(point)
        assert retouch.update([spectrum])
        assert retouch.is_painted
        mask = np.frombuffer(retouch.mask.read(), np.float32).reshape(SHAPE)
        assert np.array_equal(mask, sketch.mask)
        if prompt > 0:
            assert np.abs(seen(retouch) - expected(plane, sketch)).max() <= 0.51 / 255
        else:
            assert retouch.picture.size == (16, 16)
            assert seen(retouch).mean() == pytest.approx(plane.mean(), abs=0.02)
    sketch.end()
    retouch.update([spectrum])
    assert retouch.picture.size == SHAPE[::-1]
    assert np.abs(seen(retouch) - expected(plane, sketch)).max() <= 0.51 / 255
    sketch.undo()
    assert retouch.update([spectrum])
    assert not retouch.is_painted
    sketch.redo()
    retouch.update([spectrum])
    assert np.abs(seen(retouch) - expected(plane, sketch)).max() <= 0.51 / 255
    retouch.release()
    spectrum.release()


def test_what_is_prepared_serves_the_first_point(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PROMPT", 1e9)
    plane = np.random.default_rng(0).random(SHAPE)
    spectrum, sketch = upload(ctx, np.fft.fft2(plane)), Sketch(SHAPE)
    retouch = Retouch(ctx, sketch, 1)
    retouch.update([spectrum])
    sketch.begin((3.0, 4.0))
    # Made while a change waits to be sent.
    retouch.prepare([spectrum])
    assert not retouch.is_painted
    made = retouch.mask
    retouch.update([spectrum])
    retouch.prepare([spectrum])
    assert retouch.mask is made
    assert np.abs(seen(retouch) - expected(plane, sketch)).max() <= 0.51 / 255
    sketch.extend((5.0, 4.0))
    retouch.update([spectrum])
    assert np.abs(seen(retouch) - expected(plane, sketch)).max() <= 0.51 / 255
    retouch.release()
    spectrum.release()


@pytest.mark.parametrize("shape", [(24, 36), (15, 21), (8, 33)])
@pytest.mark.parametrize("tool", TOOLS[1:])
def test_a_stroke_that_follows_the_pen_is_seen_as_it_will_be_painted(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, tool: str, shape: tuple[int, int]
) -> None:
    monkeypatch.setattr(module, "_PROMPT", 1e9)  # at full size, however busy the machine is
    plane = np.random.default_rng(1).random(shape)
    spectrum, sketch = upload(ctx, np.fft.fft2(plane)), Sketch(shape)
    retouch = Retouch(ctx, sketch, 1)
    # The second one goes beyond the edge.
    for point in ((2.0, 3.0), (shape[0] / 2 - 1, -5.0), (0.0, 0.0)):
        sketch.pen = replace(sketch.pen, tool=tool, radius=4.0, softness=0.7)
        sketch.begin((1.0, -2.0))
        retouch.update([spectrum])
        sketch.extend(point)
        before = sketch.mask.copy()
        assert retouch.update([spectrum])
        assert not retouch.update([spectrum])
        followed = seen(retouch)
        assert np.array_equal(sketch.mask, before)
        sketch.end()
        retouch.update([spectrum])
        assert np.abs(followed - expected(plane, sketch)).max() <= 0.52 / 255
        assert np.abs(seen(retouch) - expected(plane, sketch)).max() <= 0.51 / 255
    retouch.release()
    spectrum.release()


def test_without_a_gpu_the_first_preview_of_a_large_picture_is_rough(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_SOFTWARE_PIXEL", 1.0)
    monkeypatch.setattr(module, "_LONGEST", 16)
    monkeypatch.setattr(module, "is_software", lambda _: True)
    spectrum, sketch = upload(ctx, np.fft.fft2(np.random.default_rng(0).random(SHAPE))), Sketch(SHAPE)
    retouch = Retouch(ctx, sketch, 1)
    sketch.begin((3.0, 4.0))
    retouch.update([spectrum])
    assert retouch.picture.size == (16, 16)
    sketch.end()
    retouch.update([spectrum])
    assert retouch.picture.size == SHAPE[::-1]
    retouch.release()
    spectrum.release()


@pytest.mark.parametrize("planes", [1, 3])
@pytest.mark.parametrize(("shape", "longest"), [((24, 33), 64), ((24, 33), 16), ((40, 12), 16)])
def test_a_preview_is_the_masked_picture(
    ctx: moderngl.Context, planes: int, shape: tuple[int, int], longest: int
) -> None:
    pictures = np.random.default_rng(0).random((planes, *shape))
    mask = np.ones(shape, np.float32)
    paint(mask, Stroke("notch", ((3.0, 2.0),), radius=2.5))
    spectra = np.fft.fft2(pictures) * mask
    width, height = min(shape[1], longest), min(shape[0], longest)
    rows = np.fft.fftfreq(height, 1 / height).astype(int)
    columns = np.fft.fftfreq(width, 1 / width).astype(int)
    small = spectra[:, rows[:, None], columns[None, :]] * (width * height / (shape[0] * shape[1]))
    expected = np.clip(np.fft.ifft2(small).real, 0, 1)

    preview = Preview(ctx, (width, height), planes)
    textures = [upload(ctx, np.fft.fft2(picture)) for picture in pictures]
    mask_texture = ctx.texture((shape[1], shape[0]), 1, mask.tobytes(), dtype="f4", alignment=1)
    preview.draw(textures, mask_texture)
    pixels = np.frombuffer(preview.picture.read(), np.uint8).reshape(height, width, 4) / 255
    for texture in (*textures, mask_texture):
        texture.release()
    preview.release()
    for band in range(3):
        # Half a level of rounding.
        assert np.abs(pixels[..., band] - expected[min(band, planes - 1)]).max() <= 0.51 / 255
