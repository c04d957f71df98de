"""The radial profile: how the power of a picture spreads over spatial frequencies, whatever their direction."""

from __future__ import annotations

import numpy as np
from PIL import Image

from glfft.spectrum.plot import PLOT_SIZE, Axis, Curve, axis_around, draw_plot

_PLANE_COLOURS = ("#c0392b", "#2e8b57", "#2457a6")


def radial_profile(spectrum: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean of |F|^2 over rings of |k| around the zero frequency.

    A ring is as wide as one bin along the longer side, ring 0 is centred on the zero frequency. Rings without a
    bin (possible where the sides differ) are left out; a ring with a bin that is no number is NaN or infinite.

    Args:
        spectrum: complex [rows, columns], unshifted.

    Returns:
        Frequencies of the ring centres in cycles a pixel (0 to about 0.71, the corners), and the mean power in each:
        float64 of one length.
    """
    rows, columns = spectrum.shape
    longer = max(rows, columns)
    distance = np.hypot(np.fft.fftfreq(rows)[:, None], np.fft.fftfreq(columns)[None, :])
    ring = np.rint(distance * longer).astype(np.intp).ravel()
    values = spectrum.astype(np.complex128).ravel()
    power = values.real**2 + values.imag**2
    counts = np.bincount(ring)
    sums = np.bincount(ring, weights=power)
    occupied = np.flatnonzero(counts)
    return occupied / longer, sums[occupied] / counts[occupied]


def plot_radial_profile(spectra: np.ndarray, scale: str, title: str, size: tuple[int, int] = PLOT_SIZE) -> Image.Image:
    """The profiles of one spectrum, or of red, green and blue, as a plot.

    Args:
        spectra: complex [1 or 3, rows, columns], unshifted.
        scale: of the power: "log" (frequencies are then logarithmic as well), "sqrt" or "linear".
        size: of the plot, pixels.

    Returns:
        An RGB Pillow image. The zero frequency is left out: it is the mean, and would dwarf the rest.
    """
    colours = (
        [("#1f4e8c", "")] if len(spectra) == 1 else list(zip(_PLANE_COLOURS, ("red", "green", "blue"), strict=True))
    )
    curves = []
    for spectrum, (colour, name) in zip(spectra, colours, strict=True):
        frequency, power = radial_profile(spectrum)
        curves.append(Curve(frequency[1:], power[1:], colour, name))
    every_power = np.concatenate([curve.y for curve in curves])
    longer = max(spectra.shape[1:])
    across = Axis(
        "spatial frequency |k| (cycles/pixel)",
        "log" if scale == "log" else "linear",
        min(1 / longer, 0.5) if scale == "log" else 0.0,
        np.sqrt(0.5),
    )
    up = axis_around("mean power |F|^2", scale, every_power)
    return draw_plot(title, across, up, curves, [(0.5, "Nyquist 0.5")], size)
