"""cuFFT on mapped textures as a peer, with a pretend CUDA: what is asked of it, in which order, and how it fails."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import moderngl
import pytest
from support.cuda import PretendCuda
from support.sentences import refused

from glfft.apps.bench.benchmark import benchmark
from glfft.apps.bench.cufft import cufft_interop
from glfft.apps.bench.frames import GLFFT
from glfft.apps.bench.peers import open_peers
from glfft.apps.bench.suite import FLOAT32, Case
from glfft.apps.bench.workload import ImagePair, Workload
from glfft.errors import ContextError

ONE_FRAME = [
    "MapResources",
    "SubResourceGetMappedArray",
    "SubResourceGetMappedArray",
    "copy from array",
    "fft",
    "copy to array",
    "UnmapResources",
]


@pytest.fixture
def cuda(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> PretendCuda:
    pretend = PretendCuda(ctx)
    pretend.install(monkeypatch)
    return pretend


@pytest.fixture
def images(ctx: moderngl.Context) -> Iterator[ImagePair]:
    made = ImagePair(ctx, Workload(Case((8, 32))), FLOAT32)
    yield made
    made.release()


def test_textures_are_registered_once_and_mapped_in_each_frame(cuda: PretendCuda, images: ImagePair) -> None:
    frame = cufft_interop().set_up(images)
    assert cuda.registered == {images.source.glo: 1, images.target.glo: 2}  # read-only, write-discard
    assert cuda.calls == ["GLRegisterImage"] * 2
    cuda.calls.clear()
    frame.run()
    frame.run()
    assert cuda.calls == ONE_FRAME * 2
    assert cuda.mapped == 0
    cuda.calls.clear()
    frame.finish()
    assert cuda.calls == ["synchronize"]
    frame.release()
    assert cuda.registered == {}


@pytest.mark.parametrize("axes", [(0, 1), (1,)])
def test_the_result_in_the_target_texture_is_checked(
    axes: tuple[int, ...], ctx: moderngl.Context, cuda: PretendCuda
) -> None:
    images = ImagePair(ctx, Workload(Case((8, 32), axes=axes)), FLOAT32)
    images.target.write(bytes(8 * 32 * 8))
    frame = cufft_interop().set_up(images)
    frame.free_running(1)
    assert images.target_snr_db("backward") > 130
    frame.release()
    images.release()


@pytest.mark.usefixtures("short_samples")
def test_it_is_measured_beside_glfft_and_numpy(ctx: moderngl.Context, cuda: PretendCuda) -> None:
    peers = open_peers(["cufft-interop"])
    assert "a pretend GPU" in peers.descriptions["cufft-interop"]
    found = benchmark(ctx, [Case((8, 32))], ["auto"], peers, samples=5)
    assert found.skipped == []
    (result,) = found.results
    assert list(result.frames) == [GLFFT, "cufft-interop", "numpy-round-trip"]
    assert all((measured.snr_db or 0) > 130 for measured in result.frames.values())
    assert cuda.registered == {}


@pytest.mark.parametrize(
    "function", ["cuGraphicsMapResources", "cuGraphicsSubResourceGetMappedArray", "cuGraphicsUnmapResources"]
)
def test_a_failing_call_is_one_sentence(function: str, cuda: PretendCuda, images: ImagePair) -> None:
    frame = cufft_interop().set_up(images)
    cuda.failing = {function}
    with refused(ContextError, f"{function} answers 'pretend error 999' (999)"):
        frame.run()


@pytest.mark.parametrize("copy", ["copy from array", "copy to array"])
def test_textures_are_unmapped_where_a_copy_fails(copy: str, cuda: PretendCuda, images: ImagePair) -> None:
    frame = cufft_interop().set_up(images)
    cuda.failing = {copy}
    with refused(ContextError, match="no copy"):
        frame.run()
    assert cuda.mapped == 0


def test_a_texture_that_cannot_be_registered_leaves_none_behind(
    cuda: PretendCuda, images: ImagePair, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = cuda.driver()
    register = driver.cuGraphicsGLRegisterImage

    def refuse_target(resource: object, texture: int, target: int, flags: int) -> int:
        return 304 if texture == images.target.glo else register(resource, texture, target, flags)

    driver.cuGraphicsGLRegisterImage = refuse_target
    monkeypatch.setattr(ctypes, "CDLL", lambda name: driver)
    peer = cufft_interop()
    register.argtypes = refuse_target.argtypes  # pyright: ignore[reportFunctionMemberAccess]
    with pytest.raises(ContextError, match="cuGraphicsGLRegisterImage answers 'pretend error 304'"):
        peer.set_up(images)
    assert cuda.registered == {}


@pytest.mark.usefixtures("short_samples")
def test_where_it_fails_the_other_frames_are_measured_and_it_is_said(ctx: moderngl.Context, cuda: PretendCuda) -> None:
    cuda.failing = {"cuGraphicsGLRegisterImage"}
    found = benchmark(ctx, [Case((8, 8))], ["auto"], open_peers(["cufft-interop"]), samples=5)
    (result,) = found.results
    assert list(result.frames) == [GLFFT, "numpy-round-trip"]
    (sentence,) = found.skipped
    assert sentence.startswith("8x8: cufft-interop failed: ")


def test_without_the_driver_it_is_a_sentence_before_anything_is_measured(
    cuda: PretendCuda, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", missing)
    with pytest.raises(ContextError, match=r"^--against cufft-interop needs NVIDIA's driver with CUDA; leave it out"):
        open_peers(["cufft-interop"])
