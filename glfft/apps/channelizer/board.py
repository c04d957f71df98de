"""The picture of a scan, in a window or a file: spectrum and waterfall (extra `ui`)."""

import math

import moderngl
import numpy as np

from glfft.apps import plots
from glfft.apps.channelizer.scan import FLOOR_DB, Scan, ScanSettings
from glfft.channelizer.recordings import STATIONS
from glfft.gl.releasable import released_on_error
from glfft.gl.timed import timed
from glfft.overlay.shapes import Box
from glfft.profiling.profiler import Profiler, frame_of

_SPECTRUM = Box(plots.GAP, 60, 1196, 196)
_WATERFALL = Box(plots.GAP, 262, 1196, 388)
_SCALE = Box(1224, 262, 8, 348)

_STEP_DB = 5.0  # steps of the colours' range, decibels; below the quietest and above the strongest
# From the floor of the noise to the strongest.
_EMBERS = ((4, 4, 12), (38, 10, 66), (104, 14, 92), (178, 30, 62), (228, 92, 18), (250, 172, 46), (255, 246, 200))


class Board(plots.Board):
    def __init__(self, settings: ScanSettings, ctx: moderngl.Context) -> None:
        self.scan = self._own(Scan(ctx, settings))
        self._colours = plots.ramp(_EMBERS, np.linspace(0, 1, 256))
        with released_on_error([self]):
            self._texture = self._own(ctx.texture((settings.channels, settings.rows), 4))
            self._scale_texture = self._own(ctx.texture((1, 256), 4, self._colours.tobytes()))
        self._texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._drawn, self.range = -1, (-100.0, 0.0)

    def update(self) -> None:
        scan = self.scan
        if scan.rows == self._drawn:
            return
        self._drawn = scan.rows
        seen = scan.levels[-min(scan.rows, len(scan.levels)) :] if scan.rows else scan.levels[:1]
        # Half of the channels or more hold only noise, so that the first quartile is its floor.
        low = math.floor((float(np.quantile(seen, 0.25)) - 1) / _STEP_DB) * _STEP_DB
        high = math.ceil((float(np.quantile(seen, 0.999)) + 1) / _STEP_DB) * _STEP_DB
        self.range = max(low, FLOOR_DB), max(high, low + 4 * _STEP_DB)
        shares = (scan.levels - self.range[0]) / (self.range[1] - self.range[0])
        self._texture.write(self._colours[np.rint(np.clip(shares, 0, 1) * 255).astype(np.uint8)].tobytes())

    def step(self) -> None:
        self.scan.step(0.012)  # s, the part of a frame that the signal may take
        self.update()

    def fill(self, profiler: Profiler | None) -> None:
        with frame_of(profiler), timed(profiler, "step"):
            self.scan.fill()
            self.update()

    def draw(self, page: plots.Page) -> None:
        bank = self.scan.bank
        rate = "critically sampled" if bank.oversampling == 1 else f"oversampled {bank.oversampling:.3g} times"
        ended = "the recording has ended   ·   " * self.scan.ended
        words = f"{ended}{bank.channels} channels   ·   {rate}   ·   {len(bank.prototype)} taps"
        page.title("Polyphase channelizer in compute shaders", words)
        page.implot.begin_aligned_plots("scan")
        self._draw_spectrum(page)
        self._draw_waterfall(page)
        page.implot.end_aligned_plots()
        self._draw_numbers(page)

    def _across(self) -> tuple[plots.Ends, str]:
        """The frequencies at both edges, and their unit."""
        count, recording = self.scan.settings.channels, self.scan.settings.recording
        scale, middle, unit = 1.0, 0.0, "of the sample rate"
        if recording is not None and recording.rate:
            scale, middle, unit = recording.rate / 1e6, recording.frequency / 1e6, "MHz"
        low, high = (middle + scale * self.scan.frequency_of(place - 0.5) for place in (0, count))
        return (low, high), unit

    def _draw_spectrum(self, page: plots.Page) -> None:
        scan, (low, high) = self.scan, self._across()[0]
        up = self.range[0] - 2 * _STEP_DB, self.range[1] + _STEP_DB
        with page.plot(_SPECTRUM, (low, high), up, "", "dB") as plot:
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

    def _draw_waterfall(self, page: plots.Page) -> None:
        scan, (across, unit) = self.scan, self._across()
        past = -len(scan.levels) * scan.row_samples / (scan.rate or 1e6), 0.0
        page.picture(self._scale_texture, _SCALE)
        for y, db in ((_SCALE.y, self.range[1]), (_SCALE.y + _SCALE.height - 15, self.range[0])):
            page.text(_SCALE.x + 12, y, f"{db:g}", 13, plots.DIM)
        with page.plot(_WATERFALL, across, past, unit, "seconds" if scan.rate else "million samples"):
            page.image("##waterfall", self._texture, across, past)

    def _draw_numbers(self, page: plots.Page) -> None:
        scan = self.scan
        bank, recording = scan.bank, scan.settings.recording
        undone = "perfect" if bank.reconstruction_db > 140 else f"{bank.reconstruction_db:.0f} dB"
        entries = (
            (plots.GAP, "samples/s, source included", plots.engineering(scan.samples_a_second)),
            (250, "dispatches a block", str(scan.channelizer.dispatches)),
            (400, "samples a block", plots.engineering(scan.times * bank.decimation)),
            (530, "blocks dropped", str(scan.channelizer.dropped)),
            (660, "reconstruction", undone),
            (810, "source", "synthetic signal" if recording is None else recording.path.name[:40]),
        )
        page.facts(672, entries)
