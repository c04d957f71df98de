"""Which of the measured kernels a request takes: the nearest on such a device."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import moderngl
import pytest
from support.wisdom import KERNEL, LIMITS, OTHER, chosen, entry, request, why

import glfft
from glfft.algorithms import registry
from glfft.algorithms.axis_request import FourStepPart
from glfft.algorithms.stockham import modelled
from glfft.algorithms.stockham.config import SWAPPED, KernelConfig
from glfft.algorithms.storage import STORAGES
from glfft.engine.request import CONVOLVE
from glfft.gl.context import state_of
from glfft.tuning.workbench import tunable
from glfft.wisdom import lookup, store
from glfft.wisdom.entries import FORMAT_VERSION


def test_what_is_shipped_is_understood_to_the_last_entry() -> None:
    files = list((resources.files("glfft.wisdom") / "devices").iterdir())
    assert {"nvidia-h200.json"} < {file.name for file in files}
    contents = [json.loads(file.read_text()) for file in files]
    assert [content["version"] for content in contents] == [FORMAT_VERSION] * len(files)
    entries = [entry for content in contents for entry in content["entries"]]
    assert sum(len(lookup.shipped(length)) for length in {entry["length"] for entry in entries}) == len(entries)


def test_what_does_not_fit_a_smaller_device_is_ignored(file: Path) -> None:
    store.remember([entry()])
    limits = replace(LIMITS, shared_memory=KERNEL.shared_bytes(STORAGES["rg32f"]) - 1)
    small = replace(request(), device=replace(request().device, limits=limits))
    assert chosen(small) != KERNEL
    assert chosen(small).fits(limits, STORAGES["rg32f"])


def test_the_entry_nearest_in_points_is_taken(file: Path) -> None:
    store.remember([entry(rows=8), entry(OTHER, rows=1024)])
    assert chosen(request(rows=16)) == KERNEL
    assert chosen(request(rows=512)) == OTHER


def test_more_points_than_caches_hold_are_near_each_other(file: Path) -> None:
    store.remember([entry(rows=2**18)])
    assert chosen(request(rows=2**22)) == KERNEL
    assert ", the nearest measured to " in why(request(rows=2**22))
    store.remember([entry(OTHER, rows=2**21, microseconds=40.0)])
    assert (chosen(request(rows=2**18)), chosen(request(rows=2**22))) == (KERNEL, OTHER)


def test_a_neighbour_is_called_one(file: Path) -> None:
    store.remember([entry(rows=8)])
    of_its_own = "tuned on this device: 5 us a pass of 512 points of rg32f"
    assert why(request(rows=8)) == of_its_own
    assert why(request(rows=16)) == f"{of_its_own}, the nearest measured to 1024 points of rg32f"
    assert why(request("rg16f", rows=8)) == f"{of_its_own}, the nearest measured to 512 points of rg16f"
    nvidia: dict[str, Any] = {"renderer": "NVIDIA H200/PCIe/SSE2", "driver": "NVIDIA 580"}
    for points in (2**10, 2**24):
        assert ", the nearest measured to " in why(request(rows=points // 64, **nvidia))
    measured = next(each for each in lookup.shipped(64) if each.axis == 1 and each.components == 2)
    assert "nearest" not in why(request(rows=measured.points // 64, renderer=measured.renderer))


def test_the_same_storage_comes_before_the_same_number_of_points(file: Path) -> None:
    store.remember([entry(), entry(OTHER, storage="rg16f", rows=8)])
    assert chosen(request("rg16f")) == OTHER
    assert chosen(request("rgba32f")) in (KERNEL, OTHER)


def test_on_a_gpu_what_was_measured_in_textures_says_nothing_of_buffers(file: Path) -> None:
    store.remember([entry(), entry(renderer="llvmpipe")])
    assert why(request("buffer")).startswith("reasoned")
    assert chosen(request("buffer", renderer="llvmpipe")) == KERNEL


def test_what_was_measured_in_buffers_comes_before_what_was_measured_in_textures(file: Path) -> None:
    store.remember([entry(OTHER, storage="buffer"), replace(entry(), storage="", microseconds=1.0)])
    assert chosen(request("buffer")) == OTHER
    assert chosen(request()) == KERNEL


def test_single_and_double_precision_know_nothing_of_each_other(file: Path) -> None:
    store.remember([entry(), entry(OTHER, storage="buffer")])
    # Entries of old are about any storage with so many channels, of single precision.
    store.remember([replace(entry(OTHER), storage="")])
    assert chosen(request("buffer_double")) not in (KERNEL, OTHER)
    assert why(request("buffer_double")).startswith("reasoned")
    store.remember([entry(KERNEL, storage="buffer_double")])
    assert chosen(request("buffer_double")) == KERNEL
    assert chosen(request("buffer")) == OTHER


def test_what_was_tuned_here_comes_before_what_is_shipped(file: Path) -> None:
    nvidia: dict[str, Any] = {"renderer": "NVIDIA H200/PCIe/SSE2", "driver": "NVIDIA 580"}
    shipped = chosen(request(**nvidia))
    assert why(request(**nvidia)).startswith("shipped wisdom: ")
    assert shipped != OTHER
    store.remember([entry(OTHER, **nvidia)])
    assert chosen(request(**nvidia)) == OTHER
    # What is shipped for a picture of this size is nearer than what was tuned for one a thousand times as large.
    store.remember([replace(entry(OTHER, **nvidia), points=2**22)])
    store._known[store.path()].pop(entry(OTHER, **nvidia).key)
    assert chosen(request(**nvidia)) == shipped


def test_far_from_what_was_measured_predicted_times_decide(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nvidia: dict[str, Any] = {"renderer": "NVIDIA H200/PCIe/SSE2", "driver": "NVIDIA 580"}
    monkeypatch.setattr(lookup, "shipped", lambda length: [])
    slow = KernelConfig((2,) * 6, 8)
    store.remember([entry(slow, rows=4096, **nvidia)])
    assert chosen(request(rows=4 * 4096, **nvidia)) == slow
    assert chosen(request("rg16f", rows=4 * 4096, **nvidia)) == slow
    for far in (request(rows=5 * 4096, **nvidia), request(rows=16, **nvidia), request("rgba16f", rows=4096, **nvidia)):
        assert chosen(far) != slow
        assert why(far).startswith("predicted to take ")
    # Of half precision, what was measured near comes before that of single precision.
    store.remember([entry(OTHER, rows=2048, storage="rg16f", **nvidia)])
    assert (chosen(request("rg16f", rows=4096, **nvidia)), chosen(request(rows=4096, **nvidia))) == (OTHER, slow)
    # One that was measured is taken before one that is predicted to be hardly faster.
    wanted = request(rows=16, **nvidia)
    fastest = lookup.predicted(wanted, registry.family_of("stockham"))
    assert fastest is not None
    assert isinstance(fastest.config, KernelConfig)
    alike = replace(fastest.config, lines=2 * fastest.config.lines)
    store.remember([entry(alike, rows=4096, **nvidia)])
    monkeypatch.setattr(modelled, "MEASURED", 0.01)
    assert chosen(wanted) == alike
    assert why(wanted).startswith("tuned on this device: ")
    assert why(wanted).endswith(", the nearest measured to 1024 points of rg32f")
    monkeypatch.setattr(modelled, "MEASURED", 100.0)
    assert chosen(wanted) == fastest.config


def test_lines_go_in_pairs_where_that_was_measured_to_gain(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nvidia: dict[str, Any] = {"renderer": "NVIDIA H200/PCIe/SSE2", "driver": "NVIDIA 580"}
    alone = KernelConfig((8, 8), 8, 2, True, "in turn")
    pairs = replace(alone, radices=(4, 4, 4), lines=4, line_pairs=True)
    held = [entry(alone, 9.0, rows=6000, **nvidia), entry(pairs, 9.5, rows=4000, **nvidia)]
    monkeypatch.setattr(lookup, "shipped", lambda length: [each.for_others for each in held])
    assert chosen(request(rows=6000, **nvidia)) == pairs
    assert chosen(request(rows=3000, **nvidia)) == pairs
    # In few lines, in twice as many or nearly so, convolved or exchanged with mirrored ones they do not gain.
    wanted = request(rows=6000, **nvidia)
    for other in (
        request(rows=2500, **nvidia),
        request(rows=7960, **nvidia),
        request(rows=8001, **nvidia),
        replace(wanted, inverse_scale=1.0),
        replace(wanted, real=True, real_pairs=True),
    ):
        assert chosen(other) == alone
    assert chosen(replace(request(rows=6000), device=replace(wanted.device, renderer="llvmpipe"))) != pairs
    # The user's own measurements come before what is shipped.
    store.remember([held[0]])
    assert chosen(wanted) == alone


def test_lines_go_in_pieces_as_in_pairs_where_memory_has_room_for_both(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nvidia: dict[str, Any] = {"renderer": "NVIDIA H200/PCIe/SSE2", "driver": "NVIDIA 580"}
    whole = KernelConfig((8, 8), 8, 2, True, "in turn")
    pieces = replace(whole, pieces=2)
    held = [entry(whole, 9.0, rows=6000, **nvidia), entry(pieces, 9.5, rows=4000, **nvidia)]
    monkeypatch.setattr(lookup, "shipped", lambda length: [each.for_others for each in held])
    wanted = request(rows=6000, **nvidia)
    for rows in (1001, 3000, 6000, 15900):
        assert chosen(request(rows=rows, **nvidia)) == pieces
    assert chosen(replace(wanted, inverse_scale=1.0)) == whole
    # Where only pieces fit, the nearest in points is taken.
    held[0] = entry(replace(whole, lines=1), 9.0, rows=6000, **nvidia)
    small = replace(LIMITS, shared_memory=whole.shared_bytes(STORAGES["rg32f"]) - 1)
    assert chosen(replace(wanted, device=replace(wanted.device, limits=small))) == replace(whole, lines=1)


def test_swapped_points_go_before_pieces_in_single_pictures(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nvidia: dict[str, Any] = {"renderer": "NVIDIA H200/PCIe/SSE2", "driver": "NVIDIA 580"}
    whole = KernelConfig((8, 8), 8, 2, True, "in turn")
    swapped, pieces = replace(whole, padding=SWAPPED), replace(whole, pieces=2)
    held = [entry(each, 9.0, rows=rows, **nvidia) for each, rows in ((swapped, 6000), (pieces, 4000), (whole, 6000))]
    monkeypatch.setattr(lookup, "shipped", lambda length: [each.for_others for each in held])
    wanted = request(rows=6000, **nvidia)
    assert chosen(wanted) == chosen(request(rows=4900, **nvidia)) == swapped
    assert chosen(replace(request(rows=3000, **nvidia), layers=2)) == chosen(request(rows=4100, **nvidia)) == pieces
    convolved = replace(wanted, inverse_scale=1.0)
    assert chosen(convolved) in (swapped, whole), "neither goes before the other"


def test_the_choice_says_where_its_measurement_comes_from(file: Path) -> None:
    nvidia: dict[str, Any] = {"renderer": "NVIDIA H200/PCIe/SSE2", "driver": "NVIDIA 580"}
    far: dict[str, Any] = {"renderer": "A GPU that nobody has measured"}
    ((_, reasoned),) = lookup.choose(request(**far))
    ((_, shipped),) = lookup.choose(request(**nvidia))
    store.take_over([entry(OTHER, **nvidia).for_others])
    ((_, imported),) = lookup.choose(request(**nvidia))
    store.remember([entry(KERNEL, 9.0, **nvidia)])
    ((_, measured),) = lookup.choose(request(**nvidia))
    assert ":" not in reasoned.why
    assert shipped.why.startswith("shipped wisdom: ")
    assert imported.why == "imported wisdom: 5 us a pass of 4096 points of rg32f on NVIDIA H200"
    assert measured.why == "tuned on this device: 9 us a pass of 4096 points of rg32f"


def test_of_shipped_entries_the_one_of_the_narrower_family_is_taken(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide, narrow = replace(entry(KERNEL).for_others, renderer="Some"), entry(OTHER, 9.0).for_others
    monkeypatch.setattr(lookup, "shipped", lambda length: [wide, narrow])
    assert chosen(request(renderer="Some Device 7/PCIe", driver="Another 2")) == OTHER
    assert chosen(request(renderer="Some Device 8", driver="Another 2")) == KERNEL


def test_what_is_kept_for_computed_loads_serves_passes_with_such_alone(file: Path) -> None:
    computed = replace(request(), loads_computed=True)
    store.remember([entry(microseconds=5.0), replace(entry(OTHER, microseconds=6.0), loads_computed=True)])
    assert chosen(computed) == OTHER
    assert chosen(request()) == KERNEL
    assert chosen(computed.plain) == KERNEL
    # Without an entry of its own, such a pass takes what suits plain ones.
    store.remember([entry(OTHER, rows=8)])
    assert chosen(replace(request(rows=8), loads_computed=True)) == OTHER


def test_what_is_kept_for_convolutions_serves_those_alone_before_nearer_ones_of_all(file: Path) -> None:
    own = replace(request(), convolution="complex")
    store.remember([entry(microseconds=5.0), replace(entry(OTHER, microseconds=9.0), convolution="complex")])
    assert chosen(own) == chosen(replace(own, inverse_scale=1.0)) == OTHER
    assert chosen(request()) == chosen(own.plain) == chosen(replace(own, convolution="real")) == KERNEL
    # Texels of more numbers leave less room for both transforms: they take a plain one.
    assert chosen(replace(request("rgba32f"), convolution="complex")) == KERNEL
    store.remember([entry(rows=32), entry(rows=8)])
    assert chosen(replace(request(rows=32), convolution="complex")) == OTHER
    assert chosen(replace(request(rows=8), convolution="complex")) == KERNEL, "the other was measured far away"
    ((_, choice),) = lookup.choose(own)
    assert " 9 us a convolution of " in choice.why


def test_what_is_kept_for_real_lines_serves_those_alone_before_nearer_ones_of_all(file: Path) -> None:
    alone, in_pairs = (replace(request(rows=16), real=True, real_pairs=pairs) for pairs in (False, True))
    store.remember([entry(rows=16), replace(entry(OTHER, rows=8), reals="in pairs")])
    assert chosen(in_pairs) == OTHER
    assert chosen(request(rows=16)) == chosen(alone) == KERNEL
    # What was measured far away does not count more for being of real lines.
    far = replace(request(rows=512), real=True, real_pairs=True)
    store.remember([entry(rows=512)])
    assert chosen(far) == KERNEL
    # A line that goes as half of its points, and a part of one, go as complex ones do.
    assert replace(alone, halved=True).reals == replace(alone, part=FourStepPart(4, (), 16)).reals == ""


def test_pairs_of_real_rows_take_fewer_lines_a_work_group_than_complex_rows(file: Path) -> None:
    kernel = replace(KERNEL, lines=32, side_by_side=True)
    pairs = replace(request(), real=True, real_pairs=True)
    for lines in (64, 32):
        store.remember([entry(replace(kernel, lines=lines))])
        assert chosen() == replace(kernel, lines=lines)
        assert chosen(pairs) == replace(kernel, lines=16)
    # Those that were measured on pairs are as they were, as are groups that would have few threads.
    store.remember([replace(entry(kernel), reals="in pairs")])
    assert chosen(pairs) == kernel
    few = replace(request(), shape=(4096, 64), real=True, real_pairs=True)
    store.remember([entry(rows=4096)])
    assert chosen(few) == KERNEL
    # Two lines a thread are one for pairs, and a buffer's rows fill its sectors alone.
    store.remember([entry(replace(kernel, lines=64, line_pairs=True), rows=4096)])
    assert chosen(few) == replace(kernel, lines=16)
    buffer = replace(pairs, storage=STORAGES["buffer"])
    store.remember([entry(kernel, storage="buffer")])
    assert chosen(buffer) == kernel


def test_what_is_shipped_for_real_lines_gives_way_to_what_was_tuned_near(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = replace(request(rows=16), real=True)
    shipped = [replace(entry(OTHER, rows=16).for_others, reals="alone"), entry(KERNEL, rows=16).for_others]
    monkeypatch.setattr(lookup, "shipped", lambda length: shipped)
    assert chosen(real) == OTHER
    store.remember([entry(KERNEL, rows=32)])
    assert chosen(replace(real, shape=(32, 64))) == KERNEL
    store.remember([replace(entry(OTHER, rows=8), reals="alone")])
    assert chosen(replace(real, shape=(32, 64))) == OTHER


def test_what_is_shipped_of_convolutions_stays_before_what_was_tuned_in_passes(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = replace(request(), convolution="complex")
    shipped = [replace(entry(OTHER).for_others, convolution="complex")]
    monkeypatch.setattr(lookup, "shipped", lambda length: shipped)
    store.remember([entry(microseconds=1.0)])
    assert chosen(own) == OTHER
    assert chosen(request()) == KERNEL
    specs, plain = (lookup.passes(replace(each, algorithm="stockham")) for each in (own, request()))
    assert tunable([*specs, *plain]) == tunable(plain) != []
    assert tunable(specs) == [], "times of its passes alone would not be used"


def test_a_plan_runs_what_is_kept_and_says_so(ctx: moderngl.Context, file: Path) -> None:
    with glfft.Plan(ctx, (8, 64), algorithm="stockham") as plan:
        before = {each.spec.radices for each in plan._pipelines[-1].passes}
    kept = next(kernel for kernel in (KERNEL, OTHER) if kernel.radices not in before)
    device = state_of(ctx).device
    store.remember([entry(kept, rows=8, renderer=device.renderer, driver=device.driver)])
    with glfft.Plan(ctx, (8, 64), algorithm="stockham") as plan:
        assert kept.radices in [each.spec.radices for each in plan._pipelines[-1].passes]
        assert "rows: tuned on this device" in plan.explain()


@pytest.mark.parametrize("real", [False, True])
def test_passes_of_a_convolution_say_so(ctx: moderngl.Context, real: bool) -> None:
    with glfft.Plan(ctx, (16, 32), real=real, multiply="value product(ivec3 at, value v) { return v; }") as plan:
        passes = [each.spec for each in plan._pipelines[CONVOLVE].passes]
    assert passes
    assert {each.request.convolution for each in passes} == {"real" if real else "complex"}


def test_what_is_shipped_of_convolutions() -> None:
    for kind, components, axis in itertools.product(("complex", "real"), (2, 4), (0, 1)):
        device = replace(request(renderer="NVIDIA H200/PCIe/SSE2", driver="NVIDIA 580")).device
        found = lookup.of_convolutions(kind, axis, components, device)
        assert all((e.convolution, e.axis, e.components) == (kind, axis, components) for e in found)
        assert bool(found) == ((kind, components) != ("real", 4))
        assert not lookup.of_convolutions(kind, axis, components, request().device)
