"""Lines in buffers longer than any texture: compiled, as softpipe (Mesa 22.3.6) gets some of them wrong."""

from __future__ import annotations

import moderngl
import pytest
from support import images
from support.images import random_values
from support.kernels import kernels_that_compile_quickly
from support.pictures import DIRECTIONS
from support.sentences import refused
from support.storages import exact, floor_db
from support.tolerances import assert_close

import glfft
from glfft.algorithms.storage import STORAGES
from glfft.errors import LimitError
from glfft.gl.context import state_of

BUFFERS = [name for name, storage in STORAGES.items() if storage.buffer]


# Rows and columns in turn; both lie in memory alike where there is one line.
@pytest.mark.parametrize(
    ("name", "shape"),
    [(name, ((1, 1 << 16), (1 << 16, 1))[index % 2]) for index, name in enumerate(BUFFERS)],
)
def test_a_buffer_holds_lines_longer_than_any_texture(ctx: moderngl.Context, name: str, shape: tuple[int, int]) -> None:
    assert max(shape) > state_of(ctx).limits.texture_size
    values = random_values(STORAGES[name], shape, None)
    with kernels_that_compile_quickly(), glfft.Plan(ctx, shape, storage=name) as plan:
        for direction in DIRECTIONS:
            assert_close(images.run(plan, values, direction), exact(values, direction, (0, 1)), floor_db(plan))
    with refused(LimitError, match="storage='buffer'"):
        glfft.Plan(ctx, shape)
