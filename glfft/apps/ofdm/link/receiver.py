"""The receiver: samples to bits, all on the GPU, as the work of a stream.

A block of symbols goes through four dispatches: the transforms, which convert samples as they load them and leave out
the guard intervals; what the pilots say about the channel; the channel's response out of that; and equaliser and
demapper in one.
"""

from functools import cache, lru_cache
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from glfft import Plan
from glfft.apps.ofdm.link.symbols import (
    DATA,
    GUARD,
    PILOT_SPACING,
    SUBCARRIERS,
    SYMBOL,
    USED,
    WORDS,
    pilot_signs,
    used_subcarriers,
)
from glfft.apps.ofdm.link.widths import SAMPLES_BINDING, Width
from glfft.errors import OptionError, shown, whole_number
from glfft.gl.barriers import SHADER_STORAGE_BARRIER
from glfft.gl.context import state_of
from glfft.gl.functions import check_errors
from glfft.gl.programs import compute
from glfft.gl.releasable import Releasable
from glfft.streaming.stream import Stream

SHOWN = PILOT_SPACING

_SPECTRA, _RESULT, _SIGNS, _PILOTS, _SMOOTHING = range(SAMPLES_BINDING, SAMPLES_BINDING + 5)

_SUM_INVOCATIONS = 32
_ROW_INVOCATIONS = 32
_WORD_INVOCATIONS = 64

# The signal-to-noise ratio of pilots that the estimate is made for. Where there is less noise, it smooths too much by
# very little.
_PILOTS_DB = 20.0


class Receiver(Releasable):
    """What a stream does with each block of received symbols.

        with Receiver(ctx, 352, Width("fixed8"), power) as receiver, receiver.stream() as stream:
            for result in stream.run(blocks):
                result["words"]

    The result of a block is a record with the fields "words", [symbols, 42] of 32 bits as in
    `glfft.apps.ofdm.link.symbols`; "points", the equalised points of the first 22 symbols, [22, 336]; "response", the
    estimated response of the used subcarriers, [352]; and "power", the mean power of all subcarriers in the first 22
    symbols, in FFT order, [512]. All are scaled so that a point that was sent is received as itself in a flat channel.

    Args:
        symbols: of a block, a multiple of 22, in which each subcarrier is a pilot once.
        width: of the samples.
        power: the mean power of the samples, noise included, to which integers are scaled.
        algorithm: of the transforms.

    Raises:
        OptionError: `symbols` is no multiple of 22.
        LimitError: a block does not fit a buffer of the device.
        AlgorithmError: there is no such algorithm.
        ContextError: the device has too little memory.
    """

    def __init__(
        self, ctx: moderngl.Context, symbols: int, width: Width, power: float = 1.0, algorithm: str = "auto"
    ) -> None:
        self.symbols = check_symbols(symbols)
        self.width = width
        self._ctx = ctx
        shape, options = (self.symbols, SUBCARRIERS), {"algorithm": algorithm, "load": width.load()}
        self._plan = Plan(ctx, shape, axes=(1,), storage="buffer", norm="forward", **options)
        self.set_power(power)
        defines = {"SYMBOLS": self.symbols, "SHOWN": SHOWN, "TARGET_UNIT": _RESULT, "SPECTRA_UNIT": _SPECTRA}
        defines |= {"SIGNS_UNIT": _SIGNS, "PILOTS_UNIT": _PILOTS, "SMOOTHING_UNIT": _SMOOTHING}
        self._pilots_pass = compute(ctx, "ofdm/pilots.comp", {**defines, "INVOCATIONS": _SUM_INVOCATIONS})
        self._estimate_pass = compute(ctx, "ofdm/estimate.comp", {**defines, "INVOCATIONS": _ROW_INVOCATIONS})
        self._demap_pass = compute(ctx, "ofdm/demap.comp", {**defines, "INVOCATIONS": _WORD_INVOCATIONS})
        self._buffers = {
            _SPECTRA: ctx.buffer(reserve=self.symbols * SUBCARRIERS * 8),
            _SIGNS: ctx.buffer(pilot_signs().tobytes()),
            _PILOTS: ctx.buffer(reserve=USED * 8),
            _SMOOTHING: ctx.buffer(smoothing_matrix(self.symbols).astype(np.complex64).tobytes()),
        }
        check_errors(ctx, f"making a receiver of {self.symbols} symbols a block")

    @property
    def block(self) -> tuple[tuple[int, int], np.dtype[np.generic]]:
        """Shape and dtype of a block: samples and their real and imaginary parts."""
        return (self.symbols * SYMBOL, 2), self.width.dtype

    @property
    def result(self) -> tuple[tuple[int, ...], np.dtype[Any]]:
        """Shape and dtype of what comes out, see above."""
        fields = [
            ("words", "<u4", (self.symbols, WORDS)),
            ("points", "<c8", (SHOWN, DATA)),
            ("response", "<c8", (USED,)),
            ("power", "<f4", (SUBCARRIERS,)),
        ]
        return (1,), np.dtype(fields)

    def set_power(self, power: float) -> None:
        """Say what the samples' mean power is from the next block on; floats do not need it."""
        if self.width.bits:
            self._plan.set_uniforms(sample_step=self.width.step(power))

    def stream(self, **options: Any) -> Stream:
        """A stream that receives; options are those of `Stream`."""
        return Stream(self._ctx, self.receive, block=self.block, result=self.result, **options)

    def receive(self, samples: moderngl.Buffer, result: moderngl.Buffer) -> None:
        """Give the commands that turn a block of samples into its result."""
        samples.bind_to_storage_buffer(SAMPLES_BINDING)
        self._plan.forward(None, self._buffers[_SPECTRA], next_use="storage")
        for binding, buffer in {**self._buffers, _RESULT: result}.items():
            buffer.bind_to_storage_buffer(binding)
        self._pilots_pass.run(SUBCARRIERS)
        self._ctx.memory_barrier(SHADER_STORAGE_BARRIER)
        self._estimate_pass.run(USED)
        self._ctx.memory_barrier(SHADER_STORAGE_BARRIER)
        self._demap_pass.run(-(-self.symbols * WORDS // _WORD_INVOCATIONS))
        # The next block's transforms overwrite the spectra.
        self._ctx.memory_barrier(SHADER_STORAGE_BARRIER)

    def release(self) -> None:
        """Free everything. Releasing twice is harmless."""
        self._plan.release()
        state_of(self._ctx).release_soon([*self._buffers.values()])
        self._buffers = {}


def check_symbols(symbols: object) -> int:
    """The symbols of a block. Raises OptionError where they are no positive multiple of 22."""
    count = whole_number(symbols) or 0
    if count < 1 or count % PILOT_SPACING:
        near = max(round(count / PILOT_SPACING), 1) * PILOT_SPACING
        raise OptionError(
            f"A block has {shown(symbols)} symbols and must have a multiple of {PILOT_SPACING}, in which each "
            f"subcarrier is a pilot once; {near} is the nearest."
        )
    return count


@lru_cache(maxsize=4)
def smoothing_matrix(symbols: int) -> npt.NDArray[np.complex128]:
    """What makes an estimate of the channel's response out of the means of the pilots: [352, 352].

    The responses of channels whose echoes come within the guard interval, all delays alike, have the covariance R with
    R[j, k] = mean over d < 64 of exp(-2 pi i (k_j - k_k) d / 512). The linear estimate with the least mean square
    error is R (R + s I)^-1, with s the noise's power in a mean (Edfors and others, OFDM channel estimation by singular
    value decomposition, IEEE Trans. Commun. 46, 1998, equation 6; a channel alike at all delays is their robust case).
    """
    phases = np.exp(-2j * np.pi * np.outer(used_subcarriers(), np.arange(GUARD)) / SUBCARRIERS)
    covariance = phases @ phases.conj().T / GUARD
    noise = 10 ** (-_PILOTS_DB / 10) * PILOT_SPACING / symbols
    # Both are Hermitian, so that the factors may change places.
    return np.asarray(np.linalg.inv(covariance + noise * np.eye(USED)) @ covariance, np.complex128)


@cache
def estimate_gain(symbols: int) -> float:
    """How much of a subcarrier's noise power is in the estimate of its response, as a mean over the subcarriers."""
    return float((np.abs(smoothing_matrix(symbols)) ** 2).sum() / USED * PILOT_SPACING / symbols)
