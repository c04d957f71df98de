"""Filter banks on the GPU: each channel is scipy's, streams have no gaps, and both directions give the signal back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
from support.channelizer import as_complex, channels_of, samples_of
from support.kernels import restrict_device
from support.sentences import refused
from support.tolerances import TABLE_DB, assert_close

from glfft.channelizer.bank import Channelizer, Synthesizer
from glfft.channelizer.filters import FilterBank
from glfft.channelizer.recordings import FORMATS
from glfft.errors import DataError, LimitError, OptionError, ReleasedError, ShapeError, TextureError
from glfft.streaming import Stream


def noise(count: int, seed: int = 1) -> npt.NDArray[np.complex64]:
    parts = np.random.default_rng(seed).uniform(-1, 1, (count, 2)).astype(np.float32)
    return parts.view(np.complex64)[:, 0]


def joined(blocks: Iterator[npt.NDArray[Any]], axis: int = -1) -> npt.NDArray[Any]:
    return np.concatenate([*blocks], axis=axis)


@pytest.mark.parametrize(
    ("channels", "decimation"),
    [
        (8, 8),
        (8, 4),
        (12, 9),
        (10, 7),
        *(pytest.param(*each, marks=pytest.mark.slow) for each in [(17, 11), (100, 60)]),
    ],
)
def test_each_channel_is_scipys_and_the_signal_comes_back(
    ctx: moderngl.Context, channels: int, decimation: int
) -> None:
    bank = FilterBank.design(channels, decimation, taps=3)
    samples = noise(20 * channels + 5)
    padded = np.concatenate([samples, np.zeros(bank.delay, np.complex64)])
    times = 4 * channels // decimation
    with Channelizer(ctx, bank, times=times) as channelizer, Synthesizer(ctx, bank) as synthesizer:
        # Blocks end anywhere in a turn of the channels.
        assert channelizer.dispatches == 1
        assert synthesizer.dispatches == 2
        found = joined(channelizer.run(np.array_split(padded, 9)))
        assert_close(found, channels_of(bank, padded))
        back = joined(synthesizer.run(np.array_split(found, 5, axis=1)))
        assert len(back) == found.shape[1] * decimation
        exact_db = bank.reconstruction_db
        assert_close(back[bank.delay :][: len(samples)], samples, min(TABLE_DB, exact_db) - 3)


def test_the_transform_over_channels_may_be_del_mundos(ctx: moderngl.Context) -> None:
    bank = FilterBank.design(16, 8, taps=3)
    samples = noise(24 * 16 + 5)
    padded = np.concatenate([samples, np.zeros(bank.delay, np.complex64)])
    options: dict[str, Any] = {"times": 16, "algorithm": "four-by-four"}
    with Channelizer(ctx, bank, **options) as channelizer, Synthesizer(ctx, bank, **options) as synthesizer:
        assert "four-by-four" in channelizer._transform.explain()
        found = joined(channelizer.run([padded]))
        assert_close(found, channels_of(bank, padded))
        assert_close(joined(synthesizer.run([found]))[bank.delay :][: len(samples)], samples, TABLE_DB - 3)
    with pytest.raises(LimitError, match="lines of 16 points"):
        Channelizer(ctx, FilterBank.design(12, 8, taps=3), algorithm="four-by-four")


@pytest.mark.parametrize("channels", [2, 6, pytest.param(64, marks=pytest.mark.slow)])
def test_a_staggered_bank_is_critically_sampled_and_gives_the_signal_back(ctx: moderngl.Context, channels: int) -> None:
    bank = FilterBank.design_staggered(channels, taps=6)
    samples = noise(21 * channels + 3)
    padded = np.concatenate([samples, np.zeros(bank.delay + channels, np.complex64)])
    with Channelizer(ctx, bank, times=8) as channelizer, Synthesizer(ctx, bank) as synthesizer:
        assert (channelizer.dispatches, synthesizer.dispatches) == (1, 2)
        found = joined(channelizer.run(np.array_split(padded, 9)))
        assert found.shape == (channels, -(-len(padded) // channels))
        exact = channels_of(bank, padded)
        assert_close(found[:, : exact.shape[1]], exact)
        back = joined(synthesizer.run(np.array_split(found, 5, axis=1)))
        assert_close(back[bank.delay :][: len(samples)], samples, 120.0)
    # A basis: as much energy in the channels as in the signal.
    energy = (np.abs(found) ** 2).sum() / (bank.prototype**2).sum()
    assert energy == pytest.approx((np.abs(samples) ** 2).sum(), rel=1e-5)
    with Channelizer(ctx, bank, times=8, kept=(-1, 0)) as channelizer, Synthesizer(ctx, bank, kept=(0,)) as synthesizer:
        two = joined(channelizer.run([padded]))
        assert_close(two, found[[-1, 0]], 140.0)
        alone = found * (np.arange(channels) == 0)[:, None]
        assert_close(joined(synthesizer.run([two[1:]]))[: len(samples)], samples_of(bank, alone)[: len(samples)])


def test_a_stream_is_the_same_as_one_block(ctx: moderngl.Context) -> None:
    bank = FilterBank.design(10, 7, taps=3)
    samples = noise(700)
    found = []
    for times in (100, 6):
        with Channelizer(ctx, bank, times=times) as channelizer:
            found.append(joined(channelizer.run([samples])))
            # A new run begins with silence before it.
            again = joined(channelizer.run(np.array_split(samples, 3)))
            assert np.array_equal(again, found[-1])
    # Other lengths may take other kernels, which round elsewhere.
    assert_close(found[1], found[0], 140.0)


@pytest.mark.parametrize("name", ["ci16", "ci8", "cu8"])
def test_whole_numbers_are_converted_on_the_gpu(ctx: moderngl.Context, name: str) -> None:
    bank = FilterBank.design(8, 6, taps=2)
    kind = FORMATS[name]
    limits = np.iinfo(kind.dtype)
    numbers = np.random.default_rng(2).integers(limits.min, limits.max, (123, 2), kind.dtype, endpoint=True)
    with Channelizer(ctx, bank, times=6, samples=name) as channelizer:
        found = joined(channelizer.run([numbers[:50], numbers[50:]]))
    assert_close(found, channels_of(bank, as_complex(kind, numbers).astype(np.complex128)))


def test_the_last_block_is_filled_up_with_silence(ctx: moderngl.Context) -> None:
    silence = np.full((25, 2), 128, np.uint8)
    with Channelizer(ctx, FilterBank.design_staggered(4, taps=2), times=9, samples="cu8") as channelizer:
        assert not joined(channelizer.run([silence])).any()


def test_the_map_keeps_some_channels_in_an_order_of_ones_own(ctx: moderngl.Context) -> None:
    bank = FilterBank.design(8, 4, taps=4)
    samples = noise(400)
    exact = channels_of(bank, samples)
    with Channelizer(ctx, bank, times=16, kept=(-1, 0, 3)) as channelizer:
        assert channelizer.kept == (7, 0, 3)
        found = joined(channelizer.run([samples]))
        assert_close(found, exact[[7, 0, 3]])
    # What a filter bank is for: one channel alone, at the rate of all.
    with Synthesizer(ctx, bank, times=64, kept=(3,)) as synthesizer:
        alone = joined(synthesizer.run([exact[[3]]]))
    silent = exact.copy()
    silent[[0, 1, 2, 4, 5, 6, 7]] = 0
    with Synthesizer(ctx, bank, times=64) as synthesizer:
        assert_close(alone, joined(synthesizer.run([silent])), 140.0)


def test_a_run_cannot_begin_before_another_has_ended(ctx: moderngl.Context) -> None:
    with Channelizer(ctx, FilterBank.design(8, 4, taps=2), times=16) as channelizer:
        first = channelizer.run([noise(400)])
        next(first)
        with pytest.raises(OptionError, match="has not ended"):
            next(channelizer.run([noise(400)]))
        first.close()  # pyright: ignore[reportAttributeAccessIssue]
        assert joined(channelizer.run([noise(400)])).shape == (8, 100)
        assert channelizer.dropped == 0


def test_blocks_are_dropped_only_if_asked(ctx: moderngl.Context) -> None:
    with Channelizer(ctx, FilterBank.design(8, 4, taps=2), times=8) as channelizer:
        blocks = (noise(32) for _ in range(12))
        run = channelizer.run(blocks, drop=True, waiting=1, in_flight=1)
        next(run)
        stream = channelizer._stream
        assert stream is not None
        assert stream._backlog is not None
        stream._backlog.thread.join()
        left = len([*run])
        assert channelizer.dropped == 12 - 1 - left > 0


def test_samples_and_channels_of_another_kind_are_refused(ctx: moderngl.Context) -> None:
    bank = FilterBank.design(8, 4, taps=2)
    with Channelizer(ctx, bank, times=16) as channelizer, Synthesizer(ctx, bank, kept=(0, 1)) as synthesizer:
        with pytest.raises(DataError, match="complex numbers"):
            next(channelizer.run([np.zeros((4, 2), np.int16)]))
        with pytest.raises(DataError, match="must have 2 rows"):
            next(synthesizer.run([np.zeros((3, 10))]))
        for wrong in (np.full((2, 10), "1"), np.full((2, 10), None)):
            with refused(DataError, "2 rows, one each, of numbers"):
                next(synthesizer.run([wrong]))


@pytest.mark.parametrize("kind", [Channelizer, Synthesizer])
def test_buffers_of_a_call_are_checked_before_anything_runs(
    ctx: moderngl.Context, kind: type[Channelizer | Synthesizer]
) -> None:
    with kind(ctx, FilterBank.design(8, 4, taps=2), times=16) as stage:
        layouts = [np.empty(*each).nbytes for each in (stage.block, stage.result)]
        source, target = (ctx.buffer(reserve=size) for size in layouts)
        short, gone = ctx.buffer(reserve=min(layouts) - 1), ctx.buffer(reserve=max(layouts))
        gone.release()
        wrong: list[tuple[Any, str]] = [(short, "bytes and"), (gone, "released"), ("x", "moderngl.Buffer")]
        for bad, words in wrong:
            for role, arguments in (("source", (bad, target)), ("target", (source, bad))):
                with refused(TextureError, role, words):
                    stage(*arguments)
        both = ctx.buffer(reserve=max(layouts))
        with refused(TextureError, "in place"):
            stage(both, both)
        both.release()
        assert stage._rotation == 0
        stage(source, target)
        for each in (source, target, short):
            each.release()


def test_what_cannot_be_is_refused(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    bank = FilterBank.design(8, 3, taps=4)
    with pytest.raises(ShapeError, match="times is 10 and must be 11 or more"):
        Channelizer(ctx, bank, times=10)
    with pytest.raises(ShapeError, match="even number of times"):
        Channelizer(ctx, bank, times=11, samples="ci8")
    with pytest.raises(ShapeError, match="There is no channel 8; of 8 they are -8 to 7"):
        Channelizer(ctx, bank, kept=(8,))
    with pytest.raises(ShapeError, match="each named once"):
        Channelizer(ctx, bank, kept=(0, -8))
    restrict_device(ctx, monkeypatch, buffer_bytes=1 << 10)
    with pytest.raises(LimitError):
        Channelizer(ctx, bank)
    with pytest.raises(LimitError):
        Synthesizer(ctx, bank)


def test_released_twice_and_used_no_more(ctx: moderngl.Context) -> None:
    channelizer = Channelizer(ctx, FilterBank.design(8, taps=2), times=4)
    channelizer.release()
    channelizer.release()
    with pytest.raises(ReleasedError):
        next(channelizer.run([noise(10)]))


def test_an_interrupt_as_a_run_ends_leaves_room_for_another(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank, samples = FilterBank.design(8, 6, taps=2), noise(200)
    with Channelizer(ctx, bank) as channelizer:
        with monkeypatch.context() as patch:
            patch.setattr(Stream, "release", Mock(side_effect=KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                joined(channelizer.run([samples]))
        assert_close(joined(channelizer.run([samples])), channels_of(bank, samples))
