"""A link at work: blocks sent and received, bits compared, and time taken."""

import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.apps.ofdm.link.channel import Channel
from glfft.apps.ofdm.link.receiver import Receiver
from glfft.apps.ofdm.link.settings import LinkSettings
from glfft.apps.ofdm.link.symbols import SYMBOL, bit_errors, bits_in, random_words, samples_of
from glfft.apps.ofdm.link.widths import Width
from glfft.gl.context import is_software
from glfft.gl.releasable import Releasable, released_on_error

# Blocks that are sent again and again: numpy would make new ones too slowly to keep a GPU busy.
_BLOCKS = 4
# A new block takes the place of an old one as often as this share of the time allows.
_SENDERS_SHARE = 0.2

_SYMBOLS, _SOFTWARE_SYMBOLS = 5632, 176

_HISTORY = 240


@dataclass
class Block:
    """What was sent, what arrived of it, how long that took to make, and whether its errors have been counted."""

    words: npt.NDArray[np.uint32]
    samples: npt.NDArray[Any]
    seconds: float
    counted: bool = False


class Reception(Releasable):
    """Sends and receives with a receiver in a stream. Raises GlfftError where the settings make no sense, or are too
    large for the device; see `Receiver` and `Channel`.

    Args:
        settings: the link.

    Attributes:
        result: what the receiver gave for the last block, see `Receiver`; None before the first.
        errors: by channel and width, then by Eb / N0 in dB: how many bits were wrong, and of how many.
        rates: samples a second of the last steps, transfers included.
    """

    def __init__(self, ctx: moderngl.Context, settings: LinkSettings) -> None:
        self._ctx = ctx
        self.result: Any = None
        self.errors: dict[tuple[str, str], dict[float, tuple[int, int]]] = {}
        self.rates: deque[float] = deque(maxlen=_HISTORY)
        self._receiver: Receiver | None = None
        # Makes blocks while others are received: numpy would hold up a window for too long.
        self._sender = ThreadPoolExecutor(1, "glfft sender")
        self._coming: Future[Block] | None = None
        self._send_again = 0.0
        self._sent = 0
        with released_on_error([self]):
            self.configure(settings)

    def configure(self, settings: LinkSettings) -> None:
        """Go on with other settings. Should they make no sense, nothing changes, and a GlfftError is raised."""
        if settings.symbols is None:
            settings = replace(settings, symbols=_SOFTWARE_SYMBOLS if is_software(self._ctx) else _SYMBOLS)
        channel, width = Channel(settings.channel, settings.bit_energy_db), Width(settings.samples)
        if self._receiver is None or _kept(settings) != _kept(self.settings):
            assert settings.symbols is not None
            receiver = Receiver(self._ctx, settings.symbols, width, algorithm=settings.algorithm)
            with released_on_error([receiver]):
                stream = receiver.stream(in_flight=settings.in_flight, direct=settings.direct)
            self._free()
            self._receiver, self._stream = receiver, stream
            self.rates.clear()
        self.settings, self.channel, self.width = settings, channel, width
        self._receiver.set_power(1 + channel.noise)
        self._coming = None
        self._blocks = [self._next_block()()]

    @property
    def symbols(self) -> int:
        """Symbols of a block."""
        assert self._receiver is not None
        return self._receiver.symbols

    @property
    def mapped(self) -> bool:
        """Whether blocks go through buffers that stay mapped."""
        return self._stream.mapped

    @property
    def samples_a_second(self) -> float:
        """The rate of the last steps, their middle."""
        return float(np.median(self.rates)) if self.rates else float("nan")

    @property
    def counted(self) -> dict[float, tuple[int, int]]:
        """Wrong bits and bits by Eb / N0, for the channel and width that are set."""
        return self.errors.setdefault((self.channel.name, self.width.name), {})

    def step(self, seconds: float) -> None:
        """Receive for some time, and each block at least once."""
        self._send()
        self.rates.append(SYMBOL / self.receive(len(self._blocks), seconds))

    def receive(self, blocks: int, seconds: float = 0.0) -> float:
        """Receive at least so many blocks, for at least so long; returns the seconds that a symbol took."""
        begun = time.perf_counter()
        fed = 0
        while fed < blocks or time.perf_counter() - begun < seconds:
            if self._stream.under_way == self._stream.in_flight:
                self._take()
            index = fed % len(self._blocks)
            self._stream.feed(self._blocks[index].samples, index)
            fed += 1
        while self._stream.under_way:
            self._take()
        return (time.perf_counter() - begun) / (fed * self.symbols)

    def count(self, bits: int, most_errors: int) -> None:
        """Receive new blocks until so many bits or so many wrong ones have been counted for the present Eb / N0."""
        while True:
            wrong, of = self.counted.get(self.channel.bit_energy_db, (0, 0))
            if of >= bits or wrong >= most_errors:
                return
            if self._blocks[-1].counted:
                self._blocks = [self._next_block()()]
            last = len(self._blocks) - 1
            self._stream.feed(self._blocks[last].samples, last)
            self._take()

    def release(self) -> None:
        """Free everything. Releasing twice is harmless."""
        self._free()
        self._sender.shutdown(cancel_futures=True)

    def _free(self) -> None:
        if self._receiver is not None:
            self._stream.release()
            self._receiver.release()
            self._receiver = None

    def _take(self) -> None:
        (self.result,) = self._stream.take()
        block = self._blocks[self._stream.position]
        if not block.counted:
            block.counted = True
            wrong, of = self.counted.get(self.channel.bit_energy_db, (0, 0))
            found = bit_errors(block.words, self.result["words"])
            self.counted[self.channel.bit_energy_db] = (wrong + found, of + bits_in(block.words))

    def _send(self) -> None:
        """Put a new block in the place of the oldest, if one has come, and have another one made when it is time."""
        now = time.perf_counter()
        if self._coming is not None and self._coming.done():
            block = self._coming.result()
            self._blocks = [*self._blocks, block][-_BLOCKS:]
            self._coming = None
            self._send_again = now + block.seconds * (1 / _SENDERS_SHARE - 1)
        if self._coming is None and now >= self._send_again:
            self._coming = self._sender.submit(self._next_block())

    def _next_block(self) -> Callable[[], Block]:
        """A function that makes the next block, in any thread."""
        self._sent += 1
        seeds = [self.settings.seed, self._sent]
        return partial(_make, seeds, self.symbols, self.channel, self.width)


def _make(seeds: Sequence[int], symbols: int, channel: Channel, width: Width) -> Block:
    begun = time.perf_counter()
    random = np.random.default_rng(seeds)
    words = random_words(random, symbols)
    # What was sent before would be heard in the first guard interval alone, which the receiver leaves out.
    arrived = channel.send(samples_of(words), random, None)
    samples = width.encode(arrived, 1 + channel.noise)
    return Block(words, samples, time.perf_counter() - begun)


def _kept(settings: LinkSettings) -> tuple[object, ...]:
    """What a receiver and its stream are made for."""
    return settings.symbols, settings.samples, settings.algorithm, settings.in_flight, settings.direct
