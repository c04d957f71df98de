"""vkdispatch as a peer: convolutions as numpy's where it is installed, a sentence where it is not or cannot do it."""

from __future__ import annotations

import sys

import pytest

from glfft.apps.bench.peers import open_peers
from glfft.apps.bench.suite import Case, ConvolutionCase
from glfft.apps.bench.workload import IN_PLACE, Workload
from glfft.errors import LimitError, MissingExtraError
from glfft.profiling.timing import time_in_turn


@pytest.mark.parametrize("name", ["vkdispatch", "vkfft"])
def test_without_the_package_it_is_said_how_to_get_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vkdispatch", None)
    with pytest.raises(MissingExtraError) as caught:
        open_peers([name])
    assert "pip install vkdispatch" in str(caught.value)


@pytest.mark.parametrize("name", ["vkdispatch", "vkfft"])
@pytest.mark.parametrize(
    "case",
    [
        ConvolutionCase((64, 32)),
        ConvolutionCase((16, 32), 3),
        ConvolutionCase((16, 32), 3, own_kernels=True),
        ConvolutionCase((64, 64), filled=(8, 8)),
        ConvolutionCase((32, 32), 2, filled=(4, 8)),
    ],
    ids=lambda case: case.title,
)
def test_convolutions_are_numpys(case: ConvolutionCase, name: str) -> None:
    pytest.importorskip("vkdispatch")
    (peer,) = open_peers([name]).libraries
    assert "vkdispatch " in peer.description
    if name == "vkfft" and case.batch > 1 and not case.own_kernels:
        with pytest.raises(LimitError, match="share"):
            peer.set_up(Workload(case))
        return
    contender = peer.set_up(Workload(case))
    assert contender.snr_db() > 120
    (timing,) = time_in_turn([contender.ways[IN_PLACE]], samples=3)
    assert timing.microseconds > 0
    assert contender.snr_db() > 120
    contender.release()
    for other in (Case((16, 16)), ConvolutionCase((16, 16), kernel=(3, 3))):
        with pytest.raises(LimitError):
            peer.set_up(Workload(other))
