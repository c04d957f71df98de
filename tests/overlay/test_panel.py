"""What the panel shows: the plot, the bar of the sections, the table and its labels."""

from __future__ import annotations

import numpy as np
import pytest
from support.drawing import BACKGROUND, changed, pixels, release, run
from support.profiling import FrameSample

from glfft.gl.context import is_software
from glfft.profiling.trace import GPU_BOUND, SOFTWARE, Balance

pytest.importorskip("imgui_bundle")

from glfft.overlay import panel
from glfft.overlay.shapes import Canvas


@pytest.fixture
def framebuffer(ctx):
    """One with room for the whole panel."""
    made = ctx.framebuffer([ctx.renderbuffer((1000, 820), 4)])
    made.use()
    yield made
    release(ctx, made)


def plot_of(overlay):
    """Rows and columns of the plot in the picture."""
    left, top, right, bottom = overlay._panel.plot
    return slice(12 + top, 12 + bottom), slice(12 + left, 12 + right)


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
        profiler._recorder.record(sample, warm_up=False)
    framebuffer.clear(*BACKGROUND)
    overlay.render()
    rows, columns = plot_of(overlay)
    layout = overlay._panel.contents.layout
    top = rows.stop + round(layout.gap)
    bar = pixels(framebuffer)[top : top + round(layout.bar), columns, :3].astype(int)

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
        plot = pixels(framebuffer)[(*plot_of(overlay), slice(3))].astype(int)
        return (np.abs(plot - (88, 150, 214)).max(axis=-1) <= 3).sum(axis=0)

    def record(count, ms):
        for _ in range(count):
            sample = FrameSample(profiler.recorded, None)
            sample.add(("waves",), ms, ms)
            sample.add((), ms, ms)
            profiler._recorder.record(sample, warm_up=False)

    record(30, 10.0)
    tall = columns()
    assert np.flatnonzero(tall).tolist() == list(range(408 - 60, 408))
    record(10, 5.0)
    both = columns()
    assert np.flatnonzero(both).tolist() == list(range(408 - 80, 408))
    assert np.array_equal(both[408 - 80 : 408 - 20], tall[408 - 60 :])
    # 20 ms is the full height of 48; the line at 16.7 ms is above both.
    assert abs(int(tall[-1]) - 24) <= 1
    assert abs(int(both[-1]) - 12) <= 1


@pytest.mark.parametrize("warm_up", [True, False])
def test_warm_up_does_not_flatten_the_plot_unless_there_is_nothing_else(profiler, framebuffer, overlay, warm_up):
    before = None
    for ms in (900.0, 900.0, *[10.0] * 20):
        sample = FrameSample(profiler.recorded, before)
        sample.add((), ms, ms)
        profiler._recorder.record(sample, warm_up=warm_up and ms == 900.0)
        before = ms
        if profiler.recorded in (2, 22):
            overlay.refresh()
            overlay.render()
            top = overlay._panel.contents.ceiling
            assert top == (1200.0 if profiler.recorded == 2 or not warm_up else 20.0)


@pytest.fixture
def words(monkeypatch):
    """What is written on the panel, in order."""
    written = []
    write = Canvas.text
    monkeypatch.setattr(Canvas, "text", lambda *a, **k: written.append(a[3]) or write(*a, **k))
    return written


def test_the_header_has_the_milliseconds_of_a_frame_and_frames_a_second(profiler, framebuffer, overlay, words):
    for number in range(10):
        sample = FrameSample(number, 8.0)
        sample.add((), 5.0, 5.0)
        profiler._recorder.record(sample, warm_up=False)
    overlay.render()
    interval, unit, rate = words[:3]
    assert (float(interval), unit, rate) == (8.0, "ms", "125")


def test_every_word_on_it_is_labelled_with_the_timer(ctx, profiler, framebuffer, overlay, words):
    run(profiler, framebuffer, overlay, frames=2)
    assert any(word.startswith(f"{profiler.timer}, last 1 frame") for word in words)
    assert (SOFTWARE in words) == is_software(ctx)
    assert {"p50", "p95", "p99", "max", "cpu p50", "16.7 ms", "section, ms", "frame"} <= set(words)
    assert any(word.startswith("overlay") and word.endswith("ms cpu") for word in words)


def test_each_pass_has_its_share_of_a_copy(profiler, framebuffer, overlay, words, monkeypatch):
    monkeypatch.setattr(panel, "copy_bandwidth", lambda _: 4e9)
    for number in range(10):
        sample = FrameSample(number, None)
        sample.add(("waves", "rows"), 2.0, 1.0, 6_000_000)
        for path in (("waves",), ()):
            sample.add(path, 4.0, 1.0)
        profiler._recorder.record(sample, warm_up=False)
    overlay.render()
    assert "of copy" in words
    assert not any(word.endswith("%") for word in words), "it is measured between frames"
    with profiler.frame():
        pass
    words.clear()
    overlay.refresh()
    overlay.render()
    # 6 MB in 2 ms, and with what else is in the outer section in 4, of 4 GB/s.
    assert [word for word in words if word.endswith("%")] == ["38%", "75%"]


def test_it_says_who_sets_the_pace(profiler, framebuffer, overlay, words, monkeypatch):
    monkeypatch.setattr(type(profiler), "balance", lambda _: Balance(GPU_BOUND, 0.97, 0.41))
    overlay.render()
    assert {"GPU-bound", "busy: GPU 97%, CPU 41%"} <= set(words)


def test_many_sections_with_long_names_fit(ctx, profiler, overlay):
    tall = ctx.framebuffer([ctx.renderbuffer((1300, 720), 4)])
    tall.use()
    names = [f"a pass with a name that is far too long for its column, {number}" for number in range(30)]
    run(profiler, tall, overlay, frames=2, names=names)
    columns = np.flatnonzero(changed(tall).any(axis=0))
    assert columns[-1] < 12 + 430
    release(ctx, tall)
