"""The stream: every block's result, in order, whatever the buffers; bounded, and refused where it makes no sense."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
from support.gl_objects import assert_plans_leave_nothing, live_objects
from support.sentences import refused
from support.tolerances import assert_close

import glfft
from glfft.errors import ContextError, DataError, NotCurrentError, OptionError, ReleasedError
from glfft.gl import mapped_buffers
from glfft.gl.fences import Fences
from glfft.streaming import Stream
from glfft.streaming.sources import Backlog

SHAPE = (4, 64)
LAYOUT = (SHAPE, "c8")


def blocks(count: int) -> list[npt.NDArray[np.complex64]]:
    """Random blocks."""
    random = np.random.default_rng(3)
    numbers = random.standard_normal((count, *SHAPE, 2)).astype(np.float32)
    return list(numbers.view(np.complex64)[..., 0])


@pytest.fixture
def plan(ctx: moderngl.Context) -> Iterator[glfft.Plan]:
    """Transforms of rows in buffers."""
    with glfft.Plan(ctx, SHAPE, axes=(1,), storage="buffer") as made:
        yield made


@pytest.fixture
def stream(ctx: moderngl.Context, plan: glfft.Plan) -> Iterator[Stream]:
    """A stream of these."""
    with Stream(ctx, plan.forward, block=LAYOUT, result=LAYOUT) as made:
        yield made


@pytest.mark.parametrize("options", [{}, {"mapped": False}, {"direct": True}, {"in_flight": 1}], ids=str)
def test_each_block_gives_its_transform_in_order(
    ctx: moderngl.Context, plan: glfft.Plan, options: dict[str, Any]
) -> None:
    given = blocks(7)
    with Stream(ctx, plan.forward, block=LAYOUT, result=LAYOUT, **options) as stream:
        for _ in range(2):  # a stream can run again
            positions, results = [], []
            for result in stream.run(given):
                positions.append(stream.position)
                results.append(result)
            assert positions == list(range(7))
            assert_close(np.array(results), np.fft.fft(given))
            assert stream.dropped == 0


def test_no_more_blocks_are_read_than_may_be_in_flight(ctx: moderngl.Context, plan: glfft.Plan) -> None:
    given = blocks(9)
    read = []

    def source() -> Iterator[npt.NDArray[np.complex64]]:
        for index, block in enumerate(given):
            read.append(index)
            yield block

    with Stream(ctx, plan.forward, block=LAYOUT, result=LAYOUT, in_flight=2) as stream:
        for taken, _ in enumerate(stream.run(source()), start=1):
            assert stream.under_way <= 2
            assert len(read) <= taken + 2 - 1
    assert len(read) == 9


def test_the_source_may_use_its_memory_again(stream: Stream) -> None:
    given = blocks(6)
    memory = np.empty_like(given[0])

    def source() -> Iterator[npt.NDArray[np.complex64]]:
        for block in given:
            memory[:] = block
            yield memory

    assert_close(np.array(list(stream.run(source()))), np.fft.fft(given))


def test_results_are_the_callers(stream: Stream) -> None:
    given = blocks(6)
    results = list(stream.run(given))
    kept = [each.copy() for each in results]
    list(stream.run(given[::-1]))
    assert np.array_equal(results, kept)


@pytest.mark.parametrize("drop", [False, True])
def test_an_error_of_the_source_comes_after_the_results_before_it(stream: Stream, drop: bool) -> None:
    def source() -> Iterator[npt.NDArray[np.complex64]]:
        yield from blocks(2)
        raise DataError("The file ends here.")

    run = stream.run(source(), drop=drop)
    results = [next(run), next(run)]
    with pytest.raises(DataError, match="ends here"):
        next(run)
    assert_close(np.array(results), np.fft.fft(blocks(2)))
    assert len(list(stream.run(blocks(3)))) == 3


def test_what_gives_no_blocks_leaves_the_stream_fit_for_use(stream: Stream) -> None:
    with refused(DataError, "blocks is None"):
        list(stream.run(None))  # pyright: ignore[reportArgumentType]
    assert len(list(stream.run(blocks(3)))) == 3


def test_a_consumer_that_stops_early_leaves_the_stream_fit_for_use(stream: Stream) -> None:
    for _ in stream.run(blocks(5)):
        break
    assert stream.under_way == 0
    assert_close(np.array(list(stream.run(blocks(3)))), np.fft.fft(blocks(3)))


def test_blocks_that_come_faster_than_results_are_taken_are_dropped_and_counted(stream: Stream) -> None:
    given = blocks(20)
    exact = np.fft.fft(given)
    some_taken, all_read = threading.Event(), threading.Event()

    def live() -> Iterator[npt.NDArray[np.complex64]]:
        yield given[0]
        some_taken.wait()
        yield from given[1:]
        all_read.set()

    positions = []
    for result in stream.run(live(), drop=True, waiting=3):
        positions.append(stream.position)
        assert_close(result, exact[stream.position])
        some_taken.set()
        all_read.wait()  # the consumer is slow: the source has ended before it asks for more
    assert positions == [0, 17, 18, 19]
    assert stream.dropped == 16
    assert len(list(stream.run(given))) == 20
    assert stream.dropped == 0


def test_a_live_source_is_closed_when_its_run_has_ended(stream: Stream) -> None:
    closed, goes_on = threading.Event(), threading.Event()

    def live() -> Iterator[npt.NDArray[np.complex64]]:
        try:
            yield blocks(1)[0]
            goes_on.wait()
            yield blocks(1)[0]
        finally:
            closed.set()

    for _ in stream.run(live(), drop=True):
        break
    goes_on.set()
    assert stream._backlog is not None
    stream._backlog.thread.join()
    assert closed.is_set(), "a microphone would go on recording"


def test_feed_and_take_are_for_loops_of_the_programs_own(stream: Stream) -> None:
    given = blocks(3)
    for block in given:
        stream.feed(block)
    with pytest.raises(OptionError, match="3 blocks under way"):
        stream.feed(given[0])
    with pytest.raises(OptionError, match="nobody has taken"):
        next(stream.run(given))
    assert_close(np.array([stream.take() for _ in given]), np.fft.fft(given))
    assert not stream.ready
    with pytest.raises(OptionError, match="no block under way"):
        stream.take()


@pytest.mark.parametrize("mapped", [None, False])
def test_results_go_where_the_caller_wants_them(ctx: moderngl.Context, plan: glfft.Plan, mapped: bool | None) -> None:
    given = blocks(2)
    exact = np.fft.fft(given)
    with Stream(ctx, plan.forward, block=LAYOUT, result=LAYOUT, mapped=mapped) as stream:
        for out in (np.full(SHAPE, np.nan, np.complex64), np.full(SHAPE[::-1], np.nan, np.complex64).T):
            for block in given:
                stream.feed(block)
            for expected in exact:
                assert stream.take(out) is out
                assert_close(out, expected)
        stream.feed(given[0])
        with pytest.raises(DataError, match="out has shape"):
            stream.take(np.empty((2, 2), np.complex64))
        # The results of a block are taken once: what cannot keep them must not lose them.
        read_only = np.empty(SHAPE, np.complex64)
        read_only.flags.writeable = False
        a_list: Any = list(np.empty(SHAPE, np.complex64))
        for wrong in (read_only, a_list):
            with refused(DataError, "out must be"):
                stream.take(wrong)
        assert_close(stream.take(), exact[0])


def test_a_run_within_a_run_is_refused(stream: Stream) -> None:
    run = stream.run(blocks(5))
    next(run)
    with pytest.raises(OptionError, match="before another run"):
        next(stream.run(blocks(1)))
    assert len(list(run)) == 4


@pytest.mark.parametrize(
    ("block", "words"),
    [(np.zeros((4, 32), np.complex64), "shape"), (np.zeros(SHAPE, np.complex128), "complex128"), ([1.0], "float64")],
)
def test_a_block_of_another_layout_is_refused(stream: Stream, block: npt.ArrayLike, words: str) -> None:
    with refused(DataError, words, "; reshape or convert it to"):
        stream.feed(block)
    assert stream.under_way == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"block": (SHAPE, "words")},
        {"block": 5},
        {"result": ((4, 0), "c8")},
        {"result": ((4,), "O")},
        {"in_flight": 0},
        {"in_flight": 1.5},
        {"in_flight": 1001},
        {"work": None},
    ],
    ids=str,
)
def test_options_that_make_no_sense_are_refused(ctx: moderngl.Context, plan: glfft.Plan, wrong: dict[str, Any]) -> None:
    options = {"work": plan.forward, "block": LAYOUT, "result": LAYOUT} | wrong
    with pytest.raises(OptionError, match=next(iter(wrong))):
        Stream(ctx, **options)


def test_waiting_must_be_a_count(stream: Stream) -> None:
    with pytest.raises(OptionError, match="waiting is 0"):
        stream.run(blocks(1), waiting=0)


def test_work_that_fails_leaves_the_stream_fit_for_use(ctx: moderngl.Context, plan: glfft.Plan) -> None:
    fails = [True]

    def work(source: moderngl.Buffer, target: moderngl.Buffer) -> None:
        if fails.pop():
            raise RuntimeError("The work failed.")
        fails.append(False)
        plan.forward(source, target)

    with Stream(ctx, work, block=LAYOUT, result=LAYOUT) as stream:
        with pytest.raises(RuntimeError, match="work failed"):
            list(stream.run(blocks(2)))
        fails.append(False)
        assert_close(np.array(list(stream.run(blocks(5)))), np.fft.fft(blocks(5)))


def test_where_no_buffer_stays_mapped_plain_ones_do(
    ctx: moderngl.Context, plan: glfft.Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mapped_buffers, "_CORE_SINCE", 999)
    monkeypatch.setattr(mapped_buffers, "_EXTENSION", "GL_ARB_of_no_driver")
    with Stream(ctx, plan.forward, block=LAYOUT, result=LAYOUT) as stream:
        assert not stream.mapped
        assert_close(np.array(list(stream.run(blocks(4)))), np.fft.fft(blocks(4)))
    with pytest.raises(ContextError, match="no buffers that stay mapped"):
        Stream(ctx, plan.forward, block=LAYOUT, result=LAYOUT, mapped=True)


def test_a_stream_that_has_been_released_is_refused(ctx: moderngl.Context, plan: glfft.Plan) -> None:
    stream = Stream(ctx, plan.forward, block=LAYOUT, result=LAYOUT)
    run = stream.run(blocks(5))
    next(run)
    stream.release()
    stream.release()
    with pytest.raises(ReleasedError, match="released"):
        next(run)
    with pytest.raises(ReleasedError, match="released"):
        stream.run(blocks(1))


def test_another_threads_context_is_refused(stream: Stream) -> None:
    raised = []

    def use() -> None:
        try:
            stream.feed(blocks(1)[0])
        except NotCurrentError as error:
            raised.append(error)

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    assert len(raised) == 1


@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_a_stream_released_while_another_context_is_current_is_freed_later(
    ctx: moderngl.Context, plan: glfft.Plan
) -> None:
    glfft.Plan(ctx, (8, 8)).release()  # its table of twiddle factors stays
    before = live_objects(ctx)["Buffer"]
    stream = Stream(ctx, plan.forward, block=LAYOUT, result=LAYOUT)
    stream.feed(blocks(1)[0])
    assert live_objects(ctx, dropped=True)["Buffer"] == before + 4 * 3
    other = glfft.open_context()
    with pytest.raises(NotCurrentError):
        stream.take()
    stream.release()
    other.release()
    with ctx:
        assert live_objects(ctx, dropped=True)["Buffer"] == before + 4 * 3
        glfft.Plan(ctx, (8, 8)).release()
        assert live_objects(ctx)["Buffer"] == before
    ctx.__enter__()


@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_streams_leave_nothing(ctx: moderngl.Context) -> None:
    def copy(source: moderngl.Buffer, target: moderngl.Buffer) -> None:
        ctx.copy_buffer(target, source, target.size)

    def make_and_drop(index: int) -> None:
        stream = Stream(ctx, copy, block=LAYOUT, result=LAYOUT, mapped=index % 2 == 0)
        stream.feed(blocks(1)[0])
        if index % 3:
            stream.release()

    assert_plans_leave_nothing(ctx, make_and_drop, 6)


def test_an_interrupt_as_a_run_ends_leaves_the_stream_whole(
    plan: glfft.Plan, stream: Stream, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = blocks(5)
    with monkeypatch.context() as patch:
        patch.setattr(Backlog, "stop", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            list(stream.run(given, drop=True, waiting=5))
    with monkeypatch.context() as patch:
        patch.setattr(Fences, "passed", Mock(return_value=False))
        patch.setattr(Fences, "wait", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            list(stream.run(given))
    assert_close(np.array([stream.take() for _ in range(stream.under_way)]), np.fft.fft(given[:3]))
    assert_close(np.array(list(stream.run(given))), np.fft.fft(given))


def test_an_interrupt_anywhere_loses_no_room(ctx: moderngl.Context, plan: glfft.Plan) -> None:
    given, place, events, interrupted = blocks(1), 0, 0, True

    # Python looks for signals as it enters a function and after it has called one of C.
    def count(_frame: object, event: str, _: object) -> None:
        nonlocal events, interrupted
        events += event in ("call", "c_return")
        if events == place and not interrupted:
            interrupted = True
            raise KeyboardInterrupt

    with Stream(ctx, plan.forward, block=LAYOUT, result=LAYOUT, in_flight=1) as stream:
        while interrupted:
            place, events, interrupted = place + 1, 0, False
            sys.setprofile(count)
            try:
                stream.feed(given[0])
            except KeyboardInterrupt:
                pass
            finally:
                sys.setprofile(None)
            if stream.under_way:
                stream.take()
            stream.feed(given[0])
            assert_close(stream.take(), np.fft.fft(given[0]))
    assert place > 20
