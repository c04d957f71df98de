"""The ocean's window under a display of its own: keys, sizes, tuning."""

from __future__ import annotations

import ast
import re

import pytest
from PIL import Image
from support.displays import GLARE_OF_FEW_ROWS, QUICK_KERNELS, python

_QUICK = QUICK_KERNELS + GLARE_OF_FEW_ROWS

_PRESS_KEYS = """
import glfw
from glfft.apps.ocean import window
from glfft.sea.settings import OceanSettings
from glfft.apps.ocean.shot import Shot

seen = []
class Show(window._Show):
    def _draw(self, tuning_seconds):
        super()._draw(tuning_seconds)
        step = len(seen)
        buoys = len(self._scene.buoys.anchors)
        seen.append((self._simulation.settings.wind, self._simulation.algorithm, self._controls.paused, buoys))
        key = {0: glfw.KEY_P, 1: glfw.KEY_RIGHT_BRACKET, 2: glfw.KEY_TAB, 3: glfw.KEY_SPACE, 4: glfw.KEY_O,
               5: glfw.KEY_H, 6: glfw.KEY_R, 7: glfw.KEY_U, 8: glfw.KEY_ESCAPE}.get(step)
        if key is not None:
            self._on_key(key, 0)
window._Show = Show
window._TUNING_SHARE = 0.0  # no tuning, which has a test of its own
window.show(Shot(OceanSettings(size=32, tile=60.0, foam_lifetime=0.1)), (128, 72), overlay=True)
print(seen)
"""


@pytest.mark.window
def test_keys_take_a_picture_change_the_sea_and_quit(folder):
    done = python("-c", _QUICK + _PRESS_KEYS, display=True)
    assert done.returncode == 0, done.stderr
    assert Image.open("out/ocean-001.png").size == (128, 72)
    seen = ast.literal_eval(done.stdout.splitlines()[-1])
    assert seen[1][0] == 10.0
    assert seen[2][0] == 11.0
    assert seen[3][1] == "ping-pong-cooley-tukey", "the first of all algorithms, chosen while the sea is shown"
    assert seen[4][2]
    assert seen[7:] == [(10.0, "auto", False, 0), (10.0, "auto", False, 12)]


_CHOOSE = """
import sys
sys.modules["imgui_bundle"] = None
import glfw
from glfft.apps.ocean import window
from glfft.sea.settings import OceanSettings
from glfft.apps.ocean.shot import Shot

class Show(window._Show):
    def _draw(self, tuning_seconds):
        super()._draw(tuning_seconds)
        print(self._simulation.algorithm, self._controls.message)
        self._on_key(glfw.KEY_TAB, 0)
window._Show = Show
window.OceanScene.draw = lambda *_, **__: None  # the sea is computed alone
window.show(Shot(OceanSettings(size=24, tile=60.0, foam_lifetime=0.1), frames=2), (96, 64))
"""


@pytest.mark.window
def test_without_imgui_the_window_runs_on_keys_and_passes_over_algorithms_that_cannot_do_the_sea(folder):
    """Those for powers of two alone; the test of the keys has the first of all. That imgui is missing is said once."""
    done = python("-c", _QUICK + _CHOOSE, display=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("'.[ui]'") == 1
    assert [line.strip() for line in done.stdout.splitlines()][-2:] == ["auto", "any-radix-stages"]


_TWO_WINDOWS = """
import sys
from glfft.commands.cli import main
for size in ("1024x10", "16x600"):
    options = ("--resolution", size, "--frames", "3", "--profile", f"{size}.json")
    if code := main(["ocean", "--size", "32", "--tile", "300", *options]):
        sys.exit(code)
"""


@pytest.mark.window
def test_a_very_wide_or_high_window_draws(folder):
    """One after the other, in one process."""
    done = python("-c", _QUICK + _TWO_WINDOWS, display=True)
    assert (done.returncode, done.stderr) == (0, "")
    said = done.stdout.splitlines()
    assert sum("Esc quit" in line for line in said) == 2
    without_card = sum("software renderer" in line for line in said)
    assert sum("quality minimal" in line for line in said) == without_card, "less is drawn, and said"
    for size in ("1024x10", "16x600"):
        assert said.count(f"{size}.json") == 1
        assert "waves" in (folder / f"{size}.json").read_text()
    assert said[-1] == "16x600.json"


_TOO_LARGE = """
import sys
from glfft.commands.cli import main
from glfft.sea import waves
from glfft.gl.context import ContextState
class LittleRoom:
    def __init__(self, known): self.known = known
    def __getattr__(self, name): return 64 if name == "texture_size" else getattr(self.known, name)
ContextState.limits = property(lambda state: LittleRoom(state.device.limits))
def computed(settings): raise AssertionError("the sea was computed before its size was checked")
waves.energy_density = computed
sys.exit(main(["ocean", "--size", "128"]))
"""


@pytest.mark.window
def test_a_sea_too_large_for_a_window_is_refused_before_it_is_computed(folder):
    done = python("-c", _TOO_LARGE, display=True)
    assert (done.returncode, done.stderr) == (
        1,
        "glfft ocean: The ocean's size is 128 and this device's textures have at most 64 texels a side; choose a "
        "smaller size.\n",
    )


_TUNE = """
from glfft.apps.ocean import window
from glfft.tuning import search, tuner
from glfft.sea.settings import OceanSettings
from glfft.apps.ocean.shot import Shot

class Show(window._Show):
    def _draw(self, tuning_seconds):
        super()._draw(tuning_seconds)
        if self._tuning.message.startswith("tuned"):
            self._window.close()
window._Show = Show
window._TUNING_SHARE = 10.0
window.OceanScene.draw = lambda *_, **__: None  # the panel is drawn alone
search._MOST = search._MOST_QUICK = 3
search._MOST_NEIGHBOURS = 0
tuner.Precompiler.pauses = lambda self, spec: ()  # a process takes longer to start than this to compile
draw_panel, lines = window.draw_panel, []
def draw(imgui, controls, readings, *given):
    lines.append(readings.tuning)
    draw_panel(imgui, controls, readings, *given)
window.draw_panel = draw
window.show(Shot(OceanSettings(size=16, tile=600.0, foam_lifetime=0.1)), (96, 64))
print(*dict.fromkeys(lines), sep="|")
"""


@pytest.mark.window
def test_the_window_tunes_by_itself_and_says_what_it_found(folder):
    done = python("-c", _TUNE, display=True)
    assert done.returncode == 0, done.stderr
    first, *_, last = done.stdout.splitlines()[-1].split("|")
    assert first.startswith("tuning: ")
    assert re.fullmatch(r"tuned: (nothing faster was found|transforms \d+\.\d\d times as fast)", last)


_MEASURE = """
import glfw
from glfft.apps.ocean import window
from glfft.sea.compare import Way
from glfft.sea.settings import OceanSettings
from glfft.apps.ocean.shot import Shot

seen = []
class Show(window._Show):
    def _draw(self, tuning_seconds):
        self._time += 0.07
        super()._draw(tuning_seconds)
        seen.append(None)
        if len(seen) == 1:
            self._on_key(glfw.KEY_M, 0)
            self._controls.other = Way("auto", "f4", fused=False)
            self._controls.compare = True
        if len(seen) == 4:
            before = self._scene.sky.weather
            self._controls.choose_preset("lagoon")
            self._obey()
            print("morphing", self._simulation.morphing, self._scene.sky.weather == before != self._controls.weather)
        measured = self._measurements and self._measurements.measured
        if measured and len(measured.checks) == 8 and self._comparison or len(seen) == 400:
            print("measured", measured is not None, self._comparison.dispatches, self._controls.preset)
            self._on_key(glfw.KEY_ESCAPE, 0)
window._Show = Show
window.show(Shot(OceanSettings(size=32, tile=600.0, wind=8.0, foam_lifetime=0.1)), (320, 600), overlay=True)
"""


@pytest.mark.window
@pytest.mark.slow
def test_the_sea_is_measured_while_it_is_shown_and_presets_morph(folder):
    done = python("-c", _QUICK + _MEASURE, display=True)
    assert done.returncode == 0, done.stderr
    assert "morphing True True" in done.stdout
    assert "measured True (2, 6) lagoon" in done.stdout


_SIZES = """
import glfw
from glfft.apps.ocean import window
from glfft.apps.ocean.camera import read_camera_path
from glfft.sea.settings import OceanSettings
from glfft.apps.ocean.shot import Shot

seen = []
size, position = glfw.get_framebuffer_size, glfw.get_cursor_pos
pixels = 1
def framebuffer_size(handle):
    return tuple(pixels * side for side in size(handle))
glfw.get_framebuffer_size = framebuffer_size
glfw.get_window_content_scale = lambda handle: (max(1.0, pixels),) * 2
glfw.wait_events_timeout = lambda seconds: seen.append("wait")

class Show(window._Show):
    def _obey(self):
        global pixels
        super()._obey()
        self.asked = getattr(self, "asked", 0) + 1
        if self.asked == 2:
            glfw.set_window_size(self._window.handle, 120, 80)
        if self.asked in (4, 6, 9):
            pixels = {4: 0, 6: 2, 9: 1}[self.asked]
        if self.asked == 10:
            self._on_key(glfw.KEY_P, 0)
        if self.asked == 12:
            self._on_key(glfw.KEY_ESCAPE, 0)
    def _draw(self, tuning_seconds):
        super()._draw(tuning_seconds)
        assert self._window.ctx.error == "GL_NO_ERROR"
        assert self._scene.size == self._quality.drawn(self._window.size, in_window=True)
        at = tuple(round(each, 1) for each in self._controls.camera.position)
        seen.append((self.asked, self._window.size, self._layer.scale, round(self._time, 3), at[1]))
window._Show = Show
averaged = window.averaged
window.averaged = lambda picture, size: (seen.append(picture.shape), averaged(picture, size))[1]
shot = Shot(OceanSettings(size=32, tile=300.0), path=read_camera_path("path.toml"), quality="minimal",
            supersampling=4, frames=50, frames_per_second=10.0)
window.show(shot, (96, 64))
print(seen)
"""


@pytest.mark.window
@pytest.mark.slow
def test_a_window_changes_its_size_and_density_hides_and_comes_back_and_follows_a_path(folder):
    pytest.importorskip("imgui_bundle")
    places = ("time = 0\nposition = [0, 10, 0]\n", "time = 2\nposition = [0, 30, 0]\n")
    (folder / "path.toml").write_text("".join(f"[[camera]]\n{each}" for each in places))
    done = python("-c", _QUICK + _SIZES, display=True)
    assert done.returncode == 0, done.stderr
    seen = ast.literal_eval(done.stdout.splitlines()[-1])
    seen.remove((320, 480, 3))  # the screenshot before it is averaged, rows first
    drawn = {each[0]: each[1:] for each in seen if each != "wait"}
    assert seen.count("wait") == 2
    assert sorted(drawn) == [1, 2, 3, 6, 7, 8, 9, 10, 11, 12]
    assert drawn[1][:2] == ((96, 64), 1.0)
    assert drawn[3][:2] == ((120, 80), 1.0)
    assert drawn[7][:2] == ((240, 160), 2.0)
    assert drawn[12][:2] == ((120, 80), 1.0)
    # The sea waited while it was hidden; the camera goes from 10 to 30 m in two seconds.
    assert [each[2] for each in drawn.values()] == pytest.approx([0.1 * index for index in range(10)])
    heights = [each[3] for each in drawn.values()]
    assert heights[0] == 10.0
    assert heights == sorted(heights)
    assert 10 < heights[-1] < 30
    assert Image.open("out/ocean-001.png").size == (120, 80)
