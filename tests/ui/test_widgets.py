"""Parts of panels: what they show, and what they call."""

from __future__ import annotations

from typing import Any

import pytest
from support.panels import Panel

from glfft.ui.widgets import begin_at_right, buttons, following, key_list, tip


def test_a_button_calls_its_own_action_only() -> None:
    called: list[str] = []
    panel = Panel(press="two")
    buttons(panel, {label: lambda label=label: called.append(label) for label in ("one", "two", "three")})
    assert panel.labels == ["one", "two", "three"]
    assert called == ["two"]


def test_words_are_shown() -> None:
    panel: Any = Panel()
    tip(panel, "It floats.")
    key_list(panel, (("A", "first"), ("B", "second")), 100.0)
    assert panel.tips == ["It floats."]
    assert panel.texts == ["A", "first", "B", "second"]


@pytest.mark.parametrize("is_open", [True, False])
def test_a_panel_ends_near_the_right_edge_at_any_scale(is_open: bool) -> None:
    panel: Any = Panel(is_open=is_open)
    places, sizes = [], []
    panel.set_next_window_pos = lambda place, _: places.append(place)
    panel.set_next_window_size = lambda size, _: sizes.append(size)
    for scale in (1.0, 2.0):
        assert begin_at_right(panel, "Sea", 300.0, scale, 1280.0) == is_open
        assert places[-1][0] + sizes[-1][0] == 1280.0 - 12.0 * scale
        assert sizes[-1] == (300.0 * scale, 0.0)


def test_choices_come_round_both_ways_and_begin_with_the_first() -> None:
    names = ["one", "two", "three"]
    assert [following(names, name) for name in names] == ["two", "three", "one"]
    assert following(names, "one", -1) == "three"
    assert following(names, "none of them") == "one"
