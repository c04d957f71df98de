"""Transforms in CUDA, run on the CPU: right for lines and pictures, in one dispatch or several."""

from __future__ import annotations

import sys

import pytest
from support import cuda_on_cpu
from support.cuda import PretendCuda

from glfft.algorithms.storage import STORAGES
from glfft.apps.bench.cases import Case
from glfft.apps.bench.contender import OUT_OF_PLACE
from glfft.apps.bench.workload import Workload
from glfft.apps.papers import cuda
from glfft.apps.papers.cuda import GLOBAL_LOCAL, SINGLE_PASS, SOURCE, CudaPeer
from glfft.errors import LimitError

SIGNATURES = {"global_stage": "pppii", "local_stages": "pppiii", "transpose": "ppii"} | {
    kernel: "pppiii" for kernel, _ in SINGLE_PASS.values()
}
BUFFER = STORAGES["buffer"]


@pytest.fixture(scope="module")
def raw_kernel(tmp_path_factory: pytest.TempPathFactory):
    if cuda_on_cpu.COMPILER is None:
        pytest.skip("it takes g++")
    return cuda_on_cpu.raw_kernels(SOURCE, SIGNATURES, tmp_path_factory.mktemp("cuda"))


@pytest.fixture
def peer(monkeypatch: pytest.MonkeyPatch, raw_kernel: object) -> CudaPeer:
    PretendCuda().install(monkeypatch)
    monkeypatch.setattr(sys.modules["cupy"], "RawKernel", raw_kernel)
    # Few threads, so that short lines take several dispatches.
    monkeypatch.setattr(cuda, "THREADS", 4)
    return CudaPeer(GLOBAL_LOCAL[0])


@pytest.mark.parametrize(
    "case",
    [
        *(Case((1, length), axes=(1,), storage=BUFFER) for length in (2, 8, 32, 128)),
        Case((3, 16), axes=(1,), storage=BUFFER),
        Case((16, 3), axes=(0,), storage=BUFFER),
        Case((4, 32), storage=BUFFER),
    ],
    ids=lambda case: case.title,
)
def test_it_transforms_lines_and_pictures(peer: CudaPeer, case: Case) -> None:
    contender = peer.contender(Workload(case))
    assert contender.snr_db() > 120
    assert set(contender.ways) == {OUT_OF_PLACE}
    contender.release()
    on_writing = CudaPeer("global-local-on-writing").contender(Workload(case))
    assert on_writing.snr_db() > 120
    on_writing.release()


def test_a_line_takes_a_dispatch_a_stage_until_parts_fit_a_block(peer: CudaPeer) -> None:
    assert len(peer.contender(Workload(Case((1, 8), axes=(1,))))._calls) == 1
    assert len(peer.contender(Workload(Case((1, 32), axes=(1,))))._calls) == 3
    # Rows in one, and columns in two between two transpositions.
    assert len(peer.contender(Workload(Case((16, 8))))._calls) == 5


def test_what_cuda_cannot_compile_is_an_error_of_limits(peer: CudaPeer, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(code: str, name: str) -> None:
        raise RuntimeError("no\ncompiler")

    monkeypatch.setattr(sys.modules["cupy"], "RawKernel", refuse)
    with pytest.raises(LimitError, match="CUDA cannot run it here \\(no compiler\\)"):
        peer.contender(Workload(Case((4, 4))))


@pytest.mark.parametrize("algorithm", SINGLE_PASS)
@pytest.mark.parametrize(
    "case",
    [Case((4, 16)), Case((8, 4)), Case((1, 4), axes=(1,)), Case((3, 8), axes=(1,)), Case((16, 3), axes=(0,))],
    ids=lambda case: case.title,
)
def test_a_line_in_one_dispatch(peer: CudaPeer, monkeypatch: pytest.MonkeyPatch, algorithm: str, case: Case) -> None:
    monkeypatch.setattr(cuda, "THREADS", 8)
    contender = CudaPeer(algorithm).contender(Workload(case))
    assert contender.snr_db() > 120
    assert len(contender._calls) == len(case.axes)
    contender.release()
    with pytest.raises(LimitError, match="CUDA transforms lines of"):
        CudaPeer(algorithm).contender(Workload(Case((64, 4))))


@pytest.mark.parametrize("case", [Case((4, 12)), Case((4, 4), 2), Case((4, 4, 4))], ids=lambda case: case.title)
def test_what_it_cannot_do_is_refused(peer: CudaPeer, case: Case) -> None:
    with pytest.raises(LimitError, match="one picture, along powers of two"):
        peer.contender(Workload(case))
