"""The sea measured while it is shown: numbers in green and red, its spectra, its dispersion, and two ways compared."""

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glfft.apps.ocean.controls import Controls
from glfft.sea import measure, spectra, waves
from glfft.sea.compare import Comparison
from glfft.sea.monitor import SeaMonitor
from glfft.sea.simulation import OceanSimulation

_GREEN, _RED, _GREY = (0.45, 0.85, 0.50, 1.0), (0.95, 0.42, 0.36, 1.0), (0.60, 0.63, 0.67, 1.0)
# Colours of the tiles, the longest first.
_TILE_COLOURS = (
    (0.36, 0.66, 0.98, 1.0), (0.98, 0.72, 0.30, 1.0), (0.55, 0.87, 0.47, 1.0),
    (0.90, 0.48, 0.75, 1.0), (0.62, 0.55, 0.95, 1.0), (0.40, 0.85, 0.85, 1.0),
)  # fmt: skip
_WIDTH, _PLOT_HEIGHT = 330.0, 120.0


@dataclass(frozen=True)
class Measured:
    """What is shown of a snapshot and, with enough lines, dispersion: shares of the highest in theory, and power."""

    checks: list[measure.Check]
    spectrum: measure.Spectrum
    polar: measure.PolarSpectrum
    dispersion: tuple[NDArray[np.float64], NDArray[np.float64]] | None


class Measurements:
    """Reads a running simulation and evaluates it in a thread: no frame waits. `measured` is the newest, or None."""

    def __init__(self, simulation: OceanSimulation, clock: Callable[[], float] = time.monotonic) -> None:
        self._simulation, self._clock, self._monitor = simulation, clock, SeaMonitor(simulation)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="sea measurements")
        self._work: Future[Measured] | None = None
        self._read_at = self._worked_at = -math.inf
        self._seen: measure.Snapshot | None = None
        self.measured: Measured | None = None

    def step(self) -> None:
        now = self._simulation.time
        # Every 0.05 s of the sea's time, and evaluated every 0.5 s of the clock.
        if now is not None and not 0 <= now - self._read_at < 0.05 and self._monitor.read():
            self._read_at = now
        self._monitor.poll()
        if self._work is not None and self._work.done():
            work, self._work = self._work, None
            self.measured = work.result()
        snapshot = self._monitor.snapshot
        due = self._clock() - self._worked_at >= 0.5
        if snapshot is not None and snapshot is not self._seen and self._work is None and due:
            self._seen, self._worked_at = snapshot, self._clock()
            lines, times = list(self._monitor.lines), list(self._monitor.line_times)
            self._work = self._thread.submit(work_out, snapshot, lines, times)

    def release(self) -> None:
        self._thread.shutdown(cancel_futures=True)
        self._monitor.release()


def work_out(snapshot: measure.Snapshot, lines: list[NDArray[np.float64]], times: list[float]) -> Measured:
    found = measure.validate(snapshot), measure.spectrum(snapshot), measure.polar_spectrum(snapshot)
    if len(lines) < 40:
        return Measured(*found, None)
    tile = snapshot.tiles[0]
    highest = 3 * waves.peak_frequency(tile)
    wavenumber, power = measure.dispersion(tile, np.stack(lines), times, (np.arange(24) + 0.5) * highest / 24)
    theory = spectra.angular_frequency(wavenumber, tile.depth) / highest
    some = (theory < 1.2) & (wavenumber < tile.band[1]) & (np.arange(len(wavenumber)) < 32)
    return Measured(*found, (theory[some], power[:, some]))


def draw_measurements(imgui: Any, controls: Controls, measured: Measured | None, comparison: Comparison | None,
                      scale: float, algorithms: Sequence[str] = ("auto",)) -> None:  # fmt: skip
    """Draw the window of measurements, inside an open ImGui frame; algorithms are those to compare with."""
    imgui.set_next_window_pos((12.0 * scale, 300.0 * scale), imgui.Cond_.first_use_ever)
    imgui.set_next_window_size((_WIDTH * scale, 0.0), imgui.Cond_.always)
    if imgui.begin("Measured", None, imgui.WindowFlags_.no_resize)[0]:
        if measured is None:
            imgui.text_disabled("reading the sea")
        else:
            for check in measured.checks:
                imgui.text_colored(_GREEN if check.passed else _RED, str(check))
            _draw_spectrum(imgui, measured.spectrum, scale)
            _draw_polar(imgui, measured.polar, scale)
            _draw_dispersion(imgui, measured.dispersion, scale)
        _draw_comparison(imgui, controls, algorithms, comparison)
    imgui.end()


def _plot_area(imgui: Any, title: str, scale: float) -> tuple[Any, float, float, float, float]:
    """What to draw a plot on, and left, top, width and height of room for it, which the window then has."""
    imgui.text_disabled(title)
    place, width, height = imgui.get_cursor_screen_pos(), (_WIDTH - 20.0) * scale, _PLOT_HEIGHT * scale
    imgui.dummy((width, height))
    return imgui.get_window_draw_list(), place.x, place.y, width, height


def _draw_spectrum(imgui: Any, spectrum: measure.Spectrum, scale: float) -> None:
    """Energy over wave number, both logarithmic: theory as a line in the colours of the tiles, measured as points."""
    canvas, left, top, width, height = _plot_area(imgui, "energy over wave number: line theory, dots measured", scale)
    known = np.flatnonzero(np.nan_to_num(spectrum.theory) > 0)
    if len(known) < 2:
        return
    x = np.log10(spectrum.wavenumber)
    across = left + width * (x - x[known[0]]) / (x[known[-1]] - x[known[0]])
    levels = np.log10(np.maximum(np.nan_to_num([spectrum.theory, spectrum.measured]), 1e-300))
    theory, dots = top + height * np.clip((levels[0].max() + 0.5 - levels) / 6, 0, 1)  # six decades
    for before, after in pairwise(known):
        colour = imgui.get_color_u32(_TILE_COLOURS[int(spectrum.tile[after]) % len(_TILE_COLOURS)])
        canvas.add_line((across[before], theory[before]), (across[after], theory[after]), colour, 1.5 * scale)
        canvas.add_circle_filled((across[after], dots[after]), 2.0 * scale, colour)


def _draw_polar(imgui: Any, polar: measure.PolarSpectrum, scale: float) -> None:
    """Energy over direction and frequency as rings: measured left, theory right; up is -z, to the right +x."""
    canvas, left, top, width, height = _plot_area(imgui, "directions: left measured, right theory", scale)
    radius, most = 0.48 * height, max(float(polar.theory.max()), 1e-30)
    radii = radius * polar.frequency / polar.frequency[-1]
    for share, energy in ((0.25, polar.measured), (0.75, polar.theory)):
        middle = left + share * width, top + height / 2
        canvas.add_circle(middle, radius, imgui.get_color_u32(_GREY))
        for ring, sector in zip(*np.nonzero(energy > 0.02 * most), strict=True):
            low, high = polar.direction[sector : sector + 2]
            inner, outer = radii[ring : ring + 2]
            ends = ((inner, low), (outer, low), (outer, high), (inner, high))
            corners = [(middle[0] + r * math.cos(angle), middle[1] + r * math.sin(angle)) for r, angle in ends]
            strength = min(1.0, math.sqrt(float(energy[ring, sector]) / most))
            canvas.add_quad_filled(*corners, imgui.get_color_u32((1.0, 0.85 * strength, 0.25, strength)))


def _draw_dispersion(imgui: Any, dispersion: tuple[NDArray, NDArray] | None, scale: float) -> None:
    """Frequency over wave number of the waves along an axis, with the dispersion relation as a line."""
    canvas, left, top, width, height = _plot_area(imgui, "frequency over wave number; the line is theory", scale)
    if dispersion is None or not len(dispersion[0]):
        return
    theory, power = dispersion
    rows, columns = power.shape
    across, down = width / columns, height / rows
    for row, column in zip(*np.nonzero(power > 0.1), strict=True):
        x, y = left + column * across, top + height - (row + 1) * down
        colour = imgui.get_color_u32((0.36, 0.66, 0.98, float(power[row, column])))
        canvas.add_rect_filled((x, y), (x + across, y + down), colour)
    line = [(left + (at + 0.5) * across, top + height * (1 - min(1.0, float(each)))) for at, each in enumerate(theory)]
    for before, after in pairwise(line):
        canvas.add_line(before, after, imgui.get_color_u32((1.0, 1.0, 1.0, 0.8)), 1.0 * scale)


def _draw_comparison(imgui: Any, controls: Controls, algorithms: Sequence[str], comparison: Comparison | None) -> None:
    imgui.separator_text("the sea as shown, beside")
    other = controls.other
    for name in algorithms:
        if imgui.radio_button(f"{name}##beside", name == other.algorithm):
            other = replace(other, algorithm=name)
    single = imgui.checkbox("float32", other.dtype == "f4")[1]
    imgui.same_line()
    fused = imgui.checkbox("fused", other.fused)[1]
    imgui.same_line()
    controls.other = replace(other, dtype="f4" if single else "f2", fused=bool(fused))
    controls.compare |= bool(imgui.button("compare"))
    if comparison is not None:
        one, two = comparison.times
        imgui.text(f"{one.microseconds / 1e3:.2f} ms and {two.microseconds / 1e3:.2f} ms, {one.timer}")
        imgui.text("{} and {} dispatches".format(*comparison.dispatches))
        imgui.text(f"apart by {comparison.rms:.3g} mm rms, {comparison.largest:.3g} mm at most")
