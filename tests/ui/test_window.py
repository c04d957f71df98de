"""A window where there is no display."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys

import glfw
import pytest
from support.displays import python, why_no_display

from glfft.ui.window import Window, has_display


def test_without_a_display_there_is_none(monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not has_display()
    with pytest.raises(Exception, match="--headless"), Window("none", (64, 64)):
        pass


def test_window_tests_are_skipped_only_where_no_display_can_be_had(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":7")
    assert why_no_display() is None
    monkeypatch.delenv("DISPLAY")
    assert "make test" in str(why_no_display())
    (tmp_path / "xvfb-run").touch(0o755)
    assert why_no_display() is None


def test_a_display_without_a_scale_is_an_ordinary_one(monkeypatch):
    # As to `ImguiLayer`: with another scale, programs would make their panel anew in every frame.
    for said, scale in ((0.0, 1.0), (2.0, 2.0)):
        monkeypatch.setattr(glfw, "get_window_content_scale", lambda handle, said=said: (said, said))
        assert Window("closed", (64, 64)).content_scale == scale


_FULL_SCREEN = """
import glfw
from glfft.ui.window import Window
with Window("full", (320, 200)) as window:
    glfw.set_window_pos(window.handle, 90, 70)
    def wait(done):
        for _ in range(200):
            window.poll()
            window.swap()
            if done():
                break
        return glfw.get_window_pos(window.handle), window.size
    print([
        wait(lambda: glfw.get_window_pos(window.handle) == (90, 70)),
        (window.toggle_full_screen(), wait(lambda: window.size[0] > 320))[1],
        (window.toggle_full_screen(), wait(lambda: window.size[0] == 320))[1],
    ])
"""


@pytest.mark.window
def test_a_window_fills_the_screen_and_comes_back_to_its_place():
    done = python("-c", _FULL_SCREEN, display=True)
    assert done.returncode == 0, done.stderr
    small, full, again = ast.literal_eval(done.stdout)
    assert small == again == ((90, 70), (320, 200))
    assert full[0] == (0, 0)
    assert full[1][0] > 320
    assert full[1][1] > 200


_HIDDEN = """
import glfw
from glfft.ui.window import Window
calls = []
wait, swap = glfw.wait_events_timeout, glfw.swap_buffers
glfw.wait_events_timeout = lambda seconds: calls.append("wait")
glfw.swap_buffers = lambda handle: (calls.append("swap"), swap(handle))
with Window("hidden", (64, 48)) as window:
    size = glfw.get_framebuffer_size
    for pixels in ((64, 48), (0, 0), (0, 48), (64, 48)):
        glfw.get_framebuffer_size = lambda handle: pixels
        window.swap()
    assert window.ctx.error == "GL_NO_ERROR"
print(calls)
"""


@pytest.mark.window
def test_a_loop_pauses_while_its_window_is_minimised():
    done = python("-c", _HIDDEN, display=True)
    assert done.returncode == 0, done.stderr
    assert ast.literal_eval(done.stdout) == ["swap", "wait", "wait", "swap"]


_TWO = """
from glfft.ui.window import Window, has_display
with Window("first", (64, 48)) as first:
    with Window("second", (64, 48)) as second:
        for _ in second.frames(2):
            second.ctx.screen.clear()
    assert has_display()
    for _ in first.frames(2):
        first.ctx.screen.clear(1.0, 0.0, 0.0)
        print(first.size, list(first.ctx.screen.read((0, 0, 1, 1))))
"""


@pytest.mark.window
def test_a_window_stays_when_another_one_is_closed():
    done = python("-W", "error", "-c", _TWO, display=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["(64, 48) [255, 0, 0]"] * 2


_DROPPED = """
from glfft.ui.window import Window
with Window("dropped", (64, 48)) as window:
    for _ in window.frames(3):
        window.ctx.texture((8, 8), 4).release()
        held = window.ctx.texture((8, 8), 4)
        del held
        print(len(window.ctx.objects))
    print(len(window.ctx.objects), window.ctx.error)
"""


@pytest.mark.window
def test_a_loop_frees_what_its_program_drops():
    done = python("-c", _DROPPED, display=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["2", "2", "2", "0", "GL_NO_ERROR"]


_LOST = """
import sys
from glfft.ui.window import Window
with Window("glfft sea", (64, 48)) as window:
    sys.stdout.write("open")
    sys.stdout.flush()
    sys.stdout.write(" and kept")
    while not window.should_close:
        window.poll()
        window.ctx.screen.clear()
        window.swap()
"""


@pytest.mark.window
@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed")
def test_losing_the_display_ends_the_program_with_a_sentence():
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "320x240x24", "-noreset"],
        pass_fds=[writing], stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writing)
    with os.fdopen(reading) as told:
        display = f":{told.readline().strip()}"
    # What is kept back must be so, whatever the tests were told.
    left_out = ("WAYLAND_DISPLAY", "PYTHONUNBUFFERED")
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    shown = subprocess.Popen(
        [sys.executable, "-c", _LOST],
        env={**environment, "DISPLAY": display},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert shown.stdout is not None
        assert shown.stdout.read(4) == "open"
        server.kill()
        rest, said = shown.communicate(timeout=60)
    finally:
        for each in (shown, server):
            each.kill()
            each.wait()
    assert (shown.returncode, rest) == (1, " and kept")
    assert said == "glfft sea: The display was lost, and the window with it.\n"
