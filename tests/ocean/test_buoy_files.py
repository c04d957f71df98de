"""Spectra in files: NDBC's kinds, tables of many shapes, and errors that name the line."""

from __future__ import annotations

import math

import numpy as np
import pytest

from glfft.errors import DataError
from glfft.ocean.buoy_files import read_spectrum

BANDS = (0.05, 0.1, 0.2, 0.4)


def recent(values: dict[str, tuple[float, ...]], separation: bool = False) -> str:
    """A file of the last days: times, newest first, to a value for each band."""
    rows = ["#YY  MM DD hh mm Sep_Freq  < value_1 (freq_1) value_2 (freq_2) value_3 (freq_3) ... >"]
    for time, numbers in values.items():
        pairs = " ".join(f"{value:.3f} ({band:.3f})" for value, band in zip(numbers, BANDS, strict=True))
        rows.append(f"{time} {'9.999 ' if separation else ''}{pairs}")
    return "\n".join(rows) + "\n"


NEW, OLD = "2024 03 01 12 40", "2024 03 01 11 40"


def test_recent_files_of_a_buoy_give_the_newest_spectrum_with_its_moments(tmp_path):
    (tmp_path / "46042.data_spec").write_text(recent({NEW: (0, 4, 1, 0.1), OLD: (0, 9, 9, 9)}, separation=True))
    (tmp_path / "46042.swdir").write_text(recent({NEW: (999, 270, 300, 180), OLD: (0, 0, 0, 0)}))
    (tmp_path / "46042.swdir2").write_text(recent({NEW: (999, 271, 301, 182), OLD: (0, 0, 0, 0)}))
    (tmp_path / "46042.swr1").write_text(recent({NEW: (999, 0.9, 0.8, 0.5), OLD: (0, 0, 0, 0)}))
    (tmp_path / "46042.swr2").write_text(recent({NEW: (999, 0.7, 0.5, 0.2), OLD: (0, 0, 0, 0)}))
    sea = read_spectrum(tmp_path / "46042.data_spec")
    assert sea.frequency == BANDS
    assert sea.density == (0, 4, 1, 0.1)
    # Waves from the west run to the east, which is +x; those from the north to the south, +z.
    assert np.degrees(sea.direction) == pytest.approx([0, 0, 30, 270])
    assert sea.r1 == (0.9, 0.9, 0.8, 0.5)
    assert sea.r2 == (0.7, 0.7, 0.5, 0.2)


def year(values: list[tuple[str, str]]) -> str:
    heading = "#YY  MM DD hh mm" + "".join(f"   {band:.4f}"[:8].replace("0.", ".") for band in BANDS)
    return "\n".join([heading, *(f"{time} {numbers}" for time, numbers in values)])


def test_files_of_a_year_have_hundredths_and_missing_rows(tmp_path):
    rows = [(OLD, "0.00 4.00 1.00 0.10"), (NEW, "0.00 999.00 1.00 0.10")]
    (tmp_path / "46042w2020.txt").write_text(year(rows))
    for letter, numbers in (("d", "999 180 90 0"), ("i", "999 182 91 1"), ("j", "999 90 80 50"), ("k", "999 70 50 20")):
        (tmp_path / f"46042{letter}2020.txt").write_text(year([(OLD, numbers)]))
    sea = read_spectrum(tmp_path / "46042w2020.txt")
    assert sea.density == (0, 4, 1, 0.1)
    assert np.degrees(sea.direction[1:]) == pytest.approx([270, 180, 90])
    assert sea.r1[1:] == (0.9, 0.8, 0.5)


def test_densities_alone_are_a_sea_without_directions(tmp_path):
    path = tmp_path / "41001w2004.txt"
    path.write_text("YYYY MM DD hh   .0500   .1000   .2000\n2004 01 01 00   0.10   4.00   1.00\n")
    sea = read_spectrum(path)
    assert sea.density == (0.1, 4, 1)
    assert not sea.directional


@pytest.mark.parametrize(
    "text",
    [
        "frequency,density,direction,spread\n0.05,0,270,20\n0.1,4,270,20\n0.2,1,300,40\n",
        "\ufeffFreq (Hz); Dir [deg]; Spread; Energy (m2/Hz)\r\n0.05;270;20;0\r\n0.1;270;20;4\r\n0.2;300;40;1\r\n",
        "# a note\n\n0.05 0 270 20\n0.1 4 270 20\n\n0.2 1 300 40\n",
        "f\tS\tmwd\tdspr\n0.05\t0\t270\t20\n0.1\t4\t270\t20\n0.2\t1\t300\t40\n",
        "0.05, 0, 270, 20\n0.1, 4, 270, 20\n0.2, 1, 300, 40",
    ],
)
def test_tables_of_many_shapes_are_the_same_sea(tmp_path, text):
    path = tmp_path / "sea.csv"
    path.write_text(text, encoding="utf-8", newline="")
    sea = read_spectrum(path)
    assert sea.frequency == (0.05, 0.1, 0.2)
    assert sea.density == (0, 4, 1)
    assert np.degrees(sea.direction) == pytest.approx([0, 0, 30])
    assert np.degrees([math.sqrt(2 * (1 - r1)) for r1 in sea.r1]) == pytest.approx([20, 20, 40])


@pytest.mark.parametrize(
    ("text", "speaks_of"),
    [
        ("", "empty"),
        ("f,s\n0.1,4\n", "two or more"),
        ("f,s\n0.1,4\n0.2,high\n", "line 3: the density is 'high'"),
        ("f,s\n0.1,4\n0.2\n", "line 3: 1 columns"),
        ("f,s\n0.1,4\n0.05,1\n", "line 3: the frequency 0.05 Hz does not rise"),
        ("f,s\n0.1,4\n0.2,-1\n", "line 3"),
        ("f,s\n0.1,4\n0.2,nan\n", "line 3: the density is 'nan'"),
        ("f,dir\n0.1,4\n0.2,1\n", "line 1: no column is named density; there are f, dir"),
        ("f,s,dir,spread\n0.1,4,0,100\n0.2,1,0,20\n", "a spread is 100"),
        ("0.1 4 270\n0.2 1\n", "line 2: 2 columns"),
        ("#YY MM DD hh mm .1000 .2000\n2020 01 01 00 00 1.0\n", "line 2: 1 values"),
        ("#YY MM DD hh mm .1000 .2000\n2020 01 01 00 00 1.0 x\n", "line 2: no number: 'x'"),
        ("#YY MM DD hh mm .1000 .2000\n2020 01 01 00 00 999.00 1.0\n", "no row"),
        ("#YY MM DD hh mm < spec_1 (freq_1) >\n2020 01 01 00 00 gone\n", "line 2: 0 values"),
    ],
)
def test_files_that_are_no_spectrum_are_told_by_their_line(tmp_path, text, speaks_of):
    path = tmp_path / "sea.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=r"sea\.txt") as told:
        read_spectrum(path)
    assert speaks_of in str(told.value)


def test_files_that_cannot_be_read_are_told(tmp_path):
    with pytest.raises(DataError, match="cannot be read"):
        read_spectrum(tmp_path / "nowhere.csv")
    (tmp_path / "picture.csv").write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(DataError, match="it is no text"):
        read_spectrum(tmp_path / "picture.csv")
