"""Pipelines: what a pass reads is made visible the way it reads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import pytest
from support.kernels import request
from support.pictures import blank, download, upload
from support.profiling import Recorder
from support.requests import LEAST_DEVICE
from support.sentences import refused
from support.tolerances import assert_close
from support.wisdom import LIMITS

import glfft
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.stockham.kernel import kernel_pass
from glfft.algorithms.storage import STORAGES
from glfft.apps.signal_to_noise import random_complex
from glfft.engine import pipeline
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.images import ImageSpec
from glfft.engine.pipeline import Pipeline
from glfft.engine.plan_passes import plan_passes, through_buffers
from glfft.engine.request import FORWARD, PlanRequest
from glfft.engine.snippet_uniforms import SnippetUniforms
from glfft.errors import OptionError, TextureError
from glfft.gl.barriers import SHADER_IMAGE_ACCESS_BARRIER, SHADER_STORAGE_BARRIER, TEXTURE_FETCH_BARRIER
from glfft.gl.context import functions_of, is_software, state_of
from glfft.gl.device import Device
from glfft.gl.textures import fill


@pytest.mark.parametrize(
    ("storage", "image_loads", "barrier", "before"),
    [
        ("rg32f", False, TEXTURE_FETCH_BARRIER, 0),
        # Callers are told of the barrier for fetches only.
        ("rg32f", True, SHADER_IMAGE_ACCESS_BARRIER, SHADER_IMAGE_ACCESS_BARRIER),
        # They are told of none for buffers.
        ("buffer", True, TEXTURE_FETCH_BARRIER, TEXTURE_FETCH_BARRIER),
        ("buffer_double", True, SHADER_STORAGE_BARRIER, SHADER_STORAGE_BARRIER),
    ],
)
def test_what_a_pass_reads_is_made_visible_the_way_it_reads(
    ctx: moderngl.Context, storage: str, image_loads: bool, barrier: int, before: int
) -> None:
    kernel = KernelConfig((4, 2), 2, image_loads=image_loads)
    wanted = request(state_of(ctx).limits, kernel, STORAGES[storage], axis=1, lines=3)
    spec = kernel_pass(wanted, kernel)
    assert ("imageLoad" in spec.source.text) == (barrier == SHADER_IMAGE_ACCESS_BARRIER)
    images = ImageSpec(ctx, wanted.shape, None, wanted.storage)
    passes = [CompiledPass(ctx, each) for each in (spec, spec.backwards)]
    pipeline = Pipeline(passes, (images, images), SnippetUniforms(ctx, []), moves_texels=False)
    assert pipeline.barriers == (barrier,)
    assert pipeline.barrier_before == before


def test_one_pass_neither_stores_where_snippets_read_nor_reads_where_they_store(ctx: moderngl.Context) -> None:
    # Work groups would read what others have stored already.
    load = "uniform sampler2D seen; value load(ivec3 at) { return texelFetch(seen, at.yx, 0).xy; }"
    store = """layout(rg32f) writeonly uniform image2D made;
        void store(ivec3 at, value result) { imageStore(made, at.yx, vec4(result, 0, 0)); }"""
    one, other, third = (ctx.texture((8, 8), 2, bytes(512), dtype="f4") for _ in range(3))
    with glfft.Plan(ctx, (8, 8), axes=(1,), load=load, directions="forward") as plan:
        plan.set_uniforms(seen=one)
        with refused(TextureError, "one-pass plan", "in place"):
            plan.forward(None, one)
        plan.forward(None, other)
        plan.forward(one, other)  # which only reads it
    with glfft.Plan(ctx, (8, 8), axes=(1,), store=store, directions="forward") as plan:
        plan.set_uniforms(made=one)
        with refused(TextureError, "one-pass plan", "in place"):
            plan.forward(one, None)
        plan.forward(other, None)
    # Snippets that do without source and target answer for themselves, as a convolution in place does.
    with glfft.Plan(ctx, (8, 8), axes=(1,), load=load, store=store, directions="forward") as plan:
        plan.set_uniforms(seen=one, made=third)
        plan.forward(None, None)
    with glfft.Plan(ctx, (8, 8), load=load, algorithm="stockham-radix4", directions="forward") as plan:
        plan.set_uniforms(seen=one)
        plan.forward(None, one)
    for each in (one, other, third):
        each.release()


def test_a_profiler_is_looked_at_before_anything_runs(ctx: moderngl.Context) -> None:
    texture, word = ctx.texture((8, 8), 2, bytes(512), dtype="f4"), "x"
    profiler: Any = word
    with glfft.Plan(ctx, (8, 8)) as plan, refused(OptionError, "profiler is 'x' and must be a glfft.Profiler"):
        plan.forward(texture, texture, profiler=profiler)
    texture.release()


def test_images_between_stages_are_parted_from_what_used_them_before(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (8, 16), algorithm="ping-pong-cooley-tukey") as plan:
        specs = plan_passes(plan.request, FORWARD, state_of(ctx).device)
    images = ImageSpec(ctx, (8, 16), None, STORAGES["rg32f"])
    passes = [CompiledPass(ctx, spec) for spec in specs]
    pipeline = Pipeline(passes, (images, images), SnippetUniforms(ctx, []), moves_texels=False)
    assert pipeline.barrier_before == SHADER_IMAGE_ACCESS_BARRIER
    assert pipeline.barriers == (TEXTURE_FETCH_BARRIER | SHADER_IMAGE_ACCESS_BARRIER,)


@pytest.mark.parametrize(
    ("storage", "texels", "barrier"),
    [
        ("buffer", 24, TEXTURE_FETCH_BARRIER),
        ("buffer_pairs", 24, TEXTURE_FETCH_BARRIER),
        # One texel more than a buffer texture may have.
        ("buffer", 23, SHADER_STORAGE_BARRIER),
        # No texel holds float64.
        ("buffer_double", 24, SHADER_STORAGE_BARRIER),
    ],
)
def test_passes_fetch_from_buffers(storage: str, texels: int, barrier: int) -> None:
    kernel = KernelConfig((4, 2), 2)
    limits = replace(LEAST_DEVICE.limits, buffer_texels=texels)
    spec = kernel_pass(request(limits, kernel, STORAGES[storage], axis=1, lines=3), kernel)
    assert spec.bindings.source.barrier == barrier
    assert ("samplerBuffer" in spec.source.text) == (barrier == TEXTURE_FETCH_BARRIER)
    layered = replace(spec, request=replace(spec.request, layers=2))  # twice as many texels
    assert layered.bindings.source.barrier == SHADER_STORAGE_BARRIER
    large = replace(spec.request, shape=(4096, 2049), axis=0)
    along_rows = replace(spec.request, shape=(4096, 2049), device=Device(replace(limits, buffer_texels=1 << 27)))
    assert replace(spec, request=along_rows).bindings.source.barrier == (
        SHADER_STORAGE_BARRIER if storage == "buffer_double" else TEXTURE_FETCH_BARRIER
    )
    # Far apart in more than 64 MiB.
    assert (
        replace(spec, request=replace(large, device=along_rows.device)).bindings.source.barrier
        == SHADER_STORAGE_BARRIER
    )


def test_a_product_does_not_read_elsewhere_what_one_pass_stores(ctx: moderngl.Context) -> None:
    """On no device, though not all would store into the texture itself; glfft's own product reads at its place."""
    product = "uniform sampler2D f; value product(ivec3 at, value v) { return v * texelFetch(f, at.yx, 0).x; }"
    source, target = (ctx.texture((8, 8), 2, dtype="f4") for _ in range(2))
    options: dict[str, Any] = {"axes": (1,), "directions": ["convolve"]}
    with glfft.Plan(ctx, (8, 8), multiply=product, **options) as plan:
        plan.set_uniforms(f=target)
        with refused(TextureError, "one-pass plan", "in place"):
            plan.convolve(source, target)
        plan.convolve(target, source)
    with glfft.Plan(ctx, (8, 8), multiply=glfft.snippets.multiply_by_texture(), **options) as plan:
        plan.set_uniforms(factor=target)
        plan.convolve(source, target)


def test_runs_do_not_depend_on_how_the_caller_copies_texels(ctx: moderngl.Context) -> None:
    """Targets are filled by a copy on software renderers; the caller's layout of copies is not the buffer's."""
    gl, unpack = functions_of(ctx), {0x0CF2: 5, 0x0CF3: 1, 0x0CF4: 2, 0x0CF5: 8, 0x0D05: 2}
    array = random_complex((6, 7))
    source, target = upload(ctx, array), blank(ctx, array.shape)
    with glfft.Plan(ctx, array.shape) as plan:
        before = {name: gl.integer(name) for name in unpack}
        for name, value in unpack.items():
            gl.glPixelStorei(name, value)
        plan.forward(source, target)
        assert {name: gl.integer(name) for name in unpack} == unpack
        for name, value in before.items():
            gl.glPixelStorei(name, value)
        assert_close(download(target), np.fft.fft2(array))


def test_buffers_between_passes_hold_whole_pictures_or_are_none() -> None:
    """Also where a pass does some lines at a time, whose buffer holds fewer points."""
    request = PlanRequest.of((1870, 9001), axes=(1,))
    least = replace(LIMITS, texture_size=16384)
    for size, some in ((8 * 1870 * 9001, True), (8 * 1870 * 9001 - 1, False)):
        device = Device(replace(least, buffer_bytes=size), "llvmpipe")
        passes = through_buffers(request, plan_passes(request, FORWARD, device), device)
        assert any(each.writes_buffer for each in passes) == some


def test_a_profiler_times_the_copy_into_the_target_too(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """On software renderers it is part of the last pass, as otherwise it would be in no section."""
    recorder, filled_in = Recorder(), list[str]()

    def recorded(*args: Any) -> None:
        filled_in.append(recorder.path)
        fill(*args)

    monkeypatch.setattr(pipeline, "fill", recorded)
    array = random_complex((6, 7))
    source, target = upload(ctx, array), blank(ctx, array.shape)
    with glfft.Plan(ctx, array.shape, algorithm="stockham") as plan:
        plan.forward(source, target, profiler=recorder)
    assert filled_in == (["columns"] if is_software(ctx) else [])
    assert list(recorder.seen) == ["rows", "columns"]
    assert_close(download(target), np.fft.fft2(array))
