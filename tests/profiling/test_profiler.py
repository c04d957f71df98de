"""The profiler: which times belong to which section, late reading, and nothing left behind."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import pytest
from support.profiling import busy, drained
from support.programs import lines_of

from glfft.errors import GlfftError, OptionError, ReleasedError
from glfft.gl.context import is_software
from glfft.profiling import profiler as profiler_module
from glfft.profiling.profiler import Profiler, saved_at_end
from glfft.profiling.timing import GPU_TIMER, WALL_TIMER


@pytest.fixture
def gpu_profiler(ctx, monkeypatch):
    """A profiler that uses timestamp queries whatever the renderer is."""
    monkeypatch.setattr(profiler_module, "is_software", lambda _: False)
    with Profiler(ctx, history=16, frames_in_flight=3) as made:
        yield made


def paths(profiler):
    return [section.path for section in drained(profiler).sections]


def test_timer_is_wall_time_on_a_software_renderer(ctx, profiler):
    assert profiler.timer == (WALL_TIMER if is_software(ctx) else GPU_TIMER)
    assert profiler.statistics().timer == profiler.timer
    assert json.loads(profiler.to_json())["timer"] == profiler.timer


def test_sections_come_parents_first_in_the_order_they_ran(profiler):
    for _ in range(2):
        with profiler.frame():
            with profiler.section("waves"):
                with profiler.section("rows"):
                    pass
                with profiler.section("columns"):
                    pass
            with profiler.section("scene"), profiler.section("rows"):
                pass
    expected = [("waves",), ("waves", "rows"), ("waves", "columns"), ("scene",), ("scene", "rows")]
    assert paths(profiler) == expected
    assert [section.depth for section in profiler.statistics().sections] == [0, 1, 1, 0, 1]
    assert profiler.statistics().section("scene/rows").path == ("scene", "rows")


def test_outer_sections_contain_inner_ones(profiler):
    with profiler.frame(), profiler.section("outer"):
        busy(0.001)
        with profiler.section("inner"):
            busy(0.002)
    statistics = drained(profiler)
    inner, outer = statistics.section("outer/inner"), statistics.section("outer")
    assert inner.cpu.last >= 2.0
    assert outer.cpu.last >= inner.cpu.last + 1.0
    assert statistics.frame.cpu.last >= outer.cpu.last
    assert statistics.frame.time.last >= outer.time.last >= inner.time.last >= 0.0


def test_a_wait_within_another_is_left_out_of_cpu_time_once(profiler):
    with profiler.frame(), profiler.section("sea"):
        with profiler.wait("own"), profiler.wait("readback"):
            busy(0.01)
        busy(0.002)
    assert drained(profiler).section("sea").cpu.last >= 2.0


def test_a_name_used_twice_adds_up(profiler):
    with profiler.frame():
        for _ in range(3):
            with profiler.section("blur"):
                busy(0.001)
    section = drained(profiler).section("blur")
    assert section.frames == 1
    assert section.cpu.last >= 3.0


def test_time_covers_the_drawing_itself(ctx):
    program = ctx.program(
        vertex_shader="""#version 430 core
            void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }""",
        fragment_shader="""#version 430 core
            out vec4 colour;
            uniform int rounds;
            void main() {
                float x = gl_FragCoord.x;
                for (int i = 0; i < rounds; ++i) x = sin(x) + 1.5;
                colour = vec4(x);
            }""",
    )
    program["rounds"] = 500 if is_software(ctx) else 50_000
    heavy = ctx.vertex_array(program, [])
    target = ctx.framebuffer([ctx.renderbuffer((256, 256), 4)])
    target.use()
    with Profiler(ctx) as profiler:
        for _ in range(6):  # the first run compiles
            with profiler.frame():
                with profiler.section("work"):
                    heavy.render(moderngl.TRIANGLES, vertices=3)
                with profiler.section("nothing"):
                    pass
        drained(profiler)
        timeline = profiler.timeline()
    # Other programs may use the GPU in between.
    work, nothing = (timeline.time[(name,)][1:].min() for name in ("work", "nothing"))
    ctx.detect_framebuffer(0).use()
    for item in (heavy, program, *target.color_attachments, target):
        item.release()
    # Left in the queue, the work would cost its section nothing and whoever finishes next everything.
    assert work > 5 * nothing
    assert work > 2 * timeline.cpu[("work",)][1:].min()


def test_timestamps_are_read_late_and_in_order(gpu_profiler, monkeypatch):
    clock = gpu_profiler._clock
    monkeypatch.setattr(clock, "ready", lambda _: False)
    for _ in range(2):
        with gpu_profiler.frame(), gpu_profiler.section("draw"):
            pass
    assert gpu_profiler.statistics().frames == 0
    monkeypatch.setattr(clock, "ready", lambda _: True)
    gpu_profiler.collect()
    timeline = gpu_profiler.timeline()
    assert timeline.numbers.tolist() == [1, 2]
    assert gpu_profiler.timer == GPU_TIMER
    assert np.all(timeline.time[()] >= timeline.time[("draw",)])


def test_timestamps_of_nested_sections_nest(ctx, gpu_profiler):
    framebuffer = ctx.framebuffer([ctx.renderbuffer((64, 64), 4)])
    with gpu_profiler.frame(), gpu_profiler.section("outer"):
        framebuffer.clear()
        with gpu_profiler.section("inner"):
            framebuffer.clear(1.0)
    gpu_profiler.drain()
    statistics = gpu_profiler.statistics()
    framebuffer.release()
    assert statistics.frames == 1
    inner, outer = statistics.section("outer/inner").time.last, statistics.section("outer").time.last
    assert 0.0 <= inner <= outer <= statistics.frame.time.last


def test_a_full_ring_drops_whole_frames_and_never_waits(ctx, gpu_profiler, monkeypatch):
    def must_not_wait(_):
        raise AssertionError("waited for a result")

    clock = gpu_profiler._clock
    with monkeypatch.context() as patched:
        patched.setattr(clock, "ready", lambda _: False)
        patched.setattr(clock, "take", must_not_wait)
        for _ in range(5):
            with gpu_profiler.frame(), gpu_profiler.section("draw"):
                pass
        assert gpu_profiler.dropped == 2
    gpu_profiler.drain()
    assert gpu_profiler.timeline().numbers.tolist() == [1, 2, 3]
    assert gpu_profiler.statistics().section("draw").frames == 3
    with gpu_profiler.frame():
        pass
    gpu_profiler.drain()
    assert gpu_profiler.timeline().numbers.tolist() == [1, 2, 3, 6]


def test_a_frame_left_by_an_exception_is_not_recorded(profiler):
    with pytest.raises(ZeroDivisionError), profiler.frame(), profiler.section("broken"):
        raise ZeroDivisionError
    assert not profiler.in_frame
    with profiler.frame(), profiler.section("whole"):
        pass
    assert paths(profiler) == [("whole",)]


def test_an_exception_caught_inside_the_frame_costs_nothing(profiler):
    with profiler.frame():
        with pytest.raises(ZeroDivisionError), profiler.section("broken"):
            raise ZeroDivisionError
        with profiler.section("after"):
            pass
    assert paths(profiler) == [("broken",), ("after",)]


def test_a_section_left_open_by_a_generator_ends_with_its_frame(profiler):
    def half_way():
        with profiler.section("left open"):
            yield

    generator = half_way()
    with profiler.frame():
        next(generator)
    generator.close()
    with profiler.frame(), profiler.section("next"):
        pass
    assert paths(profiler) == [("left open",), ("next",)]


def test_a_name_with_half_a_surrogate_is_a_name(profiler):
    with profiler.frame(), profiler.section("\udc80"):
        pass
    assert paths(profiler) == [("\udc80",)]


def test_a_section_that_could_not_begin_is_not_open(profiler, monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    with profiler.frame():
        monkeypatch.setattr(profiler._clock, "mark", interrupted)
        with pytest.raises(KeyboardInterrupt), profiler.section("never"):
            pass
        monkeypatch.undo()
    with profiler.frame(), profiler.section("next"):
        pass
    assert paths(profiler)[-1] == ("next",)


def test_misuse_is_a_sentence(profiler):
    with pytest.raises(GlfftError, match=r"outside a frame; wrap it in 'with profiler\.frame\(\)"):
        profiler.section("early").__enter__()
    with profiler.frame():
        with pytest.raises(GlfftError, match="open already"), profiler.frame():
            pass
        twice = profiler.section("twice")
        with twice, pytest.raises(GlfftError, match="open already"):
            twice.__enter__()
    profiler.section("never entered").__exit__(None, None, None)
    for name in ("", "a/b", None, 3):
        with pytest.raises(OptionError, match="cannot name a section"):
            profiler.section(name)
    with pytest.raises(OptionError, match="No section 'sea' was recorded; there are: twice"):
        drained(profiler).section("sea")


@pytest.mark.parametrize("arguments", [{"history": 0}, {"history": 2.5}, {"history": 10**12}, {"frames_in_flight": -1}])
def test_sizes_must_be_counts(ctx, arguments):
    with pytest.raises(OptionError, match="whole number above 0"):
        Profiler(ctx, **arguments)


def test_a_released_profiler_can_be_read_but_not_used(profiler):
    with profiler.frame(), profiler.section("draw"):
        pass
    profiler.release()
    profiler.release()
    with pytest.raises(ReleasedError, match="has been released"), profiler.frame():
        pass
    assert profiler.statistics().section("draw").frames == 1


def test_a_disabled_profiler_records_nothing_and_never_finishes(ctx, profiler, monkeypatch):
    profiler.enabled = False
    monkeypatch.setattr(profiler._clock, "mark", lambda: pytest.fail("marked while disabled"))
    with profiler.frame(), profiler.section("draw"):
        pass
    monkeypatch.undo()
    assert drained(profiler).frames == 0
    assert profiler.dropped == 0
    profiler.enabled = True
    with profiler.frame(), profiler.section("draw"):
        pass
    # The pause before this frame is not a frame time.
    assert math.isnan(drained(profiler).since_previous.last)


def test_clear_forgets(profiler):
    with profiler.frame(), profiler.section("old"):
        pass
    assert profiler.cleared == 0
    profiler.clear()
    assert profiler.cleared == 1
    assert profiler.statistics().frames == 0
    assert profiler.statistics().sections == ()


def test_what_is_done_between_frames_counts_in_none(profiler):
    done = []
    with profiler.frame():
        profiler.before_next_frame(lambda: done.append(profiler.in_frame))
        assert not done
    for _ in range(2):
        with profiler.frame():
            assert done == [False]
    profiler.drain()
    assert np.isnan(profiler.timeline().since_previous).tolist() == [True, True, False]


def test_queries_are_reused(ctx, gpu_profiler):
    def frames(count):
        for _ in range(count):
            with gpu_profiler.frame():
                for name in ("a", "b", "c"):
                    with gpu_profiler.section(name):
                        pass
            ctx.finish()
            gpu_profiler.collect()

    frames(8)
    made = len(gpu_profiler._clock._made)
    frames(1000)
    assert len(gpu_profiler._clock._made) == made


def test_a_forgotten_profiler_gives_its_queries_back(ctx, monkeypatch):
    monkeypatch.setattr(profiler_module, "is_software", lambda _: False)
    forgotten = Profiler(ctx)
    with forgotten.frame():
        pass
    stamps: Any = forgotten._clock
    assert stamps._made
    del forgotten
    with Profiler(ctx):  # making any glfft object releases what was dropped
        assert not stamps._made


def test_an_old_context_is_refused():
    with pytest.raises(GlfftError, match=r"moderngl\.Context is needed"):
        Profiler(object())  # pyright: ignore[reportArgumentType]


OTHER_CONTEXT = """
import glfft
from glfft.errors import GlfftError
from glfft.profiling import profiler as module

def tell(call):
    try:
        call()
        print("done")
    except GlfftError as error:
        print(type(error).__name__)

def frame(profiler):
    with profiler.frame():
        pass

module.is_software = lambda ctx: False
first, second = glfft.open_context(), glfft.open_context()
tell(lambda: glfft.Profiler(first))
first.__enter__()
waiting, used, released = (glfft.Profiler(first) for _ in range(3))
for profiler in (waiting, used, released):
    frame(profiler)
second.__enter__()
tell(lambda: frame(used))
tell(waiting.drain)
tell(released.release)
print(used.statistics().frames, second.error)
first.__enter__()
tell(lambda: frame(used))
waiting.drain()
print(waiting.statistics().frames, first.error)
first.release()
tell(lambda: frame(used))
tell(used.release)
"""


def test_a_profiler_whose_context_is_not_current_says_so_and_takes_in_nothing() -> None:
    assert lines_of(OTHER_CONTEXT) == [
        *["NotCurrentError"] * 3,
        "done",
        "0 GL_NO_ERROR",
        "done",
        "1 GL_NO_ERROR",
        "ReleasedError",
        "done",
    ]


def test_annotations_leave_no_gl_error(ctx: moderngl.Context, profiler):
    with profiler.frame(), profiler.section("naïve – Wellen"):
        pass
    assert ctx.error == "GL_NO_ERROR"


@pytest.mark.parametrize("stop", [None, KeyboardInterrupt, SystemExit(143)])
def test_a_report_is_written_at_the_end_also_by_ctrl_c(profiler, tmp_path, capsys, stop):
    names = [str(tmp_path / name) for name in ("a.json", "a.trace.json")]

    def draw():
        with saved_at_end(profiler, names[0], None, names[1]):
            with profiler.frame():
                pass
            with profiler.frame():
                if stop is not None:
                    raise stop

    if stop is None:
        draw()
    else:
        with pytest.raises(type(stop) if isinstance(stop, SystemExit) else stop):
            draw()
    assert capsys.readouterr().out.splitlines() == names
    report, trace = (json.loads(Path(name).read_text()) for name in names)
    assert len(report["timeline"]["numbers"]) == (2 if stop is None else 1)
    assert {event["args"]["frame"] for event in trace["traceEvents"] if event["ph"] == "X"} >= {1}


def test_a_failure_leaves_no_report(profiler, tmp_path):
    with pytest.raises(ZeroDivisionError), saved_at_end(profiler, str(tmp_path / "a.json")):
        raise ZeroDivisionError
    assert not list(tmp_path.iterdir())
