"""Tables of many shapes are the same sea: names, units, conventions; and errors that name the line."""

from __future__ import annotations

import math

import numpy as np
import pytest

from glfft.errors import DataError
from glfft.sea.buoy_tables import spectrum_of_table
from glfft.sea.measured import MeasuredSpectrum

NUMBERS = ("0.05,0,270,20", "0.1,4,270,20", "0.2,1,300,40")


def read(text: str) -> MeasuredSpectrum:
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    return spectrum_of_table("sea.csv", lines)


def table(heading: str, *rows: str) -> str:
    return "\n".join((heading, *(rows or NUMBERS)))


@pytest.mark.parametrize(
    "text",
    [
        "frequency,density,direction,spread\n0.05,0,270,20\n0.1,4,270,20\n0.2,1,300,40\n",
        "Freq (Hz); Dir [deg]; Spread; Energy (m2/Hz)\r\n0.05;270;20;0\r\n0.1;270;20;4\r\n0.2;300;40;1\r\n",
        "# a note\n\n0.05 0 270 20\n0.1 4 270 20\n\n0.2 1 300 40\n",
        "f\tS\tmwd\tdspr\n0.05\t0\t270\t20\n0.1\t4\t270\t20\n0.2\t1\t300\t40\n",
        "0.05, 0, 270, 20\n0.1, 4, 270, 20\n0.2, 1, 300, 40",
        "f;S;dir;spread\n0,05;0;270;20\n0,1;4,0;270;20\n0,2;1;300;40\n",
        "f\tS\tdir\tspread\n0,05\t0\t270\t20\n0,1\t4\t270\t20\n0,2\t1\t300\t40\n",
        "f S dir spread\n0,05 0 270 20\n0,1 4 270 20\n0,2 1 300 40\n",
        '"f","S","dir, from","spread"\n"0.05","0","270","20"\n"0.1","4","270","20"\n"0.2","1","300","40"\n',
        ",frequency,density,direction,spread,\n0,0.05,0,270,20,\n1,0.1,4,270,20,\n2,0.2,1,300,40,\n",
        "0,0,0,0\n0.05,0,270,20 # lowest\n0.1,4,270,20\n0.2,1,300,40\n",
        table("Frequency (mHz),Energy (cm^2/Hz),Dir,Spread", "50,0,270,20", "100,40000,270,20", "200,10000,300,40"),
        table("frequency_hz,spectral_density_m2_per_hz,mean_direction_from_deg,directional_spread_deg"),
        table("f (Hz),S(f) [m²/Hz],θ (deg true from north),spread"),
        table("f (Hz)  S(f) (m²/Hz)  mean_dir  dspr", "0.05 0 270 20", "0.1 4 270 20", "0.2 1 300 40"),
        table("f,S,Going-to direction,spread", "0.05,0,90,20", "0.1,4,90,20", "0.2,1,120,40"),
        table("f,S,mean direction (deg, going to),spread", "0.05,0,90,20", "0.1,4,90,20", "0.2,1,120,40"),
        table("f,S,direction (deg ccw from east),spread", "0.05,0,0,20", "0.1,4,0,20", "0.2,1,-30,40"),
        table("f,S,math direction from,spread", "0.05,0,180,20", "0.1,4,180,20", "0.2,1,150,40"),
        table("f,S,dir,spread", "0.05,0,999,NaN", "0.1,4,270,20", "0.2,1,300,40"),
        table("f,S,dir,spread", *NUMBERS[::-1]),
        table("period (s),S,dir,spread", "5,1,300,40", "10,4,270,20", "20,0,270,20"),
        table("T;S;Dir;Spr", "20;0;270;20", "10;4;270;20", "5;1;300;40"),
        "sep=;\nf;S;dir;spread\n0,05;0;270;20\n0,1;4;270;20\n;;;\n0,2;1;300;40\n;;;\n",
        "A buoy, 22 November\n\n" + table("f,S,dir,spread"),
        table("f,S,dir,spread", "Hz,m2/Hz,degrees,degrees", *NUMBERS),
        table("freq,E,Dir,Spr", "mHz,cm^2/Hz,deg,deg", "50,0,270,20", "100,40000,270,20", "200,10000,300,40"),
        table("Hz,m2/Hz,deg,deg"),
        table("wave_frequency,spectral_wave_density,mean_wave_dir,sea_wave_directional_spread"),
        table(
            "sea_wave_frequency,wave_variance_density,sea_surface_wave_to_direction,σ (°)",
            "0.05,0,90,20",
            "0.1,4,90,20",
            "0.2,1,120,40",
        ),
        table(
            "frequency_band_width,f,cumulative_energy,S,wind_dir,MeanDir_degN,Dir_spread",
            "1,0.05,9,0,1,270,20",
            "1,0.1,9,4,1,270,20",
            "1,0.2,9,1,1,300,40",
        ),
        table("f (Hz), Energy (m^2/Hz), Direction (deg. true), Direction spreading (deg.)"),
        "5.0D-02 0.0D+00 2.7D+02 20\n1.0D-01 4.0D+00 2.7D+02 20\n2.0D-01 1.0D+00 3.0D+02 40\n",
    ],
)
def test_tables_of_many_shapes_are_the_same_sea(text):
    sea = read(text)
    assert sea.frequency == pytest.approx((0.05, 0.1, 0.2))
    assert sea.density == pytest.approx((0, 4, 1))
    assert np.degrees(sea.direction) == pytest.approx([0, 0, 30])
    assert np.degrees([math.sqrt(2 * (1 - r1)) for r1 in sea.r1]) == pytest.approx([20, 20, 40])


def test_angular_frequencies_and_radians_keep_the_energy():
    turn = 2 * math.pi
    rows = [f"{turn * f},{s / turn},{math.radians(d)},0.5" for f, s, d in ((0.1, 4, 270), (0.2, 1, 300))]
    for heading in ("omega (rad/s),S (m2 s/rad)", "frequency [rad/s],density [m^2/(rad/s)]"):
        sea = read(table(f"{heading},dir (rad),spread (rad)", *rows))
        assert sea.frequency == pytest.approx((0.1, 0.2))
        assert sea.density == pytest.approx((4, 1))
        assert np.degrees(sea.direction) == pytest.approx([0, 30])
        assert sea.r1 == pytest.approx((1 - 0.125,) * 2)


def test_a_spread_of_81_degrees_or_a_little_more_is_everywhere():
    sea = read("0.1 4 270 81.03\n0.2 1 300 90\n")
    assert sea.r1 == pytest.approx((0, 0), abs=1e-12)


def test_a_moment_may_stand_for_the_spread():
    assert read(table("freq,energy,alpha1,r1", "0.1,4,270,0.9", "0.2,1,300,0.8")).r1 == (0.9, 0.8)


@pytest.mark.parametrize(
    ("text", "speaks_of"),
    [
        ("f,s\n0.1,4\n", "two or more"),
        ("f,s\n0.1,4\n0.2,high\n", "line 3: the density is 'high'"),
        ("f,s\n0.1,4\n0.2\n", "line 3: 1 columns"),
        ("f,s\n0.1,4\n0.2,1\n0.15,1\n", "line 4: the frequency 0.15 Hz does not rise"),
        ("time,f,s\n1,0.1,4\n1,0.2,1\n2,0.1,4\n", "line 4: the frequencies begin again"),
        ("f,s\n0.2,4\n0.1,1\n0.15,1\n", "line 4: the frequency 0.15 Hz does not fall"),
        ("f,s\n0.1,4\n0.2,-1\n", "line 3"),
        ("f,s\n0.1,4\n0.2,nan\n", "line 3: the density is 'nan'"),
        ("f,dir\n0.1,4\n0.2,1\n", "line 1: no column is named density; there are f, dir"),
        ("f,s,dir,spread\n0.1,4,0,100\n0.2,1,0,20\n", "a spread is 100"),
        ("0.1 4 270\n0.2 1\n", "line 2: 2 columns"),
        ("0,05,0,1\n0,1,4,0\n", "line 2"),
        ("f,dir,s\n0.1,361,1\n", "line 2: a direction is 361 degrees"),
        ("f,s,dir\n0.1,4,999\n0.2,1,0\n", "line 2: the direction is missing"),
        ("f,s\n0.1,1.234,5\n0.1,4\n", "line 3: the frequency 0.1 Hz does not rise"),
        ("f;s\n0,1;1.234,5\n", "line 2: the density is '1.234,5'"),
        ("frequency (furlongs),s\n1,2\n", "line 1: the unit of the frequency in 'frequency (furlongs)' is not known"),
        ("f,s (m2/Hz/deg)\n1,2\n", "there are m2/Hz, cm2/Hz"),
        ("omega,s\n0.3,1\n", "line 1: beside an angular frequency, the density needs a unit"),
        ("f (rad/s),s\n0.3,1\n0.4,1\n", "line 1: beside an angular frequency, the density needs a unit"),
        ("height,s\n10,1\n", "line 1: no column is named frequency; there are height, s"),
        ("A title\nanother\n0.1,1\n0.2,1\n", "line 1: no column is named frequency; there are A, title"),
        ("period,s\n10,1\n0,1\n", "line 3: a period is 0 s and must be above 0"),
        ("f,s\n0.1,4\n0.2,1" + "a" * 999 + "\n", "line 3: the density is '1aaaaaa"),
        (",".join(f"nothing {each}" for each in range(99)) + "\n1,2\n", "there are nothing 0, nothing 1"),
        ("<html>\n", "line 1: no column is named frequency"),
        ("f,s,dir,r1\n0.1,1,0,1.2\n", "line 2: an r1 is 1.2"),
        ("f,s,dir,a1,b1\n0.1,1,0,0.2,-1.2\n", "line 2: b1 is -1.2; it must be from -1 to 1"),
        ("Frequency and energy\nf,s\n0.1,1\nx,2\n", "line 4: the frequency is 'x'"),
    ],
)
def test_what_is_no_table_is_told_by_its_line(text, speaks_of):
    with pytest.raises(DataError, match=r"^sea\.csv") as told:
        read(text)
    assert speaks_of in str(told.value)
    assert len(str(told.value)) < 300


def test_the_moments_of_a_table_as_cdip_writes_it_are_its_spread():
    sea = read(
        "File Name: sp100p1\nHs(m): 2.13  Tp(s): 12.5  Dp(deg): 287\n*****\n"
        "freq   Band   energy  Dmean   a1      b1      a2      b2     Check\n"
        " Hz    width  m*m/Hz   deg                                    Factor\n"
        "0.0500 0.0050  0.0000  270  0.5400 -0.7200  0.1000  0.2000   1.1\n"
        "0.1000 0.0050  4.0000  270 -0.9000  0.0000  0.1000  0.2000   1.1\n"
        "0.2000 0.0050  1.0000  300  0.0000 -0.8000  0.1000  0.2000   1.1\n"
    )
    assert (sea.frequency, sea.density) == ((0.05, 0.1, 0.2), (0, 4, 1))
    assert np.degrees(sea.direction) == pytest.approx([0, 0, 30])
    assert sea.r1 == pytest.approx((0.9, 0.9, 0.8))


@pytest.mark.parametrize(
    ("heading", "warned"),
    [
        ("f,S,a1,b1", "line 1: no column is named direction, and the wind's is taken; not read: a1, b1"),
        ("f,S,dir,b1", "line 1: no column is named spread, and 30 degrees are taken; not read: b1"),
    ],
)
def test_columns_that_may_be_directions_are_not_left_out_in_silence(heading, warned):
    with pytest.warns(UserWarning, match=warned):
        read(table(heading))


def test_a_table_without_directions_is_no_matter_for_a_warning(recwarn):
    assert not read("f,S\n0.1,4\n0.2,1\n").directional
    assert read("f,S,dir\n0.1,4,270\n0.2,1,270\n").directional
    assert not recwarn.list
