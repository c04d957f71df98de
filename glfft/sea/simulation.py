"""A sea through time: the tiles of the ocean step, and the maps that are drawn of them, every frame."""

import math
import warnings
from collections.abc import Callable

import moderngl
import numpy as np
from numpy.typing import NDArray

from glfft.errors import OptionError, at_least_one, real_number, require
from glfft.gl import barriers, bindings, programs
from glfft.gl.context import state_of
from glfft.gl.releasable import Keeper, Releasable, release_all, released_on_error
from glfft.gl.textures import use_texture
from glfft.gl.timed import Sections, timed
from glfft.plan import Plan
from glfft.sea import cascades, foam, waves
from glfft.sea.maps import SeaMaps
from glfft.sea.settings import OceanSettings
from glfft.sea.step import OceanStep
from glfft.sea.wave_textures import fixed_point_time

Progress = Callable[[float], object] | None  # is given the share done, 0 to 1

_LONGEST_FOAM_STEP = 1.000001  # s, one but for rounding; after more, or a step back, the foam is built up anew
_BUILD_UP_STEP = 0.125  # s: a breaking crest moves about its own width in this time
_BUILD_UP_LIFETIMES = 2.5  # after so many, less than a tenth of the start is left
_BUILD_UP_STEPS_AT_MOST, _SETTLING_LIFETIMES = 128, 12

_TEXTURES, _GROUP = 4, 8  # of a change into another sea, and threads each way of its work groups


class OceanSimulation(Releasable):
    """A repeating tile of sea, or several that add up to it, as textures in the caller's context.

    After `update`, `surface`, `stretch`, `slope_products` and `foam` hold the sea: texture arrays with mipmaps and a
    layer of N x N texels per tile, as `OceanStep` and `SeaMaps` describe them. The sea is the sum of its tiles, with
    foam on the first. Get the textures in each frame: `foam` alternates between two, and `configure` replaces all if
    the size or the number of tiles changes.

    The surface passes through (x + choppiness * dx, height, z + choppiness * dz). With l the `choppiness`,
    Jxx = 1 + l dxx, Jzz = 1 + l dzz and Jxz = l dxz, its normal is proportional to
    (-(Jzz slope_x - Jxz slope_z), Jxx Jzz - Jxz², -(Jxx slope_z - Jxz slope_x)).

    GL state: as a plan leaves it, see `glfft.Plan`, and as `SeaMaps` does.

    Attributes:
        settings: the `OceanSettings` in force; step: the `OceanStep` that computes their waves.
        time: time of the last `update`, s, or None before the first.
    """

    def __init__(self, ctx: moderngl.Context, settings: OceanSettings, *, algorithm: str = "auto") -> None:
        """Make the sea, as `OceanStep`; warns (UserWarning) if the tile is too short for the waves of its spectrum."""
        self.ctx, self.settings = ctx, settings
        self.time: float | None = None
        self._morph: Morph | None = None
        self._shares_before: tuple[tuple[OceanSettings, float], ...] = ()
        self._make(settings, algorithm)
        if said := waves.too_few_waves(settings):
            warnings.warn(said, stacklevel=2)

    @property
    def tiles(self) -> tuple[OceanSettings, ...]:
        """The settings of each layer, the longest tile first."""
        return self.step.tiles

    @property
    def significant_height(self) -> float:
        """4 sqrt(sum Psi dk²), m: the mean wave height over seeds; while the sea changes, at the last update."""
        return math.sqrt(self.mean(lambda settings: cascades.significant_height(settings) ** 2))

    @property
    def shares(self) -> tuple[tuple[OceanSettings, float], ...]:
        """Settings of the last update's sea, and their shares of the waves' variance: one, or several in a morph."""
        return self._shares_at(self.time)

    def _shares_at(self, time: float | None) -> tuple[tuple[OceanSettings, float], ...]:
        weight = self._progress_at(time)
        if weight == 1:
            return ((self.settings, 1.0),)
        shares = {settings: (1 - weight) * share for settings, share in self._shares_before}
        shares[self.settings] = shares.get(self.settings, 0.0) + weight
        return tuple(shares.items())

    def mean(self, of: Callable[[OceanSettings], float]) -> float:
        """The mean of `of(settings)`, weighted by `shares`; it does not jump while the sea changes."""
        return self._mean_at(self.time, of)

    def _mean_at(self, time: float | None, of: Callable[[OceanSettings], float]) -> float:
        return sum(share * of(settings) for settings, share in self._shares_at(time))

    @property
    def choppiness(self) -> float:
        """The factor on the horizontal displacement; while the sea changes, at the last update."""
        return self.mean(lambda settings: settings.choppiness)

    @property
    def morphing(self) -> bool:
        """Whether the sea is on its way into another one."""
        return self._morph is not None

    @property
    def progress(self) -> float:
        """How far the sea is on its way into another one, 0 to 1; 1 without a morph."""
        return self._progress_at(self.time)

    def _progress_at(self, time: float | None) -> float:
        return 1.0 if self._morph is None or time is None else self._morph.weight(time)

    @property
    def algorithm(self) -> str:
        """Name of the transforms' algorithm."""
        return self.step.algorithm

    @property
    def plans(self) -> tuple[Plan, ...]:
        """The transforms of an update; replaced when the algorithm or the size changes."""
        return self.step.plans

    @property
    def foam(self) -> moderngl.TextureArray:
        """The share of the surface that foam covers, in [0, 1]."""
        return self._maps.foam

    def configure(self, settings: OceanSettings) -> None:
        """Change the sea; foam stays if size and tile count do. An error, as of a new sea, leaves the old one."""
        self.step._check_alive()
        tiles = cascades.tiles_of(settings)
        with programs.interrupts_held():  # as half-way in a morph
            if (settings.size, len(tiles)) == (self.settings.size, len(self.tiles)):
                self._end_morph()
                self.step.configure(tiles)
            else:
                old = self._maps, self.step
                self._make(settings, self.algorithm)
                self._end_morph()
                release_all(old)
                self.time = None
            self.settings = settings

    def morph(self, settings: OceanSettings, seconds: float = 4.0) -> None:
        """Let the sea become another one on the same tiles, over some seconds from the last update, without a jump.

        The variance of each wave changes from one sea to the other, and its phase by the shorter way; with equal seed
        and depth, phases stay. Foam threshold, `choppiness` and `mean` change along; `settings`, `tiles`, growth and
        fading of foam at once. A morph under way turns from where it is. Before the first update this is `configure`.

        Raises OptionError if the tiles differ or the duration is not positive and finite, ContextError without memory.
        """
        self.step._check_alive()
        if self.time is None:
            self.configure(settings)
            return
        if self._morph is not None:
            self._morph.apply(self.time)
        shares = tuple(each for each in self.shares if each[1] > 1e-9)  # or a sea that always turns keeps ever more
        with programs.interrupts_held():  # half-way, step and simulation would have different seas
            made = Morph(self.step, cascades.tiles_of(settings), self.time, seconds)
            if self._morph is not None:
                self._morph.release()
            self._morph, self.settings, self._shares_before = made, settings, shares

    def set_algorithm(self, name: str) -> None:
        """Go on with another algorithm, compiled first. Errors, as a plan raises, leave the old one in force."""
        self.step.set_algorithm(name)

    def set_amplitudes(self, amplitudes: NDArray[np.complexfloating], tile: int = 0) -> None:
        """Use your own waves instead of the spectrum's, until `configure`; see `OceanStep.set_amplitudes`."""
        self.step._check_alive()
        self._end_morph()
        self.step.set_amplitudes(tile, amplitudes)

    def update(
        self, time: float, dt: float | None = None, profiler: Sections | None = None, foam_progress: Progress = None
    ) -> None:
        """Compute all textures for a moment, s, any sign, finite (else OptionError), without waiting for the GPU.

        The waves depend on `time` alone, with a phase error of 4.2e-10 rad rms per second of it. The foam ages by `dt`,
        s, by default the time since the last update: in the first update, after a step back, or after more than a
        second, the foam of the time before is built up first in fixed steps from clean water, so equal settings and
        times give equal foam; `foam_progress` is called with the share done, 0 to 1. Profiled sections are "waves" and
        "mipmaps", with slope products and foam, and their passes.
        """
        self.step.check_time(time)
        require(dt is None or not math.isnan(real_number(dt)), "dt", dt, "a number of seconds, or left out")
        foam_step = -1.0 if self.time is None else time - self.time if dt is None else real_number(dt)
        if not 0 <= foam_step <= _LONGEST_FOAM_STEP:
            wanted = math.ceil(_BUILD_UP_LIFETIMES * self.settings.foam_lifetime / _BUILD_UP_STEP)
            foam_step = _BUILD_UP_STEP
            self._live_through(time, min(wanted, _BUILD_UP_STEPS_AT_MOST), foam_step, foam_progress)
        with timed(profiler, "waves"):
            self._run(time, profiler)
        with timed(profiler, "mipmaps"):
            self._maps.run(foam_step, profiler)
        self.time = float(time)

    def settle(self, time: float, steps: int, foam_progress: Progress = None) -> None:
        """Let the foam live through its loop until it repeats; call `update` with `time` next.

        From then on, updates at `steps` even steps per loop, of a second at most (else OptionError), have foam without
        a seam. It takes as many rounds as make up twelve lifetimes, after which 6 millionths of the start are left.
        """
        self.step.check_time(time)
        loop, steps = self.settings.loop, at_least_one("steps", steps)
        if not 0 < loop / steps <= _LONGEST_FOAM_STEP:
            raise OptionError(f"Foam settles in a loop of at least a step a second, not {loop} s in {steps} steps.")
        total = steps * math.ceil(_SETTLING_LIFETIMES * self.settings.foam_lifetime / loop)
        self._live_through(time, total, loop / steps, foam_progress)

    def build_up_foam(self, time: float, lifetimes: float, foam_progress: Progress = None) -> None:
        """Let the foam grow from clean water for some of its lifetimes; call `update` with `time` next."""
        self.step.check_time(time)
        require(0 <= real_number(lifetimes) < math.inf, "lifetimes", lifetimes, "a number from 0")
        steps = max(1, math.ceil(lifetimes * self.settings.foam_lifetime / _BUILD_UP_STEP))
        self._live_through(time, steps, _BUILD_UP_STEP, foam_progress)

    def evaluate(self, time: float) -> dict[str, NDArray[np.float32]]:
        """The eight fields at a moment, as of `OceanStep.evaluate`, float32 [N, N] (row = z) or [tiles, N, N]."""
        self.step.check_time(time)
        if self._morph is not None:
            self._morph.apply(time)
        tiles = self.step.evaluate(time)
        return tiles[0] if len(tiles) == 1 else {name: np.stack([each[name] for each in tiles]) for name in tiles[0]}

    def release(self) -> None:
        """Free the GPU objects; using the simulation afterwards raises ReleasedError."""
        if self._morph is not None:
            self._morph.release()
            self._morph = None
        self._maps.release()
        self.step.release()

    def _make(self, settings: OceanSettings, algorithm: str) -> None:
        step = OceanStep(self.ctx, cascades.tiles_of(settings), algorithm=algorithm)
        with released_on_error([step]):
            maps = SeaMaps(step, len(step.tiles))
        self.step, self._maps = step, maps
        self.surface, self.stretch, self.slope_products = step.surface, step.stretch, maps.slope_products

    def _run(self, time: float, profiler: Sections | None = None) -> None:
        if self._morph is not None and self._morph.weight(time) < 1:
            threshold = self._mean_at(time, lambda settings: foam.threshold_of(cascades.tiles_of(settings)))
            self._maps.changing = threshold, self._mean_at(time, lambda settings: settings.choppiness)
            self._morph.apply(time)
        else:
            self._end_morph()
        self.step.run(time, profiler=profiler)

    def _end_morph(self) -> None:
        if self._morph is not None:
            (ended := self._morph).apply(self._morph.start + self._morph.seconds)
            self._morph = self._maps.changing = None
            ended.release()

    def _live_through(self, time: float, steps: int, step: float, progress: Progress) -> None:
        """Build up the foam from clean water in so many steps, the last of which ends a step before a time."""
        progress = progress or (lambda share: None)
        self.time = None  # if this is interrupted, the foam is of no time, and the next update builds it up anew
        self._maps.clear_foam()
        for done in range(steps):
            progress(done / steps)
            self._run(time - (steps - done) * step)
            self._maps.age_foam(step)
        progress(1.0)
        self.time = time - step


class Morph(Keeper):
    """Takes an ocean step from its waves to the waves of other tiles with equal sides, see `OceanSimulation.morph`.
    One over the depth changes with the goal's share of the variance.
    """

    def __init__(self, step: OceanStep, tiles: tuple[OceanSettings, ...], start: float, seconds: float) -> None:
        """Set the step's tiles, and keep its waves at the start. Raises OptionError if the tiles have other sides or
        the duration is not positive and finite, ContextError if the device has no memory for the textures.
        """
        if [(each.size, each.tile) for each in tiles] != [(each.size, each.tile) for each in step.tiles]:
            raise OptionError("A sea can become another one only on the same tiles; use configure.")
        require(0 < real_number(seconds) < math.inf, "The time of a change", seconds, "a number of seconds over 0")
        step.check_time(start)
        self._step, self._ctx, depths = step, step.ctx, step.depths
        self.before, self.start, self.seconds = step.tiles, start, seconds
        first = bindings.first_snippet_texture_unit(state_of(step.ctx).limits) - _TEXTURES + 1
        self._units = range(first, first + _TEXTURES)
        defines = {f"TEXTURE_UNIT_{index}": unit for index, unit in enumerate(self._units)}
        defines |= {"IMAGE_UNIT": bindings.SEA_IMAGE_UNIT, "SIZE": step.size}
        self._program = programs.compute(step.ctx, "sea/morph.comp", defines)
        before, goal = step.begin_morph(tiles)
        self._before, self._goal = self._own(before), self._own(goal)
        energies = ([waves.energy_density(each).sum() + 1e-30 for each in sea] for sea in (self.before, tiles))
        self._depths = list(zip(depths, step.depths, *energies, strict=True))

    def weight(self, time: float) -> float:
        """How far the variance of the waves is at a time, from 0 to 1.

        Amplitudes of waves in only one of the seas go as the root of this or of the rest: both start and end slowly.
        """
        share = min(max((time - self.start) / self.seconds, 0.0), 1.0)
        return math.sin(math.pi / 2 * share * share * (3 - 2 * share)) ** 2

    def apply(self, time: float) -> None:
        """Give the step the waves of a time."""
        step, before = self._step, self._before
        sources = (before.amplitudes, self._goal, before.frequencies, step.waves.frequencies)
        for unit, texture in zip(self._units, sources, strict=True):
            use_texture(texture, unit)
        step.waves.amplitudes.bind_to_image(bindings.SEA_IMAGE_UNIT, read=False, write=True)
        # The program is shared: another sea may have set its uniforms.
        weight = self.weight(time)
        shares = [(was, becomes, (1 - weight) * a, weight * b) for was, becomes, a, b in self._depths]
        step.set_depths([(a + b) / (a / was + b / becomes) for was, becomes, a, b in shares])
        values = {"start": fixed_point_time(self.start), "elapsed": time - self.start, "weight": weight}
        programs.set_uniforms(self._program, values)
        programs.run_over(self._program, _GROUP, step.size // 2, step.size, len(step.tiles))
        self._ctx.memory_barrier(barriers.TEXTURE_FETCH_BARRIER)
