"""The window under a display of its own: keys change what is shown, and write what is shown."""

from __future__ import annotations

import ast

import numpy as np
import pytest
from PIL import Image
from support.displays import QUICK_KERNELS, python

from glfft.apps.bloom.window import fitted


@pytest.mark.parametrize(
    ("size", "into", "area"),
    [
        ((100, 50), (200, 100), (0, 0, 200, 100)),
        ((100, 50), (200, 200), (0, 50, 200, 100)),
        ((100, 100), (200, 50), (75, 0, 50, 50)),
    ],
)
def test_a_picture_lies_in_the_middle_of_the_window(size, into, area):
    assert fitted(size, into) == area


_PRESS_KEYS = """
import glfw
import numpy as np
from glfft.apps.bloom import bloom, window
from glfft.apps.bloom.bloom import Look
from glfft.apps.bloom.sources import Still

seen = []
class Show(window._Show):
    def _draw(self):
        super()._draw()
        controls = self._controls
        seen.append((controls.way, controls.lens.seed, controls.lens.blades))
        key = {0: glfw.KEY_P, 1: glfw.KEY_A, 2: glfw.KEY_P, 3: glfw.KEY_X, 4: glfw.KEY_L, 5: glfw.KEY_N, 6: glfw.KEY_R,
               7: glfw.KEY_O, 8: glfw.KEY_H, 9: glfw.KEY_ESCAPE}.get(len(seen) - 1)
        if key is not None:
            self._on_key(key, 0)
window._Show = Show
bloom.DETAIL = 256
light = np.zeros((54, 96, 3), np.float32)
light[30:34, 46:50] = 900
window.show(lambda ctx: Still(ctx, light, True), (96, 54), Look(kernel=31), None, None)
print(seen)
"""


@pytest.mark.window
def test_keys_change_what_is_shown_and_written(folder):
    done = python("-c", QUICK_KERNELS + _PRESS_KEYS, display=True)
    assert done.returncode == 0, done.stderr
    seen = ast.literal_eval(done.stdout.splitlines()[-1])
    assert [way for way, _, _ in seen[:5]] == ["lens", "lens", "mipmaps", "mipmaps", "original"]
    assert len({lens[1:] for lens in seen}) >= 3
    assert seen[7] == seen[0]
    pictures = []
    for number in (1, 2):
        with Image.open(f"out/bloom-00{number}.png") as picture:
            assert picture.size == (96, 54)
            pictures.append(np.asarray(picture).astype(int))
    assert abs(pictures[0] - pictures[1]).max() > 3
    # The lamp is where it was.
    assert pictures[0][31, 47].min() > 240
