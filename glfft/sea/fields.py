"""The fields as arrays: in float64 by numpy, with no GPU or as the reference, and the export of a GPU's fields."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from glfft.errors import real_number, require
from glfft.files import PathName
from glfft.files.npz import save_npz
from glfft.sea import cascades, waves
from glfft.sea.settings import OceanSettings
from glfft.sea.waves import Array, ComplexArray

if TYPE_CHECKING:
    from glfft.sea.simulation import OceanSimulation


def surface_spectrum(settings: OceanSettings, time: float, h0: ComplexArray | None = None) -> ComplexArray:
    """h(k, t) = h0(k) exp(-i w t) + conj(h0(-k)) exp(+i w t), m, [N, N] in FFT order, at a time in s."""
    h0 = waves.amplitudes(settings) if h0 is None else h0
    phasor = np.exp(-1j * waves.frequencies(settings) * time)
    return h0 * phasor + np.conj(waves.mirrored(h0) * phasor)


def field_spectra(settings: OceanSettings, h: ComplexArray) -> dict[str, ComplexArray]:
    """The spectra of the eight fields, from the height's spectrum `h`."""
    k = waves.wave_vectors(settings.size, settings.tile)
    along_x, along_z = (each / (k.length * np.tanh(k.length * settings.depth)) for each in (k.x, k.z))
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


def reference_fields(settings: OceanSettings, time: float, h0: ComplexArray | None = None) -> dict[str, Array]:
    """The eight fields in float64 by numpy, [N, N], row = z, each by its own transform; units as in `export_fields`."""
    spectra_now = field_spectra(settings, surface_spectrum(settings, time, h0))
    return {name: np.fft.ifft2(spectrum, norm="forward").real for name, spectrum in spectra_now.items()}


def export_fields(simulation: OceanSimulation, time: float, path: PathName) -> None:
    """Write the fields of a moment, computed by the GPU, to an .npz file, whole or not at all.

    Contents, [N, N] with row = z and column = x, or [tiles, N, N] with cascades:
        height, dx, dz: float32, m, not scaled by choppiness.
        slope_x, slope_z, dxx, dzz, dxz: float32, derivatives as `OceanSimulation` defines them, no unit.
        h0: complex64, m, amplitudes in FFT order, in a morph those of the moment.
        tile (m, an array with cascades), wind (m/s), wind_direction (rad, to where it blows, from +x towards +z),
            fetch, depth (m), loop, time (s), seed, choppiness, hs_theory (m, 4 sqrt(sum Psi dk²) here): scalars; the
            last two in a morph those of the moment.

    Raises OutputError if the file cannot be written, OptionError if the time is not finite.
    """
    tiles, settings = simulation.tiles, simulation.settings
    several = slice(None) if len(tiles) > 1 else 0
    arrays: dict[str, Any] = {**simulation.evaluate(time)}
    arrays["h0"] = simulation.step.waves.read_amplitudes()[several]
    arrays["tile"] = np.array([each.tile for each in tiles])[several]
    scalars = ("wind", "wind_direction", "fetch", "depth", "loop", "seed")
    arrays |= {each: getattr(settings, each) for each in scalars} | {"time": float(time)}
    # Both are of the fields' moment, not of the last update.
    arrays["choppiness"] = simulation._mean_at(time, lambda sea: sea.choppiness)
    arrays["hs_theory"] = math.sqrt(simulation._mean_at(time, lambda sea: cascades.significant_height(sea) ** 2))
    save_npz(path, arrays)


class OceanTwin:
    """A sea in float64 with the waves of `OceanSimulation` and no foam.

    Attributes:
        tiles: the settings of each tile, the longest first.
        significant_height: 4 sqrt(sum Psi dk²), m: the mean wave height over seeds.
    """

    def __init__(self, settings: OceanSettings) -> None:
        self.settings, self.tiles = settings, cascades.tiles_of(settings)
        self.significant_height = cascades.significant_height(settings)

    def evaluate(self, time: float) -> dict[str, Array]:
        """The eight fields at a finite time (else OptionError), float64 [N, N] (row = z) or [tiles, N, N]."""
        require(math.isfinite(real_number(time)), "The time", time, "a finite number of seconds")
        tiles = [reference_fields(each, time) for each in self.tiles]
        return tiles[0] if len(tiles) == 1 else {name: np.stack([each[name] for each in tiles]) for name in tiles[0]}
