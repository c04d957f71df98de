"""What a benchmark found, as numbers: rates, ratios and what is wrong."""

from __future__ import annotations

import dataclasses

import pytest
from support.bench import RESULT, frame_times


def test_rates_ratio_and_share_follow_their_definitions() -> None:
    assert RESULT.microseconds == 10.0  # the faster way
    assert RESULT.gflops == pytest.approx(3 * 5 * 32 * 5 / 10e-6 / 1e9)
    assert RESULT.gbytes_per_s == pytest.approx(1024 / 10e-6 / 1e9)
    assert RESULT.copy_share == pytest.approx(2 * 4.0 / 10.0)
    assert RESULT.ratio("scipy") == 2.0
    assert RESULT.ratio("cufft") == 3.0  # the best of either
    assert RESULT.ratio("pyfftw") is None


def test_frame_times_are_compared_free_running() -> None:
    frames = {"glfft": frame_times(10.0, 50.0), "cufft-interop": frame_times(300.0, 310.0)}
    result = dataclasses.replace(RESULT, frames=frames)
    assert result.frame_ratio("cufft-interop") == 30.0
    assert result.frame_ratio("glfft") == 1.0
    assert result.frame_ratio("numpy-round-trip") is None
    assert RESULT.frame_ratio("cufft-interop") is None
    assert RESULT.to_json()["frames"] == {}
    found = result.to_json()["frames"]["cufft-interop"]
    assert (found["free_running"]["microseconds"], found["finish_each"]["microseconds"]) == (300.0, 310.0)
    assert (found["timer"], found["snr_db"], found["ratio"]) == ("wall", 137.0, 30.0)
