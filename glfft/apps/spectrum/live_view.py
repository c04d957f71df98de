"""The window of `glfft spectrum --show`: a `Viewer`, with keys, mouse, a panel and the profiler's overlay."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import glfw

from glfft.apps.spectrum import options, painting, retouching
from glfft.apps.spectrum.options import Treatment, View
from glfft.apps.spectrum.strokes import TOOLS
from glfft.apps.spectrum.viewer import Pane, Viewer
from glfft.errors import ContextError, DisplayError, MissingExtraError
from glfft.gl.releasable import Keeper
from glfft.overlay import HIDDEN, OPEN, Overlay
from glfft.profiling.profiler import Profiler, saved_at_end
from glfft.ui.imgui_input import pixel_of
from glfft.ui.imgui_layer import ImguiLayer
from glfft.ui.widgets import buttons, paragraph
from glfft.ui.window import Window

_SIZE = (1440, 810)
_PANEL_WIDTH = 250
_PANEL_GAP = 12

_SMALLEST, _LARGEST, _STEP = 0.5, 500.0, 1.25  # radii of the pen, cycles, and the factor between two steps
_ZOOM = 1.25  # a notch of the wheel

# What is chosen of treatment and view: the key that takes the next one, the panel's label, and all there are.
_TREATED = {
    "channel": (glfw.KEY_N, "channel", options.CHANNELS),
    "fit": (glfw.KEY_F, "fit", options.FITS),
    "window": (glfw.KEY_W, "window", options.WINDOWS),
}
_SEEN = {
    "view": (glfw.KEY_V, "view", options.VIEWS),
    "scale": (glfw.KEY_L, "scale", options.SCALES),
    "colormap": (glfw.KEY_C, "colours", (None, *options.COLORMAPS)),
}

KEYS = """\
V view   L scale   C colours   Z zero frequency in the middle   N channel   F fit   W window
left, right: other picture   S save spectrum   O overlay   H help   Escape quit
1 brush   2 notch   3 ring   4 wedge   5 band   [ ] radius   U undo   Y redo   R reset
D find peaks   , . fewer or more   X compare   K keep picture and mask   0 whole pictures
mouse: left paints on the spectrum, or shows the original; wheel zooms; right moves"""


def open_viewer(
    sources: Sequence[Path], treatment: Treatment, view: View, frames: int | None, trace: str | None, mask: str | None
) -> int:
    """Open the window and stay until it is closed, or for so many frames; returns the exit code. `trace` is a
    .trace.json file for the timeline of the last frames, `mask` the file of a mask to begin with. Raises DisplayError,
    ContextError or MissingExtraError where display, OpenGL 4.3 or matplotlib is missing, GlfftError where no picture
    can be shown, or the mask cannot be read or has another size.
    """
    painting.check_drawable(view)
    gains = None if mask is None else retouching.load_mask(mask)[0]
    instead = "to write a picture instead."
    with ExitStack() as stack:
        try:
            window = stack.enter_context(Window("glfft spectrum", _SIZE))
        except DisplayError as error:
            why = "No display can be reached, so --show opens no window; leave it out"
            raise DisplayError(f"{why} {instead}") from error
        except ContextError as error:
            why = "The display opens no window with OpenGL 4.3; update the graphics driver, or leave out --show"
            raise ContextError(f"{why} {instead}") from error
        viewer = Viewer(window.ctx, sources, treatment, view, gains)
        profiler = stack.enter_context(Profiler(window.ctx))
        stack.callback(viewer.release)
        interface: Interface | None = None
        controls = Controls(window.close, viewer)
        window.on_key(controls.on_key)
        # Before the panel listens: it passes on what it gets.
        Mouse(viewer, lambda: interface is not None and interface.layer.wants_mouse).listen(window.handle)
        try:
            interface = stack.enter_context(Interface(window.ctx, window, profiler, viewer))
        except MissingExtraError as error:
            print(f"glfft spectrum: note: no panel and no overlay, keys only. {error}", file=sys.stderr)
        print(KEYS)
        stack.enter_context(saved_at_end(profiler, trace))
        for _ in window.frames(frames):
            controls.act(interface)
            view = viewer.view
            shown = view.view if view.view == "phase" else f"{view.view} ({view.scale})"
            said = (viewer.source.name, viewer.description, shown, viewer.message)
            window.set_title(" · ".join(part for part in said if part))
            size = window.size
            if min(size) > 0:
                with profiler.frame():
                    viewer.draw(window.ctx.screen, size, profiler, interface.room if interface else 0.0)
                    if interface is not None:
                        interface.draw(size)
    return 0


def _after(owner: object, name: str, choices: Sequence[Any]) -> dict[str, Any]:
    """A field of an object with the choice after its own, as a keyword."""
    return {name: choices[(choices.index(getattr(owner, name)) + 1) % len(choices)]}


def _flip(owner: object, name: str) -> None:
    setattr(owner, name, not getattr(owner, name))


class Controls:
    """Turns keys into changes of the viewer at the start of a frame: callbacks may come in the middle."""

    def __init__(self, close: Callable[[], object], viewer: Viewer) -> None:
        self._close, self._viewer = close, viewer
        self._pressed: list[int] = []

    def on_key(self, key: int, modifiers: int) -> None:
        """Keep the GLFW key code of a key that was pressed. Ctrl+Z and Ctrl+Y are undo and redo too."""
        if modifiers & glfw.MOD_CONTROL:
            key = {glfw.KEY_Z: glfw.KEY_U, glfw.KEY_Y: glfw.KEY_Y, glfw.KEY_S: glfw.KEY_K}.get(key, -1)
        self._pressed.append(key)

    def act(self, interface: Interface | None) -> None:
        """Carry out the earliest key that still waits: each action begins from the current state."""
        viewer, sketch = self._viewer, self._viewer.retouch.sketch

        def look(name: str, choices: Sequence[Any]) -> None:
            viewer.look(replace(viewer.view, **_after(viewer.view, name, choices)))

        def treat(name: str, choices: Sequence[Any]) -> None:
            viewer.treat(**_after(viewer.treatment, name, choices))

        def take_pen(**changes: Any) -> None:
            sketch.pen = replace(sketch.pen, **changes)

        actions: dict[int, Callable[[], object]] = {
            **{key: partial(look, name, choices) for name, (key, _, choices) in _SEEN.items()},
            **{key: partial(treat, name, choices) for name, (key, _, choices) in _TREATED.items()},
            glfw.KEY_Z: lambda: look("shift", (True, False)),
            glfw.KEY_RIGHT: lambda: viewer.step(1),
            glfw.KEY_LEFT: lambda: viewer.step(-1),
            glfw.KEY_S: viewer.save,
            glfw.KEY_O: lambda: interface.overlay.show_next() if interface else None,
            glfw.KEY_ESCAPE: self._close,
            **{glfw.KEY_1 + index: partial(take_pen, tool=tool) for index, tool in enumerate(TOOLS)},
            glfw.KEY_LEFT_BRACKET: lambda: take_pen(radius=max(sketch.pen.radius / _STEP, _SMALLEST)),
            glfw.KEY_RIGHT_BRACKET: lambda: take_pen(radius=min(sketch.pen.radius * _STEP, _LARGEST)),
            glfw.KEY_U: sketch.undo,
            glfw.KEY_Y: sketch.redo,
            glfw.KEY_R: sketch.reset,
            glfw.KEY_X: lambda: _flip(viewer, "compares"),
            glfw.KEY_D: viewer.find_peaks,
            glfw.KEY_COMMA: lambda: viewer.mark(sketch.marked - 1),
            glfw.KEY_PERIOD: lambda: viewer.mark(sketch.marked + 1),
            glfw.KEY_K: viewer.keep,
            glfw.KEY_0: lambda: [viewer.show_part(kind) for kind in ("picture", "spectrum")],
            glfw.KEY_H: lambda: _flip(interface, "shows_help") if interface else print(KEYS),
        }
        if self._pressed:
            actions.get(self._pressed.pop(0), lambda: None)()


class Mouse:
    """Turns what the mouse does, in pixels of the framebuffer, into strokes, zoom and moves, unless it `is_taken`."""

    def __init__(self, viewer: Viewer, is_taken: Callable[[], bool] = lambda: False) -> None:
        self._viewer, self._is_taken = viewer, is_taken
        self._pixel = (-1.0, -1.0)
        self._painted: int | None = None  # the pane's place among the viewer's, whose size may change
        self._moved: str | None = None
        self._ends: dict[int, Callable[[], object]] = {}  # what letting go of a button does

    def listen(self, handle: Any) -> None:
        glfw.set_cursor_pos_callback(handle, lambda _, x, y: self.move(pixel_of(handle, x, y)))
        glfw.set_mouse_button_callback(handle, lambda _, which, action, _keys: self.button(which, bool(action)))
        glfw.set_scroll_callback(handle, lambda _handle, _x, y: self.scroll(y))

    def button(self, button: int, pressed: bool) -> None:
        """Left paints on a spectrum or shows the original while down; right or middle moves."""
        if not pressed:
            self._ends.pop(button, lambda: None)()
            return
        pane = None if self._is_taken() else self._viewer.pane_at(self._pixel)
        if pane is None or self._viewer.view.view == "radial":
            return
        if button in (glfw.MOUSE_BUTTON_RIGHT, glfw.MOUSE_BUTTON_MIDDLE):
            self._moved = pane.kind
            self._ends[button] = partial(setattr, self, "_moved", None)
        elif button == glfw.MOUSE_BUTTON_LEFT and pane.kind == "picture":
            self._viewer.compares = True
            self._ends[button] = partial(setattr, self._viewer, "compares", False)
        elif button == glfw.MOUSE_BUTTON_LEFT:
            self._ends[button] = self._end_stroke
            self._viewer.retouch.sketch.begin(self._frequency(pane))
            self._painted = self._viewer.panes.index(pane)

    def move(self, pixel: tuple[float, float]) -> None:
        before, self._pixel = self._pixel, pixel
        viewer = self._viewer
        pane = None if self._is_taken() else viewer.pane_at(pixel)
        if pane is not None and pane.kind == self._moved:
            (x, y), (u, v) = pane.place(pixel), pane.place(before)
            viewer.show_part(pane.kind, pane.part.moved(x - u, y - v))
        over = pane if pane is not None and pane.kind == "spectrum" else None
        if self._painted is not None:
            over = viewer.panes[self._painted] if self._painted < len(viewer.panes) else None
        viewer.cursor = self._frequency(over) if over is not None else None
        if self._painted is not None and viewer.cursor is not None:
            viewer.retouch.sketch.extend(viewer.cursor)

    def scroll(self, notches: float) -> None:
        pane = None if self._is_taken() else self._viewer.pane_at(self._pixel)
        if pane is not None:
            self._viewer.show_part(pane.kind, pane.part.zoomed(_ZOOM**notches, pane.place(self._pixel)))

    def _end_stroke(self) -> None:
        self._viewer.retouch.sketch.end()
        self._painted = None

    def _frequency(self, pane: Pane) -> tuple[float, float]:
        return pane.frequency(self._pixel, self._viewer.size, self._viewer.view.shift)


class Interface(Keeper):
    """The panel of options, the profiler's `overlay` and, if `shows_help`, the keys; MissingExtraError without `ui`."""

    def __init__(self, ctx: Any, window: Window | None, profiler: Profiler, viewer: Viewer) -> None:
        self._viewer, self._profiler = viewer, profiler
        self.layer = self._own(ImguiLayer(ctx, window))
        self.overlay = self._own(Overlay(ctx, profiler, layer=self.layer, corner="bottom-left"))
        self.shows_help = False

    @property
    def room(self) -> float:
        """Pixels the panel takes at the right edge."""
        return (_PANEL_WIDTH + _PANEL_GAP) * self.layer.scale

    def draw(self, size: tuple[int, int]) -> None:
        gap = _PANEL_GAP * self.layer.scale
        with self._profiler.section("panel"), self.layer.frame(size=size) as imgui:
            self.overlay.draw()
            self._draw_panel(imgui, size)
            if self.shows_help:
                imgui.set_next_window_pos((gap, gap))
                imgui.begin("Keys", flags=imgui.WindowFlags_.always_auto_resize)
                imgui.text(KEYS.replace("   ", "\n"))
                imgui.end()

    def _draw_panel(self, imgui: Any, size: tuple[int, int]) -> None:
        viewer, sketch, scale = self._viewer, self._viewer.retouch.sketch, self.layer.scale
        imgui.set_next_window_pos((size[0] - self.room, _PANEL_GAP * scale))
        imgui.set_next_window_size((_PANEL_WIDTH * scale, 0))
        imgui.begin("Spectrum")
        imgui.push_item_width(-80 * scale)
        view, treatment = viewer.view, viewer.treatment
        treated = {name: _choice(imgui, treatment, name, *of) for name, (_, *of) in _TREATED.items()}
        imgui.separator()
        seen = {name: _choice(imgui, view, name, *of) for name, (_, *of) in _SEEN.items()}
        _, shift = imgui.checkbox("zero frequency in the middle", view.shift)
        changed, shown = imgui.checkbox("overlay", self.overlay.view != HIDDEN)
        if changed:
            self.overlay.view = OPEN if shown else HIDDEN
        imgui.separator()
        pen = replace(sketch.pen, tool=_choice(imgui, sketch.pen, "tool", "tool", TOOLS))
        clamped = imgui.SliderFlags_.always_clamp
        logarithmic = imgui.SliderFlags_.logarithmic | clamped
        _, radius = imgui.slider_float("radius", pen.radius, _SMALLEST, _LARGEST, "%.1f cycles", logarithmic)
        _, softness = imgui.slider_float("soft edge", pen.softness, 0.0, 1.0, "%.2f", clamped)
        sketch.pen = replace(pen, radius=radius, softness=softness)
        _, viewer.compares = imgui.checkbox("compare", viewer.compares)
        buttons(imgui, {"undo": sketch.undo, "redo": sketch.redo, "reset": sketch.reset})
        buttons(imgui, {"find peaks": viewer.find_peaks, "keep": viewer.keep})
        if viewer.peaks:
            moved, count = imgui.slider_int("peaks", sketch.marked, 0, len(viewer.peaks))
            if moved:
                viewer.mark(count)
        imgui.separator()
        buttons(imgui, {"save": viewer.save, "previous": lambda: viewer.step(-1), "next": lambda: viewer.step(1)})
        imgui.push_text_wrap_pos(0.0)
        imgui.text_disabled(f"{viewer.source.name}: {viewer.description}")
        imgui.pop_text_wrap_pos()
        paragraph(imgui, viewer.message)
        imgui.pop_item_width()
        imgui.end()
        if replace(treatment, **treated) != treatment:
            viewer.treat(**treated)
        looked = View(**seen, shift=shift)
        if looked != view:
            viewer.look(looked)


def _choice(imgui: Any, owner: object, name: str, label: str, choices: Sequence[Any]) -> Any:
    """What is chosen for an object's field in a list of choices, where None is "auto"."""
    _, index = imgui.combo(label, choices.index(getattr(owner, name)), [each or "auto" for each in choices])
    return choices[index]
