"""The passes of a plan fit the device, and the caller's load is in the first of them."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import moderngl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.kernels import PRODUCT
from support.pictures import ALGORITHMS, PING_PONG
from support.requests import LEAST_DEVICE
from support.sentences import assert_one_sentence

from glfft.algorithms.passes import PassSpec
from glfft.engine.plan_passes import plan_passes
from glfft.engine.request import CONVOLVE, FORWARD, INVERSE, PlanRequest
from glfft.errors import (
    LimitError,
)
from glfft.gl.context import state_of
from glfft.gl.device import Device, Limits
from glfft.snippets import Snippet

# Invocations and shared memory as drivers report them, the odd ones included.
limits = st.builds(
    Limits,
    texture_size=st.sampled_from([16384, 32768]),
    shared_memory=st.sampled_from([32768, 49152, 65536, 101376]),
    invocations=st.sampled_from([896, 1024, 1536, 2048]),
    group_size=st.sampled_from([(1024, 1024, 64), (1536, 1024, 64), (896, 896, 64)]),
    group_count=st.just((65535, 65535, 65535)),
    image_units=st.just(8),
    texture_units=st.sampled_from([16, 32, 192]),
)


def points_transformed(spec: PassSpec) -> int:
    """Those of a line: what the pass's radices multiply up to, unless these are of a convolution in its place."""
    points = math.prod(spec.radices)
    if not dict(spec.defines).get("BLUESTEIN"):
        return points
    assert points >= 2 * spec.request.length - 1
    return spec.request.length


@given(
    limits=limits,
    algorithm=st.sampled_from(ALGORITHMS),
    rows=st.integers(0, 14),
    columns=st.integers(0, 14),
    direction=st.sampled_from([FORWARD, INVERSE, CONVOLVE]),
    real=st.booleans(),
)
def test_every_pass_fits_the_device(
    limits: Limits, algorithm: str, rows: int, columns: int, direction: int, real: bool
) -> None:
    request = PlanRequest.of((2**rows, 2**columns), algorithm=algorithm, multiply=Snippet(PRODUCT), real=real)
    try:
        passes = plan_passes(request, direction, Device(limits))
    except LimitError:
        assert algorithm != "auto"
        return
    for each in passes:
        assert 1 <= each.threads <= limits.invocations
        assert each.threads <= math.prod(limits.group_size)
        assert each.shared_bytes <= limits.shared_memory
        assert all(1 <= count <= most for count, most in zip(each.groups, limits.group_count, strict=True))
        if each.shared_bytes:
            assert each.threads <= limits.group_size[0]
            length = math.prod(each.request.shape) if each.request.both_axes else each.request.length
            points = length * int(dict(each.defines).get("LINES", 1))
            assert points % each.threads == 0, "the points of a work group's lines must split evenly among its threads"
    # A pass that goes there and back does both transforms of an axis, and one may do both axes.
    points = math.prod(
        points_transformed(each) ** (1 + (each.request.inverse_scale is not None))
        for each in passes
        if each.request.padded is None
    )
    # Those over padded lines do one transform of what the first of them reads.
    points *= math.prod(
        padded.whole.length for each in passes if (padded := each.request.padded) and padded.enters and not padded.first
    )
    assert points == 2 ** ((rows + columns) * (2 if direction == CONVOLVE else 1))


def with_little_shared_memory(ctx: moderngl.Context) -> Device:
    device = state_of(ctx).device
    return replace(device, limits=replace(device.limits, shared_memory=8192))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_line_too_long_for_a_work_group_names_limit_need_and_way_out(ctx: moderngl.Context, algorithm: str) -> None:
    device = with_little_shared_memory(ctx)
    request = PlanRequest.of((2, 4096), (1,), algorithm)
    try:
        assert plan_passes(request, FORWARD, device)
        return
    except LimitError as error:
        message = str(error)
    assert_one_sentence(message)
    # What Bluestein's algorithm needs is two transforms of another length.
    needs = {"bluestein": ("at most",), **dict.fromkeys(PING_PONG, ("2048 invocations", "1024"))}
    for word in (algorithm, "4096 points", *needs.get(algorithm, ("32768 bytes", "8192"))):
        assert word in message
    advised = re.search(r"algorithm='([^']+)' works", message)
    assert advised
    assert plan_passes(PlanRequest.of((2, 4096), (1,), advised[1]), FORWARD, device)


def test_a_short_line_fits_whatever_algorithm(ctx: moderngl.Context) -> None:
    for algorithm in ALGORITHMS:
        assert plan_passes(PlanRequest.of((2, 256), (1,), algorithm), FORWARD, with_little_shared_memory(ctx))


def test_only_the_first_pass_loads_what_a_snippet_computes() -> None:
    computes = PlanRequest.of((64, 32), load=Snippet("value load(ivec3 at) { return value(1.0); }"))
    convolves = PlanRequest.of((64, 32), load=computes.load, multiply=Snippet(PRODUCT))
    for wanted, direction in ((computes, FORWARD), (computes, INVERSE), (convolves, CONVOLVE)):
        first, *others = plan_passes(wanted, direction, LEAST_DEVICE)
        assert first.request.loads_computed
        assert others
        assert not any(spec.request.loads_computed for spec in others)
    assert not any(spec.request.loads_computed for spec in plan_passes(PlanRequest.of((64, 32)), FORWARD, LEAST_DEVICE))
    # A line in parts, and a line that is convolved in its only pass.
    small = replace(LEAST_DEVICE, limits=replace(LEAST_DEVICE.limits, shared_memory=8192))
    parts = plan_passes(PlanRequest.of((2, 4096), (1,), load=computes.load), FORWARD, small)
    assert [spec.request.loads_computed for spec in parts] == [True, False]
    (whole,) = plan_passes(
        PlanRequest.of((2, 64), (1,), load=computes.load, multiply=Snippet(PRODUCT)), CONVOLVE, LEAST_DEVICE
    )
    assert whole.request.loads_computed
