"""The picture without a window: it has its size, and what was received is in it."""

from __future__ import annotations

import moderngl
import pytest

pytest.importorskip("imgui_bundle")

from glfft.apps.ofdm.picture import draw_picture
from glfft.apps.ofdm.settings import LinkSettings
from glfft.errors import OptionError


def test_a_picture_has_its_size_and_is_not_empty(ctx: moderngl.Context) -> None:
    settings = LinkSettings(symbols=22, algorithm="radix-8")
    picture = draw_picture(ctx, settings, (400, 260), bits=22 * 1344, steps=2)
    assert picture.shape == (260, 400, 3)
    assert picture.max() > 200
    assert picture.std() > 10


def test_settings_that_make_no_sense_leave_nothing_behind(ctx: moderngl.Context) -> None:
    with pytest.raises(OptionError, match="multiple of 22"):
        draw_picture(ctx, LinkSettings(symbols=21), (400, 260))
