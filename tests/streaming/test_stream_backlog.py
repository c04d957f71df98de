"""Blocks that wait: the newest are kept, in order, and the others counted."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from glfft.errors import DataError
from glfft.streaming.sources import Backlog


def test_the_newest_blocks_are_kept_and_the_others_counted() -> None:
    read = threading.Event()

    def source() -> Iterator[list[int]]:
        for index in range(10):
            yield [index]
        read.set()

    backlog = Backlog(source(), 3)
    read.wait()
    kept = [(number, block.tolist()) for number, block in backlog.blocks()]
    assert kept == [(7, [7]), (8, [8]), (9, [9])]
    assert backlog.dropped == 7
    assert not backlog.empty, "no more blocks come"


def test_memory_of_the_source_may_change() -> None:
    read = threading.Event()
    memory = np.zeros(2)

    def source() -> Iterator[np.ndarray]:
        for index in range(3):
            memory[:] = index
            yield memory
        memory[:] = -1
        read.set()

    backlog = Backlog(source(), 3)
    read.wait()
    assert [block[0] for _, block in backlog.blocks()] == [0, 1, 2]


@pytest.mark.parametrize("error", [DataError, SystemExit])
def test_an_error_comes_after_the_blocks_before_it(error: type[BaseException]) -> None:
    def source() -> Iterator[list[int]]:
        yield [1]
        raise error("It ends here.")

    blocks = Backlog(source(), 3).blocks()
    assert next(blocks)[1].tolist() == [1]
    with pytest.raises(error, match="ends here"):
        next(blocks)


def test_a_backlog_that_is_stopped_reads_no_further() -> None:
    asked, stopped = threading.Event(), threading.Event()
    read_on = []

    def source() -> Iterator[list[int]]:
        asked.set()
        stopped.wait()
        yield [1]
        read_on.append(True)

    backlog = Backlog(source(), 3)
    asked.wait()
    backlog.stop()
    assert backlog.dropped == 0
    stopped.set()
    backlog.thread.join()
    assert list(backlog.blocks()) == []
    assert not read_on
