"""The picture of a link at work, in a window or a file: constellation, spectrum, errors, throughput (extra `ui`)."""

import itertools
import math
import sys
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import glfw
import numpy as np
import numpy.typing as npt
from moderngl import Context

from glfft.apps import plots
from glfft.apps.ofdm.link import symbols as link
from glfft.apps.ofdm.link.reception import Reception, estimate_gain
from glfft.apps.ofdm.link.settings import CHANNELS, FLOAT32, HIGHEST_DB, LOWEST_DB, WIDTHS, LinkSettings
from glfft.apps.ofdm.link.symbols import Channel, Width, expected_error_rate
from glfft.apps.plots import Size
from glfft.errors import GlfftError
from glfft.gl.releasable import Keeper, released_on_error
from glfft.gl.timed import timed
from glfft.overlay.shapes import Box, Canvas, Colour
from glfft.profiling.profiler import traced
from glfft.ui.imgui_layer import ImguiLayer
from glfft.ui.window import Window

KEYS = "up, down: Eb/N0   C: channel   W, Shift+W: width of samples   Space: pause   Escape: quit"

_CONSTELLATION = Box(plots.GAP, 64, 560, 560)
_SPECTRUM = Box(640, 84, 622, 220)
_ERRORS = Box(640, 376, 296, 248)
_RATES = Box(996, 376, 266, 248)

_SIDE = 280  # texels of the constellation
_REACH = 1.55  # of its axes
_LEVELS = np.array([-3, -1, 1, 3]) / math.sqrt(10)
_GLOW = ((20, 24, 30), (30, 78, 140), (72, 158, 235), (160, 216, 255), (255, 255, 255))

_ENERGIES = np.linspace(0, 20, 41)  # dB


class Board(Keeper):
    def __init__(self, settings: LinkSettings, ctx: Context, layer: ImguiLayer) -> None:
        self.keys, self._layer = KEYS, layer
        self.reception = self._own(Reception(ctx, settings))
        self._density = np.zeros((_SIDE, _SIDE))
        with released_on_error([self]):
            self._texture = self._own(ctx.texture((_SIDE, _SIDE), 4))

    def step(self, window: Window, paused: bool) -> None:
        if not paused:
            self.receive(0.012)  # s, the part of a frame that receiving may take

    def receive(self, seconds: float) -> None:
        """Receive for some time, and add the points of the last block to the constellation."""
        self.reception.step(seconds)
        points = self.reception.result["points"].ravel()
        counts, _, _ = np.histogram2d(points.imag, points.real, _SIDE, [[-_REACH, _REACH]] * 2)
        self._density = 0.8 * self._density + counts  # with an afterglow
        self._texture.write(plots.glow(_GLOW, self._density, 30))

    def on_key(self, key: int, modifiers: int) -> None:
        settings = self.reception.settings
        if key in (glfw.KEY_UP, glfw.KEY_DOWN):
            db = settings.bit_energy_db + (0.5 if key == glfw.KEY_UP else -0.5)
            self._configure(bit_energy_db=min(max(db, LOWEST_DB), HIGHEST_DB))
        elif key == glfw.KEY_C:
            self._configure(channel=CHANNELS[(CHANNELS.index(settings.channel) + 1) % len(CHANNELS)])
        elif key == glfw.KEY_W:
            step = -1 if modifiers & glfw.MOD_SHIFT else 1
            self._configure(samples=WIDTHS[(WIDTHS.index(settings.samples) + step) % len(WIDTHS)])

    def _configure(self, **changes: Any) -> None:
        try:
            self.reception.configure(replace(self.reception.settings, **changes))
            self._density[:] = 0
        except GlfftError as error:
            print(f"glfft demo ofdm: {error}", file=sys.stderr)

    def draw(self, size: Size, device: str) -> None:
        settings = self.reception.settings
        channel = f"{settings.channel} channel, Eb/N0 {settings.bit_energy_db:.1f} dB"
        words = f"512 subcarriers, 16-QAM   ·   {settings.samples} samples   ·   {channel}"
        canvas = plots.titled(self._layer, size, "WirelessHD receiver in compute shaders", words, device)
        self._draw_constellation(canvas)
        for draw in (_draw_spectrum, _draw_errors, _draw_rates, _draw_numbers):
            draw(canvas, self.reception)
        canvas.text(plots.GAP, 702, self.keys, 13, plots.DIM)

    def _draw_constellation(self, canvas: Canvas) -> None:
        plot = plots.Plot(canvas, _CONSTELLATION, (-_REACH, _REACH), (-_REACH, _REACH))
        canvas.picture(self._texture, _CONSTELLATION)
        for level in _LEVELS:
            plot.vertical(level, f"{round(level * math.sqrt(10)):+d}")
            plot.horizontal(level, "")
        for x, y in itertools.product(_LEVELS, _LEVELS):
            plot.cross(x, y)
        canvas.text(_CONSTELLATION.x + 10, _CONSTELLATION.y + 8, "points after the equaliser", 15, plots.PLAIN)


def _draw_spectrum(canvas: Canvas, reception: Reception) -> None:
    plots.heading(canvas, _SPECTRUM, "spectrum received", plots.BLUE, "dB over subcarriers")
    canvas.text(_SPECTRUM.x + 150, _SPECTRUM.y - 24, "channel as the pilots show it", 15, plots.ORANGE)
    half = link.SUBCARRIERS // 2
    plot = plots.Plot(canvas, _SPECTRUM, (-half, half), (-40, 15))
    for number in (-177, 0, 177):
        plot.vertical(number, str(number))
    for db in (-40, -20, 0):
        plot.horizontal(db, str(db))
    if reception.result is not None:
        power, response = reception.result["power"], reception.result["response"]
        plot.curve(np.arange(-half, half), _decibels(np.fft.fftshift(power)), plots.BLUE, 1.2)
        used = (link.used_subcarriers() + half) % link.SUBCARRIERS - half
        for side in (used < 0, used > 0):
            plot.curve(used[side], _decibels(np.abs(response[side]) ** 2), plots.ORANGE, 2.0)


def _draw_errors(canvas: Canvas, reception: Reception) -> None:
    settings = reception.settings
    plots.heading(canvas, _ERRORS, "bit error rate", plots.GREEN, "over Eb/N0, dB")
    plot = plots.Plot(canvas, _ERRORS, (0, 20), (-6, 0))
    for db in (0, 5, 10, 15, 20):
        plot.vertical(db, str(db))
    for exponent in range(-6, 1, 2):
        plot.horizontal(exponent, f"1e{exponent}" if exponent else "1")
    with canvas.clipped(_ERRORS):
        canvas.box(float(plot.x(settings.bit_energy_db)), _ERRORS.y, 1, _ERRORS.height, Colour(*plots.BRIGHT[:3], 110))
    left, bottom = _ERRORS.x, _ERRORS.y + _ERRORS.height
    # In a block of so many symbols the channel is known as good as exactly.
    plot.curve(_ENERGIES, _theory("flat", Width(FLOAT32), 22 << 20), plots.DIM, 1.2)
    canvas.text(left + 10, bottom - 62, "theory, white noise alone", 13, plots.DIM)
    plot.curve(_ENERGIES, _theory(settings.channel, reception.width, reception.symbols), plots.GREEN, 1.6)
    canvas.text(left + 10, bottom - 42, "theory of this link", 13, plots.GREEN)
    canvas.dot(left + 15, bottom - 13, 4.2, plots.BRIGHT)
    canvas.text(left + 26, bottom - 22, "measured", 13, plots.BRIGHT)
    for db, (wrong, bits) in reception.counted.items():
        if wrong:
            plot.dot(db, math.log10(wrong / bits), plots.BRIGHT)


def _draw_rates(canvas: Canvas, reception: Reception) -> None:
    plots.heading(canvas, _RATES, "throughput with transfers", plots.BLUE, "samples/s")
    plot = plots.Plot(canvas, _RATES, (0, max(len(reception.rates) - 1, 1)), (6, 11))
    for exponent, label in ((6, "1 M"), (7, "10 M"), (8, "100 M"), (9, "1 G"), (10, "10 G")):
        plot.horizontal(exponent, label)
    standard = math.log10(link.SAMPLES_A_SECOND)
    plot.horizontal(standard, "", plots.ORANGE)
    canvas.text(_RATES.x + 10, float(plot.y(standard)) - 19, "the standard: 2.538 G", 13, plots.ORANGE)
    if reception.rates:
        plot.curve(np.arange(len(reception.rates)), np.log10(reception.rates), plots.BLUE, 1.8)


def _draw_numbers(canvas: Canvas, reception: Reception) -> None:
    rate = reception.samples_a_second
    wrong, bits = reception.counted.get(reception.channel.bit_energy_db, (0, 0))
    share = wrong / bits if bits else math.nan
    channel, noise = reception.channel, reception.width.noise(1 + reception.channel.noise)
    expected = expected_error_rate(channel, noise, estimate_gain(reception.symbols))
    entries = (
        (plots.GAP, "samples/s", plots.engineering(rate)),
        (172, "of the standard's", _percent(rate / link.SAMPLES_A_SECOND)),
        (312, "raw bits/s", plots.engineering(rate / link.SYMBOL * link.BITS)),
        (452, "a symbol", _nanoseconds(link.SYMBOL / rate)),
        (640, "bits wrong", f"{share:.2e}" if wrong else f"0 of {plots.engineering(bits)}"),
        (780, "in theory", f"{expected:.2e}"),
        (920, "blocks", f"{reception.settings.in_flight} in flight, {reception.symbols} symbols each"),
    )
    plots.facts(canvas, 662, entries)
    kind = "mapped buffers" if reception.mapped else "plain buffers"
    canvas.text_right(plots.WIDTH - plots.GAP, 682, kind, 13, plots.DIM)


@lru_cache(maxsize=16)
def _theory(channel: str, width: Width, symbols: int) -> npt.NDArray[np.float64]:
    """Logarithms of the error rates to expect at each of _ENERGIES."""
    gain = estimate_gain(symbols)
    channels = [Channel(channel, float(db)) for db in _ENERGIES]
    return np.log10([max(expected_error_rate(each, width.noise(1 + each.noise), gain), 1e-12) for each in channels])


def _decibels(power: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    return 10 * np.log10(np.maximum(power, 1e-12))


def _percent(share: float) -> str:
    return f"{share:.3g} times" if share >= 1 else f"{100 * share:.2g} %" if share > 0 else "-"


def _nanoseconds(seconds: float) -> str:
    if math.isnan(seconds):
        return "-"
    return f"{seconds * 1e9:.3g} ns" if seconds < 1e-6 else f"{seconds * 1e6:.3g} µs"


def open_link(settings: LinkSettings, size: Size, frames: int | None = None, trace: str | None = None) -> None:
    """Open a window and receive until it is closed, as `glfft.apps.plots.open_board` has it. Raises as `Reception`."""
    plots.open_board("glfft demo ofdm", size, partial(Board, settings), frames, trace)


def draw_link(
    ctx: Context, settings: LinkSettings, size: Size, trace: str | None = None, bits: int = 400_000, steps: int = 20
) -> npt.NDArray[np.uint8]:
    """Receive for a second or two, and draw what the window would show: [height, width, 3], the top row first.

    For each point of the curve of errors `bits` are counted, or 400 wrong ones. The curve of throughput has `steps` of
    50 ms, whose timeline the .trace.json file `trace` gets. Raises MissingExtraError without imgui-bundle, and as
    `Reception`.
    """
    with ImguiLayer(ctx, scale=1.0) as layer, Board(settings, ctx, layer) as board:
        board.keys = ""
        for energy in sorted({2.0, 5.0, 8.0, 11.0, 14.0, 17.0, settings.bit_energy_db}):
            board.reception.configure(replace(settings, bit_energy_db=energy))
            board.reception.count(bits, 400)
        board.reception.configure(settings)
        with traced(ctx, trace) as profiler:
            for _ in range(steps):
                with plots.frame_of(profiler), timed(profiler, "step"):
                    board.receive(0.05)
            return plots.draw_board(ctx, layer, size, board.draw, profiler)
