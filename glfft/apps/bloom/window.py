"""The window of `glfft bloom`: sliders of the lens, A/B against mipmaps, the profiler's overlay."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import glfw
from moderngl import Context, Texture

from glfft.apps.bloom.bloom import Area, Bloom, Look, bloom_for
from glfft.apps.bloom.sources import Source
from glfft.apps.glare.lens import LENSES, Lens
from glfft.apps.program_window import ProgramWindow, WindowControls
from glfft.files import packaged_toml
from glfft.gl.context import is_software
from glfft.profiling.profiler import saved_at_end
from glfft.ui.widgets import Slider, begin_at_right, buttons, choice, draw_sliders, following, key_list, paragraph
from glfft.ui.window import Window

WAYS = ("lens", "mipmaps", "original")

_PANEL = packaged_toml("glfft.apps.bloom", "controls.toml")
SLIDERS, _PICTURE_SLIDERS = (tuple(Slider(**each) for each in _PANEL[part]) for part in ("lens", "picture"))
KEY_HELP = tuple(_PANEL["keys"].items())


@dataclass
class Controls(WindowControls):
    lens: Lens
    strength: float = 1.0
    exposure: float = 0.0  # stops
    way: str = "lens"  # one of WAYS

    def __post_init__(self) -> None:
        self._first = self.lens, self.strength, self.exposure

    def reset(self) -> None:
        self.lens, self.strength, self.exposure = self._first
        self.way = "lens"

    def actions(self) -> dict[int, Callable[[], object]]:
        change = partial(setattr, self, "way")
        return super().actions() | {
            glfw.KEY_A: partial(change, "mipmaps" if self.way == "lens" else "lens"),
            glfw.KEY_X: partial(change, "lens" if self.way == "original" else "original"),
            glfw.KEY_L: partial(setattr, self, "lens", following(list(LENSES.values()), self.lens)),
            glfw.KEY_N: self.other_dust,
            glfw.KEY_R: self.reset,
        }

    def change_lens(self, **changes: float) -> None:
        """Take other numbers; counts are rounded, and no aperture has one blade or two."""
        for name, value in changes.items():
            number: Any = round(value) if isinstance(getattr(self.lens, name), int) else value
            if name == "blades":
                number = 0 if number < 2 else max(3, number)
            self.lens = replace(self.lens, **{name: number})

    def other_dust(self) -> None:
        """Put dust, eyelashes and scratches in other places."""
        self.lens = replace(self.lens, seed=self.lens.seed + 1)


def draw_panel(imgui: Any, controls: Controls, scale: float, width: float) -> None:
    """Draw the panel at the right edge of a picture of a width in pixels, inside an open ImGui frame."""
    if begin_at_right(imgui, "Bloom", 310.0, scale, width):
        imgui.push_item_width(-92.0 * scale)
        controls.way = choice(imgui, WAYS, controls.way)
        imgui.separator_text("lens")
        buttons(imgui, {name: partial(setattr, controls, "lens", lens) for name, lens in LENSES.items()})
        draw_sliders(imgui, SLIDERS, controls.lens, controls.change_lens)
        imgui.separator_text("picture")
        draw_sliders(imgui, _PICTURE_SLIDERS, controls, lambda **changes: vars(controls).update(changes))
        write = partial(setattr, controls, "screenshot", True)
        buttons(imgui, {"other dust": controls.other_dust, "reset": controls.reset, "write a picture": write})
        paragraph(imgui, controls.message)
        key_list(imgui, KEY_HELP, 110.0 * scale)
        imgui.pop_item_width()
    imgui.end()


def show(
    make_source: Callable[[Context], Source], size: tuple[int, int], look: Look, frames: int | None, trace: str | None
) -> None:
    """Open a window for pictures of a size, scaled, and show a source's pictures until it is closed or for some frames.
    `trace` is a .trace.json file for the timeline of the last frames; `make_source` is given the window's context.
    Raises DisplayError without a display, LimitError or ContextError where the device is too small.
    """
    share = min(1.0, *(most / side for most, side in zip((1600, 900), size, strict=True)))
    shown = (max(320, round(size[0] * share)), max(200, round(size[1] * share)))
    with Window("glfft bloom", shown) as window, ExitStack() as stack:
        source = stack.enter_context(make_source(window.ctx))
        bloom = stack.enter_context(bloom_for(window.ctx, source.size, look, in_window=True))
        _Show(window, source, bloom, look, stack).run(frames, trace)


class _Show(ProgramWindow):
    _controls: Controls

    def __init__(self, window: Window, source: Source, bloom: Bloom, look: Look, stack: ExitStack) -> None:
        super().__init__("bloom", window, Controls(look.lens, look.strength, look.exposure), stack)
        self._source, self._bloom, self._time = source, bloom, 0.0
        self._made: object = None  # what the last glare was made of
        self._lens: object = None

    def run(self, frames: int | None, trace: str | None) -> None:
        print("\n".join(f"{keys:<12}{does}" for keys, does in KEY_HELP))
        before = time.perf_counter()
        with saved_at_end(self._profiler, trace):
            for _ in self._window.frames(frames):
                now = time.perf_counter()
                if not self._controls.paused:
                    self._time += min(now - before, 0.1)  # s; after a longer frame the sea goes on from where it was
                before = now
                if not self._window.hidden:
                    self._draw()

    def _draw(self) -> None:
        window, controls, profiler = self._window, self._controls, self._profiler
        with profiler.frame():
            light = self._source.light(self._time, profiler)
            shown = light if controls.way == "original" else self._with_glare(light)
            with profiler.section("display"):
                window.ctx.screen.use()
                window.ctx.screen.clear()
                self._bloom.develop(self._source, shown, controls.exposure, fitted(self._bloom.size, window.size))
            if controls.screenshot:
                self._save_screenshot(lambda: self._bloom.picture(self._source, shown, controls.exposure))
            self._draw_over(lambda imgui, scale: controls.panel and draw_panel(imgui, controls, scale, window.size[0]))
        if self._layer is None:
            window.set_title(f"glfft bloom: {controls.way} {controls.message}".rstrip())

    def _with_glare(self, light: Texture) -> Texture:
        """The picture with glare, made anew where something has changed, and on a GPU in each frame, to be timed."""
        controls, bloom, profiler = self._controls, self._bloom, self._profiler
        if controls.lens != self._lens:
            with profiler.section("lens"):
                bloom.glare.use(controls.lens, profiler)
            self._lens, self._made = controls.lens, None
        wanted = (controls.way, controls.strength)
        if wanted != self._made or self._source.moves or not is_software(self._window.ctx):
            bloom.glare.strength = controls.strength
            with profiler.section("glare"):
                (bloom.spread if controls.way == "lens" else bloom.spread_by_mipmaps)(light, profiler)
            self._made = wanted
        return bloom.result


def fitted(size: tuple[int, int], into: tuple[int, int]) -> Area:
    """Where a picture of a size lies in the middle of a window, as large as it can be: x, y, width, height."""
    share = min(into[0] / size[0], into[1] / size[1])
    width, height = max(1, round(size[0] * share)), max(1, round(size[1] * share))
    return (into[0] - width) // 2, (into[1] - height) // 2, width, height
