"""The overlay: it shows what was measured, where it should, and leaves the program's GL state as it found it."""

from __future__ import annotations

import builtins
import ctypes
import gc
import math
import shutil
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import moderngl
import numpy as np
import pytest
from PIL import Image

from glfft.demos import overlay_example
from glfft.errors import GlfftError, MissingExtraError, OptionError, ReleasedError
from glfft.gl.context import is_software, load_function
from glfft.overlay import Overlay
from glfft.profiling.profiler import WALL_TIMER, Profiler
from glfft.profiling.timeline import FrameSample

pytest.importorskip("imgui_bundle")

from glfft.overlay.cached_layer import CachedLayer
from glfft.overlay.chart import ColumnChart
from glfft.overlay.panel import OverlayPanel
from glfft.overlay.shapes import Canvas, Colour
from glfft.ui.imgui_layer import ImguiLayer

SIZE = (520, 400)
BACKGROUND = (0.2, 0.4, 0.6, 1.0)


@pytest.fixture
def framebuffer(ctx):
    made = ctx.framebuffer([ctx.renderbuffer(SIZE, 4)])
    made.use()
    yield made
    release(ctx, made)


def release(ctx, framebuffer):
    """Free a framebuffer and its attachments; moderngl goes on binding a deleted one, so another is bound first."""
    ctx.detect_framebuffer(0).use()
    for attachment in (*framebuffer.color_attachments, framebuffer.depth_attachment):
        if attachment is not None:
            attachment.release()
    framebuffer.release()


@pytest.fixture
def profiler(ctx):
    with Profiler(ctx) as made:
        yield made


@pytest.fixture
def overlay(ctx, profiler):
    with Overlay(ctx, profiler) as made:
        yield made


def run(profiler, framebuffer, overlay, frames=4, names=("waves", "scene")):
    for _ in range(frames):
        with profiler.frame():
            framebuffer.clear(*BACKGROUND[:3], BACKGROUND[3])
            for name in names:
                with profiler.section(name):
                    sum(range(20000))
            overlay.render()


def pixels(framebuffer):
    """Rows from the top, RGBA."""
    data = np.frombuffer(framebuffer.read(components=4), np.uint8)
    return data.reshape(framebuffer.height, framebuffer.width, 4)[::-1]


def changed(framebuffer):
    plain = np.round(np.array(BACKGROUND) * 255)
    return np.abs(pixels(framebuffer)[..., :3].astype(int) - plain[:3]).max(axis=-1) > 3


@pytest.mark.parametrize("corner", ["top-left", "top-right", "bottom-left", "bottom-right"])
def test_it_draws_in_its_corner_and_nowhere_else(ctx, profiler, framebuffer, corner):
    with Overlay(ctx, profiler, corner=corner) as overlay:
        run(profiler, framebuffer, overlay)
    touched = changed(framebuffer)
    rows, columns = np.flatnonzero(touched.any(axis=1)), np.flatnonzero(touched.any(axis=0))
    assert touched.mean() > 0.3
    top, bottom = rows[0], SIZE[1] - 1 - rows[-1]
    left, right = columns[0], SIZE[0] - 1 - columns[-1]
    vertical, horizontal = corner.split("-")
    assert (top if vertical == "top" else bottom) == 12
    assert (left if horizontal == "left" else right) == 12
    assert (bottom if vertical == "top" else top) > 20
    assert (right if horizontal == "left" else left) > 20


def test_the_plot_shows_each_section_in_its_colour(profiler, framebuffer, overlay):
    run(profiler, framebuffer, overlay)
    image = pixels(framebuffer)[..., :3].astype(int)
    for colour in ((88, 150, 214), (232, 164, 74), (94, 186, 150)):  # waves, scene, the overlay itself
        # Swatch in the table, part of the stacked bar.
        assert (np.abs(image - colour).max(axis=-1) <= 3).sum() >= 40


def test_a_section_of_few_frames_has_no_part_in_the_middling_frame(profiler, framebuffer, overlay):
    for number in range(10):
        sample = FrameSample(number, None)
        if number == 0:
            sample.add(("preparation",), 100.0, 100.0)
        sample.add(("waves",), 10.0, 10.0)
        sample.add((), 110.0 if number == 0 else 10.0, 10.0)
        profiler._recorder.record(sample)
    framebuffer.clear(*BACKGROUND)
    overlay.render()
    bar = pixels(framebuffer)[152:162, 24 : 24 + 408, :3].astype(int)

    def part(colour):
        return (np.abs(bar - colour).max(axis=-1) <= 3).mean()

    assert part((88, 150, 214)) == 0  # preparation
    assert part((232, 164, 74)) > 0.98  # waves


def test_the_scrolling_plot_grows_from_the_right(profiler, framebuffer, overlay):
    """Frames of 10 ms, then of 5 ms: as many columns of either height, the newest at the right edge."""

    def columns():
        framebuffer.clear(*BACKGROUND)
        overlay.refresh()
        overlay.render()
        plot = pixels(framebuffer)[12 + 44 : 12 + 44 + 84, 24 : 24 + 408, :3].astype(int)
        return (np.abs(plot - (88, 150, 214)).max(axis=-1) <= 3).sum(axis=0)

    def record(count, ms):
        for _ in range(count):
            sample = FrameSample(profiler.recorded, None)
            sample.add(("waves",), ms, ms)
            sample.add((), ms, ms)
            profiler._recorder.record(sample)

    record(30, 10.0)
    tall = columns()
    assert np.flatnonzero(tall).tolist() == list(range(408 - 60, 408))
    record(10, 5.0)
    both = columns()
    assert np.flatnonzero(both).tolist() == list(range(408 - 80, 408))
    assert np.array_equal(both[408 - 80 : 408 - 20], tall[408 - 60 :])
    # 20 ms is the full height of 84; the line at 16.7 ms is above both.
    assert abs(int(tall[-1]) - 42) <= 1
    assert abs(int(both[-1]) - 21) <= 1


def test_every_word_on_it_is_labelled_with_the_timer(ctx, profiler, framebuffer, overlay, monkeypatch):
    words = []
    write = Canvas._write
    monkeypatch.setattr(Canvas, "_write", lambda *a: words.append(a[4]) or write(*a))
    run(profiler, framebuffer, overlay, frames=1)
    assert profiler.timer in words
    if is_software(ctx):
        assert WALL_TIMER in words
    assert {"p50", "p95", "p99", "max", "cpu p50", "16.7 ms", "whole frame"} <= set(words)
    assert any(word.startswith("overlay") and word.endswith("ms cpu") for word in words)


def test_recorded_numbers_look_the_same_as_drawn_ones(ctx, profiler, framebuffer):
    with Overlay(ctx, profiler, rate=math.inf) as overlay:
        run(profiler, framebuffer, overlay, frames=10)
        profiler.enabled = False
        overlay.refresh()
        images = []
        for _ in range(2):  # drawn, then copied
            framebuffer.clear(*BACKGROUND)
            overlay.render()
            images.append(pixels(framebuffer).copy())
            overlay._panel._numbers_due = math.inf
    assert np.array_equal(images[0], images[1])


def test_refresh_brings_the_numbers_up_to_date(profiler, framebuffer, overlay):
    run(profiler, framebuffer, overlay, frames=12)
    profiler.drain()
    shown = overlay._panel._statistics.frames
    overlay._panel._numbers_due = math.inf
    overlay.render()
    assert overlay._panel._statistics.frames == shown
    overlay.refresh()
    overlay.render()
    assert overlay._panel._statistics.frames == 12


def test_the_chart_is_a_ring_of_stacked_columns(ctx):
    """Columns in portions of any size, against the definition one texel at a time."""
    random = np.random.default_rng(3)
    count, rows, thickness, ceiling = 23, 17, 2.0, 5.0
    colours = (Colour(200, 10, 20), Colour(30, 220, 40), Colour(90, 91, 92), Colour(250, 240, 230, 100))
    chart = ColumnChart(ctx, count, rows, thickness)
    assert chart.restyle(colours, ceiling)
    assert not chart.restyle(colours, ceiling)
    frames = 61
    series, marker = random.uniform(0.0, 3.0, (2, frames)), random.uniform(0.0, 7.0, frames)
    series[random.random(series.shape) < 0.2] = np.nan
    marker[random.random(frames) < 0.2] = np.nan
    total = np.nansum(series, axis=0) + random.uniform(0.0, 1.0, frames)
    at = 0
    while at < frames:
        until = min(frames, at + int(random.integers(1, count + 1)))
        chart.push(series[:, at:until], total[at:until], marker[at:until])
        at = until
    shown = np.frombuffer(chart.texture.read(), np.uint8).reshape(rows, count, 4)
    shown = np.roll(shown, -round(chart.start * count), axis=1)
    for column, frame in enumerate(range(frames - count, frames)):
        tops = [*np.cumsum(np.nan_to_num(series[:, frame])), total[frame]]
        line = min(marker[frame] * rows / ceiling, rows - thickness)
        for row in range(rows):
            height = row + 0.5
            index = next((k for k, top in enumerate(tops) if height < top * rows / ceiling), None)
            expected = np.zeros(4) if index is None else np.array(colours[index], float)
            if line <= height < line + thickness:
                alpha = colours[-1].alpha / 255
                over = np.array((*(alpha * channel for channel in colours[-1][:3]), 255 * alpha))
                expected = over + (1 - alpha) * expected
            assert np.abs(shown[row, column] - expected).max() <= 0.51
    assert chart.restyle(colours, 2 * ceiling)
    assert not any(chart.texture.read())
    chart.release()


@pytest.mark.parametrize("shared", [False, True], ids=["alone", "shared"])
@pytest.mark.parametrize("corner", ["top-left", "bottom-right"])
def test_from_its_cached_layer_it_looks_as_drawn_directly(ctx, profiler, framebuffer, shared, corner):
    with Overlay(ctx, profiler) as overlay:
        run(profiler, framebuffer, overlay, frames=12)
    backdrop = ctx.texture(SIZE, 4)
    target = ctx.framebuffer([backdrop])
    noise = np.random.default_rng(1).integers(0, 256, (SIZE[1], SIZE[0], 4), np.uint8)
    noise[..., 3] = 255

    def picture(rate, draws):
        layer = ImguiLayer(ctx)
        with Overlay(ctx, profiler, layer=layer if shared else None, corner=corner, rate=rate) as overlay:
            for _ in range(draws):
                backdrop.write(noise)
                if shared:
                    with layer.frame(target):
                        overlay.draw()
                else:
                    overlay.render(target)
        layer.release()
        return pixels(target)[..., :3].astype(int)

    try:
        direct = picture(math.inf, 1)
        assert (np.abs(direct - noise[::-1, :, :3]).max(axis=-1) > 3).mean() > 0.5
        # Through the cached layer each picture is rounded to 8 bits once more.
        assert np.abs(picture(15.0, 2) - direct).max() <= 2
    finally:
        release(ctx, target)


@pytest.fixture
def seldom(ctx, profiler, framebuffer):
    """An overlay that is past its first frames, drawn anew each, and not due again for a thousand seconds."""
    with Overlay(ctx, profiler, rate=1e-3) as made:
        run(profiler, framebuffer, made, frames=12)
        made.refresh()
        made.render()
        yield made


@pytest.fixture
def layouts(monkeypatch):
    """How often an overlay has laid itself out since the test began: all of it, and the plot alone."""
    counts = {"draw": 0, "draw_plot": 0}
    for name in counts:
        monkeypatch.setattr(OverlayPanel, name, counted(counts, name, getattr(OverlayPanel, name)))
    return counts


def counted(counts, name, function):
    def call(*arguments):
        counts[name] += 1
        return function(*arguments)

    return call


def test_between_redraws_nothing_is_laid_out_and_the_picture_stays(profiler, framebuffer, seldom, layouts):
    framebuffer.clear(*BACKGROUND)
    seldom.render()
    before = pixels(framebuffer).copy()
    run(profiler, framebuffer, seldom, frames=20)
    assert layouts == {"draw": 0, "draw_plot": 0}
    assert changed(framebuffer).mean() > 0.3
    assert np.array_equal(pixels(framebuffer), before)


def test_in_one_frame_of_six_it_is_drawn_anew_at_most(ctx, profiler, framebuffer, layouts):
    """However slow the frames are, in which every one is due by the clock."""
    with Overlay(ctx, profiler, rate=1e9) as overlay:
        run(profiler, framebuffer, overlay, frames=12)
        overlay.refresh()
        overlay.render()
        layouts.update(draw=0, draw_plot=0)
        # A frame is there to be drawn from the next one on.
        run(profiler, framebuffer, overlay, frames=25)
    assert sum(layouts.values()) == 4
    assert layouts["draw"] <= 1


@pytest.mark.parametrize("why", ["asked", "forgotten", "moved", "hidden"])
def test_what_changes_shows_in_the_next_frame(ctx, profiler, framebuffer, seldom, layouts, why):
    if why == "moved":  # another size of window: the same picture elsewhere
        seldom._corner = "bottom-right"
    if why == "hidden":
        seldom.visible = False
    if why == "forgotten":
        profiler.clear()
    if why == "asked":
        seldom.refresh()
    framebuffer.clear(*BACKGROUND)
    seldom.render()
    touched = changed(framebuffer)
    assert touched.any() == (why != "hidden")
    assert layouts["draw"] == (why in ("asked", "forgotten"))
    if why == "moved":
        assert (np.flatnonzero(touched.any(axis=0))[[0, -1]] == (SIZE[0] - 12 - 432, SIZE[0] - 13)).all()
    if why == "hidden":
        seldom.visible = True
        seldom.render()
        assert changed(framebuffer).any()
        assert sum(layouts.values()) == 1


def test_the_plot_drawn_alone_fits_into_the_rest(ctx, profiler, framebuffer):
    """After a redraw of the plot alone the picture is the one of a redraw of everything."""
    with Overlay(ctx, profiler, rate=15.0) as overlay:
        run(profiler, framebuffer, overlay, frames=12)
        cached = overlay._cached
        assert cached is not None
        overlay.refresh()
        images = []
        for redraw in (overlay.render, lambda: overlay._redraw(cached)):
            redraw()
            framebuffer.clear(*BACKGROUND)
            overlay.render()
            images.append(pixels(framebuffer).astype(int))
    assert np.array_equal(*images)


def test_panels_on_a_shared_layer_hear_a_click_whenever_it_comes(ctx, profiler, framebuffer, layouts):
    """The overlay is drawn seldom, the panels beside it in every frame."""
    layer = ImguiLayer(ctx)
    pressed = []
    with Overlay(ctx, profiler, layer=layer, rate=1e-3) as overlay:
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
    assert (columns[0], columns[-1] + 1) == (24, 24 + 2 * 432)
    release(ctx, large)


def test_invisible_costs_nothing(ctx, profiler, framebuffer, overlay):
    overlay.visible = False
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


def test_it_works_before_the_first_frame_and_with_no_sections(profiler, framebuffer, overlay):
    framebuffer.clear(*BACKGROUND)
    overlay.render()
    assert changed(framebuffer).any()
    run(profiler, framebuffer, overlay, names=())


def test_many_sections_with_long_names_fit(ctx, profiler, overlay):
    tall = ctx.framebuffer([ctx.renderbuffer((520, 700), 4)])
    tall.use()
    names = [f"a pass with a name that is far too long for its column, {number}" for number in range(30)]
    run(profiler, tall, overlay, frames=2, names=names)
    columns = np.flatnonzero(changed(tall).any(axis=0))
    assert columns[-1] < 12 + 432
    release(ctx, tall)


@pytest.mark.parametrize(
    ("equation", "drawn"),
    [(moderngl.MAX, (153, 102, 51)), (moderngl.FUNC_ADD, (204, 153, 51))],
    ids=["maximum", "sum"],
)
@pytest.mark.parametrize("rate", [math.inf, 15.0], ids=["direct", "cached"])
def test_gl_state_is_left_as_it_was(ctx: moderngl.Context, framebuffer, profiler, rate, equation, drawn):
    """A scene drawn after the overlay looks as it does without it, with the state set once before."""
    program = ctx.program(
        vertex_shader="""#version 430 core
            flat out int instance;
            void main() {
                instance = gl_InstanceID;
                gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, gl_InstanceID, 1.0);
            }""",
        # The first instance passes the depth test, the second one does not.
        fragment_shader="""#version 430 core
            flat in int instance;
            out vec4 colour;
            void main() { colour = instance == 0 ? vec4(0.6, 0.4, 0.0, 0.4) : vec4(1.0); }""",
    )
    array = ctx.vertex_array(program, [])
    context: Any = ctx  # moderngl's annotations know neither four blend factors nor a scissor of None
    target = ctx.framebuffer([ctx.renderbuffer((64, 64), 4)], ctx.depth_renderbuffer((64, 64)))

    def draw(between):
        target.use()
        target.clear(0.2, 0.2, 0.2, 1.0, depth=0.6)
        ctx.enable_only(moderngl.BLEND | moderngl.DEPTH_TEST)
        context.blend_func = (moderngl.ONE, moderngl.ONE, moderngl.ZERO, moderngl.ONE)
        context.blend_equation = equation
        bound: Any = target
        bound.viewport = (8, 8, 40, 40)
        bound.scissor = (16, 16, 40, 40)
        between()
        assert ctx.fbo is target
        assert target.viewport == (8, 8, 40, 40)
        assert target.scissor == (16, 16, 40, 40)
        array.render(moderngl.TRIANGLES, vertices=3, instances=2)
        bound.scissor = None
        bound.viewport = (0, 0, 64, 64)
        return target.read(components=4)

    try:
        expected = draw(lambda: None)
        # Inside the scissor, blended with what was there: the larger of the two, or their sum.
        assert {expected[i : i + 3] for i in range(0, len(expected), 4)} == {
            bytes((51, 51, 51)),
            bytes(drawn),
        }
        with Overlay(ctx, profiler, rate=rate) as overlay:
            for _ in range(2):  # the first time the cached layer is drawn too
                assert draw(lambda: overlay.render(framebuffer)) == expected
            assert draw(lambda: None) == expected
    finally:
        ctx.enable_only(moderngl.NOTHING)
        context.blend_func = moderngl.DEFAULT_BLENDING
        context.blend_equation = moderngl.FUNC_ADD
        array.release()
        program.release()
        release(ctx, target)


@pytest.mark.parametrize("rate", [math.inf, 15.0], ids=["direct", "cached"])
def test_a_bound_target_gets_its_own_viewport_and_scissor_back(ctx, framebuffer, profiler, rate):
    overlay = Overlay(ctx, profiler, rate=rate)
    framebuffer.viewport = (5, 6, 70, 80)
    overlay.render()
    assert framebuffer.viewport == (5, 6, 70, 80)
    framebuffer.viewport = (0, 0, *SIZE)
    framebuffer.clear(*BACKGROUND)
    framebuffer.scissor = (0, 0, 10, 10)
    overlay.render()
    assert framebuffer.scissor == (0, 0, 10, 10)
    assert changed(framebuffer).sum() > 1000
    framebuffer.scissor = None
    overlay.release()


def test_clearing_part_of_a_cached_layer_leaves_the_program_its_scissor(ctx, framebuffer):
    cached = CachedLayer(ctx)
    framebuffer.clear(*BACKGROUND)
    target = cached.cleared((60, 50))
    target.clear(1.0, 1.0, 1.0, 1.0)
    framebuffer.scissor = (16, 16, 40, 30)
    cached.cleared((60, 50), (10, 5, 30, 25))
    framebuffer.clear(1.0, 0.0, 0.0)
    framebuffer.scissor = None
    assert changed(framebuffer).sum() == 40 * 30
    empty = np.frombuffer(target.read(components=4), np.uint8).reshape(50, 60, 4)[::-1].max(axis=-1) == 0
    assert empty[5:25, 10:30].all()
    assert empty.sum() == 20 * 20
    cached.release()


@pytest.mark.parametrize("rate", [math.inf, 1e9], ids=["direct", "cached"])
def test_five_hundred_frames_leave_nothing_behind(ctx, profiler, rate):
    small = ctx.framebuffer([ctx.renderbuffer((32, 32), 4)])
    small.use()
    overlay = Overlay(ctx, profiler, rate=rate)

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
    release(ctx, small)


def made_by(overlay):
    """Kinds and names of the GL objects an overlay holds."""
    renderer, cached = overlay._layer._renderer, overlay._cached
    made = [("Buffer", renderer._vertices.glo), ("Buffer", renderer._indices.glo), ("VertexArray", renderer._array.glo)]
    made += [("Texture", name) for name in (*renderer._textures, overlay._panel._chart.texture.glo)]
    if cached is not None:
        made += [("VertexArray", cached._array.glo), ("Texture", cached.texture.glo)]
        made += [("Framebuffer", cached._framebuffer.glo)]
    return made


@pytest.mark.parametrize("rate", [math.inf, 15.0], ids=["direct", "cached"])
def test_release_frees_every_gl_object(ctx, profiler, framebuffer, rate):
    overlay = Overlay(ctx, profiler, rate=rate)
    overlay.render()

    def alive():
        return [
            load_function(ctx, f"glIs{kind}", ctypes.c_ubyte, ctypes.c_uint)(name) for kind, name in made_by(overlay)
        ]

    assert len(alive()) >= 5
    assert all(alive())
    overlay.release()
    assert not any(alive())


def test_panels_share_a_layer_with_the_overlay(ctx, profiler, framebuffer):
    framebuffer.clear(*BACKGROUND)
    layer = ImguiLayer(ctx)
    overlay = Overlay(ctx, profiler, layer=layer)
    with profiler.frame(), layer.frame(framebuffer) as imgui:
        imgui.set_next_window_pos((460, 340))
        imgui.set_next_window_size((50, 50))
        imgui.begin("Panel")
        imgui.text("words")
        imgui.end()
        overlay.draw()
        with pytest.raises(GlfftError, match="open already"):
            overlay.render()
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


def test_an_exception_in_a_panel_leaves_the_layer_usable(ctx, framebuffer):
    layer = ImguiLayer(ctx)
    with pytest.raises(ZeroDivisionError), layer.frame():
        raise ZeroDivisionError
    with layer.frame() as imgui:
        imgui.text("still here")
    layer.release()


def test_another_layers_frame_goes_on_whatever_this_one_does(ctx, framebuffer, monkeypatch):
    def no_input():
        raise ZeroDivisionError

    outer = ImguiLayer(ctx)
    with outer.frame() as imgui:
        context = imgui.get_current_context()
        inner = ImguiLayer(ctx)
        assert imgui.get_current_context() is context
        with inner.frame():
            assert imgui.get_current_context() is not context
        assert imgui.get_current_context() is context
        with pytest.raises(ZeroDivisionError), inner.frame():
            raise ZeroDivisionError
        assert imgui.get_current_context() is context
        # Before its own frame begins.
        with monkeypatch.context() as patch:
            patch.setattr(inner, "_input", SimpleNamespace(poll=no_input))
            with pytest.raises(ZeroDivisionError), inner.frame():
                pass
        assert imgui.get_current_context() is context
        with inner.frame():
            imgui.text("once more")
        inner.release()
        assert imgui.get_current_context() is context
        imgui.text("still here")
    outer.release()


def test_new_glyphs_are_added_as_they_are_first_used(ctx, framebuffer):
    """The atlas is filled on demand: text in sizes and letters not seen before must show."""
    layer = ImguiLayer(ctx)
    for number in range(30):
        framebuffer.clear(0.0, 0.0, 0.0, 1.0)
        with layer.frame() as imgui:
            imgui.get_foreground_draw_list().add_text(
                layer.font, 20.0 + 4 * number, (5, 5), 0xFFFFFFFF, f"Äg{chr(ord('A') + number % 26)}"
            )
        assert pixels(framebuffer)[..., 0].max() == 255, f"text {number} did not show"
    layer.release()


def test_without_imgui_the_message_names_the_extra(ctx, profiler, monkeypatch):
    real = builtins.__import__

    def without(name, *arguments, **options):
        if name.startswith("imgui_bundle"):
            raise ImportError("No module named 'imgui_bundle'")
        return real(name, *arguments, **options)

    for name in [name for name in sys.modules if name.startswith("imgui_bundle")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[ui\]'"):
        Overlay(ctx, profiler)


def test_unknown_corners_and_rates(ctx, profiler):
    with pytest.raises(OptionError, match="choose one of top-left"):
        Overlay(ctx, profiler, corner="middle")
    for rate in (0, -15.0, math.nan):
        with pytest.raises(OptionError, match="above zero"):
            Overlay(ctx, profiler, rate=rate)


def test_the_example_draws_a_picture_with_the_overlay(ctx, monkeypatch, tmp_path):
    # One context a thread: the example gets the tests' own.
    monkeypatch.setattr(overlay_example, "open_context", lambda: ctx)
    out = tmp_path / "cubes.png"
    arguments = ["--headless", "--frames", "2", "--resolution", "600x400", "--cubes", "40", "--out", str(out)]
    assert overlay_example.main(arguments) == 0
    image = np.asarray(Image.open(out)).astype(int)
    assert image.shape == (400, 600, 3)
    background = image[-1, 0]
    assert image[12:340, 20:440].mean() < background.mean()  # the panel is darker than the haze
    scene = image[:, 460:]
    assert (np.abs(scene - background).max(axis=-1) > 20).mean() > 0.01  # and there are cubes beside it


def test_the_example_says_what_is_wrong(tmp_path, capsys):
    assert overlay_example.main(["--headless", "--out", str(tmp_path / "missing" / "a.png")]) == 1
    assert capsys.readouterr().err.startswith("overlay_example: Cannot write")
    for wrong in (["--frames", "0"], ["--resolution", "big"], ["--cubes", "-3"]):
        with pytest.raises(SystemExit) as stop:
            overlay_example.main(wrong)
        assert stop.value.code == 2


_WINDOW_SCRIPT = """
import glfw
from glfft.ui.imgui_layer import ImguiLayer
from glfft.ui.window import Window

heard = []
with Window("input", (300, 200)) as window:
    window.on_key(lambda key, modifiers: heard.append(key))
    layer = ImguiLayer(window.ctx, window)
    io = layer.imgui.get_io()
    pressed = typed = ""
    for step in range(14):
        window.poll()
        if step in (2, 3):  # before the click, which may take the focus from the panel
            action = glfw.PRESS if step == 2 else glfw.RELEASE
            layer._input._on_key(window.handle, glfw.KEY_TAB, 0, action, 0)
        if step == 6:
            assert not layer.wants_keyboard, "Tab opened a field, which takes the program's keys away"
            assert heard == [glfw.KEY_TAB]
            heard.clear()
            layer._input._on_button(window.handle, 0, glfw.PRESS, 0)
        if step == 7:
            layer._input._on_button(window.handle, 0, glfw.RELEASE, 0)
        if step == 12:
            layer._input._on_character(window.handle, ord("7"))
            layer._input._on_key(window.handle, glfw.KEY_A, 0, glfw.PRESS, glfw.MOD_SHIFT)
        with layer.frame() as imgui:
            imgui.set_next_window_pos((0, 0))
            imgui.set_next_window_size((300, 200))
            imgui.begin("panel")
            if step == 9:
                imgui.set_keyboard_focus_here()
            typed = imgui.input_text("words", typed)[1]
            imgui.end()
        window.swap()
        if step == 6:
            assert io.mouse_down[0]
    assert typed == "7", typed
    assert layer.wants_keyboard
    assert heard == [], "a key typed into a field reached the program"
    layer.release()
    window._on_key(window.handle, glfw.KEY_A, 0, glfw.PRESS, 0)
    assert heard == [glfw.KEY_A]
print("heard and typed")
"""


@pytest.mark.window
@pytest.mark.skipif(shutil.which("xvfb-run") is None, reason="needs xvfb-run")
def test_a_window_feeds_panels_and_the_example_opens_one():
    for arguments in (
        ["-c", _WINDOW_SCRIPT],
        ["-m", "glfft.demos.overlay_example", "--frames", "3", "--resolution", "320x200", "--cubes", "20"],
    ):
        finished = subprocess.run(
            ["xvfb-run", "-a", sys.executable, *arguments], capture_output=True, text=True, timeout=60, check=False
        )
        assert finished.returncode == 0, finished.stderr
