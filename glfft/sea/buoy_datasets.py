"""Spectra over frequency and direction in xarray datasets, as the package wavespectra has them (extra `buoy`)."""

import os
from typing import Any

import numpy as np

from glfft.errors import DataError, import_extra
from glfft.files import refuse_pipe
from glfft.sea.buoy_tables import LARGEST_SHARE_WITHOUT_DIRECTION, filled, spectrum_of_moments
from glfft.sea.measured import MeasuredSpectrum

SUFFIXES = (".nc", ".nc4", ".netcdf", ".zarr")  # endings of files that xarray opens

_DENSITY, _FREQUENCY, _DIRECTION, _TIME = "efth", "freq", "dir", "time"

# The names in NDBC's netCDF files.
_DENSITY_OF_NDBC = "spectral_wave_density"
_MOMENTS_OF_NDBC = {
    "direction": "mean_wave_dir", "r1": "wave_spectrum_r1",
    "direction2": "principal_wave_dir", "r2": "wave_spectrum_r2",
}  # fmt: skip


def read_dataset(path: str | os.PathLike[str]) -> MeasuredSpectrum:
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
    """The spectrum in an xarray Dataset or DataArray of wavespectra, or of NDBC.

    Its variable `efth`, m²/(Hz degree), lies over `freq`, Hz, and `dir`, where waves come from, degrees clockwise from
    north; without `dir` it is m²/Hz without directions. A missing value counts as 0 if others of its time are there.
    NDBC's netCDF files have `spectral_wave_density` and its moments over `frequency`. Raises DataError if there is no
    such variable, or no time with energy.
    """
    names = getattr(dataset, "data_vars", None)
    if names is not None and _DENSITY_OF_NDBC in names and _DENSITY not in names:
        return _of_ndbc(dataset)
    if names is not None and _DENSITY not in names:
        raise DataError(f"The dataset has no variable {_DENSITY}, but {', '.join(map(str, names)) or 'none at all'}.")
    density = dataset[_DENSITY] if names is not None else dataset
    if _FREQUENCY not in density.dims or _FREQUENCY not in density.coords:
        raise DataError(f"{_DENSITY} has the dimensions {', '.join(map(str, density.dims))} and needs {_FREQUENCY}.")
    directional = _DIRECTION in density.dims
    kept = (_TIME, _FREQUENCY, _DIRECTION) if directional else (_TIME, _FREQUENCY)
    density = _at_first_place(density, kept, [_TIME] if _TIME in density.coords else []).sortby(_FREQUENCY)
    density = density.transpose(*kept)
    frequency = np.asarray(density[_FREQUENCY].values, dtype=np.float64)
    for row in np.asarray(density.values, dtype=np.float64)[::-1]:
        if not np.isnan(row).all() and np.nansum(row) > 0:
            row = np.nan_to_num(row)
            if directional:
                directions = np.asarray(density[_DIRECTION].values, dtype=np.float64)
                return MeasuredSpectrum.of_moments(frequency, *_over_directions(directions, row))
            return MeasuredSpectrum.of(frequency=frequency[frequency > 0], density=row[frequency > 0])
    raise DataError(f"{_DENSITY} has no time with any energy.")


def _at_first_place(data: Any, kept: tuple[str, ...], sorted_by: list[str]) -> Any:
    """Data over some dimensions alone, the first of which is time, in order."""
    data = data.isel({name: 0 for name in data.dims if name not in kept})
    return (data if _TIME in data.dims else data.expand_dims(_TIME)).sortby(sorted_by)


def _of_ndbc(dataset: Any) -> MeasuredSpectrum:
    """The newest complete spectrum, with the moments that are there."""
    along = (_TIME, "frequency")
    if missing := [name for name in along if name not in dataset.coords]:
        raise DataError(f"The dataset has {_DENSITY_OF_NDBC} and no {missing[0]}.")
    dataset = _at_first_place(dataset, along, [*along])
    frequency = np.asarray(dataset["frequency"].values, dtype=np.float64)
    densities = np.asarray(dataset[_DENSITY_OF_NDBC].transpose(*along).values, dtype=np.float64)
    complete = np.flatnonzero(np.isfinite(densities).all(axis=1) & (densities.max(axis=1) > 0))
    if not complete.size:
        raise DataError(f"{_DENSITY_OF_NDBC} has no time with waves in which all densities are there.")
    newest = int(complete[-1])
    density = densities[newest]
    moments: dict[str, np.ndarray] = {}
    for moment, name in _MOMENTS_OF_NDBC.items():
        values = np.full(density.shape, np.nan)
        if name in dataset:
            values = np.asarray(dataset[name].transpose(*along).values, dtype=np.float64)[newest]
        known = (values >= 0) & (values <= (360 if name.endswith("dir") else 1))
        if density[~known].sum() > LARGEST_SHARE_WITHOUT_DIRECTION * density.sum():
            break
        moments[moment] = filled(values, known)
    return spectrum_of_moments(frequency, density, moments)


def _over_directions(direction: np.ndarray, density: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Density over frequency alone, and the first two moments of its directions, [frequencies]."""
    order = np.argsort(direction % 360)
    direction, density = direction[order] % 360, density[:, order]
    # Each direction stands for the angle half-way to its neighbours.
    gaps = np.diff(np.append(direction, direction[0] + 360))
    width = (gaps + np.roll(gaps, 1)) / 2
    energy = density * width
    total = energy.sum(axis=1)
    towards = np.exp(1j * np.radians(direction + 90))
    safe = np.where(total > 0, total, 1)
    return total, (energy * towards).sum(axis=1) / safe, (energy * towards**2).sum(axis=1) / safe
