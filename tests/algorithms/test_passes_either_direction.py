"""A pass whose direction, scale and order of groups are uniforms does what the pass with constants does."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
import pytest
from support import images
from support.images import random_values
from support.requests import LEAST_DEVICE
from support.tolerances import assert_close

from glfft.algorithms.passes import PassSpec, in_either_direction
from glfft.algorithms.storage import STORAGES
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.plan_passes import plan_passes
from glfft.engine.request import FORWARD, INVERSE, PlanRequest
from glfft.gl.context import state_of
from glfft.snippets import Snippet

SHAPE = (5, 16)
CPU = replace(LEAST_DEVICE, renderer="llvmpipe (LLVM 15.0.6, 256 bits)")


def texts(algorithm: str, norm: str, **options: object) -> set[str]:
    """The texts of all passes of a plan in both directions, on a CPU."""
    wanted = PlanRequest.of((16, 32), algorithm=algorithm, norm=norm, **options)  # pyright: ignore[reportArgumentType]
    return {each.source.text for way in (FORWARD, INVERSE) for each in plan_passes(wanted, way, CPU)}


@pytest.mark.parametrize("algorithm", ["stockham", "cooley-tukey", "ping-pong-stockham-radix2", "bluestein"])
def test_both_directions_and_all_norms_share_a_program_an_axis(algorithm: str) -> None:
    assert len(texts(algorithm, "backward") | texts(algorithm, "ortho")) == 2


def test_a_gpu_has_constants() -> None:
    wanted = PlanRequest.of((16, 32), algorithm="stockham")
    for way in (FORWARD, INVERSE):
        for each in plan_passes(wanted, way, LEAST_DEVICE):
            assert f"#define DIRECTION {way}" in each.source.text
            assert "glfft_inverse" not in each.source.text


def test_real_lines_have_a_program_for_all_norms_in_each_direction() -> None:
    assert len(texts("stockham", "backward", real=True) | texts("stockham", "ortho", real=True)) == 3


def test_passes_with_snippets_are_left_as_they_are() -> None:
    wanted = PlanRequest.of(
        (16, 32), (1,), "stockham", load=Snippet("value load(ivec3 at) { return read_source(at); }")
    )
    for way in (FORWARD, INVERSE):
        for each in plan_passes(wanted, way, LEAST_DEVICE):
            assert in_either_direction(each) == each


@pytest.mark.parametrize("way", [FORWARD, INVERSE], ids=["forward", "inverse"])
@pytest.mark.parametrize(
    ("algorithm", "name", "backwards"),
    [
        ("stockham", "rg32f", False),
        ("stockham", "rgba32f", True),
        ("stockham", "buffer", True),
        ("stockham", "buffer_double", False),
        ("cooley-tukey", "rgba32f", False),
        ("bluestein", "rg32f", True),
    ],
)
def test_constants_and_uniforms_give_the_transform(
    ctx: moderngl.Context, algorithm: str, name: str, backwards: bool, way: int
) -> None:
    storage = STORAGES[name]
    device = replace(state_of(ctx).device, renderer="")
    (spec,) = plan_passes(PlanRequest.of(SHAPE, (1,), algorithm, "ortho", storage=storage), way, device)
    spec = spec.backwards if backwards else spec
    either = in_either_direction(spec)
    assert either.source.text != spec.source.text
    values = random_values(storage, SHAPE, None)
    exact = (np.fft.fft if way == FORWARD else np.fft.ifft)(values.astype(np.complex128), norm="ortho")
    for each in (spec, either):
        assert_close(_result(ctx, each, values), exact)


def _result(ctx: moderngl.Context, spec: PassSpec, values: np.ndarray) -> np.ndarray:
    storage = spec.source_storage
    source, target = images.upload(ctx, values, storage, None), images.blank(ctx, SHAPE, storage, None)
    try:
        CompiledPass(ctx, spec).run(source, target)
        ctx.memory_barrier()
        return images.download(target, storage, SHAPE, None)
    finally:
        images.release(source, target)
