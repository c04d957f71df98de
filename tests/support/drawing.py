"""A framebuffer to draw on, frames drawn with the overlay, and what they changed."""

from __future__ import annotations

import numpy as np
import pytest

from glfft.profiling.profiler import Profiler

SIZE = (640, 400)
BACKGROUND = (0.2, 0.4, 0.6, 1.0)


@pytest.fixture
def framebuffer(ctx):
    made = ctx.framebuffer([ctx.renderbuffer(SIZE, 4)])
    made.use()
    yield made
    release(ctx, made)


def release(ctx, framebuffer):
    """Free a framebuffer and its attachments; moderngl goes on binding a deleted one, so another is bound first."""
    ctx.detect_framebuffer(0).use()
    for attachment in (*framebuffer.color_attachments, framebuffer.depth_attachment):
        if attachment is not None:
            attachment.release()
    framebuffer.release()


@pytest.fixture
def profiler(ctx):
    with Profiler(ctx) as made:
        yield made


def run(profiler, framebuffer, overlay, frames=4, names=("waves", "scene"), draw=True):
    """Draw frames with the overlay. Each is recorded before the next one begins, on a GPU too."""
    for _ in range(frames):
        with profiler.frame():
            framebuffer.clear(*BACKGROUND[:3], BACKGROUND[3])
            for name in names:
                with profiler.section(name):
                    sum(range(20000))
            if draw:
                overlay.render()
        profiler.drain()


def pixels(framebuffer):
    """Rows from the top, RGBA."""
    data = np.frombuffer(framebuffer.read(components=4), np.uint8)
    return data.reshape(framebuffer.height, framebuffer.width, 4)[::-1]


def changed(framebuffer):
    plain = np.round(np.array(BACKGROUND) * 255)
    return np.abs(pixels(framebuffer)[..., :3].astype(int) - plain[:3]).max(axis=-1) > 3
