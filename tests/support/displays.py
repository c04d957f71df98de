"""The command line in a process with a display of its own, or with none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest


def glfft_command(*arguments: str, display: bool = False) -> subprocess.CompletedProcess:
    """Run in a process of its own: a command opens and releases its own context."""
    return python("-m", "glfft", *arguments, display=display)


def python(*arguments: str, display: bool) -> subprocess.CompletedProcess:
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    line = [sys.executable, *arguments]
    if display:
        line = ["xvfb-run", "-a", *line]
    return subprocess.run(line, capture_output=True, text=True, timeout=120, env=environment, cwd=os.getcwd())


needs_xvfb = pytest.mark.skipif(shutil.which("xvfb-run") is None, reason="needs xvfb-run")
