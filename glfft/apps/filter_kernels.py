"""Kernels of `glfft filter`, by name or from a picture."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from glfft.apps.bloom.radiance_files import is_light, read_light
from glfft.apps.spectrum.source_pictures import read_picture
from glfft.errors import DataError, UsageError

Kernel = NDArray[np.float64]

_DEVIATIONS = 4.0  # beyond so many standard deviations a Gaussian has 1/3000 of its height
_FINE = 8  # points of a polygon or a line, along a pixel
_LARGEST = 500.0  # pixels
_LARGE = 100.0  # from here on fewer points are enough, and more would take gigabytes


def read_kernel(asked: str) -> Kernel:
    """A kernel [rows, columns] with the sum 1: "gaussian:SIGMA", "motion:LENGTH,ANGLE", "lens:BLADES,RADIUS", or a
    picture file of weights. Raises UsageError for wrong numbers, DataError where the file is no picture, or holds NaN,
    infinity, numbers below 0 or nothing but black.
    """
    name, colon, numbers = asked.partition(":")
    if colon and name in _NAMED:
        make, ranges, said = _NAMED[name]
        kernel = make(*_numbers(asked, numbers, ranges, said))
        return kernel / kernel.sum()
    path = Path(asked)
    try:
        if is_light(path):
            light = read_light(path)
            kernel = light.samples[..., : light.colours].mean(axis=2, dtype=np.float64)
        else:
            kernel = read_picture(path)[0][0].astype(np.float64)
    except DataError as error:
        names = ", ".join(said for _, _, said in _NAMED.values())
        if not (asked and path.exists()):
            raise DataError(f"There is no kernel '{asked}': name {names} or the file of a picture.") from error
        raise DataError(f"The kernel {asked}: {error}") from error
    if not np.isfinite(kernel).all():
        raise DataError(f"The kernel {asked} has NaN or infinity in it; replace those by numbers.")
    if kernel.min() < 0 or not kernel.any():
        raise DataError(f"The kernel {asked} must have weights of at least 0, and one above; choose another picture.")
    return kernel / kernel.sum()


def gaussian(sigma: float) -> Kernel:
    """A Gaussian with a standard deviation in pixels, sampled up to four of them."""
    places = np.arange(-math.ceil(_DEVIATIONS * sigma), math.ceil(_DEVIATIONS * sigma) + 1)
    line = np.exp(-0.5 * (places / sigma) ** 2)
    return np.outer(line, line)


def motion(length: float, angle: float) -> Kernel:
    """A line of a length in pixels, at an angle in degrees from the right, counter-clockwise as the picture is seen."""
    along = (np.arange(math.ceil(_FINE * length)) + 0.5) / math.ceil(_FINE * length) - 0.5
    turned = math.radians(angle)
    down, right = -length * math.sin(turned) * along, length * math.cos(turned) * along
    reach = math.ceil(length / 2) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1))
    # Each point of the line goes to the four pixels around it by distance.
    row, column = np.floor(down).astype(int), np.floor(right).astype(int)
    below, beside = down - row, right - column
    for step_down, weight_down in ((0, 1 - below), (1, below)):
        for step_right, weight_right in ((0, 1 - beside), (1, beside)):
            np.add.at(kernel, (row + reach + step_down, column + reach + step_right), weight_down * weight_right)
    return kernel


def lens(blades: float, radius: float) -> Kernel:
    """A regular polygon, its corners at the radius in pixels, one at the top: a point out of focus."""
    reach = math.ceil(radius)
    fine = _FINE if radius < _LARGE else 2
    places = (np.arange(fine * (2 * reach + 1)) + 0.5) / fine - reach - 0.5
    inside = np.ones((len(places), len(places)), bool)
    for side in range(int(blades)):
        turned = 2 * math.pi * (side + 0.5) / blades
        outward = np.add.outer(-places * math.cos(turned), places * math.sin(turned))
        inside &= outward <= radius * math.cos(math.pi / blades)
    # A very small one may lie between all points.
    inside[len(places) // 2, len(places) // 2] = True
    return inside.reshape(2 * reach + 1, fine, 2 * reach + 1, fine).mean(axis=(1, 3))


_NAMED: dict[str, tuple[Callable[..., Kernel], Sequence[tuple[str, float, float]], str]] = {
    "gaussian": (gaussian, (("SIGMA", 0.1, _LARGEST),), "gaussian:SIGMA"),
    "motion": (motion, (("LENGTH", 0.1, _LARGEST), ("ANGLE", -360.0, 360.0)), "motion:LENGTH,ANGLE"),
    "lens": (lens, (("BLADES", 3, 100), ("RADIUS", 0.1, _LARGEST)), "lens:BLADES,RADIUS"),
}


def _numbers(asked: str, given: str, ranges: Sequence[tuple[str, float, float]], said: str) -> list[float]:
    words = given.split(",")
    try:
        found = [float(word) for word in words]
    except ValueError:
        found = []
    if len(found) != len(ranges):
        raise UsageError(f"The kernel is '{asked}' and must be {said}, with numbers.")
    for number, (name, least, most) in zip(found, ranges, strict=True):
        if not least <= number <= most:  # so that NaN fails too
            raise UsageError(f"{name} of the kernel '{asked}' must be from {least:g} to {most:g}.")
        if name == "BLADES" and number != int(number):
            raise UsageError(f"{name} of the kernel '{asked}' must be a whole number.")
    return found
