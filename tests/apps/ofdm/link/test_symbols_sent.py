"""The sender: Gray's code, symbols with their guard interval, and bits that are counted."""

from __future__ import annotations

import itertools

import numpy as np
from support.tolerances import assert_close

from glfft.apps.ofdm.link.symbols import (
    DATA,
    GUARD,
    PILOT_SPACING,
    SYMBOL,
    USED,
    bit_errors,
    pilot_places,
    points_of,
    random_words,
    samples_of,
    spectra_of,
    used_subcarriers,
)


def test_neighbouring_levels_differ_in_one_bit() -> None:
    words = np.zeros((1, 42), np.uint32)
    words[0, :2] = 0x76543210, 0xFEDCBA98
    points = points_of(words)[0, :16] * np.sqrt(10)
    assert_close(points.real, np.tile([-3, -1, 3, 1], 4))
    assert_close(points.imag, np.repeat([-3, -1, 3, 1], 4))
    codes = np.argsort(points.real[:4])
    assert all(bin(a ^ b).count("1") == 1 for a, b in itertools.pairwise(codes))


def test_symbols_have_pilots_data_and_zeros() -> None:
    words = random_words(np.random.default_rng(1), 2 * PILOT_SPACING + 3)
    spectra = spectra_of(words)
    empty = np.setdiff1d(np.arange(512), used_subcarriers())
    assert not spectra[:, empty].any()
    for symbol in (0, 1, 30):
        pilots = pilot_places(symbol)
        used = spectra[symbol, used_subcarriers()]
        assert set(used[pilots]) <= {-1, 1}
        assert np.array_equal(np.delete(used, pilots), points_of(words)[symbol])


def test_samples_begin_with_the_end_of_their_symbol() -> None:
    words = random_words(np.random.default_rng(2), 44)
    lines = samples_of(words).reshape(44, SYMBOL)
    assert np.array_equal(lines[:, :GUARD], lines[:, -GUARD:])
    assert_close(np.fft.fft(lines[:, GUARD:]) / np.sqrt(512 * 512 / USED), spectra_of(words))
    assert abs((np.abs(lines) ** 2).mean() - 1) < 0.02


def test_bits_that_differ_are_counted() -> None:
    words = random_words(np.random.default_rng(3), 2)
    assert 32 * words.size == 2 * DATA * 4
    other = words.copy()
    other[0, 3] ^= 0x80000001
    other[1, 41] ^= 0x10
    assert bit_errors(words, other) == 3
    assert bit_errors(words, words) == 0
