"""Pipelines: what a pass reads is made visible the way it reads."""

from __future__ import annotations

import moderngl
import pytest
from support.kernels import request
from support.pictures import blank, download, upload
from support.tolerances import COMPOSED_DB, assert_close

import glfft
from glfft.accuracy import random_complex
from glfft.algorithms.stockham.kernel import KernelConfig, kernel_pass
from glfft.algorithms.storage import STORAGES
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.images import ImageSpec
from glfft.engine.pipeline import Pipeline
from glfft.gl.barriers import NEXT_USES, SHADER_IMAGE_ACCESS_BARRIER, SHADER_STORAGE_BARRIER, TEXTURE_FETCH_BARRIER
from glfft.gl.context import state_of


@pytest.mark.parametrize(
    ("storage", "image_loads", "barrier", "before"),
    [
        ("rg32f", False, TEXTURE_FETCH_BARRIER, 0),
        # Callers are told of the barrier for fetches only.
        ("rg32f", True, SHADER_IMAGE_ACCESS_BARRIER, SHADER_IMAGE_ACCESS_BARRIER),
        ("buffer", True, SHADER_STORAGE_BARRIER, 0),
    ],
)
def test_what_a_pass_reads_is_made_visible_the_way_it_reads(
    ctx: moderngl.Context, storage: str, image_loads: bool, barrier: int, before: int
) -> None:
    kernel = KernelConfig((4, 2), 2, image_loads=image_loads)
    wanted = request(state_of(ctx).limits, kernel, STORAGES[storage], axis=1, lines=3)
    spec = kernel_pass(wanted, kernel)
    assert f"#define IMAGE_LOADS {int(barrier == SHADER_IMAGE_ACCESS_BARRIER)}\n" in spec.source.text
    images = ImageSpec(ctx, wanted.shape, None, wanted.storage)
    passes = [CompiledPass(ctx, each) for each in (spec, spec.backwards)]
    pipeline = Pipeline.of(passes, (images, images), (), moves_texels=False)
    assert pipeline.barriers == (barrier,)
    assert pipeline.barrier_before == before


@pytest.mark.parametrize("next_use", [None, *NEXT_USES])
def test_every_next_use_gives_the_result(ctx: moderngl.Context, next_use: str | None) -> None:
    array = random_complex((16, 32))
    source, target = upload(ctx, array), blank(ctx, (16, 32))
    with glfft.Plan(ctx, (16, 32)) as plan:
        plan.forward(source, target, next_use=next_use)
        plan.inverse(target, target, next_use="read")
    assert_close(download(target), array, floor_db=COMPOSED_DB)


def test_the_last_barrier_is_the_one_for_the_use_named(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    texture = blank(ctx, (16, 16))
    issued: list[int] = []
    monkeypatch.setattr(moderngl.Context, "memory_barrier", lambda self, bits: issued.append(bits))
    with glfft.Plan(ctx, (16, 16), algorithm="stockham-radix4") as plan:
        for next_use, bits in NEXT_USES.items():
            plan.forward(texture, texture, next_use=next_use)
            assert issued.pop() == bits
        plan.forward(texture, texture)
        assert issued.pop() == NEXT_USES["sample"] | NEXT_USES["image"] | NEXT_USES["read"] | NEXT_USES["draw"]
