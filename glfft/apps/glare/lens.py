"""What a lens is like, and what lies on it: everything that light is diffracted by, as numbers."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glfft.errors import OptionError, require

_MOST_BLADES = 24
_MOST_OF_EACH = {"dust": 5000, "lashes": 200, "scratches": 500, "fibres": 600}

_DUST, _LASHES, _SCRATCHES = 1, 2, 3  # random numbers of a seed for each: more dust moves no scratch


@dataclass(frozen=True)
class Lens:
    """An aperture and what is in the way of its light; OptionError for numbers out of range."""

    blades: int = 6  # straight edges of the aperture, 3 or more; 0 for a round one
    rotation: float = math.radians(12.0)  # of the blades, rad
    f_number: float = 45.0  # focal length over diameter
    dust: int = 250  # grains
    lashes: int = 0  # eyelashes before the lens
    scratches: int = 4
    fibres: int = 0  # radial ones at the edge, as the lens of an eye has
    seed: int = 1  # of what lies where

    def __post_init__(self) -> None:
        if self.blades not in (0, *range(3, _MOST_BLADES + 1)):
            raise OptionError(f"An aperture has 3 to {_MOST_BLADES} blades, or 0 for a round one, not {self.blades}.")
        require(1 <= self.f_number <= 128, "The f-number", self.f_number, "from 1 to 128")
        for name, most in _MOST_OF_EACH.items():
            require(0 <= getattr(self, name) <= most, f"The number of {name}", getattr(self, name), f"from 0 to {most}")
        require(math.isfinite(self.rotation), "The rotation of the blades", self.rotation, "a number")
        require(self.seed >= 0, "The seed", self.seed, "0 or more")


# The pupil of an eye: round, with the fibres of its lens, whose halo is coloured, and what swims in it.
EYE = Lens(blades=0, dust=700, scratches=0, fibres=200, lashes=18, f_number=22.0)
LENSES = {"camera": Lens(), "eye": EYE}


def strokes(lens: Lens) -> NDArray[np.float64]:
    """What lies on the lens, [count, 7], in diameters, y up: from x, y to x, y, half widths, share kept back."""
    return np.concatenate([_dust(lens), _lashes(lens), _scratches(lens), _fibres(lens)])


def _random(lens: Lens, what: int, count: int, columns: int) -> NDArray[np.float64]:
    """Uniform numbers, a row for each thing: with more things, those before stay."""
    return np.random.default_rng([lens.seed, what]).random((count, columns))


def _dust(lens: Lens) -> NDArray[np.float64]:
    places, angles, sizes, lengths, turns, opacities = _random(lens, _DUST, lens.dust, 6).T
    x, y = 0.5 * np.sqrt(places) * np.array([np.cos(2 * np.pi * angles), np.sin(2 * np.pi * angles)])
    width = 0.0042 * np.exp(0.9 * (sizes - 0.5))
    length = np.where(lengths < 1 / 12, 0.02 + 0.5 * lengths, 0.0)  # one in twelve is a hair and not a grain
    width = np.where(length > 0, 0.3 * width, width)
    dx, dy = 0.5 * length * np.array([np.cos(np.pi * turns), np.sin(np.pi * turns)])
    return np.stack([x - dx, y - dy, x + dx, y + dy, width, width, 0.6 + 0.4 * opacities], axis=1)


def _lashes(lens: Lens) -> NDArray[np.float64]:
    """Those of the upper lid hang into the aperture, and a third as many rise from the lower one."""
    made = [np.zeros((0, 7))]
    for index, (across, lean, length, bend, width) in enumerate(_random(lens, _LASHES, lens.lashes, 5)):
        side = -1.0 if index % 4 == 3 else 1.0
        root = np.array([1.1 * (across - 0.5), side * 0.58])
        reach = (0.35 + 0.45 * length) * (0.5 if side < 0 else 1.0)
        tip = root + reach * np.array([1.2 * (across - 0.5) + 0.5 * (lean - 0.5), -side])
        middle = 0.5 * (root + tip) + 0.25 * reach * (bend - 0.5) * np.array([1.0, 0.2])
        t = np.linspace(0, 1, 13)[:, None]
        points = (1 - t) ** 2 * root + 2 * t * (1 - t) * middle + t**2 * tip
        widths = 0.008 * (0.6 + 0.8 * width) * (1 - 0.9 * t[:, 0])
        made.append(np.column_stack([points[:-1], points[1:], widths[:-1], widths[1:], np.ones(len(t) - 1)]))
    return np.concatenate(made)


def _scratches(lens: Lens) -> NDArray[np.float64]:
    x, y, turns, lengths, widths, opacities = _random(lens, _SCRATCHES, lens.scratches, 6).T
    middle = 0.7 * np.array([x - 0.5, y - 0.5])
    angle = np.radians(65.0) + 2.2 * (turns - 0.5)  # wiping a lens scratches it along one direction more than others
    half = (0.12 + 0.4 * lengths) * np.array([np.cos(angle), np.sin(angle)])
    width = 0.0022 * (0.5 + widths)
    return np.stack([*(middle - half), *(middle + half), width, 0.4 * width, 0.5 + 0.5 * opacities], axis=1)


def _fibres(lens: Lens) -> NDArray[np.float64]:
    angles = 2 * np.pi * np.arange(lens.fibres) / max(1, lens.fibres)
    along = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    ends = np.full((lens.fibres, 1), 0.0006)
    return np.concatenate([0.34 * along, 0.5 * along, ends, 1.6 * ends, np.full((lens.fibres, 1), 0.45)], axis=1)
