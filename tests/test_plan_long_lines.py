"""Lines that no work group holds, and whose lengths have large prime factors: convolved in scratch, a few at a time."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
import pytest
from support import images
from support.images import random_values
from support.kernels import restrict_device
from support.sentences import refused
from support.tolerances import BLUESTEIN_DB, COMPOSED_DB, COMPUTED_DB, TABLE_DB, assert_close, floor_of
from support.tuning import favour_passes, specs_of

import glfft
from glfft.algorithms.regions import Points
from glfft.algorithms.stockham import bluestein, kernel
from glfft.algorithms.storage import STORAGES
from glfft.algorithms.tables import Roots
from glfft.apps.signal_to_noise import random_complex
from glfft.engine.plan_passes import plan_passes
from glfft.engine.request import FORWARD, PlanRequest
from glfft.errors import LimitError, TextureError
from glfft.gl.context import state_of

# So little holds parts of 16 points, and padded lines of 37 in two of them, those of 101 in two or three.
SHARED = 96


@pytest.fixture
def small(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """A device whose work groups hold few points, and scratch for two padded lines of 37 points."""
    restrict_device(ctx, monkeypatch, shared_memory=SHARED)
    monkeypatch.setattr(bluestein, "_SCRATCH_BYTES", 1300)


def turns(plan: glfft.Plan) -> int:
    """How many times lines of the forward transform are taken to scratch."""
    passes = [each.spec for each in plan._pipelines[FORWARD].passes]
    return sum(spec.request.padded is not None and spec.request.padded.enters for spec in passes)


@pytest.mark.parametrize(
    ("name", "shape", "axis"), [(name, *(((4, 37), 1), ((37, 5), 0))[index % 2]) for index, name in enumerate(STORAGES)]
)
def test_primes_are_right_in_every_storage_with_layers_in_both_directions(
    ctx: moderngl.Context, small: None, name: str, shape: tuple[int, int], axis: int
) -> None:
    storage = STORAGES[name]
    with glfft.Plan(ctx, shape, axes=(axis,), layers=2, storage=name, norm="ortho") as plan:
        assert turns(plan) > 2, "there is room for all lines, so that nothing is tested of turns"
        # From picture to scratch, a convolution, and back.
        assert plan.dispatches == 3 * turns(plan)
        floor = floor_of(storage, 1, BLUESTEIN_DB) if not storage.double else BLUESTEIN_DB
        values = random_values(storage, shape, 2)
        wide = values.astype(np.complex128)
        assert_close(images.run(plan, values), np.fft.fft(wide, axis=2 + axis, norm="ortho"), floor)
        assert_close(images.run(plan, values, "inverse"), np.fft.ifft(wide, axis=2 + axis, norm="ortho"), floor)


def test_three_kinds_of_parts_go_there_and_two_back(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    restrict_device(ctx, monkeypatch, shared_memory=SHARED)
    with glfft.Plan(ctx, (2, 1009), axes=(1,), twiddles="table") as plan:
        assert plan.dispatches == 5
        values = random_values(STORAGES["rg32f"], (2, 1009), None)
        assert_close(images.run(plan, values), np.fft.fft(values.astype(np.complex128)), BLUESTEIN_DB)
    monkeypatch.setattr(kernel, "_LONGEST_TABLE", 0)  # factors between parts are powers of one root of unity
    with glfft.Plan(ctx, (2, 1009), axes=(1,), twiddles="computed") as plan:
        assert_close(images.run(plan, values), np.fft.fft(values.astype(np.complex128)), COMPUTED_DB)


@pytest.mark.parametrize(
    ("shape", "axes", "storage"),
    [
        ((37, 5), (0,), "buffer_pairs"),
        ((5, 37), (0, 1), "rg32f"),
        ((37, 6), (0, 1), "rg32f"),
        ((6, 40), (0, 1), "buffer"),
        ((3, 125), (0, 1), "rg32f"),
        ((3, 131), (0, 1), "rg32f"),  # in 15 parts, of which number 13 has its mirrored points in itself
    ],
)
def test_real_pictures(
    ctx: moderngl.Context, small: None, shape: tuple[int, int], axes: tuple[int, ...], storage: str
) -> None:
    with glfft.Plan(ctx, shape, axes=axes, real=True, storage=storage) as plan:
        picture = random_values(plan.request.storage.of_reals, shape, None)
        exact = np.fft.rfftn(picture.astype(float), axes=[axis - 2 for axis in sorted(axes)])
        assert_close(images.run(plan, picture), exact, BLUESTEIN_DB)
        assert_close(images.run(plan, exact.astype(np.complex64), "inverse"), picture, BLUESTEIN_DB)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_volumes(ctx: moderngl.Context, small: None, axis: int) -> None:
    shape = tuple(37 if each == axis else 3 - each // 2 for each in range(3))
    storage = ("rg32f", "buffer", "rg32f")[axis]
    with glfft.Plan(ctx, shape, axes=(axis,), real=axis == 0, storage=storage) as plan:
        assert turns(plan) > 1
        values = random_values(STORAGES[storage].of_reals if axis == 0 else STORAGES[storage], shape, None)
        exact = (np.fft.rfft if axis == 0 else np.fft.fft)(values.astype(complex if axis else float), axis=axis - 3)
        assert_close(images.run(plan, values), exact, BLUESTEIN_DB)
        assert_close(images.run(plan, exact.astype(np.complex64), "inverse"), values, BLUESTEIN_DB)


# Lines of 37 points are padded, real ones two at a time; 40 points go in parts.
TURNS = {(37, False): 3, (37, True): 2, (40, True): 0}


@pytest.mark.parametrize(("length", "real"), TURNS)
def test_snippets_and_products_meet_every_line_once(
    ctx: moderngl.Context, small: None, length: int, real: bool
) -> None:
    load = "value load(ivec3 at) { return read_source(at) * (1.0 + float(at.x + at.y)); }"
    store = "uniform float gain; void store(ivec3 at, value v) { write_target(at, gain * v * (1.0 + float(at.y))); }"
    product = "value product(ivec3 at, value v) { return v / (1.0 + float(at.x)); }"
    shape = (5, length)
    rows, columns = np.indices(shape)
    ways = ("forward", "convolve")
    with glfft.Plan(ctx, shape, load=load, store=store, multiply=product, real=real, directions=ways) as plan:
        plan.set_uniforms(gain=0.5)
        assert turns(plan) == TURNS[length, real]
        storage = plan.request.storage.of_reals if real else plan.request.storage
        values = random_values(storage, shape, None)
        wide = values.astype(np.float64 if real else np.complex128) * (1 + rows + columns)
        spectrum = np.fft.rfft2(wide) if real else np.fft.fft2(wide)
        scale = 0.5 * (1 + np.arange(5))[:, None]
        assert_close(images.run(plan, values), spectrum * scale, BLUESTEIN_DB)
        spectrum /= 1 + np.arange(spectrum.shape[-1])
        result = np.fft.irfft2(spectrum, shape) if real else np.fft.ifft2(spectrum)
        assert_close(images.run(plan, values, "convolve"), result * scale, COMPOSED_DB)


@pytest.mark.parametrize("snippets", [False, True])
def test_real_rows_of_a_buffer_go_each_as_half_as_many_points(
    ctx: moderngl.Context, small: None, snippets: bool
) -> None:
    load = "value load(ivec3 at) { return read_source(at) * (1.0 + float(at.x % 3 + at.y)); }" if snippets else None
    store = "void store(ivec3 at, value v) { write_target(at, v * (1.0 + float(at.y))); }" if snippets else None
    product = "value product(ivec3 at, value v) { return v / (1.0 + float(at.x)); }"
    shape, ways = (5, 96), ("forward", "inverse", "convolve")
    rows, columns = np.indices(shape)
    loaded, stored = (1 + columns % 3 + rows, 1 + rows) if snippets else (np.ones(shape), np.ones(shape))
    options = {"real": True, "axes": (1,), "storage": "buffer", "layers": 2, "directions": ways}
    with glfft.Plan(ctx, shape, load=load, store=store, multiply=product, **options) as plan:
        assert {each.request.of_halves for each in specs_of(plan)} == {True}
        assert "rows: each goes as a complex one of 48 points" in plan.explain()
        values = random_values(STORAGES["buffer"].of_reals, shape, 2)
        values[0, 0, 2, 7] = np.nan  # which other rows do not see
        others = np.ones((2, 1, 5), bool)
        others[0, 0, 2] = False
        exact = np.fft.rfft(values.astype(np.float64) * loaded)
        spectra = images.run(plan, values)
        assert np.isnan(spectra[~others]).all()
        assert_close(spectra[others], (exact * stored[:, :49])[others])
        exact /= 1 + np.arange(49)
        result = images.run(plan, values, "convolve")
        assert_close(result[others], (np.fft.irfft(exact, 96) * stored)[others], COMPOSED_DB)
        spectra = random_complex((2, 1, 5, 49))  # whose imaginary parts at both ends are ignored
        exact = np.fft.irfft(spectra.astype(np.complex128) * loaded[:, :49], 96)
        assert_close(images.run(plan, spectra, "inverse"), exact * stored)


def test_they_work_in_place_but_for_snippets_in_turns(ctx: moderngl.Context, small: None) -> None:
    values = random_complex((5, 37))
    exact = np.fft.fft(values.astype(np.complex128))
    buffer = ctx.buffer(values.tobytes())
    with glfft.Plan(ctx, (5, 37), axes=(1,), storage="buffer") as plan:
        plan.forward(buffer, buffer, next_use="read")
        assert_close(np.frombuffer(buffer.read(), np.complex64).reshape(5, 37), exact, BLUESTEIN_DB)
    mirrored = "value load(ivec3 at) { return read_source(ivec3(at.x, ROWS - 1 - at.y, 0)); }"
    for shape, axes in (((5, 37), (1,)), ((5, 37), (0, 1))):
        texture = ctx.texture((37, 5), 2, values.tobytes(), dtype="f4")
        with glfft.Plan(ctx, shape, axes=axes, load=mirrored, directions="forward") as plan:
            if len(axes) == 1:
                with refused(TextureError, "in place"):
                    plan.forward(texture, texture)
            else:
                plan.forward(texture, texture, next_use="read")
                result = np.frombuffer(texture.read(), np.complex64).reshape(shape)
                assert_close(result, np.fft.fft2(values[::-1].astype(np.complex128)), BLUESTEIN_DB)
        texture.release()
    buffer.release()


def test_explain_says_how_many_lines_go_at_a_time(ctx: moderngl.Context, small: None) -> None:
    with glfft.Plan(ctx, (5, 37), axes=(1,)) as plan:
        told = plan.explain()
        assert "parts of padded rows: 2 of 5 at a time, so these passes are run 3 times" in told
        assert told.count("fft/stockham_convolve.comp") == 2
        # Five lines: read, written to scratch padded, twice read and written there, and written.
        (padded,) = {each.target_lines.shape[1] for each in specs_of(plan) if each.writes is Points.PADDED}
        assert plan.bytes_moved == 5 * 8 * (2 * 37 + 4 * padded)


def test_tuning_finds_kernels_for_their_parts(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, small: None
) -> None:
    favour_passes(monkeypatch, lambda spec: spec.groups[0] % 2 == 1)
    with glfft.Plan(ctx, (2, 37), axes=(1,)) as plan:
        lengths = {each.length for each in plan._tunable()}
        assert lengths == {each.request.length for each in specs_of(plan)}
        report = plan.tune(quick=True)
        assert {each.request.length for each in report.passes} == lengths
        values = random_values(STORAGES["rg32f"], (2, 37), None)
        assert_close(images.run(plan, values), np.fft.fft(values.astype(np.complex128)), BLUESTEIN_DB)


def test_a_length_that_no_buffer_holds_padded_is_refused_with_one_that_works(ctx: moderngl.Context) -> None:
    limits = replace(state_of(ctx).device.limits, buffer_bytes=1 << 20, shared_memory=8192)
    device = replace(state_of(ctx).device, limits=limits)
    with refused(LimitError) as caught:
        plan_passes(PlanRequest.of((32, 65537), (1,), storage=STORAGES["buffer"]), FORWARD, device)
    for word in ("65537 points", "prime factor 65537", str(1 << 20), "such as 65550"):
        assert word in str(caught.value)
    assert plan_passes(PlanRequest.of((1, 65550), (1,), storage=STORAGES["buffer"]), FORWARD, device)
    with pytest.raises(LimitError, match="bluestein cannot transform lines of 65537 points"):
        plan_passes(PlanRequest.of((1, 65537), (1,), "bluestein", storage=STORAGES["buffer"]), FORWARD, device)


def test_factors_of_many_points_are_products_of_two(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    restrict_device(ctx, monkeypatch, shared_memory=512)
    with glfft.Plan(ctx, (1, 1 << 17), axes=(1,), storage="buffer") as plan:
        kinds = [[type(table) for table in each.tables] for each in specs_of(plan)]
        # A GPU's cache keeps no long table of factors, so fewer points are enough there.
        assert kinds == [[Roots], [] if state_of(ctx).device.software else [Roots], []] * 2
        values = random_values(STORAGES["buffer"], plan.shape, None)
        wide = values.astype(np.complex128)
        assert_close(images.run(plan, values), np.fft.fft(wide))
        assert_close(images.run(plan, values, "inverse"), np.fft.ifft(wide))


def test_lengths_of_cameras_and_long_primes_without_any_pretence(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (4896, 2), axes=(0,)) as plan:
        values = random_values(STORAGES["rg32f"], plan.shape, None)
        assert_close(images.run(plan, values), np.fft.fft(values.astype(np.complex128), axis=2), BLUESTEIN_DB)
    array = np.real(random_complex((2, 10007)))
    assert_close(glfft.rfft(array, ctx=ctx), np.fft.rfft(array), BLUESTEIN_DB)


@pytest.mark.slow
@pytest.mark.parametrize(("length", "floor"), [(1 << 20, TABLE_DB), (1 << 24, TABLE_DB), (1000003, BLUESTEIN_DB)])
def test_millions_of_points(ctx: moderngl.Context, length: int, floor: float) -> None:
    array = random_complex((length,))
    assert_close(glfft.fft(array, ctx=ctx), np.fft.fft(array.astype(np.complex128)), floor)
