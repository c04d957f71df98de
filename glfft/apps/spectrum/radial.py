"""The radial profile: the power of a picture by spatial frequency, averaged over directions, and its plot."""

import warnings
from functools import partial
from typing import Any

import numpy as np

from glfft.errors import import_extra

PLOT_SIZE = (1000, 680)
_DOTS_PER_INCH = 100
_COLOURS = {1: [("#1f4e8c", "")], 3: [("#c0392b", "red"), ("#2e8b57", "green"), ("#2457a6", "blue")]}
_INK, _FAINT, _GRID = "#222222", "#777777", "#e4e4e4"
_DECADES = 15  # decades of power shown below the largest: float32 transforms leave noise at about 1e-14 of it
load_style = partial(import_extra, "matplotlib.style", "plot", "Plots need matplotlib")


def radial_profile(spectrum: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean of |F|^2 over rings of |k|, of a spectrum [rows, columns], unshifted.
    A ring is one bin along the longer side wide, and includes its inner edge; ring 0 is centred on the zero frequency.
    Rings without a bin are left out, and one with a bin that is not finite is not finite. Returns the frequencies of
    the ring centres in cycles a pixel (0 to about 0.71), and the mean power in each: two float64 arrays of one length.
    """
    rows, columns = spectrum.shape
    longer, shorter = max(rows, columns), min(rows, columns)
    # In whole cycles as far as can be: a bin on the edge of two rings must not go by rounding errors.
    across, down = (np.fft.ifftshift(np.arange(length) - length // 2) for length in (columns, rows))
    distance = np.sqrt((across[None, :] * rows) ** 2 + (down[:, None] * columns) ** 2) / shorter
    ring = np.floor(distance + 0.5).astype(np.intp).ravel()
    values = spectrum.astype(np.complex128).ravel()
    counts, sums = np.bincount(ring), np.bincount(ring, weights=values.real**2 + values.imag**2)
    occupied = np.flatnonzero(counts)
    return occupied / longer, sums[occupied] / counts[occupied]


def plot_radial_profile(spectra: np.ndarray, scale: str, title: str, size: tuple[int, int] = PLOT_SIZE) -> np.ndarray:
    """The profiles of one spectrum or of red, green and blue, complex [1 or 3, rows, columns], unshifted, as a plot
    below a title: uint8 [height, width, 3], for a width and height. The power's scale is "log" (the frequencies' too),
    "sqrt" or "linear". The zero frequency, the mean, is left out. Raises MissingExtraError without matplotlib.
    """
    style = load_style()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    # The user's matplotlibrc must not change what the command draws. Constrained layout warns of tiny plots.
    with style.context("default"), warnings.catch_warnings(action="ignore"):
        margins = ConstrainedLayoutEngine(w_pad=0.15, h_pad=0.12)  # inches
        figure = Figure((size[0] / _DOTS_PER_INCH, size[1] / _DOTS_PER_INCH), _DOTS_PER_INCH, layout=margins)
        canvas = FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        powers = []
        for spectrum, (colour, name) in zip(spectra, _COLOURS[len(spectra)], strict=True):
            frequency, power = radial_profile(spectrum)
            powers.append(power[1:])
            mark = "o" if len(power) == 2 else ""  # one ring is no line
            axes.plot(frequency[1:], power[1:], mark, linestyle="-", color=colour, label=name, linewidth=1.8)
        _set_axes(axes, scale, max(spectra.shape[1:]), np.concatenate(powers))
        axes.axvline(0.5, color=_FAINT, linewidth=1, linestyle=(0, (5, 5)))
        places = {"xycoords": ("data", "axes fraction"), "textcoords": "offset points"}
        axes.annotate("Nyquist 0.5", (0.5, 1), (-6, -6), **places, color=_FAINT, fontsize=9, ha="right", va="top")
        axes.set_xlabel("spatial frequency |k| (cycles/pixel)", fontsize=12, color=_INK)
        axes.set_ylabel("mean power |F|²", fontsize=12, color=_INK)
        drawable = (each if each.isprintable() else "?" for each in title)
        # Names of files are no formulas.
        axes.set_title("".join(drawable), loc="left", fontsize=12, color=_INK, pad=12, wrap=True, parse_math=False)
        if len(spectra) > 1:
            axes.legend(loc="lower left" if scale == "log" else "center right", frameon=False, fontsize=11)
        canvas.draw()
        return np.asarray(canvas.buffer_rgba())[..., :3].copy()


def _set_axes(axes: Any, scale: str, longer: int, powers: np.ndarray) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.grid(True, color=_GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=11, labelcolor=_INK)
    finite = powers[np.isfinite(powers) & (powers > 0)]
    highest, least = (finite.max(), finite.min()) if finite.size else (1.0, 0.1)
    if scale == "log":
        axes.set(xscale="log", yscale="log", xlim=(min(1 / longer, 0.5), np.sqrt(0.5)))
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_formatter(NullFormatter())
        # Whole decades.
        top, bottom = 10.0 ** np.ceil(np.log10(highest) + 0.05), 10.0 ** np.floor(np.log10(least) - 0.05)
        axes.set_ylim(max(bottom, top / 10.0**_DECADES, np.finfo(float).tiny), top)
        return
    axes.set_xlim(0, np.sqrt(0.5))
    if scale == "sqrt":
        # matplotlib asks a little below zero too.
        root, square = lambda y: np.sign(y) * np.sqrt(np.abs(y)), lambda y: np.sign(y) * np.square(y)
        axes.set_yscale("function", functions=(root, square))
    axes.set_ylim(0, 1.05 * highest)
    axes.ticklabel_format(axis="y", scilimits=(-3, 4), useMathText=True)
