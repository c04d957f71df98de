"""Points of the sea for simulators: height, normal and the water's velocity above places of the world, on the GPU."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

import moderngl
import numpy as np
from numpy.typing import ArrayLike, NDArray

from glfft.errors import OptionError, ReleasedError, ShapeError
from glfft.gl import mapped_buffers, programs
from glfft.gl.barriers import BUFFER_UPDATE_BARRIER
from glfft.gl.bindings import SOURCE_BUFFER_BINDING, TARGET_BUFFER_BINDING, first_snippet_texture_unit
from glfft.gl.context import check_errors, clear_errors, state_of
from glfft.gl.fences import Fences
from glfft.gl.uniforms import set_uniforms
from glfft.sea import cascades, waves
from glfft.sea.many import seas_of
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation
from glfft.sea.step import OceanStep, per_tile, tile_uniforms

_GROUP = 64
_FLOATS_AN_ANSWER = 12
_BYTES_A_POINT = 8

# Sines of more overflow float64; so deep the water stands still.
_LARGEST_KH = 300.0


@dataclass(frozen=True)
class SeaPoints:
    """What a batch of points found, float32.

    Attributes:
        height: of the displaced surface above each place, m, [points].
        normal: of that surface, (x, up, z), of length 1, [points, 3].
        velocity: of the water at the depth asked for, (x, up, z), m/s, [points, 3]; or None.
        residual: how far from the place the surface point found lies, m, [points]. It is above a millimetre only where
            the surface folds over.
        still: (x, z) of that surface point in undisturbed water, m, [points, 2].
    """

    height: NDArray[np.float32]
    normal: NDArray[np.float32]
    velocity: NDArray[np.float32] | None
    residual: NDArray[np.float32]
    still: NDArray[np.float32]


class Batch:
    """Points on their way through the GPU."""

    def __init__(self, queries: SeaQueries, slot: _Slot, shape: tuple[int, ...]) -> None:
        self._queries = queries
        self._slot: _Slot | None = slot
        self._shape = shape
        self._found: SeaPoints | None = None

    @property
    def ready(self) -> bool:
        """Whether `result` returns without waiting."""
        return self._slot is None or self._queries._has_passed(self._slot)

    def result(self) -> SeaPoints:
        """What was found; waits for the GPU unless `ready`. The ring then has room for another batch.

        Raises:
            ReleasedError: the queries were released before.
        """
        if self._found is None:
            assert self._slot is not None
            self._found = self._queries._collect(self._slot, self._shape)
            self._slot = None
        return self._found


@dataclass
class _Slot:
    points: moderngl.Buffer
    answers: moderngl.Buffer
    memory: NDArray[np.uint8] | None
    fence: int | None = None


class SurfaceLookup:
    """The dispatch that looks points up, from buffer to buffer: for drawing what floats, which reads nothing back.

    Attributes:
        bytes_a_point, bytes_an_answer: in the two buffers. A point is x and z, m; an answer (height, normal), (velocity
            x, up, z, residual), (x and z in undisturbed water, 0, 0), float32.
    """

    bytes_a_point, bytes_an_answer = _BYTES_A_POINT, 4 * _FLOATS_AN_ANSWER

    def __init__(
        self,
        ctx: moderngl.Context,
        tiles: int,
        seas: int = 1,
        *,
        blended: bool,
        fine: bool,
        velocity: int = -1,
        rise: int = -1,
    ) -> None:
        """Compile it.

        Args:
            ctx: the context.
            tiles: of all seas.
            seas: how many.
            blended: whether to read the sea as pictures show it.
            fine: whether to take polynomials between samples, or the textures' own filter.
            velocity, rise: first layers of the water's horizontal and vertical velocity, or -1.
        """
        self._ctx = ctx
        unit = first_snippet_texture_unit(state_of(ctx).limits) - 1
        self._units = {"surface": unit, "stretch": unit + 1}
        defines = {"TILES": tiles, "PARTS": tiles // seas, "BLENDED": int(blended), "POLYNOMIAL": int(fine)}
        defines |= {"VELOCITY": velocity, "RISE": rise}
        defines |= {"POINTS_BINDING": SOURCE_BUFFER_BINDING, "ANSWERS_BINDING": TARGET_BUFFER_BINDING}
        self._program = programs.compute(ctx, "sea/queries.comp", defines)

    def run(
        self,
        fields: OceanStep | OceanSimulation,
        tiles: Sequence[OceanSettings],
        choppiness: Sequence[float],
        points: moderngl.Buffer,
        answers: moderngl.Buffer,
        count: int,
        smallest: float = 0.0,
    ) -> None:
        """Look up some points; a barrier before the answers are used is the caller's.

        Args:
            fields: `surface` and `stretch`, of the moment.
            tiles: settings of each tile of each sea.
            choppiness: of each sea.
            points, answers: buffers, see above.
            count: of points in all.
            smallest: waves count whose samples are so many metres apart, m. What is as wide follows no shorter ones.
        """
        for name, unit in self._units.items():
            getattr(fields, name).use(unit)
        points.bind_to_storage_buffer(SOURCE_BUFFER_BINDING)
        answers.bind_to_storage_buffer(TARGET_BUFFER_BINDING)
        values = {"count": count, "choppiness": per_tile(choppiness), "smallest": smallest}
        set_uniforms(self._program, {**self._units, **tile_uniforms(tiles), **values})
        if count:
            self._program.run(-(-count // _GROUP))


class SeaQueries:
    """Looks up the sea above places of the world.

    The waves are those of `OceanSimulation` with the same settings, on grids twice as fine and in float32: heights
    differ from a direct sum in float64 by less than a centimetre in the storm preset, and by less than two with
    its waves on two tiles of only 48 samples a side. The surface passes through
    (x + choppiness dx, height, z + choppiness dz); for each place the displacement is undone by Newton's method. Places
    should be within some 10 km of the origin, where float32 still tells millimetres apart.

    Pictures of `glfft ocean` show another sea with the same waves: each tile is read twice, the second time rotated, so
    that nobody sees it repeat. `blended=True` looks up that one. `following` looks up the textures of a simulation,
    which costs no step of its own, follows its changes, and lies on a mesh displaced by them.

    The velocity is that of linear theory at a fixed depth below the still water, whatever the choppiness.

    Batches are asynchronous: `submit` returns at once, and `Batch.ready` tells some frames later that `Batch.result`
    will not wait. A ring of buffers holds those on their way. `query` does both and waits.

    Of many seas, points are [seas, points, 2], as many for each; results have an axis of seas in front.

    GL state: as a plan leaves it, see `glfft.Plan`; and the current program, two texture units and two buffer bindings
    of glfft's.

    Attributes:
        depth: of the velocity, m, or None.
        most: points in a batch at most, of each sea.
    """

    _step: OceanStep | None
    _simulation: OceanSimulation | None
    _lookups: dict[int, SurfaceLookup]  # by the simulation's number of tiles

    def __init__(
        self,
        ctx: moderngl.Context,
        settings: OceanSettings | Sequence[OceanSettings],
        *,
        seeds: Iterable[int] | None = None,
        most: int = 10_000,
        depth: float | None = None,
        ring: int = 3,
        algorithm: str = "auto",
        blended: bool = False,
    ) -> None:
        """Make the sea and the ring.

        Args:
            settings: of the sea; or of many, as for `ManySeas`.
            seeds: of many seas with these settings.
            most: points in a batch at most, of each sea.
            depth: below the still water, m, from 0; given, batches have velocities.
            ring: batches on their way at most.
            algorithm: of the transforms.
            blended: look up the sea as pictures show it.

        Raises:
            OptionError: a number is out of range, or the depth is below the ground.
            LimitError, AlgorithmError, ContextError: as for `OceanStep`.
        """
        _check_sizes(most, ring)
        self.ctx, self.most, self.depth, self._blended = ctx, most, depth, blended
        self._simulation = None
        self._make_sea(settings, seeds, algorithm)
        self._make_ring(ring)

    @classmethod
    def following(
        cls, simulation: OceanSimulation, *, most: int = 10_000, ring: int = 3, blended: bool = False
    ) -> Self:
        """Look up the textures of a running simulation: its moment, while it changes too, and without velocities.

        Heights are those of its maps, in half precision and linear between samples: of a mesh displaced by them, or,
        blended, of pictures of `glfft ocean`.

        Args:
            simulation: which has to outlive the queries.
            most: as for new queries.
            ring: likewise.
            blended: look up the sea as pictures of `glfft ocean` show it, or the tiles as they are.

        Raises:
            OptionError: a number is out of range.
            ContextError: the device has no memory for it.
        """
        _check_sizes(most, ring)
        self = cls.__new__(cls)
        self.ctx, self.most, self.depth, self._blended = simulation.ctx, most, None, blended
        self._simulation, self._step, self._many = simulation, None, False
        self._lookups = {}
        self._make_ring(ring)
        return self

    def _make_ring(self, ring: int) -> None:
        ctx = self.ctx
        self._released = False
        self._ring: list[_Slot] = []
        clear_errors(ctx)
        self._fences = Fences(ctx)
        try:
            for _ in range(ring):
                self._ring.append(self._slot())
            check_errors(ctx, f"making queries of {self.most} points")
        except BaseException:
            self.release()
            raise

    def configure(self, settings: OceanSettings | Sequence[OceanSettings], seeds: Iterable[int] | None = None) -> None:
        """Look up another sea, or as many as before, from the next batch on.

        Raises:
            OptionError, LimitError, ContextError: as for new queries; the old sea is then still in force.
        """
        self._check_alive()
        if self._step is None:
            raise OptionError("These queries follow a simulation; change that.")
        old, count = self._step, len(self.seas)
        if len(seas_of(settings, seeds)) != count:
            raise ShapeError(f"There are {count} seas, and as many others can take their place.")
        self._make_sea(settings, seeds, old.algorithm)
        old.release()

    @property
    def seas(self) -> tuple[OceanSettings, ...]:
        """The settings in force, of each sea."""
        return self._seas if self._simulation is None else (self._simulation.settings,)

    def submit(self, points: ArrayLike, time: float | None = None) -> Batch:
        """Look up points at a moment; nothing waits for the GPU.

        Args:
            points: x and z of the world, m, [points, 2]; of many seas [seas, points, 2].
            time: s; for queries that follow a simulation, it is that of its last update and can be left out.

        Raises:
            ShapeError: the points have another shape, or are too many.
            OptionError: the time or a point is not finite; or the ring is full, and a result has to be taken first; or
                a simulation that is followed is at no time yet or at another.
        """
        self._check_alive()
        time = self._checked_time(time)
        places = np.asarray(points, dtype=np.float32)
        wanted = (len(self.seas),) if self._many else ()
        if places.shape != (*wanted, *places.shape[-2:-1], 2) or places.ndim < 2 or places.shape[-2] > self.most:
            shape = ", ".join([*map(str, wanted), "points", "2"])
            raise ShapeError(
                f"The points have shape {places.shape} and must have ({shape}): x and z of each, at most {self.most}."
            )
        if not np.all(np.isfinite(places)):
            raise OptionError("Some of the points are not finite.")
        slot = next((each for each in self._ring if each.fence is None), None)
        if slot is None:
            raise OptionError(
                f"All {len(self._ring)} batches are on their way; take a result first, or ask for a larger ring."
            )
        if self._step is not None and self._time != time:
            self.move(time)
        if places.size:
            slot.points.write(places.tobytes())
        self._look_up(slot, places.size // 2)
        slot.fence = self._fences.put()
        return Batch(self, slot, places.shape[:-1])

    def query(self, points: ArrayLike, time: float | None = None) -> SeaPoints:
        """Look up points, and wait for them. Errors as for `submit`."""
        return self.submit(points, time).result()

    def move(self, time: float) -> None:
        """Move the waves to a moment, which `submit` does where it has to; of a simulation, `update` does that."""
        self._check_alive()
        if self._step is None:
            raise OptionError("These queries follow a simulation; update that.")
        self._step.run(time)
        self._time = time

    def look_up_again(self) -> None:
        """Look up once more as many points as may be in a batch, the last ones given, for a measurement."""
        self._look_up(self._ring[0], len(self.seas) * self.most)

    def release(self) -> None:
        """Free the GPU objects; batches on their way are lost."""
        if self._released:
            return
        self._released = True
        if self._step is not None:
            self._step.release()
        self._fences.release()
        while self._ring:
            slot = self._ring.pop()
            slot.memory = None
            slot.points.release()
            slot.answers.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    # --- Inside ---------------------------------------------------------------------------------------------

    def _make_sea(
        self, settings: OceanSettings | Sequence[OceanSettings], seeds: Iterable[int] | None, algorithm: str
    ) -> None:
        seas = seas_of(settings, seeds)
        tiles = tuple(tile for each in seas for tile in cascades.tiles_of(each))
        flows = _flows(tiles, self.depth)
        fine = [replace(each, size=2 * each.size) for each in tiles]
        step = OceanStep(self.ctx, fine * (1 + len(flows)), algorithm=algorithm, dtype="f4")
        try:
            for layer, amplitudes in enumerate([waves.amplitudes(each) for each in tiles]):
                step.set_amplitudes(layer, _on_finer_grid(amplitudes))
            for index, flow in enumerate(flows):
                for layer, amplitudes in enumerate(flow):
                    step.set_amplitudes(len(tiles) * (index + 1) + layer, _on_finer_grid(amplitudes))
            self._lookup = SurfaceLookup(
                self.ctx,
                len(tiles),
                len(seas),
                blended=self._blended,
                fine=True,
                velocity=len(tiles) if flows else -1,
                rise=len(tiles) * len(flows) if flows else -1,
            )
        except BaseException:
            step.release()
            raise
        self._step, self._seas, self._tiles = step, seas, fine
        self._many = seeds is not None or not isinstance(settings, OceanSettings)
        self._time: float | None = None

    def _slot(self) -> _Slot:
        points = self.ctx.buffer(reserve=_BYTES_A_POINT * len(self.seas) * self.most)
        size = 4 * _FLOATS_AN_ANSWER * len(self.seas) * self.most
        if mapped_buffers.can_stay_mapped(self.ctx):
            answers = mapped_buffers.for_reading(self.ctx, size)
            return _Slot(points, answers.buffer, answers.memory)
        return _Slot(points, self.ctx.buffer(reserve=size), None)

    def _look_up(self, slot: _Slot, count: int) -> None:
        simulation = self._simulation
        if simulation is None:
            assert self._step is not None
            choppiness = [each.choppiness for each in self._seas]
            self._lookup.run(self._step, self._tiles, choppiness, slot.points, slot.answers, count)
        else:
            tiles = simulation.tiles
            if len(tiles) not in self._lookups:
                self._lookups[len(tiles)] = SurfaceLookup(self.ctx, len(tiles), blended=self._blended, fine=False)
            choppiness = [simulation.choppiness]
            self._lookups[len(tiles)].run(simulation, tiles, choppiness, slot.points, slot.answers, count)
        self.ctx.memory_barrier(BUFFER_UPDATE_BARRIER)

    def _checked_time(self, time: float | None) -> float:
        if self._step is not None:
            if time is None:
                raise OptionError("The time is missing: points of a sea are looked up at a moment, in seconds.")
            self._step.check_time(time)
            return time
        assert self._simulation is not None
        now = self._simulation.time
        if now is None:
            raise OptionError("The simulation that these queries follow has no moment yet; update it first.")
        if time not in (None, now):
            raise OptionError(f"The simulation that these queries follow is at {now!r} s, and not at {time!r} s.")
        return now

    def _has_passed(self, slot: _Slot) -> bool:
        self._check_alive()
        return slot.fence is not None and self._fences.passed(slot.fence)

    def _collect(self, slot: _Slot, shape: tuple[int, ...]) -> SeaPoints:
        self._check_alive()
        assert slot.fence is not None
        self._fences.wait(slot.fence)
        self._fences.delete(slot.fence)
        slot.fence = None
        size = 4 * _FLOATS_AN_ANSWER * math.prod(shape)
        data = slot.memory[:size].tobytes() if slot.memory is not None else slot.answers.read(size) if size else b""
        found = np.frombuffer(data, np.float32).reshape(*shape, _FLOATS_AN_ANSWER)
        velocity = None if self.depth is None else found[..., 4:7]
        return SeaPoints(found[..., 0], found[..., 1:4], velocity, found[..., 7], found[..., 8:10])

    def _check_alive(self) -> None:
        if self._released:
            raise ReleasedError("These queries have been released: make new ones.")


def _check_sizes(most: int, ring: int) -> None:
    for name, value in (("most", most), ("ring", ring)):
        if not isinstance(value, int) or value < 1:
            raise OptionError(f"{name} is {value!r} and must be a whole number from 1.")


def _on_finer_grid(amplitudes: waves.ComplexArray) -> waves.ComplexArray:
    """The same waves on a grid of twice as many samples each way."""
    size = len(amplitudes)
    fine = np.zeros((2 * size, 2 * size), dtype=np.complex128)
    places = np.fft.ifftshift(np.arange(-(size // 2), size // 2)) % (2 * size)
    fine[np.ix_(places, places)] = amplitudes
    return fine


def _flows(tiles: tuple[OceanSettings, ...], depth: float | None) -> list[list[waves.ComplexArray]]:
    """Amplitudes whose (dx, dz) are the horizontal velocity, and those whose height is the vertical one, a tile each.

    By linear theory a wave h0 exp(i (k.x - w t)) moves the water at the depth d with (k / |k|) w h0 cosh(k (h - d)) /
    sinh(k h), and upwards with -i w h0 sinh(k (h - d)) / sinh(k h). As (dx, dz) of an amplitude a is i k / |k| a, both
    are -i w h0 times a factor. In deep water the two factors are exp(-k d), and one list serves for both.

    Raises:
        OptionError: the depth is none.
    """
    if depth is None:
        return []
    ground = min(each.depth for each in tiles)
    if not 0 <= depth <= ground or math.isinf(depth):  # written so that NaN fails too
        below = f" to the ground at {ground:g} m" if math.isfinite(ground) else ""
        raise OptionError(f"The depth of the velocities is {depth!r} and must be a number of metres from 0{below}.")
    horizontal, vertical = [], []
    for each in tiles:
        ground = each.depth
        k = waves.wave_vectors(each.size, each.tile).length
        moving = -1j * waves.frequencies(each) * waves.amplitudes(each)
        fall = np.exp(-k * depth)
        if math.isinf(ground):
            horizontal.append(moving * fall)
            vertical.append(moving * fall)
            continue
        # exp(-k d) (1 ± exp(-2 k (h - d))) / (1 - exp(-2 k h)), where nothing overflows.
        mirrored = np.exp(-np.minimum(2 * k * (ground - depth), _LARGEST_KH))
        base = moving * fall / -np.expm1(-np.minimum(2 * k * ground, _LARGEST_KH))
        horizontal.append(base * (1 + mirrored))
        vertical.append(base * (1 - mirrored))
    deep = all(math.isinf(each.depth) for each in tiles)
    return [horizontal] if deep else [horizontal, vertical]
