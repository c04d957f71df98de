"""The window of `glfft spectrum --show`: its keys, and what is said where it does not open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import glfw
import moderngl
import pytest
from support.displays import glfft_command
from support.spectrum import picture

from glfft.apps.spectrum import live_view as show_module
from glfft.apps.spectrum.live_view import Controls
from glfft.apps.spectrum.options import Treatment, View
from glfft.apps.spectrum.viewer import Viewer
from glfft.errors import ContextError, DisplayError, GlfftError


@pytest.mark.parametrize(
    ("key", "seen"),
    [
        (glfw.KEY_V, lambda viewer: viewer.view.view),
        (glfw.KEY_L, lambda viewer: viewer.view.scale),
        (glfw.KEY_C, lambda viewer: viewer.view.colormap),
        (glfw.KEY_P, lambda viewer: viewer.view.phase_origin),
        (glfw.KEY_Z, lambda viewer: viewer.view.shift),
        (glfw.KEY_N, lambda viewer: viewer.treatment.channel),
        (glfw.KEY_F, lambda viewer: viewer.treatment.fit),
        (glfw.KEY_W, lambda viewer: viewer.treatment.window),
        (glfw.KEY_T, lambda viewer: viewer.every_frame),
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
    controls = Controls(lambda: None, viewer)
    states = [seen(viewer)]
    while len(states) < 2 or states[-1] != states[0]:
        controls.on_key(key, 0)
        controls.act(None)
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
        show_module.open_viewer([tmp_path / "a.png"], Treatment(), View(), 1)
    assert "--headless" not in str(caught.value)


def test_keys_save_and_quit(ctx: moderngl.Context, tmp_path: Path) -> None:
    picture(tmp_path / "a.png")
    viewer = Viewer(ctx, [tmp_path / "a.png"], Treatment(), View())
    closed = []
    controls = Controls(lambda: closed.append(True), viewer)
    for key in (glfw.KEY_S, glfw.KEY_ESCAPE):
        controls.on_key(key, 0)
    controls.act(None)
    controls.act(None)
    viewer.release()
    assert (tmp_path / "a-spectrum.png").exists()
    assert closed == [True]


SHOW = ("spectrum", "a.png", "--show", "--frames", "3")


@pytest.mark.window
def test_a_window_opens_and_closes_after_its_frames(folder: Path) -> None:
    picture("a.png")
    finished = glfft_command(*SHOW, display=True)
    assert finished.returncode == 0, finished.stderr
    assert "Traceback" not in finished.stderr
    assert "V view" in finished.stdout


def test_without_a_display_a_sentence_says_so(folder: Path) -> None:
    picture("a.png")
    finished = glfft_command(*SHOW)
    assert finished.returncode == 1
    assert "No display" in finished.stderr
    assert finished.stderr.count("\n") == 1
