"""The renderer of Dear ImGui: its textures, and the message when it is not installed."""

from __future__ import annotations

import sys

import pytest
from support.drawing import pixels
from support.gl_objects import strange_samplers

from glfft.errors import MissingExtraError
from glfft.overlay import Overlay

pytest.importorskip("imgui_bundle")

from glfft.ui.imgui_layer import ImguiLayer


def test_new_glyphs_are_added_as_they_are_first_used(ctx, framebuffer):
    """The atlas is filled on demand: text in sizes and letters not seen before must show."""
    layer = ImguiLayer(ctx)
    for number in range(30):
        framebuffer.clear(0.0, 0.0, 0.0, 1.0)
        with layer.frame() as imgui:
            imgui.get_foreground_draw_list().add_text(
                layer.font, 20.0 + 4 * number, (5, 5), 0xFFFFFFFF, f"Äg{chr(ord('A') + number % 26)}"
            )
        assert pixels(framebuffer)[..., 0].max() == 255, f"text {number} did not show"
    layer.release()


def test_words_show_whatever_sampler_is_left_on_their_unit(ctx, framebuffer):
    layer = ImguiLayer(ctx)
    framebuffer.clear(0.0, 0.0, 0.0, 1.0)
    with strange_samplers(ctx), layer.frame() as imgui:
        imgui.get_foreground_draw_list().add_text((5, 5), 0xFFFFFFFF, "waves")
    assert pixels(framebuffer)[..., 0].max() == 255
    layer.release()


def test_without_imgui_the_message_names_the_extra(ctx, profiler, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("imgui_bundle")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "imgui_bundle", None)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[ui\]'"):
        Overlay(ctx, profiler)
