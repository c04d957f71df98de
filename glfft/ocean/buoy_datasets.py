"""Spectra over frequency and direction in xarray datasets, as the package wavespectra has them (extra `buoy`)."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from glfft.errors import DataError, MissingExtraError
from glfft.ocean.measured import MeasuredSpectrum

# Endings of files that xarray opens.
SUFFIXES = (".nc", ".nc4", ".netcdf", ".zarr")

_DENSITY, _FREQUENCY, _DIRECTION, _TIME = "efth", "freq", "dir", "time"


def read_dataset(path: str | os.PathLike[str]) -> MeasuredSpectrum:
    """The spectrum in a netCDF file or Zarr store; of several times the newest that is complete, of places the first.

    Raises:
        MissingExtraError: xarray is not installed, or what it needs to open the file.
        DataError: the file cannot be read, or has no such spectrum.
    """
    try:
        import xarray  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise MissingExtraError(
            f"Datasets need xarray; in a checkout of glfft run: pip install '.[buoy]', or give a table ({error})."
        ) from error
    try:
        options = {"engine": "zarr"} if os.fspath(path).rstrip("/").endswith(".zarr") else {}
        with xarray.open_dataset(path, **options) as dataset:
            return spectrum_of(dataset.load())
    except DataError as error:
        raise DataError(f"{os.fspath(path)}: {error}") from None
    except Exception as error:  # each of xarray's engines has errors of its own
        why = " ".join(str(error).split()).rstrip(".")
        raise DataError(f"{os.fspath(path)} cannot be read as a dataset: {why}.") from error


def spectrum_of(dataset: Any) -> MeasuredSpectrum:
    """The spectrum in an xarray Dataset or DataArray of wavespectra.

    It has the variable `efth`, m²/(Hz degree), over `freq`, Hz, and `dir`, where waves come from, degrees clockwise
    from north. Without `dir`, it is m²/Hz and has no directions. A value that is missing counts as 0 if others of its
    time are there.

    Raises:
        DataError: there is no such variable, or no time with energy.
    """
    names = getattr(dataset, "data_vars", None)
    if names is not None and _DENSITY not in names:
        raise DataError(f"The dataset has no variable {_DENSITY}, but {', '.join(map(str, names)) or 'none at all'}.")
    density = dataset[_DENSITY] if names is not None else dataset
    if _FREQUENCY not in density.dims or _FREQUENCY not in density.coords:
        raise DataError(f"{_DENSITY} has the dimensions {', '.join(map(str, density.dims))} and needs {_FREQUENCY}.")
    directional = _DIRECTION in density.dims
    kept = (_TIME, _FREQUENCY, _DIRECTION)
    density = density.isel({name: 0 for name in density.dims if name not in kept})
    if _TIME not in density.dims:
        density = density.expand_dims(_TIME)
    elif _TIME in density.coords:
        density = density.sortby(_TIME)
    density = density.sortby(_FREQUENCY).transpose(_TIME, _FREQUENCY, *([_DIRECTION] if directional else []))
    frequency = np.asarray(density[_FREQUENCY].values, dtype=np.float64)
    for row in np.asarray(density.values, dtype=np.float64)[::-1]:
        if not np.isnan(row).all() and np.nansum(row) > 0:
            row = np.nan_to_num(row)
            if not directional:
                return _made(frequency, row)
            return _made(frequency, *_over_directions(np.asarray(density[_DIRECTION].values, dtype=np.float64), row))
    raise DataError(f"{_DENSITY} has no time with any energy.")


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


def _made(
    frequency: np.ndarray, density: np.ndarray, first: np.ndarray | None = None, second: np.ndarray | None = None
) -> MeasuredSpectrum:
    some = frequency > 0
    if first is None or second is None:
        return MeasuredSpectrum(_floats(frequency[some]), _floats(density[some]))
    return MeasuredSpectrum(
        _floats(frequency[some]),
        _floats(density[some]),
        _floats(np.angle(first[some])),
        _floats(np.minimum(np.abs(first[some]), 1)),
        _floats(np.angle(second[some]) / 2),
        _floats(np.minimum(np.abs(second[some]), 1)),
    )


def _floats(values: np.ndarray) -> tuple[float, ...]:
    return tuple(map(float, values))
