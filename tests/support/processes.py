"""The command line in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys


def glfft_process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `glfft` with these arguments, and with these environment variables besides this process's own."""
    return subprocess.run(
        [sys.executable, "-m", "glfft", *arguments],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )


def python_process(program: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program of Python likewise."""
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )
