"""Whether this process was forked after OpenGL had been used: every context, old or new, hangs in such a child.

`import glfft` loads this module, so it must not import moderngl.
"""

import os
import sys
from collections.abc import Callable
from typing import Any

from glfft.errors import ContextError

_forked = False


def refuse_forked() -> None:
    """Raise in a forked child whose parent had used OpenGL. Raises ContextError where this process is one."""
    if _forked:
        said = "OpenGL was used before this process was forked, and it does not survive a fork"
        raise ContextError(f"{said}; start worker processes with multiprocessing.get_context('spawn').")


def was_forked() -> bool:
    """Whether this process is a forked child whose parent had used OpenGL."""
    return _forked


def after_fork(lose_contexts: Callable[[], bool]) -> None:
    """Have a function called in forked children. It gives up the contexts and returns whether there were any."""

    def look() -> None:
        global _forked
        _forked = lose_contexts() or _forked

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=look)


def moderngls_default() -> Any:
    """moderngl's default context, or None. It is private to moderngl; this does not load moderngl."""
    return getattr(getattr(sys.modules.get("moderngl"), "_store", None), "default_context", None)


after_fork(lambda: moderngls_default() is not None)
