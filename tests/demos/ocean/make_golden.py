"""Writes the golden pictures of test_scene.py anew, on llvmpipe: `python tests/demos/ocean/make_golden.py`.

Look at what has changed before you commit them.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

import glfft
from glfft.ocean.presets import PRESETS

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

from test_scene import GOLDEN, golden_picture  # noqa: E402

if __name__ == "__main__":
    with glfft.open_context() as ctx:
        for name in sys.argv[1:] or ("ocean", *PRESETS):
            Image.fromarray(golden_picture(ctx, name)).save(GOLDEN / f"{name}.png", optimize=True)
