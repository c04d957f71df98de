"""Shapes on a draw list: they lie where they are put, in units of the scale."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("imgui_bundle")

from support.drawing import SIZE, pixels

from glfft.overlay.shapes import Box, Canvas, Colour
from glfft.ui.imgui_layer import ImguiLayer

WHITE = Colour(255, 255, 255)


@pytest.fixture
def drawn(ctx, framebuffer):
    """Draws on a canvas at (40, 30) with a scale, and gives the rows and columns that are not black any more."""
    layer = ImguiLayer(ctx)

    def draw(scale, shapes):
        framebuffer.clear()
        with layer.frame(framebuffer, SIZE):
            shapes(Canvas(layer, scale, 40, 30))
        lit = pixels(framebuffer)[..., :3].max(axis=-1) > 40
        return (*np.flatnonzero(lit.any(axis=1))[[0, -1]].tolist(), *np.flatnonzero(lit.any(axis=0))[[0, -1]].tolist())

    yield draw
    layer.release()


@pytest.mark.parametrize("scale", [1, 2])
def test_a_box_covers_its_pixels_and_no_more_than_it_is_clipped_to(drawn, scale):
    assert drawn(scale, lambda canvas: canvas.box(5, 7, 20, 10, WHITE)) == (
        30 + 7 * scale,
        30 + 17 * scale - 1,
        40 + 5 * scale,
        40 + 25 * scale - 1,
    )

    def clipped(canvas):
        with canvas.clipped(Box(0, 0, 10, 12)):
            canvas.box(5, 7, 20, 10, WHITE)

    assert drawn(scale, clipped)[1::2] == (30 + 12 * scale - 1, 40 + 10 * scale - 1)


def test_words_begin_end_and_are_cut_off_where_they_should(drawn):
    assert abs(drawn(1, lambda canvas: canvas.text(10, 0, "frame", 14, WHITE))[2] - 50) <= 2
    assert abs(drawn(2, lambda canvas: canvas.text(10, 0, "frame", 14, WHITE))[2] - 60) <= 3
    assert abs(drawn(1, lambda canvas: canvas.text_right(100, 0, "frame", 14, WHITE))[3] - 140) <= 2
    assert abs(drawn(1, lambda canvas: canvas.text_right(100, 0, "12.34", 14, WHITE, number=True))[3] - 140) <= 2
    for scale in (1, 2):
        right = drawn(scale, lambda canvas: canvas.text_within(0, 0, 30, "frame " * 9, 14, WHITE))[3]
        assert 40 + 20 * scale < right < 40 + 30 * scale


@pytest.mark.parametrize(("words", "escaped"), [("t\udcf6ne", "t\\udcf6ne"), ("\u03bb \udcff", "\u03bb \\udcff")])
def test_words_that_are_no_text_are_escaped(drawn, words, escaped):
    def right(words):
        return drawn(1, lambda canvas: canvas.text_right(300, 0, words, 14, WHITE))

    def within(words):
        return drawn(1, lambda canvas: canvas.text_within(0, 0, 300, words, 14, WHITE))

    assert right(words) == right(escaped)
    assert within(words) == within(escaped)
