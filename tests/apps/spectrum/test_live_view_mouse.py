"""The mouse over picture and spectrum: strokes, zoom, movement and the original."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import glfw
import moderngl
import numpy as np
import pytest
from support.retouching import viewer_frame
from support.spectrum import picture

from glfft.apps.spectrum.live_view import Controls
from glfft.apps.spectrum.options import Treatment, View
from glfft.apps.spectrum.viewer import Viewer

SIZE = (300, 120)
LEFT, RIGHT = glfw.MOUSE_BUTTON_LEFT, glfw.MOUSE_BUTTON_RIGHT


@pytest.fixture
def viewer(ctx: moderngl.Context, tmp_path: Path) -> Iterator[Viewer]:
    picture(tmp_path / "a.png", 20, 30)
    made = Viewer(ctx, [tmp_path / "a.png"], Treatment(), View())
    viewer_frame(ctx, made, SIZE)
    yield made
    made.release()


def pixel_of(viewer: Viewer, kind: str, across: float, down: float) -> tuple[float, float]:
    """The pixel of the window at fractions of a pane."""
    pane = next(each for each in viewer.panes if each.kind == kind)
    left, top, width, height = pane.rectangle
    return left + across * width, top + down * height


def test_the_left_button_paints_what_it_is_on(ctx: moderngl.Context, viewer: Viewer) -> None:
    mouse, sketch = Controls(viewer), viewer.retouch.sketch
    mouse.move(pixel_of(viewer, "spectrum", (15 + 6.5) / 30, (10 + 3.5) / 20))
    assert viewer.cursor == pytest.approx((3, 6))
    mouse.button(LEFT, True)
    assert sketch.is_drawing
    assert sketch.mask[3, 6] == sketch.mask[-3, -6] == 0
    mouse.move(pixel_of(viewer, "spectrum", (15 + 6.5) / 30, (10 + 7.5) / 20))
    assert sketch.mask[7, 6] == 0
    mouse.button(LEFT, False)
    assert not sketch.is_drawing
    painted = sketch.mask.copy()
    mouse.move(pixel_of(viewer, "spectrum", 0.1, 0.1))
    assert np.array_equal(sketch.mask, painted)


def test_a_stroke_goes_on_where_the_mouse_is_while_the_window_is_resized(ctx: moderngl.Context, viewer: Viewer) -> None:
    mouse, sketch, place = Controls(viewer), viewer.retouch.sketch, ((15 + 6.5) / 30, (10 + 7.5) / 20)
    mouse.move(pixel_of(viewer, "spectrum", (15 + 6.5) / 30, (10 + 3.5) / 20))
    mouse.button(LEFT, True)
    larger = (2 * SIZE[0] + 50, 2 * SIZE[1])
    viewer_frame(ctx, viewer, larger)
    mouse.move(pixel_of(viewer, "spectrum", *place))
    assert viewer.cursor == pytest.approx((7, 6))
    assert sketch.mask[5, 6] == sketch.mask[7, 6] == 0
    # Too small for any pane.
    viewer_frame(ctx, viewer, (300, 8))
    mouse.move((5.0, 5.0))
    mouse.button(LEFT, False)
    assert not sketch.is_drawing
    assert viewer.cursor is None
    viewer_frame(ctx, viewer, larger)
    mouse.move(pixel_of(viewer, "spectrum", *place))
    assert viewer.cursor == pytest.approx((7, 6))


def test_the_wheel_zooms_and_the_right_button_moves(ctx: moderngl.Context, viewer: Viewer) -> None:
    mouse = Controls(viewer)
    for kind in ("picture", "spectrum"):
        at = pixel_of(viewer, kind, 0.25, 0.5)
        mouse.move(at)
        mouse.scroll(4)
        viewer_frame(ctx, viewer, SIZE)
        pane = viewer.pane_at(at)
        assert pane is not None
        assert pane.part.side == pytest.approx(1 / 1.25**4)
        before = pane.of_picture(at)
        assert before == pytest.approx((0.25, 0.5))
        mouse.button(RIGHT, True)
        moved = (at[0] + 10, at[1] - 5)
        mouse.move(moved)
        mouse.button(RIGHT, False)
        viewer_frame(ctx, viewer, SIZE)
        pane = viewer.pane_at(moved)
        assert pane is not None
        assert pane.of_picture(moved) == pytest.approx(before)
    assert not viewer.retouch.is_painted


def test_nothing_happens_where_a_panel_is_nor_outside(viewer: Viewer) -> None:
    for taken, pixel in ((True, pixel_of(viewer, "spectrum", 0.5, 0.5)), (False, (0.0, 0.0))):
        mouse = Controls(viewer, lambda taken=taken: taken)
        mouse.move(pixel)
        mouse.button(LEFT, True)
        mouse.button(RIGHT, True)
        mouse.scroll(1)
        assert not viewer.retouch.sketch.is_drawing
        assert viewer.cursor is None
        mouse.button(LEFT, False)


def test_another_picture_in_the_middle_of_a_stroke_ends_it(ctx: moderngl.Context, tmp_path: Path) -> None:
    picture(tmp_path / "a.png", 20, 30)
    picture(tmp_path / "b.png", 16, 16)
    viewer = Viewer(ctx, [tmp_path / "a.png", tmp_path / "b.png"], Treatment(), View())
    viewer_frame(ctx, viewer, SIZE)
    mouse = Controls(viewer)
    mouse.move(pixel_of(viewer, "spectrum", 0.7, 0.5))
    mouse.button(LEFT, True)
    viewer.step(1)
    mouse.move(pixel_of(viewer, "spectrum", 0.8, 0.5))
    mouse.button(LEFT, False)
    viewer_frame(ctx, viewer, SIZE)
    assert viewer.retouch.sketch.is_blank
    viewer.release()
