"""The receiver that Hinitt and Kocak's transforms are for: its time a symbol, and its share of wrong bits."""

from __future__ import annotations

from contextlib import ExitStack

import moderngl
import numpy as np

from glfft.apps.ofdm.link.reception import Reception
from glfft.apps.ofdm.link.settings import FIXED8, FLOAT16, FLOAT32, LinkSettings
from glfft.apps.papers.grid import Grid, Spread
from glfft.apps.papers.hinitt_streams import BLOCKS, IN_FLIGHT, RADIX_8
from glfft.apps.papers.measuring import Maker, Run, Sampled
from glfft.errors import AccuracyError

# The algorithm of the receiver's transforms.
ALGORITHM = "auto"

# Symbols of a block, by whether the renderer is software.
SYMBOLS = {False: 5632, True: 352}

# Bits to count the errors of, and their energy over the noise's.
ERROR_BITS = 1_000_000
ERRORS_DB = 8.0


def measure(run: Run) -> dict[str, Grid]:
    """Microseconds a symbol by width and blocks in flight, and the share of wrong bits by width."""
    symbols = SYMBOLS[run.software]
    receivers = {
        f"{each}, {_blocks(in_flight)}": _receiver(run.ctx, each, symbols, in_flight)
        for each in (FLOAT32, FLOAT16, FIXED8)
        for in_flight in (1, IN_FLIGHT)
    }
    receivers[_DIRECT] = _receiver(run.ctx, FIXED8, symbols, IN_FLIGHT, direct=True)
    return {
        "receiver": run.time({symbols: receivers}),
        "errors": _errors(run.ctx, ERROR_BITS // (4 if run.quick else 1)),
    }


def _blocks(in_flight: int) -> str:
    return "one block at a time" if in_flight == 1 else f"{in_flight} blocks in flight"


_DIRECT = f"{FIXED8}, {_blocks(IN_FLIGHT)}, read where they are written"


def _receiver(ctx: moderngl.Context, width: str, symbols: int, in_flight: int, direct: bool = False) -> Maker:
    def make(stack: ExitStack) -> Sampled:
        settings = LinkSettings(
            samples=width, symbols=symbols, in_flight=in_flight, direct=direct, bit_energy_db=40.0, algorithm=ALGORITHM
        )
        reception = stack.enter_context(Reception(ctx, settings))
        reception.step(0.0)
        wrong, bits = reception.counted[settings.bit_energy_db]
        if wrong > bits / 1000:
            raise AccuracyError(f"The receiver of {width} samples is wrong: {wrong} of {bits} bits.")
        return Sampled(lambda: reception.receive(BLOCKS) * 1e6)

    return make


def _errors(ctx: moderngl.Context, bits: int) -> Grid:
    """The share of wrong bits by width; its spread is a standard deviation to both sides."""
    grid = Grid()
    for width in (FLOAT32, FLOAT16, FIXED8, "fixed4"):
        settings = LinkSettings("flat", ERRORS_DB, width, symbols=SYMBOLS[True], algorithm=RADIX_8)
        with Reception(ctx, settings) as reception:
            reception.count(bits, most_errors=bits)
            wrong, of = reception.counted[ERRORS_DB]
        rate, off = wrong / of, float(np.sqrt(max(wrong, 1))) / of
        grid.values[width, f"{ERRORS_DB:g} dB"] = Spread(rate, rate - off, rate + off)
    return grid
