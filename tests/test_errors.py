"""Errors are Python's own kinds too, and quote what users gave in a short line."""

from __future__ import annotations

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
    shown,
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
