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
from support.retouching import landscape, viewer_frame

from glfft.apps.spectrum import display
from glfft.apps.spectrum.colours import colour_table
from glfft.apps.spectrum.display import Display
from glfft.apps.spectrum.options import CHANNELS, COLORMAPS, FITS, SCALES, VIEWS, WINDOWS, Treatment, View
from glfft.apps.spectrum.viewer import Viewer
from glfft.errors import ContextError, DataError, GlfftError, LimitError
from glfft.gl.textures import Completeness

SIZE = (160, 80)
MARGIN = 16


def _picture(path: Path, seed: int = 0, shape: tuple[int, ...] = (16, 16)) -> Path:
    pixels = np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)
    Image.fromarray(pixels).save(path)
    return path


def _frame(ctx: moderngl.Context, viewer: Viewer) -> np.ndarray:
    return viewer_frame(ctx, viewer, SIZE)


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
    viewer.release()
    assert complete == [True] * 2


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
        patch.setattr(display, "Plan" if failure is LimitError else "errors_checked", refuse)
        viewer.step(1)
        assert viewer.source == paths[0]
        assert "prime.png: " in viewer.message
        assert ("--fit pad" if failure is LimitError else "That size cannot be done") in viewer.message
        viewer._stale = True
        np.testing.assert_array_equal(_frame(ctx, viewer), before)
    viewer.step(1)
    assert (viewer.source, viewer.message) == (paths[1], "")
    assert "23x6, luminance, exact size" in viewer.archive.description
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
    monkeypatch.setitem(sys.modules, "matplotlib.style", None)
    colour_table.cache_clear()
    viewer = Viewer(ctx, [_picture(tmp_path / "a.png")], Treatment(), View())
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


def test_a_mask_darkens_the_spectrum_and_changes_the_picture(ctx: moderngl.Context, tmp_path: Path) -> None:
    path = _picture(tmp_path / "a.png")
    viewer = Viewer(ctx, [path], Treatment(), View(colormap="grey"))
    before = _frame(ctx, viewer)
    sketch = viewer.retouch.sketch
    sketch.pen = replace(sketch.pen, radius=0.5, softness=0.0)
    sketch.begin((2.0, 3.0))
    sketch.end()
    painted = _frame(ctx, viewer)
    left, right = (MARGIN + 4 + panel * (56 + MARGIN) for panel in (0, 1))
    mask = np.fft.fftshift(sketch.mask)[..., None].repeat(3, axis=-1)
    veiled = before[MARGIN : MARGIN + 48, right : right + 48] * enlarged(mask)
    np.testing.assert_allclose(painted[MARGIN : MARGIN + 48, right : right + 48].astype(int), veiled, atol=1)
    with Image.open(path) as original:
        kept = np.fft.ifft2(np.fft.fft2(np.asarray(original)) * sketch.mask).real
    shown = painted[MARGIN : MARGIN + 48, left : left + 48, 0].astype(int)
    # Rounded to levels twice: in the picture and in the window.
    np.testing.assert_allclose(shown, enlarged(np.clip(kept, 0, 255)), atol=2)
    viewer.compares = True
    assert np.array_equal(_frame(ctx, viewer), before)
    viewer.compares = False
    viewer.treat(channel="r")
    assert not viewer.retouch.sketch.is_blank
    viewer.treat(fit="pad")
    viewer.release()


def test_peaks_are_marked_and_results_kept(ctx: moderngl.Context, tmp_path: Path) -> None:
    y, x = np.indices((64, 80))
    waves = landscape((64, 80)) * 150 + 40 + 30 * np.cos(2 * np.pi * (17 * y / 64 + 20 * x / 80))
    Image.fromarray(np.rint(waves).astype(np.uint8)).save(tmp_path / "a.png")
    viewer = Viewer(ctx, [tmp_path / "a.png"], Treatment(), View())
    viewer.find_peaks()
    assert viewer.message == "1 peak found."
    assert viewer.retouch.sketch.mask[17, 20] == viewer.retouch.sketch.mask[-17, -20] == 0
    viewer.keep()
    assert "a-retouched.png" in viewer.message
    assert "a-mask.png" in viewer.message
    viewer.mark(0)
    assert viewer.retouch.sketch.is_blank
    viewer.treat(fit="pad")
    viewer.keep()
    assert "fit exact" in viewer.message
    viewer.release()


def test_the_circles_are_at_a_frequency_and_its_opposite(ctx: moderngl.Context, tmp_path: Path) -> None:
    viewer = Viewer(ctx, [_picture(tmp_path / "a.png")], Treatment(), View(colormap="grey"))
    before = _frame(ctx, viewer)
    viewer.retouch.sketch.pen = replace(viewer.retouch.sketch.pen, radius=2.0)
    viewer.cursor = (3.0, 4.0)
    changed = np.argwhere((_frame(ctx, viewer) != before).any(axis=2))
    right = MARGIN + 4 + 56 + MARGIN
    middles = [(MARGIN + 3 * (8 + sign * 3) + 1, right + 3 * (8 + sign * 4) + 1) for sign in (1, -1)]
    distances = np.array([[np.hypot(*(pixel - middle)) for middle in np.array(middles)] for pixel in changed])
    assert len(changed) > 20
    assert np.abs(distances.min(axis=1) - 6).max() <= 2.5
    assert {int(each) for each in distances.argmin(axis=1)} == {0, 1}
    viewer.release()


def test_a_mask_to_begin_with_is_the_first_picture_s(ctx: moderngl.Context, tmp_path: Path) -> None:
    path = _picture(tmp_path / "a.png")
    mask = np.ones((16, 16), np.float32)
    mask[3, 4] = mask[-3, -4] = 0
    viewer = Viewer(ctx, [path], Treatment(), View(), mask)
    assert np.array_equal(viewer.retouch.sketch.mask, mask)
    viewer.release()
    with pytest.raises(DataError, match="mask is 16x8 and the spectrum 16x16; use another mask"):
        Viewer(ctx, [path], Treatment(), View(), mask[:8])
