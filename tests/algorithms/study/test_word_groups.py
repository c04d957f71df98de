"""Ambuluri's algorithms: every schedule is numpy's transform, and passes say what their shaders do."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
from support.images import random_values
from support.images import run as run_plan
from support.kernels import restrict_device
from support.pictures import blank, download, upload
from support.requests import axis_request
from support.tolerances import COMPUTED_DB, assert_close
from support.tuning import favour_passes, specs_of

import glfft
from glfft.algorithms import registry
from glfft.algorithms.study.word_groups import FAMILIES, PLACES, WordGroupConfig, in_bit_reversed_order
from glfft.apps.signal_to_noise import random_complex
from glfft.engine.compiled_pass import CompiledPass
from glfft.errors import LimitError
from glfft.gl.context import state_of
from glfft.wisdom import store

FAMILY = {family.name: family for family in FAMILIES}
OF_ONE_GROUP = [name for name in FAMILY if not name.startswith("multi")]
each_family = pytest.mark.parametrize("name", FAMILY)


def schedules(name: str) -> list[WordGroupConfig]:
    """Every number of threads of a word group that the thesis has, and the unbalanced schedule."""
    family = FAMILY[name]
    threads = [2**exponent for exponent in range(family.words.bit_length() + 1)]
    if family.radix_22:
        # The thesis has times of these two.
        return [WordGroupConfig(4, "shared", "arrays"), WordGroupConfig(8, "shared", "arrays")]
    places = [*PLACES]
    balanced = [WordGroupConfig(each, places[each.bit_length() % 3], "arrays") for each in threads]
    return [*balanced, WordGroupConfig(family.words, "shared", "arrays", balanced=False)]


def length_for(name: str) -> int:
    """Short, and more than one epoch; a whole number of epochs where points lie in arrays."""
    return 4 ** max(FAMILY[name].words.bit_length() - 1, 2)


def forward(
    ctx: moderngl.Context, name: str, lines: npt.NDArray[np.complex64], axis: int = 1, **wanted: Any
) -> npt.NDArray[np.complex64]:
    """One direction only, which is half as much to compile as a plan.

    Args:
        ctx: the context.
        name: of the algorithm.
        lines: what to transform.
        axis: along which.
        wanted: fields of the request; `config` is that of the last pass, and `bit_reversed` says that it leaves the
            results in bit-reversed order.
    """
    config, bit_reversed = wanted.pop("config", WordGroupConfig()), wanted.pop("bit_reversed", False)
    parts = FAMILY[name].parts(axis_request(lines.shape, axis, device=state_of(ctx).device, **wanted))
    assert FAMILY[name].why_unfit(config, parts[-1]) is None
    image = upload(ctx, lines)
    for part in parts:
        (spec,) = FAMILY[name].passes(part, config)
        source, image = image, blank(ctx, lines.shape)
        CompiledPass(ctx, in_bit_reversed_order(spec) if bit_reversed else spec).run(source, image)
        ctx.memory_barrier()
    return download(image)


@each_family
def test_agrees_with_numpy_on_both_axes(ctx: moderngl.Context, name: str) -> None:
    for axis, length in ((0, 16), (1, 64)):
        lines = random_complex((3, length) if axis == 1 else (length, 3))
        assert_close(forward(ctx, name, lines, axis), np.fft.fft(lines.astype(np.complex128), axis=axis))


@pytest.mark.slow
@each_family
def test_agrees_with_numpy_at_the_longest_lengths_of_the_thesis(ctx: moderngl.Context, name: str) -> None:
    lines = random_complex((3, 1024 if "radix" in name else 2048 if name == "constant-geometry" else 4096))
    assert_close(forward(ctx, name, lines), np.fft.fft(lines.astype(np.complex128)))


@pytest.mark.parametrize("name", OF_ONE_GROUP)
def test_every_schedule_agrees_with_numpy(ctx: moderngl.Context, name: str) -> None:
    for number, config in enumerate(schedules(name)):
        # Axes and directions in turn.
        axis, direction = number % 2, (-1, +1)[number // 2 % 2]
        length = length_for(name)
        lines = random_complex((3, length) if axis == 1 else (length, 3))
        exact = np.fft.fft(lines, axis=axis) if direction < 0 else length * np.fft.ifft(lines, axis=axis)
        assert_close(forward(ctx, name, lines, axis, config=config, direction=direction), exact)


@pytest.mark.parametrize("name", ["word-group-4", "radix-22-constant-geometry"])
def test_factors_may_lie_in_three_places(ctx: moderngl.Context, name: str) -> None:
    lines = random_complex((3, 16))
    for place in PLACES:
        assert_close(forward(ctx, name, lines, config=WordGroupConfig(1, place)), np.fft.fft(lines))


# The first stages may leave a stage that multiplies on its own, where a line goes in two parts by radix 2^2.
@pytest.mark.parametrize(
    ("name", "length", "threads", "direction"),
    [
        ("multi-group-2", 16, 4, -1),
        ("multi-group-2", 64, 8, +1),
        ("multi-group-4", 64, 4, +1),
        ("multi-group-2-radix-2", 16, 2, -1),
        ("multi-group-4-radix-2", 32, 4, +1),
        ("multi-group-2-in-place", 16, 8, -1),
        ("multi-group-2-in-place", 32, 2, +1),
        ("multi-group-4-in-place", 64, 4, -1),
        ("multi-group-4-in-place", 32, 1, -1),
    ],
)
def test_parts_of_lines_go_through_arrays_too(
    ctx: moderngl.Context, name: str, length: int, threads: int, direction: int
) -> None:
    lines = random_complex((2, length))
    exact = np.fft.fft(lines) if direction < 0 else length * np.fft.ifft(lines)
    config = WordGroupConfig(threads, "shared", "arrays")
    assert_close(forward(ctx, name, lines, config=config, direction=direction), exact)


@pytest.mark.parametrize(
    ("name", "config"),
    [
        ("word-group-2", WordGroupConfig()),
        ("constant-geometry", WordGroupConfig(2, "shared", "arrays")),
        ("radix-22", WordGroupConfig(4, "shared", "arrays")),
        ("multi-group-4", WordGroupConfig(4, "shared", "arrays")),
        ("multi-group-2-in-place", WordGroupConfig()),
    ],
)
def test_results_may_stay_in_bit_reversed_order(ctx: moderngl.Context, name: str, config: WordGroupConfig) -> None:
    lines = random_complex((2, 64))
    reversed_bits = [int(f"{k:06b}"[::-1], 2) for k in range(64)]
    assert_close(forward(ctx, name, lines, config=config, bit_reversed=True), np.fft.fft(lines)[:, reversed_bits])


@pytest.mark.parametrize("name", ["word-group-4", "radix-22-constant-geometry", "multi-group-2"])
def test_pairs_and_batches_go_through_shared_operations(
    ctx: moderngl.Context, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 8
    for threads in (most, most // 2):
        config = WordGroupConfig(threads, "shared", "arrays")
        monkeypatch.setattr(
            type(FAMILY[name]),
            "default",
            lambda self, request, config=config: config if self.fits(config, request) else WordGroupConfig(),
        )
        for storage in ("rgba32f", "buffer_double") if threads == most else ("buffer",):
            with glfft.Plan(ctx, (4, 64), axes=(1,), algorithm=name, layers=2, storage=storage) as plan:
                values = random_values(plan.request.storage, plan.shape, plan.request.layers)
                assert_close(run_plan(plan, values, "inverse"), np.fft.ifft(values.astype(np.complex128)))


@pytest.mark.parametrize("place", ["buffer", "shared"])
def test_factors_may_be_computed_on_the_gpu(ctx: moderngl.Context, place: str) -> None:
    lines = random_complex((3, 64))
    found = forward(ctx, "word-group-4", lines, computed_twiddles=True, config=WordGroupConfig(4, place, "arrays"))
    assert_close(found, np.fft.fft(lines.astype(np.complex128)), COMPUTED_DB)


@pytest.mark.parametrize("name", ["word-group-4", "radix-22-constant-geometry", "multi-group-2"])
def test_where_threads_are_few_each_does_several_groups(
    ctx: moderngl.Context, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    restrict_device(ctx, monkeypatch, invocations=4)
    lines = random_complex((2, 64))
    family, (*_, part) = FAMILY[name], FAMILY[name].parts(axis_request((2, 64), device=state_of(ctx).device))
    (spec,) = family.passes(part, WordGroupConfig())
    assert spec.threads == 4
    assert_close(forward(ctx, name, lines), np.fft.fft(lines.astype(np.complex128)))
    # In arrays each thread has work in one word group.
    why = family.why_unfit(WordGroupConfig(4, "shared", "arrays"), part)
    assert why == f"{part.length} threads a work group, and the device allows 4"


@pytest.mark.parametrize("length", [2, 4, 8])
def test_short_lines_have_smaller_groups(ctx: moderngl.Context, length: int) -> None:
    lines = random_complex((2, length))
    names = ["word-group-16", "constant-geometry", "multi-group-4", "radix-22"]
    for name in names if length == 4 else names[:-1]:
        assert_close(forward(ctx, name, lines), np.fft.fft(lines.astype(np.complex128)))


@pytest.mark.parametrize(("length", "nearest"), [(32, 16), (8, 4), (2048, 1024), (48, 64), (12, 16)])
def test_radix_22_names_the_nearest_length(ctx: moderngl.Context, length: int, nearest: int) -> None:
    for name in ("radix-22", "radix-22-constant-geometry"):
        with pytest.raises(LimitError, match=rf"power of four, such as {nearest}; algorithm='auto' works"):
            glfft.Plan(ctx, (length, 4), algorithm=name)


@each_family
def test_other_lengths_and_lines_too_long_are_refused(ctx: moderngl.Context, name: str) -> None:
    with pytest.raises(LimitError, match=r"power of.*'auto' works"):
        glfft.Plan(ctx, (12, 4), axes=(0,), algorithm=name)
    short_of = replace(state_of(ctx).limits, shared_memory=1024)
    wanted = axis_request((1, 4096), device=replace(state_of(ctx).device, limits=short_of))
    assert re.fullmatch(r"\d+ bytes of shared memory, and the device has 1024", str(FAMILY[name].supports(wanted)))


def test_auto_never_takes_one_and_they_are_listed_apart() -> None:
    assert not set(registry.algorithm_names()) & set(FAMILY)
    assert set(registry.algorithm_names(study=True)) >= set(FAMILY)
    assert not {family.name for family in registry.families_for(axis_request((1, 64)))} & set(FAMILY)


@pytest.fixture
def wisdom(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A file of wisdom that is not there yet, where kernels of two threads a word group are the fastest."""
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "wisdom.json"))
    # The pass before the last has one kernel.
    favour_passes(monkeypatch, lambda spec: "split" in spec.shader or dict(spec.defines).get("GROUP_THREADS") == 2)
    return tmp_path / "wisdom.json"


def test_tuning_and_wisdom_take_whole_lines(ctx: moderngl.Context, wisdom: Path) -> None:
    with glfft.Plan(ctx, (2, 16), axes=(1,), algorithm="word-group-4") as plan:
        plan.tune(quick=True)
        assert dict(specs_of(plan)[-1].defines)["GROUP_THREADS"] == 2
    assert "word-group-4" in json.dumps(json.loads(wisdom.read_text()))


def test_tuning_and_wisdom_take_parts_which_do_not_stand_for_whole_lines(ctx: moderngl.Context, wisdom: Path) -> None:
    with glfft.Plan(ctx, (32, 2), axes=(0,), algorithm="multi-group-2") as plan:
        plan.tune(quick=True)
        assert dict(specs_of(plan)[-1].defines)["GROUP_THREADS"] == 2
    assert "multi-group-2" in json.dumps(json.loads(wisdom.read_text()))
    # 16 points, which is how long the parts were.
    with glfft.Plan(ctx, (16, 2), axes=(0,), algorithm="multi-group-2") as plan:
        assert [spec.shader for spec in specs_of(plan)] == [
            "fft/study/word_group_split.comp",
            "fft/study/word_groups.comp",
        ] * 2


@pytest.mark.parametrize(
    "fields",
    [
        *({"threads": threads} for threads in (3, 16, 0, True)),
        *({"twiddles": "?"}, {"points": "?"}, {"balanced": 1}, {"words": 2}),
    ],
)
def test_wisdom_that_no_kernel_has_is_refused(fields: dict[str, object]) -> None:
    family = FAMILY["word-group-4"]
    good = WordGroupConfig(8, "shared", "arrays")
    assert family.from_fields(family.to_fields(good), 64) == good
    with pytest.raises(ValueError, match=r"kernel|fields"):
        family.from_fields({**family.to_fields(good), **fields}, 64)
