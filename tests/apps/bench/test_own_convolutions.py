"""Convolutions as contenders: glfft's and the libraries' agree with float64, and a wrong one shows."""

from __future__ import annotations

import types

import moderngl
import numpy as np
import pytest
import scipy.fft

from glfft.algorithms.storage import STORAGES
from glfft.apps.bench.benchmark import benchmark
from glfft.apps.bench.cufft import cufft_convolution
from glfft.apps.bench.peers import Peers, open_peers
from glfft.apps.bench.suite import SUITES, ConvolutionCase
from glfft.apps.bench.workload import IN_PLACE, OUT_OF_PLACE, Workload
from glfft.apps.signal_to_noise import EXPECTED_DB
from glfft.plan import Plan

HALF = STORAGES["rgba16f"]
CASES = [
    ConvolutionCase((8, 16)),
    ConvolutionCase((16, 8), 3, own_kernels=True),
    ConvolutionCase((16, 16), 2, filled=(2, 3)),
    ConvolutionCase((9, 12), real=True, kernel=(4, 5)),
    ConvolutionCase((9, 12), 4, storage=HALF, real=True, kernel=(5, 4)),
]


def test_glfft_and_scipy_agree_with_float64(ctx: moderngl.Context) -> None:
    found = benchmark(ctx, CASES, ["auto"], open_peers(["scipy"]), samples=5)
    assert not found.skipped
    for case, result in zip(CASES, found.results, strict=True):
        assert result.is_right(), result.measured.snr_db
        assert (result.peers["scipy"].snr_db or 0) > EXPECTED_DB - 6.0
        assert set(result.measured.ways) == {OUT_OF_PLACE, *([] if case.kernel or case.filled else [IN_PLACE])}
    assert [result.case.title for result in found.results] == [
        "convolution 8x16",
        "convolution 16x8 x 3, own kernels",
        "convolution 16x16 x 2, 2x3 filled",
        "convolution 9x12 with 4x5",
        "convolution 9x12 x 4 with 5x4 rgba16f",
    ]


def test_a_wrong_convolution_shows(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Plan, "convolve", Plan.forward)
    (result,) = benchmark(ctx, CASES[:1], ["auto"], Peers(), samples=5).results
    assert not result.is_right()


def test_what_cannot_be_timed_is_skipped_with_a_sentence(ctx: moderngl.Context) -> None:
    three = ConvolutionCase((8, 8), 3, real=True, kernel=(3, 3))
    paired = ConvolutionCase((8, 8), 2, storage=STORAGES["rgba32f"], own_kernels=True)
    found = benchmark(ctx, [three, paired], ["auto"], Peers(), samples=5)
    assert not found.results
    assert ["1, 2 or 4 channels" in found.skipped[0], "one picture a layer" in found.skipped[1]] == [True, True]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_transforms_and_a_product_on_a_pretend_card_are_right(case: ConvolutionCase) -> None:
    pool = types.SimpleNamespace(free_all_blocks=lambda: None)
    cupy = types.SimpleNamespace(asarray=np.array, asnumpy=np.asarray, get_default_memory_pool=lambda: pool)
    cupy.cuda, cupy.RawKernel = None, lambda *_: None
    contender = cufft_convolution(cupy, scipy.fft, Workload(case))
    assert contender.snr_db() > EXPECTED_DB - 6.0
    assert contender.snr_db() > EXPECTED_DB - 6.0, "the pictures are as they were"
    assert set(contender.ways) == {OUT_OF_PLACE}
    contender.release()


def test_the_suite_has_each_kind_and_peers_do_twice_the_work() -> None:
    cases = SUITES["convolution"].cases
    assert all(isinstance(case, ConvolutionCase) for case in cases)
    assert len({case.title for case in cases}) == len(cases)
    circular = ConvolutionCase((64, 64))
    assert circular.operations == 2 * 5 * 64**2 * 12
