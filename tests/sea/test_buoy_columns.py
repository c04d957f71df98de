"""Columns by the names that people give them: what they have, units, conventions of directions."""

from __future__ import annotations

import pytest

from glfft.errors import DataError
from glfft.sea.buoy_columns import named_columns, row_of_units

LINE = "f [mHz],S(f) (m^2/Hz),Dir to (deg),spr"


def test_names_units_and_conventions_are_read():
    found, unread = named_columns("a.csv, line 1", LINE, [LINE])
    assert {name: (column.place, column.factor) for name, column in found.items()} == {
        "frequency": (0, 1e-3), "density": (1, 1), "direction": (2, 1), "spread": (3, 1)
    }  # fmt: skip
    assert unread == ""
    assert found["direction"].convention(30.0) == 210.0
    counted_from_east = named_columns("a.csv, line 1", "freq density dir_math", ["freq", "density", "dir_math"])[0]
    assert counted_from_east["direction"].convention(0.0) == 270.0
    for east in ("east", "E"):
        line = f"f,S,dir (deg from {east} ccw)"
        assert named_columns("a.csv, line 1", line, [line])[0]["direction"].convention(30.0) % 360 == 240.0


def test_a_line_of_units_below_the_names_scales_the_columns():
    columns = named_columns("a.txt, line 1", "freq energy", ["freq", "energy"])[0]
    scaled = row_of_units("a.csv, line 2", ["(mHz)", "(cm2/Hz)"], columns)
    assert scaled is not None
    assert [scaled[name].factor for name in ("frequency", "density")] == [1e-3, 1e-4]
    assert row_of_units("a.csv, line 2", ["0.1", "2.0"], columns) is None


@pytest.mark.parametrize("unit", ["grad", "deg (to)"])
def test_a_line_of_units_with_one_that_is_not_known_is_refused(unit):
    columns = named_columns("a.txt, line 1", "freq energy dir", ["freq", "energy", "dir"])[0]
    for none in ("", "-", "deg."):
        assert row_of_units("a.txt, line 2", ["Hz", "m2/Hz", none], columns) == columns
    with pytest.raises(DataError, match=r"line 2: the unit of the direction in '.*' is not known; there are degrees"):
        row_of_units("a.txt, line 2", ["Hz", "m2/Hz", unit], columns)


@pytest.mark.parametrize(
    ("line", "speaks_of"),
    [("freq wind", "no column is named density"), ("freq[miles] energy", "unit of the frequency")],
)
def test_lines_without_a_spectrum_are_refused(line, speaks_of):
    with pytest.raises(DataError, match=speaks_of):
        named_columns("a.txt, line 1", line, line.split())
