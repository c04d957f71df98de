"""Boards of numbers and plots (ImPlot's), in a window until it closes or as a picture."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import glfw
import moderngl
import numpy as np
import numpy.typing as npt

from glfft.apps.picture_files import read_picture
from glfft.gl.context import state_of
from glfft.gl.releasable import Keeper
from glfft.gl.timed import timed
from glfft.overlay.shapes import Box, Canvas, Colour
from glfft.profiling.profiler import Profiler, frame_of, traced
from glfft.ui.imgui_layer import ImguiLayer
from glfft.ui.window import Window

WIDTH, HEIGHT, GAP = 1280.0, 720.0, 18.0  # a board's own units; it is enlarged to fit the picture
Size = tuple[int, int]  # width and height in pixels
Ends = tuple[float, float]  # the numbers at the edges of a plot

BACKGROUND = (0.043, 0.05, 0.062, 1.0)
WELL = Colour(20, 24, 30)
BRIGHT = Colour(232, 236, 240)
PLAIN = Colour(178, 186, 195)
DIM = Colour(120, 129, 139)
BLUE = Colour(98, 168, 240)
ORANGE = Colour(240, 172, 84)
GREEN = Colour(104, 205, 150)
_COLOURS = {  # of ImPlot
    "frame_bg": Colour(0, 0, 0, 0), "plot_bg": WELL, "plot_border": Colour(0, 0, 0, 0),
    "legend_bg": Colour(0, 0, 0, 0), "legend_border": Colour(0, 0, 0, 0), "legend_text": PLAIN,
    "axis_text": DIM, "axis_grid": Colour(255, 255, 255, 24),
}  # fmt: skip


class Page(Canvas):
    """What a board draws on in an open frame: words, numbers and plots, in the board's units."""

    def __init__(self, layer: ImguiLayer, size: Size, device: str) -> None:
        from imgui_bundle import implot

        scale = min(size[0] / WIDTH, size[1] / HEIGHT)
        super().__init__(layer, scale, (size[0] - WIDTH * scale) / 2, (size[1] - HEIGHT * scale) / 2)
        self._device, self.imgui, self.implot = device, layer.imgui, implot
        style, vector = implot.get_style(), layer.imgui.ImVec2
        for part, colour in _COLOURS.items():
            style.set_color_(getattr(implot.Col_, part), shares(colour))
        style.plot_padding = style.major_tick_len = style.minor_tick_len = style.plot_min_size = vector(0, 0)
        style.label_padding, style.legend_padding = vector(6 * scale, 4 * scale), vector(0, 6 * scale)
        style.legend_inner_padding, style.legend_spacing = vector(0, 0), vector(14 * scale, 0)

    def title(self, title: str, words: str) -> None:
        """The board's title, what it shows, and the name of what computes."""
        self.text(GAP, 14, title, 24, BRIGHT)
        self.text_right(WIDTH - GAP, 14, words, 16, PLAIN)
        self.text_right(WIDTH - GAP, 36, self._device, 13, DIM)

    def facts(self, y: float, entries: Sequence[tuple[float, str, str]]) -> None:
        """Numbers with their names above them: a place, a name and a number each."""
        for x, name, value in entries:
            self.text(x, y, name, 13, DIM)
            self.text(x, y + 17, value, 17, BRIGHT)

    @contextmanager
    def plot(self, box: Box, across: Ends, up: Ends, x: str | None = None, y: str | None = None) -> Iterator[Any]:
        """ImPlot within a plot that fills a box with its legend and axes; an axis without a name is not drawn."""
        plot, (start, end) = self.implot, self._corners(*box)
        self.imgui.push_font(self._layer.font, 13 * self._scale / self._layer.scale)
        self.imgui.set_cursor_screen_pos(start)
        flags = plot.Flags_.no_mouse_text | plot.Flags_.no_menus | plot.Flags_.no_box_select
        if plot.begin_plot(f"##{box}", (end[0] - start[0], end[1] - start[1]), flags):
            hidden = plot.AxisFlags_.no_decorations
            plot.setup_axes(x or "", y or "", *(hidden if name is None else 0 for name in (x, y)))
            plot.setup_axes_limits(*across, *up, plot.Cond_.always)
            place = plot.LegendFlags_.none if y is None else plot.LegendFlags_.outside
            flags = place | plot.LegendFlags_.horizontal | plot.LegendFlags_.no_buttons
            plot.setup_legend(plot.Location_.north_west, flags)
            yield plot
            plot.end_plot()
        self.imgui.pop_font()

    def curve(self, name: str, x: npt.ArrayLike, y: npt.ArrayLike, colour: Colour, thickness: float = 1.6) -> None:
        """A line through points of the open plot."""
        points = (np.ascontiguousarray(each, np.float64) for each in (x, y))
        self.implot.plot_line(name, *points, self.spec(colour, thickness))

    def image(self, name: str, texture: moderngl.Texture, across: Ends, up: Ends) -> None:
        """A texture, row 0 at the bottom, in the open plot."""
        corners = (self.implot.Point(x, y) for x, y in zip(across, up, strict=True))
        self.implot.plot_image(name, self._layer.lend(texture), *corners, (0, 1), (1, 0))

    def spec(self, colour: Colour, thickness: float = 1.0, **others: Any) -> Any:
        """How lines and markers look in a plot, for ImPlot."""
        tints = {"line_color", "fill_color", "marker_line_color", "marker_fill_color"}
        sizes = {"line_weight": thickness * self._scale, "marker_size": 4.5 * self._scale}
        return self.implot.Spec(**dict.fromkeys(tints, shares(colour)), **sizes, **others)


def shares(colour: Colour) -> tuple[float, float, float, float]:
    return colour.red / 255, colour.green / 255, colour.blue / 255, colour.alpha / 255


def ramp(colours: Sequence[Sequence[int]], values: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """Opaque colours [..., 4] for values from 0 to 1, along evenly spaced ones."""
    places = np.linspace(0, 1, len(colours))
    parts = [np.interp(values, places, [colour[each] for colour in colours]) for each in range(3)]
    return np.stack([*parts, np.full_like(values, 255)], axis=-1).astype(np.uint8)


def engineering(value: float) -> str:
    """A number with three digits and a prefix of the SI, for a unit that follows."""
    value = float(f"{value:.3g}")  # 999.7 M is 1 G
    for power, prefix in ((9, " G"), (6, " M"), (3, " k"), (0, " "), (-3, " m"), (-6, " µ"), (-9, " n")):
        if value >= 10**power:
            return f"{value / 10**power:.3g}{prefix}"
    return "- "


class Board(Keeper):
    """What a demo shows; it is made from settings and a context."""

    keys = "Space: pause   Escape: quit"  # what keys do, for people

    def step(self) -> None:
        """Go on for a frame's time."""
        raise NotImplementedError

    def fill(self, profiler: Profiler | None) -> None:
        """Go on as far as a picture needs, in frames of the profiler if there is one."""
        raise NotImplementedError

    def draw(self, page: Page) -> None:
        """Draw into the open frame."""
        raise NotImplementedError

    def on_key(self, key: int, modifiers: int) -> None:
        """Answer to a GLFW key."""


Maker = Callable[[moderngl.Context], Board]


def open_board(title: str, size: Size, make: Maker, frames: int | None = None, trace: str | None = None) -> None:
    """Step and draw a board in a window of a size in screen units until it is closed, or for so many frames. `trace` is
    a .trace.json file for the timeline of the last frames. Raises DisplayError where there is no display,
    MissingExtraError where imgui-bundle is not installed (extra `ui`).
    """
    with Window(title, size) as window, ImguiLayer(window.ctx, window) as layer, _plots(), make(window.ctx) as board:
        paused = False

        def on_key(key: int, modifiers: int) -> None:
            nonlocal paused
            if key == glfw.KEY_ESCAPE:
                window.close()
            elif key == glfw.KEY_SPACE:
                paused = not paused
            else:
                board.on_key(key, modifiers)

        window.on_key(on_key)
        print(board.keys)
        with traced(window.ctx, trace) as profiler:
            for _ in window.frames(frames):
                with frame_of(profiler):
                    if not paused:
                        with timed(profiler, "step"):
                            board.step()
                    if not window.hidden:
                        with timed(profiler, "draw"):
                            _draw(window.ctx.screen, layer, window.size, board)


def _plots() -> ExitStack:
    """A context of ImPlot beside the current one of ImGui, for as long as the stack is open."""
    from imgui_bundle import implot

    stack = ExitStack()
    stack.callback(implot.destroy_context, implot.create_context())
    return stack


def _draw(target: moderngl.Framebuffer, layer: ImguiLayer, size: Size, board: Board) -> None:
    target.use()
    target.viewport = (0, 0, *size)
    target.clear(*BACKGROUND)
    with layer.frame(target, size) as imgui:
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size(size)
        flags = imgui.WindowFlags_
        imgui.begin("board", None, flags.no_decoration | flags.no_background | flags.no_move | flags.no_nav)
        if size[0] >= WIDTH / 20 and size[1] >= HEIGHT / 20:  # words of less than half a pixel are an error to ImGui
            board.draw(Page(layer, size, state_of(target.ctx).device.renderer))
        imgui.end()


def draw_board(ctx: moderngl.Context, size: Size, make: Maker, trace: str | None = None) -> npt.NDArray[np.uint8]:
    """A board filled and drawn: [height, width, 3] in pixels, top row first. `trace`, errors: as in `open_board`."""
    target = ctx.simple_framebuffer(size, components=3)
    try:
        with ImguiLayer(ctx, scale=1.0) as layer, _plots(), make(ctx) as board, traced(ctx, trace) as profiler:
            board.fill(profiler)
            with frame_of(profiler), timed(profiler, "draw"):
                for _ in range(2):  # ImPlot aligns plots by the frame before
                    _draw(target, layer, size, board)
            return read_picture(target)
    finally:
        target.release()
