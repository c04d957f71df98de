"""What looking up points of the sea takes, for `glfft bench --queries`."""

from __future__ import annotations

import itertools
import time

import moderngl
import numpy as np

from glfft.gl.context import state_of
from glfft.profiling.timing import ContextTimer, Timing, time_in_turn

_FRAME_SECONDS = 1 / 60
_SIZE = 256
_DEPTH = 2.0
_WAITED = 30


def measure(ctx: moderngl.Context, points: int, samples: int, size: int = _SIZE) -> str:
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
