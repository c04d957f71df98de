"""The ocean on the GPU against float64 numpy: fields, phases, packed pairs, foam, and changes made while it runs."""

from __future__ import annotations

import ctypes
import math
import signal
from dataclasses import replace

import moderngl
import numpy as np
import pytest
from support.gl_objects import live_objects
from support.ocean import SEA, TRANSFORM_DECIBELS, assert_near, decibels
from support.profiling import Recorder

from glfft.errors import AlgorithmError, ContextError, LimitError, OptionError, ReleasedError, ShapeError
from glfft.gl.context import state_of
from glfft.gl.functions import load_function
from glfft.sea import spectra, waves
from glfft.sea.fields import reference_fields
from glfft.sea.monitor import SeaMonitor
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation
from glfft.sea.step import FIELDS, STRETCH, SURFACE, OceanStep
from glfft.sea.waves import mirrored

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")


def read(texture: moderngl.TextureArray) -> np.ndarray:
    """The one layer of a simulation's texture, [N, N, components]."""
    kind = np.float16 if texture.dtype == "f2" else np.float32
    return np.frombuffer(texture.read(), kind).reshape(texture.height, texture.width, texture.components)


def foam_of(simulation: OceanSimulation) -> np.ndarray:
    return read(simulation.foam)[..., 0]


def one_wave(size: int, m: int, n: int, amplitude: complex = 1.0) -> np.ndarray:
    h0 = np.zeros((size, size), dtype=np.complex128)
    h0[m, n] = amplitude
    return h0


def test_progress_is_told_while_the_foam_is_brought_up_and_only_then(ctx):
    shares = []
    with OceanSimulation(ctx, replace(SEA, foam_lifetime=1.0)) as simulation:
        simulation.update(5.0, foam_progress=shares.append)
        assert shares[0] == 0.0
        assert shares[-1] == 1.0
        assert np.all(np.diff(shares) > 0)
        assert len(shares) == 21
        simulation.update(5.1, foam_progress=lambda share: pytest.fail("the foam has a past"))


def test_foam_whose_building_up_was_interrupted_is_built_up_anew(ctx: moderngl.Context) -> None:
    def interrupted(share: float) -> None:
        if share > 0.5:
            raise KeyboardInterrupt

    settings = replace(SEA, wind=20.0, foam_threshold=0.85)
    with OceanSimulation(ctx, settings) as simulation, OceanSimulation(ctx, settings) as other:
        simulation.update(5.0)
        with pytest.raises(KeyboardInterrupt):
            simulation.update(20.0, foam_progress=interrupted)
        for each in (simulation, other):
            each.update(5.125)
        assert foam_of(other).max() > 0
        assert np.array_equal(foam_of(simulation), foam_of(other))


def test_a_tile_too_short_for_its_waves_is_warned_of_once(ctx, recwarn):
    short = OceanSettings(size=16, tile=100.0, wind=20.0)
    for settings in (replace(short, tile=500.0), short, short):
        OceanSimulation(ctx, settings).release()
    assert [str(each.message) for each in recwarn] == [waves.too_few_waves(short)]


# --- Fields -----------------------------------------------------------------------------------------------


# One that fits a dispatch, one in stages; tests of the step have all others.
@pytest.mark.parametrize("algorithm", ["auto", "natural-order-stages"])
def test_fields_are_those_of_float64_by_any_algorithm(ctx, algorithm):
    expected = reference_fields(SEA, 12.34)
    with OceanSimulation(ctx, SEA, algorithm=algorithm) as simulation:
        found = simulation.evaluate(12.34)
    assert list(found) == list(FIELDS)
    for name in FIELDS:
        assert found[name].dtype == np.float32
        assert decibels(found[name], expected[name]) > TRANSFORM_DECIBELS, name


@pytest.mark.parametrize("settings", [replace(SEA, size=16), replace(SEA, tile=3.0, depth=0.5, wind=5.0)])
def test_small_grids_and_shallow_water_too(ctx, settings):
    expected = reference_fields(settings, 2.0)
    with OceanSimulation(ctx, settings) as simulation:
        found = simulation.evaluate(2.0)
    for name in FIELDS:
        assert decibels(found[name], expected[name]) > TRANSFORM_DECIBELS - 2, name


# Frequencies are rounded to 2^-32 turns per second, so a phase is off by 4.2e-10 rad rms for each second: 107 dB at
# 10,000 s, where w * t in float32 would leave 50 to 60.
@pytest.mark.parametrize(("time", "least"), [(0.0, 128), (-77.7, 128), (600.25, 124), (10_000.3, 105), (86_400.0, 86)])
def test_phases_stay_exact_for_hours(simulation, time, least):
    expected = reference_fields(SEA, time)
    found = simulation.evaluate(time)
    for name in FIELDS:
        assert decibels(found[name], expected[name]) > least, name


@pytest.mark.parametrize(
    ("m", "n", "silent"), [(0, 3, ("dz", "slope_z", "dzz", "dxz")), (5, 0, ("dx", "slope_x", "dxx", "dxz"))]
)
def test_nothing_leaks_from_one_field_of_a_pair_into_the_other(simulation, m, n, silent):
    # A wave along one axis has no field along the other: what is found there has leaked from the partner.
    simulation.set_amplitudes(one_wave(SEA.size, m, n, 0.3 + 0.4j))
    found = simulation.evaluate(3.3)
    for pair in (SURFACE[:2], SURFACE[2:], STRETCH[:2], STRETCH[2:]):
        for name, partner in (pair, pair[::-1]):
            if name in silent and partner in silent:
                assert not np.any(found[name]), name
            elif name in silent:
                assert found[partner].std() > 0.01
                assert np.abs(found[name]).max() < 1e-6 * found[partner].std(), name


def test_every_field_alone_is_the_derivative_it_is_named_after(simulation):
    # From the height the GPU made alone; the reference of the other tests shares no step with this one.
    found = {name: field.astype(np.float64) for name, field in simulation.evaluate(8.0).items()}
    k = waves.wave_vectors(SEA.size, SEA.tile)
    h = np.fft.fft2(found["height"]) * k.used

    def field(multiplier: np.ndarray) -> np.ndarray:
        return np.fft.ifft2(multiplier * h).real

    assert decibels(found["slope_x"], field(1j * k.x)) > 100
    assert decibels(found["slope_z"], field(1j * k.z)) > 100
    # D points from troughs to crests and has the height's amplitude: each is the Hilbert partner of the height.
    assert decibels(found["dx"], field(1j * k.x / k.length)) > 100
    assert decibels(found["dz"], field(1j * k.z / k.length)) > 100
    along_x, along_z = np.fft.fft2(found["dx"]) * k.used, np.fft.fft2(found["dz"]) * k.used
    assert decibels(found["dxx"], np.fft.ifft2(1j * k.x * along_x).real) > 100
    assert decibels(found["dzz"], np.fft.ifft2(1j * k.z * along_z).real) > 100
    assert decibels(found["dxz"], np.fft.ifft2(1j * k.z * along_x).real) > 100


def test_energy_over_points_is_energy_over_waves(simulation):
    h0 = waves.amplitudes(SEA)
    k = waves.wave_vectors(SEA.size, SEA.tile)
    phasor = np.exp(-1j * spectra.angular_frequency(k.length) * 4.0)
    h = h0 * phasor + np.conj(mirrored(h0) * phasor)
    found = simulation.evaluate(4.0)
    assert np.mean(found["height"].astype(np.float64) ** 2) == pytest.approx(np.sum(np.abs(h) ** 2), rel=1e-5)
    slopes = found["slope_x"].astype(np.float64) ** 2 + found["slope_z"].astype(np.float64) ** 2
    assert np.mean(slopes) == pytest.approx(np.sum(k.length**2 * np.abs(h) ** 2), rel=1e-5)


def test_height_over_seeds_is_the_height_of_the_spectrum(ctx):
    settings = replace(SEA, tile=500.0)
    variance = []
    with OceanSimulation(ctx, settings) as simulation:
        for seed in range(60):
            simulation.configure(replace(settings, seed=seed))
            variance.append(np.var(simulation.evaluate(3.0)["height"]))
        # One seed's variance scatters by some 8 %, the mean of sixty by 1 %.
        assert 4 * math.sqrt(np.mean(variance)) == pytest.approx(simulation.significant_height, rel=0.02)


# --- Motion -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [math.inf, 4.0])
@pytest.mark.parametrize(("m", "n"), [(0, 3), (4, 0), (-2, 5), (-6, -1)])
def test_a_crest_moves_along_k_at_the_speed_of_the_dispersion_relation(ctx, m, n, depth):
    settings = replace(SEA, depth=depth)
    k = 2 * math.pi / SEA.tile * math.hypot(m, n)
    w = math.sqrt((9.81 * k + 7.4e-5 * k**3) * (1.0 if math.isinf(depth) else math.tanh(k * depth)))
    with OceanSimulation(ctx, settings) as simulation:
        simulation.set_amplitudes(one_wave(SEA.size, m, n))
        before, after = (np.fft.fft2(simulation.evaluate(time)["height"])[m, n] for time in (20.0, 20.4))
    # The field is Re exp(i (k.x - w t)): at k its phase falls by w dt, which is a crest moved by w dt / k towards +k.
    turned = np.angle(after / before)
    assert turned == pytest.approx(-w * 0.4, abs=1e-5)


def test_waves_in_time_and_space_lie_on_the_dispersion_relation(simulation):
    # 64 moments over 40 s resolve frequency to 0.16 rad/s; the ridge of each wave must be within one step of w(k).
    times = np.arange(64) * (40.0 / 64)
    along_x = np.array([np.fft.fft2(simulation.evaluate(time)["height"])[0] for time in times])
    power = np.abs(np.fft.fft(along_x * np.hanning(64)[:, None], axis=0)) ** 2
    step = 2 * math.pi / 40.0
    for n in range(4, 20):
        # exp(-i w t) sits at minus w.
        ridge = -np.fft.fftfreq(64, 1 / 64)[np.argmax(power[:, n])] * step
        assert ridge == pytest.approx(math.sqrt(9.81 * n * 2 * math.pi / SEA.tile), abs=step), n


@pytest.mark.parametrize("wind_direction", [0.0, 2.0, -1.2])
def test_waves_run_with_the_wind(ctx, wind_direction):
    with OceanSimulation(ctx, replace(SEA, wind_direction=wind_direction)) as simulation:
        before, now, after = (simulation.evaluate(time) for time in (4.9, 5.0, 5.1))
    rising = after["height"] - before["height"]
    along_wind = now["slope_x"] * math.cos(wind_direction) + now["slope_z"] * math.sin(wind_direction)
    assert np.mean(rising * along_wind) < -0.5 * np.std(rising) * np.std(along_wind)


def test_crests_are_squeezed_together(simulation):
    found = simulation.evaluate(6.0)
    assert np.corrcoef(found["height"].ravel(), (found["dxx"] + found["dzz"]).ravel())[0, 1] < -0.5


# --- Drawing textures -------------------------------------------------------------------------------------


def test_textures_hold_the_fields_where_the_class_says(simulation):
    simulation.update(5.0)
    found = simulation.evaluate(5.0)
    surface, stretch, products = (
        read(texture) for texture in (simulation.surface, simulation.stretch, simulation.slope_products)
    )
    # Half precision, cut off by some drivers, with a smallest number of 6e-8.
    for texture, names in ((surface, SURFACE), (stretch, STRETCH)):
        for channel, name in enumerate(names):
            assert_near(texture[..., channel], found[name], rel=2.0**-10, abs=6e-8)
    slope_x, slope_z = np.moveaxis(surface[..., 2:].astype(np.float64), -1, 0)
    for channel, expected in enumerate((slope_x**2, slope_z**2, slope_x * slope_z)):
        assert_near(products[..., channel], expected, rel=2.0**-10, abs=6e-8)


_READ_COARSEST = """
#version 430
layout(local_size_x = 1) in;
uniform sampler2DArray picture;
uniform int level;
layout(std430, binding = 0) writeonly buffer Read { vec4 coarsest; };
void main() { coarsest = texelFetch(picture, ivec3(0), level); }
"""


def test_mipmaps_average_and_textures_repeat(ctx, simulation):
    simulation.update(5.0)
    shader, buffer = ctx.compute_shader(_READ_COARSEST), ctx.buffer(reserve=16)
    shader["level"] = int(math.log2(SEA.size))
    for texture in (simulation.surface, simulation.stretch, simulation.slope_products, simulation.foam):
        texture.use(0)
        buffer.bind_to_storage_buffer(0)
        shader.run()
        ctx.memory_barrier()
        finest, coarsest = read(texture).astype(np.float64), np.frombuffer(buffer.read(), np.float32)
        # Where halves are cut off, each of the six levels loses up to one in a thousand.
        tolerance = 6e-3 if texture.dtype == "f2" else 1e-4
        expected = finest.mean((0, 1))
        assert coarsest[: texture.components] == pytest.approx(expected, abs=tolerance * float(np.abs(finest).max()))
        assert texture.repeat_x
        assert texture.repeat_y
        assert texture.filter == (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    shader.release()
    buffer.release()


# --- Foam -------------------------------------------------------------------------------------------------


def test_foam_covers_more_in_more_wind_and_lies_where_the_water_is_squeezed(simulation):
    cover = []
    for wind in (5.0, 12.0, 25.0):
        simulation.configure(replace(SEA, wind=wind, foam_threshold=0.85, foam_lifetime=0.5))
        simulation.update(-1.0 - wind)  # back in time each round: each wind starts from clean water
        foam = foam_of(simulation)
        assert foam.min() >= 0
        assert foam.max() <= 1
        cover.append(float(foam.mean()))
    assert 0 <= cover[0] < cover[1] < cover[2]
    _, dxz, dxx, dzz = np.moveaxis(read(simulation.stretch), -1, 0)
    least = 1 + (dxx + dzz) / 2 - np.hypot((dxx - dzz) / 2, dxz)
    assert foam[least < 0.8].mean() > 3 * foam[least > 1].mean()


def test_a_step_of_foam_is_what_its_equation_says(simulation):
    settings = replace(SEA, wind=20.0, choppiness=1.3, foam_threshold=0.8, foam_gain=3.0, foam_spread=0.0)
    simulation.configure(settings)
    simulation.update(9.0)
    before = foam_of(simulation)
    simulation.update(9.25)
    stretch = read(simulation.stretch).astype(np.float64)
    found = {name: stretch[..., channel] for channel, name in enumerate(STRETCH)}
    gradient = np.eye(2) + 1.3 * np.stack(
        [np.stack([found["dxx"], found["dxz"]], -1), np.stack([found["dxz"], found["dzz"]], -1)], -1
    )
    least_stretch = np.linalg.eigvalsh(gradient)[..., 0]
    kept = math.exp(-0.25 / settings.foam_lifetime)
    assert settings.foam_threshold is not None
    grown = (
        settings.foam_gain
        * settings.foam_lifetime
        * (1 - kept)
        * np.maximum(0, settings.foam_threshold - least_stretch)
    )
    assert np.count_nonzero(grown) > 100
    assert_near(foam_of(simulation), np.clip(before * kept + grown, 0, 1), abs=2e-6)


def test_foam_is_the_same_for_the_same_history_whatever_happened_before(ctx, simulation):
    settings = replace(SEA, wind=20.0, foam_threshold=0.85)
    simulation.update(3.0)
    simulation.configure(settings)
    with OceanSimulation(ctx, settings) as other:
        for time in (1.0, 1.1, 1.15, 4.0):  # the last is a jump
            simulation.update(time)
            other.update(time)
            assert foam_of(simulation).max() > 0.05
            assert np.array_equal(foam_of(simulation), foam_of(other))


def test_foam_after_a_jump_does_not_depend_on_what_was_before_it(simulation):
    simulation.configure(replace(SEA, wind=20.0, foam_threshold=0.85))
    simulation.update(50.0)
    expected = foam_of(simulation)
    simulation.update(80.0)
    simulation.update(50.0)
    assert np.array_equal(foam_of(simulation), expected)


def test_foam_stands_still_while_time_does_and_decays_once_nothing_feeds_it(simulation):
    fed = replace(SEA, wind=20.0, foam_threshold=0.85, foam_lifetime=2.0, foam_spread=0.0)
    simulation.configure(fed)
    simulation.update(9.0)
    before = foam_of(simulation)
    simulation.update(9.0)
    assert_near(foam_of(simulation), before, abs=1e-6)
    simulation.configure(replace(fed, foam_gain=0.0))
    simulation.update(9.5)
    assert_near(foam_of(simulation), before * math.exp(-0.5 / 2.0), abs=1e-6)


def test_foam_spreads_without_growing(simulation):
    spreading = replace(SEA, wind=20.0, foam_threshold=0.85, foam_spread=3.0)
    simulation.configure(spreading)
    simulation.update(9.0)
    before = foam_of(simulation)
    simulation.configure(replace(spreading, foam_gain=0.0, foam_lifetime=1e4))
    simulation.update(9.5)
    after = foam_of(simulation)
    assert after.mean() == pytest.approx(before.mean(), rel=1e-3)
    assert after.std() < 0.95 * before.std()


def test_without_choppiness_there_is_no_foam(simulation):
    simulation.configure(replace(SEA, wind=25.0, choppiness=0.0))
    simulation.update(2.0)
    assert not np.any(foam_of(simulation))


def test_a_longer_frame_leaves_about_the_foam_of_two_short_ones(ctx):
    settings = replace(SEA, wind=20.0, foam_threshold=0.85)
    cover = []
    for steps in (20, 40):
        with OceanSimulation(ctx, settings) as simulation:
            for step in range(steps + 1):
                simulation.update(3.0 + 2.0 * step / steps)
            cover.append(float(foam_of(simulation).mean()))
    assert cover[1] == pytest.approx(cover[0], rel=0.1)


# --- Changes while it runs --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [{"wind": 14.0}, {"seed": 9}, {"size": 32}, {"tile": 90.0}, {"depth": 3.0}, {"spreading": "donelan-banner"}],
    ids=str,
)
def test_a_changed_sea_is_the_one_made_anew(ctx, simulation, change):
    simulation.update(1.0)
    changed = replace(SEA, **change)
    simulation.configure(changed)
    simulation.update(1.1)
    with OceanSimulation(ctx, changed) as anew:
        assert simulation.significant_height == anew.significant_height
        expected = anew.evaluate(2.0)
    found = simulation.evaluate(2.0)
    for name in FIELDS:
        assert np.array_equal(found[name], expected[name]), name


def test_choppiness_and_foam_leave_waves_and_textures_alone(simulation):
    own = one_wave(SEA.size, 1, 2)
    simulation.set_amplitudes(own)
    texture = simulation.surface
    before = simulation.evaluate(1.0)
    simulation.configure(replace(SEA, choppiness=0.3, foam_gain=1.0))
    after = simulation.evaluate(1.0)
    assert simulation.surface is texture
    assert all(np.array_equal(before[name], after[name]) for name in FIELDS)


def test_the_algorithm_changes_live_and_a_wrong_name_changes_nothing(simulation):
    before = simulation.evaluate(1.0)
    simulation.set_algorithm("stockham-radix2")
    assert simulation.algorithm == "stockham-radix2"
    assert decibels(simulation.evaluate(1.0)["height"], before["height"]) > 125
    with pytest.raises(AlgorithmError):
        simulation.set_algorithm("stockham-radix3")
    assert simulation.algorithm == "stockham-radix2"
    simulation.update(1.5)


def test_textures_the_device_refuses_are_an_error_and_change_nothing(ctx, simulation, monkeypatch):
    make, made = moderngl.Context.texture_array, []

    def refused(self, size, components, **options):
        made.append(make(self, (8, 8, 1), components, **options))
        load_function(ctx, "glEnable", None, ctypes.c_uint)(0xFFFF)  # as silent as memory that has run out
        return made[-1]

    simulation.update(1.0)
    before, textures = simulation.evaluate(1.0), (simulation.surface, simulation.foam)
    with monkeypatch.context() as patched:
        patched.setattr(moderngl.Context, "texture_array", refused)
        with pytest.raises(ContextError, match="making an ocean of 128 x 128"):
            simulation.configure(replace(SEA, size=128))
    assert made
    assert all(isinstance(texture.mglo, moderngl.InvalidObject) for texture in made)
    assert (simulation.surface, simulation.foam) == textures
    assert simulation.settings == SEA
    after = simulation.evaluate(1.0)
    assert all(np.array_equal(before[name], after[name]) for name in FIELDS)


def test_a_size_over_the_limit_is_refused_and_changes_nothing(ctx, simulation):
    too_large = 2 * state_of(ctx).limits.texture_size
    with pytest.raises(LimitError, match=str(too_large)):
        simulation.configure(replace(SEA, size=too_large))
    assert simulation.settings == SEA
    simulation.update(1.0)


@pytest.mark.parametrize("shape", [(64, 32), (32, 32), (64, 64, 1)])
def test_amplitudes_of_another_shape_are_refused(simulation, shape):
    with pytest.raises(ShapeError, match="shape"):
        simulation.set_amplitudes(np.zeros(shape, dtype=np.complex64))


@pytest.mark.parametrize(("m", "n"), [(0, 0), (32, 3), (1, 32)])
def test_amplitudes_where_there_is_no_wave_are_refused(simulation, m, n):
    with pytest.raises(ShapeError, match="zero"):
        simulation.set_amplitudes(one_wave(64, m, n))


@pytest.mark.parametrize("time", [math.nan, math.inf, -math.inf, 1e12])
def test_a_time_that_is_no_time_is_refused(simulation, time):
    with pytest.raises(OptionError, match="time"):
        simulation.update(time)


@pytest.mark.parametrize("settings", ["storm", 3, None])
def test_what_are_no_settings_is_refused(ctx, simulation, settings):
    for use in (simulation.configure, simulation.morph, lambda wrong: OceanSimulation(ctx, wrong)):
        with pytest.raises(OptionError, match="must be an OceanSettings"):
            use(settings)
    simulation.update(0.0)


@pytest.mark.parametrize("lifetimes", [-1, math.nan, math.inf])
def test_foam_is_built_up_over_a_time_from_0(simulation, lifetimes):
    with pytest.raises(OptionError, match="lifetimes"):
        simulation.build_up_foam(0.0, lifetimes)


def test_a_released_simulation_says_so(ctx):
    simulation = OceanSimulation(ctx, SEA)
    monitor = SeaMonitor(simulation)
    simulation.update(0.0)
    simulation.release()
    simulation.release()
    for use in (
        lambda: simulation.update(0.0),
        lambda: simulation.evaluate(0.0),
        lambda: simulation.configure(SEA),
        lambda: simulation.set_algorithm("auto"),
        lambda: monitor.read(),
    ):
        with pytest.raises(ReleasedError, match=r"^This sea has been released; make a new one\.$"):
            use()
    monitor.release()


def test_foam_that_has_settled_in_its_loop_has_no_seam(ctx):
    foam = []
    with OceanSimulation(ctx, replace(SEA, loop=2.0, foam_lifetime=0.1, foam_threshold=0.9)) as simulation:
        simulation.settle(1.0, 8)
        for step in range(9):
            simulation.update(1.0 + step / 4)
            foam.append(np.frombuffer(simulation.foam.read(), np.float32))
    assert np.abs(foam[1] - foam[0]).max() > 1e-3
    assert foam[8] == pytest.approx(foam[0], abs=2e-5)


def test_steps_of_a_second_leave_the_foam_as_it_is_whatever_their_rounding(ctx):
    with OceanSimulation(ctx, replace(SEA, loop=10.0, foam_lifetime=5.0, foam_threshold=0.9)) as simulation:
        simulation.settle(0.3, 10)
        foam = []
        for step in range(20):  # 8.3 - 7.3 is more than 1
            simulation.update(0.3 + step)
            foam.append(np.frombuffer(simulation.foam.read(), np.float32))
    for first, second in zip(foam[:10], foam[10:], strict=True):
        assert second == pytest.approx(first, abs=1e-3)


@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_simulations_made_and_released_leave_nothing_behind(ctx):
    counts = []
    for _ in range(3):
        with OceanSimulation(ctx, replace(SEA, size=32)) as simulation:
            simulation.configure(SEA)
            simulation.set_algorithm("stockham-radix2")
            simulation.update(1.0)
            simulation.morph(replace(SEA, seed=5))
        counts.append(live_objects(ctx))
    assert counts[0] == counts[1] == counts[2]


def test_a_profiler_sees_the_waves_and_the_mipmaps(simulation):
    recorder = Recorder()
    simulation.update(1.0, profiler=recorder)
    size, tiles = simulation.settings.size, len(simulation.tiles)
    points, half = size * size * tiles, size // 2
    # The first pass reads half of the amplitudes, four floats each, and a quarter of the frequencies, two integers.
    first = half * size * tiles * 16 + half * (half + 1) * tiles * 8
    # Between the passes half spectra of two pairs and a number, complex float32, counted as whole textures: with the
    # Nyquist column of zeros, which only the second pass reads. Then two fields of four half floats.
    between, fields = (half + 1) * size * tiles * (2 * 16 + 8), points * 2 * 8
    waves = {"waves": 0, "waves/columns": first + between, "waves/rows": between + fields}
    # Four half floats each of surface, stretch and products, and a float of foam.
    levels = [points * each for each in (1, 1 / 4, 1 / 16, 1 / 64)]
    maps = {"mipmaps/foam": 12 * sum(levels) + 4 * points, "mipmaps/slopes": 16 * sum(levels)}
    maps["mipmaps/levels 4-6"] = 28 * sum(levels) / 64
    assert recorder.seen == {**waves, "mipmaps": 0, **maps}


def test_the_warning_of_too_few_waves_names_the_line_that_made_the_sea(ctx):
    with pytest.warns(UserWarning, match="The tile is 20 m") as told, OceanSimulation(ctx, replace(SEA, tile=20.0)):
        pass
    assert [each.filename for each in told] == [__file__]


def test_an_interrupt_leaves_a_sea_of_its_settings(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch):
    small, large = replace(SEA, size=16), replace(SEA, size=20)
    release = OceanStep.release

    def interrupted(step: OceanStep) -> None:
        release(step)
        signal.raise_signal(signal.SIGINT)

    with OceanSimulation(ctx, small) as simulation:
        with monkeypatch.context() as patch:
            patch.setattr(OceanStep, "release", interrupted)
            with pytest.raises(KeyboardInterrupt):
                simulation.configure(large)
        for settings in (small, large):
            simulation.configure(settings)
            height = simulation.evaluate(3.0)["height"]
            assert decibels(height, reference_fields(settings, 3.0)["height"]) > TRANSFORM_DECIBELS
