"""del Mundo, Adhinarayanan and Feng, section I, figure 2: filter, transform and channel map, a dispatch each."""

from collections.abc import Callable
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
from glfft.gl.source import Define, assemble

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
        self._ctx, self._stack, self._times = run.ctx, stack, times
        bank = FilterBank.design(channels, taps=12)
        taps = -(-len(bank.prototype) // channels)
        prototype = np.zeros(taps * channels, np.float32)
        prototype[: len(bank.prototype)] = bank.prototype
        history = taps * channels
        samples = random_complex((times * channels,)).astype(np.complex64)
        self._samples, self._target = self._buffer(samples.tobytes()), self._buffer(samples.nbytes)
        self._waves, self._spectra = self._buffer(samples.nbytes), self._buffer(samples.nbytes)
        self._history, self._prototype = self._buffer(bytes(8 * history)), self._buffer(prototype.tobytes())
        self._rows = self._buffer(np.arange(channels, dtype=np.int32).tobytes())
        groups = -(-samples.size // _THREADS)
        deep = -(-groups // state_of(self._ctx).limits.group_count[0])
        self._groups = (-(-groups // deep), deep)
        self._filter = self._program("filter", channels, _BINDINGS["channels"], history)
        self._map = self._program("map", channels, _BINDINGS["samples"], history)
        self._channelizer, plan = held(stack, Channelizer(self._ctx, bank, times=times)), self._plan("auto", channels)
        his = self._plan("four-by-four", channels) if channels == _HIS_CHANNELS else plan
        self.calls: dict[str, Callable[[], None]] = {
            FILTER: self._filtered,
            TRANSFORM: partial(self._transformed, plan),
            HIS: partial(self._transformed, his),
            MAP: self._mapped,
            IN_ONE: partial(self._channelizer, self._samples, self._target),
        }
        self._check()

    def _buffer(self, contents: bytes | int) -> moderngl.Buffer:
        made = self._ctx.buffer(reserve=contents) if isinstance(contents, int) else self._ctx.buffer(contents)
        return held(self._stack, made)

    def _plan(self, algorithm: str, channels: int) -> Plan:
        options = {"axes": (0,), "algorithm": algorithm, "norm": "forward", "storage": "buffer"}
        return held(self._stack, Plan(self._ctx, (channels, self._times), **options))

    def _program(self, name: str, channels: int, waves: int, history: int) -> moderngl.ComputeShader:
        defines: dict[str, Define] = {
            "THREADS": _THREADS,
            "GROUPS_ACROSS": self._groups[0],
            "ROWS": channels,
            "COLUMNS": self._times,
            "PAIRED": 0,
            "SAMPLES": "FLOAT_32",
            "HISTORY": history,
            "DECIMATION": channels,
            "TAPS": history // channels,
            **{f"{name.upper()}_BINDING": binding for name, binding in _BINDINGS.items()},
            "WAVES_BINDING": waves,
        }
        return programs.compute_from(self._ctx, assemble(f"channelizer/{name}_alone.comp", defines))

    def _filtered(self) -> None:
        _bind(samples=self._samples, history=self._history, prototype=self._prototype, channels=self._waves)
        self._filter.run(*self._groups)
        self._ctx.memory_barrier(SHADER_STORAGE_BARRIER | TEXTURE_FETCH_BARRIER)

    def _transformed(self, plan: Plan) -> None:
        plan.inverse(self._waves, self._spectra, next_use="read")
        self._ctx.memory_barrier(SHADER_STORAGE_BARRIER)

    def _mapped(self) -> None:
        _bind(samples=self._spectra, channels=self._target, map=self._rows)
        self._map.run(*self._groups)
        self._ctx.memory_barrier(SHADER_STORAGE_BARRIER)

    def _check(self) -> None:
        self._channelizer.reset()
        self.calls[IN_ONE]()
        exact = self._result()
        for transform in (TRANSFORM, HIS):
            self._target.write(bytes(self._target.size))
            for stage in (FILTER, transform, MAP):
                self.calls[stage]()
            check_snr("A channelizer in stages", snr_db(self._result(), exact), 120.0)

    def _result(self) -> np.ndarray:
        self._ctx.memory_barrier()
        return np.frombuffer(read_copy(self._ctx, self._target), np.complex64)


def _bind(**buffers: moderngl.Buffer) -> None:
    for name, buffer in buffers.items():
        buffer.bind_to_storage_buffer(_BINDINGS[name])


def shares(grid: Grid) -> dict[Point, Spread]:
    """The transform's share of the time of all three stages, by number of channels."""
    return {n: parts[1].over(sum(part.middle for part in parts)) for n, parts in grid.columns(STAGES).items()}


def growths(grid: Grid) -> dict[str, dict[Point, Spread]]:
    """The time of each row over that of all three stages at the most channels, as in figure 2."""
    parts = grid.columns(STAGES).get(max(grid.points, default=0), [])
    whole = sum(part.middle for part in parts)
    return grid.changed(lambda time: time.over(whole)) if whole else {}
