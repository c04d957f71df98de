"""The options of `glfft spectrum`: their names and values, without numpy and OpenGL, so that help comes at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from glfft.errors import check_choice

Spectrum = TypeVar("Spectrum")

CHANNELS = ("luminance", "r", "g", "b", "a", "rgb")
FITS = ("exact", "pad", "crop", "resize")
WINDOWS = ("none", "hann", "hamming", "blackman", "tukey")
VIEWS = ("magnitude", "phase", "power", "complex", "radial")
SCALES = ("log", "sqrt", "linear")
COLORMAPS = ("grey", "ember", "hue", "viridis", "magma")

# What follows the stem of a picture's name in the names of its results.
SPECTRUM_ENDING = "-spectrum.png"
DATA_ENDING = "-spectrum.npz"


@dataclass(frozen=True)
class Treatment:
    """What is done to a picture before it is transformed, and by what it is transformed."""

    channel: str = "luminance"  # one of CHANNELS, see `glfft.apps.spectrum.source_pictures.read_picture`
    fit: str = "exact"  # one of FITS, see `glfft.apps.spectrum.fitting.Fit`
    window: str = "none"  # one of WINDOWS, see `glfft.apps.spectrum.fitting.window`
    algorithm: str = "auto"  # of the transform, one that `glfft.algorithms` names


@dataclass(frozen=True)
class View:
    """How a spectrum is shown. Raises OptionError where a value is not one of those named."""

    # one of VIEWS: |F|, its angle, |F|^2, both (angle as hue, magnitude as lightness), or mean power by distance from 0
    view: str = "magnitude"
    scale: str = "log"  # one of SCALES, of the magnitude or power that is brightness; phases have none
    colormap: str | None = None  # one of COLORMAPS, or None for the default of the view. "complex" has its own.
    shift: bool = True  # the zero frequency is in the middle (row rows // 2, column columns // 2), or at the top left

    def __post_init__(self) -> None:
        check_choice("view", self.view, VIEWS)
        check_choice("scale", self.scale, SCALES)
        if self.colormap is not None:
            check_choice("colormap", self.colormap, COLORMAPS)

    @property
    def exponent(self) -> float | None:
        """The power of the magnitude that brightness follows; None for its logarithm."""
        power = (2.0 if self.view == "power" else 1.0) * (0.5 if self.scale == "sqrt" else 1.0)
        return None if self.scale == "log" else power

    @property
    def table_name(self) -> str:
        """The colour table of the picture, see `glfft.apps.spectrum.colours.colour_table`."""
        if self.view == "complex":
            return "complex"
        return self.colormap or ("hue" if self.view == "phase" else "ember")

    def groups(self, spectra: Sequence[Spectrum]) -> list[Sequence[Spectrum]]:
        """The spectra that become one picture each: three as its red, green and blue, or every one by itself."""
        if len(spectra) == 3 and self.view in ("magnitude", "power") and self.colormap is None:
            return [spectra]
        return [[spectrum] for spectrum in spectra]
