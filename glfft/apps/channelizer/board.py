"""The picture of a scan, in a window or a file: spectrum, waterfall, and a channel by itself (extra `ui`)."""

import math

import glfw
import moderngl
import numpy as np
import numpy.typing as npt
from moderngl import Context

from glfft.apps import plots
from glfft.apps.channelizer.scan import FLOOR_DB, Scan, ScanSettings
from glfft.apps.plots import Ends, Page
from glfft.channelizer.recordings import STATIONS
from glfft.gl.releasable import Keeper, released_on_error
from glfft.gl.timed import timed
from glfft.overlay.shapes import Box, Colour
from glfft.profiling.profiler import Profiler

_SPECTRUM = Box(18, 60, 892, 196)
_WATERFALL = Box(18, 262, 892, 388)
_SCALE = Box(918, 262, 8, 340)
_CHANNEL = Box(954, 60, 308, 240)
_POINTS = Box(972, 312, 290, 290)

_STEP_DB = 5.0  # steps of the colours' range, decibels; below the quietest and above the strongest
_POINTS_SIDE = 97  # texels of the points
# From the floor of the noise to the strongest.
_EMBERS = ((4, 4, 12), (38, 10, 66), (104, 14, 92), (178, 30, 62), (228, 92, 18), (250, 172, 46), (255, 246, 200))


class Board(Keeper):
    keys = "left, right, click: channel   Space: pause   Escape: quit"

    def __init__(self, settings: ScanSettings, ctx: Context) -> None:
        self.scan = self._own(Scan(ctx, settings))
        self._colours = plots.ramp(_EMBERS, np.linspace(0, 1, 256))
        with released_on_error([self]):
            self._texture = self._own(ctx.texture((settings.channels, settings.rows), 4))
            self._points_texture = self._own(ctx.texture((_POINTS_SIDE, _POINTS_SIDE), 4))
            self._scale_texture = self._own(ctx.texture((1, 256), 4, self._colours.tobytes()))
        self._texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._drawn, self.range = -1, (-100.0, 0.0)

    def update(self) -> None:
        scan = self.scan
        if scan.rows == self._drawn:
            return
        self._drawn = scan.rows
        seen = scan.levels[-min(scan.rows, len(scan.levels)) :] if scan.rows else scan.levels[:1]
        # The floor of the noise is that of the quieter half of the channels.
        low = math.floor((float(np.quantile(seen, 0.25)) - 1) / _STEP_DB) * _STEP_DB
        high = math.ceil((float(np.quantile(seen, 0.999)) + 1) / _STEP_DB) * _STEP_DB
        self.range = max(low, FLOOR_DB), max(high, low + 4 * _STEP_DB)
        shares = (scan.levels - self.range[0]) / (self.range[1] - self.range[0])
        self._texture.write(self._colours[np.rint(np.clip(shares, 0, 1) * 255).astype(np.uint8)].tobytes())
        self._points_texture.write(_glow(scan.samples))

    def step(self) -> None:
        self.scan.step(0.012)  # s, the part of a frame that the signal may take
        self.update()

    def fill(self, profiler: Profiler | None) -> None:
        with plots.frame_of(profiler), timed(profiler, "step"):
            self.scan.fill()
            self.update()

    def on_key(self, key: int, modifiers: int) -> None:
        if key in (glfw.KEY_LEFT, glfw.KEY_RIGHT):
            far = 8 if modifiers & glfw.MOD_SHIFT else 1
            self.scan.watch(self.scan.watched + (far if key == glfw.KEY_RIGHT else -far))

    def draw(self, page: Page) -> None:
        bank = self.scan.bank
        rate = "critically sampled" if bank.oversampling == 1 else f"oversampled {bank.oversampling:.3g} times"
        ended = "the recording has ended   ·   " * self.scan.ended
        words = f"{ended}{bank.channels} channels   ·   {rate}   ·   {len(bank.prototype)} taps"
        page.title("Polyphase channelizer in compute shaders", words)
        page.implot.begin_aligned_plots("scan")
        self._draw_spectrum(page)
        self._draw_waterfall(page)
        page.implot.end_aligned_plots()
        self._draw_channel(page)
        self._draw_numbers(page)

    def _across(self) -> tuple[Ends, str]:
        """The frequencies at both edges, and their unit."""
        count, recording = self.scan.settings.channels, self.scan.settings.recording
        scale, middle, unit = 1.0, 0.0, "of the sample rate"
        if recording is not None and recording.rate:
            scale, middle, unit = recording.rate / 1e6, recording.frequency / 1e6, "MHz"
        low, high = (middle + scale * self.scan.frequency_of(place - 0.5) for place in (0, count))
        return (low, high), unit

    def _watch(self, page: Page) -> None:
        """Mark the channel that is watched, in the open plot, and watch the one that is clicked."""
        (low, high), _ = self._across()
        width = (high - low) / self.scan.settings.channels
        look = page.spec(Colour(255, 255, 255, 110))
        page.implot.plot_inf_lines("##watched", np.array([low + (self.scan.watched + 0.5) * width]), look)
        if page.implot.is_plot_hovered() and page.imgui.is_mouse_down(0):
            self.scan.watch(int((page.implot.get_plot_mouse_pos().x - low) / width))

    def _draw_spectrum(self, page: Page) -> None:
        scan, (low, high) = self.scan, self._across()[0]
        with page.plot(
            _SPECTRUM, (low, high), (self.range[0] - 2 * _STEP_DB, self.range[1] + _STEP_DB), "", "dB"
        ) as plot:
            if scan.settings.recording is None:
                names = [{"fm": "FM", "qpsk": "QPSK"}.get(each.kind, each.kind) for each in STATIONS]
                plot.setup_axis_ticks(plot.ImAxis_.x1, [each.frequency for each in STATIONS], names)
            seen = min(scan.rows, len(scan.levels))
            if seen:
                count = scan.settings.channels
                places = low + (high - low) * (np.arange(count) + 0.5) / count
                mean = np.mean(10 ** (scan.levels[-min(seen, 64) :] / 10), axis=0)
                page.curve("mean of a channel", places, 10 * np.log10(mean), plots.BLUE)
                page.curve("strongest seen", places, scan.levels[-seen:].max(axis=0), plots.ORANGE, 1.0)
            self._watch(page)

    def _draw_waterfall(self, page: Page) -> None:
        scan, (across, unit) = self.scan, self._across()
        samples = len(scan.levels) * scan.row_samples
        past = (-samples / scan.rate, 0.0) if scan.rate else (-samples / 1e6, 0.0)
        page.picture(self._scale_texture, _SCALE)
        for y, db in ((_SCALE.y, self.range[1]), (_SCALE.y + _SCALE.height - 15, self.range[0])):
            page.text(_SCALE.x + 12, y, f"{db:g}", 13, plots.DIM)
        with page.plot(_WATERFALL, across, past, unit, "seconds" if scan.rate else "million samples"):
            page.image("##waterfall", self._texture, across, past)
            self._watch(page)

    def _draw_channel(self, page: Page) -> None:
        scan = self.scan
        spectrum = _spectrum_of(scan.samples)
        top = math.ceil(float(spectrum.max()) / 10) * 10 if len(spectrum) else 0
        half = scan.bank.oversampling / 2
        with page.plot(_CHANNEL, (-half, half), (top - 80, top), "widths of a channel", "dB"):
            if len(spectrum):
                places = (np.arange(len(spectrum)) / len(spectrum) - 0.5) * 2 * half
                page.curve(f"channel {scan.watched - scan.settings.channels // 2}", places, spectrum, plots.GREEN, 1.4)
        with page.plot(_POINTS, (-1.5, 1.5), (-1.5, 1.5)):
            page.image("its samples, real and imaginary part", self._points_texture, (-1.5, 1.5), (-1.5, 1.5))

    def _draw_numbers(self, page: Page) -> None:
        scan = self.scan
        bank, recording = scan.bank, scan.settings.recording
        undone = "perfect" if bank.reconstruction_db > 140 else f"{bank.reconstruction_db:.0f} dB"
        entries = (
            (plots.GAP + 34, "samples/s, source included", plots.engineering(scan.samples_a_second)),
            (250, "dispatches a block", str(scan.channelizer.dispatches)),
            (400, "samples a block", plots.engineering(scan.times * bank.decimation)),
            (530, "blocks dropped", str(scan.channelizer.dropped)),
            (660, "reconstruction", undone),
            (810, "source", "synthetic signal" if recording is None else recording.path.name[:40]),
        )
        page.facts(672, entries)


def _spectrum_of(samples: npt.NDArray[np.complex64]) -> npt.NDArray[np.float64]:
    """Decibels of a channel over its own frequencies, the middle in the middle; empty where there are few samples."""
    bins = min(256, 1 << (max(len(samples), 1).bit_length() - 1))
    if bins < 8:
        return np.zeros(0)
    pieces = samples[len(samples) % bins :].reshape(-1, bins) * np.hanning(bins)
    power = np.mean(np.abs(np.fft.fft(pieces, axis=1)) ** 2, axis=0) / np.hanning(bins).sum() ** 2
    return np.asarray(10 * np.log10(np.maximum(np.fft.fftshift(power), 10 ** (FLOOR_DB / 10))))


def _glow(samples: npt.NDArray[np.complex64]) -> bytes:
    """How often points fell into each texel, as colours from the well's to white."""
    # What is strong has size 1: a station may be silent most of the time.
    size = float(np.quantile(np.abs(samples), 0.98)) if len(samples) else 0.0
    points = samples / np.float32(size or 1.0)
    counts, _, _ = np.histogram2d(points.imag, points.real, _POINTS_SIDE, [[-1.5, 1.5]] * 2)
    return plots.glow((plots.WELL[:3], (26, 96, 66), plots.GREEN[:3], (255, 255, 255)), counts, 15)
