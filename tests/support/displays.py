"""Programs in a process with a display, or with none; tests marked `window` are skipped where none can be had."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

# Put before a program, these let a software renderer have programs that compile sooner: kernels as `support.kernels`
# has them, and glare as `support.ocean` has it.
QUICK_KERNELS = """
from dataclasses import replace
from glfft.wisdom import lookup
choose = lookup.choose
def choose_quick(request):
    return choose(replace(request, quick=request.quick or request.device.software and not request.both_axes))
lookup.choose = choose_quick
"""
GLARE_OF_FEW_ROWS = """
from glfft.apps.ocean.scene import SmallGlare
from glfft.gl.context import is_software
made = SmallGlare.__init__
SmallGlare.__init__ = lambda glare, ctx, size, rows: made(glare, ctx, size, 15 if is_software(ctx) else rows)
"""


def glfft_command(*arguments: str, display: bool = False) -> subprocess.CompletedProcess:
    """Run in a process of its own: a command opens and releases its own context."""
    return python("-m", "glfft", *arguments, display=display)


def python(*arguments: str, display: bool, own: bool = True) -> subprocess.CompletedProcess:
    """Run Python likewise.

    Args:
        arguments: of the interpreter.
        display: whether it shall find a display.
        own: one that no other program has, where xvfb-run is installed; else the one there is, if there is one. Windows
            that are shown take the keyboard from each other.
    """
    variables = environment(display)
    line = [sys.executable, *arguments]
    if display and _has_xvfb() and (own or "DISPLAY" not in variables):
        # -noreset: the server stays as it is between two windows of a program.
        line = ["xvfb-run", "-a", "-s", "-screen 0 1280x1024x24 -noreset", *line]
    return subprocess.run(line, capture_output=True, text=True, timeout=120, env=variables, cwd=os.getcwd())


def environment(display: bool) -> dict[str, str]:
    """This process's environment variables, with the display it has or without."""
    hidden = {"WAYLAND_DISPLAY"} if display else {"WAYLAND_DISPLAY", "DISPLAY"}
    return {name: value for name, value in os.environ.items() if name not in hidden}


def why_no_display() -> str | None:
    """Why no test can open a window here, or None where it can."""
    if _has_xvfb() or os.environ.get("DISPLAY"):
        return None
    return "no display: DISPLAY is not set and xvfb-run is not installed ('make test' brings a virtual display)"


def _has_xvfb() -> bool:
    return shutil.which("xvfb-run") is not None
