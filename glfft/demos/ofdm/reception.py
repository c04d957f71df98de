"""A link at work: blocks sent and received, bits compared, and time taken."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from glfft.demos.ofdm.channel import Channel
from glfft.demos.ofdm.numbers import SYMBOL
from glfft.demos.ofdm.receiver import Receiver
from glfft.demos.ofdm.settings import LinkSettings
from glfft.demos.ofdm.source import bit_errors, bits_in, random_words, samples_of
from glfft.demos.ofdm.widths import Width
from glfft.gl.context import is_software

# Blocks that are sent again and again: numpy would make new ones too slowly to keep a GPU busy.
_BLOCKS = 4
# A new block takes the place of an old one as often as this share of the time allows.
_SENDERS_SHARE = 0.2

_SYMBOLS, _SOFTWARE_SYMBOLS = 5632, 176

_HISTORY = 240


@dataclass
class Block:
    """What was sent, what arrived of it, and whether its errors have been counted."""

    words: npt.NDArray[np.uint32]
    samples: npt.NDArray[Any]
    counted: bool = False


class Reception:
    """Sends and receives with a receiver in a stream.

    Args:
        ctx: the context.
        settings: the link.

    Attributes:
        result: what the receiver gave for the last block, see `Receiver`; None before the first.
        errors: by channel and width, then by Eb / N0 in dB: how many bits were wrong, and of how many.
        rates: samples a second of the last steps, transfers included.

    Raises:
        GlfftError: the settings make no sense, or are too large for the device; see `Receiver` and `Channel`.
    """

    def __init__(self, ctx: moderngl.Context, settings: LinkSettings) -> None:
        self._ctx = ctx
        self.result: Any = None
        self.errors: dict[tuple[str, str], dict[float, tuple[int, int]]] = {}
        self.rates: deque[float] = deque(maxlen=_HISTORY)
        self._random = np.random.default_rng(settings.seed)
        self._receiver: Receiver | None = None
        self._sender_seconds = 0.0
        self._refreshed = 0.0
        self.configure(settings)

    def configure(self, settings: LinkSettings) -> None:
        """Go on with other settings. Should they make no sense, nothing changes.

        Raises:
            GlfftError: see above.
        """
        if settings.symbols is None:
            settings = replace(settings, symbols=_SOFTWARE_SYMBOLS if is_software(self._ctx) else _SYMBOLS)
        channel, width = Channel(settings.channel, settings.bit_energy_db), Width(settings.samples)
        if self._receiver is None or _kept(settings) != _kept(self.settings):
            assert settings.symbols is not None
            receiver = Receiver(self._ctx, settings.symbols, width, algorithm=settings.algorithm)
            try:
                stream = receiver.stream(in_flight=settings.in_flight)
            except Exception:
                receiver.release()
                raise
            self.release()
            self._receiver, self._stream = receiver, stream
            self.rates.clear()
        self.settings, self.channel, self.width = settings, channel, width
        self._receiver.set_power(1 + channel.noise)
        self._last_sent: npt.NDArray[np.complex64] | None = None
        self._blocks: list[Block] = []
        self._refresh()

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
        if time.perf_counter() - self._refreshed > self._sender_seconds / _SENDERS_SHARE:
            self._refresh()
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
            self._blocks = []
            self._refresh()
            self._stream.feed(self._blocks[0].samples, 0)
            self._take()

    def release(self) -> None:
        """Free everything. Releasing twice is harmless."""
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

    def _refresh(self) -> None:
        """Send another block, in the place of the oldest where there are enough."""
        begun = time.perf_counter()
        words = random_words(self._random, self.symbols)
        sent = samples_of(words)
        arrived = self.channel.send(sent, self._random, self._last_sent)
        self._blocks.append(Block(words, self.width.encode(arrived, 1 + self.channel.noise)))
        del self._blocks[:-_BLOCKS]
        self._last_sent = sent
        self._refreshed = time.perf_counter()
        self._sender_seconds = self._refreshed - begun

    def __enter__(self) -> Reception:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def _kept(settings: LinkSettings) -> tuple[object, ...]:
    """What a receiver and its stream are made for."""
    return settings.symbols, settings.samples, settings.algorithm, settings.in_flight
