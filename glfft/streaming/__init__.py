"""Blocks of numbers in a stream: uploaded, transformed and downloaded, several at a time.

`Stream` has the ring of buffers and fences. `file_samples`, `wav_samples` and `microphone` yield samples, and
`regroup` makes blocks of one length from any arrays.
"""

import math
import operator
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.errors import DataError, OptionError, at_least_one, check_flag, require, shown
from glfft.gl.barriers import BUFFER_UPDATE_BARRIER
from glfft.gl.fences import Fences
from glfft.gl.functions import errors_checked
from glfft.gl.mapped_buffers import can_stay_mapped, mapped_buffer
from glfft.gl.releasable import Owner
from glfft.streaming.sources import Backlog, Sound, file_samples, microphone, regroup, wav_samples

__all__ = ["Sound", "Stream", "file_samples", "microphone", "regroup", "wav_samples"]

Work = Callable[[moderngl.Buffer, moderngl.Buffer], object]
ArrayLayout = tuple[int | Sequence[int], npt.DTypeLike]


@dataclass(frozen=True)
class Layout:
    """The shape and dtype of all blocks, or of all results."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    @classmethod
    def of(cls, option: str, given: object) -> Self:
        """A layout from (shape, dtype). Raises OptionError where it is no such pair, or holds no numbers."""
        try:
            shape, dtype = given  # pyright: ignore[reportGeneralTypeIssues]
            found = np.dtype(object if dtype is None else dtype)  # numpy takes None for float64
            lengths = tuple(map(operator.index, shape if isinstance(shape, Sequence) else (shape,)))
        except (TypeError, ValueError):
            wanted = "a shape and a dtype, such as ((64, 1024), 'c8')"
            raise OptionError(f"{option} is {shown(given)} and must be {wanted}.") from None
        if min(lengths, default=0) < 1 or found.hasobject or not found.itemsize or found.subdtype:
            raise OptionError(f"{option} is {shown(given)} and must have 1 or more single numbers along each axis.")
        return cls(lengths, found)

    @property
    def size(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize

    def check(self, what: str, given: object) -> npt.NDArray[Any]:
        """A block, or a place for results, as an array. Raises DataError where it has another shape or dtype."""
        array = np.asarray(given)
        if array.shape != self.shape or array.dtype != self.dtype:
            own = f"reshape or convert it to this stream's {self.shape} of {self.dtype}"
            raise DataError(f"{what} has shape {array.shape} and dtype {array.dtype}; {own}.")
        return array


class MappedSlot:
    """Buffers that stay mapped, with the memory `block` and `results`, and the device's between; all are in `owned`."""

    def __init__(self, ctx: moderngl.Context, owned: list[Any], block: Layout, result: Layout, direct: bool) -> None:
        self._ctx = ctx
        owned.append((upload := mapped_buffer(ctx, block.size, reads=False)).buffer)
        owned.append((download := mapped_buffer(ctx, result.size, reads=True)).buffer)
        self.upload_buffer, self.download_buffer = upload.buffer, download.buffer
        self.source = upload.buffer if direct else _device_buffer(ctx, owned, block)
        self.target = _device_buffer(ctx, owned, result)
        self.block = upload.memory.view(block.dtype).reshape(block.shape)
        self.results = download.memory.view(result.dtype).reshape(result.shape)

    def upload(self, block: npt.NDArray[Any]) -> None:
        """Give the GPU a block."""
        self.block[...] = block
        self.send()

    def send(self) -> None:
        """Give the GPU what is in `block`."""
        if self.source is not self.upload_buffer:
            self._ctx.copy_buffer(self.source, self.upload_buffer, self.source.size)

    def download(self) -> None:
        """Ask the GPU for the results."""
        self._ctx.copy_buffer(self.download_buffer, self.target, self.target.size)

    def result(self, out: npt.NDArray[Any]) -> None:
        """Copy the results, once they have arrived, into an array of their layout."""
        out[...] = self.results


class PlainSlot:
    """The same with plain buffers, where the driver has none that stay mapped: it copies once more at each end."""

    def __init__(self, ctx: moderngl.Context, owned: list[Any], block: Layout, result: Layout) -> None:
        self._ctx = ctx
        self.source, self.target = (_device_buffer(ctx, owned, each) for each in (block, result))
        # Drivers move a buffer that is read from to the program's memory; the target should stay on the device.
        self._download = _device_buffer(ctx, owned, result)

    def upload(self, block: npt.NDArray[Any]) -> None:
        self.source.write(np.ascontiguousarray(block))

    def download(self) -> None:
        self._ctx.copy_buffer(self._download, self.target, self.target.size)

    def result(self, out: npt.NDArray[Any]) -> None:
        array = np.ascontiguousarray(out)  # `out` itself, or a copy to be filled instead
        self._download.read_into(array)
        if array is not out:
            out[...] = array


Slot = MappedSlot | PlainSlot


def _device_buffer(ctx: moderngl.Context, owned: list[Any], layout: Layout) -> moderngl.Buffer:
    with errors_checked(ctx, f"making a buffer of {layout.size} bytes"):
        owned.append(buffer := ctx.buffer(reserve=layout.size))
    return buffer


class Stream(Owner):
    """Runs the same GPU work on one block after another, and overlaps uploads, work and downloads.

        plan = glfft.Plan(ctx, (64, 1024), axes=(1,), storage="buffer")
        with Stream(ctx, plan.forward, block=((64, 1024), "c8"), result=((64, 1024), "c8")) as stream:
            for spectra in stream.run(blocks):
                ...

    The numbers of a block are copied into a buffer of the device, the work runs, the results are copied back, and a
    fence follows. Results come in the order of the blocks, one for each. Both go through buffers that stay mapped where
    the driver has them (GL_ARB_buffer_storage, OpenGL 4.4), as `mapped` says; else each end has one copy more.

    The context must be the thread's current one (NotCurrentError), and neither context nor stream released
    (ReleasedError). A stream changes GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, and what the work changes.

    Args:
        ctx: the context.
        work: called as work(source, target) for each block, in order, with two moderngl buffers, which differ from
            block to block: `source` has the block's numbers, C-ordered, and commands of the work fill all of `target`.
            The work may keep state on the GPU, needs no barrier at its end, and must not wait. `forward` and `inverse`
            of a plan with storage="buffer" are such functions.
        block: shape and dtype of a block, such as ((64, 1024), "c8"); `result`: shape and dtype of its result.
        in_flight: how many blocks may be under way, each with its own buffers. With 1 nothing overlaps.
        direct: let the work read the mapped memory itself. This suits work that reads each number once.
        mapped: None to map buffers where the driver can, False never to, True to require it.

    Raises OptionError where an option's value is not allowed, ContextError where the device has too little memory, or
    mapped=True and it cannot keep buffers mapped.
    """

    def __init__(self, ctx: moderngl.Context, work: Work, *, block: ArrayLayout, result: ArrayLayout,
                 in_flight: int = 3, direct: bool = False, mapped: bool | None = None) -> None:  # fmt: skip
        super().__init__(ctx)
        require(callable(work), "work", work, "a function of two buffers, such as plan.forward")
        self._block, self._result = Layout.of("block", block), Layout.of("result", result)
        self.in_flight = at_least_one("in_flight", in_flight)
        require(in_flight <= 1000, "in_flight", in_flight, "at most 1000, as each block has its buffers")
        self._work, direct = work, check_flag("direct", direct)
        self.mapped = can_stay_mapped(ctx) if mapped is None else check_flag("mapped", mapped)
        self._fences = self._own(Fences(ctx))
        made = ctx, self._owned, self._block, self._result
        slots = range(self.in_flight)
        self._slots: list[Slot] = [MappedSlot(*made, direct) if self.mapped else PlainSlot(*made) for _ in slots]
        # What the GPU works on, oldest first: a block's number, its slot, and the fence behind its results.
        self._busy: deque[tuple[int, Slot, int]] = deque()
        self._fed, self._running = 0, False
        self._backlog: Backlog | None = None  # of the last run
        self.position = -1
        """The number of the block whose result was taken last, counted from 0 among all that the source gave."""

    def run(self, blocks: Iterable[npt.ArrayLike], *, drop: bool = False, waiting: int = 4) -> Iterator[Any]:
        """The results of blocks, one after another: new arrays of the result layout, with `position` as block's number.

        Args:
            blocks: arrays of the stream's block layout. An array is no longer used when the next one is asked for.
            drop: if False, the source is asked for its next block when there is room, and nothing is dropped. If True,
                a thread reads the source at its own pace, as a microphone or a radio needs it, and the oldest of more
                than `waiting` blocks is dropped and counted in `dropped`.

        An error of the source or of the work comes after the results of the blocks before it. Raises DataError where a
        block has another shape or dtype, or comes in place of several, OptionError where `waiting` is no positive
        integer or earlier results wait.
        """
        self._check_alive()
        kept = at_least_one("waiting", waiting)
        several = np.iterable(blocks) and getattr(blocks, "ndim", math.inf) > len(self._block.shape)
        require(several, "blocks", blocks, f"blocks of {self._block.shape}, such as a list of them", DataError)
        return self._results(blocks, kept if check_flag("drop", drop) else None)

    def _results(self, blocks: Iterable[npt.ArrayLike], waiting: int | None) -> Iterator[Any]:
        if self._running or self._busy:
            raise OptionError("This stream has results that nobody has taken; take them before another run.")
        backlog = self._backlog = None if waiting is None else Backlog(blocks, waiting)
        numbered = enumerate(blocks) if backlog is None else backlog.blocks()
        self._running = True
        self._fed, self.position = 0, -1
        failed: Exception | None = None
        try:
            while failed is None:
                # A source that is slow, as a live one, must not hold back the results of the blocks before.
                while not self._free or (backlog is not None and self._busy and backlog.empty):
                    yield self.take()
                try:
                    following = next(numbered, None)
                    if following is None:
                        break
                    number, block = following
                    self.feed(block, number)
                except Exception as error:
                    failed = error
                while self.ready:
                    yield self.take()
            while self._busy:
                yield self.take()
            if failed is not None:
                raise failed
        finally:
            self._running = False
            if backlog is not None:
                backlog.stop()
            self._forget()

    @property
    def _free(self) -> list[Slot]:
        """Those of no block under way: kept nowhere, so that an interrupt can lose none."""
        busy = {slot for _, slot, _ in self._busy}
        return [slot for slot in self._slots if slot not in busy]

    @property
    def dropped(self) -> int:
        """Blocks that the run has dropped so far; 0 without drop=True."""
        return 0 if self._backlog is None else self._backlog.dropped

    @property
    def under_way(self) -> int:
        """Blocks that were fed and whose results have not been taken."""
        return len(self._busy)

    @property
    def ready(self) -> bool:
        """Whether the oldest block's results can be taken without waiting."""
        return bool(self._busy) and self._fences.passed(self._busy[0][2])

    def feed(self, block: npt.ArrayLike, number: int | None = None) -> None:
        """Begin with a block, in a loop of your own. There must be room for it.

        The block is an array of the stream's block layout, and may be changed afterwards. `position` is its `number`
        when its result is taken; by default blocks are counted. Raises DataError where it has another shape or dtype,
        OptionError where `in_flight` blocks are under way; take a result first.
        """
        self._check_alive()
        array = self._block.check("A block", block)
        if not (free := self._free):
            raise OptionError(f"This stream has {self.in_flight} blocks under way; take a result before another block.")
        slot = free[-1]
        try:
            slot.upload(array)
            self._work(slot.source, slot.target)
            self.ctx.memory_barrier(BUFFER_UPDATE_BARRIER)
            slot.download()
            fence = self._fences.put()
        except BaseException:
            # The next block takes the same slot: the GPU must be done with it.
            self.ctx.finish()
            raise
        self._busy.append((self._fed if number is None else number, slot, fence))
        self._fed += 1
        # Sent to the GPU now, so that it works while the program does something else.
        self._fences.passed(fence)

    def take(self, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """The results of the oldest block; waits if they have not arrived. Returns `out`, an array of the result layout
        to copy into, which is faster for large results, or a new array. Raises OptionError where no block is under way,
        DataError where `out` has another shape or dtype, or cannot be written.
        """
        self._check_alive()
        if not self._busy:
            raise OptionError("This stream has no block under way; feed it one before.")
        array = np.empty(self._result.shape, self._result.dtype) if out is None else self._result.check("out", out)
        if out is not None and not (isinstance(out, np.ndarray) and out.flags.writeable):
            raise DataError("out must be an array of numpy that can be written; the results would be lost.")
        number, slot, fence = self._busy[0]
        self._fences.wait(fence)
        self._busy.popleft()
        self._fences.delete(fence)
        self.position = number
        slot.result(array)
        return array

    def release(self) -> None:
        """Free the stream's buffers; results that were not taken are lost. Releasing twice is harmless."""
        self._forget()
        super().release()

    def _forget(self) -> None:
        """Let the GPU finish what it was given, where the context is current, and take no results."""
        while self._busy and not self._released and self._state.check.is_current():
            *_, fence = self._busy[0]
            self._fences.wait(fence)  # may be interrupted
            self._busy.popleft()
            self._fences.delete(fence)
