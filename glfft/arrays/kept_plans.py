"""Plans with buffers for arrays, kept for the next call; arrays run through them, one call at a time, in a context."""

import gc
import math
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.algorithms.lengths import power_of_two_above
from glfft.arrays.transform import Block, Step, Transform, block_of, with_lengths
from glfft.engine.request import FORWARD, INVERSE
from glfft.errors import NotCurrentError
from glfft.gl.context import default_context, stand_in_for, state_of
from glfft.gl.current import switch_to
from glfft.gl.forks import refuse_forked
from glfft.gl.functions import errors_checked
from glfft.gl.releasable import Keeper, released_on_error
from glfft.plan import Plan

_PLANS_KEPT = 8
_BYTES_KEPT = 1 << 28

# Numbers that go through a plan at once, where lines are not longer: enough to keep any device busy.
_MOST_AT_ONCE = 1 << 24
_FEW = 1 << 16  # so few numbers are transformed in less time than another count of lines would take to compile

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
    with _one_at_a_time:
        # No garbage is collected inside: there may be objects of other contexts in it. moderngl frees those by their
        # names in the current context, where other objects have the same names.
        collecting, used, put_back = gc.isenabled(), None, lambda: None
        try:  # not an ExitStack: an interrupt (Ctrl-C) in its own code would leave undone what it calls at the end
            gc.disable()
            with suppress(NotCurrentError):
                found = default_context() if ctx is None else ctx
                if found is not None and state_of(found).check.is_current():
                    used = found
                elif ctx is not None:  # one that nobody asked for may be another thread's, which enters it at any time
                    put_back, used = switch_to(ctx), ctx
            if used is None:
                used = stand_in_for(ctx)
                put_back = switch_to(used)
            yield used
        except BaseException as error:
            # What the failed functions had made, moderngl would free in the context that is current after the block.
            traceback.clear_frames(error.__traceback__)
            raise
        finally:
            try:
                put_back()
            finally:
                if collecting:
                    gc.enable()


def most_in_a_buffer(ctx: moderngl.Context, kind: Transform) -> int:
    """The complex numbers that a buffer of a plan can hold."""
    return state_of(ctx).limits.buffer_bytes // kind.storage.texel_bytes


def run_step(step: Step, data: npt.NDArray[Any], ctx: moderngl.Context) -> npt.NDArray[Any]:
    """One step over a whole array."""
    block = block_of(step, data.shape)
    most = most_in_a_buffer(ctx, step.kind)
    if block is not None and (len(block.axes) == len(block.shape) or _FEW < block.points <= most):
        return _run_blocks(step, block, data, ctx)
    # No plan takes the axes where they lie; or there are so few numbers that plans for other counts will do.
    ends = tuple(range(data.ndim - len(step.axes), data.ndim))
    done = run_step(replace(step, axes=ends), np.moveaxis(data, step.axes, ends), ctx)
    return np.moveaxis(done, ends, step.axes)


def _run_blocks(step: Step, block: Block, data: npt.NDArray[Any], ctx: moderngl.Context) -> npt.NDArray[Any]:
    """One step over an array of blocks, as many of them in a run of a plan as fit."""
    kind = step.kind
    made = [*step.lengths[:-1], kind.target_length(step.lengths[-1])]
    result = np.empty(with_lengths(data.shape, step.axes, made), kind.target_type)
    count = math.prod(data.shape[: block.first])
    sources, results = data.reshape(count, -1), result.reshape(count, -1)
    at_once = max(1, min(most_in_a_buffer(ctx, kind), _MOST_AT_ONCE) // block.points)
    if len(block.shape) > 1:
        at_once = min(at_once, state_of(ctx).limits.group_count[1])
    for start in range(0, count, at_once):
        part = slice(start, start + at_once)
        # So that there are few plans, few blocks go through one for more.
        rounded = power_of_two_above(len(sources[part]))
        made_for = min(rounded if rounded * block.points <= _FEW else len(sources[part]), at_once)
        key = (block.shape, block.axes, made_for, replace(kind, direction=FORWARD, mirrored=False))
        plan = kept(ctx, key, partial(PlanWithBuffers, ctx, kind, block, made_for))
        plan.transform(kind.direction, sources[part], results[part])
    return result


class PlanWithBuffers(Keeper):
    """A plan for so many blocks at once, with the buffers that arrays are uploaded to and read back from."""

    def __init__(self, ctx: moderngl.Context, kind: Transform, block: Block, count: int) -> None:
        lines = len(block.shape) == 1
        shape, axes, layers = ((count, *block.shape), (1,), 1) if lines else (block.shape, block.axes, count)
        options = {name: getattr(kind, name) for name in ("algorithm", "norm", "twiddles", "real", "orthogonalize")}
        options |= {"storage": kind.storage.name, "kind": None if kind.kind is None else kind.kind.name}
        self._plan = self._own(Plan(ctx, shape, axes=axes, layers=layers, **options))
        # Of the spectrum and of the picture, or one where they are alike.
        ends = dict.fromkeys(reversed(self._plan.request.ends(FORWARD)))
        sizes = [math.prod(shape) * held.texel_bytes for shape, held in ends]
        doing = f"making buffers for {count} transforms of {' x '.join(map(str, block.shape))}"
        with released_on_error([self]), errors_checked(ctx, doing):
            self._buffers = [self._own(ctx.buffer(reserve=size * layers)) for size in sizes]
        self.bytes = layers * sum(sizes)  # of its buffers

    def transform(self, direction: int, data: npt.NDArray[Any], result: npt.NDArray[Any]) -> None:
        """Transform an array into a contiguous one; it may have fewer blocks than go at once."""
        source, target, run = self._buffers[-1], self._buffers[0], self._plan.forward
        if direction == INVERSE:
            source, target, run = target, source, self._plan.inverse
        source.write(np.ascontiguousarray(data))
        run(source, target, next_use="read")
        target.read_into(result, size=result.nbytes)


def kept(ctx: moderngl.Context, key: object, make: Callable[[], Any]) -> Any:
    """What was made for a key. Others are kept too, up to a number and `bytes`; those used longest ago go first."""
    plans: dict[Any, Any] = state_of(ctx).cache("plans of arrays", dict)  # see ContextState.kept
    found = plans[key] = plans.pop(key, None) or make()
    while len(plans) > 1 and (len(plans) > _PLANS_KEPT or sum(each.bytes for each in plans.values()) > _BYTES_KEPT):
        plans.pop(next(iter(plans))).release()
    return found
