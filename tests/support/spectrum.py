"""`glfft spectrum` run in this process, and pictures for it."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest
from PIL import Image

from glfft.apps.spectrum import archive, painting
from glfft.commands import cli

DONE, FAILED, USAGE = 0, 1, 2
# A share of the largest bin: float32 transforms of these sizes stay well below it.
TRANSFORM_TOLERANCE = 1e-6
# Rows and columns: powers of two, odd and even, prime and composite.
SHAPES = [(16, 8), (15, 21), (12, 35), (23, 10), (41, 31), (1, 9)]


@pytest.fixture(autouse=True)
def one_context(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread has one current context: the command shall use the session's, and not push it aside."""
    for module in (painting, archive):
        monkeypatch.setattr(module, "open_context", lambda: ctx)


def spectrum(*arguments: str | Path) -> int:
    return cli.main(["spectrum", *map(str, arguments)])


def picture(path: Path | str, rows: int = 20, columns: int = 30, bands: int = 3, seed: int = 0) -> np.ndarray:
    shape = (rows, columns, bands) if bands > 1 else (rows, columns)
    pixels = np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)
    Image.fromarray(pixels).save(path)
    return pixels


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
