"""Twiddle tables: as exact as their numbers can be, symmetric to the last bit, and one buffer a list of radices."""

from __future__ import annotations

from decimal import Decimal

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
from support.exact import cosine_and_sine

from glfft.algorithms.tables import Chirp, ChirpSpectrum
from glfft.engine import twiddles


def exact_parts(length: int) -> tuple[npt.NDArray[np.longdouble], npt.NDArray[np.longdouble]]:
    """Cosine and sine of the angles, in longer floats than the table's where the platform has them."""
    angle = 2 * np.longdouble("3.14159265358979323846264338327950288") * np.arange(length) / length
    return np.cos(angle), np.sin(angle)


@pytest.mark.parametrize("length", [1, 2, 4, 8, 64, 1024, 16384, 3, 12, 100, 1000])
def test_entries_are_the_roots_of_unity(length: int) -> None:
    # 2.3e-16 is two roundings of a number below one.
    table = twiddles.roots(length)
    assert table.dtype == np.complex128
    cosine, sine = exact_parts(length)
    assert np.abs(np.real(table) - cosine).max() <= 2.3e-16
    assert np.abs(np.imag(table) + sine).max() <= 2.3e-16


@pytest.mark.parametrize("length", [64, 1024, 16384])
def test_rounding_to_float32_is_the_nearest_for_all_but_near_ties(length: int) -> None:
    rounded = twiddles.roots(length).astype(np.complex64)
    for parts, exact in zip((np.real(rounded), -np.imag(rounded)), exact_parts(length), strict=True):
        # Zeros aside, which the longer floats miss by a rounding.
        others = np.abs(exact) > 1e-15
        assert np.mean(parts[others] != exact[others].astype(np.float32)) < 1e-3
        assert not parts[~others].any()


# Long doubles have eleven bits more than doubles, where they are longer at all.
LONGER = np.finfo(np.longdouble).nmant > np.finfo(np.float64).nmant
HALF_A_STEP = 0.502 if LONGER else 1.5


@pytest.mark.parametrize("length", [3, 8, 17, 60, 251, 1024])
def test_factors_in_float64_are_rounded_to_the_nearest(length: int) -> None:
    table = twiddles.roots(length, double=True).astype(np.complex128)
    wrong = 0
    for j, factor in enumerate(table.tolist()):
        for part, exact in zip((factor.real, -factor.imag), cosine_and_sine(j, length), strict=True):
            if abs(exact) < Decimal("1e-30"):
                assert part == 0
                continue
            assert abs(Decimal(part) - exact) <= Decimal(HALF_A_STEP * float(np.spacing(abs(part))))
            wrong += part != float(exact)
    # Near ties, one in a thousand may go to the other side.
    assert wrong <= (0.003 if LONGER else 1) * 2 * length


def test_the_chirp_in_float64_is_rounded_once(ctx: moderngl.Context) -> None:
    length, padded = 17, 36
    tables = (Chirp(length), ChirpSpectrum(Chirp(length), padded))
    buffer = twiddles.held(ctx, (6, 6), tables, double=True)
    table = np.frombuffer(buffer.read(), np.complex128)
    assert len(table) == padded - 1 + length + padded
    chirp = table[padded - 1 : padded - 1 + length]
    for n, factor in enumerate(chirp.tolist()):
        cosine, sine = cosine_and_sine(n * n % (2 * length), 2 * length)
        assert abs(Decimal(factor.real) - cosine) < Decimal("6e-17")
        assert abs(Decimal(factor.imag) + sine) < Decimal("6e-17")
    # conj(c) is the sequence whose transform follows.
    sequence = np.fft.fft(table[padded - 1 + length :].conj())
    assert np.abs(sequence[:length] - chirp).max() < 1e-15


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("length", [8, 16, 64, 1024, 16384])
def test_symmetries_hold_to_the_last_bit(length: int, double: bool) -> None:
    table = twiddles.roots(length, double)
    assert table[0] == 1
    assert table[length // 4] == -1j
    assert table[length // 2] == -1
    assert table[3 * length // 4] == 1j
    assert table[length // 8].real == -table[length // 8].imag
    # Half a turn negates, a quarter turn multiplies by -i, the other way round conjugates.
    assert np.array_equal(np.roll(table, -length // 2), -table)
    assert np.array_equal(np.roll(table, -length // 4), -1j * table)
    assert np.array_equal(np.roll(table[::-1], 1), table.conj())


@pytest.mark.parametrize("radices", [(2,), (2, 2, 2, 2), (4, 4, 2), (8, 2, 16), (32, 32)])
def test_a_stage_finds_its_factors_where_the_shader_looks(radices: tuple[int, ...]) -> None:
    # shaders/common/twiddle.glsl reads entry i * span - 1 + k.
    table = twiddles.table(radices)
    span = 1
    for radix in radices:
        for i in range(1, radix):
            k = np.arange(span)
            assert np.allclose(table[i * span - 1 + k], np.exp(-2j * np.pi * k * i / (radix * span)), atol=1e-15)
        span *= radix
    assert len(table) == span - 1


def test_the_buffer_holds_the_table(ctx: moderngl.Context) -> None:
    buffer = twiddles.held(ctx, (16, 8))
    assert np.array_equal(np.frombuffer(buffer.read(), np.complex64), twiddles.table((16, 8)).astype(np.complex64))


def test_a_list_of_radices_has_one_buffer(ctx: moderngl.Context) -> None:
    assert twiddles.held(ctx, (8, 16)) is twiddles.held(ctx, (8, 16))
    assert twiddles.held(ctx, (8, 16)) is not twiddles.held(ctx, (16, 4))
    assert twiddles.held(ctx, (8, 16)).size * 2 == twiddles.held(ctx, (8, 16), double=True).size
