"""One call of an array function at a time, each with a context that is current while it works."""

import gc
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import moderngl

from glfft.errors import NotCurrentError
from glfft.gl.context import default_context, stand_in_for, state_of
from glfft.gl.current import switch_to
from glfft.gl.forks import refuse_forked

# Threads share the contexts that glfft keeps for them, and the caches of every context.
_one_at_a_time = threading.RLock()


@contextmanager
def at_work(ctx: moderngl.Context | None) -> Iterator[moderngl.Context]:
    """A context that is current inside the `with` block. After the block, the one before is current again.

    If a thread ends while a context is current in it, no other thread can use that context any more. Raises
    NotCurrentError where the context cannot be made current, and its device is unknown; ContextError where there is no
    OpenGL 4.3, or the process was forked after OpenGL had been used; ReleasedError where it has been released.
    """
    refuse_forked()
    with _one_at_a_time, ExitStack() as stack:
        # No garbage is collected inside: there may be objects of other contexts in it. moderngl frees those by their
        # names in the current context, where other objects have the same names.
        if gc.isenabled():
            gc.disable()
            stack.callback(gc.enable)
        try:
            used = default_context() if ctx is None else ctx
            if used is not None and not state_of(used).check.is_current():
                stack.callback(switch_to(used))
        except NotCurrentError:
            used = None
        if used is None:
            used = stand_in_for(ctx)
            stack.callback(switch_to(used))
        yield used
