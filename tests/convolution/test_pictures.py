"""Arrays in place of textures: what is taken, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from support.sentences import refused

from glfft.convolution.pictures import picture_array
from glfft.errors import DataError, OptionError, ShapeError


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int64, np.float16, np.float64, ">f4"])
def test_real_numbers_become_float32(dtype: str) -> None:
    given = np.array([[0, 1, 1], [1, 0, 1]], dtype).T
    found = picture_array("first", given)
    assert found.dtype == np.float32
    assert found.flags.c_contiguous
    assert np.array_equal(found, given)
    assert np.array_equal(picture_array("first", given.tolist()), given)


def test_errors_say_what_to_do() -> None:
    for given, error in (
        (np.zeros((2, 2), complex), OptionError),
        ("text", OptionError),
        (np.zeros(3), ShapeError),
        (np.zeros((2, 0)), ShapeError),
        ([[np.nan]], DataError),
        ([[1e300]], DataError),
    ):
        with refused(error):
            picture_array("first", given)
