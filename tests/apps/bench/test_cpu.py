"""Libraries on the CPU do the transform that they are timed for."""

from __future__ import annotations

import pytest

from glfft.apps.bench.cpu import REFERENCES
from glfft.apps.bench.peers import open_peers
from glfft.apps.bench.suite import Case
from glfft.apps.bench.workload import OUT_OF_PLACE, Workload
from glfft.errors import LimitError


@pytest.mark.parametrize("name", ["scipy", *REFERENCES])
@pytest.mark.parametrize("axes", [(0, 1), (1,)])
def test_a_peer_does_the_transform_it_is_timed_for(name: str, axes: tuple[int, ...]) -> None:
    (peer,) = open_peers([name]).libraries
    contender = peer.set_up(Workload(Case((8, 16), batch=2, axes=axes)))
    assert contender.snr_db() > (130 if name == "scipy" else 250)
    assert contender.ways[OUT_OF_PLACE].sample() > 0


def test_only_scipy_has_cosine_transforms() -> None:
    workload = Workload(Case((6, 10), batch=2, cosine=True))
    scipy, textbook = open_peers(["scipy", "dft"]).libraries
    assert scipy.set_up(workload).snr_db() > 130
    with pytest.raises(LimitError):
        textbook.set_up(workload)


def test_fftw_does_the_transform_it_is_timed_for() -> None:
    pytest.importorskip("pyfftw")
    (peer,) = open_peers(["pyfftw"]).libraries
    contender = peer.set_up(Workload(Case((8, 16), batch=2)))
    assert contender.snr_db() > 130
    assert contender.ways[OUT_OF_PLACE].sample() > 0
    assert contender.snr_db() > 130
