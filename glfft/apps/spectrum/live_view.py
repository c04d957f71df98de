"""The window of `glfft spectrum --show`: a `Viewer`, with keys, mouse, a panel and the profiler's overlay."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

import glfw

from glfft.apps.program_window import ProgramWindow, WindowControls, overlay_box
from glfft.apps.spectrum import options, painting, retouching
from glfft.apps.spectrum.options import Treatment, View
from glfft.apps.spectrum.strokes import TOOLS
from glfft.apps.spectrum.viewer import Pane, Viewer
from glfft.errors import ContextError, DisplayError
from glfft.profiling.profiler import saved_at_end
from glfft.ui.imgui_input import pixel_of
from glfft.ui.widgets import Slider, begin_at_right, buttons, draw_sliders, following, paragraph
from glfft.ui.window import Window

_SIZE = (1440, 810)
_PANEL_WIDTH = 250
_PANEL_GAP = 12
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
    "shift": (glfw.KEY_Z, "zero at", (True, False)),
}
_SAID = {None: "auto", True: "the middle", False: "the corner"}  # choices without a name
_RADIUS = Slider("radius", "radius", "cycles", 0.5, 500, "Of the pen.", digits=1, key_factor=1.25, logarithmic=True)
_SOFTNESS = Slider("softness", "soft edge", "", 0, 1, "The share of the radius over which the edge fades.")

KEYS = resources.files(__package__ or "").joinpath("keys.txt").read_text(encoding="utf-8").rstrip()


def open_viewer(
    sources: Sequence[Path], treatment: Treatment, view: View, frames: int | None, trace: str | None, mask: str | None
) -> None:
    """Open the window and stay until it is closed, or for so many frames. `trace` is a .trace.json file for the
    timeline of the last frames, `mask` the file of a mask to begin with. Raises DisplayError, ContextError or
    MissingExtraError where display, OpenGL 4.3 or matplotlib is missing, GlfftError where no picture can be shown, or
    the mask cannot be read or has another size.
    """
    painting.check_drawable(view)
    gains = None if mask is None else retouching.load_mask(mask)[0]
    instead = "leave out --show to write a picture instead."
    with ExitStack() as stack:
        try:
            window = stack.enter_context(Window("glfft spectrum", _SIZE))
        except DisplayError as error:
            raise DisplayError(f"No display can be reached, so --show opens no window; {instead}") from error
        except ContextError as error:
            why = "The display opens no window with OpenGL 4.3; update the graphics driver, or"
            raise ContextError(f"{why} {instead}") from error
        viewer = Viewer(window.ctx, sources, treatment, view, gains)
        stack.callback(viewer.release)
        _Show(window, viewer, stack).run(frames, trace)


class _Show(ProgramWindow):
    _controls: "Controls"

    def __init__(self, window: Window, viewer: Viewer, stack: ExitStack) -> None:
        controls = Controls(viewer, lambda: self._layer is not None and self._layer.wants_mouse)
        controls.listen(window.handle)  # before the panel does: it passes on what it gets
        super().__init__("spectrum", window, controls, stack, corner="bottom-left")
        self._viewer = viewer

    def run(self, frames: int | None, trace: str | None) -> None:
        print(KEYS)
        window, viewer, profiler = self._window, self._viewer, self._profiler
        with saved_at_end(profiler, trace):
            for _ in window.frames(frames):
                view = viewer.view
                shown = view.view if view.view == "phase" else f"{view.view} ({view.scale})"
                window.set_title(" · ".join(filter(None, (viewer.archive.title, shown, viewer.message))))
                size = window.size
                if min(size) > 0:
                    room = (_PANEL_WIDTH + _PANEL_GAP) * self._layer.scale if self._layer else 0.0
                    with profiler.frame():
                        viewer.draw(window.ctx.screen, size, profiler, room)
                        self._draw_over(lambda imgui, scale: self._controls.draw_panel(imgui, scale, window.size[0]))


class Controls(WindowControls):
    """What keys, mouse and panel change of a viewer, unless the mouse `is_taken`; pixels are the framebuffer's."""

    def __init__(self, viewer: Viewer, is_taken: Callable[[], bool] = lambda: False) -> None:
        super().__init__()
        self._viewer, self._is_taken, self._shows_help = viewer, is_taken, False
        self._pixel = (-1.0, -1.0)
        self._painted: int | None = None  # the pane's place among the viewer's, whose size may change
        self._moved: str | None = None

    def listen(self, handle: Any) -> None:
        glfw.set_cursor_pos_callback(handle, lambda _, x, y: self.move(pixel_of(handle, x, y)))
        glfw.set_mouse_button_callback(handle, lambda _, which, action, _keys: self.button(which, bool(action)))
        glfw.set_scroll_callback(handle, lambda _handle, _x, y: self.scroll(y))

    def press(self, key: int, modifiers: int = 0) -> None:
        """Do what a GLFW key asks for. Ctrl+Z and Ctrl+Y are undo and redo too."""
        if modifiers & glfw.MOD_CONTROL:
            key = {glfw.KEY_Z: glfw.KEY_U, glfw.KEY_Y: glfw.KEY_Y, glfw.KEY_S: glfw.KEY_K}.get(key, -1)
        super().press(key)

    def actions(self) -> dict[int, Callable[[], object]]:
        viewer, sketch, choose = self._viewer, self._viewer.retouch.sketch, self._choose

        def take_next(name: str, choices: Sequence[Any]) -> None:
            choose(**{name: following(choices, self._chosen(name))})

        return {
            **super().actions(),
            **{key: partial(take_next, name, choices) for name, (key, _, choices) in (_SEEN | _TREATED).items()},
            **{glfw.KEY_1 + index: partial(choose, tool=tool) for index, tool in enumerate(TOOLS)},
            glfw.KEY_LEFT_BRACKET: lambda: choose(radius=_RADIUS.stepped(sketch.pen.radius, up=False)),
            glfw.KEY_RIGHT_BRACKET: lambda: choose(radius=_RADIUS.stepped(sketch.pen.radius, up=True)),
            glfw.KEY_RIGHT: lambda: viewer.step(1),
            glfw.KEY_LEFT: lambda: viewer.step(-1),
            glfw.KEY_S: viewer.save,
            glfw.KEY_U: sketch.undo,
            glfw.KEY_Y: sketch.redo,
            glfw.KEY_R: sketch.reset,
            glfw.KEY_X: partial(setattr, viewer, "compares", not viewer.compares),
            glfw.KEY_D: viewer.find_peaks,
            glfw.KEY_COMMA: lambda: viewer.mark(sketch.marked - 1),
            glfw.KEY_PERIOD: lambda: viewer.mark(sketch.marked + 1),
            glfw.KEY_K: viewer.keep,
            glfw.KEY_0: lambda: [viewer.show_part(kind) for kind in ("picture", "spectrum")],
            glfw.KEY_H: partial(setattr, self, "_shows_help", not self._shows_help),
        }

    def button(self, button: int, pressed: bool) -> None:
        """Left paints on a spectrum while it is down; right or middle moves what they are on."""
        is_left, pane, sketch = button == glfw.MOUSE_BUTTON_LEFT, self._pane(), self._viewer.retouch.sketch
        if not pressed and is_left:
            sketch.end()
            self._painted = None
        elif not pressed:
            self._moved = None
        elif pane is None or self._viewer.view.view == "radial":
            return
        elif not is_left:
            self._moved = pane.kind
        elif pane.kind == "spectrum":
            sketch.begin(self._frequency(pane))
            self._painted = self._viewer.panes.index(pane)

    def move(self, pixel: tuple[float, float]) -> None:
        before, self._pixel = self._pixel, pixel
        viewer, pane = self._viewer, self._pane()
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
        if (pane := self._pane()) is not None:
            self._viewer.show_part(pane.kind, pane.part.zoomed(_ZOOM**notches, pane.place(self._pixel)))

    def draw_panel(self, imgui: Any, scale: float, width: float) -> None:
        """Draw the panel at the right edge of a picture of a width in pixels, inside an open ImGui frame."""
        viewer, sketch = self._viewer, self._viewer.retouch.sketch
        if self._shows_help:
            imgui.set_next_window_pos((_PANEL_GAP * scale, _PANEL_GAP * scale))
            imgui.begin("Keys", flags=imgui.WindowFlags_.always_auto_resize)
            imgui.text(KEYS.replace("   ", "\n"))
            imgui.end()
        begin_at_right(imgui, "Spectrum", _PANEL_WIDTH, scale, width, is_fixed=True)
        imgui.push_item_width(-80 * scale)
        for name, (_, label, choices) in (_TREATED | _SEEN | {"tool": (0, "tool", TOOLS)}).items():
            if name in ("view", "tool"):
                imgui.separator()
            names = [_SAID.get(each, each) for each in choices]
            changed, index = imgui.combo(label, choices.index(self._chosen(name)), names)
            if changed:
                self._choose(**{name: choices[index]})
        draw_sliders(imgui, (_RADIUS, _SOFTNESS), sketch.pen, self._choose)
        _, viewer.compares = imgui.checkbox("compare", viewer.compares)
        imgui.same_line()
        self.overlay = overlay_box(imgui, self.overlay)
        buttons(imgui, {"undo": sketch.undo, "redo": sketch.redo, "reset": sketch.reset})
        buttons(imgui, {"find peaks": viewer.find_peaks, "keep": viewer.keep})
        if viewer.peaks:
            changed, count = imgui.slider_int("peaks", sketch.marked, 0, len(viewer.peaks))
            if changed:
                viewer.mark(count)
        imgui.separator()
        buttons(imgui, {"save": viewer.save, "previous": lambda: viewer.step(-1), "next": lambda: viewer.step(1)})
        paragraph(imgui, viewer.archive.title)
        paragraph(imgui, viewer.message)
        imgui.pop_item_width()
        imgui.end()

    def _chosen(self, name: str) -> Any:
        """What a field of treatment, view or pen is."""
        owners = self._viewer.treatment, self._viewer.view, self._viewer.retouch.sketch.pen
        return next(getattr(owner, name) for owner in owners if hasattr(owner, name))

    def _choose(self, **changes: Any) -> None:
        viewer, sketch = self._viewer, self._viewer.retouch.sketch
        if changes.keys() <= _TREATED.keys():
            viewer.treat(**changes)
        elif changes.keys() <= _SEEN.keys():
            viewer.look(replace(viewer.view, **changes))
        else:
            sketch.pen = replace(sketch.pen, **changes)

    def _pane(self) -> Pane | None:
        """The pane under the mouse, unless the panel is over it."""
        return None if self._is_taken() else self._viewer.pane_at(self._pixel)

    def _frequency(self, pane: Pane) -> tuple[float, float]:
        return pane.frequency(self._pixel, self._viewer.size, self._viewer.view.shift)
