"""The window of `glfft spectrum --show`: its keys, and what is said where it does not open."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import glfw
import moderngl
import numpy as np
import pytest
from support.displays import QUICK_KERNELS, glfft_command, python
from support.spectrum import picture

from glfft.apps.spectrum import live_view as show_module
from glfft.apps.spectrum.live_view import Controls
from glfft.apps.spectrum.options import Treatment, View
from glfft.apps.spectrum.retouching import save_mask
from glfft.apps.spectrum.viewer import Viewer
from glfft.errors import ContextError, DisplayError, GlfftError


@pytest.mark.parametrize(
    ("key", "seen"),
    [
        (glfw.KEY_V, lambda viewer: viewer.view.view),
        (glfw.KEY_L, lambda viewer: viewer.view.scale),
        (glfw.KEY_C, lambda viewer: viewer.view.colormap),
        (glfw.KEY_Z, lambda viewer: viewer.view.shift),
        (glfw.KEY_N, lambda viewer: viewer.treatment.channel),
        (glfw.KEY_F, lambda viewer: viewer.treatment.fit),
        (glfw.KEY_W, lambda viewer: viewer.treatment.window),
        (glfw.KEY_RIGHT, lambda viewer: viewer.source),
        (glfw.KEY_LEFT, lambda viewer: viewer.source),
    ],
)
def test_a_key_goes_through_all_choices_and_comes_round(
    ctx: moderngl.Context, tmp_path: Path, key: int, seen: Callable[[Viewer], object]
) -> None:
    paths = [tmp_path / f"{seed}.png" for seed in range(2)]
    for seed, path in enumerate(paths):
        picture(path, 16, 16, bands=4, seed=seed)
    viewer = Viewer(ctx, paths, Treatment(), View())
    controls = Controls(viewer)
    states = [seen(viewer)]
    while len(states) < 2 or states[-1] != states[0]:
        controls.press(key)
        states.append(seen(viewer))
        assert len(states) < 10
    viewer.release()
    assert len(set(states)) == len(states) - 1 >= 2


@pytest.mark.parametrize("failure", [DisplayError, ContextError])
def test_a_window_that_does_not_open_is_a_sentence_with_options_that_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: type[GlfftError]
) -> None:
    class NoWindow:
        def __init__(self, *_: object) -> None: ...

        def __enter__(self) -> None:
            raise failure("It does not open; run with --headless.")

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr(show_module, "Window", NoWindow)
    with pytest.raises(failure, match="--show") as caught:
        show_module.open_viewer([tmp_path / "a.png"], Treatment(), View(), 1, None, None)
    assert "--headless" not in str(caught.value)


def test_a_key_saves(ctx: moderngl.Context, tmp_path: Path) -> None:
    picture(tmp_path / "a.png")
    viewer = Viewer(ctx, [tmp_path / "a.png"], Treatment(), View())
    Controls(viewer).press(glfw.KEY_S)
    viewer.release()
    assert (tmp_path / "a-spectrum.png").exists()


def test_keys_choose_tools_undo_and_find_peaks(ctx: moderngl.Context, tmp_path: Path) -> None:
    picture(tmp_path / "a.png", 20, 30)
    viewer = Viewer(ctx, [tmp_path / "a.png"], Treatment(), View())
    controls = Controls(viewer)
    sketch = viewer.retouch.sketch

    press = controls.press
    tools = []
    for key in range(glfw.KEY_1, glfw.KEY_6):
        press(key)
        tools.append(sketch.pen.tool)
    assert tools == ["brush", "notch", "ring", "wedge", "band"]
    radius = sketch.pen.radius
    press(glfw.KEY_RIGHT_BRACKET)
    assert sketch.pen.radius > radius
    press(glfw.KEY_LEFT_BRACKET)
    assert sketch.pen.radius == pytest.approx(radius)
    press(glfw.KEY_2)
    sketch.begin((4.0, 4.0))
    sketch.end()
    for undo, redo in ((glfw.KEY_U, glfw.KEY_Y), (glfw.KEY_Z, glfw.KEY_Y)):
        modifiers = glfw.MOD_CONTROL if undo == glfw.KEY_Z else 0
        press(undo, modifiers)
        assert sketch.is_blank
        press(redo, modifiers)
        assert not sketch.is_blank
    assert viewer.view.shift
    press(glfw.KEY_R)
    assert sketch.mask.min() == 1
    press(glfw.KEY_X)
    assert viewer.compares
    press(glfw.KEY_D)
    assert "found" in viewer.message
    viewer.release()


def test_the_help_names_what_keys_do() -> None:
    lines = show_module.KEYS.splitlines()
    assert max(map(len, lines)) <= 120
    for word in ("undo", "redo", "reset", "compare", "peaks", "help", "brush", "band"):
        assert word in show_module.KEYS


SHOW = ("spectrum", "a.png", "--show", "--frames", "3")


@pytest.mark.window
def test_a_window_shows_a_picture_whose_name_is_no_text(folder: Path) -> None:
    picture(name := os.fsdecode(b"caf\xe9.png"))  # Latin-1, as old archives have it
    done = glfft_command("spectrum", "--show", name, "--frames", "2", display=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.window
def test_a_window_fits_the_screen_begins_with_a_mask_and_closes_after_its_frames(folder: Path) -> None:
    picture("a.png")
    save_mask("m.png", np.zeros((20, 30), np.float32))
    program = f"""
import glfw
from glfft.apps.spectrum import live_view
from glfft.commands.cli import main
from glfft.ui.window import Window

class Seen(Window):
    def __exit__(self, *rest):
        area = glfw.get_monitor_workarea(glfw.get_primary_monitor())
        print("size", *self.size, *area[2:])
        super().__exit__(*rest)

live_view.Window = Seen
live_view._SIZE = (5000, 4000)
raise SystemExit(main({[*SHOW, "--mask", "m.png", "--trace", "a.trace.json"]!r}))
"""
    finished = python("-c", QUICK_KERNELS + program, display=True)
    assert finished.returncode == 0, finished.stderr
    assert "Traceback" not in finished.stderr
    assert "V view" in finished.stdout
    events = json.loads((folder / "a.trace.json").read_text())["traceEvents"]
    assert {event["args"]["frame"] for event in events if event["ph"] == "X"} == {1, 2, 3}
    line = next(line for line in finished.stdout.splitlines() if line.startswith("size"))
    width, height, most_width, most_height = map(int, line.split()[1:])
    assert width <= most_width
    assert height <= most_height


def test_without_a_display_a_sentence_says_so(folder: Path) -> None:
    picture("a.png")
    finished = glfft_command(*SHOW)
    assert finished.returncode == 1
    assert "No display" in finished.stderr
    assert finished.stderr.count("\n") == 1
