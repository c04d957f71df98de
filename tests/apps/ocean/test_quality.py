"""Quality settings: which one is chosen, what is said, and that each draws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.appearance import dark_dots
from support.tolerances import DOTS_PER_THOUSAND

from glfft.apps.ocean import quality, render
from glfft.apps.ocean.scene import OceanScene
from glfft.apps.ocean.shot import Shot
from glfft.apps.picture_files import read_picture
from glfft.gl.context import is_software
from glfft.sea.presets import preset
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation

# Small tiles are quick; that few waves fit them is no matter here. Foam of a short life is soon built up.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")
SEA = OceanSettings(size=32, tile=120.0, wind=8.0, foam_lifetime=0.1, foam_threshold=0.5)


def test_without_a_graphics_card_less_is_drawn_and_said(ctx, monkeypatch):
    for software, in_window, chosen in ((True, True, "minimal"), (True, False, "medium"), (False, True, "high")):
        monkeypatch.setattr(quality, "is_software", lambda _ctx, software=software: software)
        found = quality.choose(ctx, "auto", in_window)
        assert found.name == chosen
        said = quality.explained(ctx, "auto", found, (640, 360))
        assert bool(said) == (chosen == "minimal")
        assert "\n" not in said
        assert ("quality minimal, which draws 40% of" in said) == (chosen == "minimal")
        assert quality.explained(ctx, chosen, found, (640, 360)) == ""
        assert quality.choose(ctx, "high", in_window) is quality.HIGH


def test_windows_of_the_least_quality_draw_about_as_many_pixels_whatever_their_size():
    least = quality.MINIMAL
    for size, scale in (((640, 360), 0.4), ((160, 90), 1.0), ((641, 355), 0.402), ((1280, 720), 1 / 3), ((1, 1), 1.0)):
        assert least.share_in_window(size) == pytest.approx(scale, abs=1e-3)
    assert least.drawn((640, 360)) == (320, 180)
    assert least.drawn((641, 355), in_window=True) == (258, 143)
    assert quality.LOW.share_in_window((2000, 1000)) == 0.5
    assert quality.HIGH.share_in_window((2000, 1000)) == 1.0


def test_a_sea_on_several_tiles_has_as_many_samples_as_one():
    one = OceanSettings()
    assert quality.affordable(one) == one
    three = replace(one, tile=1200.0, cascades=3)
    assert quality.affordable(three) == replace(three, size=144)
    assert quality.affordable(replace(three, size=64)).size == 64
    by_hand = replace(one, tile=1200.0, cascades=(112.0, 10.6))
    assert quality.affordable(by_hand) == by_hand
    for tiles in range(1, 7):
        assert quality.affordable(replace(one, size=512, cascades=tiles)).size ** 2 * tiles <= 256**2


def test_a_picture_drawn_smaller_has_the_size_asked_for(ctx):
    shot = Shot(SEA, quality="minimal")
    (picture,) = render.pictures(ctx, shot, (65, 35))
    assert picture.shape == (35, 65, 3)
    assert picture.std() > 5


def test_every_quality_draws_the_same_picture_at_its_full_size(ctx):
    """Means over large blocks hardly differ, whatever the mesh, the filter and the pixels are."""
    # As wide as powers of two and not as high, at their shares too, as what `OceanScene.prepare` draws: a software
    # renderer has shaders of its own for textures of such sides.
    size, blocks = (128, 72), {}
    for name in quality.QUALITIES:
        shot = Shot(SEA, quality=name)
        (picture,) = render.pictures(ctx, shot, size)
        assert picture.shape == (72, 128, 3)
        blocks[name] = picture.reshape(4, 18, 4, 32, 3).mean(axis=(1, 3))
    for name in ("minimal", "low"):
        assert np.abs(blocks[name] - blocks["high"]).max() < 24, "of 255; in the glitter"
    assert np.abs(blocks["medium"] - blocks["high"]).max() < (1 if is_software(ctx) else 8)


def test_far_crests_are_no_dotted_lines(ctx):
    """A front of a wave that is a pixel high looks along it all as where it is higher."""
    width, height = 252, 144
    shot = Shot(replace(preset("beaufort-4"), size=64, cascades=2, seed=5), preset="beaufort-4")
    target = ctx.simple_framebuffer((width, height), components=3)
    scenes = [OceanScene(ctx, target.size, shot.weather(), each) for each in (quality.MINIMAL, quality.MEDIUM)]
    dots = np.zeros((2, 2))
    with OceanSimulation(ctx, shot.settings) as simulation:
        for row, time in enumerate((3.0, 11.0)):
            simulation.update(time)
            for column, scene in enumerate(scenes):
                scene.draw(simulation, shot.first_camera(), time, target)
                # The horizon is in row 64.
                far = dark_dots(read_picture(target))[67:82]
                dots[row, column] = 1000 * far.mean()
    for each in (*scenes, target):
        each.release()
    assert (dots.mean(axis=0) < DOTS_PER_THOUSAND).all(), dots
