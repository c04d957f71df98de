"""Requests are data that fit together, and what a device has no room for is refused in one sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import pytest
from support.sentences import refused

import glfft
from glfft.algorithms.lengths import power_of_two_below
from glfft.algorithms.storage import STORAGES
from glfft.engine.request import CONVOLVE, FORWARD, INVERSE, PlanRequest
from glfft.errors import (
    LimitError,
    OptionError,
)
from glfft.gl.context import state_of
from glfft.snippets import Snippet

buffers_only = pytest.mark.parametrize("name", [name for name, storage in STORAGES.items() if storage.buffer])


@pytest.mark.parametrize("name", ["rg32f", "rgba16f"])
def test_as_many_layers_as_an_array_can_have_and_no_more(ctx: moderngl.Context, name: str) -> None:
    most = ctx.info["GL_MAX_ARRAY_TEXTURE_LAYERS"]
    glfft.Plan(ctx, (1, 2), layers=most, storage=name).release()
    with refused(LimitError) as caught:
        glfft.Plan(ctx, (1, 2), layers=most + 1, storage=name)
    assert str(most) in str(caught.value)


def test_a_buffer_no_shader_could_reach_all_of_is_refused(ctx: moderngl.Context) -> None:
    most = ctx.info["GL_MAX_SHADER_STORAGE_BLOCK_SIZE"]
    layer = 8 * 1024 * 1024
    with refused(LimitError) as caught:
        glfft.Plan(ctx, (1024, 1024), layers=most // layer + 1, storage="buffer")
    assert str(most) in str(caught.value)


@buffers_only
def test_the_longest_line_of_a_buffer_is_bound_by_its_bytes(ctx: moderngl.Context, name: str) -> None:
    device, storage = state_of(ctx).device, STORAGES[name]
    longest = power_of_two_below(device.limits.buffer_bytes // storage.texel_bytes)
    PlanRequest.of((1, longest), storage=storage).check_limits(device)
    too_long = 2 * longest
    with refused(LimitError) as caught:
        glfft.Plan(ctx, (1, too_long), storage=name)
    for bytes_named in (too_long * storage.texel_bytes, device.limits.buffer_bytes):
        assert str(bytes_named) in str(caught.value)


@pytest.mark.parametrize(
    ("norm", "direction", "factor"),
    [
        ("backward", FORWARD, 1.0),
        ("backward", INVERSE, 2.0**-12),
        ("forward", FORWARD, 2.0**-12),
        ("forward", INVERSE, 1.0),
        ("ortho", FORWARD, 2.0**-6),
        ("ortho", INVERSE, 2.0**-6),
    ],
)
def test_the_factor_of_a_norm(norm: str, direction: int, factor: float) -> None:
    assert PlanRequest.of((64, 64), norm=norm).scale(direction) == factor


def test_a_request_can_be_replaced_in_part() -> None:
    request = PlanRequest.of((8, 6), storage="buffer", norm=None)
    assert replace(request, norm="ortho") == PlanRequest.of((8, 6), storage="buffer", norm="ortho")
    of_a_kind = PlanRequest.of((8, 6), kind="dct2", norm="ortho")
    assert of_a_kind.orthogonalize
    assert replace(of_a_kind, shape=(4, 6)) == PlanRequest.of((4, 6), kind="dct2", norm="ortho")
    with pytest.raises(OptionError, match="leave out real=True"):
        replace(of_a_kind, real=True)


def test_the_fields_of_a_request_have_their_types() -> None:
    shape: Any = np.array([8, 6])
    request = PlanRequest.of(shape, [-1], storage="buffer", load="value load(ivec3 at) { return value(1.0); }")
    assert request.shape == (8, 6)
    assert all(type(length) is int for length in request.shape)
    assert request.axes == (1,)
    assert request.storage is STORAGES["buffer"]
    assert isinstance(request.load, Snippet)
    assert request.orthogonalize is False


def test_the_ends_of_a_direction() -> None:
    reals = STORAGES["rg32f"].of_reals
    picture, spectrum = ((4, 6), reals), ((4, 4), STORAGES["rg32f"])
    real = PlanRequest.of((4, 6), real=True)
    assert [real.ends(each) for each in (FORWARD, INVERSE, CONVOLVE)] == [
        (picture, spectrum),
        (spectrum, picture),
        (picture, picture),
    ]
    assert PlanRequest.of((4, 6), kind="dct2").ends(FORWARD) == (picture, picture)
    whole = ((4, 6), STORAGES["rg32f"])
    assert PlanRequest.of((4, 6)).ends(INVERSE) == (whole, whole)
