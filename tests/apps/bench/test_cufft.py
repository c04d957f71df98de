"""cuFFT as a peer, with a pretend CuPy that computes by numpy: what is asked of it, and when."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from support.cuda import OutOfMemory, PretendCuda

from glfft.apps.bench.peers import open_peers
from glfft.apps.bench.suite import Case
from glfft.apps.bench.workload import IN_PLACE, OUT_OF_PLACE, Workload
from glfft.errors import LimitError
from glfft.profiling.timing import time_in_turn


@pytest.fixture
def cuda(monkeypatch: pytest.MonkeyPatch) -> PretendCuda:
    pretend = PretendCuda()
    pretend.install(monkeypatch)
    return pretend


@pytest.mark.parametrize("case", [Case((64, 64)), Case((16, 4), 3), Case((8, 512), axes=(1,)), Case((8, 4, 16))])
def test_it_transforms_out_of_place_and_in_place_within_float32(case: Case, cuda: PretendCuda) -> None:
    (peer,) = open_peers(["cufft"]).libraries
    assert peer.description == "cuFFT 11000 through CuPy 0 on a pretend GPU"
    contender = peer.set_up(Workload(case))
    assert contender.snr_db() > 130
    ways = contender.ways
    assert set(ways) == {OUT_OF_PLACE, IN_PLACE}
    for timing in time_in_turn(list(ways.values()), samples=6):
        assert timing.microseconds == pytest.approx(1.0)
    assert {True, False} == set(cuda.plans[0].in_place)
    assert cuda.plans[0].in_place.count(True) > 50, "many calls a sample"
    assert cuda.plans[0].finite
    assert contender.snr_db() > 130, "the source is as it was"
    contender.release()


def test_what_does_not_fit_is_an_error_of_limits(cuda: PretendCuda, monkeypatch: pytest.MonkeyPatch) -> None:
    (peer,) = open_peers(["cufft"]).libraries

    def refuse(array: Any) -> None:
        raise OutOfMemory("no\nmemory")

    monkeypatch.setattr(sys.modules["cupy"], "asarray", refuse)
    with pytest.raises(LimitError, match="no memory"):
        peer.set_up(Workload(Case((4, 4))))
