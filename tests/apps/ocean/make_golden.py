"""Writes the golden pictures of test_golden.py anew, on llvmpipe: `python tests/apps/ocean/make_golden.py`.

Look at what has changed before you commit them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import glfft

sys.path[:0] = [str(Path(__file__).parents[2])]

from support import golden_seas  # noqa: E402

if __name__ == "__main__":
    with glfft.open_context() as ctx:
        golden_seas.write(ctx, tuple(sys.argv[1:]) or golden_seas.NAMES)
