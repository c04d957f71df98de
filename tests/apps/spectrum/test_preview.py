"""Previews of what a mask leaves, compared with numpy in float64."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest
from support.pictures import upload

from glfft.apps.spectrum.preview import Preview, preview_size
from glfft.apps.spectrum.strokes import Stroke, full_mask, paint


@pytest.mark.parametrize("planes", [1, 3])
@pytest.mark.parametrize(("shape", "longest"), [((24, 33), 64), ((24, 33), 16), ((40, 12), 16)])
def test_a_preview_is_the_masked_picture(
    ctx: moderngl.Context, planes: int, shape: tuple[int, int], longest: int
) -> None:
    pictures = np.random.default_rng(0).random((planes, *shape))
    mask = full_mask(shape)
    paint(mask, Stroke("notch", ((3.0, 2.0),), radius=2.5))
    spectra = np.fft.fft2(pictures) * mask
    width, height = preview_size((shape[1], shape[0]), longest)
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
