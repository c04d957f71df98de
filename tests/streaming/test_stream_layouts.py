"""Layouts of blocks and results. What the buffers do is tested with the stream."""

from __future__ import annotations

import numpy as np
import pytest

from glfft.errors import DataError, OptionError
from glfft.streaming import Layout


@pytest.mark.parametrize("given", [((3, 5), "f4"), ([3, 5], np.float32), ((np.int64(3), 5), np.dtype("f4"))])
def test_a_layout_is_a_shape_and_a_dtype(given: tuple[object, object]) -> None:
    layout = Layout.of("block", given)
    assert layout == Layout((3, 5), np.dtype("f4"))
    assert layout.size == 60
    assert layout.check("A block", np.zeros((3, 5), np.float32)).shape == (3, 5)


def test_a_single_axis_may_be_a_number() -> None:
    assert Layout.of("result", (7, "u1")).shape == (7,)


@pytest.mark.parametrize(
    "given", [None, (3,), ((3, 5), "words"), ((3.5,), "f4"), ((), "f4"), ((3, -1), "f4"), ("x", "f4"), ((2,), "(2,)f4")]
)
def test_what_is_no_layout_is_refused(given: object) -> None:
    with pytest.raises(OptionError, match=r"^result is .* must"):
        Layout.of("result", given)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(DataError, match=r"shape \(5, 3\)"):
        Layout.of("block", ((3, 5), "f4")).check("A block", np.zeros((5, 3), np.float32))
