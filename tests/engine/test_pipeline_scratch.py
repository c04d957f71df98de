"""Where passes write: through the caller's target where that is possible, else through scratch."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import pytest
from support.pictures import blank, download, upload
from support.tolerances import assert_close

import glfft
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.storage import STORAGES
from glfft.apps.signal_to_noise import random_complex
from glfft.engine.pipeline import ScratchImage, in_scratch, in_target
from glfft.engine.plan_passes import plan_passes
from glfft.engine.request import CONVOLVE, FORWARD, INVERSE, PlanRequest
from glfft.gl.context import state_of
from glfft.snippets import multiply_by_texture

# To other lines too: what moves within its line is read before that line is written.
SHIFTED = "value load(ivec3 at) { return read_source(ivec3(COLUMNS - 1 - at.x, ROWS - 1 - at.y, at.z)); }"


WHOLE, HALF = (ScratchImage((8, columns), 0, STORAGES["rg32f"]) for columns in (32, 17))
STORE = "void store(ivec3 at, value result) { write_target(at, result); }"


def specs_of(ctx: moderngl.Context, direction: int, **options: Any) -> list[PassSpec]:
    return plan_passes(PlanRequest.of((8, 32), **options), direction, state_of(ctx).device)


@pytest.mark.parametrize("algorithm", ["stockham", "stockham-radix2", "stockham-radix4", "cooley-tukey"])
@pytest.mark.parametrize("direction", [FORWARD, INVERSE])
def test_single_pass_algorithms_take_no_scratch(ctx: moderngl.Context, algorithm: str, direction: int) -> None:
    assert in_target(specs_of(ctx, direction, algorithm=algorithm)).targets == (None, None)


def test_a_convolution_takes_no_scratch(ctx: moderngl.Context) -> None:
    found = in_target(specs_of(ctx, CONVOLVE, algorithm="stockham", multiply=multiply_by_texture()))
    assert found.targets == (None, None, None)


def test_stages_take_turns_between_two_scratch_pictures(ctx: moderngl.Context) -> None:
    targets = in_target(specs_of(ctx, FORWARD, algorithm="cooley-tukey-stages")).targets
    assert targets == (*(ScratchImage((8, 32), index % 2, STORAGES["rg32f"]) for index in range(7)), None)


@pytest.mark.parametrize("algorithm", ["stockham", "cooley-tukey-stages"])
@pytest.mark.parametrize("real", [False, True])
def test_where_targets_are_apart_no_pass_reads_what_it_writes(
    ctx: moderngl.Context, algorithm: str, real: bool
) -> None:
    specs = plan_passes(PlanRequest.of((2, 4, 8), algorithm=algorithm, real=real), FORWARD, state_of(ctx).device)
    assert len(specs) > 2
    found = in_scratch(specs, in_place=False)
    assert found.targets[-1] is None
    assert found.targets.count(None) == 1
    for before, target in zip(found.sources[1:], found.targets[1:], strict=True):
        assert found.targets[before] != target


def test_stages_within_a_pass_take_turns_between_its_target_and_scratch(ctx: moderngl.Context) -> None:
    options: dict[str, Any] = {"algorithm": "ping-pong-stockham-radix4", "axes": (1,)}
    first, second = (ScratchImage((8, 32), index, STORAGES["rg32f"]) for index in (3, 4))
    found = in_target(specs_of(ctx, FORWARD, **options))
    assert (found.targets, found.ping_pongs) == ((None,), ((None, second),))
    assert found.scratch == [second]
    # What is stored elsewhere, or not as the stages leave it, cannot be what they load.
    for other in ({"store": STORE}, {"storage": "rg16f"}, {"storage": "buffer"}, {"real": True}):
        assert in_target(specs_of(ctx, FORWARD, **options, **other)).ping_pongs == ((first, second),)
    assert in_target(specs_of(ctx, FORWARD, axes=(1,))).ping_pongs == ((),)


def test_real_pictures_hold_no_spectra(ctx: moderngl.Context) -> None:
    options: dict[str, Any] = {"algorithm": "stockham", "real": True}
    assert in_target(specs_of(ctx, FORWARD, **options)).targets == (None, None)
    assert in_target(specs_of(ctx, INVERSE, **options)).targets == (HALF, None)
    both = specs_of(ctx, CONVOLVE, **options, multiply=multiply_by_texture())
    assert in_target(both).targets == (HALF, HALF, None)


def test_a_store_snippet_comes_from_scratch(ctx: moderngl.Context) -> None:
    assert in_target(specs_of(ctx, FORWARD, store=STORE)).targets == (WHOLE, None)
    assert in_target(specs_of(ctx, FORWARD, load=SHIFTED)).targets == (None, None)


def test_in_scratch_only_the_last_pass_writes_the_target(ctx: moderngl.Context) -> None:
    for algorithm in glfft.algorithm_names():
        targets = in_scratch(specs_of(ctx, FORWARD, algorithm=algorithm)).targets
        assert targets[-1] is None
        assert None not in targets[:-1]


def test_a_load_that_moves_texels_works_in_place(ctx: moderngl.Context) -> None:
    # More lines than a work group has, which reads all its lines before it writes.
    array = random_complex((128, 32))
    texture = upload(ctx, array)
    with glfft.Plan(ctx, (128, 32), load=SHIFTED) as plan:
        plan.forward(texture, texture)
        assert_close(download(texture), np.fft.fft2(array[::-1, ::-1].astype(np.complex128)))
        source, target = upload(ctx, array), blank(ctx, (128, 32))
        plan.forward(source, target)
        assert download(target).tobytes() == download(texture).tobytes()
