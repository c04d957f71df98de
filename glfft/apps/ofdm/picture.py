"""The board as a picture, without a window."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.apps import boards
from glfft.apps.ofdm.board import Board
from glfft.apps.ofdm.reception import Reception
from glfft.apps.ofdm.settings import LinkSettings
from glfft.ui.imgui_layer import ImguiLayer

# Bits that are counted for each point of the curve, or wrong ones, whatever comes first.
_BITS, _WRONG = 400_000, 400
_ENERGIES = (2.0, 5.0, 8.0, 11.0, 14.0, 17.0)
_STEPS, _SECONDS_A_STEP = 20, 0.05


def draw_picture(
    ctx: moderngl.Context, settings: LinkSettings, size: tuple[int, int], bits: int = _BITS, steps: int = _STEPS
) -> npt.NDArray[np.uint8]:
    """Receive for a second or two, and draw what the window would show: [height, width, 3], the top row first.

    Args:
        ctx: the context.
        settings: the link.
        size: width and height in pixels.
        bits: how many to count for each point of the curve of errors.
        steps: of the curve of throughput, 50 ms each.

    Raises:
        MissingExtraError: imgui-bundle is not installed (extra `ui`).
        GlfftError: see `Reception`.
    """
    # Words in a picture need no window's scale.
    layer = ImguiLayer(ctx, scale=1.0)
    try:
        with Reception(ctx, settings) as reception:
            board = Board(ctx, layer)
            for energy in sorted({*_ENERGIES, settings.bit_energy_db}):
                reception.configure(replace(settings, bit_energy_db=energy))
                reception.count(bits, _WRONG)
            reception.configure(settings)
            for _ in range(steps):
                reception.step(_SECONDS_A_STEP)
                board.update(reception)
            drawn = boards.picture(ctx, layer, size, lambda size, device: board.draw(reception, size, device))
            board.release()
    finally:
        layer.release()
    return drawn
