"""The scan in a window: the board, and keys and mouse for the channel that is looked at."""

from __future__ import annotations

from contextlib import ExitStack

import glfw

from glfft.apps import boards
from glfft.apps.channelizer.board import Board
from glfft.apps.channelizer.scan import Scan, ScanSettings
from glfft.ui.imgui_layer import ImguiLayer
from glfft.ui.window import Window

KEYS = "left, right, click: channel   Space: pause   Escape: quit"

# Of a frame, for the signal.
_SECONDS = 0.012
# Channels that Shift and an arrow go.
_FAR = 8


def show(settings: ScanSettings, size: tuple[int, int], frames: int | None = None) -> None:
    """Open a window and scan until it is closed.

    Args:
        settings: what is scanned.
        size: of the window in screen units.
        frames: close after so many; None leaves it to the user.

    Raises:
        DisplayError: there is no display.
        MissingExtraError: imgui-bundle is not installed (extra `ui`).
        GlfftError: see `Scan`.
    """
    with Window("glfft demo channelizer", size) as window, ExitStack() as stack:
        _Show(window, settings, stack).run(frames)


class _Show:
    """The state of one window."""

    def __init__(self, window: Window, settings: ScanSettings, stack: ExitStack) -> None:
        self._window = window
        self._layer = ImguiLayer(window.ctx, window)
        stack.callback(self._layer.release)
        self.scan = stack.enter_context(Scan(window.ctx, settings))
        self._board = Board(window.ctx, self._layer, self.scan)
        stack.callback(self._board.release)
        self.paused = False
        window.on_key(self._on_key)

    def run(self, frames: int | None) -> None:
        """Scan and draw until closed."""
        print(KEYS)
        boards.show(self._window, self._layer, self._step, self._board.draw, frames)

    def _step(self) -> None:
        self._follow_mouse()
        if not self.paused:
            self.scan.step(_SECONDS)
        self._board.update()

    def _follow_mouse(self) -> None:
        window = self._window
        if window.is_mouse_down(glfw.MOUSE_BUTTON_LEFT):
            # In screen units, of which a dense display has several pixels each.
            across = window.size[0] / max(glfw.get_window_size(window.handle)[0], 1)
            x, y = window.cursor
            place = self._board.place_at(x * across, y * across, window.size)
            if place is not None:
                self.scan.watch(place)

    def _on_key(self, key: int, modifiers: int) -> None:
        if key == glfw.KEY_ESCAPE:
            self._window.close()
        elif key == glfw.KEY_SPACE:
            self.paused = not self.paused
        elif key in (glfw.KEY_LEFT, glfw.KEY_RIGHT):
            far = _FAR if modifiers & glfw.MOD_SHIFT else 1
            self.scan.watch(self.scan.watched + (far if key == glfw.KEY_RIGHT else -far))
