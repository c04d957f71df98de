"""Looks at a running sea without stalling it: readings on their way through the GPU, and what came back."""

from collections import deque
from dataclasses import dataclass

import moderngl
import numpy as np
from numpy.typing import NDArray

from glfft.errors import require
from glfft.gl.barriers import barrier_before
from glfft.gl.fences import Fences
from glfft.gl.releasable import Releasable, release_all, released_after, released_on_error
from glfft.gl.textures import bytes_of
from glfft.gl.timed import waiting
from glfft.sea.measure import Snapshot
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation

_RING, _MOST_LINES = 3, 256
_APART, _TOO_FAR = 0.1, 1.0  # s of the sea's time, at least and at most, between the two moments of a snapshot


@dataclass(frozen=True)
class _Reading:
    tiles: tuple[OceanSettings, ...]
    time: float
    buffers: list[moderngl.Buffer]  # surface, foam
    fence: int


class SeaMonitor(Releasable):
    """Reads a simulation's textures and hands out snapshots some frames later, without waiting for the GPU.

    A reading is a copy into a buffer and a fence. Call `read` after an update, and `poll` in each frame.
    """

    def __init__(self, simulation: OceanSimulation) -> None:
        require(isinstance(simulation, OceanSimulation), "simulation", simulation, "an OceanSimulation")
        self._simulation, self._ctx = simulation, simulation.ctx
        self._fences = Fences(simulation.ctx)
        self._on_the_way: deque[_Reading] = deque()
        self._before: tuple[_Reading, NDArray[np.float32]] | None = None  # and its heights
        self.snapshot: Snapshot | None = None  # the newest, None until there are two moments of one sea
        # Times and heights of the first tile along the axis nearer to the wind, means over the other axis, for
        # `measure.dispersion`; they begin anew with each sea.
        self.line_times: deque[float] = deque(maxlen=_MOST_LINES)
        self.lines: deque[NDArray[np.float64]] = deque(maxlen=_MOST_LINES)

    def read(self) -> bool:
        """Start a reading of the last update; False without one, or if enough are in flight. Raises ReleasedError."""
        self._check_alive()
        simulation = self._simulation
        if simulation.time is None or simulation.morphing or len(self._on_the_way) >= _RING:
            return False
        simulation.step.check_time(simulation.time)
        buffers: list[moderngl.Buffer] = []
        with released_on_error(buffers):
            self._ctx.memory_barrier(barrier_before("read", buffer=False))
            for texture in (simulation.surface, simulation.foam):
                buffers.append(self._ctx.buffer(reserve=bytes_of(texture)))
                texture.read_into(buffers[-1])
            self._on_the_way.append(_Reading(simulation.tiles, simulation.time, buffers, self._fences.put()))
        return True

    def poll(self) -> bool:
        """Take what has come back; True if `snapshot` or `lines` are new."""
        before = len(self._on_the_way)
        while self._on_the_way and self._fences.passed(self._on_the_way[0].fence):
            self._take(self._on_the_way.popleft())
        return len(self._on_the_way) < before

    def release(self) -> None:
        """Free the GPU objects."""
        self._released = True
        self._fences.release()
        while self._on_the_way:
            release_all(self._on_the_way.pop().buffers)

    def _take(self, reading: _Reading) -> None:
        self._fences.delete(reading.fence)
        size, count = reading.tiles[0].size, len(reading.tiles)
        surface, foam = reading.buffers
        with released_after(surface, foam), waiting(self._ctx, "readback"):
            fields = np.frombuffer(surface.read(), np.float16).reshape(count, size, size, 4).astype(np.float32)
            cover = float(np.frombuffer(foam.read(), np.float32).reshape(count, size, size)[0].mean())
        now = reading, fields[..., 0]
        before, heights_before = self._before or now
        if before.tiles != reading.tiles or not 0 < reading.time - before.time < _TOO_FAR:
            self.line_times.clear()
            self.lines.clear()
            self._before, before = now, reading
        across = int(abs(np.tan(reading.tiles[0].wind_direction)) > 1)
        self.line_times.append(reading.time)
        self.lines.append(fields[0, ..., 0].mean(axis=across).astype(np.float64))
        if reading.time - before.time >= _APART:
            heights = np.stack([heights_before, fields[..., 0]]).astype(np.float64)
            slopes, times = fields[..., 2:].astype(np.float64), (before.time, reading.time)
            self.snapshot = Snapshot(reading.tiles, times, heights, slopes, cover)
            self._before = now
