"""A link at work: each block's errors are counted once, and settings change while it runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import moderngl
import pytest
from support.tolerances import error_rate_margin

from glfft.apps.ofdm.link.reception import Reception, estimate_gain
from glfft.apps.ofdm.link.settings import LinkSettings
from glfft.apps.ofdm.link.symbols import Channel, expected_error_rate
from glfft.errors import GlfftError

SETTINGS = LinkSettings(symbols=22, algorithm="radix-8", channel="flat", bit_energy_db=8.0)


@pytest.fixture
def reception(ctx: moderngl.Context) -> Iterator[Reception]:
    """A small link."""
    with Reception(ctx, SETTINGS) as made:
        yield made


def test_each_block_is_counted_once_and_the_rate_is_taken(reception: Reception) -> None:
    for _ in range(3):
        reception.step(0.0)
    wrong, bits = reception.counted[8.0]
    assert bits in (22 * 1344, 2 * 22 * 1344, 3 * 22 * 1344), "as many as have come"
    assert 0 < wrong < bits / 20
    assert len(reception.rates) == 3
    assert reception.samples_a_second > 0
    assert reception.result["words"].shape == (22, 42)


def test_errors_are_counted_for_each_channel_width_and_noise(reception: Reception) -> None:
    reception.count(100_000, 10**9)
    expected = expected_error_rate(
        Channel("flat", 8.0), reception.width.noise(1 + reception.channel.noise), estimate_gain(22)
    )
    wrong, bits = reception.counted[8.0]
    assert bits >= 100_000
    assert abs(wrong / bits - expected) < error_rate_margin(expected, bits)
    reception.configure(replace(SETTINGS, bit_energy_db=2.0))
    reception.count(10**9, 100)
    assert set(reception.counted) == {2.0, 8.0}
    reception.configure(replace(SETTINGS, samples="float16"))
    assert reception.counted == {}
    reception.step(0.0)
    assert set(reception.errors) == {("flat", "fixed8"), ("flat", "float16")}


def test_new_blocks_take_the_place_of_old_ones(reception: Reception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glfft.apps.ofdm.link.reception._SENDERS_SHARE", 1.0)
    first = reception._blocks[0]
    for _ in range(6):
        reception._send()
        assert reception._coming is not None
        reception._coming.result()
    reception._send()
    assert len(reception._blocks) == 4
    assert all(each is not first for each in reception._blocks)
    reception.step(0.0)
    assert reception.counted[8.0][1] == 4 * 22 * 1344


def test_the_same_seed_gives_the_same_errors(ctx: moderngl.Context) -> None:
    counts = []
    for seed in (1, 1, 2):
        with Reception(ctx, replace(SETTINGS, seed=seed)) as reception:
            reception.count(60_000, 10**9)
            counts.append(reception.counted[8.0])
    assert counts[0] == counts[1] != counts[2]


@pytest.mark.parametrize("wrong", [{"samples": "fixed9"}, {"channel": "steep"}, {"symbols": 21}, {"algorithm": "nope"}])
def test_settings_that_make_no_sense_change_nothing(reception: Reception, wrong: dict[str, object]) -> None:
    with pytest.raises(GlfftError):
        reception.configure(replace(SETTINGS, **wrong))  # pyright: ignore[reportArgumentType]
    assert reception.settings == SETTINGS
    reception.step(0.0)


def test_the_symbols_of_a_block_suit_the_device(ctx: moderngl.Context) -> None:
    with Reception(ctx, replace(SETTINGS, symbols=None)) as reception:
        assert reception.symbols % 22 == 0
        assert reception.settings.symbols == reception.symbols
