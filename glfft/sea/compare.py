"""Two ways to compute the same sea beside each other: their times, and their difference in millimetres."""

from contextlib import ExitStack
from dataclasses import dataclass

import moderngl
import numpy as np

from glfft.errors import at_least_one, require
from glfft.profiling.timing import ContextTimer, Timing, time_in_turn
from glfft.sea import cascades
from glfft.sea.fields import reference_fields
from glfft.sea.settings import OceanSettings
from glfft.sea.step import OceanStep
from glfft.sea.wave_textures import read_layers


@dataclass(frozen=True)
class Way:
    """A way to compute a sea, with the arguments of `OceanStep`."""

    algorithm: str = "auto"
    dtype: str = "f2"
    fused: bool = True


@dataclass(frozen=True)
class Comparison:
    """Times and dispatches of two ways; largest and rms difference of heights, and rms of each from float64, mm."""

    times: tuple[Timing, Timing]
    dispatches: tuple[int, int]
    largest: float
    rms: float
    errors: tuple[float, float]


def compare(
    ctx: moderngl.Context, settings: OceanSettings, first: Way, second: Way, time: float = 0.0, samples: int = 9
) -> Comparison:
    """Compute a moment both ways and time them in turn, waiting for the GPU. Raises as `OceanStep` does."""
    tiles, rounds = cascades.tiles_of(settings), at_least_one("samples", samples)
    for name, way in (("first", first), ("second", second)):
        require(isinstance(way, Way), name, way, "a glfft.sea.compare.Way, such as Way(dtype='f4')")
    with ExitStack() as stack:
        steps = [stack.enter_context(OceanStep(ctx, tiles, **vars(way))) for way in (first, second)]
        with ContextTimer(ctx) as timer:
            one, two = time_in_turn([timer.subject(lambda step=step: step.run(time)) for step in steps], rounds)
        exact = np.stack([reference_fields(tile, time)["height"] for tile in tiles])
        for step in steps:
            step.run(time, next_use="read")
        heights = [1e3 * read_layers(step.surface)[..., 0].astype(np.float64) for step in steps]
        difference = heights[0] - heights[1]  # what a point of the sea differs by is the sum over the tiles
        largest = float(np.abs(difference).max(axis=(1, 2)).sum())
        before, after = (_rms_of_sum(each - 1e3 * exact) for each in heights)
        dispatches = steps[0].dispatches, steps[1].dispatches
        return Comparison((one, two), dispatches, largest, _rms_of_sum(difference), (before, after))


def _rms_of_sum(tiles: np.ndarray) -> float:
    return float(np.sqrt((tiles**2).mean(axis=(1, 2)).sum()))
