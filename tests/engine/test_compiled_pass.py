"""Passes on the device: how a source is sampled elsewhere does not matter to them, and no image may be missing."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest
from support.pictures import ALGORITHMS, blank, download, upload
from support.tolerances import assert_close

import glfft
from glfft.apps.signal_to_noise import random_complex
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.plan_passes import plan_passes
from glfft.engine.request import FORWARD
from glfft.gl.context import state_of


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


def test_a_pass_without_its_two_images_does_not_run(ctx: moderngl.Context) -> None:
    source, target, between = (blank(ctx, (2, 16)) for _ in range(3))
    specs = {}
    for algorithm in ("ping-pong-stockham-radix2", "stockham-radix2"):
        with glfft.Plan(ctx, (2, 16), axes=(1,), algorithm=algorithm) as plan:
            (specs[algorithm],) = plan_passes(plan.request, FORWARD, state_of(ctx).device)
    on_images, in_shared = (CompiledPass(ctx, spec) for spec in specs.values())
    on_images.run(source, target, (target, between))
    for images in ((), (target,)):
        with pytest.raises(ValueError, match="argument 2"):
            on_images.run(source, target, images)
    in_shared.run(source, target)
    with pytest.raises(ValueError, match="argument 2"):
        in_shared.run(source, target, (target, between))
    for texture in (source, target, between):
        texture.release()
