"""Transforms in CUDA, run on the CPU: right for lines and pictures, in one dispatch or several."""

from __future__ import annotations

import sys

import pytest
from support import cuda_on_cpu
from support.cuda import PretendCuda

from glfft.algorithms.storage import STORAGES
from glfft.apps.bench.suite import Case
from glfft.apps.bench.workload import OUT_OF_PLACE, Peer, Workload
from glfft.apps.papers import cuda
from glfft.apps.papers.chapter import read_text
from glfft.apps.papers.cuda import GLOBAL_LOCAL, SINGLE_PASS, cuda_peers
from glfft.errors import LimitError

SIGNATURES = {"global_stage": "pppii", "local_stages": "pppiii", "transpose": "ppii"} | {
    kernel: "pppiii" for kernel, _ in SINGLE_PASS.values()
}
BUFFER = STORAGES["buffer"]
# Threads along a side of a block that transposes: each is a thread of the processor's, which takes long to start.
TILE = 8


@pytest.fixture(scope="module")
def raw_kernel(tmp_path_factory: pytest.TempPathFactory):
    if cuda_on_cpu.COMPILER is None:
        pytest.skip("it takes g++")
    source = read_text("transforms.cu").replace("TILE", str(TILE))
    return cuda_on_cpu.raw_kernels(source, SIGNATURES, tmp_path_factory.mktemp("cuda"))


@pytest.fixture
def peer(monkeypatch: pytest.MonkeyPatch, raw_kernel: object) -> Peer:
    PretendCuda().install(monkeypatch)
    monkeypatch.setattr(sys.modules["cupy"], "RawKernel", raw_kernel)
    # Few threads, so that short lines take several dispatches and small pictures several blocks.
    monkeypatch.setattr(cuda, "THREADS", 4)
    monkeypatch.setattr(cuda, "_TILE", TILE)
    return opened(GLOBAL_LOCAL[0])


def opened(algorithm: str) -> Peer:
    (found,) = cuda_peers([algorithm])
    return found


def dispatches(case: Case, algorithm: str = GLOBAL_LOCAL[0]) -> int:
    return len(cuda._Dispatches(sys.modules["cupy"], Workload(case), algorithm)._calls)


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
def test_it_transforms_lines_and_pictures(peer: Peer, case: Case) -> None:
    contender = peer.set_up(Workload(case))
    assert contender.snr_db() > 120
    assert set(contender.ways) == {OUT_OF_PLACE}
    contender.release()
    on_writing = opened("global-local-on-writing").set_up(Workload(case))
    assert on_writing.snr_db() > 120
    on_writing.release()


@pytest.mark.usefixtures("peer")
def test_a_line_takes_a_dispatch_a_stage_until_parts_fit_a_block() -> None:
    assert dispatches(Case((1, 8), axes=(1,))) == 1
    assert dispatches(Case((1, 32), axes=(1,))) == 3
    # Rows in one, and columns in two between two transpositions.
    assert dispatches(Case((16, 8))) == 5


def test_what_cuda_cannot_compile_is_an_error_of_limits(peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(code: str, name: str) -> None:
        raise RuntimeError("no\ncompiler")

    monkeypatch.setattr(sys.modules["cupy"], "RawKernel", refuse)
    with pytest.raises(LimitError, match="CUDA cannot run it here \\(no compiler\\)"):
        peer.set_up(Workload(Case((4, 4))))


@pytest.mark.parametrize("algorithm", SINGLE_PASS)
@pytest.mark.parametrize(
    "case",
    [Case((4, 16)), Case((8, 4)), Case((1, 4), axes=(1,)), Case((3, 8), axes=(1,)), Case((16, 3), axes=(0,))],
    ids=lambda case: case.title,
)
@pytest.mark.usefixtures("peer")
def test_a_line_in_one_dispatch(monkeypatch: pytest.MonkeyPatch, algorithm: str, case: Case) -> None:
    monkeypatch.setattr(cuda, "THREADS", 8)
    contender = opened(algorithm).set_up(Workload(case))
    assert contender.snr_db() > 120
    assert dispatches(case, algorithm) == len(case.axes)
    contender.release()
    with pytest.raises(LimitError, match="CUDA transforms lines of"):
        opened(algorithm).set_up(Workload(Case((64, 4))))


@pytest.mark.parametrize("case", [Case((4, 12)), Case((4, 4), 2), Case((4, 4, 4))], ids=lambda case: case.title)
def test_what_it_cannot_do_is_refused(peer: Peer, case: Case) -> None:
    with pytest.raises(LimitError, match="one picture, along powers of two"):
        peer.set_up(Workload(case))
