"""Errors are Python's own kinds too, and quote what users gave in a short line."""

from __future__ import annotations

import numpy as np
import pytest

from glfft.errors import (
    AlgorithmError,
    ComplexDataError,
    DataError,
    GlfftError,
    MissingExtraError,
    OptionError,
    ShapeError,
    TextureError,
    at_least_one,
    shown,
    whole_number,
)


def test_value_errors_are_python_value_errors_too() -> None:
    for kind in (ShapeError, OptionError, AlgorithmError, TextureError):
        assert issubclass(kind, ValueError)
        assert issubclass(kind, GlfftError)


def test_other_errors_are_the_python_ones_that_callers_expect() -> None:
    assert issubclass(ComplexDataError, TypeError)
    assert issubclass(ComplexDataError, DataError)
    assert issubclass(MissingExtraError, ImportError)


@pytest.mark.parametrize("value", ["two\nlines", "x" * 10_000, list(range(10_000)), {"a": "b" * 10_000}])
def test_a_value_is_quoted_on_one_short_line(value: object) -> None:
    assert "\n" not in shown(value)
    assert 0 < len(shown(value)) < 100
    assert shown("a  b") == "'a b'"


@pytest.mark.parametrize("value", [0, -1, 1.0, "2", None, True, 1 << 31])
def test_a_count_is_a_whole_number_above_0(value: object) -> None:
    assert at_least_one("count", np.int64(3)) == 3
    with pytest.raises(OptionError, match="count is"):
        at_least_one("count", value)


def test_a_whole_number_is_of_an_integer_type() -> None:
    assert [whole_number(each) for each in (np.uint8(7), -2, 2.0, "2")] == [7, -2, None, None]
