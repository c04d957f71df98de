"""glfft as a contender: its transforms, what setting them up costs, and what asking for one costs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import moderngl
import numpy as np
import pytest

from glfft.algorithms.storage import STORAGES
from glfft.apps.bench import own
from glfft.apps.bench.own import set_up, submission_us
from glfft.apps.bench.suite import Case
from glfft.apps.bench.workload import ImagePair, Workload
from glfft.apps.signal_to_noise import COMPUTED_LOSS_DB, floor_db
from glfft.profiling.timing import ContextTimer


class PretendContext:
    """Counts what is queued."""

    queued = most_queued = 0

    def queue(self) -> None:
        self.queued += 1
        self.most_queued = max(self.most_queued, self.queued)

    def finish(self) -> None:
        self.queued = 0


@pytest.mark.parametrize("storage", STORAGES.values(), ids=STORAGES)
def test_a_contender_of_our_own_transforms_what_it_is_given(ctx: moderngl.Context, storage: Any) -> None:
    workload = Workload(Case((8, 16), batch=4, storage=storage))
    images = ImagePair(ctx, workload, storage)
    with ContextTimer(ctx) as timer:
        contender = own.own(timer, images, "stockham")
        # Two dispatches store, whatever the device.
        assert contender.snr_db() >= contender.floor_db == floor_db(128, storage, 2)
        # Timed over and over, in place too, the numbers keep their size.
        for subject in contender.ways.values():
            for _ in range(5):
                subject.sample()
        kept = workload.unpacked(images.target.read(), storage)
        assert np.linalg.norm(kept) == pytest.approx(np.linalg.norm(workload.pictures), rel=1e-2)
        contender.release()
    images.release()


def test_a_cosine_transform_of_our_own_is_right_in_and_out_of_place(ctx: moderngl.Context) -> None:
    workload = Workload(Case((6, 10), cosine=True))
    images = ImagePair(ctx, workload, workload.case.storage)
    with ContextTimer(ctx) as timer:
        contender = own.own(timer, images, "auto")
        assert contender.snr_db() >= contender.floor_db
        assert len(contender.ways) == 2
        contender.release()
    images.release()


def test_factors_that_shaders_compute_are_expected_to_be_less_exact(ctx: moderngl.Context) -> None:
    workload = Workload(Case((4, 64), axes=(1,)))
    images = ImagePair(ctx, workload, workload.case.storage)
    with ContextTimer(ctx) as timer:
        table, computed = (own.own(timer, images, "cooley-tukey", twiddles=each) for each in ("table", "computed"))
        assert computed.floor_db == table.floor_db - COMPUTED_LOSS_DB
        assert computed.floor_db <= computed.snr_db() < table.snr_db()
        table.release()
        computed.release()
    images.release()


def test_asking_is_timed_with_little_in_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "is_software", lambda _ctx: False)
    ctx = PretendContext()
    found = submission_us(ctx, ctx.queue)  # pyright: ignore[reportArgumentType]
    assert found is not None
    assert found > 0
    assert 0 < ctx.most_queued < 100
    monkeypatch.setattr(own, "is_software", lambda _ctx: True)
    assert submission_us(ctx, ctx.queue) is None  # pyright: ignore[reportArgumentType]


def test_setting_up_is_timed_for_the_first_and_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    ctx = PretendContext()
    made: list[Made] = []
    clock = SimpleNamespace(now=0.0, perf_counter=lambda: clock.now)
    monkeypatch.setattr(own, "time", clock)

    class Made:
        released = False

        def __init__(self) -> None:
            clock.now += 0.001 if made else 0.02
            made.append(self)

        def release(self) -> None:
            self.released = True

    kept, run, setup = set_up(ctx, Made, lambda each: ctx.queue)  # pyright: ignore[reportArgumentType]
    assert [each.released for each in made] == [True, False]
    assert (kept, run) == (made[1], ctx.queue)
    assert (setup.first_ms, setup.cached_ms) == pytest.approx((20.0, 1.0))
    assert (ctx.queued, ctx.most_queued) == (0, 1)
