"""The mathematics of filter banks, in float64 and without a GPU: what scipy says of both directions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import signal
from support.channelizer import channels_of, samples_of

from glfft.channelizer.filters import FilterBank, kept_channels
from glfft.errors import GlfftError, OptionError, ShapeError


@pytest.mark.parametrize(
    ("channels", "decimation", "taps", "least_db"),
    [(8, 4, 8, 250), (16, 12, 8, 150), (12, 7, 6, 200), (9, 8, 4, 60), (8, 8, 4, 50), (16, 16, 1, 250)],
)
def test_channels_put_together_are_the_signal(channels: int, decimation: int, taps: int, least_db: float) -> None:
    bank = FilterBank.design(channels, decimation, taps=taps, attenuation=0 if taps == 1 else 80)
    count = bank.decimation * 100
    noise = np.random.default_rng(1).standard_normal((2, count)).T @ [1, 1j]
    padded = np.concatenate([noise, np.zeros(bank.delay)])
    back = samples_of(bank, channels_of(bank, padded))[bank.delay : bank.delay + count]
    found = -20 * np.log10(np.linalg.norm(back - noise) / np.linalg.norm(noise))
    assert bank.reconstruction_db > least_db
    # It is told for white noise on average, and this is one signal.
    assert found == pytest.approx(bank.reconstruction_db, abs=2) or min(found, bank.reconstruction_db) > 200


@pytest.mark.parametrize(("channels", "taps"), [(2, 4), (6, 4), (6, 5), (8, 1), (10, 12), (16, 8)])
def test_a_staggered_bank_is_undone_by_its_own_prototype(channels: int, taps: int) -> None:
    bank = FilterBank.design_staggered(channels, taps=taps)
    count = channels * 40
    noise = np.random.default_rng(1).standard_normal((2, count)).T @ [1, 1j]
    padded = np.concatenate([noise, np.zeros(bank.delay + channels)])
    back = samples_of(bank, channels_of(bank, padded))[bank.delay : bank.delay + count]
    found = -20 * np.log10(np.linalg.norm(back - noise) / np.linalg.norm(noise))
    assert min(bank.reconstruction_db, found) > 125
    assert np.allclose(np.trim_zeros(bank.synthesis), bank.prototype / (bank.prototype**2).sum(), rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize(("taps", "attenuation"), [(2, 23), (4, 28), (8, 58), (12, 82), (16, 105)])
def test_channels_of_a_staggered_bank_end_in_the_middle_of_the_next(taps: int, attenuation: float) -> None:
    for channels in (6, 16):
        frequencies, response = signal.freqz(FilterBank.design_staggered(channels, taps=taps).prototype, worN=1 << 14)
        size, cycles = np.abs(np.asarray(response)), np.asarray(frequencies) / (2 * np.pi)
        assert size[0] == pytest.approx(1)
        assert size[len(size) // channels] == pytest.approx(np.sqrt(0.5), abs=0.02)
        assert -20 * np.log10(size[cycles > 1 / channels].max()) > attenuation


def test_a_longer_synthesis_filter_is_better() -> None:
    found = [FilterBank.design(8, taps=4, synthesis_taps=length).reconstruction_db for length in (32, 64, 256)]
    assert found == sorted(found)
    assert found[-1] > found[0] + 20


@pytest.mark.parametrize(("channels", "decimation"), [(16, 8), (16, 12)])
def test_the_prototype_passes_a_channel_and_stops_what_would_fold_into_it(channels: int, decimation: int) -> None:
    bank = FilterBank.design(channels, decimation, taps=16, attenuation=80)
    frequencies, response = signal.freqz(bank.prototype, worN=8192, whole=False)
    size, cycles = np.abs(np.asarray(response)), np.asarray(frequencies) / (2 * np.pi)
    assert size[0] == pytest.approx(1)
    # Half the amplitude in the middle of the transition, 5 / 16 of a channel's width in all.
    half = min(1 / (2 * decimation), 1 / channels)
    transition = 5 / 16 / channels
    assert np.interp(half, cycles, size) == pytest.approx(0.5, abs=0.01)
    assert size[cycles < half - transition / 2].min() > 0.999
    assert size[cycles > half + transition / 2].max() < 1.2e-4


FRACTION: Any = 8.5
NUMPYS_FRACTION: Any = np.float64(8.5)
TEXT: Any = "8"


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: FilterBank.design(1), ShapeError, "channels is 1"),
        (lambda: FilterBank.design(8, 9), ShapeError, "from 1 to the number of channels, 8"),
        (lambda: FilterBank.design(FRACTION), ShapeError, "channels is 8.5 and must be a whole number, 2 or more"),
        (lambda: FilterBank.design(TEXT), ShapeError, "channels is '8' and must be a whole number"),
        (lambda: FilterBank.design(8, FRACTION), ShapeError, "decimation is 8.5 and must be a whole number from 1"),
        (lambda: FilterBank.design(8, taps=FRACTION), ShapeError, "taps is 8.5 and must be a whole number"),
        (lambda: FilterBank.design_staggered(FRACTION), ShapeError, "channels is 8.5 and must be a whole number"),
        (lambda: FilterBank.design(8, 4, synthesis_taps=FRACTION), ShapeError, "synthesis_taps is 8.5 and must be"),
        (lambda: FilterBank.design(8, 4, synthesis_taps=NUMPYS_FRACTION), ShapeError, "synthesis_taps is .*8.5"),
        (lambda: kept_channels(FilterBank.design(8), (FRACTION,)), ShapeError, "There is no channel 8.5"),
        (lambda: FilterBank.design(8, 0), ShapeError, "decimation is 0"),
        (lambda: FilterBank.design(8, taps=0), ShapeError, "taps is 0"),
        (lambda: FilterBank.design(8, attenuation=-1), OptionError, "attenuation"),
        (lambda: FilterBank.design(8, synthesis_taps=-1), ShapeError, "synthesis_taps"),
        (lambda: FilterBank.design_staggered(7), ShapeError, "channels is 7 and must be even .* such as 8"),
        (lambda: FilterBank.design_staggered(0), ShapeError, "channels is 0"),
        (lambda: FilterBank.design_staggered(8, taps=0), ShapeError, "taps is 0"),
        (lambda: FilterBank(8, 4, np.ones(8), staggered=True), ShapeError, "number of channels, 8"),
        (lambda: FilterBank(8, 8, np.ones(8), 16, staggered=True), ShapeError, "left out"),
        (lambda: FilterBank(8, 8, np.arange(8.0), staggered=True), OptionError, "symmetric"),
        (lambda: FilterBank(8, 8, np.ones(7)), ShapeError, "7 taps"),
        (lambda: FilterBank(8, 8, np.zeros(8)), OptionError, "not all 0"),
        (lambda: FilterBank(8, 8, np.full(8, np.nan)), OptionError, "finite"),
        (lambda: FilterBank(8, 8, np.ones((2, 8))), OptionError, "row"),
    ],
)
def test_what_is_no_bank_is_refused(make: Any, error: type[GlfftError], words: str) -> None:
    with pytest.raises(error, match=words):
        make()


NARROW: Any = np.uint8(48), np.uint8(32), np.int8(6), np.uint8(250)


def test_narrow_integers_of_numpy_do_not_overflow() -> None:
    plain = FilterBank.design(48, 32, taps=6)
    channels, decimation, taps, synthesis_taps = NARROW
    found = FilterBank.design(channels, decimation, taps=taps)
    assert (type(found.channels), type(found.decimation)) == (int, int)
    np.testing.assert_array_equal(found.prototype, plain.prototype)
    assert FilterBank(channels, decimation, plain.prototype).channels == 48
    assert FilterBank.design_staggered(channels, taps=taps).channels == 48
    assert len(FilterBank(channels, decimation, plain.prototype, synthesis_taps).synthesis) == 256
