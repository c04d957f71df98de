"""The cached layer: it looks as drawn directly, and clears no more than it is asked to."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest
from support.drawing import BACKGROUND, SIZE, changed, pixels, release, run
from support.gl_objects import strange_samplers

from glfft.overlay import Overlay

pytest.importorskip("imgui_bundle")

from glfft.overlay import CachedLayer
from glfft.ui.imgui_layer import ImguiLayer


@pytest.mark.parametrize("shared", [False, True], ids=["alone", "shared"])
@pytest.mark.parametrize("corner", ["top-left", "bottom-right"])
def test_from_its_cached_layer_it_looks_as_drawn_directly(ctx, profiler, framebuffer, shared, corner):
    backdrop = ctx.texture(SIZE, 4)
    target = ctx.framebuffer([backdrop])
    noise = np.random.default_rng(1).integers(0, 256, (SIZE[1], SIZE[0], 4), np.uint8)
    noise[..., 3] = 255
    layer = ImguiLayer(ctx)
    with Overlay(ctx, profiler, corner=corner, layer=layer if shared else None) as overlay:
        run(profiler, framebuffer, overlay, frames=12, draw=not shared)
        overlay.refresh()
        for _ in range(2):
            backdrop.write(noise)
            if shared:
                with layer.frame(target):
                    overlay.draw()
            else:
                overlay.render(target)
        cached = pixels(target)[..., :3].astype(int)
        # Directly it is drawn in the upper left corner.
        left, top = overlay._place(SIZE)
        backdrop.write(np.roll(noise, (top, -left), axis=(0, 1)))
        with layer.frame(target):
            overlay._panel.draw(layer)
        direct = pixels(target)[..., :3].astype(int)
        width, height = overlay._panel.size
    layer.release()
    try:
        around = np.abs(cached - noise[::-1, :, :3])
        assert (around[top : top + height, left : left + width].max(axis=-1) > 3).mean() > 0.9
        # A shape on the panel: in the cached layer both round colour and alpha by half a level, drawn directly colour
        # alone, and the last blend rounds by half a level: 3.5 in all.
        apart = np.abs(cached[top : top + height, left : left + width] - direct[:height, :width])
        assert apart.max() <= 3
        assert (apart > 2).mean() < 1e-3
    finally:
        release(ctx, target)


def test_a_sampler_left_on_its_unit_does_not_disturb_it(ctx, profiler, framebuffer):
    """It may ask for mipmaps, which the cached layer does not have."""
    with Overlay(ctx, profiler) as overlay:
        run(profiler, framebuffer, overlay, frames=12)
        overlay._seconds_apart = 1e3
        overlay.refresh()
        overlay.render()
        pictures = []
        for left in (nullcontext(), strange_samplers(ctx)):
            framebuffer.clear(*BACKGROUND)
            with left:
                overlay.render()
            pictures.append(pixels(framebuffer))
    assert np.array_equal(*pictures)


def test_clearing_part_of_a_cached_layer_leaves_the_program_its_scissor(ctx, framebuffer):
    cached = CachedLayer(ctx)
    framebuffer.clear(*BACKGROUND)
    target = cached.cleared((60, 50))
    target.clear(1.0, 1.0, 1.0, 1.0)
    framebuffer.scissor = (16, 16, 40, 30)
    cached.cleared((60, 50), (10, 5, 30, 25))
    framebuffer.clear(1.0, 0.0, 0.0)
    framebuffer.scissor = None
    assert changed(framebuffer).sum() == 40 * 30
    empty = np.frombuffer(target.read(components=4), np.uint8).reshape(50, 60, 4)[::-1].max(axis=-1) == 0
    assert empty[5:25, 10:30].all()
    assert empty.sum() == 20 * 20
    cached.release()
