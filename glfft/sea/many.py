"""Many seas at once, independent of each other, in the two dispatches of one: for learning in simulation."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from moderngl import Context
from numpy.typing import NDArray

from glfft.errors import OptionError, ShapeError, require
from glfft.gl.releasable import Keeper
from glfft.sea import cascades
from glfft.sea.settings import OceanSettings
from glfft.sea.step import OceanStep

_MOST_TILES = 1024  # the ocean step has two layers a tile in its largest array, and OpenGL 4.3 promises 2048

Seas = OceanSettings | Sequence[OceanSettings]  # of all, which seeds tell apart, or of each
Seeds = Iterable[int] | None


def seas_of(settings: Seas, seeds: Seeds = None) -> tuple[OceanSettings, ...]:
    """The settings of each sea, from one with `seeds` (else OptionError), or from several alike (else ShapeError)."""
    require(seeds is None or np.iterable(seeds), "seeds", seeds, "whole numbers, one for each sea")
    if isinstance(settings, OceanSettings):
        seas = (settings,) if seeds is None else tuple(replace(settings, seed=seed) for seed in seeds)
    elif seeds is not None:
        raise OptionError("Seeds go with a single sea's settings; in a sequence, each has its own.")
    else:
        seas = tuple(settings) if np.iterable(settings) else (settings,)
    known = all(isinstance(each, OceanSettings) for each in seas)
    require(known, "settings", settings, "OceanSettings of all or of each")
    if len({(each.size, len(cascades.sides_of(each))) for each in seas}) != 1:
        raise ShapeError("ManySeas needs at least one sea; all must be of one size and have as many tiles.")
    tiles = len(seas) * len(cascades.sides_of(seas[0]))
    if tiles > _MOST_TILES:
        raise ShapeError(f"The seas have {tiles} tiles together, and at most {_MOST_TILES} fit; use fewer seas.")
    return seas


class ManySeas(Keeper):
    """Independent seas with equal size and number of tiles, as the layers of texture arrays.

    Layer `sea * tiles + tile` of `surface` and `stretch` is one tile of one sea, as `OceanStep` describes them. A `run`
    takes two dispatches for any number of seas, and raises ReleasedError once they have been released.

    Attributes:
        seas: the `OceanSettings` of each.
        tiles: number of tiles per sea.
        step: the `OceanStep` with all of them.
    """

    def __init__(
        self, ctx: Context, settings: Seas, *, seeds: Seeds = None, algorithm: str = "auto", dtype: str = "f4"
    ) -> None:
        """Make the seas from settings of all, which `seeds` tell apart, or of each; the rest is as for `OceanStep`."""
        self.seas = seas_of(settings, seeds)
        layers = [tile for each in self.seas for tile in cascades.tiles_of(each)]
        self.tiles = len(layers) // len(self.seas)
        self.step = self._own(OceanStep(ctx, layers, algorithm=algorithm, dtype=dtype))
        self.surface, self.stretch = self.step.surface, self.step.stretch

    @property
    def dispatches(self) -> int:
        """Dispatches of a run."""
        return self.step.dispatches

    def run(self, time: float) -> None:
        """Compute all seas at a moment, s."""
        self.step.run(time)

    def evaluate(self, time: float) -> dict[str, NDArray[np.float32]]:
        """The eight fields of every sea, float32 [seas, N, N], or [seas, tiles, N, N] with several; a read-back."""
        layers, size = self.step.evaluate(time), self.step.size
        shape = (len(self.seas), *[self.tiles] * (self.tiles > 1), size, size)
        return {name: np.stack([each[name] for each in layers]).reshape(shape) for name in layers[0]}
