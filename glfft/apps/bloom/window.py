"""The window of `glfft bloom`: sliders of the lens, A/B against mipmaps, the profiler's overlay."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import glfw
import moderngl
import numpy as np

from glfft.apps.bloom.bloom import Bloom
from glfft.apps.bloom.controls import KEY_HELP, Controls, draw_panel
from glfft.apps.bloom.render import Look, bloom_for
from glfft.apps.bloom.sources import Source
from glfft.apps.picture_files import read_picture, save_picture
from glfft.errors import OutputError
from glfft.files import next_screenshot
from glfft.gl.context import is_software
from glfft.gl.releasable import release_all
from glfft.overlay.overlay import HIDDEN, over_window
from glfft.profiling.profiler import Profiler, saved_at_end
from glfft.ui.window import Window

_SCREENSHOT_FOLDER = Path("out")
_LARGEST_WINDOW = (1600, 900)
_LONGEST_STEP = 0.1  # s; after a longer frame the sea goes on from where it was

SourceMaker = Callable[[moderngl.Context], Source]


def show(
    make_source: SourceMaker, size: tuple[int, int], look: Look, frames: int | None = None, trace: str | None = None
) -> None:
    """Open a window for pictures of a size, scaled, and show those of a source until it is closed, or for some frames.
    `trace` is a .trace.json file for the timeline of the last frames; `make_source` is given the window's context.
    Raises DisplayError without a display, LimitError or ContextError where the device is too small.
    """
    share = min(1.0, *(most / side for most, side in zip(_LARGEST_WINDOW, size, strict=True)))
    shown = (max(320, round(size[0] * share)), max(200, round(size[1] * share)))
    with Window("glfft bloom", shown) as window, ExitStack() as stack:
        source = stack.enter_context(make_source(window.ctx))
        bloom = stack.enter_context(bloom_for(window.ctx, source.size, look, in_window=True))
        _Show(window, source, bloom, look, stack).run(frames, trace)


class _Show:
    def __init__(self, window: Window, source: Source, bloom: Bloom, look: Look, stack: ExitStack) -> None:
        self._window, self._source, self._bloom = window, source, bloom
        self._tone, self._time = look.tone_for(source), 0.0
        self._controls = Controls(look.lens, look.strength, look.exposure)
        self._profiler = stack.enter_context(Profiler(window.ctx))
        self._made: object = None  # what the last glare was made of
        self._lens: object = None
        note = "glfft bloom: {} Until then the keys do what they do, without a panel."
        self._layer, self._overlay = over_window(window, self._profiler, note)
        stack.callback(release_all, [each for each in (self._overlay, self._layer) if each is not None])
        window.on_key(self._on_key)

    def run(self, frames: int | None, trace: str | None) -> None:
        print("\n".join(f"{keys:<12}{does}" for keys, does in KEY_HELP))
        before = time.perf_counter()
        with saved_at_end(self._profiler, trace):
            for _ in self._window.frames(frames):
                now = time.perf_counter()
                if not self._controls.paused:
                    self._time += min(now - before, _LONGEST_STEP)
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
                exposure = self._source.exposure * 2.0**controls.exposure
                area = fitted(self._bloom.size, window.size)
                self._bloom.develop(shown, exposure, self._tone, area, self._source.top_first)
            if controls.screenshot:
                controls.screenshot = False
                self._write(shown, exposure)
            self._draw_panel()
        if self._layer is None:
            window.set_title(f"glfft bloom: {controls.way} {controls.message}".rstrip())

    def _with_glare(self, light: moderngl.Texture) -> moderngl.Texture:
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

    def _draw_panel(self) -> None:
        controls, window = self._controls, self._window
        if self._layer is None or not (controls.panel or controls.overlay != HIDDEN):
            return
        window.ctx.screen.use()
        with self._profiler.section("overlay"), self._layer.frame(window.ctx.screen, window.size) as imgui:
            if self._overlay is not None:
                self._overlay.view = controls.overlay
                self._overlay.draw()
            if controls.panel:
                draw_panel(imgui, controls, self._layer.scale, window.size[0])

    def _write(self, light: moderngl.Texture, exposure: float) -> None:
        ctx = self._window.ctx
        target = ctx.simple_framebuffer(self._bloom.size, components=3)
        try:
            with ctx.scope(target):
                self._bloom.develop(light, exposure, self._tone, top_first=self._source.top_first)
            path = next_screenshot(_SCREENSHOT_FOLDER, "bloom")
            save_picture(path, np.asarray(read_picture(target)))
            self._controls.message = f"Wrote {path}."
        except OutputError as error:
            self._controls.message = str(error)
        finally:
            target.release()
            ctx.screen.use()
        print(self._controls.message)

    def _on_key(self, key: int, _modifiers: int) -> None:
        if key == glfw.KEY_ESCAPE:
            self._window.close()
        elif key == glfw.KEY_F11:
            self._window.toggle_full_screen()
        elif self._layer is None or not self._layer.wants_keyboard:
            self._controls.press(key)


def fitted(size: tuple[int, int], into: tuple[int, int]) -> tuple[int, int, int, int]:
    """Where a picture of a size lies in the middle of a window, as large as it can be: x, y, width, height."""
    share = min(into[0] / size[0], into[1] / size[1])
    width, height = max(1, round(size[0] * share)), max(1, round(size[1] * share))
    return (into[0] - width) // 2, (into[1] - height) // 2, width, height
