"""Blocks of snippets: which bindings are theirs, and what is said of the others."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest
from support.images import random_values, release, run
from support.sentences import refused
from support.snippets import RG32F, SHAPE, texture, transform
from support.tolerances import assert_close

import glfft
from glfft.algorithms.storage import STORAGES
from glfft.errors import ShaderError
from glfft.gl.bindings import TARGET_IMAGE_UNIT, source_texture_unit
from glfft.gl.context import state_of

READ = "value load(ivec3 at) { return weights[at.x] * read_source(at); }"


def block(binding: int, name: str = "Weights") -> str:
    """A load snippet that multiplies by the numbers of a storage buffer."""
    return f"layout(std430, binding = {binding}) readonly buffer {name} {{ float weights[]; }};\n{READ}"


@pytest.mark.parametrize(("storage", "binding"), [("rg32f", 0), ("rg32f", 4), ("buffer", 4), ("buffer", 3)])
def test_the_caller_s_buffers_are_read(ctx: moderngl.Context, storage: str, binding: int) -> None:
    """In each run, whatever the passes after the first bind."""
    values = random_values(STORAGES[storage], SHAPE, None)
    weights = np.random.default_rng(3).standard_normal(SHAPE[1]).astype(np.float32)
    buffer = ctx.buffer(weights.tobytes())
    buffer.bind_to_storage_buffer(binding)
    with glfft.Plan(ctx, SHAPE, storage=storage, load=block(binding)) as plan:
        for _ in range(2):
            assert_close(run(plan, values), transform(weights * values.astype(np.complex128)))
    release(buffer)


TAKEN = [
    ("rg32f", block(5), "'Weights' of a snippet is at storage buffer binding 5"),
    # Source and target are no buffers here, but other plans' are, and long lines go through one.
    ("rg32f", block(6, "Source"), "'Source' of a snippet is at storage buffer binding 6"),
    ("rg32f", block(7, "Target"), "give it one of 0 to 4, or from 8 on"),
    ("buffer", block(5), "binding 5"),
    ("buffer", block(6), "binding 6"),
    ("buffer", block(7), "binding 7"),
    (
        "rg32f",
        "layout(std430, binding = 4) readonly buffer Weights { float weights[]; } many[2];\n"
        "value load(ivec3 at) { return many[0].weights[0] * many[1].weights[at.x] * read_source(at); }",
        "'Weights' of a snippet is at storage buffer binding 5",
    ),
]


@pytest.mark.parametrize(("storage", "load", "words"), TAKEN)
def test_a_binding_of_the_plans_is_refused(ctx: moderngl.Context, storage: str, load: str, words: str) -> None:
    with refused(ShaderError) as caught:
        glfft.Plan(ctx, SHAPE, storage=storage, load=load)
    assert words in str(caught.value)


def test_in_the_last_pass_and_the_product_too(ctx: moderngl.Context) -> None:
    declared = "layout(std430, binding = 5) readonly buffer Weights { float weights[]; };\n"
    store = declared + "void store(ivec3 at, value result) { write_target(at, weights[at.x] * result); }"
    multiply = declared + "value product(ivec3 at, value spectrum) { return weights[at.x] * spectrum; }"
    for given in ({"store": store}, {"multiply": multiply}):
        with pytest.raises(ShaderError, match="'Weights' of a snippet"):
            glfft.Plan(ctx, SHAPE, **given)  # pyright: ignore[reportArgumentType]


def test_samplers_and_images_at_units_of_the_plans_are_moved(ctx: moderngl.Context) -> None:
    unit = source_texture_unit(state_of(ctx).limits)
    load = (
        f"layout(binding = {unit}) uniform sampler2D window;\n"
        "value load(ivec3 at) { return texelFetch(window, at.xy, 0).r * read_source(at); }"
    )
    store = (
        f"layout(binding = {TARGET_IMAGE_UNIT}, r32f) writeonly uniform image2D power;\n"
        "void store(ivec3 at, value v) { imageStore(power, at.xy, vec4(dot(v, v))); write_target(at, v); }"
    )
    values = random_values(RG32F, SHAPE, None)
    window = np.random.default_rng(4).standard_normal(SHAPE).astype(np.float32)
    given = {"window": texture(ctx, window), "power": texture(ctx, np.zeros(SHAPE))}
    exact = transform(values.astype(np.complex128) * window)
    with glfft.Plan(ctx, SHAPE, load=load, store=store) as plan:
        plan.set_uniforms(**given)
        assert_close(run(plan, values), exact)
    power = np.frombuffer(given["power"].read(), np.float32).reshape(SHAPE)
    assert_close(power + 0j, np.abs(exact[0, 0]) ** 2, 120.0)
    release(*given.values())
