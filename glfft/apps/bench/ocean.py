"""The step of `glfft ocean` as a contender: evolution, transforms and unpacking of eight fields; and how long points of
the sea take to be looked up, for `glfft bench --queries`.

The fields are checked in float32, also if those that are drawn go to half precision.
"""

from __future__ import annotations

import itertools
import time
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from glfft.apps.bench.cases import TRANSFORMS_A_TILE, OceanCase
from glfft.apps.bench.own import OwnContender
from glfft.apps.signal_to_noise import EXPECTED_DB, snr_db
from glfft.gl.context import state_of
from glfft.profiling.timing import ContextTimer, Timing, time_in_turn

if TYPE_CHECKING:
    from glfft.sea.settings import OceanSettings

_FRAME_SECONDS = 1 / 60
_CHECKED_SECONDS = 12.34

# Evolution rounds about as much as the transforms do: the error may be twice that of the transforms.
_EVOLUTION_DB = 6.0


@lru_cache(maxsize=3)
def _exact_fields(tile: OceanSettings) -> dict[str, NDArray[np.float64]]:
    """The fields of a tile at the moment that is checked: several algorithms are compared with the same ones."""
    from glfft.sea.fields import reference_fields

    return reference_fields(tile, _CHECKED_SECONDS)


class Ocean(OwnContender[Any]):
    """Tiles of sea; each run computes the next frame. Raises LimitError where the device or the algorithm cannot do
    tiles of that size, ContextError where the device has no memory left for them.
    """

    floor_db = EXPECTED_DB - _EVOLUTION_DB

    def __init__(self, timer: ContextTimer, case: OceanCase, algorithm: str, tune: bool = False) -> None:
        # Imported here: the benchmark does not load the demo unless it measures it.
        from glfft.sea.step import OceanStep, sample_tiles

        tiles = sample_tiles(case.shape[0], case.batch // TRANSFORMS_A_TILE)
        frames = itertools.count()
        super().__init__(
            timer,
            lambda: OceanStep(timer.ctx, tiles, algorithm=algorithm, dtype="f2" if case.half else "f4"),
            lambda step: step.run(next(frames) * _FRAME_SECONDS),
        )
        for plan in self._made.plans if tune else ():
            plan.tune()
        self.dispatches = self._made.dispatches

    def snr_db(self) -> float:
        """The signal-to-noise ratio of the worst field, in dB, against float64 numpy."""
        found = self._made.evaluate(_CHECKED_SECONDS)
        worst = np.inf
        for tile, fields in zip(self._made.tiles, found, strict=True):
            exact = _exact_fields(tile)
            worst = min(worst, *(snr_db(fields[name], exact[name]) for name in exact))
        return worst


_SIZE = 256
_DEPTH = 2.0
_WAITED = 30


def time_queries(ctx: moderngl.Context, points: int, samples: int, size: int = _SIZE) -> str:
    """Times of `glfft.sea.queries` in the storm preset, as a table for people. Raises LimitError or ContextError where
    the device cannot do it.
    """
    from glfft.sea.presets import preset
    from glfft.sea.queries import SeaQueries
    from glfft.sea.settings import OceanSettings

    settings = preset("storm", OceanSettings(size=size, tile=1200.0, cascades=3))
    places = np.random.default_rng(1).uniform(-500, 500, (points, 2))
    frames = itertools.count()
    with SeaQueries(ctx, settings, most=points, depth=_DEPTH) as queries, ContextTimer(ctx) as timer:
        queries.query(places, 0.0)
        looked_up, moved = time_in_turn(
            [timer.subject(queries.look_up_again), timer.subject(lambda: queries.move(next(frames) * _FRAME_SECONDS))],
            samples,
        )
        waited = []
        for _ in range(_WAITED):
            began = time.perf_counter()
            queries.query(places, next(frames) * _FRAME_SECONDS)
            waited.append((time.perf_counter() - began) * 1e6)
    rows = {
        f"a batch of {points} points: height, normal, velocity": looked_up,
        f"the waves of a moment, 3 tiles of {size}²": moved,
        "both, until the answers are in numpy": Timing.of(waited, "wall"),
    }
    lines = [f"{each.microseconds:10.1f} µs   {name} ({each.timer})" for name, each in rows.items()]
    return "\n".join([f"Points of a sea in a storm, on {state_of(ctx).device.renderer}", *lines])
