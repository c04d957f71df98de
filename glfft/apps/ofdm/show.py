"""The link in a window: the board, and keys for what the link depends on."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import glfw

from glfft.apps import boards
from glfft.apps.ofdm.board import Board
from glfft.apps.ofdm.reception import Reception
from glfft.apps.ofdm.settings import CHANNELS, HIGHEST_DB, LOWEST_DB, WIDTHS, LinkSettings
from glfft.errors import GlfftError
from glfft.ui.imgui_layer import ImguiLayer
from glfft.ui.window import Window

KEYS = "up, down: Eb/N0   C: channel   W, Shift+W: width of samples   Space: pause   Escape: quit"

# Of a frame, for receiving.
_SECONDS = 0.012
_DB = 0.5


def show(settings: LinkSettings, size: tuple[int, int], frames: int | None = None) -> None:
    """Open a window and receive until it is closed.

    Args:
        settings: what to start with.
        size: of the window in screen units.
        frames: close after so many; None leaves it to the user.

    Raises:
        DisplayError: there is no display.
        MissingExtraError: imgui-bundle is not installed (extra `ui`).
        GlfftError: see `Reception`.
    """
    with Window("glfft demo ofdm", size) as window, ExitStack() as stack:
        _Show(window, settings, stack).run(frames)


class _Show:
    """The state of one window."""

    def __init__(self, window: Window, settings: LinkSettings, stack: ExitStack) -> None:
        self._window = window
        self._layer = ImguiLayer(window.ctx, window)
        stack.callback(self._layer.release)
        self.reception = stack.enter_context(Reception(window.ctx, settings))
        self._board = Board(window.ctx, self._layer)
        stack.callback(self._board.release)
        self.paused = False
        window.on_key(self._on_key)

    def run(self, frames: int | None) -> None:
        """Receive and draw until closed."""
        print(KEYS)
        boards.show(self._window, self._layer, self._step, self._draw, frames)

    def _step(self) -> None:
        if not self.paused:
            self.reception.step(_SECONDS)
            self._board.update(self.reception)

    def _draw(self, size: tuple[int, int], device: str) -> None:
        self._board.draw(self.reception, size, device, KEYS)

    def _on_key(self, key: int, modifiers: int) -> None:
        settings = self.reception.settings
        if key == glfw.KEY_ESCAPE:
            self._window.close()
        elif key == glfw.KEY_SPACE:
            self.paused = not self.paused
        elif key in (glfw.KEY_UP, glfw.KEY_DOWN):
            db = settings.bit_energy_db + (_DB if key == glfw.KEY_UP else -_DB)
            self._configure(bit_energy_db=min(max(db, LOWEST_DB), HIGHEST_DB))
        elif key == glfw.KEY_C:
            self._configure(channel=CHANNELS[(CHANNELS.index(settings.channel) + 1) % len(CHANNELS)])
        elif key == glfw.KEY_W:
            step = -1 if modifiers & glfw.MOD_SHIFT else 1
            self._configure(samples=WIDTHS[(WIDTHS.index(settings.samples) + step) % len(WIDTHS)])

    def _configure(self, **changes: Any) -> None:
        try:
            self.reception.configure(replace(self.reception.settings, **changes))
            self._board.forget()
        except GlfftError as error:
            print(f"glfft demo ofdm: {error}", file=sys.stderr)
