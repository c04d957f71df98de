"""Bluestein's convolution is long enough, quick, and refused where it does not fit."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import partial

import moderngl
import numpy as np
import pytest
from support.requests import LEAST_DEVICE, axis_request
from support.tolerances import BLUESTEIN_DB, assert_close
from support.tuning import noise_transformed

from glfft.algorithms import registry
from glfft.algorithms.device_constants import DeviceConstants
from glfft.algorithms.lengths import largest_prime_factor, power_of_two_above
from glfft.algorithms.stockham import choose
from glfft.algorithms.stockham.bluestein import Bluestein, fits_at_once, padded_length
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.stockham.rader import Rader
from glfft.algorithms.storage import STORAGES
from glfft.gl.context import state_of

GPU = replace(LEAST_DEVICE, renderer="a GPU")
LONGEST = choose.longest_at_once(axis_request((1, 17)))


@pytest.mark.parametrize("length", [17, 19, 97, 101, 257, 1009, 2047])
def test_the_padded_length_holds_the_convolution_and_is_quick(length: int) -> None:
    padded = padded_length(length, LONGEST)
    # Without wrapping round onto itself, and with small radices only.
    assert 2 * length - 1 <= padded <= power_of_two_above(2 * length - 1)
    assert largest_prime_factor(padded) <= 5


def test_a_power_of_two_is_taken_where_it_is_hardly_longer() -> None:
    # At least 37, 67 and 201 points: 40 and 72 save much of 64 and 128 points, 216 little of 256.
    assert [padded_length(length, LONGEST) for length in (19, 34, 101)] == [40, 72, 256]


def test_what_fits_a_work_group_is_one_pass_and_longer_lines_are_several() -> None:
    family = Bluestein()
    longest_alone = max(length for length in range(LONGEST // 4, LONGEST) if fits_at_once(length, LONGEST))
    requests = (axis_request((5, length), storage=STORAGES["buffer"]) for length in itertools.count(longest_alone))
    of_bluestein = (each for each in requests if Rader().supports(each) is not None)
    for request, alone in zip(of_bluestein, (True, False), strict=False):
        assert family.supports(request) is None
        assert (len(family.parts(request)) == 1) is alone is (request.length == longest_alone)


@pytest.mark.parametrize(
    ("renderer", "storage", "parts"),
    [("a GPU", "rg32f", 1), ("a GPU", "rgba32f", 2), ("a GPU", "buffer", 2), ("llvmpipe", "buffer", 1)],
)
def test_a_long_line_that_has_short_parts_goes_in_them_where_that_is_faster(
    renderer: str, storage: str, parts: int
) -> None:
    on_it = {"device": replace(LEAST_DEVICE, renderer=renderer), "storage": STORAGES[storage]}
    assert len(Bluestein().parts(axis_request((5, 32 * 83), **on_it))) == parts
    assert len(Bluestein().parts(axis_request((5, 26 * 83), **on_it))) == (2 if storage == "rgba32f" else 1)
    assert len(Bluestein().parts(axis_request((5, 2 * 1531), **on_it))) == 1
    longer = [each.length for each in Bluestein().parts(axis_request((5, 24 * 257), **on_it))]
    assert longer == ([6168] if storage == "rg32f" else [257, 24]), "Rader's kernel pays in textures"


@pytest.mark.parametrize(("length", "direction"), [(61, -1), (118, +1), (401, -1)])
def test_the_kernel_predicted_to_be_the_fastest_transforms(ctx: moderngl.Context, length: int, direction: int) -> None:
    family = Bluestein()
    request = axis_request((3, length), direction=direction, device=GPU, algorithm="bluestein")
    found = family.predicted_fastest(request, DeviceConstants())
    assert found is not None
    assert found == family.predicted_fastest(replace(request, direction=-direction), DeviceConstants())
    assert family.fits(found[0], request)
    (spec,) = family.passes(replace(request, device=state_of(ctx).device), found[0])
    values, result = noise_transformed(ctx, spec)
    numpy_transform = np.fft.fft if direction < 0 else partial(np.fft.ifft, norm="forward")
    assert_close(result, numpy_transform(values.astype(np.complex128)), BLUESTEIN_DB)


def test_a_line_whose_convolution_fits_no_buffer_is_refused() -> None:
    told = Bluestein().supports(axis_request((1, 1_500_007), storage=STORAGES["buffer"]))
    assert told is not None
    assert told.endswith(f"the device can bind {LEAST_DEVICE.limits.buffer_bytes}")


def test_a_pass_transforms_its_own_length_with_a_kernel_of_another() -> None:
    family = Bluestein()
    for direction in (-1, +1):
        request = axis_request((3, 34), direction=direction)
        (part,) = family.parts(request)
        kernel = family.default(part)
        assert kernel.length == padded_length(34, LONGEST)
        assert family.fits(kernel, part)
        (spec,) = family.passes(part, kernel)
        assert spec.request == part
        assert spec.target_lines.shape == (3, 34)


def test_two_real_lines_are_a_complex_one() -> None:
    family = Bluestein()
    for direction, way in ((-1, "forward"), (+1, "inverse")):
        request = axis_request((7, 59), direction=direction, device=GPU, real_pairs=True)
        (part,) = family.parts(request)
        kernel = KernelConfig((9, 15), 9, 2)
        (spec,) = family.passes(part, kernel)
        assert spec.shader == f"fft/stockham_real_{way}.comp"
        assert spec.groups == (2, 1, 1)
        # Pairs take as long as so many complex lines.
        of_pairs = family.predicted_fastest(axis_request((4, 59), device=GPU), DeviceConstants())
        assert family.predicted_fastest(part, DeviceConstants()) == of_pairs


@pytest.mark.parametrize("direction", [-1, +1])
def test_a_real_line_alone_is_a_complex_one_of_half_as_many_points(direction: int) -> None:
    family = Bluestein()
    request = axis_request((7, 118), direction=direction, device=GPU, real=True)
    (part,) = family.parts(registry.in_halves(request))
    assert part.length == 59
    assert part.plain == axis_request((7, 59), device=GPU, algorithm="bluestein")
    assert part.points == part.plain.points
    assert family.predicted_fastest(part, DeviceConstants()) == family.predicted_fastest(part.plain, DeviceConstants())
    for kernel in (family.default(part), family.quick(part), *family.candidates(part, 3)):
        assert family.fits(kernel, part)
        (spec,) = family.passes(part, kernel)
        assert "real" in spec.shader
        assert spec.source_lines.shape == spec.target_lines.shape == (7, 118)


def test_a_kernel_too_short_for_the_convolution_fits_nowhere() -> None:
    family, request = Bluestein(), axis_request((3, 34))
    short = KernelConfig((8, 8), 8)
    assert not family.fits(short, request)
    assert family.fits(short, replace(request, shape=(3, 32)))
    fields = {"radices": [8, 8], "threads": 8}
    assert family.from_fields(fields, 32) == short
    with pytest.raises(ValueError, match="no kernel"):
        family.from_fields(fields, 34)


def test_real_lines_whose_parts_would_go_alone_are_halved() -> None:
    # 4596 = 12 x 383: the parts of 12 points come last and go alone; 2298 points are convolved in one dispatch.
    pairs = axis_request((6, 4596), device=GPU, algorithm="bluestein", real=True, real_pairs=True)
    forward, inverse = replace(pairs, direction=-1), replace(pairs, direction=1)
    halved = registry.in_halves(forward)
    assert halved.halved
    assert not halved.real_pairs
    assert len(Bluestein().parts(halved)) == 1
    assert registry.in_halves(inverse) == inverse, "pairs go together"
    on_cpu = replace(forward, device=replace(LEAST_DEVICE, renderer="llvmpipe"))
    assert registry.in_halves(on_cpu) == on_cpu
    odd = replace(forward, shape=(6, 4597))
    assert registry.in_halves(odd) == odd
