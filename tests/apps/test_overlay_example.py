"""The example of the overlay: it draws a picture, and says what is wrong with its arguments."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from glfft.apps import overlay_example

pytest.importorskip("imgui_bundle")


def test_the_example_draws_a_picture_with_the_overlay(ctx, monkeypatch, tmp_path):
    # One context a thread: the example gets the tests' own.
    monkeypatch.setattr(overlay_example, "open_context", lambda: ctx)
    out = tmp_path / "cubes.png"
    arguments = ["--headless", "--frames", "2", "--resolution", "600x400", "--cubes", "40", "--output", str(out)]
    assert overlay_example.main(arguments) == 0
    image = np.asarray(Image.open(out)).astype(int)
    assert image.shape == (400, 600, 3)
    background = image[-1, 0]
    assert image[12:340, 20:440].mean() < background.mean()  # the panel is darker than the haze
    scene = image[:, 460:]
    assert (np.abs(scene - background).max(axis=-1) > 20).mean() > 0.01  # and there are cubes beside it


def test_the_example_says_what_is_wrong(tmp_path, capsys):
    assert overlay_example.main(["--headless", "--output", str(tmp_path / "missing" / "a.png")]) == 1
    assert capsys.readouterr().err.startswith("overlay_example: Cannot write")
    for wrong in (["--frames", "0"], ["--resolution", "big"], ["--cubes", "-3"]):
        with pytest.raises(SystemExit) as stop:
            overlay_example.main(wrong)
        assert stop.value.code == 2
