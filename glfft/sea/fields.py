"""The fields as arrays: the reference in float64, and the export of those computed on the GPU."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from glfft.files import atomic_write
from glfft.sea import waves
from glfft.sea.settings import OceanSettings

Array = NDArray[np.float64]


class Sea(Protocol):
    """A sea whose fields can be computed at any moment: `OceanSimulation`, or `OceanTwin` without a GPU."""

    settings: OceanSettings

    @property
    def tiles(self) -> Sequence[OceanSettings]: ...

    @property
    def significant_height(self) -> float: ...

    def evaluate(self, time: float, /) -> Mapping[str, NDArray[np.floating]]: ...


def surface_spectrum(settings: OceanSettings, time: float, h0: waves.ComplexArray | None = None) -> waves.ComplexArray:
    """h(k, t) = h0(k) exp(-i w t) + conj(h0(-k)) exp(+i w t), m, [N, N] in FFT order, at a time in s."""
    h0 = waves.amplitudes(settings) if h0 is None else h0
    phasor = np.exp(-1j * waves.frequencies(settings) * time)
    return h0 * phasor + np.conj(waves.mirrored(h0) * phasor)


def field_spectra(settings: OceanSettings, h: waves.ComplexArray) -> dict[str, waves.ComplexArray]:
    """The spectra of the eight fields, from that of the height."""
    k = waves.wave_vectors(settings.size, settings.tile)
    along_x, along_z = k.x / k.length, k.z / k.length
    return {
        "height": h,
        "dx": 1j * along_x * h,
        "dz": 1j * along_z * h,
        "slope_x": 1j * k.x * h,
        "slope_z": 1j * k.z * h,
        "dxx": -k.x * along_x * h,
        "dzz": -k.z * along_z * h,
        "dxz": -k.x * along_z * h,
    }


def reference_fields(settings: OceanSettings, time: float, h0: waves.ComplexArray | None = None) -> dict[str, Array]:
    """The eight fields in float64 by numpy, [N, N], row = z, each by its own transform; units as in `export_fields`."""
    spectra_now = field_spectra(settings, surface_spectrum(settings, time, h0))
    return {name: np.fft.ifft2(spectrum, norm="forward").real for name, spectrum in spectra_now.items()}


def export_fields(simulation: Sea, time: float, path: str | os.PathLike[str]) -> None:
    """Write the fields of a moment, computed by the GPU or by numpy, to an .npz file, whole or not at all.

    Contents, [N, N] with row = z and column = x, or [tiles, N, N] with cascades:
        height, dx, dz: float32, m, not scaled by choppiness.
        slope_x, slope_z, dxx, dzz, dxz: float32, derivatives as `OceanSimulation` defines them, no unit.
        h0: complex64, m, amplitudes in FFT order.
        tile (m, an array with cascades), wind (m/s), wind_direction (rad, to where it blows, from +x towards +z), fetch
            (m), time (s), seed, choppiness, hs_theory (m, 4 sqrt(sum Psi dk²) on this grid): scalars.

    Raises OutputError if the file cannot be written, OptionError if the time is not finite.
    """
    tiles = simulation.tiles
    several = slice(None) if len(tiles) > 1 else 0
    scalars = ("wind", "wind_direction", "fetch", "seed", "choppiness")
    arrays: dict[str, Any] = {
        **{name: field.astype(np.float32) for name, field in simulation.evaluate(time).items()},
        "h0": np.stack([waves.amplitudes(each) for each in tiles]).astype(np.complex64)[several],
        "tile": np.array([each.tile for each in tiles])[several],
        **{name: getattr(simulation.settings, name) for name in scalars},
        "time": float(time),
        "hs_theory": simulation.significant_height,
    }
    with atomic_write(path) as temporary, open(temporary, "wb") as file:
        np.savez(file, **arrays)
