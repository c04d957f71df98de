"""What a user can change in the window, by keys or in the panel, which ImGui draws (extra `ui`)."""

import math
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import glfw

from glfft.apps.glare.lens import LENSES, Lens
from glfft.overlay.overlay import OPEN, next_view
from glfft.ui.widgets import Slider, begin_at_right, buttons, choice, draw_sliders, key_list, paragraph, tip

WAYS = ("lens", "mipmaps", "original")

_WIDTH = 310.0
_MOST_STRENGTH = 8.0

KEY_HELP = (
    ("A", "glare of the lens, or of mipmaps (A/B)"),
    ("X", "without glare"),
    ("L", "another lens"),
    ("N", "other dust"),
    ("R", "back to the start"),
    ("Space", "stop the sea"),
    ("H", "panel"),
    ("O", "overlay: open, one line, off"),
    ("P", "write a picture"),
    ("F11, Escape", "full screen, quit"),
)
_SWITCHES = {glfw.KEY_SPACE: "paused", glfw.KEY_H: "panel"}


SLIDERS = (
    Slider("f_number", "f-number", "", 4, 128, "The pattern of light is as large as the f-number is high.", digits=1),
    Slider("blades", "blades", "", 0, 16, "An odd number makes twice as many streaks; 0 is a round opening.", digits=0),
    Slider("rotation", "rotation", "°", -90, 90, "Of the blades.", scale=math.pi / 180, digits=1),
    Slider("curvature", "curvature", "", 0, 1, "Of the blades: 0 straight, 1 together a circle."),
    Slider("dust", "dust", "", 0, 2000, "Grains: a halo of fine coloured streaks.", digits=0),
    Slider("scratches", "scratches", "", 0, 40, "A long streak each, across the scratch.", digits=0),
    Slider("lashes", "eyelashes", "", 0, 60, "Broad streaks.", digits=0),
    Slider("fibres", "fibres", "", 0, 400, "Radial, as in the lens of an eye: a coloured ring.", digits=0),
)
_COUNTS = {slider.name for slider in SLIDERS if slider.digits == 0}


@dataclass
class Controls:
    """What the user has asked for; the window's loop does it."""

    first: Lens  # for `reset`
    first_strength: float = 1.0
    first_exposure: float = 0.0  # stops
    lens: Lens = field(init=False)
    strength: float = field(init=False)
    exposure: float = field(init=False)
    way: str = "lens"  # one of WAYS
    panel: bool = True
    overlay: str = OPEN  # how the overlay is shown: one of its VIEWS
    paused: bool = False
    screenshot: bool = False  # wanted; set back when it is taken
    message: str = ""  # what became of the last picture written, or ""

    def __post_init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.lens, self.strength, self.exposure = self.first, self.first_strength, self.first_exposure
        self.way = "lens"

    def press(self, key: int) -> None:
        actions = {glfw.KEY_L: self.next_lens, glfw.KEY_N: self.other_dust, glfw.KEY_R: self.reset}
        if key == glfw.KEY_A:
            self.way = "mipmaps" if self.way == "lens" else "lens"
        elif key == glfw.KEY_X:
            self.way = "original" if self.way != "original" else "lens"
        elif key in actions:
            actions[key]()
        elif key == glfw.KEY_P:
            self.screenshot = True
        elif key == glfw.KEY_O:
            self.overlay = next_view(self.overlay)
        elif key in _SWITCHES:
            setattr(self, _SWITCHES[key], not getattr(self, _SWITCHES[key]))

    def change_lens(self, **changes: float) -> None:
        """Take other numbers; counts are rounded, and no aperture has one blade or two."""
        numbers: dict[str, Any] = {
            name: round(value) if isinstance(getattr(self.lens, name), int) else value
            for name, value in changes.items()
        }
        if "blades" in numbers:
            numbers["blades"] = 0 if numbers["blades"] < 2 else max(3, numbers["blades"])
        self.lens = replace(self.lens, **numbers)

    def other_dust(self) -> None:
        """Put dust, eyelashes and scratches in other places."""
        self.lens = replace(self.lens, seed=self.lens.seed + 1)

    def next_lens(self) -> None:
        """Take the next of `LENSES`, the first after one of the user's own."""
        lenses = list(LENSES.values())
        self.lens = lenses[(lenses.index(self.lens) + 1) % len(lenses)] if self.lens in lenses else lenses[0]


def draw_panel(imgui: Any, controls: Controls, scale: float, width: float) -> None:
    """Draw the panel at the right edge of a picture of a width in pixels, inside an open ImGui frame."""
    if begin_at_right(imgui, "Bloom", _WIDTH, scale, width):
        imgui.push_item_width(-92.0 * scale)
        controls.way = choice(imgui, WAYS, controls.way)
        imgui.separator_text("lens")
        buttons(imgui, {name: partial(setattr, controls, "lens", lens) for name, lens in LENSES.items()})
        draw_sliders(imgui, SLIDERS, controls.lens, controls.change_lens)
        imgui.separator_text("picture")
        changed, strength = imgui.slider_float("strength", controls.strength, 0.0, _MOST_STRENGTH, "%.2f times")
        tip(imgui, "Times the light that diffraction spreads.")
        if changed:
            controls.strength = max(0.0, strength)
        changed, exposure = imgui.slider_float("exposure", controls.exposure, -6.0, 6.0, "%+.1f stops")
        if changed:
            controls.exposure = exposure
        write = partial(setattr, controls, "screenshot", True)
        buttons(imgui, {"other dust": controls.other_dust, "reset": controls.reset, "write a picture": write})
        paragraph(imgui, controls.message)
        key_list(imgui, KEY_HELP, 110.0 * scale)
        imgui.pop_item_width()
    imgui.end()
