"""The overlay: it is drawn where and as often as it should be, and leaves nothing behind."""

from __future__ import annotations

import ctypes
import gc
import math

import numpy as np
import pytest
from support.drawing import BACKGROUND, SIZE, changed, pixels, release, run

from glfft.errors import GlfftError, OptionError, ReleasedError
from glfft.gl.context import is_software
from glfft.gl.functions import load_function
from glfft.overlay import VIEWS, Overlay
from glfft.ui.widgets import following

pytest.importorskip("imgui_bundle")

from glfft.overlay.panel import OverlayPanel
from glfft.ui.imgui_layer import ImguiLayer


@pytest.mark.parametrize("corner", ["top-left", "top-right", "bottom-left", "bottom-right"])
def test_it_draws_in_its_corner_and_nowhere_else(ctx, profiler, framebuffer, corner):
    with Overlay(ctx, profiler, corner=corner) as overlay:
        run(profiler, framebuffer, overlay)
    touched = changed(framebuffer)
    rows, columns = np.flatnonzero(touched.any(axis=1)), np.flatnonzero(touched.any(axis=0))
    width, height = overlay._panel.size
    assert touched.mean() > 0.9 * width * height / (SIZE[0] * SIZE[1])
    assert width * height <= SIZE[0] * SIZE[1] / 6
    top, bottom = rows[0], SIZE[1] - 1 - rows[-1]
    left, right = columns[0], SIZE[0] - 1 - columns[-1]
    vertical, horizontal = corner.split("-")
    assert (top if vertical == "top" else bottom) == 12
    assert (left if horizontal == "left" else right) == 12
    assert (bottom if vertical == "top" else top) == SIZE[1] - 12 - height
    assert (right if horizontal == "left" else left) == SIZE[0] - 12 - width


def test_its_first_two_draws_are_warm_up(profiler, framebuffer, overlay):
    run(profiler, framebuffer, overlay, frames=8)
    assert profiler.timeline().warm_up.tolist() == [True] * 2 + [False] * 6


def test_refresh_brings_the_numbers_up_to_date(profiler, framebuffer, overlay):
    run(profiler, framebuffer, overlay, frames=12)
    profiler.drain()
    shown = overlay._panel._frames
    overlay._panel._numbers_due = math.inf
    overlay.render()
    assert overlay._panel._frames == shown
    overlay.refresh()
    overlay.render()
    assert overlay._panel._frames == 12


@pytest.fixture
def seldom(ctx, profiler, framebuffer):
    """An overlay that is past its first frames, drawn anew each, and not due again for a thousand seconds."""
    with Overlay(ctx, profiler) as made:
        made._seconds_apart = 1e3
        run(profiler, framebuffer, made, frames=12)
        made.refresh()
        made.render()
        yield made


@pytest.fixture
def layouts(monkeypatch):
    """How often an overlay has laid itself out since the test began: all of it, and the plot alone."""
    counts = {"draw": 0, "draw_plot": 0}
    draw = OverlayPanel.draw

    def counted(panel, layer, everything):
        counts["draw" if everything else "draw_plot"] += 1
        draw(panel, layer, everything)

    monkeypatch.setattr(OverlayPanel, "draw", counted)
    return counts


def test_between_redraws_nothing_is_laid_out_and_the_picture_stays(profiler, framebuffer, seldom, layouts):
    framebuffer.clear(*BACKGROUND)
    seldom.render()
    before = pixels(framebuffer).copy()
    run(profiler, framebuffer, seldom, frames=20)
    assert layouts == {"draw": 0, "draw_plot": 0}
    assert changed(framebuffer).mean() > 0.1
    assert np.array_equal(pixels(framebuffer), before)


def test_in_one_frame_of_several_it_is_drawn_anew_at_most(ctx, profiler, framebuffer, layouts):
    """However slow the frames are, in which every one is due by the clock."""
    apart = 6 if is_software(ctx) else 3
    with Overlay(ctx, profiler) as overlay:
        overlay._seconds_apart = 0.0
        run(profiler, framebuffer, overlay, frames=12)
        overlay.refresh()
        overlay.render()
        layouts.update(draw=0, draw_plot=0)
        # A frame is there to be drawn from the next one on.
        run(profiler, framebuffer, overlay, frames=4 * apart + 1)
    assert sum(layouts.values()) == 4
    assert layouts["draw"] <= 1


@pytest.mark.parametrize("why", ["asked", "forgotten", "moved", "folded", "hidden"])
def test_what_changes_shows_in_the_next_frame(ctx, profiler, framebuffer, seldom, layouts, why):
    if why == "moved":  # another size of window: the same picture elsewhere
        seldom._corner = "bottom-right"
    if why in ("folded", "hidden"):
        seldom.view = why
    if why == "forgotten":
        profiler.clear()
    if why == "asked":
        seldom.refresh()
    framebuffer.clear(*BACKGROUND)
    seldom.render()
    touched = changed(framebuffer)
    assert touched.any() == (why != "hidden")
    assert layouts["draw"] == (why in ("asked", "forgotten", "folded"))
    if why == "moved":
        assert (np.flatnonzero(touched.any(axis=0))[[0, -1]] == (SIZE[0] - 12 - 222, SIZE[0] - 13)).all()
    if why == "folded":
        assert (np.flatnonzero(touched.any(axis=1))[[0, -1]] == (12, 12 + 28 - 1)).all()
    if why == "hidden":
        seldom.view = "open"
        seldom.render()
        assert changed(framebuffer).any()
        assert sum(layouts.values()) == 1


def test_the_plot_drawn_alone_fits_into_the_rest(ctx, profiler, framebuffer):
    """After a redraw of the plot alone the picture is the one of a redraw of everything."""
    with Overlay(ctx, profiler) as overlay:
        run(profiler, framebuffer, overlay, frames=12)
        overlay.refresh()
        images = []
        for redraw in (overlay.render, lambda: overlay._redraw(SIZE)):
            redraw()
            framebuffer.clear(*BACKGROUND)
            overlay.render()
            images.append(pixels(framebuffer).astype(int))
    assert np.array_equal(*images)


def test_panels_on_a_shared_layer_hear_a_click_whenever_it_comes(ctx, profiler, framebuffer, layouts):
    """The overlay is drawn seldom, the panels beside it in every frame."""
    layer = ImguiLayer(ctx)
    pressed = []
    with Overlay(ctx, profiler, layer=layer) as overlay:
        overlay._seconds_apart = 1e3
        for step in range(40):
            with profiler.frame(), layer.frame(framebuffer) as imgui:
                io = imgui.get_io()
                io.add_mouse_pos_event(480.0, 360.0)
                imgui.set_next_window_pos((450, 330))
                imgui.set_next_window_size((64, 64))
                imgui.begin("panel", None, imgui.WindowFlags_.no_decoration)
                if imgui.button("press", (-1, -1)):
                    pressed.append(step)
                imgui.end()
                overlay.draw()
            # Events wait for the next frame.
            if step in (20, 30):
                io.add_mouse_button_event(0, True)
            if step in (21, 31):
                io.add_mouse_button_event(0, False)
    layer.release()
    assert pressed == [22, 32]
    assert sum(layouts.values()) < 12


def test_scale_makes_everything_larger(ctx, profiler):
    large = ctx.framebuffer([ctx.renderbuffer((2 * SIZE[0], 2 * SIZE[1]), 4)])
    large.use()
    with Overlay(ctx, profiler, scale=2.0) as overlay:
        run(profiler, large, overlay)
    columns = np.flatnonzero(changed(large).any(axis=0))
    assert (columns[0], columns[-1] + 1) == (24, 24 + 2 * 222)
    release(ctx, large)


def test_invisible_costs_nothing(ctx, profiler, framebuffer, overlay):
    overlay.view = "hidden"
    run(profiler, framebuffer, overlay)
    assert not changed(framebuffer).any()
    assert np.isnan(overlay.cpu_ms)


def test_it_measures_itself(profiler, framebuffer, overlay):
    run(profiler, framebuffer, overlay)
    profiler.drain()
    own = profiler.statistics().section("overlay")
    assert overlay.cpu_ms == pytest.approx(np.mean(overlay._costs))  # redraws count like all other frames
    assert overlay.cpu_ms > 0.0
    assert own.cpu.p50 > 0.0


def test_its_cost_is_that_since_the_profiler_was_cleared(profiler, framebuffer, overlay):
    run(profiler, framebuffer, overlay, frames=12)
    assert len(overlay._costs) == 12 - 7, "all but the first ones, in which all of it is drawn"
    overlay._costs.append(1e6)
    profiler.clear()
    assert np.isnan(overlay.cpu_ms)
    run(profiler, framebuffer, overlay, frames=2)
    assert overlay.cpu_ms < 1e3


def test_a_picture_without_room_stays_as_it_is(ctx, profiler):
    small = ctx.framebuffer([ctx.renderbuffer((200, 120), 4)])
    small.use()
    with Overlay(ctx, profiler) as overlay:
        run(profiler, small, overlay)
    assert not changed(small).any()
    release(ctx, small)


def test_it_works_before_the_first_frame_and_with_no_sections(profiler, framebuffer, overlay):
    framebuffer.clear(*BACKGROUND)
    overlay.render()
    assert changed(framebuffer).any()
    run(profiler, framebuffer, overlay, names=())


@pytest.mark.parametrize("view", ["open", "folded"])
def test_five_hundred_frames_leave_nothing_behind(ctx, profiler, framebuffer, view):
    overlay = Overlay(ctx, profiler)
    overlay._seconds_apart, overlay.view = 0.0, view

    def frames(count):
        for _ in range(count):
            with profiler.frame(), profiler.section("scene"):
                overlay.render()

    def objects():
        gc.collect()
        return sum(str(type(thing).__module__).startswith("moderngl") for thing in gc.get_objects())

    frames(20)
    before = objects()
    held = made_by(overlay)
    frames(500)
    assert objects() == before
    assert made_by(overlay) == held
    overlay.release()


def made_by(overlay):
    """Kinds and names of the GL objects an overlay holds."""
    renderer, cached = overlay._layer._renderer, overlay._cached
    made = [("Buffer", renderer._vertices.glo), ("Buffer", renderer._indices.glo), ("VertexArray", renderer._array.glo)]
    charts = () if overlay._panel._chart is None else (overlay._panel._chart.texture.glo,)
    made += [("Texture", name) for name in (*renderer._textures, *charts, cached.texture.glo)]
    return [*made, ("VertexArray", cached._array.glo), ("Framebuffer", cached._framebuffer.glo)]


def test_release_frees_every_gl_object(ctx, profiler, framebuffer):
    overlay = Overlay(ctx, profiler)
    overlay.render()

    def alive(made):
        return [load_function(ctx, f"glIs{kind}", ctypes.c_ubyte, ctypes.c_uint)(name) for kind, name in made]

    made = made_by(overlay)
    assert len(made) >= 8
    assert all(alive(made))
    overlay.release()
    assert not any(alive(made))


def test_panels_share_a_layer_with_the_overlay(ctx, profiler, framebuffer):
    framebuffer.clear(*BACKGROUND)
    layer = ImguiLayer(ctx)
    overlay = Overlay(ctx, profiler, layer=layer)
    with profiler.frame(), layer.frame(framebuffer) as imgui:
        imgui.set_next_window_pos((460, 330))
        imgui.set_next_window_size((50, 50))
        imgui.begin("Panel")
        imgui.text("words")
        imgui.end()
        overlay.draw()
    touched = changed(framebuffer)
    assert touched[100, 100]
    assert touched[350, 480]
    overlay.release()
    with layer.frame(framebuffer):  # the overlay does not own it
        pass
    layer.release()
    layer.release()
    with pytest.raises(ReleasedError), layer.frame():
        pass


def test_it_is_drawn_in_a_frame_of_its_layer_alone(ctx, profiler, framebuffer):
    with ImguiLayer(ctx) as layer, Overlay(ctx, profiler, layer=layer) as overlay:
        with pytest.raises(GlfftError, match="call its render"):
            overlay.draw()
        with layer.frame(framebuffer):
            overlay.draw()
        with pytest.raises(GlfftError, match="call its render"):
            overlay.draw()


def test_what_was_released_or_is_no_framebuffer_or_size_is_refused(ctx, profiler, framebuffer):
    released = ctx.simple_framebuffer((64, 64))
    released.release()
    overlay = Overlay(ctx, profiler)
    for target in (released, ctx.texture((64, 64), 4), "screen"):
        with pytest.raises(OptionError, match="Framebuffer that has not been released"):
            overlay.render(target)  # pyright: ignore[reportArgumentType]
    for size in ((640,), (640, 480, 3), (640.5, 480), 640, "hd"):
        with pytest.raises(OptionError, match=r"must be \(width, height\)"):
            overlay.render(framebuffer, size)  # pyright: ignore[reportArgumentType]
    overlay.render(framebuffer)
    overlay.release()
    with pytest.raises(ReleasedError, match="This overlay"):
        overlay.render(framebuffer)


def test_a_key_goes_through_the_views():
    views = ["open"]
    for _ in range(3):
        views.append(following(VIEWS, views[-1]))
    assert views == ["open", "folded", "hidden", "open"]


def test_unknown_corners_and_views(ctx, profiler):
    with Overlay(ctx, profiler) as overlay:
        overlay.view = "fold"
        for scale in (0, -1.0, math.nan, "2", 0.1, 1e30):
            with pytest.raises(OptionError, match=r"must be a number from 0\.25 to 100"):
                Overlay(ctx, profiler, scale=scale)  # pyright: ignore[reportArgumentType]
        with pytest.raises(OptionError, match="did you mean 'folded'"):
            overlay.render()
    with pytest.raises(OptionError, match="must be one of top-left"):
        Overlay(ctx, profiler, corner="middle")
    with pytest.raises(OptionError, match="a Profiler"):
        Overlay(ctx, ctx)
