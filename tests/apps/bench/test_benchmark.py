"""A run of the benchmark: everything is measured, what cannot be is skipped and said, and nothing is left behind."""

from __future__ import annotations

from typing import Any

import moderngl
import pytest
from support.kernels import restrict_device
from tqdm import tqdm

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.registry import longest_line
from glfft.algorithms.storage import STORAGES
from glfft.apps.bench import benchmark as benchmark_module
from glfft.apps.bench.benchmark import benchmark
from glfft.apps.bench.peers import Peers, open_peers
from glfft.apps.bench.suite import Case, OceanCase
from glfft.apps.bench.workload import ImagePair, Peer, Workload
from glfft.engine.images import ImageSpec
from glfft.errors import ContextError, LimitError
from glfft.gl.context import state_of
from glfft.plan import Plan


def test_a_size_that_one_algorithm_cannot_do_is_skipped_and_said(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    restrict_device(ctx, monkeypatch, shared_memory=512)  # lines too long for it are short then
    lines = AxisRequest((1, 2), 1, -1, 1.0, False, None, STORAGES["rg32f"], state_of(ctx).device)
    too_long = 2 * longest_line("stockham-radix2", lines)
    found = benchmark(ctx, [Case((1, too_long)), Case((4, 4))], ["stockham-radix2", "auto"], Peers(), samples=5)
    done = [(result.algorithm, result.case.shape) for result in found.results]
    assert ("auto", (1, too_long)) in done
    assert ("stockham-radix2", (4, 4)) in done
    assert ("stockham-radix2", (1, too_long)) not in done
    assert [sentence for sentence in found.skipped if "stockham-radix2" in sentence and str(too_long) in sentence]


def test_a_case_that_does_not_fit_the_device_is_skipped_and_said(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = ImageSpec.make

    def make_small(images: ImageSpec) -> Any:
        if images._bytes > 1 << 10:
            raise ContextError("The device has not enough memory left.")
        return make(images)

    monkeypatch.setattr(ImageSpec, "make", make_small)
    too_many = Case((4, 4), 1 << 20)
    found = benchmark(ctx, [too_many, Case((16, 16)), Case((4, 4))], ["auto"], Peers(), samples=5)
    assert [result.case.shape for result in found.results] == [(4, 4)]
    assert found.skipped[0].startswith("4x4 x 1048576: layers is 1048576")
    assert found.skipped[1] == "16x16: The device has not enough memory left."


def test_the_progress_comes_to_its_end_whatever_is_skipped(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[float] = []

    class Bar(tqdm):
        def update(self, n: float | None = 1) -> bool | None:
            super().update(n)
            done.append(self.n)

    monkeypatch.setattr(benchmark_module, "tqdm", Bar)
    cases = (Case((4, 4), 1 << 20), Case((4, 4)), Case((8, 8), 2, storage=STORAGES["rgba32f"]))
    benchmark(ctx, cases, ["auto"], open_peers(["scipy"]), samples=5)
    assert done == sorted(done)
    assert done[-1] == 3
    assert len(done) > 2 * 5


def test_a_peer_that_cannot_do_a_case_is_skipped_and_said(ctx: moderngl.Context) -> None:
    def refuse(workload: Workload) -> Any:
        raise LimitError("It is too large for small.")

    small = Peer("small", "no case is small enough for it", refuse)
    found = benchmark(ctx, [Case((4, 4))], ["auto"], Peers([small, *open_peers(["scipy"]).libraries]), samples=5)
    assert found.skipped == ["4x4: It is too large for small."]
    assert [set(result.peers) for result in found.results] == [{"scipy"}]


@pytest.mark.parametrize("case", [Case((8, 8), 2, storage=STORAGES["rg16f"]), OceanCase((16, 16), 4)])
def test_plans_are_tuned_before_they_are_timed_if_asked_for(
    case: Case, ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    tuned: list[Plan] = []
    monkeypatch.setattr(Plan, "tune", lambda plan: tuned.append(plan))
    benchmark(ctx, [case], ["auto"], Peers(), samples=5)
    assert not tuned
    benchmark(ctx, [case], ["auto"], Peers(), samples=5, tune=True)
    assert len(tuned) == 2  # with half storage float32's as well; the ocean has two plans


def test_nothing_is_left_behind(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    make = ImagePair.__init__

    def remember(images: ImagePair, *arguments: Any) -> None:
        make(images, *arguments)
        made.append(images)

    monkeypatch.setattr(ImagePair, "__init__", remember)
    benchmark(ctx, [Case((4, 4), 2, storage=STORAGES["rgba32f"])], ["auto"], Peers(), samples=5)
    assert len(made) == 2  # the case's, and those of float32 beside it
    assert all(
        isinstance(each.mglo, moderngl.InvalidObject) for images in made for each in (images.source, images.target)
    )


def test_a_transform_wrong_only_in_place_fails_too(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    forward = Plan.forward

    def wrong_in_place(plan: Plan, src: Any, dst: Any, next_use: str | None = None) -> None:
        (plan.inverse if src is dst else forward.__get__(plan))(src, dst, next_use)

    monkeypatch.setattr(Plan, "forward", wrong_in_place)
    found = benchmark(ctx, [Case((8, 8))], ["auto"], Peers(), samples=5)
    assert len(found.wrong) == 1
