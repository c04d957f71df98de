"""cuFFT as a peer, with a pretend CuPy that computes by numpy: what is asked of it, and when."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from glfft.bench.cases import Case
from glfft.bench.contender import IN_PLACE, OUT_OF_PLACE
from glfft.bench.peers import open_peers
from glfft.bench.workload import Workload
from glfft.errors import LimitError
from glfft.tuning.timing import time_in_turn


class OutOfMemory(Exception):
    pass


class PretendPlan:
    """An unscaled transform in float32, as cuFFT does; remembers what it was given and what became of it."""

    def __init__(self, array: Any, axes: tuple[int, ...]) -> None:
        self.axes = axes
        self.in_place: list[bool] = []
        self.finite = True

    def fft(self, source: Any, target: Any, direction: int) -> None:
        assert direction == -1
        self.in_place.append(source is target)
        with np.errstate(over="ignore", invalid="ignore"):
            target[...] = np.fft.fftn(source.astype(np.complex128), axes=self.axes)
        self.finite = self.finite and bool(np.isfinite(target).all()) and bool(np.abs(target).max() > 1e-36)


class PretendEvent:
    """A stamp of a queue that is always full; each call takes a microsecond."""

    plans: ClassVar[list[PretendPlan]] = []
    done = False
    at = 0

    def record(self) -> None:
        self.at = sum(len(plan.in_place) for plan in self.plans)

    def synchronize(self) -> None:
        pass


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> list[PretendPlan]:
    """The plans made with the pretend CuPy that is installed."""
    made: list[PretendPlan] = []
    PretendEvent.plans = made

    def get_fft_plan(array: Any, axes: tuple[int, ...], value_type: str) -> PretendPlan:
        assert value_type == "C2C"
        made.append(PretendPlan(array, axes))
        return made[-1]

    cupy = ModuleType("cupy")
    cupy.__dict__.update(
        __version__="0",
        asarray=np.array,
        asnumpy=np.asarray,
        empty_like=np.empty_like,
        copyto=np.copyto,
        RawKernel=lambda code, name: lambda blocks, threads, arguments: None,
        get_default_memory_pool=lambda: SimpleNamespace(free_all_blocks=lambda: None),
        cuda=SimpleNamespace(
            Device=lambda: SimpleNamespace(id=0, synchronize=lambda: None),
            Event=PretendEvent,
            cufft=SimpleNamespace(CUFFT_FORWARD=-1, CuFFTError=ZeroDivisionError, getVersion=lambda: 11000),
            get_elapsed_time=lambda first, second: (second.at - first.at) * 1e-3,
            memory=SimpleNamespace(OutOfMemoryError=OutOfMemory),
            runtime=SimpleNamespace(getDeviceProperties=lambda device: {"name": b"a pretend GPU"}),
        ),
    )
    fft = ModuleType("cupyx.scipy.fft")
    fft.__dict__["get_fft_plan"] = get_fft_plan
    for name, module in (("cupy", cupy), ("cupyx", ModuleType("cupyx")), ("cupyx.scipy.fft", fft)):
        monkeypatch.setitem(sys.modules, name, module)
    return made


@pytest.mark.parametrize("case", [Case((64, 64)), Case((16, 4), 3), Case((8, 512), axes=(1,))])
def test_it_transforms_out_of_place_and_in_place_within_float32(case: Case, plans: list[PretendPlan]) -> None:
    (peer,) = open_peers(["cufft"])
    assert peer.description == "cuFFT 11000 through CuPy 0 on a pretend GPU"
    contender = peer.contender(Workload(case))
    assert contender.snr_db() > 130
    ways = contender.ways
    assert set(ways) == {OUT_OF_PLACE, IN_PLACE}
    for timing in time_in_turn(list(ways.values()), samples=6):
        assert timing.microseconds == pytest.approx(1.0)
    assert {True, False} == set(plans[0].in_place)
    assert plans[0].in_place.count(True) > 50, "many calls a sample"
    assert plans[0].finite
    assert contender.snr_db() > 130, "the source is as it was"
    contender.release()


def test_what_does_not_fit_is_an_error_of_limits(plans: list[PretendPlan], monkeypatch: pytest.MonkeyPatch) -> None:
    (peer,) = open_peers(["cufft"])

    def refuse(array: Any) -> None:
        raise OutOfMemory("no\nmemory")

    monkeypatch.setattr(sys.modules["cupy"], "asarray", refuse)
    with pytest.raises(LimitError, match="no memory"):
        peer.contender(Workload(Case((4, 4))))
