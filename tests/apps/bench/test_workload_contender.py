"""Libraries to compare with are named where they are missing, and the best way to run one is its fastest."""

from __future__ import annotations

import sys

import pytest
from support.bench import measured

from glfft.apps.bench.peers import open_peers
from glfft.apps.bench.workload import IN_PLACE, OUT_OF_PLACE
from glfft.errors import MissingExtraError


@pytest.mark.parametrize(("name", "module"), [("cufft", "cupy"), ("cufft-interop", "cupy"), ("pyfftw", "pyfftw")])
def test_a_library_that_is_not_installed_is_named(name: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=f"pip install {module}"):
        open_peers([name])


def test_the_best_way_is_the_fastest() -> None:
    assert measured(20.0).best.microseconds == 20.0
    both = measured(20.0, 10.0)
    assert both.best is both.ways[IN_PLACE]
    assert measured(10.0, 20.0).best.microseconds == both.ways[OUT_OF_PLACE].microseconds / 2
