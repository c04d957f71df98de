"""Frames of a layer: they nest, and an exception leaves the layer usable."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("imgui_bundle")

from glfft.errors import OptionError
from glfft.ui.imgui_layer import ImguiLayer


def test_an_exception_in_a_panel_leaves_the_layer_usable(ctx, framebuffer):
    layer = ImguiLayer(ctx)
    with pytest.raises(ZeroDivisionError), layer.frame():
        raise ZeroDivisionError
    with layer.frame() as imgui:
        imgui.text("still here")
    layer.release()


def test_scales_and_framebuffers_of_which_imgui_makes_nothing_are_refused(ctx, framebuffer):
    for scale in (0.1, 1e30, "2"):
        with pytest.raises(OptionError, match=r"must be a number from 0\.25 to 100"):
            ImguiLayer(ctx, scale=scale)  # pyright: ignore[reportArgumentType]
    with ImguiLayer(ctx, scale=0.25) as layer:
        with layer.frame(framebuffer) as imgui:
            imgui.text("small")
        mistakes: Any = (((ctx,), "framebuffer is"), ((framebuffer, (8, 8.5)), "size is"))
        for wrong, wanted in mistakes:
            with pytest.raises(OptionError, match=wanted), layer.frame(*wrong):
                pass


def test_an_exception_between_begin_and_end_is_the_one_that_arrives(ctx, framebuffer, capfd):
    layer = ImguiLayer(ctx)

    def interrupt(imgui):
        imgui.begin("panel")
        imgui.push_item_width(90.0)
        raise KeyboardInterrupt

    for _ in range(2):  # an assertion in its place would not end a program as Ctrl-C should
        with pytest.raises(KeyboardInterrupt), layer.frame() as imgui:
            interrupt(imgui)
    with pytest.raises(RuntimeError, match="Missing End"), layer.frame() as imgui:
        imgui.begin("a mistake of the program is told")
    layer.release()
    assert capfd.readouterr() == ("", "")


def test_numbers_can_be_read_on_the_grip_of_a_slider(ctx, framebuffer):
    def luminance(colour):
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (colour.x, colour.y, colour.z)]
        return 0.05 + float(np.dot(linear, (0.2126, 0.7152, 0.0722)))

    layer = ImguiLayer(ctx)
    with layer.frame() as imgui:
        colours, names = imgui.get_style(), imgui.Col_
        text = luminance(colours.color_(names.text))
        for name in (names.slider_grab, names.slider_grab_active):
            assert text / luminance(colours.color_(name)) >= 3, name  # the least contrast that WCAG allows large text
    layer.release()


def test_another_layers_frame_goes_on_whatever_this_one_does(ctx, framebuffer, monkeypatch):
    def no_input():
        raise ZeroDivisionError

    outer = ImguiLayer(ctx)
    with outer.frame() as imgui:
        context = imgui.get_current_context()
        inner = ImguiLayer(ctx)
        assert imgui.get_current_context() is context
        with inner.frame():
            assert imgui.get_current_context() is not context
        assert imgui.get_current_context() is context
        with pytest.raises(ZeroDivisionError), inner.frame():
            raise ZeroDivisionError
        assert imgui.get_current_context() is context
        # Before its own frame begins.
        with monkeypatch.context() as patch:
            patch.setattr(inner, "_input", SimpleNamespace(poll=no_input))
            with pytest.raises(ZeroDivisionError), inner.frame():
                pass
        assert imgui.get_current_context() is context
        with inner.frame():
            imgui.text("once more")
        inner.release()
        assert imgui.get_current_context() is context
        imgui.text("still here")
    outer.release()
