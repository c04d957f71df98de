"""del Mundo, Adhinarayanan and Feng, section I, figure 2: filter, transform and channel map, a dispatch each."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import cache, partial

import moderngl
import numpy as np

from glfft import Plan
from glfft.apps.bench.workload import held, read_copy
from glfft.apps.papers.claims import Grid, Point, Spread
from glfft.apps.papers.measuring import Maker, Run, check_snr
from glfft.apps.signal_to_noise import random_complex, snr_db
from glfft.channelizer import Channelizer, FilterBank
from glfft.gl import bindings, programs
from glfft.gl.barriers import SHADER_STORAGE_BARRIER, TEXTURE_FETCH_BARRIER
from glfft.gl.context import state_of
from glfft.gl.source import Define

FILTER, TRANSFORM, MAP = STAGES = ("FIR filtering", "FFT", "channel mapping")
IN_ONE = "all in one dispatch"
HIS = "FFT, four-by-four"

CHANNELS = tuple(1 << power for power in range(4, 12))
_HIS_CHANNELS = 16

TIMES, QUICK_TIMES, SOFTWARE_TIMES = 4096, 1024, 32  # samples of each channel, one from each block

_THREADS = 64
_BINDINGS = {
    "samples": bindings.SAMPLES_BUFFER_BINDING,
    "history": bindings.HISTORY_BUFFER_BINDING,
    "prototype": bindings.PROTOTYPE_BUFFER_BINDING,
    "channels": bindings.CHANNELS_BUFFER_BINDING,
    "map": bindings.MAP_BUFFER_BINDING,
}


def measure(run: Run) -> Grid:
    """Time the stages, and all in one dispatch, by number of channels. Raises AccuracyError where results differ."""
    times = SOFTWARE_TIMES if run.software else QUICK_TIMES if run.quick else TIMES
    with ExitStack() as stack:
        return run.time({channels: _rows(run, channels, times, stack) for channels in CHANNELS})


def _rows(run: Run, channels: int, times: int, stack: ExitStack) -> dict[str, Maker]:
    stages = cache(lambda: _Stages(run, channels, times, stack))
    rows = (*STAGES, IN_ONE, *([HIS] if channels == _HIS_CHANNELS else []))
    return {row: lambda _, row=row: run.timer.subject(stages().calls[row]) for row in rows}


class _Stages:
    """A block of samples, and what is made of it stage by stage; all is released with the stack."""

    def __init__(self, run: Run, channels: int, times: int, stack: ExitStack) -> None:
        self._ctx = ctx = run.ctx
        bank = FilterBank.design(channels, taps=12)
        history, prototype = len(bank.prototype), bank.prototype.astype(np.float32)  # whole taps for each channel
        samples = random_complex((times * channels,)).astype(np.complex64)

        def buffer(contents: np.ndarray) -> moderngl.Buffer:
            return held(stack, ctx.buffer(contents))

        def transform(algorithm: str) -> Callable[[], None]:
            options = {"axes": (0,), "algorithm": algorithm, "norm": "forward", "storage": "buffer"}
            plan = held(stack, Plan(ctx, (channels, times), **options))
            return partial(plan.inverse, waves, spectra, next_use="storage")

        block, past = buffer(samples), buffer(np.zeros(history, np.complex64))
        waves, spectra, self._target = (buffer(np.zeros_like(samples)) for _ in range(3))
        self._groups = state_of(ctx).limits.in_rows(-(-samples.size // _THREADS))
        self._defines: dict[str, Define] = {f"{name.upper()}_BINDING": each for name, each in _BINDINGS.items()}
        self._defines |= {"THREADS": _THREADS, "GROUPS_ACROSS": self._groups[0], "ROWS": channels, "COLUMNS": times}
        self._defines |= {"HISTORY": history, "DECIMATION": channels, "TAPS": history // channels}
        self._defines |= {"PAIRED": 0, "SAMPLES": "FLOAT_32"}
        of_filter = {"samples": block, "history": past, "prototype": buffer(prototype), "channels": waves}
        of_map = {"samples": spectra, "channels": self._target, "map": buffer(np.arange(channels, dtype=np.int32))}
        self._channelizer = held(stack, Channelizer(ctx, bank, times=times))
        self.calls: dict[str, Callable[[], object]] = {
            FILTER: self._dispatch("filter", of_filter, "channels"),
            TRANSFORM: transform("auto"),
            MAP: self._dispatch("map", of_map, "samples"),
            IN_ONE: partial(self._channelizer, block, self._target),
        }
        if channels == _HIS_CHANNELS:
            self.calls[HIS] = transform("four-by-four")
        self._check()

    def _dispatch(self, name: str, buffers: Mapping[str, moderngl.Buffer], waves: str) -> Callable[[], None]:
        """A stage that is a dispatch, with its buffers by their bindings, and the binding of the channels' waves."""
        defines = {**self._defines, "WAVES_BINDING": _BINDINGS[waves]}
        program = programs.compute(self._ctx, f"channelizer/{name}_alone.comp", defines)

        def stage() -> None:
            for binding, buffer in buffers.items():
                buffer.bind_to_storage_buffer(_BINDINGS[binding])
            program.run(*self._groups)
            self._ctx.memory_barrier(SHADER_STORAGE_BARRIER | TEXTURE_FETCH_BARRIER)

        return stage

    def _check(self) -> None:
        self._channelizer.reset()
        self.calls[IN_ONE]()
        exact = self._result()
        for transform in {TRANSFORM, HIS} & self.calls.keys():
            self._target.write(bytes(self._target.size))
            for stage in (FILTER, transform, MAP):
                self.calls[stage]()
            check_snr("A channelizer in stages", snr_db(self._result(), exact), 120.0)

    def _result(self) -> np.ndarray:
        self._ctx.memory_barrier()
        return np.frombuffer(read_copy(self._ctx, self._target), np.complex64)


def shares(grid: Grid) -> dict[Point, Spread]:
    """The transform's share of the time of all three stages, by number of channels."""
    return {n: parts[1].over(sum(part.middle for part in parts)) for n, parts in grid.columns(STAGES).items()}


def growths(grid: Grid) -> dict[str, dict[Point, Spread]]:
    """The time of each row over the time of all three stages at the most channels, as in figure 2."""
    whole = sum(part.middle for part in grid.columns(STAGES).get(max(grid.points, default=0), []))
    return grid.changed(lambda time: time.over(whole)) if whole else {}
