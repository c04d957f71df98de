"""Plans in double precision: storage="buffer_double"; what every storage has, tests of all storages ask of it too."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
import scipy.fft
from support import images
from support.images import random_values, run
from support.kernels import request, restrict_device
from support.sentences import refused
from support.tolerances import DOUBLE_DB, assert_close

import glfft
from glfft.algorithms.stockham import choose
from glfft.algorithms.stockham.butterflies import RADICES
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.stockham.kernel import kernel_pass
from glfft.algorithms.storage import STORAGES
from glfft.apps.signal_to_noise import snr_db
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.twiddles import roots
from glfft.errors import LimitError, OptionError
from glfft.gl.context import state_of

STORAGE = STORAGES["buffer_double"]

# Half the distance from 1 to the next float64.
U = 2.0**-53


# Its type is that of scipy's protocol, and not what a call gives.
scipy_fft: Any = scipy.fft


def exact(values: npt.NDArray[Any], direction: str, axes: tuple[int, ...]) -> npt.NDArray[Any]:
    """scipy's transform, in numpy's longest floats."""
    transform = scipy_fft.fftn if direction == "forward" else scipy_fft.ifftn
    return transform(values.astype(np.clongdouble), axes=[axis - 2 for axis in axes])


@pytest.mark.parametrize("radix", RADICES)
def test_the_constants_of_every_radix_are_doubles(ctx: moderngl.Context, radix: int) -> None:
    # The transforms of unit vectors are roots of unity, which are those constants and sums of few of them.
    kernel = KernelConfig((radix,), 1, lines=4)
    wanted = request(state_of(ctx).limits, kernel, STORAGE, axis=1, lines=radix)
    source = images.upload(ctx, np.eye(radix, dtype=complex)[None, None], STORAGE, None)
    target = images.blank(ctx, wanted.shape, STORAGE, None)
    CompiledPass(ctx, kernel_pass(wanted, kernel)).run(source, target)
    ctx.memory_barrier()
    result = images.download(target, STORAGE, wanted.shape, None)[0, 0]
    images.release(source, target)
    j, k = np.indices(wanted.shape)
    right = roots(radix, double=True)[j * k % radix]
    assert np.abs(result - right).max() <= 6 * U


@pytest.mark.parametrize(("length", "axis"), [(120, 1), (77, 0), (41, 1)])
def test_lengths_come_to_almost_all_their_digits(ctx: moderngl.Context, length: int, axis: int) -> None:
    shape = (3, length) if axis == 1 else (length, 3)
    with glfft.Plan(ctx, shape, axes=(axis,), storage="buffer_double") as plan:
        values = random_values(STORAGE, shape, None, seed=length)
        right = exact(values, "forward", (axis,))
        # Scipy rounds in float64 too; Bluestein's transform loses 9 dB more.
        theirs = snr_db(scipy_fft.fft(values, axis=axis - 2), right)
        assert snr_db(run(plan, values), right) >= max(min(theirs - 12, 312), DOUBLE_DB)
        assert_close(run(plan, values, "inverse"), exact(values, "inverse", (axis,)), DOUBLE_DB)


@pytest.mark.parametrize("real", [False, True])
def test_lines_in_parts(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, real: bool) -> None:
    restrict_device(ctx, monkeypatch, shared_memory=256)
    with glfft.Plan(ctx, (3, 96), axes=(1,), storage="buffer_double", real=real) as plan:
        assert plan.dispatches == 2
        picture = random_values(STORAGE.of_reals if real else STORAGE, (3, 96), None)
        spectrum = run(plan, picture)
        assert_close(spectrum, np.fft.rfft(picture) if real else np.fft.fft(picture), DOUBLE_DB)
        assert_close(run(plan, spectrum, "inverse"), picture, DOUBLE_DB)


def test_shared_memory_holds_half_as_many_numbers(ctx: moderngl.Context) -> None:
    kernel = KernelConfig((4, 8), 8)
    limits = state_of(ctx).limits
    for exchange in ("at once", "in turn", "alternate"):
        kernel = KernelConfig((4, 8), 8, exchange=exchange)
        assert kernel.shared_bytes(STORAGE) == 2 * kernel.shared_bytes(STORAGES["buffer"])
    double, single = (request(limits, kernel, STORAGES[name], axis=1, lines=1) for name in ("buffer_double", "buffer"))
    assert 2 * choose.longest_at_once(double) == choose.longest_at_once(single)


def test_in_place_with_layers(ctx: moderngl.Context) -> None:
    values = random_values(STORAGE, (6, 10), 3)
    with glfft.Plan(ctx, (6, 10), layers=3, storage="buffer_double", norm="ortho") as plan:
        buffer = images.upload(ctx, values, STORAGE, 3)
        plan.forward(buffer, buffer)
        plan.inverse(buffer, buffer)
        assert_close(images.download(buffer, STORAGE, (6, 10), 3), values, DOUBLE_DB)
        images.release(buffer)


def test_snippets_are_taken_as_they_are(ctx: moderngl.Context) -> None:
    load = """
uniform double gain;
uniform float shift;
value load(ivec3 at) { return gain * read_source(at) + value(shift, 0.1); }
"""
    multiply = "value product(ivec3 at, value spectrum) { return multiply(spectrum, dvec2(0.1LF, 1.0 + at.x)); }"
    values = random_values(STORAGE, (4, 8), None)
    with glfft.Plan(ctx, (4, 8), storage="buffer_double", load=load, multiply=multiply) as plan:
        plan.set_uniforms(gain=1 / 3, shift=0.5)
        loaded = values / 3 + complex(0.5, np.float32(0.1))
        assert_close(run(plan, values), np.fft.fft2(loaded), DOUBLE_DB)
        factor = 0.1 + 1j * (1 + np.arange(8))
        assert_close(run(plan, values, "convolve"), np.fft.ifft2(np.fft.fft2(loaded) * factor), DOUBLE_DB)


@pytest.mark.filterwarnings("error:A kernel for")
def test_tuning_keeps_every_digit(ctx: moderngl.Context) -> None:
    values = random_values(STORAGE, (4, 16), None)
    with glfft.Plan(ctx, (4, 16), axes=(1,), storage="buffer_double") as plan:
        report = plan.tune(quick=True)
        assert report.passes
        assert "tuned on this device" in plan.explain()
        assert_close(run(plan, values), np.fft.fft(values), DOUBLE_DB)


def test_a_device_without_float64_says_so(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    restrict_device(ctx, monkeypatch, float64=False)
    with refused(LimitError, match="float64 in shaders, which this device does not have"):
        glfft.Plan(ctx, (4, 8), storage="buffer_double")
    glfft.Plan(ctx, (4, 8), storage="buffer").release()


def test_no_sine_is_computed_in_the_shader(ctx: moderngl.Context) -> None:
    with refused(OptionError, match="no sine in float64"):
        glfft.Plan(ctx, (4, 8), storage="buffer_double", twiddles="computed")


@pytest.mark.parametrize(
    "kernel",
    [
        pytest.param(KernelConfig((4, 8), 8, lines=4, exchange="in turn", line_pairs=True), id="pairs of lines"),
        pytest.param(KernelConfig((5, 6), 5, lines=2, exchange="alternate", padding=4), id="two arrays, padded"),
        pytest.param(KernelConfig((3, 8), 3, twiddle_products=True, prefetch_twiddles=True), id="products, prefetched"),
        pytest.param(KernelConfig((4, 4), 4, sampled_twiddles=True), id="a texture has no doubles"),
    ],
)
def test_every_option_of_a_kernel(ctx: moderngl.Context, kernel: KernelConfig) -> None:
    wanted = request(state_of(ctx).limits, kernel, STORAGE, axis=1, lines=5, direction=1, scale=1 / 3)
    values = random_values(STORAGE, wanted.shape, None)
    spec = kernel_pass(wanted, kernel)
    source, target = images.upload(ctx, values, STORAGE, None), images.blank(ctx, wanted.shape, STORAGE, None)
    CompiledPass(ctx, spec).run(source, target)
    ctx.memory_barrier()
    result = images.download(target, STORAGE, wanted.shape, None)
    images.release(source, target)
    assert not spec.sampled_twiddles
    assert_close(result, np.fft.ifft(values, norm="forward") / 3, DOUBLE_DB)
