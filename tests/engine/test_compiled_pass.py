"""Passes on the device: how a source is sampled elsewhere does not matter to them."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest
from support.pictures import ALGORITHMS, blank, download, upload
from support.tolerances import assert_close

import glfft
from glfft.accuracy import random_complex


@pytest.mark.parametrize("options", [{"filter": (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)}, {"repeat_x": False}])
def test_sampling_settings_of_the_source_do_not_matter(ctx: moderngl.Context, options: dict[str, object]) -> None:
    # With a mipmap filter and no mipmaps the texture is incomplete, and fetches from it would give zero.
    array = random_complex((16, 16))
    source, target = upload(ctx, array), blank(ctx, (16, 16))
    for name, value in options.items():
        setattr(source, name, value)
    for algorithm in ALGORITHMS:
        with glfft.Plan(ctx, (16, 16), algorithm=algorithm) as plan:
            plan.forward(source, target)
        assert_close(download(target), np.fft.fft2(array.astype(np.complex128)))
