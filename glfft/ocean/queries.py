"""Points of the sea for simulators: height, normal and the water's velocity above places of the world, on the GPU."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self

import moderngl
import numpy as np
from numpy.typing import ArrayLike, NDArray

from glfft.errors import OptionError, ReleasedError, ShapeError
from glfft.gl import mapped_buffers, programs
from glfft.gl.barriers import BUFFER_UPDATE_BARRIER
from glfft.gl.bindings import SOURCE_BUFFER_BINDING, TARGET_BUFFER_BINDING, first_snippet_texture_unit
from glfft.gl.context import check_errors, clear_errors, state_of
from glfft.gl.fences import Fences
from glfft.ocean import cascades, waves
from glfft.ocean.many import seas_of
from glfft.ocean.settings import OceanSettings
from glfft.ocean.step import OceanStep, per_tile

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


class SeaQueries:
    """Looks up the sea above places of the world.

    The waves are those of `OceanSimulation` with the same settings, on grids twice as fine and in float32: heights
    differ from a direct sum in float64 by less than a centimetre in a storm. The surface passes through
    (x + choppiness dx, height, z + choppiness dz); for each place the displacement is undone by Newton's method. Places
    should be within some 10 km of the origin, where float32 still tells millimetres apart.

    The velocity is that of linear theory at a fixed depth below the still water, whatever the choppiness.

    Batches are asynchronous: `submit` returns at once, and `Batch.ready` tells some frames later that `Batch.result`
    will not wait. A ring of buffers holds those on their way. `query` does both and waits.

    Of many seas, points are [seas, points, 2], as many for each; results have an axis of seas in front.

    GL state: as a plan leaves it, see `glfft.Plan`; and the current program, two texture units and two buffer bindings
    of glfft's.

    Attributes:
        seas: the `OceanSettings` in force, of each sea.
        depth: of the velocity, m, or None.
        most: points in a batch at most, of each sea.
    """

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
    ) -> None:
        """Make the sea and the ring.

        Args:
            settings: of the sea; or of many, as for `ManySeas`.
            seeds: of many seas with these settings.
            most: points in a batch at most, of each sea.
            depth: below the still water, m, from 0; given, batches have velocities.
            ring: batches on their way at most.
            algorithm: of the transforms.

        Raises:
            OptionError: a number is out of range, or the depth is below the ground.
            LimitError, AlgorithmError, ContextError: as for `OceanStep`.
        """
        for name, value in (("most", most), ("ring", ring)):
            if not isinstance(value, int) or value < 1:
                raise OptionError(f"{name} is {value!r} and must be a whole number from 1.")
        self.ctx, self.most, self.depth = ctx, most, depth
        self._ring: list[_Slot] = []
        self._released = False
        self._make_sea(settings, seeds, algorithm)
        clear_errors(ctx)
        self._fences = Fences(ctx)
        try:
            for _ in range(ring):
                self._ring.append(self._slot())
            check_errors(ctx, f"making queries of {most} points")
        except BaseException:
            self.release()
            raise

    def configure(self, settings: OceanSettings | Sequence[OceanSettings], seeds: Iterable[int] | None = None) -> None:
        """Look up another sea, or as many as before, from the next batch on.

        Raises:
            OptionError, LimitError, ContextError: as for new queries; the old sea is then still in force.
        """
        self._check_alive()
        old, count = self._step, len(self.seas)
        if len(seas_of(settings, seeds)) != count:
            raise ShapeError(f"There are {count} seas, and as many others can take their place.")
        self._make_sea(settings, seeds, old.algorithm)
        old.release()

    def submit(self, points: ArrayLike, time: float) -> Batch:
        """Look up points at a moment; nothing waits for the GPU.

        Args:
            points: x and z of the world, m, [points, 2]; of many seas [seas, points, 2].
            time: s.

        Raises:
            ShapeError: the points have another shape, or are too many.
            OptionError: the time or a point is not finite; or the ring is full, and a result has to be taken first.
        """
        self._check_alive()
        self._step.check_time(time)
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
        if self._time != time:
            self.move(time)
        if places.size:
            slot.points.write(places.tobytes())
        self._look_up(slot, places.size // 2)
        slot.fence = self._fences.put()
        return Batch(self, slot, places.shape[:-1])

    def query(self, points: ArrayLike, time: float) -> SeaPoints:
        """Look up points, and wait for them. Errors as for `submit`."""
        return self.submit(points, time).result()

    def move(self, time: float) -> None:
        """Move the waves to a moment, which `submit` does where it has to."""
        self._check_alive()
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
            unit = first_snippet_texture_unit(state_of(self.ctx).limits) - 1
            self._units = (unit, unit + 1)
            self._program = programs.compute(
                self.ctx,
                "ocean/queries.comp",
                {
                    "SEAS": len(seas),
                    "TILES": len(tiles) // len(seas),
                    "VELOCITY": len(tiles) if flows else -1,
                    "RISE": len(tiles) * len(flows) if flows else -1,
                    "SURFACE_UNIT": unit,
                    "STRETCH_UNIT": unit + 1,
                    "POINTS_BINDING": SOURCE_BUFFER_BINDING,
                    "ANSWERS_BINDING": TARGET_BUFFER_BINDING,
                },
            )
        except BaseException:
            step.release()
            raise
        self._step, self.seas = step, seas
        self._many = seeds is not None or not isinstance(settings, OceanSettings)
        self._spacing = per_tile([each.spacing for each in fine[: len(tiles)]])
        self._time: float | None = None

    def _slot(self) -> _Slot:
        points = self.ctx.buffer(reserve=_BYTES_A_POINT * len(self.seas) * self.most)
        size = 4 * _FLOATS_AN_ANSWER * len(self.seas) * self.most
        if mapped_buffers.can_stay_mapped(self.ctx):
            answers = mapped_buffers.for_reading(self.ctx, size)
            return _Slot(points, answers.buffer, answers.memory)
        return _Slot(points, self.ctx.buffer(reserve=size), None)

    def _look_up(self, slot: _Slot, count: int) -> None:
        self._step.surface.use(self._units[0])
        self._step.stretch.use(self._units[1])
        slot.points.bind_to_storage_buffer(SOURCE_BUFFER_BINDING)
        slot.answers.bind_to_storage_buffer(TARGET_BUFFER_BINDING)
        values: dict[str, Any] = {
            "count": count,
            "spacing": self._spacing,
            "choppiness": per_tile([each.choppiness for each in self.seas]),
        }
        for name, value in values.items():
            self._program[name].value = value  # pyright: ignore[reportAttributeAccessIssue]
        if count:
            self._program.run(-(-count // _GROUP))
        self.ctx.memory_barrier(BUFFER_UPDATE_BARRIER)

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
