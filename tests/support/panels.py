"""What stands in for Dear ImGui where a panel is tested."""

from __future__ import annotations

from typing import Any


class Panel:
    """Takes down what is shown, moves one slider, presses one button; every section is open."""

    def __init__(self, move: tuple[str, float] = ("", 0.0), press: str = "", is_open: bool = True) -> None:
        self.texts: list[str] = []
        self.tips: list[str] = []
        self.labels: list[str] = []
        self._move, self._press, self._is_open = move, press, is_open

    def begin(self, *_: Any) -> tuple[bool, bool]:
        return self._is_open, True

    def text(self, text: str) -> None:
        self.texts.append(text)

    text_disabled = text

    def text_colored(self, _colour: Any, text: str) -> None:
        self.texts.append(text)

    def set_tooltip(self, text: str) -> None:
        self.tips.append(text)

    def is_item_hovered(self, *_: Any) -> bool:
        return True

    def collapsing_header(self, _label: str) -> bool:
        return True

    def begin_combo(self, label: str, shown: str) -> bool:
        self.labels.append(label)
        self.texts.append(shown)
        return True

    def end_combo(self) -> None:
        pass

    def selectable(self, label: str, _selected: bool) -> tuple[bool, bool]:
        return label == self._press, False

    def slider_float(self, label: str, value: float, lowest: float, highest: float, *_: Any) -> tuple[bool, float]:
        self.labels.append(label)
        assert lowest <= value <= highest
        return (True, self._move[1]) if label == self._move[0] else (False, value)

    slider_int = slider_float

    def button(self, label: str) -> bool:
        self.labels.append(label)
        return label == self._press

    def radio_button(self, label: str, _chosen: bool) -> bool:
        return self.button(label)

    def checkbox(self, label: str, value: bool) -> tuple[bool, bool]:
        return (True, not value) if label == self._press else (False, value)

    def calc_text_size(self, text: str) -> Any:
        return type("Size", (), {"x": 7.0 * len(text)})

    def get_window_width(self) -> float:
        return 330.0

    def get_font_size(self) -> float:
        return 13.0

    def __getattr__(self, name: str) -> Any:
        """Flags are numbers, and everything else does nothing."""
        return _Flags() if name.endswith("_") else lambda *arguments: None


class _Flags:
    def __getattr__(self, _name: str) -> int:
        return 0
