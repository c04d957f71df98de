"""Tables behind the twiddle factors: what shaders look for is where they look, and as many entries as are said."""

from __future__ import annotations

import numpy as np
import pytest

from glfft.algorithms.tables import Chirp, ChirpSpectrum, Factors, Roots
from glfft.engine import twiddles


@pytest.mark.parametrize("length", [2, 17, 1000, 1 << 20, (1 << 24) - 3])
def test_roots_in_two_levels_are_found_where_the_shader_looks(length: int) -> None:
    # shaders/common/twiddle.glsl, root_of_unity.
    table = Roots(length)
    found = twiddles.entries(table)
    assert len(found) == table.size <= 3 * length**0.5 + 3
    exponents = np.unique(np.random.default_rng(1).integers(0, length, 1000))
    fine = 1 << table.fine_bits
    product = found[exponents % fine] * found[fine + exponents // fine]
    assert np.abs(product - twiddles.powers(exponents, length)).max() <= 1e-15


def test_factors_between_stages_are_found_where_the_shader_looks() -> None:
    table = Factors(12, 5)
    found = twiddles.entries(table)
    assert len(found) == table.size == 12 * 4
    for down in range(1, 5):
        for row in range(12):
            assert abs(found[(down - 1) * 12 + row] - np.exp(-2j * np.pi * down * row / 60)) <= 1e-15


@pytest.mark.parametrize(("length", "padded", "parts"), [(5, 9, ()), (10, 24, (4, 6)), (10, 24, (2, 3, 4))])
def test_a_chirp_convolves_to_the_transform(length: int, padded: int, parts: tuple[int, ...]) -> None:
    chirp = Chirp(length)
    forward = twiddles.entries(chirp), twiddles.entries(ChirpSpectrum(chirp, padded, parts))
    values = np.arange(length) ** 2 + 1j
    for direction in (-1, 1):
        c, spectrum = forward if direction < 0 else map(np.conj, forward)
        if parts:
            # Where passes over parts leave frequency a + A (l + B q): at (a B + l) C + q.
            spectrum = spectrum.reshape(parts).T.ravel()
        result = c * np.fft.ifft(np.fft.fft(values * c, padded) * spectrum * padded)[:length]
        exact = np.fft.fft(values) if direction < 0 else np.fft.ifft(values, norm="forward")
        assert np.allclose(result, exact, atol=1e-12 * padded**2)
