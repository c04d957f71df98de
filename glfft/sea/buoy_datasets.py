"""Spectra over frequency and direction in xarray datasets, as the package wavespectra has them (extra `buoy`)."""

import os
from typing import Any

import numpy as np

from glfft.errors import DataError, import_extra
from glfft.files import PathName, refuse_pipe
from glfft.sea.measured import MeasuredSpectrum

SUFFIXES = (".nc", ".nc4", ".netcdf", ".zarr")  # endings of files that xarray opens

_DENSITY, _FREQUENCY, _DIRECTION, _TIME = "efth", "freq", "dir", "time"


def read_dataset(path: PathName) -> MeasuredSpectrum:
    """The spectrum in a netCDF file or Zarr store: at the newest complete time, and the first place.

    Raises MissingExtraError without xarray or what opens the file, DataError if it cannot be read, or has no spectrum.
    """
    xarray = import_extra("xarray", "buoy", "Datasets need xarray", ", or give a table")
    try:
        # There may be no file: the name may be an address.
        if os.path.exists(path):
            refuse_pipe(path)
        options = {"engine": "zarr"} if os.fspath(path).rstrip("/").endswith(".zarr") else {}
        with xarray.open_dataset(path, **options) as dataset:
            return spectrum_of(dataset.load())
    except DataError as error:
        raise DataError(f"{os.fspath(path)}: {error}") from None
    except Exception as error:  # each of xarray's engines has errors of its own
        why = " ".join(str(error).split()).split(". ")[0].rstrip(".")
        raise DataError(f"{os.fspath(path)} cannot be read as a dataset: {why}.") from error


def spectrum_of(dataset: Any) -> MeasuredSpectrum:
    """The spectrum in an xarray Dataset or DataArray of wavespectra.

    Its variable `efth`, m²/(Hz degree), lies over `freq`, Hz, and `dir`, where waves come from, degrees clockwise from
    north; without `dir` it is m²/Hz without directions. A missing value counts as 0 if others of its time are there.
    Raises DataError if there is no such variable, or no time with energy, or units are in radians.
    """
    names = getattr(dataset, "data_vars", None)
    if names is not None and _DENSITY not in names:
        raise DataError(f"The dataset has no variable {_DENSITY}, but {', '.join(map(str, names)) or 'none at all'}.")
    density = dataset[_DENSITY] if names is not None else dataset
    directional = _DIRECTION in density.dims
    kept = (_TIME, _FREQUENCY, _DIRECTION) if directional else (_TIME, _FREQUENCY)
    for name in kept[1:]:
        if name not in density.dims or name not in density.coords:
            raise DataError(f"{_DENSITY} lies over {', '.join(map(str, density.dims))} and needs {name}'s values.")
    for each in (density, *(density[name] for name in kept[1:])):
        if "rad" in (unit := str(each.attrs.get("units", ""))).lower():
            raise DataError(f"{each.name} is in {unit}; convert it to Hz and degrees.")
    density = density.isel({name: 0 for name in density.dims if name not in kept})
    density = density if _TIME in density.dims else density.expand_dims(_TIME)
    density = density.sortby([_FREQUENCY, *([_TIME] if _TIME in density.coords else [])]).transpose(*kept)
    frequency = np.asarray(density[_FREQUENCY].values, dtype=np.float64)
    for row in np.asarray(density.values, dtype=np.float64)[::-1]:
        if not np.isnan(row).all() and np.nansum(row) > 0:
            row = np.nan_to_num(row)
            if directional:
                directions = np.asarray(density[_DIRECTION].values, dtype=np.float64)
                return MeasuredSpectrum.of_moments(frequency, *_over_directions(directions, row))
            return MeasuredSpectrum.of(frequency=frequency[frequency > 0], density=row[frequency > 0])
    raise DataError(f"{_DENSITY} has no time with any energy.")


def _over_directions(direction: np.ndarray, density: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Density over frequency alone, and the first two moments of its directions, [frequencies]."""
    order = np.argsort(direction % 360)
    direction, density = direction[order] % 360, density[:, order]
    # Each direction stands for the angle half-way to its neighbours.
    gaps = np.diff(np.append(direction, direction[0] + 360))
    energy = density * ((gaps + np.roll(gaps, 1)) / 2)
    total = energy.sum(axis=1)
    towards = np.exp(1j * np.radians(direction + 90))
    safe = np.where(total > 0, total, 1)
    return total, (energy * towards).sum(axis=1) / safe, (energy * towards**2).sum(axis=1) / safe
