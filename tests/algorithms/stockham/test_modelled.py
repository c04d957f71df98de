"""The kernel that is predicted to be the fastest."""

import importlib
from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import pytest
from support.paths import ROOT
from support.tolerances import assert_close, floor_of
from support.tuning import LEAST, lines_of, noise_transformed

from glfft.algorithms.axis_request import FourStepPart
from glfft.algorithms.device_constants import DeviceConstants
from glfft.algorithms.registry import family_of
from glfft.algorithms.stockham import modelled
from glfft.algorithms.stockham.candidates import candidates, neighbours
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.stockham.cost import predicted_us, work_of
from glfft.algorithms.stockham.kernel import kernel_pass
from glfft.algorithms.stockham.modelled import fastest, probes
from glfft.algorithms.storage import STORAGES
from glfft.gl.context import state_of
from glfft.gl.device import Device

GPU = "NVIDIA H200/PCIe/SSE2"
DEVICE = DeviceConstants()
LENGTHS = [2, 3, 16, 31, 64, 100, 343, 720, 1024, 1080, 2048, 3888, 4896, 5040, 7680]


@pytest.mark.parametrize("storage", ["rg32f", "buffer", "rgba16f"])
@pytest.mark.parametrize("axis", [0, 1])
def test_it_fits_and_nothing_near_it_is_predicted_to_be_faster(storage: str, axis: int) -> None:
    # Each length meets both axes, and in each storage one of them.
    for length in LENGTHS[(axis + ("rg32f", "buffer", "rgba16f").index(storage)) % 2 :: 2]:
        request = lines_of(length, storage, GPU, axis, lines=1000)
        found = fastest(request, DEVICE)
        if found is None:
            assert storage == "rgba16f"
            assert not candidates(request, 1) or length > 2048
            continue
        kernel, microseconds = found
        assert kernel.length == length
        assert kernel.fits(request.device.limits, request.storage)
        assert microseconds == predicted_us(work_of(request, kernel), DEVICE)
        others = [*neighbours(kernel, request), *candidates(request, 24)]
        least = min(predicted_us(work_of(request, each), DEVICE) for each in others)
        assert microseconds < 1.02 * least


@pytest.mark.parametrize(
    ("storage", "axis", "fewest"),
    [("rg32f", 0, 8), ("rgba32f", 0, 8), ("buffer", 0, 16), ("buffer", 1, 16)],
)
def test_lines_of_volumes_that_lie_apart_are_many_a_work_group(storage: str, axis: int, fewest: int) -> None:
    for shape in ((160, 160, 160), (36, 512, 512), (240, 240, 240), (90, 72, 120)):
        request = replace(lines_of(160, storage, GPU), shape=shape, axis=axis)
        found = fastest(request, DEVICE)
        assert found is not None
        assert found[0].lines >= fewest


def test_the_choice_depends_on_the_number_of_lines_and_on_the_device() -> None:
    few, many = (fastest(lines_of(1024, renderer=GPU, lines=lines), DEVICE) for lines in (16, 16384))
    assert few is not None
    assert many is not None
    assert few[0] != many[0]
    assert few[1] < many[1]
    slow = DEVICE.scaled({"gigabytes_per_second": 0.1})
    other = fastest(lines_of(1024, renderer=GPU, lines=16384), slow)
    assert other is not None
    assert other[1] > 5 * many[1]


def test_long_lines_go_in_pairs_where_a_unit_so_holds_more_of_them() -> None:
    limits = replace(LEAST, shared_memory=49152, invocations=1024, group_size=(1024, 1024, 64))

    def chosen(length: int, lines: int = 4096, **changed: Any) -> KernelConfig:
        request = replace(lines_of(length, axis=0, lines=lines), device=Device(limits, GPU), **changed)
        family = family_of("stockham")
        found = family.predicted_fastest(request, DEVICE)
        assert found is not None
        assert family.fits(found[0], request)
        return found[0]

    # 3120 points fill a unit's registers with one group of two lines; two groups of 2048 fit. For two of pairs of 4368
    # there is hardly room, for those of 5200 none.
    assert {length: chosen(length).line_pairs for length in (2048, 3120, 4200, 4368, 5200)} == {
        2048: False,
        3120: True,
        4200: True,
        4368: False,
        5200: False,
    }
    pair = chosen(8424)  # there is room for one such line alone
    assert (pair.line_pairs, pair.lines, pair.side_by_side) == (True, 2, True)
    assert not chosen(3120, lines=2048).line_pairs  # caches hold so few
    assert not chosen(3120, lines=4097).line_pairs
    assert not chosen(3120, inverse_scale=1.0).line_pairs
    assert not chosen(3120, lines=1536, storage=STORAGES["buffer"]).line_pairs
    # As caches do not keep rows of wider buffers, these are for no model.
    wide = replace(lines_of(3120, axis=0, lines=4096, storage="buffer"), device=Device(limits, GPU))
    assert family_of("stockham").predicted_fastest(wide, DEVICE) is None


def test_pairs_of_real_rows_take_as_few_lines_as_make_a_group_of_some_size(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = replace(LEAST, shared_memory=49152, invocations=1024, group_size=(1024, 1024, 64))
    pairs = replace(lines_of(2304, axis=1, lines=64), device=Device(limits, GPU), real=True, real_pairs=True)
    kernel = KernelConfig((16, 12, 12), 192, lines=4, side_by_side=True, exchange="in turn")
    monkeypatch.setattr(modelled, "fastest", lambda request, device: (kernel, 10.0))
    family = family_of("stockham")
    rows = replace(pairs, real=False, real_pairs=False)
    assert family.predicted_fastest(rows, DEVICE) == (kernel, 10.0)
    assert family.predicted_fastest(pairs, DEVICE) == (replace(kernel, lines=1, side_by_side=False), 10.0)


def test_a_line_that_leaves_no_shared_memory_for_padding_goes_without() -> None:
    limits = replace(LEAST, shared_memory=49152)
    for axis in (0, 1):
        request = replace(lines_of(12288, axis=axis, lines=4000), device=Device(limits, GPU))
        found = fastest(request, DEVICE)
        assert found is not None
        assert (found[0].padding, found[0].lines) == (0, 1)
        assert found[0].shared_bytes(request.storage) == limits.shared_memory


@pytest.mark.parametrize(
    ("length", "axis", "options", "expected"),
    [
        (8192, 1, {}, 2),
        (8192, 0, {}, 2),
        (4096, 1, {}, 2),
        (4096, 0, {}, 2),
        (2048, 1, {}, 2),
        (1920, 1, {}, 1),
        (3388, 1, {}, 1),
        (4096, 1, {"storage": "buffer"}, 1),
        (8192, 1, {"storage": "buffer"}, 2),
        (6144, 1, {"storage": "rgba32f"}, 1),
        (8192, 1, {"real_pairs": True}, 1),
        (8192, 1, {"inverse_scale": 1.0}, 1),
    ],
    ids=str,
)
def test_long_lines_that_fill_sectors_are_exchanged_in_pieces(
    length: int, axis: int, options: dict[str, Any], expected: int
) -> None:
    """Where whole they would take over a third of a group's shared memory, but not with primes over 7."""
    found = fastest(lines_of(length, axis=axis, renderer=GPU, lines=4000, **options), DEVICE)
    assert found is not None
    assert found[0].pieces == expected


@pytest.mark.parametrize("length", [3360, 3840])
def test_kernels_in_pieces_leave_registers_for_two_work_groups(length: int) -> None:
    """With so many threads as one group alone has registers for, an NVIDIA H200 took 1.5 times as long."""
    found = fastest(lines_of(length, renderer=GPU, lines=4000), DEVICE)
    assert found is not None
    assert found[0].pieces == 2
    assert found[0].invocations <= 256


def test_lines_go_in_pieces_in_few_stages() -> None:
    found = fastest(lines_of(3888, axis=0, renderer=GPU, lines=5184), DEVICE)
    assert found is not None
    assert found[0].pieces == 1 or len(found[0].radices) <= 3


def test_probes_fit_the_device_and_differ() -> None:
    for limits in (LEAST, replace(LEAST, shared_memory=49152)):
        found = probes(Device(limits, "Some GPU"))
        assert len(found) > 12
        assert len({kernel.length for _, kernel in found}) >= 5
        for request, kernel in found:
            assert kernel.length == request.length
            assert kernel.fits(limits, request.storage)
            assert max(request.shape) <= limits.texture_size


@pytest.mark.parametrize(("length", "axis"), [(36, 0), (66, 1), (128, 0), (500, 1)])
def test_it_transforms(ctx: moderngl.Context, length: int, axis: int) -> None:
    found = fastest(lines_of(length, renderer=GPU, axis=axis, lines=5), DEVICE)
    assert found is not None
    request = replace(lines_of(length, axis=axis, lines=5), device=state_of(ctx).device)
    values, result = noise_transformed(ctx, kernel_pass(request, found[0]))
    assert_close(result, np.fft.fft(values.astype(np.complex128), axis=axis - 2), floor_of(request.storage, 1))


@pytest.mark.parametrize("storage", ["rg32f", "buffer"])
def test_a_part_takes_neighbours_along_where_they_fit(storage: str) -> None:
    for length, lines in ((144, 8), (1024, 8), (2048, 4), (6000, 1)):
        part = FourStepPart(length, (), 24)
        request = lines_of(24 * length, storage, GPU, lines=64, part=part, algorithm="stockham")
        found = fastest(request, DEVICE)
        assert found is not None
        assert found[0].lines >= lines


def test_of_kernels_measured_on_a_gpu_the_choice_is_near_the_fastest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each pass is predicted by constants that are fitted to the times of others, as the page on tuning says."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    page = importlib.import_module("make_model_plot")
    passes = page.passes()
    choices, defaults = (np.array([getattr(each, name) for each in passes]) for name in ("choice", "default"))
    means = [float(np.exp(np.log(ratios).mean())) for ratios in (choices, defaults)]
    assert len(passes) == 138
    assert means[0] < 1.06 < 1.15 < means[1]
    assert (choices > 1.25).mean() < 0.04
    text = (ROOT / "docs" / "tuning.md").read_text(encoding="utf-8")
    assert f"kernels takes {means[0]:.3f} times" in text.replace("\n", " ")
    assert f"{choices.max():.2f} at worst; the default {means[1]:.2f} and {defaults.max():.2f}" in text.replace(
        "\n", " "
    )
