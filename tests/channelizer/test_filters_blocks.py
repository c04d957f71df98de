"""The length of blocks and the channels wanted, which both directions of a bank have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glfft.channelizer.filters import FilterBank, block_times, kept_channels
from glfft.errors import ShapeError


def test_default_blocks_are_whole_turns_where_these_are_short() -> None:
    assert block_times(FilterBank.design(64), 64 * 12, None) % 2 == 0
    times = block_times(FilterBank.design(12, 7, taps=2), 24, None)
    assert times * 7 % 12 == 0
    assert times * 7 >= 1 << 17
    # A turn of 4099 times would be long.
    assert block_times(FilterBank.design(4099, 1000, taps=1), 4100, None) == 132


def test_channels_are_counted_from_either_end_and_named_once() -> None:
    bank = FilterBank.design(8, taps=2)
    assert kept_channels(bank, None) == tuple(range(8))
    assert kept_channels(bank, (-1, 0, 3)) == kept_channels(bank, iter((-1, 0, 3))) == (7, 0, 3)
    alone: Any = np.array(3)
    assert kept_channels(bank, alone) == (3,)
    for wrong in ((8,), (0, -8), ()):
        with pytest.raises(ShapeError):
            kept_channels(bank, wrong)
