"""Quality settings: which one is chosen, what is said, and that each draws."""

from __future__ import annotations

import numpy as np
import pytest

from glfft.demos.ocean import quality, render
from glfft.demos.ocean.shot import Shot
from glfft.gl.context import is_software
from glfft.ocean.settings import OceanSettings

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")


def test_without_a_graphics_card_less_is_drawn_and_said(ctx, monkeypatch):
    for software, moving, chosen in ((True, True, "minimal"), (True, False, "medium"), (False, True, "high")):
        monkeypatch.setattr(quality, "is_software", lambda _ctx, software=software: software)
        found = quality.choose(ctx, "auto", moving)
        assert found.name == chosen
        said = quality.explained(ctx, "auto", found)
        assert bool(said) == software
        assert "\n" not in said
        assert quality.explained(ctx, chosen, found) == ""
        assert quality.choose(ctx, "high", moving) is quality.HIGH


def test_every_quality_draws_the_same_picture_at_its_full_size(ctx):
    """Means over large blocks hardly differ, whatever the mesh, the filter and the pixels are."""
    size, blocks = (128, 64), {}
    for name in quality.QUALITIES:
        shot = Shot(OceanSettings(size=32, tile=120.0, wind=8.0), quality=name)
        (picture,) = render.pictures(ctx, shot, size)
        assert picture.shape == (64, 128, 3)
        blocks[name] = picture.reshape(4, 16, 4, 32, 3).mean(axis=(1, 3))
    for name in ("minimal", "low"):
        assert np.abs(blocks[name] - blocks["high"]).max() < 24, "of 255; in the glitter"
    assert np.abs(blocks["medium"] - blocks["high"]).max() < (1 if is_software(ctx) else 8)
