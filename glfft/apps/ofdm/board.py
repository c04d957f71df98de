"""The picture of a link at work, in a window or a file: constellation, spectrum, errors, throughput (extra `ui`)."""

import math
import sys
from dataclasses import replace
from functools import lru_cache
from typing import Any

import glfw
import numpy as np
import numpy.typing as npt
from moderngl import Context

from glfft.apps import plots
from glfft.apps.ofdm.link import symbols as link
from glfft.apps.ofdm.link.reception import Reception, estimate_gain
from glfft.apps.ofdm.link.settings import CHANNELS, FLOAT32, HIGHEST_DB, LOWEST_DB, WIDTHS, LinkSettings
from glfft.errors import GlfftError
from glfft.gl.releasable import released_on_error
from glfft.gl.timed import timed
from glfft.overlay.shapes import Box, Colour
from glfft.profiling.profiler import Profiler, frame_of
from glfft.ui.widgets import following

_CONSTELLATION = Box(plots.GAP, 64, 560, 560)
_SPECTRUM = Box(604, 60, 658, 276)
_ERRORS = Box(604, 348, 332, 296)
_RATES = Box(956, 348, 306, 296)

_SIDE = 280  # texels of the constellation
_REACH = -1.55, 1.55  # of its axes
_LEVELS = np.array([-3, -1, 1, 3]) / math.sqrt(10)
_GLOW = ((20, 24, 30), (30, 78, 140), (72, 158, 235), (160, 216, 255), (255, 255, 255))

_BITS, _STEPS = 400_000, 20  # before a picture: bits counted for each point, where fewer than 400 are wrong; steps
_ENERGIES = np.linspace(0, 20, 41)  # dB


class Board(plots.Board):
    keys = "up, down: Eb/N0   C: channel   W, Shift+W: width of samples   Space: pause   Escape: quit"

    def __init__(self, settings: LinkSettings, ctx: Context) -> None:
        self.reception = self._own(Reception(ctx, settings))
        self._density = np.zeros((_SIDE, _SIDE))
        with released_on_error([self]):
            self._texture = self._own(ctx.texture((_SIDE, _SIDE), 4, bytes(4 * _SIDE**2)))  # black until a step

    def step(self, seconds: float = 0.012) -> None:  # the part of a frame that receiving may take
        """Receive for some time, and add the points of the last block to the constellation."""
        self.reception.step(seconds)
        points = self.reception.result["points"].ravel()
        counts, _, _ = np.histogram2d(points.imag, points.real, _SIDE, [_REACH] * 2)
        self._density = 0.8 * self._density + counts  # with an afterglow
        shares = np.log1p(self._density * 30 / max(self._density.max(), 1.0)) / math.log1p(30)
        self._texture.write(plots.ramp(_GLOW, shares).tobytes())

    def fill(self, profiler: Profiler | None) -> None:
        """Count errors for each point of their curve, and receive for a second."""
        settings, self.keys = self.reception.settings, ""
        for energy in sorted({2.0, 5.0, 8.0, 11.0, 14.0, 17.0, settings.bit_energy_db}):
            self.reception.configure(replace(settings, bit_energy_db=energy))
            self.reception.count(_BITS, 400)
        self.reception.configure(settings)
        for _ in range(_STEPS):
            with frame_of(profiler), timed(profiler, "step"):
                self.step(0.05)

    def on_key(self, key: int, modifiers: int) -> None:
        settings = self.reception.settings
        if key in (glfw.KEY_UP, glfw.KEY_DOWN):
            db = settings.bit_energy_db + (0.5 if key == glfw.KEY_UP else -0.5)
            self._configure(bit_energy_db=min(max(db, LOWEST_DB), HIGHEST_DB))
        elif key == glfw.KEY_C:
            self._configure(channel=following(CHANNELS, settings.channel))
        elif key == glfw.KEY_W:
            self._configure(samples=following(WIDTHS, settings.samples, -1 if modifiers & glfw.MOD_SHIFT else 1))

    def _configure(self, **changes: Any) -> None:
        try:
            self.reception.configure(replace(self.reception.settings, **changes))
            self._density[:] = 0
        except GlfftError as error:
            print(f"glfft demo ofdm: {error}", file=sys.stderr)

    def draw(self, page: plots.Page) -> None:
        settings = self.reception.settings
        channel = f"{settings.channel} channel, Eb/N0 {settings.bit_energy_db:.1f} dB"
        words = f"512 subcarriers, 16-QAM   ·   {settings.samples} samples   ·   {channel}"
        page.title("WirelessHD receiver in compute shaders", words)
        with page.plot(_CONSTELLATION, _REACH, _REACH) as plot:
            page.image("points after the equaliser", self._texture, _REACH, _REACH)
            x, y = np.meshgrid(_LEVELS, _LEVELS)
            look = page.spec(Colour(255, 255, 255, 70), marker=plot.Marker_.plus)
            plot.plot_scatter("##sent", x.ravel(), y.ravel(), look)
        for draw in (_draw_spectrum, _draw_errors, _draw_rates, _draw_numbers):
            draw(page, self.reception)
        page.text(plots.GAP, 702, self.keys, 13, plots.DIM)


def _draw_spectrum(page: plots.Page, reception: Reception) -> None:
    half = link.SUBCARRIERS // 2
    with page.plot(_SPECTRUM, (-half, half), (-40, 15), "subcarrier", "dB"):
        if reception.result is not None:
            power, response = reception.result["power"], reception.result["response"]
            page.curve("spectrum received", np.arange(-half, half), _decibels(np.fft.fftshift(power)), plots.BLUE, 1.2)
            used = (link.used_subcarriers() + half) % link.SUBCARRIERS - half
            for side in (used < 0, used > 0):
                decibels = _decibels(np.abs(response[side]) ** 2)
                page.curve("channel as the pilots show it", used[side], decibels, plots.ORANGE, 2.0)


def _draw_errors(page: plots.Page, reception: Reception) -> None:
    settings, ends = reception.settings, (float(_ENERGIES[0]), float(_ENERGIES[-1]))
    with page.plot(_ERRORS, ends, (1e-6, 1.0), "Eb/N0, dB", "bit error rate") as plot:
        plot.setup_axis_scale(plot.ImAxis_.y1, plot.Scale_.log10)
        look = page.spec(Colour(*plots.BRIGHT[:3], 110))
        plot.plot_inf_lines("##set", np.array([settings.bit_energy_db]), look)
        # In a block of so many symbols the channel is known as good as exactly.
        page.curve("white noise", _ENERGIES, _theory("flat", link.Width(FLOAT32), 22 << 20), plots.DIM, 1.2)
        theory = _theory(settings.channel, reception.width, reception.symbols)
        page.curve("theory of this link", _ENERGIES, theory, plots.GREEN)
        shares = {db: wrong / bits for db, (wrong, bits) in reception.counted.items() if wrong}
        look = page.spec(plots.BRIGHT, marker=plot.Marker_.circle)
        plot.plot_scatter("measured", np.array([*shares], float), np.array([*shares.values()], float), look)


def _draw_rates(page: plots.Page, reception: Reception) -> None:
    with page.plot(_RATES, (0, max(len(reception.rates) - 1, 1)), (1e6, 1e11), y="samples/s") as plot:
        plot.setup_axis_scale(plot.ImAxis_.y1, plot.Scale_.log10)
        page.curve("throughput with transfers", np.arange(len(reception.rates)), reception.rates, plots.BLUE, 1.8)
        look = page.spec(plots.ORANGE, flags=plot.InfLinesFlags_.horizontal)
        plot.plot_inf_lines("the standard: 2.538 G", np.array([link.SAMPLES_A_SECOND]), look)


def _draw_numbers(page: plots.Page, reception: Reception) -> None:
    rate = reception.samples_a_second
    wrong, bits = reception.counted.get(reception.channel.bit_energy_db, (0, 0))
    share = wrong / bits if bits else math.nan
    channel, noise = reception.channel, reception.width.noise(1 + reception.channel.noise)
    expected = link.expected_error_rate(channel, noise, estimate_gain(reception.symbols))
    of_standard = 100 * rate / link.SAMPLES_A_SECOND
    entries = (
        (plots.GAP, "samples/s", plots.engineering(rate)),
        (172, "of the standard's", f"{of_standard:{'.0f' if of_standard >= 100 else '.3g'}} %".replace("nan", "-")),
        (312, "raw bits/s", plots.engineering(rate / link.SYMBOL * link.BITS)),
        (452, "a symbol", f"{plots.engineering(link.SYMBOL / rate)}s"),
        (640, "bits wrong", f"{share:.2e}" if wrong else f"0 of {plots.engineering(bits)}"),
        (780, "in theory", f"{expected:.2e}"),
        (920, "blocks", f"{reception.settings.in_flight} in flight, {reception.symbols} symbols each"),
    )
    page.facts(662, entries)
    kind = "mapped buffers" if reception.mapped else "plain buffers"
    page.text_right(plots.WIDTH - plots.GAP, 682, kind, 13, plots.DIM)


@lru_cache(maxsize=16)
def _theory(channel: str, width: link.Width, symbols: int) -> npt.NDArray[np.float64]:
    """The error rates to expect at each of _ENERGIES."""
    gain = estimate_gain(symbols)
    channels = [link.Channel(channel, float(db)) for db in _ENERGIES]
    return np.maximum([link.expected_error_rate(each, width.noise(1 + each.noise), gain) for each in channels], 1e-12)


def _decibels(power: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    return 10 * np.log10(np.maximum(power, 1e-12))
