"""The window of `glfft spectrum --show`: a `Viewer`, with keys, mouse, a panel and the profiler's overlay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import glfw

from glfft.apps.program_window import ProgramWindow, WindowControls, overlay_box
from glfft.apps.spectrum import options, painting, retouching
from glfft.apps.spectrum.options import Treatment, View
from glfft.apps.spectrum.strokes import TOOLS
from glfft.apps.spectrum.viewer import Pane, Viewer
from glfft.errors import ContextError, DisplayError
from glfft.gl.context import is_software
from glfft.profiling.profiler import saved_at_end
from glfft.ui.imgui_input import pixel_of
from glfft.ui.widgets import begin_at_right, buttons, following, paragraph
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
    "phase_origin": (glfw.KEY_P, "phase from", options.PHASE_ORIGINS),
}

KEYS = """\
V view   L scale   C colours   P phase origin   Z zero frequency in the middle   N channel   F fit   W window
left, right: other picture   S save spectrum   T transform every frame   O overlay   H help   Escape quit
1 brush   2 notch   3 ring   4 wedge   5 band   [ ] radius   E erase or bring back   U undo   Y redo   R reset
D find peaks   , . fewer or more   X compare   K keep picture and mask   0 whole pictures   F11 full screen
mouse: left paints on the spectrum (Shift: brings back), or shows the original; wheel zooms; right moves"""


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
        stack.callback(viewer.release)
        # On a GPU it costs nothing anyone would notice, and the overlay has something to show.
        viewer.every_frame = not is_software(window.ctx)
        _Show(window, viewer, stack).run(frames, trace)
    return 0


class _Show(ProgramWindow):
    _controls: Controls

    def __init__(self, window: Window, viewer: Viewer, stack: ExitStack) -> None:
        # Before the panel listens: it passes on what it gets.
        Mouse(viewer, lambda: self._layer is not None and self._layer.wants_mouse).listen(window.handle)
        super().__init__("spectrum", window, Controls(viewer), stack, corner="bottom-left")
        self._viewer = viewer

    def run(self, frames: int | None, trace: str | None) -> None:
        print(KEYS)
        window, viewer, profiler = self._window, self._viewer, self._profiler
        with saved_at_end(profiler, trace):
            for _ in window.frames(frames):
                view = viewer.view
                shown = view.view if view.view == "phase" else f"{view.view} ({view.scale})"
                said = (viewer.source.name, viewer.description, shown, viewer.message)
                window.set_title(" · ".join(part for part in said if part))
                size = window.size
                if min(size) > 0:
                    room = (_PANEL_WIDTH + _PANEL_GAP) * self._layer.scale if self._layer else 0.0
                    with profiler.frame():
                        viewer.draw(window.ctx.screen, size, profiler, room)
                        self._draw_over(lambda imgui, scale: draw_panel(imgui, self._controls, scale, window.size[0]))


def _flip(owner: object, name: str) -> None:
    setattr(owner, name, not getattr(owner, name))


class Controls(WindowControls):
    """What keys and the panel change of a viewer; `shows_help` whether the keys are listed."""

    def __init__(self, viewer: Viewer) -> None:
        super().__init__()
        self.viewer, self.shows_help = viewer, False

    def press(self, key: int, modifiers: int = 0) -> None:
        """Do what a GLFW key asks for. Ctrl+Z and Ctrl+Y are undo and redo too."""
        if modifiers & glfw.MOD_CONTROL:
            key = {glfw.KEY_Z: glfw.KEY_U, glfw.KEY_Y: glfw.KEY_Y, glfw.KEY_S: glfw.KEY_K}.get(key, -1)
        super().press(key)

    def actions(self) -> dict[int, Callable[[], object]]:
        viewer, sketch = self.viewer, self.viewer.retouch.sketch

        def look(name: str, choices: Sequence[Any]) -> None:
            viewer.look(replace(viewer.view, **{name: following(choices, getattr(viewer.view, name))}))

        def treat(name: str, choices: Sequence[Any]) -> None:
            viewer.treat(**{name: following(choices, getattr(viewer.treatment, name))})

        def take_pen(**changes: Any) -> None:
            sketch.pen = replace(sketch.pen, **changes)

        return {
            **super().actions(),
            **{key: partial(look, name, choices) for name, (key, _, choices) in _SEEN.items()},
            **{key: partial(treat, name, choices) for name, (key, _, choices) in _TREATED.items()},
            glfw.KEY_Z: lambda: look("shift", (True, False)),
            glfw.KEY_RIGHT: lambda: viewer.step(1),
            glfw.KEY_LEFT: lambda: viewer.step(-1),
            glfw.KEY_S: viewer.save,
            glfw.KEY_T: lambda: _flip(viewer, "every_frame"),
            **{glfw.KEY_1 + index: partial(take_pen, tool=tool) for index, tool in enumerate(TOOLS)},
            glfw.KEY_LEFT_BRACKET: lambda: take_pen(radius=max(sketch.pen.radius / _STEP, _SMALLEST)),
            glfw.KEY_RIGHT_BRACKET: lambda: take_pen(radius=min(sketch.pen.radius * _STEP, _LARGEST)),
            glfw.KEY_E: lambda: take_pen(restores=not sketch.pen.restores),
            glfw.KEY_U: sketch.undo,
            glfw.KEY_Y: sketch.redo,
            glfw.KEY_R: sketch.reset,
            glfw.KEY_X: lambda: _flip(viewer, "compares"),
            glfw.KEY_D: viewer.find_peaks,
            glfw.KEY_COMMA: lambda: viewer.mark(sketch.marked - 1),
            glfw.KEY_PERIOD: lambda: viewer.mark(sketch.marked + 1),
            glfw.KEY_K: viewer.keep,
            glfw.KEY_0: lambda: [viewer.show_part(kind) for kind in ("picture", "spectrum")],
            glfw.KEY_H: lambda: _flip(self, "shows_help"),
        }


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
        glfw.set_mouse_button_callback(handle, lambda _, which, action, keys: self.button(which, bool(action), keys))
        glfw.set_scroll_callback(handle, lambda _handle, _x, y: self.scroll(y))

    def button(self, button: int, pressed: bool, modifiers: int = 0) -> None:
        """Left paints on a spectrum (Shift: brings back) or shows the original while down; right or middle moves."""
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
            sketch = self._viewer.retouch.sketch
            self._ends[button] = partial(self._end_stroke, sketch.pen.restores)
            sketch.pen = replace(sketch.pen, restores=sketch.pen.restores != bool(modifiers & glfw.MOD_SHIFT))
            sketch.begin(self._frequency(pane))
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

    def _end_stroke(self, restores: bool) -> None:
        sketch = self._viewer.retouch.sketch
        sketch.end()
        sketch.pen = replace(sketch.pen, restores=restores)
        self._painted = None

    def _frequency(self, pane: Pane) -> tuple[float, float]:
        return pane.frequency(self._pixel, self._viewer.size, self._viewer.view.shift)


def draw_panel(imgui: Any, controls: Controls, scale: float, width: float) -> None:
    """Draw the panel at the right edge of a picture of a width in pixels, inside an open ImGui frame."""
    viewer, sketch = controls.viewer, controls.viewer.retouch.sketch
    if controls.shows_help:
        imgui.set_next_window_pos((_PANEL_GAP * scale, _PANEL_GAP * scale))
        imgui.begin("Keys", flags=imgui.WindowFlags_.always_auto_resize)
        imgui.text(KEYS.replace("   ", "\n"))
        imgui.end()
    begin_at_right(imgui, "Spectrum", _PANEL_WIDTH, scale, width, is_fixed=True)
    imgui.push_item_width(-80 * scale)
    view, treatment = viewer.view, viewer.treatment
    treated = {name: _choice(imgui, treatment, name, *of) for name, (_, *of) in _TREATED.items()}
    imgui.separator()
    seen = {name: _choice(imgui, view, name, *of) for name, (_, *of) in _SEEN.items()}
    _, shift = imgui.checkbox("zero frequency in the middle", view.shift)
    _, viewer.every_frame = imgui.checkbox("transform every frame", viewer.every_frame)
    controls.overlay = overlay_box(imgui, controls.overlay)
    imgui.separator()
    pen = replace(sketch.pen, tool=_choice(imgui, sketch.pen, "tool", "tool", TOOLS))
    clamped = imgui.SliderFlags_.always_clamp
    logarithmic = imgui.SliderFlags_.logarithmic | clamped
    _, radius = imgui.slider_float("radius", pen.radius, _SMALLEST, _LARGEST, "%.1f cycles", logarithmic)
    _, softness = imgui.slider_float("soft edge", pen.softness, 0.0, 1.0, "%.2f", clamped)
    _, strength = imgui.slider_float("strength", pen.strength, 0.0, 1.0, "%.2f", clamped)
    _, restores = imgui.checkbox("bring back", pen.restores)
    sketch.pen = replace(pen, radius=radius, softness=softness, strength=strength, restores=restores)
    imgui.same_line()
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
