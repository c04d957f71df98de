"""Colours of wavelengths, against the table of CIE 1931 and the primaries of sRGB."""

from __future__ import annotations

import numpy as np
import pytest

from glfft.apps.glare.glare import LONGEST, SHORTEST, matching, weights

# x, y, z of the 2 degree observer (CIE 15), every 50 nm.
CIE_1931 = {
    450: (0.3362, 0.0380, 1.77211),
    500: (0.0049, 0.3230, 0.2720),
    550: (0.43345, 0.99495, 0.00875),
    600: (1.0622, 0.6310, 0.0008),
    650: (0.2835, 0.1070, 0.0),
    700: (0.011359, 0.004102, 0.0),
}


@pytest.mark.parametrize("wavelength", CIE_1931)
def test_the_fit_is_near_the_table(wavelength):
    found = matching(np.array([float(wavelength)]))[0]
    # The paper's root mean square errors are 1 to 2 % of the functions' largest values.
    np.testing.assert_allclose(found, CIE_1931[wavelength], atol=0.05)


@pytest.mark.parametrize("count", [48, 300])
def test_white_stays_white(count):
    wavelengths, rgb = weights(count)
    assert SHORTEST < wavelengths[0] < wavelengths[-1] < LONGEST
    np.testing.assert_allclose(rgb.sum(axis=0), 1.0)


def test_wavelengths_have_their_colours():
    wavelengths, rgb = weights(341)

    def strongest(wavelength):
        return "rgb"[int(np.argmax(rgb[np.argmin(abs(wavelengths - wavelength))]))]

    assert [strongest(wavelength) for wavelength in (450, 530, 640)] == ["b", "g", "r"]
