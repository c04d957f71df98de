"""Parts that the panels of several programs have. `imgui` is the module that `ImguiLayer.frame` yields."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

_Choice = TypeVar("_Choice")

_MARGIN = 12.0


@dataclass(frozen=True)
class Slider:
    """A number of some settings that can be changed in a panel, and by keys."""

    name: str  # of the settings' field
    label: str
    unit: str
    lowest: float  # in the unit shown
    highest: float
    tip: str
    scale: float = 1.0  # one unit shown, in the unit of the field
    digits: int | None = None  # after the point; None for as many as the highest value has room for
    key_factor: float = 1.0  # a key multiplies by this and adds `key_step`, in the unit shown
    key_step: float = 0.0
    less_key: str = ""  # "" for none
    more_key: str = ""
    logarithmic: bool = False  # whether equal distances are equal ratios

    def shown(self, source: object) -> float:
        """The value in the unit shown."""
        return getattr(source, self.name) / self.scale

    def stepped(self, value: float, up: bool) -> float:
        """The value after one press of a key, within the slider's ends."""
        changed = value * self.key_factor + self.key_step if up else (value - self.key_step) / self.key_factor
        return min(max(changed, self.lowest), self.highest)


def draw_sliders(imgui: Any, sliders: Iterable[Slider], source: object, change: Callable[..., object]) -> None:
    """Sliders of some settings; `change` is given the field that one changes, in its own unit."""
    for slider in sliders:
        by_size = 0 if slider.highest >= 90 else 1 if slider.highest > 5 else 2
        # A printf format for ImGui: a unit must not have a per cent sign.
        form = f"%.{by_size if slider.digits is None else slider.digits}f {slider.unit}".strip()
        flags = imgui.SliderFlags_.logarithmic if slider.logarithmic else imgui.SliderFlags_.none
        flags |= imgui.SliderFlags_.always_clamp
        ends = slider.lowest, slider.highest
        changed, value = imgui.slider_float(slider.label, slider.shown(source), *ends, form, flags)
        tip(imgui, slider.tip)
        if changed:
            change(**{slider.name: min(max(value, slider.lowest), slider.highest) * slider.scale})


def begin_at_right(imgui: Any, title: str, width: float, scale: float, right: float, is_fixed: bool = False) -> bool:
    """Begin a panel at the right edge of `right` pixels, where it stays if fixed; returns whether it is open."""
    when = imgui.Cond_.always if is_fixed else imgui.Cond_.first_use_ever
    imgui.set_next_window_pos((right - (width + _MARGIN) * scale, _MARGIN * scale), when)
    imgui.set_next_window_size((width * scale, 0.0), imgui.Cond_.always)
    return imgui.begin(title, None, imgui.WindowFlags_.no_resize)[0]


def buttons(imgui: Any, actions: Mapping[str, Callable[[], object]]) -> None:
    """A row of buttons by their labels, which do what they say."""
    for index, (label, act) in enumerate(actions.items()):
        if index:
            imgui.same_line()
        if imgui.button(label):
            act()


def following(choices: Sequence[_Choice], now: _Choice, step: int = 1) -> _Choice:
    """What a key takes after one of several choices, the first after none of them; a step of -1 goes back."""
    return choices[(choices.index(now) + step) % len(choices)] if now in choices else choices[0]


def choice(imgui: Any, names: Iterable[str], now: str, hint: str = "") -> str:
    """A row of names, one of which is chosen, with a `tip`; returns the one that is chosen after it."""
    for index, name in enumerate(names):
        if index:
            imgui.same_line()
        if imgui.radio_button(name, name == now):
            now = name
        if hint:
            tip(imgui, hint)
    return now


def printable(words: str) -> str:
    """Words as ImGui and windows take them: what is no text, as names of files may be, is escaped."""
    return words if words.isascii() else words.encode(errors="backslashreplace").decode()


def paragraph(imgui: Any, text: str, *colour: float) -> None:
    """Words in as many lines as they take; nothing for ""."""
    if text:
        text = printable(text)
        imgui.push_text_wrap_pos(0.0)
        imgui.text_colored(colour, text) if colour else imgui.text(text)
        imgui.pop_text_wrap_pos()


def tip(imgui: Any, text: str) -> None:
    """Words that are shown while the mouse is over the part drawn last."""
    if imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        imgui.push_text_wrap_pos(0.0)
        imgui.set_tooltip(text)
        imgui.pop_text_wrap_pos()


def key_list(imgui: Any, keys: Sequence[tuple[str, str]], width: float) -> None:
    """A section to be opened: keys in a column of a width in pixels, and what each does."""
    if imgui.collapsing_header("keys"):
        for names, does in keys:
            imgui.text(names)
            imgui.same_line(width)
            imgui.text_disabled(does)
