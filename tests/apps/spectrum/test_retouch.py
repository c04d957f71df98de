"""A painted mask on the GPU: what is seen while a stroke is drawn, and after it."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
import pytest
from support.pictures import upload

from glfft.apps.spectrum import retouch as module
from glfft.apps.spectrum.retouch import Retouch
from glfft.apps.spectrum.sketch import Sketch

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
