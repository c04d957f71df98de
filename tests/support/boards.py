"""A board of a program in a window under a display of its own, where a test presses keys."""

from __future__ import annotations

import ast
from typing import Any

from support.displays import python

_PROGRAM = """
import glfw
from glfft.apps import plots as boards
from glfft.apps.{package} import board
{imports}

seen = []
{board}
board.Board = Board
class Window(boards.Window):
    def on_key(self, callback):
        global press
        press = callback
boards.Window = Window
board.{opened}
print(seen)
"""


def seen_on_board(package: str, imports: str, board: str, opened: str) -> list[Any]:
    """What a board has noted in `seen` until its window closed.

    Args:
        package: of the program, in glfft.apps.
        imports: lines that import what the others need.
        board: a class Board, made from board.Board, that notes what there is and calls press(key, modifiers).
        opened: the call that opens the window, without its module.
    """
    program = _PROGRAM.format(package=package, imports=imports, board=board.strip(), opened=opened)
    done = python("-c", program, display=True)
    assert done.returncode == 0, done.stderr
    return ast.literal_eval(done.stdout.splitlines()[-1])
