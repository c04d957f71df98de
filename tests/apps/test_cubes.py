"""The cubes under the overlay, as a picture. Their window: tests/ui/test_imgui_input.py."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from glfft.apps.cubes import draw_cubes

pytest.importorskip("imgui_bundle")


def test_the_picture_has_cubes_and_the_overlay(ctx: moderngl.Context) -> None:
    image = draw_cubes(ctx, 40, (600, 400), frames=2).astype(int)
    assert image.shape == (400, 600, 3)
    background = image[-1, 0]
    assert image[12:140, 20:230].mean() < background.mean()  # the panel is darker than the haze
    scene = image[:, 460:]
    assert (np.abs(scene - background).max(axis=-1) > 20).mean() > 0.01  # and there are cubes beside it
