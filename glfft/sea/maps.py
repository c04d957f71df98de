"""The maps that a renderer samples: mipmaps of the fields, products of the slopes, and foam, by compute shaders.

Drivers are slow at mipmaps of float texture arrays (docs/performance.md). Here the pass that reads the finest level
makes up to three more, and another dispatch the rest, or for sizes that are no powers of two one per side above 63.
"""

import math
from collections.abc import Sequence

import moderngl

from glfft.errors import ShapeError, real_number, require, shown, whole_number
from glfft.gl import barriers, bindings, programs
from glfft.gl.context import state_of
from glfft.gl.functions import errors_checked
from glfft.gl.releasable import Keeper, released_on_error
from glfft.gl.source import assemble
from glfft.gl.textures import bytes_of, use_texture
from glfft.gl.timed import Sections, timed
from glfft.sea import foam
from glfft.sea.settings import OceanSettings
from glfft.sea.step import OceanStep, per_tile

# Made by the pass that reads a texture's finest level, and by one that goes on from a coarser one, at most.
_FIRST_LEVELS, _MORE_LEVELS = 3, 6
_LARGEST_SIDE_OF_LAST = 63  # up to it, one work group makes all coarser levels, with a thread, of 1024, for each texel
_MOST_THREADS_A_SIDE = 16  # threads each way of a work group of the former: 256 at most

# A pass has seven images at most.
_IMAGE_UNITS = {f"IMAGE_UNIT_{index}": bindings.SEA_IMAGE_UNIT + index for index in range(7)}


class SeaMaps(Keeper):
    """Mipmaps of an ocean step's fields, products of their slopes, and foam, as texture arrays with a layer per tile.

    - `slope_products`: (slope_x², slope_z², slope_x * slope_z, 0), half precision, made from `surface`. In a coarser
      mipmap, the mean of a product minus the product of the means is the variance of slopes inside a texel.
    - `foam`: coverage in [0, 1], float32, made from `stretch` and the foam before; another texture after each run. It
      lies on the layer of a sea's first tile, and grows where all its tiles together compress the surface.

    Both repeat and are filtered trilinearly. Mipmaps, also of `surface` and `stretch`, are means of 2 x 2 texels, or
    means by area of parts of 3 x 3 if a side is odd.

    GL state: a run changes the current program, the active texture unit, the textures of texture units
    `max_texture_units - 5` and `- 4`, and image units 1 to 7.
    """

    def __init__(self, step: OceanStep, tiles_a_sea: int = 1) -> None:
        """Make the textures, without foam, for so many seas of tiles (else ShapeError). ContextError without memory."""
        require(isinstance(step, OceanStep), "step", step, "an OceanStep")
        self._step, self._ctx, self._tiles_a_sea = step, step.ctx, tiles_a_sea
        if (whole_number(tiles_a_sea) or 0) < 1 or len(step.tiles) % tiles_a_sea:
            seas = f"no whole number of seas of {shown(tiles_a_sea)} tiles"
            raise ShapeError(f"The step has {len(step.tiles)} tiles, {seas}.")
        self._texture_unit = bindings.first_snippet_texture_unit(state_of(step.ctx).limits) - 1
        self._foam_set: object = None  # what the foam's uniforms were made of
        # Threshold of the foam and choppiness while the sea becomes another one, in place of the tiles' own.
        self.changing: tuple[float, float] | None = None
        self._compile()
        with released_on_error([self]), errors_checked(step.ctx, f"making an ocean of {step.size} x {step.size}"):
            self.slope_products = self._own(step.drawing_texture(4, "f2"))
            self.foam, self._next_foam = (self._own(step.drawing_texture(1, "f4")) for _ in range(2))
        self.clear_foam()

    def clear_foam(self) -> None:
        """Start from clean water."""
        self.foam.write(bytes(bytes_of(self.foam)))

    def age_foam(self, seconds: float) -> None:
        """Age the foam with the waves of the step's last run; only the first of its mipmaps are made."""
        self._run_foam(seconds)
        self._ctx.memory_barrier(barriers.TEXTURE_FETCH_BARRIER)

    def run(self, foam_step: float = 0.0, profiler: Sections | None = None) -> None:
        """Make all maps from the step's last run; the foam ages by some seconds, from 0 (else OptionError).

        Profiled sections are "foam" and "slopes", with the first mipmaps, and "levels 4-9" and so on.
        """
        step = self._step
        made = self._first_levels
        with timed(profiler, "foam", _bytes((step.stretch, self.foam), 0, made) + bytes_of(self.foam)):
            self._run_foam(foam_step)
        use_texture(step.surface, self._texture_unit)
        _bind_levels(step.surface, range(1, made + 1))
        _bind_levels(self.slope_products, range(made + 1), unit=bindings.SEA_IMAGE_UNIT + _FIRST_LEVELS)
        with timed(profiler, "slopes", _bytes((step.surface, self.slope_products), 0, made)):
            self._slope_program.run(*self._first_groups)
        drawn = (step.surface, step.stretch, self.slope_products, self.foam)
        for each in self._rounds:
            self._ctx.memory_barrier(barriers.TEXTURE_FETCH_BARRIER)
            with timed(profiler, each.name, _bytes(drawn, each.first, each.first + each.levels)):
                for texture in drawn:
                    each.run(texture)
        self._ctx.memory_barrier(barriers.TEXTURE_FETCH_BARRIER)

    def _compile(self) -> None:
        ctx, size, count = self._ctx, self._step.size, len(self._step.tiles)
        self._first_levels = min(_FIRST_LEVELS, _halvings(size))
        side = min(_MOST_THREADS_A_SIDE, 1 << (size // 2).bit_length() - 1)
        across = -(-size // (2 * side))
        self._first_groups = (across, across, count)
        defines = {"TEXTURE_UNIT": self._texture_unit, "SIDE": side, "MADE": size // 2, "LEVELS": self._first_levels}
        defines |= _IMAGE_UNITS
        self._slope_program = programs.compute(ctx, "sea/slope_maps.comp", defines)
        self._rounds: list[_Round] = []
        made = self._first_levels
        while made < size.bit_length() - 1:
            self._rounds.append(_Round(ctx, made, size, count, self._texture_unit))
            made += self._rounds[-1].levels
        # Not shared through the cache, since its uniforms are this sea's.
        defines |= {"FOAM_UNIT": self._texture_unit + 1, "TILES": count}
        self._foam_program = self._own(programs.compute_alone(ctx, assemble("sea/foam_maps.comp", defines)))

    def _run_foam(self, seconds: float) -> None:
        require(0 <= real_number(seconds) < math.inf, "The foam's step", seconds, "a number of seconds from 0")
        before, after, tiles = self.foam, self._next_foam, self._step.tiles
        wanted = seconds, tiles, self.changing
        if self._foam_set != wanted:
            count = self._tiles_a_sea
            seas = [tiles[first : first + count] for first in range(0, len(tiles), count)]
            own = [(foam.threshold_of(sea), each.choppiness) for sea in seas for each in sea]
            thresholds, choppiness = zip(*([self.changing] * len(tiles) if self.changing else own), strict=True)
            lists = {
                "parts": [count, *[1] * (count - 1)] * len(seas),
                "repeats": [foam.repeats(sea[0], each) for sea in seas for each in sea],
                "threshold": thresholds,
                "choppiness": choppiness,
                "rates": [_foam_rates(each, seconds) for each in tiles],
            }
            programs.set_uniforms(self._foam_program, {name: per_tile(each) for name, each in lists.items()})
            self._foam_set = wanted
        use_texture(self._step.stretch, self._texture_unit)
        use_texture(before, self._texture_unit + 1)
        _bind_levels(self._step.stretch, range(1, self._first_levels + 1))
        _bind_levels(after, range(self._first_levels + 1), unit=bindings.SEA_IMAGE_UNIT + _FIRST_LEVELS)
        self._foam_program.run(*self._first_groups)
        self.foam, self._next_foam = after, before


class _Round:
    """A dispatch that makes `levels` levels of any texture from the level before."""

    def __init__(self, ctx: moderngl.Context, first: int, size: int, layers: int, texture_unit: int) -> None:
        self.first = first
        self._texture_unit = texture_unit
        fine = size >> first
        defines = {"TEXTURE_UNIT": texture_unit, "FROM": first, **_IMAGE_UNITS}
        if fine & (fine - 1) == 0:
            self.levels = min(_MORE_LEVELS, _halvings(fine))
            side = 2 ** (self.levels - 1)
            across = fine >> self.levels
            shader, defines["MADE"] = "sea/coarse_maps.comp", fine // 2
        else:
            last = fine <= _LARGEST_SIDE_OF_LAST
            self.levels = fine.bit_length() - 1 if last else 1
            side = fine // 2 if last else _MOST_THREADS_A_SIDE
            across = -(-(fine // 2) // side)
            shader, defines["FINE"] = "sea/odd_maps.comp", fine
        self._groups = (across, across, layers)
        self.name = f"levels {first + 1}-{first + self.levels}" if self.levels > 1 else f"level {first + 1}"
        self._program = programs.compute(ctx, shader, {**defines, "SIDE": side, "LEVELS": self.levels})

    def run(self, texture: moderngl.TextureArray) -> None:
        use_texture(texture, self._texture_unit)
        _bind_levels(texture, range(self.first + 1, self.first + 1 + self.levels))
        self._program.run(*self._groups)


def _bind_levels(texture: moderngl.TextureArray, levels: range, unit: int = bindings.SEA_IMAGE_UNIT) -> None:
    for image, level in enumerate(levels, unit):
        texture.bind_to_image(image, read=False, write=True, level=level)


def _bytes(textures: Sequence[moderngl.TextureArray], first: int, last: int) -> int:
    return sum(bytes_of(*textures) >> 2 * level for level in range(first, last + 1))


def _halvings(size: int) -> int:
    """How often a side can be halved before it is odd."""
    return (size & -size).bit_length() - 1


def _foam_rates(settings: OceanSettings, seconds: float) -> tuple[float, float, float]:
    """The share of the foam that stays, the growth for each unit below the threshold, and the share that spreads."""
    kept = math.exp(-seconds / settings.foam_lifetime)
    # Up to a half, explicit diffusion is stable and does not oscillate.
    mixed = min(0.5, 4 * settings.foam_spread * seconds / settings.spacing**2)
    return kept, settings.foam_gain * settings.foam_lifetime * (1 - kept), mixed
