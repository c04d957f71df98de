"""The picture of a scan, in a window or a file: spectrum, waterfall, and a channel by itself (extra `ui`)."""

import math
from dataclasses import replace
from functools import partial

import glfw
import moderngl
import numpy as np
import numpy.typing as npt
from moderngl import Context

from glfft.apps import plots
from glfft.apps.channelizer.scan import FLOOR_DB, Scan, ScanSettings
from glfft.channelizer.recordings import STATIONS
from glfft.gl.releasable import Keeper, released_on_error
from glfft.gl.timed import timed
from glfft.overlay.shapes import Box, Canvas, Colour
from glfft.profiling.profiler import traced
from glfft.ui.imgui_layer import ImguiLayer
from glfft.ui.window import Window

_SPECTRUM = Box(52, 84, 858, 150)
_WATERFALL = Box(52, 260, 858, 372)
_CHANNEL = Box(972, 84, 290, 150)
_POINTS = Box(972, 312, 290, 290)
_SCALE = Box(918, 260, 8, 372)

_STEP_DB = 5.0  # steps of the colours' range, decibels; below the quietest and above the strongest
_POINTS_SIDE = 97  # texels of the points
# From the floor of the noise to the strongest.
_EMBERS = ((4, 4, 12), (38, 10, 66), (104, 14, 92), (178, 30, 62), (228, 92, 18), (250, 172, 46), (255, 246, 200))

_QUARTERS = (-0.5, -0.25, 0.0, 0.25, 0.5)


class Board(Keeper):
    keys = "left, right, click: channel   Space: pause   Escape: quit"

    def __init__(self, settings: ScanSettings, ctx: Context, layer: ImguiLayer) -> None:
        self.scan, self._layer = self._own(Scan(ctx, settings)), layer
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

    def step(self, window: Window, paused: bool) -> None:
        """Scan for a frame's time, and look at the channel that is clicked."""
        if window.is_mouse_down(glfw.MOUSE_BUTTON_LEFT):
            # In screen units, of which a dense display has several pixels each.
            across = window.size[0] / max(glfw.get_window_size(window.handle)[0], 1)
            place = self.place_at(window.cursor[0] * across, window.cursor[1] * across, window.size)
            if place is not None:
                self.scan.watch(place)
        if not paused:
            self.scan.step(0.012)  # s, the part of a frame that the signal may take
        self.update()

    def on_key(self, key: int, modifiers: int) -> None:
        if key in (glfw.KEY_LEFT, glfw.KEY_RIGHT):
            far = 8 if modifiers & glfw.MOD_SHIFT else 1
            self.scan.watch(self.scan.watched + (far if key == glfw.KEY_RIGHT else -far))

    def draw(self, size: plots.Size, device: str) -> None:
        bank = self.scan.bank
        rate = "critically sampled" if bank.oversampling == 1 else f"oversampled {bank.oversampling:.3g} times"
        words = f"{bank.channels} channels   ·   {rate}   ·   {len(bank.prototype)} taps"
        canvas = plots.titled(self._layer, size, "Polyphase channelizer in compute shaders", words, device)
        for draw in (self._draw_spectrum, self._draw_waterfall, self._draw_channel, self._draw_numbers):
            draw(canvas)

    def place_at(self, x: float, y: float, size: plots.Size) -> int | None:
        """The place of the channel at a pixel of the picture, y down; None beside spectrum and waterfall."""
        scale, left, top = plots.fitted(size)
        x, y = (x - left) / scale, (y - top) / scale
        for box in (_SPECTRUM, _WATERFALL):
            if box.x <= x < box.x + box.width and box.y <= y < box.y + box.height:
                return int((x - box.x) / box.width * self.scan.settings.channels)
        return None

    def _draw_spectrum(self, canvas: Canvas) -> None:
        scan, box = self.scan, _SPECTRUM
        plots.heading(canvas, box, "channels, mean", plots.BLUE, "dB")
        canvas.text(box.x + 118, box.y - 24, "strongest seen", 15, plots.ORANGE)
        low, high = self.range[0] - 2 * _STEP_DB, self.range[1] + _STEP_DB
        count = scan.settings.channels
        plot = plots.Plot(canvas, box, (0, count), (low, high))
        step = 20 if high - low > 50 else 10
        for db in range(math.ceil(low / step) * step, math.floor(high) + 1, step):
            plot.horizontal(db, str(db))
        for quarter in _QUARTERS[1:-1]:
            plot.vertical((quarter + 0.5) * count, "")
        seen = min(scan.rows, len(scan.levels))
        if seen:
            places = np.arange(count) + 0.5
            plot.curve(places, scan.levels[-seen:].max(axis=0), plots.ORANGE, 1.0)
            mean = np.mean(10 ** (scan.levels[-min(seen, 64) :] / 10), axis=0)
            plot.curve(places, 10 * np.log10(mean), plots.BLUE, 1.6)
        canvas.box(float(plot.x(scan.watched)), box.y, box.width / count, box.height, Colour(255, 255, 255, 60))

    def _draw_waterfall(self, canvas: Canvas) -> None:
        scan, box = self.scan, _WATERFALL
        count = scan.settings.channels
        canvas.box(*box, plots.WELL)
        canvas.picture(self._texture, box)
        canvas.picture(self._scale_texture, _SCALE)
        for y, db in ((_SCALE.y, self.range[1]), (_SCALE.y + _SCALE.height - 15, self.range[0])):
            canvas.text(_SCALE.x + 12, y, f"{db:g}", 13, plots.DIM)
        for station in STATIONS if scan.settings.recording is None else ():
            x = box.x + (station.frequency + 0.5 + 0.5 / count) * box.width
            words = {"fm": "FM", "qpsk": "QPSK"}.get(station.kind, station.kind)
            canvas.text(x - 3.4 * len(words), box.y - 20, words, 13, plots.PLAIN)
        plot = plots.Plot(canvas, box, (-0.5, 0.5), (0, 1), filled=False)
        for quarter in _QUARTERS:
            plot.vertical(quarter, self._frequency(quarter), drawn=False)
        x = box.x + (scan.watched + 0.5) / count * box.width
        for y in (box.y, box.y + box.height - 6):
            canvas.box(x - 1, y, 2, 6, plots.BRIGHT)
        count = len(scan.levels) * scan.row_samples
        span = f"{count / scan.rate:.3g} s" if scan.rate else f"{plots.engineering(count)} samples"
        canvas.text_right(box.x - 6, box.y - 2, "now", 13, plots.DIM)
        canvas.text(box.x, box.y + box.height + 18, f"the past lies below: {span} in all", 13, plots.DIM)
        if scan.ended:
            canvas.text_right(box.x + box.width, box.y + box.height + 18, "the recording has ended", 13, plots.ORANGE)

    def _draw_channel(self, canvas: Canvas) -> None:
        scan = self.scan
        channel = scan.watched - scan.settings.channels // 2
        where = self._frequency(scan.frequency_of(scan.watched))
        plots.heading(canvas, _CHANNEL, f"channel {channel}", plots.GREEN, f"at {where}")
        spectrum = _spectrum_of(scan.samples)
        top = math.ceil(float(spectrum.max()) / 10) * 10 if len(spectrum) else 0
        half = scan.bank.oversampling / 2
        plot = plots.Plot(canvas, _CHANNEL, (-half, half), (top - 80, top))
        for db in range(top - 60, top, 20):
            plot.horizontal(db, str(db))
        for edge in (-0.5, 0.0, 0.5):
            if abs(edge) < half:
                plot.vertical(edge, f"{edge:+.1f}" if edge else "0")
        if len(spectrum):
            plot.curve((np.arange(len(spectrum)) / len(spectrum) - 0.5) * 2 * half, spectrum, plots.GREEN, 1.4)
        canvas.text(_CHANNEL.x, _CHANNEL.y + _CHANNEL.height + 22, "in widths of a channel", 13, plots.DIM)
        box = _POINTS
        canvas.text(box.x, box.y - 22, "its samples, real and imaginary part", 15, plots.GREEN)
        canvas.box(*box, plots.WELL)
        canvas.picture(self._points_texture, box)
        canvas.box(box.x, box.y + box.height / 2, box.width, 1, Colour(255, 255, 255, 30))
        canvas.box(box.x + box.width / 2, box.y, 1, box.height, Colour(255, 255, 255, 30))

    def _draw_numbers(self, canvas: Canvas) -> None:
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
        plots.facts(canvas, 672, entries)

    def _frequency(self, share: float) -> str:
        """A frequency, given as a part of the sample rate."""
        recording = self.scan.settings.recording
        if recording is None or not recording.rate:
            return f"{share:+.3g}" if share else "0"
        hertz = share * recording.rate + recording.frequency
        sign = "-" if hertz < 0 else ""
        return f"{sign}{plots.engineering(abs(hertz), 6)}Hz" if hertz else "0 Hz"


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


def open_scan(settings: ScanSettings, size: plots.Size, frames: int | None = None, trace: str | None = None) -> None:
    """Open a window and scan until it is closed, as `glfft.apps.plots.open_board` has it. Raises as `Scan`."""
    plots.open_board("glfft demo channelizer", size, partial(Board, settings), frames, trace)


def draw_scan(
    ctx: Context, settings: ScanSettings, size: plots.Size, trace: str | None = None
) -> npt.NDArray[np.uint8]:
    """Draw the window's picture with the waterfall full, or with all of a recording: [height, width, 3], top row first.
    `trace` is a .trace.json file for the timeline. Raises MissingExtraError without imgui-bundle, and as `Scan`.
    """
    if settings.recording is not None:
        settings = replace(settings, row_samples=-(-settings.recording.count // settings.rows))
    with ImguiLayer(ctx, scale=1.0) as layer, Board(settings, ctx, layer) as board, traced(ctx, trace) as profiler:
        with plots.frame_of(profiler), timed(profiler, "step"):
            board.scan.fill()
            board.update()
        return plots.draw_board(ctx, layer, size, board.draw, profiler)
