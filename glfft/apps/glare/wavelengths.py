"""Colours of wavelengths: what each adds to red, green and blue.

The colour-matching functions are the fit to those of CIE 1931 by Wyman, Sloan and Shirley, "Simple Analytic
Approximations to the CIE XYZ Color Matching Functions", JCGT 2(2), 2013; the matrix is that of IEC 61966-2-1 (sRGB).
"""

import numpy as np
from numpy.typing import NDArray

SHORTEST, LONGEST = 390.0, 730.0  # nm
# Of the wavelength at which kernels have the size that the f-number says, nm: green, near the eye's best.
MIDDLE = 550.0

# Height, centre, width below and above it, nm.
_LOBES = (
    ((1.056, 599.8, 37.9, 31.0), (0.362, 442.0, 16.0, 26.7), (-0.065, 501.1, 20.4, 26.2)),
    ((0.821, 568.8, 46.9, 40.5), (0.286, 530.9, 16.3, 31.1)),
    ((1.217, 437.0, 11.8, 36.0), (0.681, 459.0, 26.0, 13.8)),
)

XYZ_TO_RGB = np.array(
    [[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]],
)


def matching(wavelengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """The colour-matching functions x, y, z of CIE 1931 at wavelengths in nm, [count, 3]."""

    def lobe(height: float, centre: float, below: float, above: float) -> NDArray[np.float64]:
        away = (wavelengths - centre) / np.where(wavelengths < centre, below, above)
        return height * np.exp(-0.5 * away**2)

    return np.stack([sum(lobe(*each) for each in lobes) for lobes in _LOBES], axis=-1)


def weights(count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Wavelengths in nm [count], evenly spaced, and what each adds to linear red, green and blue, [count, 3].

    Each column sums to 1, so that white light stays white; some numbers are negative, as pure colours lie outside what
    displays can show.
    """
    middles = SHORTEST + (LONGEST - SHORTEST) * (np.arange(count) + 0.5) / count
    rgb = matching(middles) @ XYZ_TO_RGB.T
    return middles, rgb / rgb.sum(axis=0)
