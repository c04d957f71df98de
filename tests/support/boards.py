"""A board of a program in a window under a display of its own, where a test presses keys."""

from __future__ import annotations

import ast
from typing import Any

from support.displays import python

_PROGRAM = """
import functools
import glfw
from glfft.apps import plots as boards
from glfft.apps.{package} import board
{imports}

seen = []
{board}
class Window(boards.Window):
    def on_key(self, callback):
        global press
        press = callback
boards.Window = Window
boards.open_board("board", (640, 360), functools.partial(Board, {settings}))
print(seen)
"""


def seen_on_board(package: str, imports: str, board: str, settings: str) -> list[Any]:
    """What a board has noted in `seen` until its window closed.

    Args:
        package: of the program, in glfft.apps.
        imports: lines that import what the others need.
        board: a class Board, made from board.Board, that notes what there is and calls press(key, modifiers).
        settings: of the board, as Python.
    """
    program = _PROGRAM.format(package=package, imports=imports, board=board.strip(), settings=settings)
    done = python("-c", program, display=True)
    assert done.returncode == 0, done.stderr
    return ast.literal_eval(done.stdout.splitlines()[-1])
