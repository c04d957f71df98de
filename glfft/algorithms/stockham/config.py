"""How a Stockham kernel divides a line into stages and threads, as data."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from glfft.algorithms.lengths import is_power_of_two, power_of_two_below
from glfft.algorithms.storage import Storage
from glfft.gl.device import Limits

EXCHANGES = ("at once", "in turn", "alternate", "in a buffer")
BY_STRIDE = -1  # a padding of its own for each exchange
SWAPPED = -2  # no slots are free: in each exchange points change places within short runs, in lengths of powers of two
# Shared memory serves so many words of 4 bytes at once, each from a bank of its own, on NVIDIA's and AMD's GPUs.
BANKS = 32


class Padding(NamedTuple):
    """Where positions are in shared memory, as in shaders/fft/padded_exchange.glsl."""

    period: int = 0  # positions; 0: each is in the slot of its own number
    free: int = 0  # slots that are left free after each period, or
    turns: int = 0  # runs that change places in each period
    span: int = 0  # positions of a run

    def slot(self, position: int) -> int:
        if self.turns:
            return position ^ (position // self.period % self.turns * self.span)
        return position + (position // self.period * self.free if self.period else 0)


@dataclass(frozen=True)
class KernelConfig:
    """How a line is divided into stages and threads. A thread does the butterflies thread, thread + threads, ... of
    each stage; where those of a stage cannot be shared out evenly, some threads have one less.
    """

    radices: tuple[int, ...]  # of the stages in order, each one of `butterflies.RADICES`; their product is the length
    threads: int  # invocations a line
    lines: int = 1  # lines a work group
    side_by_side: bool = False  # neighbouring invocations work on neighbouring lines instead of on one
    exchange: str = "at once"  # one of EXCHANGES: see shaders/fft/exchange.glsl, shaders/fft/slots_in_buffer.glsl
    # a free slot of shared memory every so many points, 0 for none; BY_STRIDE, SWAPPED: threads in different banks
    padding: int = 0
    sampled_twiddles: bool = False  # the twiddle table is a texture instead of a buffer
    twiddle_products: bool = False  # only some twiddle factors are read, and the others are products of two of them
    image_loads: bool = False  # a texture is read as an image instead of through a texture unit, without snippets
    line_pairs: bool = False  # a thread works on two of the lines at once, for texels of one complex number
    prefetch_twiddles: bool = False  # the factors of all stages are read while a line's points are on their way
    pieces: int = 1  # in which positions are exchanged "in turn", one after the other through less shared memory
    # the lines of a work group, rows of a buffer, are loaded and stored as one sequence, shaders/fft/staged_lines.glsl
    staged: bool = False

    @property
    def length(self) -> int:
        return math.prod(self.radices)

    def butterflies(self, radix: int) -> int:
        """Butterflies a thread has in a stage of a radix, at most."""
        return -(-self.length // radix // self.threads)

    def shares_evenly(self, radix: int) -> bool:
        """Whether every thread has as many."""
        return self.length // radix % self.threads == 0

    @property
    def points(self) -> int:
        """Points a thread keeps in registers."""
        return max(radix * self.butterflies(radix) for radix in self.radices)

    @property
    def invocations(self) -> int:
        return self.lines // self.lines_a_value * self.threads

    @property
    def lines_a_value(self) -> int:
        """Lines a thread works on at once."""
        return 2 if self.line_pairs else 1

    @property
    def line_by_line(self) -> KernelConfig:
        """The same with one line a thread, in half as many lines a work group."""
        return replace(self, lines=self.lines // 2, line_pairs=False) if self.line_pairs else self

    @property
    def in_one_piece(self) -> KernelConfig:
        """The same in one piece, with so many times fewer lines a work group, but at least one."""
        return replace(self, lines=max(self.lines // self.pieces, 1), pieces=1) if self.pieces > 1 else self

    @property
    def swaps(self) -> bool:
        return self.padding == SWAPPED

    def in_shared_memory(self, limits: Limits, storage: Storage) -> KernelConfig | None:
        """The same where a buffer has no room: through shared memory, with as many of its lines as fit, or None."""
        lines = [count for count in range(self.lines, 0, -1) if count % self.lines_a_value == 0]
        ways = (replace(self, lines=count, exchange=exchange) for count in lines for exchange in EXCHANGES[:2])
        return next((each for each in ways if each.fits(limits, storage)), None)

    def needs_no_pieces(self, limits: Limits, storage: Storage) -> bool:
        """Whether it exchanges in pieces what shared memory has room for at once."""
        return self.pieces > 1 and replace(self, pieces=1).fits(limits, storage)

    def shared_bytes(self, storage: Storage) -> int:
        """Shared memory a work group, for values of a storage."""
        if (len(self.radices) == 1 and not self.staged) or self.exchange == "in a buffer":
            return 0
        slots = self.lines // self.lines_a_value * self.line_slots(storage)
        return slots * self.slot_bytes(storage) * (2 if self.exchange == "alternate" else 1)

    def line_slots(self, storage: Storage) -> int:
        """Slots of shared memory a line, or a piece of one, with those left free."""
        points = max(-(-radix // self.pieces) * self.length // radix for radix in self.radices)
        kernels = (self,) if self.turned is self else (self, self.turned)
        paddings = [each.padding_after(stage, storage) for each in kernels for stage in range(len(self.radices))]
        # A piece may begin within a period.
        points += max((points // each.period + (self.pieces > 1)) * each.free if each.free else 0 for each in paddings)
        return points | 1 if self.staged else points  # so that neighbouring lines begin in different banks

    def padding_after(self, stage: int, storage: Storage) -> Padding:
        """Where positions are in the exchange behind a stage: a buffer has no banks."""
        if self.exchange == "in a buffer":
            return Padding()
        if self.padding >= 0:
            return Padding(self.padding, 1) if self.padding else Padding()
        span = math.prod(self.radices[:stage])
        words = self.slot_bytes(storage) // 4 * (self.lines // self.lines_a_value if self.side_by_side else 1)
        slots_in_banks = power_of_two_below(max(BANKS // max(words, 1), 1))  # that are in different ones
        by = _swapped if self.swaps else _padding_by_stride
        return by(span, span * self.radices[stage], slots_in_banks)

    def slot_bytes(self, storage: Storage) -> int:
        """Bytes of shared memory that a point's slot takes."""
        return storage.number_bytes if self.exchange == "in turn" else storage.value_bytes * self.lines_a_value

    @property
    def axes(self) -> tuple[tuple[int, ...], ...]:
        """The radices along each axis that is transformed, in order. A line has one."""
        return (self.radices,)

    @property
    def turned(self) -> KernelConfig:
        """The same with the axes in the opposite order, as a convolution goes back through them."""
        return self

    @property
    def done_once(self) -> int:
        """Stages that a convolution does not do again."""
        return 0

    @property
    def goes_back_otherwise(self) -> bool:
        """Whether a convolution goes back through other stages, or in another order."""
        return self.done_once > 0 or self.turned.axes != self.axes

    @property
    def factor_lists(self) -> tuple[tuple[int, ...], ...]:
        """The lists of radices that twiddle factors are read for, each once: one or two."""
        return tuple(dict.fromkeys(axis for axis in self.axes if len(axis) > 1)) or self.axes[-1:]

    @property
    def ends_as_it_begins(self) -> bool:
        """Whether a thread has, after the last stage, the positions that it has before the stages back."""
        first, last = self.turned.radices[self.done_once], self.radices[-1]
        return first == last or (self.shares_evenly(first) and self.shares_evenly(last))

    @property
    def factors_given(self) -> bool:
        """Whether the factors of a butterfly are read before it, or some of them made of others."""
        return self.prefetch_twiddles or self.twiddle_products

    @property
    def exchanges(self) -> int:
        """How often points go through shared memory."""
        return len(self.radices) - 1

    @property
    def convolution_exchanges(self) -> int:
        """The same for two transforms, one after the other."""
        return 2 * self.exchanges - self.done_once + (0 if self.ends_as_it_begins else 1)

    def barriers(self, components: int, exchanges: int) -> int:
        """Synchronisations of a work group, for values of so many components and so many exchanges."""
        if self.exchange == "alternate":
            return exchanges
        staged = (4 if exchanges else 3) if self.staged else 0
        return max(2 * exchanges * self.pieces * self.rounds(components) - 1, 0) + staged

    def mirror_barriers(self, components: int) -> int:
        """Synchronisations of the exchange with mirrored positions (shaders/fft/mirror.glsl)."""
        return 0 if self.threads == 1 or self.staged else 2 * self.rounds(components)

    def rounds(self, components: int) -> int:
        """How often a value goes through shared memory in an exchange: whole, or its numbers one after the other."""
        return components * self.lines_a_value if self.exchange == "in turn" else 1

    def registers_up_to(self, position: int) -> int:
        """Registers that hold a position up to that one after the last stage, in some thread."""
        radix = self.radices[-1]
        butterflies = self.butterflies(radix)
        firsts = (b * self.threads + i * (self.length // radix) for i in range(radix) for b in range(butterflies))
        return sum(first <= position for first in firsts)

    def fits(self, limits: Limits, storage: Storage) -> bool:
        # Swapped, a slot's number is made of bits of the thread's, the line's and the register's.
        apart = min(self.pieces, self.lines) > 1 and not self.side_by_side
        return (
            self.shared_bytes(storage) <= limits.shared_memory
            and 1 <= self.invocations <= min(limits.invocations, limits.group_size[0])
            and 1 <= self.threads <= self.length // min(self.radices)
            and (not self.line_pairs or (storage.components == 2 and self.lines % 2 == 0))
            and (self.pieces == 1 or self.exchange == "in turn")
            and (self.exchange != "in a buffer" or self.in_shared_memory(limits, storage) is not None)
            and (not self.staged or (storage.buffer and self.exchange == "at once"))
            and not (self.staged and (self.side_by_side or self.line_pairs))
            and (not self.swaps or all(map(is_power_of_two, (self.length, self.threads, self.lines))))
            and not (self.swaps and (self.staged or apart))
        )


@dataclass(frozen=True)
class PictureConfig(KernelConfig):
    """The kernel of a whole picture: a line with the stages along columns, then those along rows."""

    columns: int = 1  # stages along columns

    @property
    def axes(self) -> tuple[tuple[int, ...], ...]:
        return self.radices[: self.columns], self.radices[self.columns :]

    @property
    def turned(self) -> PictureConfig:
        columns, rows = self.axes
        return replace(self, radices=(*rows, *columns), columns=len(rows))


@dataclass(frozen=True)
class RaderConfig(PictureConfig):
    """A line of the stages of the cofactor, of which there are so many `columns`, and of the convolution's."""

    columns: int = field(kw_only=True)
    dealt: bool = False  # neighbouring threads load and store neighbouring points, which shared memory deals out

    @property
    def axes(self) -> tuple[tuple[int, ...], ...]:
        return tuple(filter(None, super().axes))

    @property
    def turned(self) -> RaderConfig:
        return self

    @property
    def done_once(self) -> int:
        return self.columns

    def line_slots(self, storage: Storage) -> int:
        points = self.length + math.prod(self.radices[: self.columns])  # of a line
        return max(super().line_slots(storage), points if self.dealt else 0)


def _padding_by_stride(span: int, block: int, banks: int) -> Padding:
    """The period and the free slots with which runs that neighbouring threads store lie in different banks: of `span`
    points, which the stages before have covered, and `block` apart. After so many `banks` slots a bank comes again.
    """
    if banks % span:
        free = (span - block) % banks  # each run begins in the bank after the last one of the run before
        return Padding(block, free) if free else Padding()
    common = math.gcd(block, banks)
    if common <= span:
        return Padding()  # runs come to the banks of the first one when they have been in all others
    # So many runs lie in different banks. The next one would be in those of the first, and is moved to those after.
    return Padding(banks // common * block, span)


def _swapped(span: int, block: int, banks: int) -> Padding:
    """The same without free slots: runs of a block, or of all banks, change places by bits of its number."""
    turns = min(block, banks) // span
    return Padding(max(block, banks), turns=turns, span=span) if turns > 1 else Padding()
