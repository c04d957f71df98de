"""del Mundo's transform: every combination of optimisations is numpy's, and passes say what their shaders do."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import pytest
from support.images import blank, download, random_values, release, upload
from support.images import run as run_plan
from support.requests import axis_request
from support.tolerances import COMPUTED_DB, TABLE_DB, assert_close

import glfft
from glfft import snippets
from glfft.algorithms import registry
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.pass_bindings import Place
from glfft.algorithms.storage import STORAGES
from glfft.algorithms.study.four_by_four import (
    BEST,
    LAYOUTS,
    LOCAL_MEMORY,
    TWIDDLES,
    WIDTHS,
    FourByFour,
    FourByFourConfig,
    every_config,
)
from glfft.apps.papers.del_mundo import Row
from glfft.apps.signal_to_noise import random_complex
from glfft.engine.compiled_pass import CompiledPass
from glfft.errors import LimitError
from glfft.gl.context import state_of

FAMILY = FourByFour()
NAME = FAMILY.name

# Two work groups, of which the second is not full.
LINES = 21

# Each optimisation alone, and those that meet in one kernel. All other combinations are left to the slow test.
BASELINE = FourByFourConfig()
FEW = [
    BASELINE,
    replace(BASELINE, preload=True),
    *(replace(BASELINE, local_memory=use) for use in LOCAL_MEMORY if use != "none"),
    *(replace(BASELINE, preload=True, twiddles=place) for place in ("argument", "literal")),
    *(replace(BASELINE, preload=True, width=width, unrolled=width != 4) for width in WIDTHS[1:]),
    BEST,
    replace(BEST, width=4, coalesced=False),
    replace(BASELINE, coalesced=True),
    replace(BASELINE, coalesced=True, width=8),
    replace(BEST, width=16, unrolled=True),
    replace(BEST, preload=False, local_memory="computation, no transpose", width=8),
    replace(BASELINE, twiddles="computed in double"),
    replace(BASELINE, four_threads=True, width=4),
    replace(BASELINE, local_memory="computation and communication", unit_stride=True),
    replace(BEST, coalesced=False, four_threads=True, width=8, unrolled=True),
    replace(BASELINE, local_memory="computation, no transpose", four_threads=True, width=16),
]

# As the paper has coalesced accesses, and vectors.
LAID_OUT = [
    replace(BASELINE, layout="groups"),
    replace(BEST, coalesced=False, layout="groups"),
    replace(BASELINE, layout="planar", width=4),
    replace(BEST, coalesced=False, layout="planar", width=8, unrolled=True),
    replace(BASELINE, local_memory="computation, no transpose", twiddles="argument", layout="planar", width=4),
]


def forward_and_in_place(ctx: moderngl.Context, config: FourByFourConfig, storage_name: str = "buffer") -> None:
    """Fail unless a kernel is numpy's transform, to another image and to its own."""
    storage = STORAGES[storage_name]
    for direction in (-1, +1) if config == BEST else (-1,):
        wanted = request(ctx, storage_name, computed_twiddles=config.computes_factors, direction=direction)
        assert FAMILY.fits(config, wanted)
        (spec,) = FAMILY.passes(wanted, config)
        values = random_values(storage, wanted.shape, None)
        source, target = upload(ctx, values, storage, None), blank(ctx, wanted.shape, storage, None)
        compiled = CompiledPass(ctx, spec)
        exact = np.fft.fft(values.astype(np.complex128)) if direction < 0 else 16 * np.fft.ifft(values)
        for image in (target, source):
            compiled.run(source, image)
            ctx.memory_barrier()
            found = download(image, storage, wanted.shape, None)
            assert_close(found, exact, COMPUTED_DB if config.twiddles == "computed" else TABLE_DB)
        release(source, target)


def request(ctx: moderngl.Context, storage: str = "buffer", **changes: Any) -> AxisRequest:
    return axis_request((LINES, 16), device=state_of(ctx).device, storage=STORAGES[storage], **changes)


@pytest.mark.parametrize("config", FEW, ids=FAMILY.describe)
def test_each_optimisation_agrees_with_numpy(ctx: moderngl.Context, config: FourByFourConfig) -> None:
    forward_and_in_place(ctx, config)


@pytest.mark.parametrize("config", LAID_OUT, ids=FAMILY.describe)
def test_kernels_of_other_layouts_agree_with_numpy(ctx: moderngl.Context, config: FourByFourConfig) -> None:
    # Two work groups; planar, a line has the points of several.
    lines = 2 * 16
    wanted = axis_request(
        (lines, 16), storage=STORAGES["buffer"], computed_twiddles=config.computes_factors, device=state_of(ctx).device
    )
    assert FAMILY.can_run(config, wanted)
    (spec,) = FAMILY.passes(wanted, config)
    points = random_complex((lines * config.lines_a_value, 16)).astype(np.complex64)
    source = ctx.buffer(Row("", config).numbers(points).tobytes())
    target = ctx.buffer(np.full(2 * points.size, np.nan, np.float32).tobytes())
    compiled = CompiledPass(ctx, spec)
    for buffer in (target, source):
        compiled.run(source, buffer)
        ctx.memory_barrier()
        found = Row("", config).points(np.frombuffer(buffer.read(), np.float32))
        assert_close(found, np.fft.fft(points), COMPUTED_DB if config.twiddles == "computed" else TABLE_DB)
    release(source, target)


def test_plans_have_no_other_layouts() -> None:
    wanted = axis_request((32, 16), storage=STORAGES["buffer"])
    for config in every_config(LAYOUTS):
        assert (config.layout == "lines") or not FAMILY.fits(config, wanted)
    assert not FAMILY.can_run(LAID_OUT[0], axis_request((31, 16), storage=STORAGES["buffer"], computed_twiddles=True))
    assert {each.layout for each in every_config()} == {"lines"}


def test_buffers_are_read_as_storage(ctx: moderngl.Context) -> None:
    wanted = axis_request((LINES, 16), storage=STORAGES["buffer"])
    kernels = [each for each in every_config() if FAMILY.fits(each, wanted)]
    assert {FAMILY.passes(wanted, each)[0].source_place for each in kernels} == {Place.STORAGE_BUFFER}
    forward_and_in_place(ctx, replace(BEST, width=8))


@pytest.mark.slow
@pytest.mark.parametrize("storage", ["buffer", "buffer_pairs", "rg32f", "rgba32f"])
def test_every_combination_agrees_with_numpy(ctx: moderngl.Context, storage: str) -> None:
    wrong = []
    for config in every_config():
        if FAMILY.fits(config, request(ctx, storage, computed_twiddles=config.computes_factors)):
            try:
                forward_and_in_place(ctx, config, storage)
            except AssertionError as error:
                wrong.append(f"{FAMILY.describe(config)}: {error}")
    assert not wrong, "\n".join(wrong)


def test_combinations_that_exist() -> None:
    found = every_config()
    # What is computed in shared memory is not preloaded too; without shared memory points are coalesced in the target.
    places = {(each.preload, each.local_memory, each.coalesced) for each in found}
    assert len(places) == 1 + 2 + 2 * 4
    # Four threads a line are what coalesced kernels, and those that read points one by one, have anyway.
    wide = (2 + 2 * 4 - 1 - 4) * (len(WIDTHS) - 1)
    # One kind computes and communicates in shared memory, coalesced or not, and by four threads where it reads widely.
    unit_stride = 2 * len(WIDTHS) + len(WIDTHS) - 1
    assert len(found) == (len(places) * len(WIDTHS) + wide + unit_stride) * len(TWIDDLES) * 2
    assert BEST in found
    assert BASELINE in found


@pytest.mark.parametrize(
    ("storage", "axis", "widths", "in_target"),
    [
        ("buffer", 1, {2, 4, 8, 16}, True),
        ("buffer_pairs", 1, {4, 8, 16}, True),
        ("rg32f", 1, {2}, False),
        ("rgba32f", 1, {4}, False),
        ("buffer", 0, {2}, True),
    ],
)
def test_images_are_read_a_texel_at_a_time_and_columns_a_point(
    ctx: moderngl.Context, storage: str, axis: int, widths: set[int], in_target: bool
) -> None:
    wanted = axis_request((16, 16), axis, storage=STORAGES[storage])
    found = [each for each in every_config() if FAMILY.fits(each, wanted)]
    assert {each.width for each in found} == widths
    assert any(each.computes_in_target for each in found) == in_target
    assert any(each.coalesced for each in found) == (axis == 1)
    assert {each.twiddles for each in found} == {"argument", "literal"}
    assert FAMILY.default(wanted) in found


@pytest.mark.parametrize("storage", ["rg32f", "rgba32f", "rg16f", "buffer_pairs"])
def test_plans_take_it_for_pictures_layers_and_columns(ctx: moderngl.Context, storage: str) -> None:
    with glfft.Plan(ctx, (16, 16), layers=3, algorithm=NAME, storage=storage) as plan:
        values = random_values(plan.request.storage, plan.shape, 3)
        floor = 60.0 if storage == "rg16f" else TABLE_DB
        assert_close(run_plan(plan, values, "inverse"), np.fft.ifft2(values.astype(np.complex128)), floor)


@pytest.mark.parametrize("config", [replace(BASELINE, twiddles="argument", width=8), replace(BEST, width=16)])
def test_snippets_and_real_lines_are_kept_out_of_wide_accesses_and_of_the_target(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, config: FourByFourConfig
) -> None:
    monkeypatch.setattr(FourByFour, "default", lambda self, request: config)
    options: dict[str, Any] = {"axes": (1,), "algorithm": NAME, "storage": "buffer"}
    load, store = snippets.shift_load(), snippets.shift_store()
    with glfft.Plan(ctx, (6, 16), load=load, store=store, **options) as plan:
        values = random_values(plan.request.storage, plan.shape, None)
        exact = np.fft.fftshift(np.fft.fft(np.fft.ifftshift(values, axes=(2, 3)).astype(np.complex128)), axes=(2, 3))
        assert_close(run_plan(plan, values), exact)
    with glfft.Plan(ctx, (6, 16), **options, real=True) as plan:
        numbers = random_values(plan.request.storage.of_reals, plan.shape, None)
        half = run_plan(plan, numbers)
        assert_close(half, np.fft.rfft(numbers.astype(np.float64)))
        assert_close(run_plan(plan, half, "inverse"), numbers)


@pytest.mark.parametrize("length", [8, 15, 17, 32, 256])
def test_other_lengths_are_refused(ctx: moderngl.Context, length: int) -> None:
    with pytest.raises(LimitError, match=r"lines of 16 points, the only ones .*; it can do 16; algorithm='auto' works"):
        glfft.Plan(ctx, (2, length), axes=(1,), algorithm=NAME)


def test_what_a_device_or_a_storage_lacks_is_said(ctx: moderngl.Context) -> None:
    with pytest.raises(LimitError, match=r"single precision; algorithm='auto' works"):
        glfft.Plan(ctx, (2, 16), axes=(1,), algorithm=NAME, storage="buffer_double")
    small = replace(state_of(ctx).limits, invocations=32)
    wanted = axis_request((2, 16), device=replace(state_of(ctx).device, limits=small))
    assert FAMILY.supports(wanted) == "work groups of 64 invocations"
    assert not FAMILY.fits(BEST, wanted)


def test_a_million_lines_are_dealt_out_to_groups_in_two_directions() -> None:
    for config, lines in ((BEST, 16), (replace(BEST, width=8, coalesced=False), 64)):
        (spec,) = FAMILY.passes(axis_request((1 << 20, 16), storage=STORAGES["buffer"]), config)
        across, layers, deep = spec.groups
        assert max(spec.groups) <= 65535
        assert layers == 1
        assert across * deep * lines >= 1 << 20 > (across * deep - deep) * lines
        assert spec.threads == 64
        assert spec.shared_bytes == 16 * 8 * lines


def test_barriers_are_those_of_the_shader() -> None:
    wanted = axis_request((16, 16), storage=STORAGES["buffer"])
    for config in every_config():
        if not FAMILY.fits(config, wanted):
            continue
        (spec,) = FAMILY.passes(wanted, config)
        assert spec.barriers == executed_barriers(config)


def executed_barriers(config: FourByFourConfig) -> int:
    """Counted by the steps of the paper: the transposition, and what comes before and after it."""
    where = LOCAL_MEMORY[config.local_memory]
    transposition = 1 if config.preload or where[1] == "nothing" or config.local_memory == "communication" else 2
    together = config.coalesced or config.four_threads
    return transposition + (0 if not together else 3 if config.preload else 2)


def test_auto_never_takes_it_and_it_is_listed_apart() -> None:
    assert NAME not in registry.algorithm_names()
    assert NAME in registry.algorithm_names(study=True)
    assert NAME not in {family.name for family in registry.families_for(axis_request((1, 16)))}


def test_tuning_begins_with_the_best_and_changes_one_optimisation_at_a_time() -> None:
    wanted = axis_request((16, 16), storage=STORAGES["buffer"])
    first, *others = FAMILY.candidates(wanted, 30)
    assert first == BEST == FAMILY.default(wanted)
    assert len(set(others)) == 29
    for other in FAMILY.neighbours(BEST, wanted):
        changed = Counter(vars(other).items()) - Counter(vars(BEST).items())
        assert sum(changed.values()) == 1
    assert replace(BEST, width=16) in FAMILY.neighbours(BEST, wanted)


@pytest.mark.parametrize(
    "fields", [{"width": 3}, {"local_memory": "?"}, {"twiddles": True}, {"local_memory": "none"}, {"radix": 4}]
)
def test_wisdom_that_no_kernel_has_is_refused(fields: dict[str, object]) -> None:
    good = FAMILY.to_fields(BEST)
    assert FAMILY.from_fields(good, 16) == BEST
    with pytest.raises(ValueError, match=r"kernel|fields"):
        FAMILY.from_fields({**good, **fields}, 16)
    with pytest.raises(ValueError, match="kernel"):
        FAMILY.from_fields(good, 32)
