"""Points of the sea for simulators: height, normal and the water's velocity above places of the world, on the GPU."""

import itertools
from dataclasses import dataclass, replace
from typing import Self

import moderngl
import numpy as np
from numpy.typing import ArrayLike, NDArray

from glfft.errors import OptionError, ShapeError, at_least_one, check_flag, require
from glfft.gl import barriers, mapped_buffers, programs
from glfft.gl.bindings import SOURCE_BUFFER_BINDING, TARGET_BUFFER_BINDING, first_snippet_texture_unit
from glfft.gl.context import state_of
from glfft.gl.fences import Fences
from glfft.gl.functions import errors_checked
from glfft.gl.releasable import Keeper, released_on_error
from glfft.gl.textures import use_textures
from glfft.sea import cascades, waves
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation
from glfft.sea.step import OceanStep, tile_uniforms

Sea = OceanStep | OceanSimulation  # of a step, the first tile has the choppiness of all

_GROUP = 64


class SurfaceLookup:
    """A compiled dispatch that looks points up, from buffer to buffer; nothing is read back.

    A point is x, z, m; an answer (height, normal), (velocity x, up, z, residual), (x, z of still water, 0, 0), float32.
    """

    bytes_a_point, bytes_an_answer = 8, 48

    def __init__(self, ctx: moderngl.Context, *, blended: bool, fine: bool, velocity: int = -1, rise: int = -1) -> None:
        """Whether tiles are read twice, and between samples by polynomials; the first layers of velocities, or -1."""
        self._ctx, self._first_unit = ctx, first_snippet_texture_unit(state_of(ctx).limits) - 1
        self._tiles = velocity if velocity > 0 else None  # how many make up the sea; velocities are on further ones
        self._defines = {"BLENDED": int(blended), "POLYNOMIAL": int(fine), "VELOCITY": velocity, "RISE": rise}
        self._defines |= {"POINTS_BINDING": SOURCE_BUFFER_BINDING, "ANSWERS_BINDING": TARGET_BUFFER_BINDING}

    def compile(self, tiles: int) -> moderngl.ComputeShader:
        """The program for a number of tiles."""
        return programs.compute(self._ctx, "sea/queries.comp", {"TILES": tiles, "PARTS": tiles, **self._defines})

    def run(self, sea: Sea, points: moderngl.Buffer, answers: moderngl.Buffer, count: int, smallest: float = 0) -> None:
        """Look up points of a sea at its moment; a barrier before the answers are used is the caller's.

        Waves with samples closer than `smallest`, m, are left out, for bodies as wide.
        """
        tiles = sea.tiles[: self._tiles]
        program = self.compile(len(tiles))
        units = use_textures({"surface": sea.surface, "stretch": sea.stretch}, self._first_unit)
        points.bind_to_storage_buffer(SOURCE_BUFFER_BINDING)
        answers.bind_to_storage_buffer(TARGET_BUFFER_BINDING)
        choppiness = sea.choppiness if isinstance(sea, OceanSimulation) else tiles[0].choppiness
        values = {"count": count, "choppiness": choppiness, "smallest": smallest}
        programs.set_uniforms(program, {**units, **tile_uniforms(tiles), **values})
        if count:
            program.run(-(-count // _GROUP))


@dataclass(frozen=True)
class SeaPoints:
    """What was found for a batch of points, float32.

    Attributes:
        height: height of the displaced surface above each place, m, [points].
        normal: unit normal of that surface, (x, up, z), [points, 3].
        velocity: of the water at the depth asked for, (x, up, z), m/s, [points, 3]; or None.
        residual: distance from the place to the point found, m, [points]; above 1 mm only where the surface folds over.
        still: (x, z) of that surface point in undisturbed water, m, [points, 2].
    """

    height: NDArray[np.float32]
    normal: NDArray[np.float32]
    velocity: NDArray[np.float32] | None
    residual: NDArray[np.float32]
    still: NDArray[np.float32]


class Batch:
    """Points on their way through the GPU."""

    def __init__(self, queries: "SeaQueries", slot: "_Slot", count: int) -> None:
        self._queries, self._slot, self._count = queries, slot, count
        self._found: SeaPoints | None = None

    @property
    def ready(self) -> bool:
        """Whether `result` returns without waiting."""
        if self._found is None:
            self._queries._check_alive()
        return self._found is not None or self._queries._fences.passed(self._slot.fence)

    def result(self) -> SeaPoints:
        """What was found; waits for the GPU unless `ready`, and makes room in the ring."""
        if self._found is None:
            self._found = self._queries._collect(self._slot, self._count)
        return self._found


@dataclass
class _Slot:
    points: moderngl.Buffer
    answers: moderngl.Buffer
    memory: NDArray[np.uint8] | None
    fence: int = 0  # 0 where it is free


class SeaQueries(Keeper):
    """Looks up the sea above places of the world.

    The waves are those of `OceanSimulation` with the same settings, on grids twice as fine and in float32: heights
    differ from a direct sum in float64 by less than a centimetre in the storm preset, and by less than two if its
    waves are on two tiles of 48 samples a side. The surface passes through (x + choppiness dx, height,
    z + choppiness dz); Newton's method undoes the displacement of each place. Places should be within some 10 km of the
    origin, where float32 still tells millimetres apart.

    Pictures of `glfft ocean` read each tile twice, the second time rotated; `blended=True` looks up that sea.
    `following` looks up the textures of a simulation: no step of its own, with its changes, and on a mesh displaced by
    them. The velocity is from linear theory, at a fixed depth below the still water, whatever the choppiness.

    `submit` returns at once, and `Batch.ready` tells when `Batch.result` will not wait; `query` submits and waits. A
    ring of buffers holds the batches in flight.

    GL state: as a plan leaves it, see `glfft.Plan`, and the current program, two texture units, two buffer bindings.
    """

    _sea: Sea
    _time: float | None = None

    def __init__(self, ctx: moderngl.Context, settings: OceanSettings, *, most: int = 10000,
                 depth: float | None = None, ring: int = 3, algorithm: str = "auto",
                 blended: bool = False) -> None:  # fmt: skip
        """Make the sea and the ring.

        Args:
            most: largest number of points in a batch; an attribute, as depth is.
            depth: depth below the still water, m, from 0; given, batches have velocities.
            ring: largest number of batches in flight.
            blended: look up the sea as pictures show it.

        Raises OptionError if a number is out of range, or the depth is below the ground; else errors of `OceanStep`.
        """
        self.ctx, self.most, self.depth = ctx, at_least_one("most", most), depth
        tiles = cascades.tiles_of(settings)
        moving = waves.flows(tiles, depth)
        fine = [replace(each, size=2 * each.size) for each in tiles]
        step = self._sea = self._own(OceanStep(ctx, fine * (1 + len(moving)), algorithm=algorithm, dtype="f4"))
        with released_on_error([step]):
            for layer, each in enumerate(itertools.chain(map(waves.amplitudes, tiles), *moving)):
                step.set_amplitudes(layer, waves.on_finer_grid(each))
            layers = {"velocity": len(tiles), "rise": len(tiles) * len(moving)} if moving else {}
            self._lookup = SurfaceLookup(ctx, blended=check_flag("blended", blended), fine=True, **layers)
            self._lookup.compile(len(tiles))
        self._make_ring(ring)

    @classmethod
    def following(cls, simulation: OceanSimulation, *, most: int = 10000, ring: int = 3, blended: bool = False) -> Self:
        """Look up the textures of a running simulation at its moment, without velocities; it must outlive the queries.

        Heights are those of its maps, in half precision and linear between samples: of a mesh displaced by them, or,
        blended, of pictures of `glfft ocean`. Arguments and errors are as for new queries.
        """
        if not isinstance(simulation, OceanSimulation):
            raise OptionError(f"following() takes an OceanSimulation, not {type(simulation).__name__}.")
        simulation.step.check_time(simulation.time or 0.0)
        self = cls.__new__(cls)
        self.ctx, self.most, self.depth, self._sea = simulation.ctx, at_least_one("most", most), None, simulation
        self._lookup = SurfaceLookup(simulation.ctx, blended=check_flag("blended", blended), fine=False)
        self._make_ring(ring)
        return self

    def _make_ring(self, ring: int) -> None:
        self._ring: list[_Slot] = []
        self._fences = self._own(Fences(self.ctx))
        size, largest = self.most * SurfaceLookup.bytes_an_answer, state_of(self.ctx).limits.buffer_bytes
        with released_on_error([self]), errors_checked(self.ctx, f"making queries of {self.most} points"):
            wanted = f"at most {largest // SurfaceLookup.bytes_an_answer} on this device"
            require(size <= largest, "most", self.most, wanted)
            require(at_least_one("ring", ring) <= 1000, "ring", ring, "at most 1000, as each batch has its buffers")
            for _ in range(ring):
                points = self._own(self.ctx.buffer(reserve=self.most * SurfaceLookup.bytes_a_point))
                if mapped_buffers.can_stay_mapped(self.ctx):
                    mapped = mapped_buffers.mapped_buffer(self.ctx, size, reads=True)
                    self._ring.append(_Slot(points, self._own(mapped.buffer), mapped.memory))
                else:
                    self._ring.append(_Slot(points, self._own(self.ctx.buffer(reserve=size)), None))

    def submit(self, points: ArrayLike, time: float | None = None) -> Batch:
        """Look up points, x and z of the world, m, [points, 2], at a time in s, without waiting.

        Queries that follow a simulation are at the time of its last update. Raises ShapeError if the points have
        another shape, or are too many, OptionError if the time or a point is not finite, the ring is full, or a
        simulation followed has no or another time.
        """
        self._check_alive()
        time = self._checked_time(time)
        try:
            places = np.asarray(points, dtype=np.float32)
        except (TypeError, ValueError, OverflowError) as error:
            raise ShapeError("The points must be pairs of numbers: x and z of each, m.") from error
        if places.ndim != 2 or places.shape[1] != 2 or len(places) > self.most:
            raise ShapeError(f"The points have shape {places.shape} and need (points, 2), at most {self.most} points.")
        if not np.all(np.isfinite(places)):
            raise OptionError("Some of the points are not finite.")
        slot = next((each for each in self._ring if not each.fence), None)
        if slot is None:
            raise OptionError(f"All {len(self._ring)} batches are on their way; take a result, or make a larger ring.")
        if isinstance(self._sea, OceanStep) and self._time != time:
            self.move(time)
        if places.size:
            slot.points.write(places.tobytes())
        self._look_up(slot, len(places))
        slot.fence = self._fences.put()
        return Batch(self, slot, len(places))

    def query(self, points: ArrayLike, time: float | None = None) -> SeaPoints:
        """Look up points, and wait for them. Errors as for `submit`."""
        batch = self.submit(points, time)
        try:
            return batch.result()
        except BaseException:  # Ctrl-C too: nobody else has the batch, so make room
            self._free(batch._slot)
            raise

    def move(self, time: float) -> None:
        """Move the waves to a moment, as `submit` does where needed; not for queries that follow a simulation."""
        self._check_alive()
        if isinstance(self._sea, OceanSimulation):
            raise OptionError("These queries follow a simulation; update that.")
        self._time = None  # where this is interrupted, the textures may have either moment
        self._sea.run(time)
        self._time = time

    def look_up_again(self) -> None:
        """Look up the last points again, a full batch, for a measurement."""
        self._look_up(self._ring[0], self.most)

    def release(self) -> None:
        """Free the GPU objects; batches on their way are lost."""
        self._ring.clear()
        super().release()

    def _look_up(self, slot: _Slot, count: int) -> None:
        self._lookup.run(self._sea, slot.points, slot.answers, count)
        self.ctx.memory_barrier(barriers.BUFFER_UPDATE_BARRIER)

    def _free(self, slot: _Slot) -> None:
        fence, slot.fence = slot.fence, 0
        if fence and not self._released:
            self._fences.delete(fence)

    def _checked_time(self, time: float | None) -> float:
        if isinstance(self._sea, OceanStep):
            if time is None:
                raise OptionError("The time is missing: points of a sea are looked up at a moment, in seconds.")
            self._sea.check_time(time)
            return time
        now = self._sea.time
        if now is None:
            raise OptionError("The simulation that these queries follow has no moment yet; update it first.")
        self._sea.step.check_time(now)
        if time not in (None, now):
            raise OptionError(f"The simulation that these queries follow is at {now!r} s, and not at {time!r} s.")
        return now

    def _collect(self, slot: _Slot, count: int) -> SeaPoints:
        self._check_alive()
        self._fences.wait(slot.fence)
        self._free(slot)
        size = SurfaceLookup.bytes_an_answer * count
        data = slot.memory[:size].tobytes() if slot.memory is not None else slot.answers.read(size) if size else b""
        found = np.frombuffer(data, np.float32).reshape(count, 12)
        velocity = None if self.depth is None else found[:, 4:7]
        return SeaPoints(found[:, 0], found[:, 1:4], velocity, found[:, 7], found[:, 8:10])
