"""The receiver, samples to bits, all on the GPU, as the work of a stream; and a link at work.

A block of symbols goes through four dispatches: the transforms, which convert samples and leave out the guard
intervals; what the pilots say about the channel; the channel's response; and equaliser and demapper in one.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt
from moderngl import Buffer, Context

from glfft import Plan
from glfft.apps.ofdm.link import symbols as link
from glfft.apps.ofdm.link.settings import LinkSettings
from glfft.apps.ofdm.link.symbols import Channel, Width
from glfft.errors import at_least_one, require
from glfft.gl.barriers import SHADER_STORAGE_BARRIER
from glfft.gl.context import is_software
from glfft.gl.functions import check_errors
from glfft.gl.programs import compute
from glfft.gl.releasable import Keeper, Releasable, release_all, released_on_error
from glfft.streaming import Stream

SHOWN = link.PILOT_SPACING
_SPECTRA, _RESULT, _SIGNS, _PILOTS, _SMOOTHING = range(link.SAMPLES_BINDING, link.SAMPLES_BINDING + 5)
_SENDERS_SHARE = 0.2  # a new block takes the place of an old one as often as this share of the time allows


class Receiver(Keeper):
    """What a stream does with each block of received symbols.

    The result of a block is a record with the fields "words", [symbols, 42] of 32 bits as in
    `glfft.apps.ofdm.link.symbols`; "points", the equalised points of the first 22 symbols, [22, 336]; "response", the
    estimated response of the used subcarriers, [352]; and "power", the mean power of all subcarriers in the first 22
    symbols, in FFT order, [512]. All are scaled so that a point that was sent is received as itself in a flat channel.

    A block has a multiple of 22 symbols, in which each subcarrier is a pilot once. Raises GlfftError for another number
    of symbols, where a block does not fit a buffer or the memory of the device, or there is no such algorithm.
    """

    def __init__(self, ctx: Context, symbols: int, width: Width, algorithm: str = "auto") -> None:
        wanted = f"a multiple of {link.PILOT_SPACING}, in which each subcarrier is a pilot once"
        require(at_least_one("symbols", symbols) % link.PILOT_SPACING == 0, "symbols", symbols, wanted)
        self.symbols = symbols
        self.width, self._ctx = width, ctx
        options: dict[str, Any] = {"algorithm": algorithm, "load": width.load(), "directions": ["forward"]}
        shape = (self.symbols, link.SUBCARRIERS)
        self._plan = self._own(Plan(ctx, shape, axes=(1,), storage="buffer", norm="forward", **options))
        defines = {"SYMBOLS": self.symbols, "SHOWN": SHOWN, "TARGET_UNIT": _RESULT, "SPECTRA_UNIT": _SPECTRA}
        defines |= {"SIGNS_UNIT": _SIGNS, "PILOTS_UNIT": _PILOTS, "SMOOTHING_UNIT": _SMOOTHING}
        words = -(-self.symbols * link.WORDS // 64)
        # Each with its invocations, and how many groups of them.
        passes = ("pilots", 32, link.SUBCARRIERS), ("estimate", 32, link.USED), ("demap", 64, words)
        self._passes = [
            (compute(ctx, f"ofdm/{name}.comp", {**defines, "INVOCATIONS": each}), count) for name, each, count in passes
        ]
        self._buffers = {
            _SPECTRA: self._own(ctx.buffer(reserve=self.symbols * link.SUBCARRIERS * 8)),
            _SIGNS: self._own(ctx.buffer(link.pilot_signs().tobytes())),
            _PILOTS: self._own(ctx.buffer(reserve=link.USED * 8)),
            _SMOOTHING: self._own(ctx.buffer(smoothing_matrix(self.symbols).astype(np.complex64).tobytes())),
        }
        check_errors(ctx, f"making a receiver of {self.symbols} symbols a block")

    def set_power(self, power: float) -> None:
        """Say what the samples' mean power is from the next block on, noise included; only floats need no power."""
        if self.width.bits:
            self._plan.set_uniforms(sample_step=self.width.step(power))

    def stream(self, **options: Any) -> Stream:
        words, points = ("words", "<u4", (self.symbols, link.WORDS)), ("points", "<c8", (SHOWN, link.DATA))
        measured = ("response", "<c8", (link.USED,)), ("power", "<f4", (link.SUBCARRIERS,))
        block, result = ((self.symbols * link.SYMBOL, 2), self.width.dtype), np.dtype([words, points, *measured])
        return Stream(self._ctx, self.receive, block=block, result=((1,), result), **options)

    def receive(self, samples: Buffer, result: Buffer) -> None:
        samples.bind_to_storage_buffer(link.SAMPLES_BINDING)
        self._plan.forward(None, self._buffers[_SPECTRA], next_use="storage")
        for binding, buffer in {**self._buffers, _RESULT: result}.items():
            buffer.bind_to_storage_buffer(binding)
        for program, groups in self._passes:
            program.run(groups)
            # The last one too: the next block's transforms overwrite the spectra.
            self._ctx.memory_barrier(SHADER_STORAGE_BARRIER)


@lru_cache(maxsize=4)
def smoothing_matrix(symbols: int) -> npt.NDArray[np.complex128]:
    """What makes an estimate of the channel's response out of the means of the pilots: [352, 352].

    Responses of channels whose echoes come within the guard interval, all delays alike, have the covariance R[j, k] =
    mean over d < 64 of exp(-2 pi i (k_j - k_k) d / 512). The linear estimate with the least mean square error is R (R +
    s I)^-1, with s the noise's power in a mean (Edfors and others, OFDM channel estimation by singular value
    decomposition, IEEE Trans. Commun. 46, 1998, equation 6).
    """
    phases = np.exp(-2j * np.pi * np.outer(link.used_subcarriers(), np.arange(link.GUARD)) / link.SUBCARRIERS)
    covariance = phases @ phases.conj().T / link.GUARD
    # For pilots 20 dB above the noise: with less, it smooths too much by little.
    noise = 0.01 * link.PILOT_SPACING / symbols
    # Both are Hermitian, so that the factors may change places.
    return np.asarray(np.linalg.inv(covariance + noise * np.eye(link.USED)) @ covariance, np.complex128)


@cache
def estimate_gain(symbols: int) -> float:
    """How much of a subcarrier's noise power is in the estimate of its response, as a mean over the subcarriers."""
    return float((np.abs(smoothing_matrix(symbols)) ** 2).sum() / link.USED * link.PILOT_SPACING / symbols)


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

    `result` is what the receiver gave for the last block, None before the first; `errors` are, by channel and width and
    then by Eb / N0 in dB, wrong bits and bits; `rates` are samples a second of the last steps, transfers included.
    """

    def __init__(self, ctx: Context, settings: LinkSettings) -> None:
        self._ctx = ctx
        self.result: Any = None
        self.errors: dict[tuple[str, str], dict[float, tuple[int, int]]] = {}
        self.rates: deque[float] = deque(maxlen=240)
        self._receiver: Receiver | None = None
        # Makes blocks while others are received: numpy would hold up a window for too long.
        self._sender = ThreadPoolExecutor(1, "glfft sender")
        self._coming: Future[Block] | None = None
        self._send_again, self._sent = 0.0, 0
        with released_on_error([self]):
            self.configure(settings)

    def configure(self, settings: LinkSettings) -> None:
        """Go on with other settings. Should they make no sense, nothing changes, and a GlfftError is raised."""
        symbols = (176 if is_software(self._ctx) else 5632) if settings.symbols is None else settings.symbols
        channel, width = Channel(settings.channel, settings.bit_energy_db), Width(settings.samples)
        made_for = symbols, width, settings.algorithm, settings.in_flight, settings.direct
        if self._receiver is None or made_for != self._made_for:
            receiver = Receiver(self._ctx, symbols, width, algorithm=settings.algorithm)
            with released_on_error([receiver]):
                stream = receiver.stream(in_flight=settings.in_flight, direct=settings.direct)
            self._free()
            self._receiver, self._stream, self._made_for = receiver, stream, made_for
            self.mapped = stream.mapped
            self.rates.clear()
        self.settings, self.channel, self.width = replace(settings, symbols=symbols), channel, width
        self.symbols = symbols
        self._receiver.set_power(1 + channel.noise)
        self._coming = None
        self._blocks = [self._next_block()()]

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
        self.rates.append(link.SYMBOL / self.receive(len(self._blocks), seconds))

    def receive(self, blocks: int, seconds: float = 0.0) -> float:
        """Receive at least so many blocks, for at least so long; returns the seconds that a symbol took."""
        begun, fed = time.perf_counter(), 0
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
        self._free()
        self._sender.shutdown(cancel_futures=True)

    def _free(self) -> None:
        if self._receiver is not None:
            release_all((self._stream, self._receiver))
            self._receiver = None

    def _take(self) -> None:
        (self.result,) = self._stream.take()
        block = self._blocks[self._stream.position]
        if not block.counted:
            block.counted = True
            wrong, of = self.counted.get(self.channel.bit_energy_db, (0, 0))
            found = link.bit_errors(block.words, self.result["words"])
            self.counted[self.channel.bit_energy_db] = (wrong + found, of + 32 * block.words.size)

    def _send(self) -> None:
        """Put a new block in the place of the oldest, if one has come, and have another one made when it is time."""
        now = time.perf_counter()
        if self._coming is not None and self._coming.done():
            block = self._coming.result()
            # Sent again and again: numpy would make new ones too slowly to keep a GPU busy.
            self._blocks = [*self._blocks, block][-4:]
            self._coming = None
            self._send_again = now + block.seconds * (1 / _SENDERS_SHARE - 1)
        if self._coming is None and now >= self._send_again:
            self._coming = self._sender.submit(self._next_block())

    def _next_block(self) -> Callable[[], Block]:
        """A function that makes the next block, in any thread."""
        self._sent += 1
        return partial(_make, [self.settings.seed, self._sent], self.symbols, self.channel, self.width)


def _make(seeds: Sequence[int], symbols: int, channel: Channel, width: Width) -> Block:
    begun = time.perf_counter()
    random = np.random.default_rng(seeds)
    words = link.random_words(random, symbols)
    # What was sent before would be heard in the first guard interval alone, which the receiver leaves out.
    samples = width.encode(channel.send(link.samples_of(words), random), 1 + channel.noise)
    return Block(words, samples, time.perf_counter() - begun)
