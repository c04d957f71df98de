"""Spectra in files: NDBC's kinds, tables of many shapes, and errors that name the line."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from glfft.errors import DataError
from glfft.sea.buoy_files import read_spectrum

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


def write(folder: Path, files: dict[str, str]) -> Path:
    """Write files, compressed where their names say so; gives the first."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return folder / next(iter(files))


RECENT_DIRECTIONS = recent({NEW: (999, 99, 100, 120)})
ALPHA, R1 = "999 99 100 120", "999 99 85 50"


@pytest.mark.parametrize(
    "files",
    [
        {"b.data_spec": recent({NEW: (0, 4, 1, 0.1)}), "b.swdir": RECENT_DIRECTIONS},
        {"b.data_spec.txt": recent({NEW: (0, 4, 1, 0.1)}).replace("\n", "\r\n"), "b.swdir.txt": RECENT_DIRECTIONS},
        {"b.data_spec.gz": "\ufeff" + recent({NEW: (0, 4, 1, 0.1)}), "b.swdir": RECENT_DIRECTIONS},
        {"b.data_spec": recent({NEW: (0, 4, 1, 0.1)}).split("\n", 1)[1], "b.swdir": RECENT_DIRECTIONS},
        {"46042w2020.txt.gz": year([(NEW, "0 4 1 0.1")]), "46042d2020.txt.gz": year([(NEW, ALPHA)])},
        {"46042w2020.txt.gz": year([(NEW, "0 4 1 0.1")]), "46042d2020.txt": year([(NEW, ALPHA)])},
        {"swden/46042w2020.txt": year([(NEW, "0 4 1 0.1")]), "swdir/46042d2020.txt": year([(NEW, ALPHA)])},
        {"swden/Jan/4604212024.txt": year([(NEW, "0 4 1 0.1")]), "swdir/Jan/4604212024.txt": year([(NEW, ALPHA)])},
    ],
)
def test_directions_are_found_wherever_the_archive_has_them(tmp_path, files):
    sea = read_spectrum(write(tmp_path, files))
    assert sea.density == (0, 4, 1, 0.1)
    # 99 degrees is a direction, though 99 is a missing density.
    assert np.degrees(sea.direction) == pytest.approx([189, 189, 190, 210])


def test_moments_of_99_hundredths_are_there_and_files_without_minutes_and_with_brackets_are_read(tmp_path):
    heading = "YYYY MM DD hh " + " ".join(f"({band:.4f})" for band in BANDS)
    row = "2004 01 01 00"
    files = {"41001w2004.txt": "0 4 1 .1", "41001d2004.txt": ALPHA, "41001j2004.txt": R1}
    sea = read_spectrum(write(tmp_path, {name: f"{heading}\n{row} {text}\n" for name, text in files.items()}))
    assert sea.r1 == (0.99, 0.99, 0.85, 0.5)


def test_other_bands_are_interpolated_and_what_is_not_told_is_said(tmp_path):
    other = recent({NEW: (350, 350, 10, 10)}).replace("(0.100)", "(0.080)").replace("(0.200)", "(0.220)")
    files = {"b.data_spec": recent({NEW: (0, 4, 1, 0.1)}), "b.swdir": other, "b.swr1": recent({OLD: (1, 1, 1, 1)})}
    with pytest.warns(UserWarning, match=r"b\.swr1 does not tell enough .* 2024-03-01 12:40; a spread of 30 degrees"):
        sea = read_spectrum(write(tmp_path, files))
    coming_from = (np.degrees(sea.direction) - 90 + 180) % 360 - 180
    # Linear between -10 degrees at 0.08 Hz and 10 degrees at 0.22 Hz, but for the curve of the sine.
    assert coming_from == pytest.approx([-10, -10 + 20 * 2 / 14, -10 + 20 * 12 / 14, 10], abs=0.2)
    (tmp_path / "b.swdir").write_text(recent({OLD: (0, 0, 0, 0)}))
    (tmp_path / "b.swr1").unlink()
    with pytest.warns(UserWarning, match=r"b\.swdir does not tell enough .* they are the wind's"):
        assert not read_spectrum(tmp_path / "b.data_spec").directional


def test_files_of_five_days_have_all_in_one(tmp_path):
    path = tmp_path / "46042_5day.spectral"
    block = "2003 01 01 {} 3\n0.05 0.01 0.0 999 999 999 999\n0.1 0.01 {} 0.9 0.7 270 271\n0.2 0.01 1 0.8 0.5 300 301\n"
    head = "YYYY MM DD hh mm bands\nfreq bandwidth energy r1 r2 alpha1 alpha2\n"
    path.write_text(head + block.format("00 00", 4.0) + block.format("01 00", 5.0))
    sea = read_spectrum(path)
    assert (sea.frequency, sea.density) == ((0.05, 0.1, 0.2), (0, 5, 1))
    assert np.degrees(sea.direction) == pytest.approx([0, 0, 30])
    assert (sea.r1, sea.r2) == ((0.9, 0.9, 0.8), (0.7, 0.7, 0.5))
    path.write_text(head + block.format("00 00", 4.0)[:-20])
    with pytest.raises(DataError, match="line 3: 3 lines with 7 numbers should follow"):
        read_spectrum(path)
    path.write_text(head + "2003 01 01 00 00 0\n")
    with pytest.raises(DataError, match="line 3: some lines with 7 numbers should follow"):
        read_spectrum(path)


def test_a_band_that_no_row_has_is_left_out_with_a_warning(tmp_path):
    rows = [(OLD, "999.00 9.00 9.00 0.90"), (NEW, "999.00 4.00 1.00 0.10")]
    files = {"46042w2020.txt": year(rows), "46042d2020.txt": year([(NEW, "999 280 300 300")])}
    with pytest.warns(UserWarning, match=r"line 3: 1 of 4 densities are missing"):
        sea = read_spectrum(write(tmp_path, files))
    assert (sea.frequency, sea.density) == (BANDS[1:], (4, 1, 0.1))
    assert np.degrees(sea.direction) == pytest.approx([10, 30, 30])
    (tmp_path / "46042w2020.txt").write_text(year([*rows, ("2024 01 01 00 00", "0.00 8.00 1.00 0.10")]))
    (tmp_path / "46042d2020.txt").unlink()
    assert read_spectrum(tmp_path / "46042w2020.txt").density == (0, 8, 1, 0.1)  # complete, if older


@pytest.mark.parametrize("name", ["46042.swdir", "46042j2020.txt", "swr1/4604212024.txt"])
def test_files_of_directions_are_no_densities(tmp_path, name):
    text = RECENT_DIRECTIONS if name.endswith("swdir") else year([(NEW, ALPHA)])
    with pytest.raises(
        DataError, match="line 1: these are directions or their moments; name the file of the densities"
    ):
        read_spectrum(write(tmp_path, {name: text}))


@pytest.mark.parametrize(
    ("text", "speaks_of"),
    [
        ("", "empty"),
        ("#YY MM DD hh mm .1000 .2000\n2020 01 01 00 00 1.0\n", "line 2: 1 values"),
        ("#YY MM DD hh mm .1000 .2x00\n2020 01 01 00 00 1.0 1.0\n", "line 1: no number: '.2x00'"),
        ("#YY MM DD hh mm .1000 .2000\n2020 01 01 00 00 1.0 x\n", "line 2: no number: 'x'"),
        ("#YY MM DD hh mm .1000 .2000\n2020 01 01 00 00 999.00 1.0\n", "no row"),
        ("f,s\n0.1,1e9\n0.2,1e9\n", "sea.txt: The spectrum's significant wave height is"),
        (recent({NEW: (0, 4, 1, 0.1)})[:-8], "line 2: it breaks off after 3 values"),
        (recent({NEW: (0, -4, 1, 0.1)}), "line 2: frequencies must rise from above 0, and densities not be below"),
        ("#YY MM DD hh mm < spec_1 (freq_1) >\n2020 01 01 00 00 gone\n", "line 2: 0 values"),
        (
            "#YY MM DD hh mm WDIR WSPD WVHT\n#yr mo dy hr mn degT m/s m\n2020 01 01 00 00 1 2 3\n",
            "line 1: this file has WSPD, WVHT and no spectra; name the file of the densities",
        ),
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
    for data, why in (
        (b"\x89PNG\xff\xfe", "it is no text"),
        (b"\0" * 9, "it is no text"),
        (gzip.compress(b"0.1 2\n" * 999)[:40], "end-of-stream"),
        (b"\x1f\x8bno", "cannot be read"),
    ):
        (tmp_path / "picture.csv").write_bytes(data)
        with pytest.raises(DataError, match=why):
            read_spectrum(tmp_path / "picture.csv")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_text_may_be_in_any_usual_code(tmp_path, encoding):
    (tmp_path / "sea.csv").write_bytes("f (Hz);S (m²/Hz)\n0,1;4\n0,2;1\n".encode(encoding))
    assert read_spectrum(tmp_path / "sea.csv").density == (4.0, 1.0)
