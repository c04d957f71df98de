"""A run leaves the caller's GL state alone, but for what `Plan` documents."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import pytest
from support.pictures import ALGORITHMS, PING_PONG, blank, download, run, upload
from support.tolerances import assert_close

import glfft
from glfft.algorithms import registry
from glfft.apps.signal_to_noise import random_complex
from glfft.engine.compiled_pass import CompiledPass
from glfft.gl.bindings import (
    SOURCE_IMAGE_UNIT,
    TARGET_IMAGE_UNIT,
    TWIDDLE_BUFFER_BINDING,
    source_texture_unit,
    twiddle_texture_unit,
)
from glfft.gl.context import state_of
from glfft.gl.functions import load_function
from glfft.wisdom import store

SHAPE = (8, 16)

CAPABILITIES = {
    "blend": 0x0BE2,
    "cull face": 0x0B44,
    "depth test": 0x0B71,
    "scissor test": 0x0C11,
    "stencil test": 0x0B90,
    "rasterizer discard": 0x8C89,
}
INTEGERS = {
    "active texture": 0x84E0,
    "program": 0x8B8D,
    "draw framebuffer": 0x8CA6,
    "read framebuffer": 0x8CAA,
    "viewport": 0x0BA2,
    "scissor box": 0x0C10,
    "colour mask": 0x0C23,
    "vertex array": 0x85B5,
    "array buffer": 0x8894,
    "pixel pack buffer": 0x88ED,
    "pixel unpack buffer": 0x88EF,
    "unpack alignment": 0x0CF5,
    "pack alignment": 0x0D05,
    "blend source": 0x80C9,
}
INDEXED = {"uniform buffer": 0x8A28, "storage buffer": 0x90D3}
ACTIVE_TEXTURE, TEXTURE_BINDING_2D, SAMPLER_BINDING = 0x84E0, 0x8069, 0x8919
IMAGE_BINDING = {"name": 0x8F3A, "level": 0x8F3B, "layered": 0x8F3C, "access": 0x8F3E, "format": 0x906E}


def snapshot(ctx: moderngl.Context) -> dict[str, Any]:
    """All the state listed above, by a name for messages."""
    pointer = ctypes.POINTER(ctypes.c_int)
    get = load_function(ctx, "glGetIntegerv", None, ctypes.c_uint, pointer)
    get_indexed = load_function(ctx, "glGetIntegeri_v", None, ctypes.c_uint, ctypes.c_uint, pointer)
    enabled = load_function(ctx, "glIsEnabled", ctypes.c_ubyte, ctypes.c_uint)
    activate = load_function(ctx, "glActiveTexture", None, ctypes.c_uint)

    def value(name: int) -> tuple[int, ...]:
        values = (ctypes.c_int * 4)()
        get(name, values)
        return tuple(values)

    def indexed(name: int, index: int) -> int:
        found = (ctypes.c_int * 4)()
        get_indexed(name, index, found)
        return found[0]

    limits = state_of(ctx).limits
    state: dict[str, Any] = {name: enabled(capability) for name, capability in CAPABILITIES.items()}
    state |= {name: value(constant) for name, constant in INTEGERS.items()}
    for name, constant in INDEXED.items():
        state |= {f"{name} {index}": indexed(constant, index) for index in range(8)}
    for unit in range(min(limits.image_units, 16)):
        for name, constant in IMAGE_BINDING.items():
            state[f"image unit {unit} {name}"] = indexed(constant, unit)
    active = value(ACTIVE_TEXTURE)[0]
    for unit in range(limits.texture_units):
        activate(0x84C0 + unit)
        state[f"texture unit {unit}"] = value(TEXTURE_BINDING_2D)[0]
        state[f"sampler unit {unit}"] = value(SAMPLER_BINDING)[0]
    activate(active)
    return state


def documented(ctx: moderngl.Context, algorithm: str = "auto") -> set[str]:
    """What the docstring of `Plan` says a run changes."""
    limits = state_of(ctx).limits
    units = (source_texture_unit(limits), twiddle_texture_unit(limits))
    assert units == (limits.texture_units - 2, limits.texture_units - 3)
    assert (TARGET_IMAGE_UNIT, SOURCE_IMAGE_UNIT, TWIDDLE_BUFFER_BINDING) == (7, 6, 5)
    image_units = (5, 6, 7) if algorithm in PING_PONG else (6, 7)
    through_buffers = state_of(ctx).device.software and registry.is_usual(algorithm)
    of_buffers = {"storage buffer 6", "storage buffer 7", f"texture unit {limits.texture_units - 1}"}
    return (
        {"program", "active texture", "storage buffer 5"}
        | (of_buffers if through_buffers else set())
        | {f"{kind} unit {unit}" for kind in ("texture", "sampler") for unit in units}
        | {f"image unit {unit} {name}" for unit in image_units for name in IMAGE_BINDING}
    )


@contextmanager
def busy_caller(ctx: moderngl.Context) -> Iterator[None]:
    """A caller who has bound and set whatever a frame binds and sets."""
    textures = [ctx.texture((4, 4), 4, dtype="f4") for _ in range(16)]
    sampler = ctx.sampler(filter=(moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR))
    buffer = ctx.buffer(reserve=256)
    framebuffer = ctx.framebuffer([ctx.texture((32, 16), 4)])
    limits = state_of(ctx).limits
    units = [*range(12), source_texture_unit(limits), twiddle_texture_unit(limits)]
    for unit, texture in zip(units, textures, strict=False):
        texture.use(unit)
        sampler.use(unit)
    for unit in range(8):
        textures[unit].bind_to_image(unit, read=True, write=False)
        buffer.bind_to_storage_buffer(unit)
        buffer.bind_to_uniform_block(unit)
    framebuffer.use()
    ctx.viewport = (3, 5, 11, 7)
    ctx.scissor = (1, 2, 3, 4)
    ctx.enable(moderngl.BLEND | moderngl.CULL_FACE | moderngl.DEPTH_TEST)
    try:
        yield
    finally:
        ctx.disable(moderngl.BLEND | moderngl.CULL_FACE | moderngl.DEPTH_TEST)
        ctx.scissor = None
        for unit in units:
            sampler.clear(unit)
        # Not the framebuffer: the context goes on naming it as the current one, and must not name a deleted one.
        for item in (*textures, sampler, buffer):
            item.release()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_run_changes_only_what_is_documented(ctx: moderngl.Context, algorithm: str) -> None:
    array = random_complex(SHAPE)
    source, target = upload(ctx, array), blank(ctx, SHAPE)
    with glfft.Plan(ctx, SHAPE, algorithm=algorithm) as plan, busy_caller(ctx):
        before = snapshot(ctx)
        assert before["blend"]
        assert before["texture unit 3"]
        assert before["image unit 3 name"]
        assert before["viewport"] == (3, 5, 11, 7)
        plan.forward(source, target)
        plan.inverse(source, target)
        after = snapshot(ctx)
    changed = {name for name in before if before[name] != after[name]}
    assert changed <= documented(ctx, algorithm), changed - documented(ctx, algorithm)
    # A snapshot that sees nothing change sees nothing at all.
    in_buffer = state_of(ctx).device.software and registry.is_usual(algorithm)
    assert ("storage buffer 7" if in_buffer else "image unit 7 name") in changed


def test_scratch_made_in_a_run_binds_the_last_unit_and_no_other(ctx: moderngl.Context) -> None:
    source, target = upload(ctx, random_complex(SHAPE)), blank(ctx, SHAPE)
    target.swizzle = "GRBA"
    last = f"texture unit {state_of(ctx).limits.texture_units - 1}"
    with glfft.Plan(ctx, SHAPE, algorithm="stockham") as plan, busy_caller(ctx):
        for also in ({last}, set()):
            before = snapshot(ctx)
            plan.forward(source, target)
            after = snapshot(ctx)
            changed = {name for name in before if before[name] != after[name]}
            assert changed <= documented(ctx) | also, changed - documented(ctx)
    source.release()
    target.release()


def test_a_scratch_buffer_made_in_a_run_is_bound_as_the_array_buffer_once(ctx: moderngl.Context) -> None:
    load = "value load(ivec3 at) { return read_source(ivec3(COLUMNS - 1 - at.x, at.yz)); }"
    buffer = ctx.buffer(random_complex((8, 16)).tobytes())
    seen = []
    with glfft.Plan(ctx, (8, 16), storage="buffer", load=load) as plan, busy_caller(ctx):
        for _ in range(2):
            before = snapshot(ctx)
            plan.forward(buffer, buffer)
            after = snapshot(ctx)
            changed = {name for name in before if before[name] != after[name]}
            assert changed <= documented(ctx) | {"storage buffer 6", "storage buffer 7", "array buffer"}
            seen.append("array buffer" in changed)
    buffer.release()
    assert seen == [True, False]


def test_tuning_changes_only_what_is_documented(
    ctx: moderngl.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "wisdom.json"))
    last = f"texture unit {state_of(ctx).limits.texture_units - 1}"
    also = {"storage buffer 0", "storage buffer 4", "array buffer", last}
    with glfft.Plan(ctx, (4, 8), axes=(1,)) as plan, busy_caller(ctx):
        before = snapshot(ctx)
        plan.tune(quick=True)
        after = snapshot(ctx)
    changed = {name for name in before if before[name] != after[name]}
    assert "storage buffer 4" in changed
    assert changed <= documented(ctx) | also, changed - documented(ctx) - also


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_what_the_caller_has_bound_does_not_disturb_a_run(ctx: moderngl.Context, algorithm: str) -> None:
    # Samplers with a mipmap filter sit on the units a plan uses: they would make its textures incomplete.
    array = random_complex(SHAPE)
    with glfft.Plan(ctx, SHAPE, algorithm=algorithm) as plan:
        source, target = upload(ctx, array), blank(ctx, SHAPE)
        with busy_caller(ctx):
            plan.forward(source, target)
        assert_close(download(target), np.fft.fft2(array.astype(np.complex128)))


def test_samplers_left_on_any_unit_do_not_disturb_snippets_and_searches(ctx: moderngl.Context) -> None:
    picture = np.zeros((9, 11), np.float32)
    picture[3:5, 6:8] = [[1, 2], [3, 5]]
    seen = ctx.texture((11, 9), 1, picture, dtype="f4")
    target, scores = ctx.texture((11, 9), 1, dtype="f4"), ctx.texture((10, 8), 1, dtype="f4")
    sampler, units = ctx.sampler(filter=(moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)), ctx.max_texture_units

    def found(make: Any, run: Any) -> Any:
        with make as made:
            for unit in range(units):
                sampler.use(unit)
            try:
                return run(made)
            finally:
                for unit in range(units):
                    sampler.clear(unit)

    def convolve(convolution: glfft.Convolution) -> Any:
        convolution.set_kernel(np.array([[0.0, 2.0]]))
        convolution.run(seen, target, next_use="read")
        return np.frombuffer(target.read(), np.float32).reshape(9, 11)

    def search(finder: glfft.PeakFinder) -> Any:
        finder.run(seen)
        return finder.read()

    def match(matching: glfft.TemplateMatch) -> Any:
        matching.set_template(picture[3:5, 6:8])
        matching.run(seen, scores, next_use="read")
        return np.frombuffer(scores.read(), np.float32).reshape(8, 10)

    moved = found(glfft.Convolution(ctx, (9, 11), (1, 2)), convolve)
    assert_close(moved[3:5, 7:9], 2 * picture[3:5, 6:8])
    assert found(glfft.PeakFinder(ctx, (9, 11)), search).value >= 5
    assert found(glfft.TemplateMatch(ctx, (9, 11), (2, 2)), match)[3, 6] == pytest.approx(1, abs=1e-5)
    for each in (seen, target, scores, sampler):
        each.release()


def test_a_plan_never_waits_or_reads_back(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a run waited or read back")

    texture = blank(ctx, SHAPE)
    plans = [glfft.Plan(ctx, SHAPE, algorithm=algorithm) for algorithm in ALGORITHMS]
    with monkeypatch.context() as patched:
        patched.setattr(moderngl.Context, "finish", forbidden)
        patched.setattr(moderngl.Texture, "read", forbidden)
        patched.setattr(moderngl.Texture, "read_into", forbidden)
        patched.setattr(moderngl.Buffer, "read", forbidden)
        for plan in plans:
            plan.forward(texture, texture)
            plan.release()
    with glfft.Plan(ctx, SHAPE) as plan:
        assert np.isfinite(run(plan, random_complex(SHAPE))).all()


def test_a_run_that_fails_leaves_no_sampler(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    texture = ctx.texture((8, 8), 2, dtype="f4")
    with glfft.Plan(ctx, (8, 8)) as plan:
        monkeypatch.setattr(CompiledPass, "dispatch", fail)
        with pytest.raises(MemoryError):
            plan.forward(texture, texture)
    unit = source_texture_unit(state_of(ctx).limits)
    assert snapshot(ctx)[f"sampler unit {unit}"] == 0
    texture.release()
