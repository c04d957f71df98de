"""Passes fit the device they are made for, whatever its limits."""

from __future__ import annotations

import math

import moderngl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import images
from support.images import random_values
from support.kernels import PRODUCT, restrict_device
from support.pictures import ALGORITHMS, run
from support.tolerances import assert_close

import glfft
from glfft.accuracy import random_complex
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.storage import STORAGES
from glfft.engine.request import CONVOLVE, FORWARD, INVERSE, PlanRequest
from glfft.errors import LimitError
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
    request = PlanRequest((2**rows, 2**columns), algorithm=algorithm, multiply=Snippet(PRODUCT), real=real)
    try:
        passes = request.passes(direction, Device(limits))
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
        points_transformed(each) ** (2 if each.request.inverse_scale is not None else 1) for each in passes
    )
    assert points == 2 ** ((rows + columns) * (2 if direction == CONVOLVE else 1))


@pytest.mark.parametrize("invocations", [96, 64])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_few_threads_do_the_work_of_many(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, algorithm: str, invocations: int
) -> None:
    restrict_device(ctx, monkeypatch, invocations=invocations)
    array = random_complex((16, 512))
    with glfft.Plan(ctx, (16, 512), algorithm=algorithm) as plan:
        assert_close(run(plan, array), np.fft.fft2(array.astype(np.complex128)))


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
    assert PlanRequest((64, 64), norm=norm).scale(direction) == factor


@pytest.mark.parametrize("storage", ["rg32f", "rgba32f", "buffer"])
@pytest.mark.parametrize("layers", [None, 3])
@pytest.mark.parametrize(("shape", "axis"), [((6, 512), 1), ((512, 6), 0), ((1, 256), 1), ((2048, 1), 0)], ids=str)
def test_lines_too_long_for_a_work_group_go_in_parts(
    ctx: moderngl.Context,
    monkeypatch: pytest.MonkeyPatch,
    shape: tuple[int, int],
    axis: int,
    layers: int | None,
    storage: str,
) -> None:
    restrict_device(ctx, monkeypatch, shared_memory=512)
    with glfft.Plan(ctx, shape, axes=(axis,), layers=layers, storage=storage, algorithm="stockham") as plan:
        assert plan.dispatches == 2
        values = random_values(STORAGES[storage], shape, layers)
        wide = values.astype(np.complex128)
        assert_close(images.run(plan, values), np.fft.fft(wide, axis=2 + axis))
        assert_close(images.run(plan, values, "inverse"), np.fft.ifft(wide, axis=2 + axis))


def test_more_groups_than_fit_in_a_row(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    restrict_device(ctx, monkeypatch, group_count=(2, 65535, 65535))
    array = random_complex((300, 16))
    with glfft.Plan(ctx, array.shape, axes=(1,), algorithm="stockham") as plan:
        assert_close(run(plan, array), np.fft.fft(array.astype(np.complex128)))
