"""The fields of the sea at one moment, for any number of tiles, in two dispatches: evolution, transforms, unpacking.

Two plans of one axis each have the rest of the work in their loads and stores (shaders waves_*.glsl, fields_*.glsl):
the first evolves the waves and transforms along z, the second differentiates and transforms along x and writes fields.
"""

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from glfft.algorithms.registry import algorithm_names
from glfft.algorithms.storage import STORAGES
from glfft.engine.plan_passes import plan_passes
from glfft.engine.request import INVERSE, PlanRequest
from glfft.engine.snippet_uniforms import SnippetUniforms
from glfft.errors import LimitError, OptionError, ShapeError, check_choice, check_flag, real_number, require
from glfft.gl import barriers, bindings, programs
from glfft.gl.context import is_software, state_of
from glfft.gl.functions import errors_checked
from glfft.gl.releasable import Keeper, release_all, released_on_error
from glfft.gl.source import Define, assemble
from glfft.gl.textures import allocate_mipmaps
from glfft.gl.timed import Sections
from glfft.plan import Plan
from glfft.sea import cascades, waves
from glfft.sea.settings import OceanSettings
from glfft.sea.wave_textures import WaveTextures, fixed_point_time, read_layers
from glfft.snippets import Snippet

Tiles = Sequence[OceanSettings]

FIELDS = ("height", "dx", "dz", "slope_x", "slope_z", "dxx", "dzz", "dxz")

# The channels of the two textures of fields; in each, the first two and the last two share a complex number.
SURFACE = ("height", "dx", "slope_x", "slope_z")
STRETCH = ("dz", "dxz", "dxx", "dzz")

_WAVE_LAYERS, _FIELD_LAYERS = 3, 2  # a tile in the two plans, as in shaders/sea/wave_layers.glsl and field_layers.glsl
_LONGEST_TIME = 2.0**31  # fixed-point times on the GPU have 32 bits of whole seconds, two's complement

# Settings that do not change the waves; everything else does.
_SETTINGS_OF_THE_FOAM = ("choppiness", "foam_threshold", "foam_gain", "foam_lifetime", "foam_spread")
_ANISOTROPY, _GROUP = 16.0, 8  # and threads each way of a work group without fusion


class SeparateTransform(Keeper):
    """An inverse transform along one axis of texture arrays, as a `Plan` with these snippets, in three steps.

    The snippet `load` computes what the transform reads, without `read_source`, and `store` receives the results,
    without `write_target`. It takes the other arguments of `Plan`, and raises its errors.
    """

    def __init__(
        self, ctx: moderngl.Context, shape: tuple[int, int], layers: int, load: Snippet, store: Snippet, **options: Any
    ) -> None:
        self._ctx, (rows, columns) = ctx, shape
        self._source_unit = bindings.source_texture_unit(state_of(ctx).limits)
        defines: dict[str, Define] = {"ROWS": rows, "COLUMNS": columns, "LAYERS": layers, "PAIRED": 1, "GROUP": _GROUP}
        defines |= {"TARGET_UNIT": bindings.TARGET_IMAGE_UNIT, "SOURCE_UNIT": self._source_unit}
        self.plan = self._own(Plan(ctx, shape, layers=layers, **options))
        with released_on_error([self]):
            roles = {"load": load, "store": store}.items()
            sources = [assemble(f"sea/{role}_alone.comp", defines, dict(each.generated(role))) for role, each in roles]
            self._load, self._store = (self._own(programs.compute_alone(ctx, source)) for source in sources)
            self._between = self._own(ctx.texture_array((columns, rows, layers), 4, dtype="f4"))
        self._uniforms = SnippetUniforms(ctx, (self._load, self._store))

    @property
    def dispatches(self) -> int:
        return self.plan.dispatches + 2

    def set_uniforms(self, **values: Any) -> None:
        """Give uniforms, samplers and images of the snippets their values, as `Plan.set_uniforms` does."""
        self._uniforms.set(values)

    def inverse(
        self, _source: None, _target: None, next_use: str | None = None, profiler: Sections | None = None
    ) -> None:
        """Run it, with the barriers it needs; `next_use` is for what `store` writes, as for `Plan.inverse`."""
        self._uniforms.bind(self._uniforms.textures_of(self._load))
        self._between.bind_to_image(bindings.TARGET_IMAGE_UNIT, read=False, write=True)
        programs.run_over(self._load, _GROUP, *self._between.size)
        self._ctx.memory_barrier(barriers.TEXTURE_FETCH_BARRIER)
        self.plan.inverse(self._between, self._between, "sample", profiler)
        self._uniforms.bind(self._uniforms.textures_of(self._store))
        self._between.use(self._source_unit)
        programs.run_over(self._store, _GROUP, *self._between.size)
        self._ctx.memory_barrier(barriers.barrier_before(next_use, buffer=False))


_Transform = Plan | SeparateTransform


class OceanStep(Keeper):
    """Tiles of sea of one size N, each with settings of its own, as the layers of texture arrays.

    A `run` is two dispatches for any number of tiles, with an algorithm that transforms an axis in one. Texel (i, j),
    column (u) = x and row (v) = z, is the point (i, j) * tile / N of the undisturbed water:

    - `surface`: (height, dx, slope_x, slope_z): metres, metres, d height/dx, d height/dz.
    - `stretch`: (dz, dxz, dxx, dzz): metres, d dx/dz = d dz/dx, d dx/dx, d dz/dz.

    Both are for drawing: they repeat and are filtered trilinearly, with mipmaps made by `SeaMaps` or by you. In half
    precision, heights from 8 m have steps of 8 mm, and slopes an error up to 0.1 %. GL state: see `glfft.Plan`.

    Attributes:
        tiles: the `OceanSettings` in force, one per layer.
        size: samples per side of a tile.
        algorithm: name of the transforms' algorithm.
        waves: the `WaveTextures` of the tiles.
    """

    _called = "sea"

    def __init__(
        self, ctx: moderngl.Context, tiles: Tiles, *, algorithm: str = "auto", dtype: str = "f2", fused: bool = True
    ) -> None:
        """Make the tiles from their settings, a layer each.

        `surface` and `stretch` are "f2" (half precision) or "f4" (float32). Without `fused` there are six dispatches
        instead of two, without snippets in the transforms: for comparison.

        Raises OptionError where `dtype` is neither or a tile has cascades, ShapeError where there is no tile or they
        differ in size, LimitError where the size is over what the device or the algorithm can do, AlgorithmError where
        no algorithm has that name, ContextError where the device has no memory for it.
        """
        self.ctx, self.algorithm, self._fused = ctx, algorithm, check_flag("fused", fused)
        self.tiles = _as_tiles(tiles)
        if not self.tiles or len({each.size for each in self.tiles}) > 1:
            raise ShapeError("An ocean step needs at least one tile, and all its tiles of one size.")
        check_choice("dtype", dtype, ("f2", "f4"))
        self.size, limit = self.tiles[0].size, state_of(ctx).limits.texture_size
        if self.size > limit:
            said = f"The ocean's size is {self.size} and this device's textures have at most {limit} texels a side"
            raise LimitError(f"{said}; choose a smaller size.")
        self._plans = self._make_plans(algorithm)
        with released_on_error([self]):
            self.waves = self._own(WaveTextures(ctx, self.tiles))
            with errors_checked(ctx, f"making an ocean of {self.size} x {self.size}"):
                self._half_pairs, self._half_singles = self._half(2, 4), self._half(1, 2)
                self.surface = self._own(self.drawing_texture(4, dtype))
                self.stretch = self._own(self.drawing_texture(4, dtype))
        self._connect(self._plans)

    @property
    def plans(self) -> tuple[Plan, Plan]:
        """The two transforms of a run."""
        first, second = (each.plan if isinstance(each, SeparateTransform) else each for each in self._plans)
        return first, second

    @property
    def dispatches(self) -> int:
        """Dispatches of a run: two, or more without fusion or with an algorithm that takes several per axis."""
        return sum(plan.dispatches for plan in self._plans)

    def configure(self, tiles: Tiles) -> None:
        """Change the tiles, as many of equal size (else ShapeError); only what depends on the changes is made anew."""
        self._check_alive()
        tiles = _as_tiles(tiles)
        if [each.size for each in tiles] != [each.size for each in self.tiles]:
            raise ShapeError("The number of tiles and their size cannot be changed; make a new ocean step.")
        with programs.interrupts_held():  # half-way, new waves would pass for those of the old tiles
            for index, (old, new) in enumerate(zip(self.tiles, tiles, strict=True)):
                if replace(new, **{name: getattr(old, name) for name in _SETTINGS_OF_THE_FOAM}) != old:
                    self.waves.fill(index, new)
            self.tiles = tiles
            self._connect(self._plans)

    def set_algorithm(self, name: str) -> None:
        """Go on with another algorithm, compiled first. Errors, as a plan raises, leave the old one in force."""
        self._check_alive()
        new, old = self._make_plans(name), self._plans
        self._connect(new)
        self._plans, self.algorithm = new, name
        release_all(old)

    def set_amplitudes(self, index: int, amplitudes: NDArray[np.complexfloating]) -> None:
        """Use your own waves in a tile instead of the spectrum's, until `configure` makes new ones.

        They are h0(k) in metres, [N, N] in FFT order, row = z, and zero at k = 0 and in row and column N/2 (else
        ShapeError). Raises OptionError if there is no tile of that index, or they are not finite.
        """
        self._check_alive()
        if index not in range(len(self.tiles)):
            raise OptionError(f"There is no tile {index!r}; the step has {len(self.tiles)}, counted from 0.")
        self.waves.set_amplitudes(index, self.tiles[index], amplitudes)

    def begin_morph(self, tiles: Tiles) -> tuple[WaveTextures, moderngl.TextureArray]:
        """Take over other tiles of the same sides, but leave `waves.amplitudes` to the caller, `Morph`.

        Returns the old waves and the amplitudes of the new tiles, for the caller to release. Raises ContextError, and
        changes nothing, if the device has no memory for the textures.
        """
        self._check_alive()
        before, made = self.waves, WaveTextures(self.ctx, tiles)
        with released_on_error([made]), errors_checked(self.ctx, f"changing an ocean of {self.size} x {self.size}"):
            target = self.ctx.texture_array(made.amplitudes.size, 4, dtype="f4")
            goal, made.amplitudes = made.amplitudes, made._own(target)
        self.tiles, self.waves = tuple(tiles), self._own(made)
        self._kept.remove(before)
        self._connect(self._plans)
        return before, goal

    def set_depths(self, depths: Sequence[float]) -> None:
        """Displace the waves of each tile as in water so many metres deep, until `configure`; for `Morph`. OptionError
        unless there is a depth for each tile.
        """
        require(len(depths) == len(self.tiles), "depths", depths, f"{len(self.tiles)} depths, one for each tile")
        self.depths = list(depths)
        self._plans[0].set_uniforms(wave_depth=per_tile(self.depths))

    def run(self, time: float, next_use: str | None = "sample", profiler: Sections | None = None) -> None:
        """Compute the fields of a moment, s, any sign and finite (else OptionError), without waiting for the GPU.

        The error of the waves' phases is 4.2e-10 rad rms per second of `time`; `next_use` of the textures and
        `profiler` are as for `glfft.Plan.inverse`.
        """
        self.check_time(time)
        waves_plan, fields_plan = self._plans
        loop, *others = {each.loop for each in self.tiles}
        # If all tiles have one, the moment within the first loop: the seam is then exact to the last bit.
        moment = float(time) if others or math.isinf(loop) else float(time) % loop
        waves_plan.set_uniforms(time=fixed_point_time(moment))
        waves_plan.inverse(None, None, "sample", profiler)
        fields_plan.inverse(None, None, next_use, profiler)

    def evaluate(self, time: float) -> list[dict[str, NDArray[np.float32]]]:
        """The eight fields of each tile at a moment, float32 [N, N], row = z; reads back, keeps the textures.

        Metres for height, dx and dz; no unit for slope_x, slope_z, dxx, dzz, dxz.
        """
        self.check_time(time)
        sides = (self.size, self.size, len(self.tiles))
        with programs.interrupts_held():  # half-way, later runs would write to the textures of this one
            spare = {name: self.ctx.texture_array(sides, 4, dtype="f4") for name in ("surface", "stretch")}
            try:
                self._plans[1].set_uniforms(**spare)
                self.run(time, next_use=None)
                found = np.concatenate([read_layers(each) for each in spare.values()], axis=-1)
            finally:
                self._plans[1].set_uniforms(surface=self.surface, stretch=self.stretch)
                release_all(spare.values())
        channels = {name: found[..., channel] for channel, name in enumerate(SURFACE + STRETCH)}
        return [{name: channels[name][index].copy() for name in FIELDS} for index in range(len(self.tiles))]

    def drawing_texture(self, components: int, dtype: str) -> moderngl.TextureArray:
        """A texture array like `surface`, with mipmaps to fill; the caller releases it."""
        texture = self.ctx.texture_array((self.size, self.size, len(self.tiles)), components, dtype=dtype)
        allocate_mipmaps(self.ctx, texture)
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        # On software renderers it takes minutes, and changes textureLod too, which moves vertices apart.
        if components > 1 and not is_software(self.ctx):
            texture.anisotropy = min(_ANISOTROPY, self.ctx.max_anisotropy)
        return texture

    def check_time(self, time: float) -> None:
        """OptionError for a time that `run` refuses, ReleasedError after `release`, NotCurrentError elsewhere."""
        self._check_alive()
        state_of(self.ctx).check.require()
        holds = hasattr(time, "__float__") and abs(real_number(time)) < _LONGEST_TIME
        require(holds, "The time", time, "a finite number of seconds, below 2^31")

    def release(self) -> None:
        """Free the GPU objects; using the step afterwards raises ReleasedError."""
        release_all(self._plans)
        super().release()

    def _make_plans(self, algorithm: str) -> tuple[_Transform, _Transform]:
        waves_plan = self._make_plan("waves", algorithm, self.size // 2, 0, _WAVE_LAYERS)
        with released_on_error([waves_plan]):
            return waves_plan, self._make_plan("fields", algorithm, self.size, 1, _FIELD_LAYERS)

    def _make_plan(self, name: str, algorithm: str, width: int, axis: int, layers_a_tile: int) -> _Transform:
        options: dict[str, Any] = {"axes": (axis,), "algorithm": algorithm, "layers": layers_a_tile * len(self.tiles)}
        for end in ("load", "store"):
            options[end] = Snippet(f'#include "sea/{name}_{end}.glsl"\n', name=f"ocean {name}_{end}")
        # The sum over k has no factor in front, which is the unscaled inverse.
        options |= {"directions": ["inverse"], "norm": "forward", "storage": "rgba32f"}
        return (Plan if self._fused else SeparateTransform)(self.ctx, (self.size, width), **options)

    def _half(self, layers_a_tile: int, components: int) -> moderngl.TextureArray:
        """A texture of half the columns and the Nyquist column, which is zero."""
        half, layers = self.size // 2, layers_a_tile * len(self.tiles)
        texture = self._own(self.ctx.texture_array((half + 1, self.size, layers), components, dtype="f4"))
        texture.write(bytes(self.size * layers * components * 4), viewport=(half, 0, 0, 1, self.size, layers))
        return texture

    def _connect(self, plans: tuple[_Transform, _Transform]) -> None:
        waves_plan, fields_plan = plans
        both: dict[str, Any] = {"half_pairs": self._half_pairs, "half_singles": self._half_singles}
        both["wave_spacing"] = per_tile([2 * math.pi / each.tile for each in self.tiles])
        self.depths = [min(each.depth, 1e9) for each in self.tiles]
        sea = {"frequencies": self.waves.frequencies, "wave_depth": per_tile(self.depths)}
        scales = per_tile([(scale, 1 / scale) for scale in map(_dxz_scale, self.tiles)])
        waves_plan.set_uniforms(amplitudes=self.waves.amplitudes, **sea, **both)
        fields_plan.set_uniforms(surface=self.surface, stretch=self.stretch, dxz_scale=scales, **both)


def algorithms_for(ctx: moderngl.Context, size: int) -> dict[str, str]:
    """Names and one-line summaries of the algorithms that can do a sea of this size on the context's device."""
    found = {}
    for name, summary in algorithm_names().items():
        request = PlanRequest.of((size, size), (0, 1), name, storage=STORAGES["rgba32f"], layers=_WAVE_LAYERS)
        with suppress(LimitError):
            plan_passes(request, INVERSE, state_of(ctx).device)
            found[name] = summary
    return found


def sample_tiles(size: int = 512, count: int = 3, seed: int = 0) -> tuple[OceanSettings, ...]:
    """Tiles for a measurement, no cascade: 250 m, each 5.3 times shorter than the one before, with its own seed."""
    return tuple(OceanSettings(size=size, tile=250.0 / 5.3**index, seed=seed + index) for index in range(count))


def _as_tiles(tiles: Any) -> tuple[OceanSettings, ...]:
    """Tiles as they are given. Raises ShapeError where they are no sequence of settings, OptionError for cascades."""
    found: tuple[Any, ...] = tuple(tiles) if np.iterable(tiles) else (None,)
    if not all(isinstance(each, OceanSettings) for each in found):
        raise ShapeError("An ocean step takes a sequence of tiles; for a single one, write [settings].")
    if any(each.cascades != 1 for each in found):
        raise OptionError("A tile has no cascades; the tiles of a sea are glfft.sea.cascades.tiles_of(settings).")
    return found


def per_tile(values: Sequence[Any]) -> Any:
    """Values for a uniform array; moderngl treats an array of one element as a single value."""
    return list(values) if len(values) > 1 else values[0]


def tile_uniforms(tiles: Tiles) -> dict[str, Any]:
    """The inputs of shaders/sea/readings.glsl, by name."""
    sides, spacings = [each.tile for each in tiles], [each.spacing for each in tiles]
    return {"tile": per_tile(sides), "spacing": per_tile(spacings), "rotation": cascades.ROTATION}


def _dxz_scale(settings: OceanSettings) -> float:
    """The power of two nearest to rms(dz) / rms(dxz), m: multiplying by it rounds nothing."""
    k = waves.wave_vectors(settings.size, settings.tile)
    energy = waves.energy_density(settings) / np.tanh(k.length * settings.depth) ** 2
    dz, dxz = (energy * (k.z / k.length) ** 2).sum(), (energy * (k.x * k.z / k.length) ** 2).sum()
    return 2.0 ** round(0.5 * math.log2(dz / dxz)) if dz > 0 and dxz > 0 else 1.0
