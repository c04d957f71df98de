"""The sea on the GPU: amplitudes made once, then evolve, four inverse transforms and unpack, every frame."""

from __future__ import annotations

import math
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Self

import moderngl
import numpy as np
from numpy.typing import NDArray

from glfft import shaders
from glfft.demos.ocean import spectra, waves
from glfft.demos.ocean.settings import OceanSettings
from glfft.errors import ContextError, LimitError, OptionError, ReleasedError, ShapeError
from glfft.gl import (
    FRAMEBUFFER_BARRIER,
    TEXTURE_FETCH_BARRIER,
    TEXTURE_UPDATE_BARRIER,
    check_errors,
    clear_errors,
    state_of,
)
from glfft.plan import Plan
from glfft.profiler import Sections, timed

# The packed pairs in the order of evolve.comp's and unpack.comp's bindings: real part, imaginary part.
PAIRS = (("dx", "dz"), ("height", "dxz"), ("slope_x", "slope_z"), ("dxx", "dzz"))
FIELDS = ("height", "dx", "dz", "slope_x", "slope_z", "dxx", "dzz", "dxz")

_GROUP_SIDE = 16  # of both shaders, which settings.SMALLEST_SIZE is a multiple of
_ANISOTROPY = 16.0

# The pairs the foam depends on: all that has to be transformed while it is brought up.
_PAIRS_OF_THE_FOAM = (1, 3)
_LONGEST_FOAM_STEP = 1.0  # s; after a longer one, or a jump back, the foam is brought up anew
_SPIN_UP_STEP = 0.125  # s: a breaking crest moves about its own width in this time
_SPIN_UP_LIFETIMES = 2.5  # after this many, less than a tenth remembers the start
_SPIN_UP_STEPS_AT_MOST = 128

# Fixed-point times on the GPU have 32 bits of whole seconds, two's complement.
_LONGEST_TIME = 2.0**31

# Settings that do not change the waves; everything else does.
_SETTINGS_OF_THE_FOAM = ("choppiness", "foam_threshold", "foam_gain", "foam_lifetime", "foam_spread")


class OceanSimulation:
    """A repeating tile of sea at a time of choice, as textures in the caller's context.

    After `update`, three rgba32f textures of N x N texels hold the sea, column (u) = x and row (v) = z, texel
    (i, j) being the point (i, j) * tile / N of the undisturbed water. They repeat, are mipmapped, and are
    filtered trilinearly; the derivatives anisotropically as well. `configure` replaces them where the size
    changes: take them from the simulation each frame.

    - `displacement`: (dx, height, dz, foam), metres and, for the foam, coverage in [0, 1]. The surface passes
      through (x + choppiness * dx, height, z + choppiness * dz).
    - `derivatives_a`: (slope_x, slope_z, dxx, dzz): d height/dx, d height/dz, d dx/dx, d dz/dz.
    - `derivatives_b`: (dxz, slope_x², slope_z², slope_x * slope_z), with dxz = d dx/dz = d dz/dx. In a
      coarser mipmap, the mean of a product less the product of the means is the slope variance below the size
      of that texel.

    With l the choppiness, Jxx = 1 + l dxx, Jzz = 1 + l dzz and Jxz = l dxz, the exact normal is proportional
    to (-(Jzz slope_x - Jxz slope_z), Jxx Jzz - Jxz², -(Jxx slope_z - Jxz slope_x)).

    GL state: texture units 0 to 4 and image units 0 to 3 are left bound to the simulation's textures.

    Attributes:
        settings: the `OceanSettings` in force.
        algorithm: name of the transform's algorithm.
        plan: the `glfft.Plan` of the four transforms (unscaled inverse, N x N).
        significant_height: 4 sqrt(sum Psi dk²), m: the wave height the tile has on average over seeds.
        time: of the last `update`, s, or None before the first.
        displacement, derivatives_a, derivatives_b: the textures above.
    """

    def __init__(self, ctx: moderngl.Context, settings: OceanSettings, *, algorithm: str = "auto") -> None:
        """Make the sea.

        Raises:
            LimitError: the size is over what the device or the algorithm can do.
            AlgorithmError: no algorithm has that name.
            ContextError: the device has no memory for it.
        """
        self.ctx = ctx
        self.settings = settings
        self.algorithm = algorithm
        self.time: float | None = None
        self._released = False
        self._allocate()
        self._fill()

    # --- What the caller changes ----------------------------------------------------------------------------

    def configure(self, settings: OceanSettings) -> None:
        """Change the sea, rebuilding no more than the change needs; the foam stays where the size does.

        Raises:
            LimitError, ContextError: as for a new simulation; the old sea is then still in force.
        """
        self._check_alive()
        before, self.settings = self.settings, settings
        if settings.size != before.size:
            old = self._owned()
            try:
                self._allocate()
            except Exception:
                self.settings = before
                raise
            _release_all(old)
        if _waves_of(settings) != _waves_of(before):
            self._fill()

    def set_algorithm(self, name: str) -> None:
        """Carry on with another algorithm; its kernels are built before the old ones are let go.

        Raises:
            AlgorithmError, LimitError: as for a plan; the old algorithm is then still in force.
        """
        self._check_alive()
        old, self.plan = self.plan, self._make_plan(name)
        self.algorithm = name
        old.release()

    def set_amplitudes(self, amplitudes: NDArray[np.complexfloating]) -> None:
        """Play waves of your own in place of the spectrum's, until `configure` next makes new ones.

        Args:
            amplitudes: h0(k) in metres, [N, N] in FFT order, row = z. It must be zero at k = 0 and in row and
                column N/2.

        Raises:
            ShapeError: another shape, or waves where there must be none.
        """
        self._check_alive()
        size = self.settings.size
        h0 = np.ascontiguousarray(amplitudes, dtype=np.complex64)
        if h0.shape != (size, size):
            raise ShapeError(f"The amplitudes have shape {h0.shape} and must have ({size}, {size}).")
        if np.any(h0[~waves.wave_vectors(size, self.settings.tile).used]):
            raise ShapeError("The amplitudes must be zero at k = 0 and in row and column N/2.")
        self._amplitudes.write(h0)

    # --- A frame --------------------------------------------------------------------------------------------

    def update(self, time: float, dt: float | None = None, profiler: Sections | None = None) -> None:
        """Bring all textures to a moment. Nothing is read back and nothing waits for the GPU.

        The waves depend on `time` alone; their phases are 2.5e-10 rad rms off per second of it. The foam depends on its
        past: the first update, one that goes back, and one after more than a second, live through the time before it
        in fixed steps, so that the same settings and times always give the same foam.

        Args:
            time: s, any sign.
            dt: how much older the foam is than at the last update, s; by default the time that has passed.
            profiler: times the sections "evolve", "transform" and "unpack".

        Raises:
            OptionError: a time that is not finite.
            ReleasedError: after `release`.
        """
        self._check_alive()
        _check_time(time)
        step = self._foam_step(time, dt)
        if step is None:
            step = self._bring_up_foam(time)
        self._transform_at(time, range(len(PAIRS)), "sample", profiler)
        with timed(profiler, "unpack"):
            self._unpack(step)
            for texture in (self.displacement, self.derivatives_a, self.derivatives_b):
                texture.build_mipmaps()
        self.time = float(time)

    def evaluate(self, time: float) -> dict[str, NDArray[np.float32]]:
        """The eight fields at a moment as float32 arrays [N, N], row = z: a read-back, for export and tests.

        Textures and foam are left as they were. Metres for height, dx and dz; no unit for slope_x, slope_z,
        dxx, dzz, dxz.
        """
        self._check_alive()
        _check_time(time)
        self._transform_at(time, range(len(PAIRS)), "read")
        size = self.settings.size
        found: dict[str, NDArray[np.float32]] = {}
        for names, texture in zip(PAIRS, self._pairs, strict=True):
            both = np.frombuffer(texture.read(), dtype=np.float32).reshape(size, size, 2)
            found[names[0]], found[names[1]] = both[..., 0].copy(), both[..., 1].copy()
        found["dxz"] /= self._dxz_scale
        return {name: found[name] for name in FIELDS}

    def release(self) -> None:
        """Give the GPU objects back; using the simulation afterwards raises ReleasedError."""
        if not self._released:
            self._released = True
            _release_all(self._owned())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    # --- Inside ---------------------------------------------------------------------------------------------

    def _allocate(self) -> None:
        """Textures and plan for the size in force. Nothing is replaced until everything has been made."""
        size = self.settings.size
        limit = state_of(self.ctx).limits.texture_size
        if size > limit:
            raise LimitError(f"The ocean's size is {size} and this device's textures end at {limit}.")
        clear_errors(self.ctx)
        plan = self._make_plan(self.algorithm)
        amplitudes, frequencies = self._texture(2), self._texture(2, "u4")
        pairs = [self._texture(2) for _ in PAIRS]
        foam = [self._texture(1), self._texture(1)]
        drawn = [self._drawing_texture(anisotropy) for anisotropy in (1.0, _ANISOTROPY, _ANISOTROPY)]
        try:
            # moderngl says nothing where the device has no memory left for a texture.
            check_errors(self.ctx, f"making an ocean of {size} x {size}")
        except ContextError:
            _release_all([plan, amplitudes, frequencies, *pairs, *foam, *drawn])
            raise
        self.plan = plan
        self._amplitudes, self._frequencies, self._pairs, self._foam = amplitudes, frequencies, pairs, foam
        self.displacement, self.derivatives_a, self.derivatives_b = drawn
        self.time = None

    def _owned(self) -> list[Any]:
        textures = [self._amplitudes, self._frequencies, *self._pairs, *self._foam]
        return [self.plan, *textures, self.displacement, self.derivatives_a, self.derivatives_b]

    def _make_plan(self, algorithm: str) -> Plan:
        # The sum over k has no factor in front, which is the unscaled inverse.
        return Plan(self.ctx, (self.settings.size, self.settings.size), algorithm=algorithm, norm="forward")

    def _texture(self, components: int, dtype: str = "f4") -> moderngl.Texture:
        size = self.settings.size
        texture = self.ctx.texture((size, size), components, dtype=dtype)
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)  # the only filter integer textures have
        return texture

    def _drawing_texture(self, anisotropy: float) -> moderngl.Texture:
        texture = self.ctx.texture((self.settings.size, self.settings.size), 4, dtype="f4")
        texture.build_mipmaps()
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        texture.repeat_x = texture.repeat_y = True
        if anisotropy > 1:
            texture.anisotropy = min(anisotropy, self.ctx.max_anisotropy)
        return texture

    def _fill(self) -> None:
        """Amplitudes and frequencies of the settings, in float64, to the GPU."""
        settings = self.settings
        k = waves.wave_vectors(settings.size, settings.tile)
        turns_per_second = spectra.angular_frequency(k.length, settings.depth) / (2 * math.pi)
        self.significant_height = waves.significant_height(settings)
        self._dxz_scale = _dxz_scale(settings)
        self._frequencies.write(np.ascontiguousarray(fixed_point(turns_per_second)))
        self._amplitudes.write(waves.amplitudes(settings).astype(np.complex64))

    def _transform_at(self, time: float, pairs: Iterable[int], next_use: str, profiler: Sections | None = None) -> None:
        with timed(profiler, "evolve"):
            self._evolve(time)
        with timed(profiler, "transform"):
            for index in pairs:
                self.plan.inverse(self._pairs[index], self._pairs[index], next_use)

    def _evolve(self, time: float) -> None:
        shader = shaders.compute(self.ctx, "ocean/evolve.comp", {"SIZE": self.settings.size})
        shader["time"] = tuple(int(part) for part in fixed_point(np.float64(time)))
        shader["dxz_scale"] = self._dxz_scale
        shader["wave_spacing"] = 2 * math.pi / self.settings.tile
        self._amplitudes.use(0)
        self._frequencies.use(1)
        for unit, texture in enumerate(self._pairs):
            texture.bind_to_image(unit, read=False, write=True)
        self._dispatch(shader)
        self.ctx.memory_barrier(TEXTURE_FETCH_BARRIER)  # the plan's first pass fetches texels

    def _unpack(self, step: float) -> None:
        settings = self.settings
        shader = shaders.compute(self.ctx, "ocean/unpack.comp", {"SIZE": settings.size})
        kept = math.exp(-step / settings.foam_lifetime)
        shader["dxz_scale"] = self._dxz_scale
        shader["choppiness"] = settings.choppiness
        shader["foam_threshold"] = settings.foam_threshold
        shader["foam_kept"] = kept
        shader["foam_grown"] = settings.foam_gain * settings.foam_lifetime * (1 - kept)
        # Explicit diffusion is stable and free of ringing up to a half.
        shader["foam_mixed"] = min(0.5, 4 * settings.foam_spread * step / settings.spacing**2)
        before, after = self._foam
        for unit, texture in enumerate((*self._pairs, before)):
            texture.use(unit)
        for unit, texture in enumerate((self.displacement, self.derivatives_a, self.derivatives_b, after)):
            texture.bind_to_image(unit, read=False, write=True)
        self._dispatch(shader)
        # Mipmaps are made by drawing or by sampling, as the driver likes.
        self.ctx.memory_barrier(TEXTURE_FETCH_BARRIER | TEXTURE_UPDATE_BARRIER | FRAMEBUFFER_BARRIER)
        self._foam = [after, before]

    def _dispatch(self, shader: moderngl.ComputeShader) -> None:
        groups = self.settings.size // _GROUP_SIDE
        shader.run(groups, groups, 1)

    def _foam_step(self, time: float, dt: float | None) -> float | None:
        """By how much the foam ages in an update, or None where it has no past to go on from."""
        if self.time is None:
            return None
        step = time - self.time if dt is None else dt
        return step if 0 <= step <= _LONGEST_FOAM_STEP else None

    def _bring_up_foam(self, time: float) -> float:
        """Live through the time before a moment, from clean water; returns the step that leads up to it."""
        wanted = math.ceil(_SPIN_UP_LIFETIMES * self.settings.foam_lifetime / _SPIN_UP_STEP)
        self._foam[0].write(np.zeros((self.settings.size, self.settings.size), dtype=np.float32))
        for steps_before in range(min(wanted, _SPIN_UP_STEPS_AT_MOST), 0, -1):
            self._transform_at(time - steps_before * _SPIN_UP_STEP, _PAIRS_OF_THE_FOAM, "sample")
            self._unpack(_SPIN_UP_STEP)
        return _SPIN_UP_STEP

    def _check_alive(self) -> None:
        if self._released:
            raise ReleasedError("This ocean simulation has been released: make a new one.")


def fixed_point(value: NDArray[np.float64] | np.float64) -> NDArray[np.uint32]:
    """Numbers as phase.glsl reads them, [..., 2]: whole part (two's complement) and fraction * 2^32."""
    whole = np.floor(value)
    fraction = np.rint((value - whole) * 2.0**32)
    carried = fraction >= 2.0**32
    parts = np.stack([whole + carried, np.where(carried, 0.0, fraction)], axis=-1)
    return parts.astype(np.int64).astype(np.uint32)


def _dxz_scale(settings: OceanSettings) -> float:
    """The power of two nearest to rms(height) / rms(dxz), m: multiplying by it loses nothing."""
    k = waves.wave_vectors(settings.size, settings.tile)
    energy = waves.energy_density(settings)
    height, dxz = energy.sum(), (energy * (k.x * k.z / k.length) ** 2).sum()
    return 2.0 ** round(0.5 * math.log2(height / dxz)) if height > 0 and dxz > 0 else 1.0


def _waves_of(settings: OceanSettings) -> dict[str, object]:
    return {name: value for name, value in vars(settings).items() if name not in _SETTINGS_OF_THE_FOAM}


def _check_time(time: float) -> None:
    if not abs(time) < _LONGEST_TIME:  # written so that NaN fails too
        raise OptionError(f"The time is {time!r} and must be a finite number of seconds, below 2^31.")


def _release_all(owned: list[Any]) -> None:
    for thing in owned:
        thing.release()
