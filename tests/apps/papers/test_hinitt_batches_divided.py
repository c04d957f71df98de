"""A batch divided over streams is worked on whole, in one context and in three."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from glfft.apps.papers.hinitt_batches import APART, DIRECT, TOGETHER, DividedBatch
from glfft.apps.signal_to_noise import random_complex


@pytest.mark.parametrize("way", [TOGETHER, APART, DIRECT])
@pytest.mark.parametrize("streams", [1, 4])
def test_every_part_comes_back_in_its_place(ctx: moderngl.Context, streams: int, way: str) -> None:
    seen: list[int] = []

    def work(source: moderngl.Buffer, target: moderngl.Buffer) -> None:
        seen.append(source.glo)
        ctx.copy_buffer(target, source, source.size)

    batch = DividedBatch(ctx, work, ((8 // streams, 64), "c8"), streams, way)
    for seed in (1, 2):
        numbers = random_complex((8, 64), seed)
        batch.fill(numbers)
        batch.run()
        assert np.array_equal(batch.results, numbers)
    assert len(seen) == 2 * streams
    assert len(set(seen)) == streams
    batch.release()
    ctx.finish()


def test_a_failure_releases_what_was_made(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glfft.apps.papers.hinitt_batches.SharedContext", lambda ctx: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        DividedBatch(ctx, lambda source, target: None, ((2, 4), "c8"), 2, APART)
