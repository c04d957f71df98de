"""The mouse in the window of `glfft spectrum --show`: it paints on the spectrum, zooms and moves both pictures."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import glfw

from glfft.apps.spectrum.panes import Pane
from glfft.apps.spectrum.viewer import Viewer

_ZOOM = 1.25  # a notch of the wheel
_MOVING = (glfw.MOUSE_BUTTON_RIGHT, glfw.MOUSE_BUTTON_MIDDLE)


class Mouse:
    """Turns what the mouse does into strokes, zoom and movement. Pixels are those of the framebuffer.

    Args:
        viewer: what it acts on.
        is_taken: whether the mouse belongs to something else, such as a panel over the pictures.
    """

    def __init__(self, viewer: Viewer, is_taken: Callable[[], bool] = lambda: False) -> None:
        self._viewer = viewer
        self._is_taken = is_taken
        self._pixel = (-1.0, -1.0)
        self._painted: int | None = None  # the pane's place among the viewer's, whose size may change
        self._moved: str | None = None
        self._restored_before = False
        self._holds_original = False

    def listen(self, handle: Any) -> None:
        """Take the events of a GLFW window."""

        def pixel(x: float, y: float) -> tuple[float, float]:
            # On macOS and Wayland a window's units may be several pixels.
            units, pixels = glfw.get_window_size(handle), glfw.get_framebuffer_size(handle)
            return x * pixels[0] / max(1, units[0]), y * pixels[1] / max(1, units[1])

        def on_button(_handle: Any, button: int, action: int, modifiers: int) -> None:
            self.button(button, action == glfw.PRESS, modifiers)

        glfw.set_cursor_pos_callback(handle, lambda _handle, x, y: self.move(pixel(x, y)))
        glfw.set_mouse_button_callback(handle, on_button)
        glfw.set_scroll_callback(handle, lambda _handle, _x, y: self.scroll(y))

    def button(self, button: int, pressed: bool, modifiers: int = 0) -> None:
        """A button went down or up: left paints on a spectrum (with Shift it brings back) and shows the original while
        it is held on the picture; right or middle moves.
        """
        if not pressed:
            self._release(button)
            return
        pane = None if self._is_taken() else self._viewer.pane_at(self._pixel)
        if pane is None or self._viewer.view.view == "radial":
            return
        if button in _MOVING:
            self._moved = pane.kind
        elif button == glfw.MOUSE_BUTTON_LEFT and pane.kind == "picture":
            self._viewer.compares = self._holds_original = True
        elif button == glfw.MOUSE_BUTTON_LEFT:
            sketch = self._viewer.retouch.sketch
            self._restored_before = sketch.pen.restores
            sketch.pen = replace(sketch.pen, restores=sketch.pen.restores != bool(modifiers & glfw.MOD_SHIFT))
            sketch.begin(self._frequency(pane))
            self._painted = self._viewer.panes.index(pane)

    def move(self, pixel: tuple[float, float]) -> None:
        """The mouse is at another pixel."""
        before, self._pixel = self._pixel, pixel
        viewer = self._viewer
        pane = None if self._is_taken() else viewer.pane_at(pixel)
        if pane is not None and pane.kind == self._moved:
            (x, y), (u, v) = pane.place(pixel), pane.place(before)
            viewer.show_part(pane.kind, pane.part.moved(x - u, y - v))
        over = pane if pane is not None and pane.kind == "spectrum" else None
        if self._painted is not None:
            over = viewer.panes[self._painted] if self._painted < len(viewer.panes) else None
            if over is not None:
                viewer.retouch.sketch.extend(self._frequency(over))
        viewer.cursor = self._frequency(over) if over is not None else None

    def scroll(self, notches: float) -> None:
        """The wheel was turned: zoom around the mouse."""
        pane = None if self._is_taken() else self._viewer.pane_at(self._pixel)
        if pane is not None:
            self._viewer.show_part(pane.kind, pane.part.zoomed(_ZOOM**notches, pane.place(self._pixel)))

    def _release(self, button: int) -> None:
        if button in _MOVING:
            self._moved = None
        elif button == glfw.MOUSE_BUTTON_LEFT:
            if self._holds_original:
                self._viewer.compares = self._holds_original = False
            if self._painted is not None:
                sketch = self._viewer.retouch.sketch
                sketch.end()
                sketch.pen = replace(sketch.pen, restores=self._restored_before)
                self._painted = None

    def _frequency(self, pane: Pane) -> tuple[float, float]:
        return pane.frequency(self._pixel, self._viewer.size, self._viewer.view.shift)
