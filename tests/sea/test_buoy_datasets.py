"""Datasets of wavespectra: their energy, directions and spread come through; what is none is refused in a sentence."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import pytest

from glfft.errors import DataError, MissingExtraError
from glfft.sea import spectra
from glfft.sea.buoy_datasets import read_dataset, spectrum_of
from glfft.sea.buoy_files import read_spectrum

FREQUENCY = np.linspace(0.04, 0.3, 27)
DIRECTION = np.arange(0.0, 360.0, 10.0)


def exact(height: float, coming_from: float, spread: float) -> np.ndarray:
    """efth of a swell, m²/(Hz degree), [frequencies, directions]."""
    energy = spectra.swell(2 * math.pi * FREQUENCY, height, 2 * math.pi * 0.1, 3.3) * 2 * math.pi
    theta = spectra.wrapped(np.radians(DIRECTION - coming_from))
    shape = spectra.longuet_higgins(theta, spectra.exponent_of_spread(math.radians(spread)))
    return energy[:, None] * shape * math.radians(1)


def test_energy_direction_and_spread_come_through(tmp_path: Path):
    xarray = pytest.importorskip("xarray")
    values = np.stack([exact(1.0, 90.0, 30.0), exact(2.0, 200.0, 25.0), np.full((27, 36), np.nan)])
    dataset = xarray.Dataset(
        {"efth": (("time", "site", "freq", "dir"), values[:, None])},
        {"time": [0.0, 1.0, 2.0], "site": [7], "freq": FREQUENCY, "dir": DIRECTION},
    )
    shuffled = dataset.isel(dir=np.random.default_rng(1).permutation(36), freq=slice(None, None, -1), time=[2, 0, 1])
    for each in (dataset, shuffled, dataset.efth):
        found = spectrum_of(each)  # the newest time that is complete
        assert found.significant_height == pytest.approx(2.0, rel=0.03)
        assert found.frequency == pytest.approx(FREQUENCY)
        assert np.cos(np.array(found.direction) - math.radians(290)) == pytest.approx(np.ones(27), abs=1e-6)
        assert np.degrees(np.sqrt(2 * (1 - np.array(found.r1)))) == pytest.approx(np.full(27, 25.0), abs=0.2)
        assert len(found.r2) == 27
    plain = spectrum_of(dataset.sum("dir").isel(time=[1]) * 10)
    assert not plain.directional
    assert plain.significant_height == pytest.approx(2.0, rel=0.03)
    if "scipy" in sys.modules or pytest.importorskip("scipy"):
        dataset.to_netcdf(tmp_path / "sea.nc", engine="scipy", format="NETCDF3_64BIT")
        assert read_spectrum(tmp_path / "sea.nc") == spectrum_of(dataset)


def test_what_is_no_such_dataset_is_refused_in_a_sentence(tmp_path: Path):
    xarray = pytest.importorskip("xarray")
    with pytest.raises(DataError, match="no variable efth, but hs"):
        spectrum_of(xarray.Dataset({"hs": ("time", [1.0])}))
    with pytest.raises(DataError, match="needs freq"):
        spectrum_of(xarray.Dataset({"efth": ("time", [1.0])}))
    still = xarray.Dataset({"efth": (("freq", "dir"), np.zeros((27, 36)))}, {"freq": FREQUENCY, "dir": DIRECTION})
    with pytest.raises(DataError, match="no time with any energy"):
        spectrum_of(still)
    with pytest.raises(DataError, match="needs dir's values"):
        spectrum_of(xarray.Dataset({"efth": (("freq", "dir"), np.ones((27, 36)))}, {"freq": FREQUENCY}))
    for name, unit in (("dir", "Radian"), ("dir", "rad"), ("efth", "m2 s rad-1"), ("freq", "rad/s")):
        radians = (still + 1).assign_coords(freq=FREQUENCY, dir=DIRECTION)
        radians[name].attrs["units"] = unit
        with pytest.raises(DataError, match=f"^{name} is in {unit}; convert"):
            spectrum_of(radians)
        radians[name].attrs["units"] = "degree"
        assert spectrum_of(radians).directional
    (tmp_path / "broken.nc").write_bytes(b"CDF\x01 and then nothing")
    with pytest.raises(DataError, match=r"broken\.nc cannot be read as a dataset"):
        read_dataset(tmp_path / "broken.nc")
    with pytest.raises(DataError, match=r"nowhere\.nc cannot be read"):
        read_dataset(tmp_path / "nowhere.nc")


def test_without_xarray_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(MissingExtraError, match=r"\[buoy\]"):
        read_spectrum(tmp_path / "sea.nc")
