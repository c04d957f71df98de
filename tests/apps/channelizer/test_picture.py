"""The picture without a window; what is in it is tested with the board."""

from __future__ import annotations

import moderngl
import pytest

pytest.importorskip("imgui_bundle")

from glfft.apps.channelizer.picture import draw_picture
from glfft.apps.channelizer.scan import ScanSettings
from glfft.errors import ShapeError


def test_a_picture_has_its_size_and_is_not_empty(ctx: moderngl.Context) -> None:
    picture = draw_picture(ctx, ScanSettings(16, taps=2, rows=4), (400, 260))
    assert picture.shape == (260, 400, 3)
    assert picture.max() > 200
    assert picture.std() > 10


def test_settings_that_make_no_sense_leave_nothing_behind(ctx: moderngl.Context) -> None:
    with pytest.raises(ShapeError, match="decimation"):
        draw_picture(ctx, ScanSettings(16, decimation=17), (400, 260))
