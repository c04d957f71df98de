"""`glfft spectrum --show`: picture and spectrum side by side, live over the options."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import pytest
from PIL import Image

from glfft.apps.spectrum import transform
from glfft.apps.spectrum.colours import colour_table
from glfft.apps.spectrum.display import Display
from glfft.apps.spectrum.options import CHANNELS, COLORMAPS, FITS, SCALES, VIEWS, WINDOWS, Treatment, View
from glfft.apps.spectrum.viewer import Viewer
from glfft.errors import ContextError, GlfftError, LimitError
from glfft.gl.textures import Completeness

SIZE = (160, 80)
MARGIN = 16


def _picture(path: Path, seed: int = 0, shape: tuple[int, ...] = (16, 16)) -> Path:
    pixels = np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)
    Image.fromarray(pixels).save(path)
    return path


def _frame(ctx: moderngl.Context, viewer: Viewer) -> np.ndarray:
    """What the viewer draws, row 0 at the top: uint8 [height, width, 3]."""
    colour = ctx.texture(SIZE, 4)
    framebuffer = ctx.framebuffer([colour])
    # A framebuffer must not be released while it is bound.
    with ctx.scope(ctx.detect_framebuffer(0)):
        viewer.draw(framebuffer, SIZE)
    pixels = np.frombuffer(framebuffer.read(components=3), np.uint8).reshape(SIZE[1], SIZE[0], 3)[::-1]
    framebuffer.release()
    colour.release()
    return pixels


def test_the_picture_is_on_the_left_and_its_spectrum_on_the_right(ctx: moderngl.Context, tmp_path: Path) -> None:
    path = _picture(tmp_path / "a.png")
    viewer = Viewer(ctx, [path], Treatment(), View(colormap="grey"))
    drawn = _frame(ctx, viewer)
    viewer.save()
    viewer.release()
    # Two panels of 56 pixels hold 16 pixels three times enlarged, in the middle of their width.
    left, right = (MARGIN + 4 + panel * (56 + MARGIN) for panel in (0, 1))
    with Image.open(path) as original:
        expected = np.asarray(original)
    shown = drawn[MARGIN : MARGIN + 48, left : left + 48, 0]
    np.testing.assert_allclose(shown.astype(int), enlarged(expected), atol=1)
    with Image.open(tmp_path / "a-spectrum.png") as saved:
        spectrum = np.asarray(saved).astype(int)
    shown = drawn[MARGIN : MARGIN + 48, right : right + 48]
    np.testing.assert_allclose(shown.astype(int), enlarged(spectrum), atol=1)


def enlarged(pixels: np.ndarray) -> np.ndarray:
    """Each pixel three times as wide and as high."""
    return pixels.repeat(3, axis=0).repeat(3, axis=1).astype(int)


def test_spectra_are_drawn_into_complete_textures_alone(
    ctx: moderngl.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A driver may drop what is stored in others, and llvmpipe does not."""
    completeness, complete = Completeness(ctx, 0), []
    draw = Display.draw

    def checked(self: Display, spectra: Any, view: View, limits: Any, picture: moderngl.Texture, *rest: Any) -> None:
        complete.append(completeness.of(picture))
        draw(self, spectra, view, limits, picture, *rest)

    monkeypatch.setattr(Display, "draw", checked)
    viewer = Viewer(ctx, [_picture(tmp_path / "a.png")], Treatment(), View())
    for view in (View(), View("phase")):
        viewer.look(view)
        _frame(ctx, viewer)
    viewer.every_frame = True
    _frame(ctx, viewer)
    viewer.release()
    assert complete == [True] * 3


def test_every_option_can_be_changed_between_frames(ctx: moderngl.Context, tmp_path: Path) -> None:
    viewer = Viewer(ctx, [_picture(tmp_path / "a.png", shape=(12, 20, 4))], Treatment(), View())
    frames = {}
    for channel in CHANNELS:
        viewer.treat(channel=channel)
        frames[channel] = _frame(ctx, viewer).tobytes()
    for fit in FITS:
        viewer.treat(fit=fit)
        frames[fit] = _frame(ctx, viewer).tobytes()
    for window in WINDOWS:
        viewer.treat(window=window)
        frames[window] = _frame(ctx, viewer).tobytes()
    viewer.treat(channel="luminance")
    for view in VIEWS:
        viewer.look(replace(viewer.view, view=view))
        frames[view] = _frame(ctx, viewer).tobytes()
    viewer.look(View(view="power"))
    for scale in SCALES:
        viewer.look(replace(viewer.view, scale=scale))
        frames[scale] = _frame(ctx, viewer).tobytes()
    for colormap in COLORMAPS:
        viewer.look(replace(viewer.view, colormap=colormap))
        frames[colormap] = _frame(ctx, viewer).tobytes()
    viewer.release()
    # Each change shows; a few states are met twice on the way (rgb with pad, resize with no window, and the like).
    assert viewer.message == ""
    assert len(set(frames.values())) >= len(frames) - 6


def test_transforming_every_frame_draws_the_same(ctx: moderngl.Context, tmp_path: Path) -> None:
    viewer = Viewer(ctx, [_picture(tmp_path / "a.png")], Treatment(), View())
    once = _frame(ctx, viewer)
    viewer.every_frame = True
    again = [_frame(ctx, viewer) for _ in range(3)]
    viewer.release()
    for frame in again:
        np.testing.assert_array_equal(frame, once)


def test_what_cannot_be_done_is_said_and_changes_nothing(ctx: moderngl.Context, tmp_path: Path) -> None:
    good, bad = _picture(tmp_path / "a.png"), tmp_path / "bad.png"
    bad.write_text("no picture")
    viewer = Viewer(ctx, [bad, good], Treatment(), View())
    assert viewer.source == good
    before = _frame(ctx, viewer)
    viewer.treat(channel="a")
    assert "no alpha" in viewer.message
    assert viewer.treatment == Treatment()
    viewer.step(1)
    assert "bad.png" in viewer.message or viewer.source == good
    np.testing.assert_array_equal(_frame(ctx, viewer), before)
    viewer.release()
    with pytest.raises(GlfftError, match=r"bad\.png"):
        Viewer(ctx, [bad], Treatment(), View())


@pytest.mark.parametrize("failure", [LimitError, ContextError])
def test_a_size_the_device_cannot_transform_is_said_and_changes_nothing(
    ctx: moderngl.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: type[GlfftError]
) -> None:
    paths = [_picture(tmp_path / "a.png"), _picture(tmp_path / "prime.png", 1, (6, 23))]
    viewer = Viewer(ctx, paths, Treatment(), View())
    before = _frame(ctx, viewer)

    def refuse(*_: object, **__: object) -> None:
        raise failure("That size cannot be done.")

    with monkeypatch.context() as patch:
        # The plan, or the memory for its textures.
        patch.setattr(transform, "Plan" if failure is LimitError else "check_errors", refuse)
        viewer.step(1)
        assert viewer.source == paths[0]
        assert "prime.png: " in viewer.message
        assert ("--fit pad" if failure is LimitError else "That size cannot be done") in viewer.message
        viewer.every_frame = True
        np.testing.assert_array_equal(_frame(ctx, viewer), before)
    viewer.step(1)
    assert (viewer.source, viewer.message) == (paths[1], "")
    assert "23x6, luminance, exact size" in viewer.description
    viewer.release()


def test_stepping_goes_round(ctx: moderngl.Context, tmp_path: Path) -> None:
    paths = [_picture(tmp_path / f"{seed}.png", seed) for seed in range(3)]
    viewer = Viewer(ctx, paths, Treatment(), View())
    seen = []
    for by in (1, 1, 1, -1):
        viewer.step(by)
        seen.append(viewer.source)
    viewer.release()
    assert seen == [paths[1], paths[2], paths[0], paths[2]]


def test_without_matplotlib_the_viewer_says_so_and_goes_on(
    ctx: moderngl.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    colour_table.cache_clear()
    viewer = Viewer(ctx, [_picture(tmp_path / "a.png")], Treatment(), View())
    viewer.every_frame = True
    before = _frame(ctx, viewer)
    for missing in (View("radial"), View(colormap="magma")):
        viewer.look(missing)
        for _ in range(2):
            drawn = _frame(ctx, viewer)
            assert "'.[plot]'" in viewer.message
            # The picture is still there, and nothing stands in for its spectrum.
            np.testing.assert_array_equal(drawn[:, : SIZE[0] // 2], before[:, : SIZE[0] // 2])
            assert len(np.unique(drawn[:, SIZE[0] // 2 :].reshape(-1, 3), axis=0)) == 1
        viewer.save()
        assert "'.[plot]'" in viewer.message
    viewer.look(View())
    np.testing.assert_array_equal(_frame(ctx, viewer), before)
    assert viewer.message == ""
    viewer.release()
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


def test_saving_spares_every_picture_that_is_shown(ctx: moderngl.Context, tmp_path: Path) -> None:
    sources = [_picture(tmp_path / name, seed) for seed, name in enumerate(("x.png", "x-spectrum.png"))]
    before = sources[1].read_bytes()
    viewer = Viewer(ctx, sources, Treatment(), View())
    viewer.save()
    viewer.release()
    assert sources[1].read_bytes() == before
    assert (tmp_path / "x-spectrum-2.png").exists()
