"""Samples by the names of SigMF."""

from __future__ import annotations

import numpy as np
import pytest
from support.channelizer import as_complex

from glfft.channelizer.recordings import FORMATS, format_named
from glfft.errors import DataError, OptionError


@pytest.mark.parametrize(
    ("name", "numbers", "values"),
    [
        ("ci16", [[-32768, 16384]], [-1 + 0.5j]),
        ("ci8", [[-128, 64]], [-1 + 0.5j]),
        ("cu8", [[0, 192]], [-1 + 0.5j]),
        ("cf32", [-1 + 0.5j], [-1 + 0.5j]),
    ],
)
def test_what_numbers_stand_for(name: str, numbers: list[object], values: list[complex]) -> None:
    kind = format_named(name)
    array = kind.checked(np.array(numbers, kind.dtype))
    assert as_complex(kind, array) == pytest.approx(values)
    assert array.nbytes == kind.sample_bytes
    assert not as_complex(kind, kind.silence(3)).any()


def test_numbers_of_another_kind_are_refused() -> None:
    with pytest.raises(DataError, match=r"dtype float64; ci16 takes \[samples, 2\] of int16"):
        FORMATS["ci16"].checked(np.zeros((4, 2)))
    with pytest.raises(DataError, match="complex numbers"):
        FORMATS["cf32"].checked(np.zeros((4, 2), np.int8))
    with pytest.raises(OptionError, match="one of cf32, ci16, ci8, cu8"):
        format_named("cf64")
