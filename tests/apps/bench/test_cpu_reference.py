"""The textbook transforms on the CPU agree with numpy: they serve as references themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.fft
from hypothesis import given
from hypothesis import strategies as st
from support.sentences import refused

from glfft.apps.bench.cpu import REFERENCES, bit_reversal
from glfft.apps.bench.workload import cosine_transform
from glfft.apps.signal_to_noise import random_complex
from glfft.errors import ShapeError

# Float64 rounding, 1.1e-16, over up to 11 stages (n products in the definition): 1e-13 is far above and far below.
CLOSE = 1e-13

each_reference = pytest.mark.parametrize("name", REFERENCES)


@given(exponent=st.integers(0, 11), seed=st.integers(0, 99), name=st.sampled_from(list(REFERENCES)))
def test_they_agree_with_numpy(exponent: int, seed: int, name: str) -> None:
    points = random_complex((2**exponent,), seed).astype(np.complex128)
    result, exact = REFERENCES[name](points), np.fft.fft(points)
    assert result.dtype == np.complex128
    assert np.linalg.norm(result - exact) <= CLOSE * np.linalg.norm(exact)


@pytest.mark.parametrize("length", [3, 5, 12, 97])
def test_the_definition_takes_any_length(length: int) -> None:
    points = random_complex((length,)).astype(np.complex128)
    assert np.allclose(REFERENCES["dft"](points), np.fft.fft(points), rtol=0, atol=1e-12)


@each_reference
def test_the_input_is_left_as_it_is(name: str) -> None:
    points = random_complex((64,)).astype(np.complex128)
    kept = points.copy()
    REFERENCES[name](points)
    REFERENCES[name](points[:1])[0] = 7
    assert np.array_equal(points, kept)


@each_reference
def test_lists_and_real_numbers_are_sequences(name: str) -> None:
    assert np.allclose(REFERENCES[name]([1, 2, 3, 4]), [10, -2 + 2j, -2, -2 - 2j])


@pytest.mark.parametrize("name", [name for name in REFERENCES if name != "dft"])
@pytest.mark.parametrize("bad", [np.ones(12), np.ones((4, 4)), np.ones(0), np.float64(3)], ids=lambda a: str(a.shape))
def test_other_shapes_are_refused(name: str, bad: Any) -> None:
    with refused(ShapeError, "power of two"):
        REFERENCES[name](bad)


@pytest.mark.parametrize("exponent", range(11))
def test_bit_reversal_reverses_bits(exponent: int) -> None:
    length = 2**exponent
    expected = [int(format(index, f"0{exponent}b")[::-1], 2) if exponent else 0 for index in range(length)]
    assert bit_reversal(length).tolist() == expected


@pytest.mark.parametrize("shape", [(3, 8), (5, 7), (2, 1)])
def test_the_cosine_transform_is_scipys(shape: tuple[int, int]) -> None:
    points = random_complex(shape, 1).real.astype(np.float64)
    for axes in ((0, 1), (1,)):
        exact = np.asarray(scipy.fft.dctn(points, axes=axes, norm="ortho"))
        assert np.allclose(cosine_transform(points, axes), exact, atol=CLOSE)
