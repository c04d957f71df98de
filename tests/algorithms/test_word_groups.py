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
from glfft.accuracy import random_complex
from glfft.algorithms import registry
from glfft.algorithms.word_groups import FAMILIES, PLACES, WordGroupConfig
from glfft.engine.compiled_pass import CompiledPass
from glfft.errors import LimitError
from glfft.gl.context import state_of
from glfft.wisdom import store

FAMILY = {family.name: family for family in FAMILIES}
OF_ONE_GROUP = [name for name in FAMILY if not name.startswith("multi")]
each_family = pytest.mark.parametrize("name", FAMILY)


def schedules(name: str) -> list[int]:
    """Threads of a word group."""
    return [2**exponent for exponent in range(FAMILY[name].words.bit_length() + 1)]


def length_for(name: str) -> int:
    """Short, and not a whole number of epochs where the algorithm allows that."""
    return 16 if name.startswith("radix") else 32


def forward(
    ctx: moderngl.Context, name: str, lines: npt.NDArray[np.complex64], axis: int = 1, **wanted: Any
) -> npt.NDArray[np.complex64]:
    """The forward transform only, which is half as much to compile as a plan; `config` is that of the last pass."""
    config = wanted.pop("config", WordGroupConfig())
    parts = FAMILY[name].parts(axis_request(lines.shape, axis, device=state_of(ctx).device, **wanted))
    image = upload(ctx, lines)
    for part in parts:
        (spec,) = FAMILY[name].passes(part, config)
        source, image = image, blank(ctx, lines.shape)
        CompiledPass(ctx, spec).run(source, image)
        ctx.memory_barrier()
    return download(image)


@each_family
def test_agrees_with_numpy_at_the_lengths_of_the_thesis(ctx: moderngl.Context, name: str) -> None:
    longest = 1024 if "radix" in name else 2048 if name == "constant-geometry" else 4096
    for axis, length in ((0, 64), (1, longest)):
        lines = random_complex((3, length) if axis == 1 else (length, 3))
        assert_close(forward(ctx, name, lines, axis), np.fft.fft(lines.astype(np.complex128), axis=axis))


@pytest.mark.parametrize(("name", "threads"), [(name, threads) for name in OF_ONE_GROUP for threads in schedules(name)])
def test_every_schedule_agrees_with_numpy(ctx: moderngl.Context, name: str, threads: int) -> None:
    lines = random_complex((3, length_for(name)))
    exact = np.fft.fft(lines.astype(np.complex128))
    # The places that twiddles have are tried with one schedule of some algorithms, and in turn.
    all_places = threads == 2 and name in ("word-group-4", "radix-22-constant-geometry")
    for place in PLACES if all_places else [[*PLACES][threads.bit_length() % 3]]:
        assert_close(forward(ctx, name, lines, config=WordGroupConfig(threads, place)), exact)


@pytest.mark.parametrize("name", ["word-group-4", "radix-22-constant-geometry", "multi-group-2"])
def test_pairs_and_batches_go_through_shared_operations(
    ctx: moderngl.Context, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = schedules(name)[-1]
    for threads in (most, most // 2):
        monkeypatch.setattr(
            type(FAMILY[name]),
            "default",
            lambda self, request, threads=threads: (
                WordGroupConfig(threads) if self.fits(WordGroupConfig(threads), request) else WordGroupConfig()
            ),
        )
        for storage in ("rgba32f", "buffer64") if threads == most else ("buffer",):
            with glfft.Plan(ctx, (4, 64), axes=(1,), algorithm=name, layers=2, storage=storage) as plan:
                values = random_values(plan.request.storage, plan.shape, plan.request.layers)
                assert_close(run_plan(plan, values, "inverse"), np.fft.ifft(values.astype(np.complex128)))


@pytest.mark.parametrize("place", ["buffer", "shared"])
def test_factors_may_be_computed_on_the_gpu(ctx: moderngl.Context, place: str) -> None:
    lines = random_complex((3, 64))
    found = forward(ctx, "word-group-4", lines, computed_twiddles=True, config=WordGroupConfig(4, place))
    assert_close(found, np.fft.fft(lines.astype(np.complex128)), COMPUTED_DB)


def test_constants_are_computed_in_python_and_not_on_the_gpu() -> None:
    wanted = axis_request((3, 64))
    family, config = FAMILY["word-group-4"], WordGroupConfig(1, "constant")
    assert family.fits(config, wanted)
    assert not family.fits(config, replace(wanted, computed_twiddles=True))


@pytest.mark.parametrize("name", ["word-group-4", "radix-22-constant-geometry", "multi-group-2"])
def test_where_threads_are_few_each_does_several_groups(
    ctx: moderngl.Context, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    restrict_device(ctx, monkeypatch, invocations=4)
    lines = random_complex((2, 64))
    for threads in (1, 4):
        (spec,) = FAMILY[name].passes(axis_request((2, 64), device=state_of(ctx).device), WordGroupConfig(threads))
        assert spec.threads == 4
        exact = np.fft.fft(lines.astype(np.complex128))
        assert_close(forward(ctx, name, lines, config=WordGroupConfig(threads)), exact)


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


def test_one_barrier_an_epoch_and_as_many_a_stage_as_shares_need() -> None:
    wanted = axis_request((1, 64))
    barriers = {
        (name, threads): FAMILY[name].passes(wanted, WordGroupConfig(threads))[0].barriers
        for name in ("word-group-2", "word-group-4", "word-group-8", "radix-22")
        for threads in schedules(name)
    }
    assert [barriers["word-group-2", threads] for threads in (1, 2, 4)] == [7, 13, 19]
    assert [barriers["word-group-4", threads] for threads in (1, 2, 4, 8)] == [4, 7, 13, 19]
    assert [barriers["word-group-8", threads] for threads in (1, 2, 4, 8, 16)] == [3, 7, 7, 13, 19]
    # Every second stage multiplies by nothing that needs a product.
    assert [barriers["radix-22", threads] for threads in (1, 2, 4, 8)] == [4, 7, 7, 10]


def test_a_line_in_several_work_groups_takes_two_dispatches() -> None:
    for name, groups in (("multi-group-2", 2), ("multi-group-4", 4), ("multi-group-8", 8)):
        family = FAMILY[name]
        wanted = axis_request((3, 512))
        first, second = [each for part in family.parts(wanted) for each in family.passes(part, WordGroupConfig())]
        assert first.groups == second.groups == (3, 1, groups)
        assert first.stores_where_it_loads
        assert not second.stores_where_it_loads
        assert second.shared_bytes == 2 * 8 * 512 // groups


def test_several_work_groups_may_take_radix_2_alone() -> None:
    for length in (64, 128):
        wanted = axis_request((1, length))
        radices = {
            name: [each.radices for part in FAMILY[name].parts(wanted) for each in FAMILY[name].passes(part, one)]
            for one in (WordGroupConfig(),)
            for name in ("multi-group-2", "multi-group-2-radix-2", "multi-group-4-radix-2")
        }
        stages = length.bit_length() - 1
        assert radices["multi-group-2-radix-2"] == [(2,), (2,) * (stages - 1)]
        assert radices["multi-group-4-radix-2"] == [(4,), (2,) * (stages - 2)]
        assert (radices["multi-group-2"][1] == (2,) * (stages - 1)) == (length == 128)


def test_auto_never_takes_one_and_they_are_listed_apart() -> None:
    assert not set(registry.algorithms()) & set(FAMILY)
    assert set(registry.algorithms(study=True)) >= set(FAMILY)
    assert not {family.name for family in registry.families_for(axis_request((1, 64)))} & set(FAMILY)


@pytest.mark.parametrize("name", ["word-group-4", "multi-group-2"])
def test_tuning_and_wisdom_take_them(
    ctx: moderngl.Context, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "wisdom.json"))
    favour_passes(monkeypatch, lambda spec: dict(spec.defines).get("GROUP_THREADS") in (2, None))
    with glfft.Plan(ctx, (2, 16), axes=(1,), algorithm=name) as plan:
        plan.tune(quick=True)
        assert dict(specs_of(plan)[-1].defines)["GROUP_THREADS"] == 2
    kept = json.dumps(json.loads((tmp_path / "wisdom.json").read_text()))
    assert name in kept


def test_a_kernel_for_parts_does_not_stand_for_whole_lines(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "wisdom.json"))
    with glfft.Plan(ctx, (32, 2), axes=(0,), algorithm="multi-group-2") as plan:
        plan.tune(quick=True)
    # 16 points, which is how long the parts were.
    with glfft.Plan(ctx, (16, 2), axes=(0,), algorithm="multi-group-2") as plan:
        assert [spec.shader for spec in specs_of(plan)] == ["fft/word_group_split.comp", "fft/word_groups.comp"] * 2


@pytest.mark.parametrize(
    "fields", [{"threads": 3}, {"threads": 16}, {"threads": 0}, {"threads": True}, {"twiddles": "?"}, {"words": 2}]
)
def test_wisdom_that_no_kernel_has_is_refused(fields: dict[str, object]) -> None:
    family = FAMILY["word-group-4"]
    good = WordGroupConfig(8, "shared")
    assert family.from_fields(family.to_fields(good), 64) == good
    with pytest.raises(ValueError, match=r"kernel|fields"):
        family.from_fields({**family.to_fields(good), **fields}, 64)
