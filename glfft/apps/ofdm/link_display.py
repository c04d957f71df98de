"""The link at work, in a window or as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.apps import boards
from glfft.apps.ofdm.board import Board
from glfft.apps.ofdm.link.reception import Reception
from glfft.apps.ofdm.link.settings import LinkSettings
from glfft.ui.imgui_layer import ImguiLayer

# Bits that are counted for each point of the curve, or wrong ones, whatever comes first.
_BITS, _WRONG = 400_000, 400
_ENERGIES = (2.0, 5.0, 8.0, 11.0, 14.0, 17.0)
_STEPS, _SECONDS_A_STEP = 20, 0.05


def open_link(
    settings: LinkSettings, size: tuple[int, int], frames: int | None = None, trace: str | None = None
) -> None:
    """Open a window and receive until it is closed, as `glfft.apps.boards.open_board` has it. Raises as `Reception`."""
    boards.open_board("glfft demo ofdm", size, partial(_board, settings), frames, trace)


def draw_link(
    ctx: moderngl.Context, settings: LinkSettings, size: tuple[int, int], bits: int = _BITS, steps: int = _STEPS
) -> npt.NDArray[np.uint8]:
    """Receive for a second or two, and draw what the window would show: [height, width, 3], the top row first.

    So many `bits` are counted for each point of the curve of errors, and the curve of throughput has `steps` of 50 ms.
    Raises MissingExtraError without imgui-bundle (extra `ui`), and as `Reception`.
    """
    with boards.imgui_layer(ctx) as layer, _board(settings, ctx, layer) as board:
        board.keys = ""
        for energy in sorted({*_ENERGIES, settings.bit_energy_db}):
            board.reception.configure(replace(settings, bit_energy_db=energy))
            board.reception.count(bits, _WRONG)
        board.reception.configure(settings)
        for _ in range(steps):
            board.receive(_SECONDS_A_STEP)
        return boards.draw_board(ctx, layer, size, board.draw)


@contextmanager
def _board(settings: LinkSettings, ctx: moderngl.Context, layer: ImguiLayer) -> Iterator[Board]:
    with Reception(ctx, settings) as reception:
        board = Board(ctx, layer, reception)
        try:
            yield board
        finally:
            board.release()
