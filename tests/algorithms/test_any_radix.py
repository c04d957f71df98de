"""Stages of any radix: one program does all axes, in either direction, and plans have it while they compile others."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import moderngl
import pytest
from support.pictures import NUMPY, download, run, upload
from support.requests import LEAST_DEVICE, axis_request
from support.tolerances import assert_close

import glfft
from glfft.algorithms.any_radix import AnyRadix
from glfft.algorithms.registry import families_for
from glfft.algorithms.storage import STORAGES
from glfft.apps.signal_to_noise import random_complex
from glfft.engine.plan_passes import plan_passes
from glfft.engine.request import FORWARD, INVERSE, PlanRequest


@pytest.mark.parametrize("length", [2, 12, 16, 31, 77, 1080, 4096, 7 * 463])
def test_radices_make_up_the_length_and_are_primes_or_small(length: int) -> None:
    specs = AnyRadix().passes(axis_request((3, length), scale=0.25), None)
    uniforms: list[dict[str, Any]] = [dict(spec.uniforms) for spec in specs]
    radices = [each["glfft_radix"] for each in uniforms]
    assert math.prod(radices) == length
    assert len(radices) > 1  # a stage alone could not be in place; an interpreter of shaders may hide that
    assert all(radix <= 16 or all(radix % each for each in range(2, radix)) for radix in radices)
    assert [each["glfft_span"] for each in uniforms] == [math.prod(radices[:stage]) for stage in range(len(radices))]
    assert math.prod(dict(spec.defines)["SCALE"] for spec in specs) == pytest.approx(0.25)


@pytest.mark.parametrize("shape", [(7, 30), (37, 22), (1, 17), (13, 1)])
@pytest.mark.parametrize("direction", ["forward", "inverse"])
def test_pictures_of_any_size_agree_with_float64_numpy_in_place_too(
    ctx: moderngl.Context, shape: tuple[int, int], direction: str
) -> None:
    array = random_complex(shape)
    with glfft.Plan(ctx, shape, algorithm="any-radix-stages") as plan:
        assert_close(run(plan, array, direction), NUMPY[direction](array))
        image = upload(ctx, array)
        getattr(plan, direction)(image, image)
        assert_close(download(image), NUMPY[direction](array))
        image.release()


@pytest.mark.parametrize(
    ("given", "programs"),
    [
        ({"shape": (1080, 1920)}, 1),
        ({"shape": (1021, 997), "storage": "buffer"}, 1),
        ({"shape": (20, 30, 40)}, 1),
        ({"shape": (512, 512), "layers": 4, "storage": "rgba32f"}, 1),
        ({"shape": (480, 640), "real": True}, 1),
        # In buffers, and in texels of two numbers, both ends of real lines have programs of their own.
        ({"shape": (480, 640), "real": True, "storage": "buffer"}, 6),
        ({"shape": (480, 640), "real": True, "storage": "rgba32f"}, 5),
    ],
    ids=str,
)
def test_where_a_gpu_compiles_few_programs_at_first(given: dict[str, Any], programs: int) -> None:
    request = replace(PlanRequest.of(**given), quick=True)
    specs = [spec for direction in (FORWARD, INVERSE) for spec in plan_passes(request, direction, LEAST_DEVICE)]
    assert {spec.shader for spec in specs} == {"fft/any_radix.comp"}
    assert len({spec.source.text for spec in specs}) == programs


def test_first_runs_take_no_larger_images_than_others() -> None:
    # Complex lines for these real ones would be longer than such a device's 3-D textures.
    device = replace(LEAST_DEVICE, limits=replace(LEAST_DEVICE.limits, texture_3d_size=2048))
    request = PlanRequest.of((4, 4, 1500), (2,), kind="dct1")
    for quick in (False, True):
        (spec,) = plan_passes(replace(request, quick=quick), FORWARD, device)
        assert spec.shader == "fft/stockham_trigonometric.comp"


def test_a_prime_of_a_large_picture_is_left_to_others() -> None:
    few, many = (axis_request((lines, 65537), storage=STORAGES["buffer"], quick=True) for lines in (2, 32))
    assert AnyRadix().supports(few) is None
    assert AnyRadix().supports(many) == "smaller prime factors"
    assert [families_for(each)[0].name for each in (few, many)] == ["any-radix-stages", "bluestein"]


def test_a_cpu_has_other_small_programs_and_plans_that_wait_have_the_fastest() -> None:
    quick = axis_request((4, 60), quick=True)
    cpu = replace(quick, device=replace(quick.device, renderer="llvmpipe"))
    names = [families_for(each)[0].name for each in (quick, cpu, replace(quick, quick=False))]
    assert names == ["any-radix-stages", "stockham", "stockham"]
