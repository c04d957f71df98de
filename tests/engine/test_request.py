"""Requests that make no sense, or that the device cannot do, are refused in one sentence."""

from __future__ import annotations

import gc
import math
import re
from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.kernels import PRODUCT
from support.pictures import ALGORITHMS, PING_PONG, run
from support.requests import LEAST_DEVICE
from support.sentences import assert_one_sentence

import glfft
from glfft.accuracy import random_complex
from glfft.algorithms.lengths import power_of_two_below
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.storage import STORAGES
from glfft.engine.plan_passes import plan_passes
from glfft.engine.request import CONVOLVE, FORWARD, INVERSE, PlanRequest
from glfft.errors import (
    AlgorithmError,
    GlfftError,
    LimitError,
    OptionError,
    ShapeError,
)
from glfft.gl.context import state_of
from glfft.gl.device import Device, Limits
from glfft.snippets import Snippet

buffers_only = pytest.mark.parametrize("name", [name for name, storage in STORAGES.items() if storage.buffer])


@pytest.mark.parametrize(
    ("kind", "options", "words"),
    [
        (ShapeError, {"layers": 0}, ("layers is 0", "at least 1")),
        (ShapeError, {"layers": -3}, ("layers is -3",)),
        (ShapeError, {"layers": 2.0}, ("layers is 2.0", "whole number")),
        (ShapeError, {"layers": True}, ("layers is True", "whole number")),
        (ShapeError, {"layers": "2"}, ("layers is '2'",)),
        (OptionError, {"storage": "rg32"}, ("'rg32'", "did you mean 'rg32f'")),
        (OptionError, {"storage": None}, ("storage is None", *STORAGES)),
    ],
    ids=str,
)
def test_layers_and_storages_that_make_no_sense(
    ctx: moderngl.Context, kind: type[Exception], options: dict[str, Any], words: tuple[str, ...]
) -> None:
    with pytest.raises(kind) as caught:
        glfft.Plan(ctx, (8, 8), **options)
    assert_one_sentence(str(caught.value))
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("name", ["rg32f", "rgba16f"])
def test_as_many_layers_as_an_array_can_have_and_no_more(ctx: moderngl.Context, name: str) -> None:
    most = ctx.info["GL_MAX_ARRAY_TEXTURE_LAYERS"]
    glfft.Plan(ctx, (1, 2), layers=most, storage=name).release()
    with pytest.raises(LimitError) as caught:
        glfft.Plan(ctx, (1, 2), layers=most + 1, storage=name)
    assert_one_sentence(str(caught.value))
    assert str(most) in str(caught.value)


def test_a_buffer_no_shader_could_reach_all_of_is_refused(ctx: moderngl.Context) -> None:
    most = ctx.info["GL_MAX_SHADER_STORAGE_BLOCK_SIZE"]
    layer = 8 * 1024 * 1024
    with pytest.raises(LimitError) as caught:
        glfft.Plan(ctx, (1024, 1024), layers=most // layer + 1, storage="buffer")
    assert_one_sentence(str(caught.value))
    assert str(most) in str(caught.value)


@buffers_only
def test_the_longest_line_of_a_buffer_is_bound_by_its_bytes(ctx: moderngl.Context, name: str) -> None:
    device, storage = state_of(ctx).device, STORAGES[name]
    longest = power_of_two_below(device.limits.buffer_bytes // storage.texel_bytes)
    PlanRequest.of((1, longest), storage=storage).check_limits(device)
    too_long = 2 * longest
    with pytest.raises(LimitError) as caught:
        glfft.Plan(ctx, (1, too_long), storage=name)
    assert_one_sentence(str(caught.value))
    for bytes_named in (too_long * storage.texel_bytes, device.limits.buffer_bytes):
        assert str(bytes_named) in str(caught.value)


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
    """Of a line, by a pass: what its radices multiply up to, unless these are of a convolution in its place."""
    points = math.prod(spec.radices)
    if "bluestein" not in spec.shader:
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
            points = each.request.length * int(dict(each.defines).get("LINES", 1))
            assert points % each.threads == 0, "the points of a work group's lines must split evenly among its threads"
    # A pass that goes there and back does both transforms of an axis.
    points = math.prod(
        points_transformed(each) ** (2 if each.request.inverse_scale is not None else 1)
        for each in passes
        if each.request.padded is None
    )
    # Those over padded lines do one transform of what the first of them reads.
    points *= math.prod(
        padded.whole.length for each in passes if (padded := each.request.padded) and padded.enters and not padded.first
    )
    assert points == 2 ** ((rows + columns) * (2 if direction == CONVOLVE else 1))


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


def test_real_is_true_or_false_and_shapes_are_checked(ctx: moderngl.Context) -> None:
    for given_value in (1, "yes", None):
        wrong: Any = given_value
        with pytest.raises(OptionError) as caught:
            glfft.Plan(ctx, (8, 8), real=wrong)
        assert_one_sentence(str(caught.value))
    with pytest.raises(ShapeError, match="columns must be at least 1"):
        glfft.Plan(ctx, (8, 0), real=True)


BAD_REQUESTS: list[tuple[type[GlfftError], Any, dict[str, Any], tuple[str, ...]]] = [
    (ShapeError, (0, 8), {}, ("(0, 8)", "at least 1")),
    (ShapeError, (8, -8), {}, ("-8", "columns", "at least 1")),
    (ShapeError, (0, 8), {"axes": (1,)}, ("rows", "at least 1")),
    (ShapeError, (8,), {}, ("(8,)", "(rows, columns)")),
    (ShapeError, (8, 8, 8, 8), {}, ("(8, 8, 8, 8)", "(depth, rows, columns)")),
    (ShapeError, (0, 8, 8), {}, ("planes", "at least 1")),
    (ShapeError, (8, 8, -1), {}, ("columns", "at least 1")),
    (ShapeError, (8, 8, 0.5), {}, ("0.5", "whole numbers")),
    (LimitError, (1 << 20, 8, 8), {}, ("1048576", "at most", "3-D textures", "planes")),
    (LimitError, (8, 8, 1 << 20), {"axes": (0,)}, ("1048576", "at most", "columns")),
    (LimitError, (1 << 10, 1 << 10, 1 << 10), {"storage": "buffer"}, ("8589934592 bytes", "at most")),
    (OptionError, (8, 8, 8), {"layers": 2}, ("layers is 2", "no arrays of 3-D textures", "storage='buffer'")),
    (ShapeError, (8, 8, 8), {"axes": (3,)}, ("(3,)", "axis 0 (lines through the planes)")),
    (ShapeError, (8, 8, 8), {"axes": (0, -3)}, ("once",)),
    (ShapeError, (8, 8, 8), {"axes": ()}, ("axes",)),
    (ShapeError, 8, {}, ("8", "(rows, columns)")),
    (ShapeError, (8.0, 8.0), {}, ("8.0", "whole numbers")),
    (ShapeError, "88", {}, ("88",)),
    (ShapeError, None, {}, ("None",)),
    (ShapeError, np.zeros((8, 8)), {}, ("array", "whole numbers")),
    (LimitError, (8, 1 << 20), {}, ("1048576", "at most")),
    (LimitError, (1 << 20, 8), {"axes": (1,)}, ("1048576", "at most", "rows")),
    (ShapeError, (8, 8), {"axes": ()}, ("axes",)),
    (ShapeError, (8, 8), {"axes": (2,)}, ("(2,)",)),
    (ShapeError, (8, 8), {"axes": (1, -1)}, ("once",)),
    (ShapeError, (8, 8), {"axes": 1}, ("axes is 1",)),
    (ShapeError, (8, 8), {"axes": (0.5,)}, ("axes",)),
    (AlgorithmError, (8, 8), {"algorithm": "stockham-radix3"}, ("stockham-radix3", "did you mean 'stockham-radix")),
    (AlgorithmError, (8, 8), {"algorithm": "Cooley-Tukey"}, ("did you mean 'cooley-tukey'",)),
    (AlgorithmError, (8, 8), {"algorithm": "?"}, ("choose one of", *ALGORITHMS, "'glfft info'")),
    (AlgorithmError, (8, 8), {"algorithm": None}, ("None",)),
    (AlgorithmError, (8, 8), {"algorithm": ["auto"]}, ("auto",)),
    (OptionError, (8, 8), {"norm": "ortho2"}, ("'ortho2'", "did you mean 'ortho'")),
    (OptionError, (8, 8), {"norm": 1}, ("norm is 1", "backward")),
    (OptionError, (8, 8), {"norm": np.ones((8, 8))}, ("norm is array", "backward")),
    (OptionError, (8, 8), {"norm": np.array("ortho")}, ("norm is array('ortho'", "backward")),
    (OptionError, (8, 8), {"storage": np.array(["buffer", "buffer"])}, ("storage is array", "rg32f")),
    (OptionError, (8, 8), {"twiddles": "tables"}, ("'tables'", "did you mean 'table'")),
]


@pytest.mark.parametrize(("kind", "shape", "options", "words"), BAD_REQUESTS, ids=lambda value: str(value)[:40])
def test_bad_requests(
    ctx: moderngl.Context, kind: type[GlfftError], shape: Any, options: dict[str, Any], words: tuple[str, ...]
) -> None:
    with pytest.raises(kind) as caught:
        glfft.Plan(ctx, shape, **options)
    assert_one_sentence(str(caught.value))
    for word in words:
        assert word in str(caught.value)


def test_a_failed_request_leaves_the_context_as_good_as_new(ctx: moderngl.Context) -> None:
    for _, shape, options, _ in BAD_REQUESTS:
        with pytest.raises(GlfftError):
            glfft.Plan(ctx, shape, **options)
    gc.collect()
    assert ctx.error == "GL_NO_ERROR"
    with glfft.Plan(ctx, (8, 8)) as plan:
        run(plan, random_complex((8, 8)))


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
