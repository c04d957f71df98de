"""Frame times: how frames are counted and waited for, the round trip through numpy, and which cases have frames."""

from __future__ import annotations

from types import SimpleNamespace

import moderngl
import numpy as np
import pytest
from support.sentences import assert_one_sentence

from glfft.algorithms.storage import STORAGES
from glfft.apps.bench.benchmark import benchmark
from glfft.apps.bench.frames import FINISH_EACH, FREE_RUNNING, Frame, measure_frames, numpy_round_trip
from glfft.apps.bench.peers import open_peers
from glfft.apps.bench.results import render
from glfft.apps.bench.suite import FLOAT32, Case, OceanCase
from glfft.apps.bench.workload import ImagePair, Workload
from glfft.profiling import timing


class PretendFrame:
    """Takes time for each frame, and more to wait for what is queued; remembers how many frames it waited for."""

    FINISH = 1_000_000

    def __init__(self, nanoseconds: int) -> None:
        self.nanoseconds = nanoseconds
        self.now = 0
        self.queued = 0
        self.waited_for: list[int] = []

    def run(self) -> None:
        self.queued += 1

    def finish(self) -> None:
        if self.queued:
            self.waited_for.append(self.queued)
            self.now += self.queued * self.nanoseconds + self.FINISH
        self.queued = 0

    @property
    def as_frame(self) -> Frame:
        return Frame(self.run, self.finish)

    def use_its_clock(self, monkeypatch: pytest.MonkeyPatch) -> None:
        clock = SimpleNamespace(perf_counter_ns=lambda: self.now, perf_counter=lambda: self.now * 1e-9)
        monkeypatch.setattr(timing, "time", clock)


def test_free_running_frames_are_waited_for_once_and_others_each(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = PretendFrame(nanoseconds=50_000)
    frame.use_its_clock(monkeypatch)
    measured = measure_frames(frame.as_frame, samples=7, snr_db=137.0)
    free_running, finish_each = measured.ways[FREE_RUNNING], measured.ways[FINISH_EACH]
    assert measured.snr_db == 137.0
    assert free_running.samples == finish_each.samples == 7
    # The last sample but those that wait for each frame: its one wait is shared by all its frames.
    count = [each for each in frame.waited_for if each > 1][-1]
    assert count > 100
    assert free_running.microseconds == pytest.approx(50 + 1000 / count)
    assert finish_each.microseconds == pytest.approx(50 + 1000)


def test_a_slow_frame_is_a_sample_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = PretendFrame(nanoseconds=300_000_000)
    frame.use_its_clock(monkeypatch)
    measured = measure_frames(frame.as_frame, samples=5, snr_db=None)
    assert measured.ways[FREE_RUNNING].microseconds == pytest.approx(301_000)
    assert set(frame.waited_for) == {1}
    assert len(frame.waited_for) == 2 * (5 + 2)


@pytest.mark.parametrize("axes", [(0, 1), (0,)])
def test_a_round_trip_through_numpy_leaves_the_transform_in_the_target(
    axes: tuple[int, ...], ctx: moderngl.Context
) -> None:
    images = ImagePair(ctx, Workload(Case((8, 32), axes=axes)), FLOAT32)
    images.target.write(bytes(8 * 32 * 8))
    frame = numpy_round_trip().set_up(images)
    frame.free_running(1)
    assert images.target_snr_db("backward") > 130
    images.source.write(np.zeros((8, 32, 2), np.float32))
    frame.run()
    frame.finish()
    assert images.target_snr_db("backward") == pytest.approx(0.0), "each frame reads the source again"
    images.release()


@pytest.mark.usefixtures("short_samples")
def test_only_single_pictures_have_frames_and_one_sentence_says_so(ctx: moderngl.Context) -> None:
    others = (Case((8, 8), 2), Case((8, 8), storage=STORAGES["rg16f"]), OceanCase((16, 16), 4))
    found = benchmark(ctx, [*others, Case((8, 8))], ["auto"], open_peers(["numpy-round-trip"]), samples=5)
    assert [bool(result.frames) for result in found.results] == [False, False, False, True]
    (sentence,) = found.skipped
    assert_one_sentence(sentence)
    assert sentence.endswith(" not for: 8x8 x 2, 8x8 rg16f, ocean step, 1 tile of 16x16.")
    assert render(found).count("8x8 x 2") == 3  # in the tables of transforms and of plans, and in that sentence


@pytest.mark.usefixtures("short_samples")
def test_frames_of_every_algorithm_stand_beside_the_same_ones_of_others(ctx: moderngl.Context) -> None:
    found = benchmark(ctx, [Case((4, 8))], ["auto", "cooley-tukey"], open_peers(["numpy-round-trip"]), samples=5)
    first, second = (result.frames for result in found.results)
    assert list(first) == list(second) == ["glfft", "numpy-round-trip"]
    assert first["glfft"] is not second["glfft"]
    assert first["numpy-round-trip"] is second["numpy-round-trip"]
