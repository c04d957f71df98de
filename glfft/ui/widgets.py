"""Parts that the panels of several programs have. `imgui` is the module that `ImguiLayer.frame` yields."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

_MARGIN = 12.0


def begin_at_right(imgui: Any, title: str, width: float, scale: float, right: float) -> bool:
    """Begin a panel of a width at the right edge of a picture, `right` pixels wide; returns whether it is open."""
    imgui.set_next_window_pos((right - (width + _MARGIN) * scale, _MARGIN * scale), imgui.Cond_.first_use_ever)
    imgui.set_next_window_size((width * scale, 0.0), imgui.Cond_.always)
    return imgui.begin(title, None, imgui.WindowFlags_.no_resize)[0]


def buttons(imgui: Any, actions: Mapping[str, Callable[[], object]]) -> None:
    """A row of buttons by their labels, which do what they say."""
    for index, (label, act) in enumerate(actions.items()):
        if index:
            imgui.same_line()
        if imgui.button(label):
            act()


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


def paragraph(imgui: Any, text: str, *colour: float) -> None:
    """Words in as many lines as they take; nothing for ""."""
    if text:
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
