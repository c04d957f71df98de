"""What the windows of programs share: keys, a panel and the profiler's overlay over a picture, screenshots."""

import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import glfw
import numpy as np
from numpy.typing import NDArray

from glfft.apps.picture_files import save_picture
from glfft.errors import ContextError, LimitError, MissingExtraError, OutputError
from glfft.files import next_screenshot
from glfft.gl.releasable import release_all
from glfft.overlay import HIDDEN, OPEN, VIEWS, Overlay
from glfft.profiling.profiler import Profiler
from glfft.ui.imgui_layer import ImguiLayer
from glfft.ui.widgets import following
from glfft.ui.window import Window


@dataclass(kw_only=True)
class WindowControls:
    """What the user has asked for by keys or in the panel; the window's loop does it."""

    panel: bool = True
    overlay: str = OPEN  # how the overlay is shown: one of its VIEWS
    paused: bool = False
    screenshot: bool = False  # wanted; set back when it is taken
    message: str = ""  # what became of the last request, or ""

    def actions(self) -> dict[int, Callable[[], object]]:
        """What keys do, by their GLFW codes."""
        put = partial(setattr, self)
        return {
            glfw.KEY_SPACE: partial(put, "paused", not self.paused),
            glfw.KEY_H: partial(put, "panel", not self.panel),
            glfw.KEY_O: partial(put, "overlay", following(VIEWS, self.overlay)),
            glfw.KEY_P: partial(put, "screenshot", True),
        }

    def press(self, key: int, _modifiers: int = 0) -> None:
        self.actions().get(key, lambda: None)()


class ProgramWindow:
    """Escape closes, F11 fills the screen, `_press` has other keys. `_layer` is None, with a note, without ImGui."""

    _layer: ImguiLayer | None = None
    _overlay: Overlay | None = None

    def __init__(
        self, name: str, window: Window, controls: WindowControls, stack: ExitStack, corner: str = "top-left"
    ) -> None:
        self._name, self._window, self._controls, self._corner = name, window, controls, corner
        self._profiler = stack.enter_context(Profiler(window.ctx))
        stack.callback(self._release_panel)
        self._make_panel()
        window.on_key(self._on_key)

    def _on_key(self, key: int, modifiers: int) -> None:
        own = {glfw.KEY_ESCAPE: self._window.close, glfw.KEY_F11: self._window.toggle_full_screen}
        own.get(key, partial(self._press, key, modifiers))()

    def _press(self, key: int, modifiers: int) -> None:
        self._controls.press(key, modifiers)

    def _draw_over(self, draw_panel: Callable[[Any, float], object]) -> None:
        """Draw the overlay and, by `imgui` and the layer's scale, the panel over the picture, in a profiler's frame."""
        ctx, window = self._window.ctx, self._window
        if self._layer is not None and self._layer.scale != window.content_scale:
            # The window has come to a display with larger or smaller pixels.
            self._release_panel()
            self._make_panel()
        if self._layer is None or self._overlay is None:
            return
        ctx.screen.use()
        with self._profiler.section("overlay"), self._layer.frame(ctx.screen, window.size) as imgui:
            self._overlay.view = self._controls.overlay
            self._overlay.draw()
            draw_panel(imgui, self._layer.scale)

    def _save_screenshot(self, picture: Callable[[], NDArray[np.uint8]]) -> None:
        """Write the picture that a function draws into the folder out, and tell where or why not."""
        controls = self._controls
        controls.screenshot = False
        try:
            path = next_screenshot(Path("out"), self._name)
            save_picture(path, picture())
            controls.message = f"Wrote {path}."
            print(path)
        except (OutputError, LimitError, ContextError) as error:
            controls.message = str(error)
            print(f"glfft {self._name}: {error}", file=sys.stderr)

    def _make_panel(self) -> None:
        try:
            self._layer = ImguiLayer(self._window.ctx, self._window)
            self._overlay = Overlay(self._window.ctx, self._profiler, layer=self._layer, corner=self._corner)
        except MissingExtraError as error:
            note = "Until then there are keys alone, without panel and overlay."
            print(f"glfft {self._name}: {error} {note}", file=sys.stderr)

    def _release_panel(self) -> None:
        release_all(each for each in (self._overlay, self._layer) if each is not None)


def overlay_box(imgui: Any, view: str) -> str:
    """A box to show or hide the overlay; returns how it is shown after it, one of its VIEWS."""
    changed, shown = imgui.checkbox("overlay", view != HIDDEN)
    return view if not changed else OPEN if shown else HIDDEN
