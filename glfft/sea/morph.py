"""A sea that changes into another one without a jump: the same random waves, with energies that change over seconds."""

import math

from glfft.errors import OptionError
from glfft.gl import programs
from glfft.gl.barriers import TEXTURE_FETCH_BARRIER
from glfft.gl.bindings import FIRST_DRAWING_IMAGE_UNIT, first_snippet_texture_unit
from glfft.gl.context import state_of
from glfft.gl.releasable import Keeper
from glfft.gl.uniforms import set_uniforms
from glfft.sea.settings import OceanSettings
from glfft.sea.step import OceanStep
from glfft.sea.wave_textures import fixed_point_time

_TEXTURES = 4
_IMAGE_UNIT = FIRST_DRAWING_IMAGE_UNIT + 1
_GROUP = 8


class Morph(Keeper):
    """Takes an ocean step from its waves to the waves of other tiles with the same sides.

    The variance of each wave changes linearly with the weight, and its phase turns by the shorter way; with the same
    seed and depth, phases stay. Another morph in between goes on from the current state.
    """

    def __init__(self, step: OceanStep, tiles: tuple[OceanSettings, ...], start: float, seconds: float) -> None:
        """Set the step's tiles, and keep its waves at the start. Raises OptionError if the tiles have other sides or
        the duration is not positive and finite, ContextError if the device has no memory for the textures.
        """
        if [(each.size, each.tile) for each in tiles] != [(each.size, each.tile) for each in step.tiles]:
            raise OptionError("A sea can become another one only on the same tiles; use configure.")
        if not 0 < seconds < math.inf:  # written so that NaN fails too
            raise OptionError(f"The time of a change is {seconds!r} and must be a number of seconds over 0.")
        step.check_time(start)
        self._step, self._ctx = step, step.ctx
        self.before, self.start, self.seconds = step.tiles, start, seconds
        first = first_snippet_texture_unit(state_of(step.ctx).limits) - _TEXTURES + 1
        self._units = range(first, first + _TEXTURES)
        defines = {f"TEXTURE_UNIT_{index}": unit for index, unit in enumerate(self._units)}
        defines |= {"IMAGE_UNIT": _IMAGE_UNIT, "SIZE": step.size}
        self._program = programs.compute(step.ctx, "sea/morph.comp", defines)
        before, goal = step.begin_morph(tiles)
        self._before, self._goal = self._own(before), self._own(goal)

    def weight(self, time: float) -> float:
        """How far the variance of the waves is at a time, from 0 to 1.

        Amplitudes of waves in only one of the seas go as its root or that of the rest: both start and end slowly.
        """
        share = min(max((time - self.start) / self.seconds, 0.0), 1.0)
        return math.sin(math.pi / 2 * share * share * (3 - 2 * share)) ** 2

    def apply(self, time: float) -> None:
        """Give the step the waves of a time."""
        step, before = self._step, self._before
        sources = (before.amplitudes, self._goal, before.frequencies, step.waves.frequencies)
        for unit, texture in zip(self._units, sources, strict=True):
            texture.use(unit)
        step.waves.amplitudes.bind_to_image(_IMAGE_UNIT, read=False, write=True)
        # The program is shared: another sea may have set its uniforms.
        values = {"start": fixed_point_time(self.start), "elapsed": time - self.start, "weight": self.weight(time)}
        set_uniforms(self._program, values)
        self._program.run(-(-step.size // 2 // _GROUP), -(-step.size // _GROUP), len(step.tiles))
        self._ctx.memory_barrier(TEXTURE_FETCH_BARRIER)

    def end(self) -> None:
        """Give the step the waves of its tiles, and free the rest."""
        self.apply(self.start + self.seconds)
        self.release()
