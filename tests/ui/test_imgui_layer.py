"""Frames of a layer: they nest, and an exception leaves the layer usable."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

pytest.importorskip("imgui_bundle")

from glfft.ui.imgui_layer import ImguiLayer


def test_an_exception_in_a_panel_leaves_the_layer_usable(ctx, framebuffer):
    layer = ImguiLayer(ctx)
    with pytest.raises(ZeroDivisionError), layer.frame():
        raise ZeroDivisionError
    with layer.frame() as imgui:
        imgui.text("still here")
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
