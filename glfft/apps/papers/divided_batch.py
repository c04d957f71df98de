"""One batch divided over streams, as Hinitt and Kocak do it: the copies of a part run beside the work on another."""

from contextlib import ExitStack, nullcontext
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.gl.barriers import BUFFER_UPDATE_BARRIER
from glfft.gl.context import state_of
from glfft.gl.fences import Fences
from glfft.gl.shared_contexts import SharedContext
from glfft.streaming.slots import ArrayLayout, Layout, MappedSlot
from glfft.streaming.stream import Work


class DividedBatch:
    """Copies a batch to the device, works on it and copies the results back, in so many parts.

    Samples and results lie in buffers that stay mapped. The program fills the first and reads the others in place, so
    that `run` copies nothing but between those and the device's memory. Raises ContextError where the device has too
    little memory, no buffers that stay mapped, or no context beside its own.

    Args:
        work: what is done with each part, from a buffer of the device to another, as a `Stream` has it.
        layout: shape and dtype of a part and of its results.
        streams: how many parts there are.
        contexts: 1 for all commands in one context, which NVIDIA's driver runs one after another; 3 for copies to
            the device, work and copies back in a context each, ordered by fences.
        direct: let the work read and write the mapped memory itself, without copies, in one context.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        work: Work,
        layout: ArrayLayout,
        streams: int,
        contexts: int = 1,
        direct: bool = False,
    ) -> None:
        self._ctx, self._work, self._direct = ctx, work, direct
        self._stack = stack = ExitStack()
        self._fences = Fences(ctx)
        stack.callback(self._fences.release)
        part = Layout.of("layout", layout)
        self._slots: list[MappedSlot] = []
        self._sending: SharedContext | None = None
        self._fetching: SharedContext | None = None
        buffers: list[moderngl.Buffer] = []
        stack.callback(lambda: [buffer.release() for buffer in buffers])
        try:
            self._slots += [MappedSlot(ctx, buffers, part, part, direct) for _ in range(streams)]
            if contexts == 3:
                self._sending, self._fetching = SharedContext(ctx), SharedContext(ctx)
                stack.callback(self._sending.release)
                stack.callback(self._fetching.release)
        except BaseException:
            stack.close()
            raise

    def fill(self, batch: npt.NDArray[Any]) -> None:
        """Put a batch's numbers where the device takes them from, the parts one after another."""
        for slot, part in zip(self._slots, np.split(batch, len(self._slots)), strict=True):
            slot.block[...] = part

    @property
    def results(self) -> npt.NDArray[Any]:
        """The results that came back, as a new array."""
        return np.concatenate([slot.results for slot in self._slots])

    def run(self) -> None:
        """Send, work and fetch all parts, and wait until all is done."""
        done = self._one_after_another() if self._sending is None else self._side_by_side()
        for fence in done:
            self._fences.wait(fence)
            self._fences.delete(fence)

    def _one_after_another(self) -> list[int]:
        for slot in self._slots:
            if self._direct:
                self._work(slot.upload_buffer, slot.download_buffer)
                continue
            slot.send()
            self._work(slot.source, slot.target)
            self._ctx.memory_barrier(BUFFER_UPDATE_BARRIER)
            slot.download()
        if self._direct:
            self._ctx.memory_barrier()
        return [self._fences.put()]

    def _side_by_side(self) -> list[int]:
        sent, worked, fetched = [], [], []
        with self._sending or nullcontext():
            for slot in self._slots:
                slot.send()
                sent.append(self._put())
        for slot, fence in zip(self._slots, sent, strict=True):
            self._fences.follow(fence)
            self._work(slot.source, slot.target)
            self._ctx.memory_barrier(BUFFER_UPDATE_BARRIER)
            worked.append(self._put())
        with self._fetching or nullcontext():
            for slot, fence in zip(self._slots, worked, strict=True):
                self._fences.follow(fence)
                slot.download()
                fetched.append(self._put())
        for fence in (*sent, *worked):
            self._fences.delete(fence)
        return fetched

    def _put(self) -> int:
        """A fence that other contexts may follow: its commands have been sent to the GPU."""
        fence = self._fences.put()
        self._fences.passed(fence)
        return fence

    def release(self) -> None:
        """Free buffers, fences and contexts, once the GPU is done with them."""
        state_of(self._ctx).check.require()
        self._ctx.finish()
        self._stack.close()
