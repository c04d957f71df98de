"""The dispatch that looks points up: at samples of a surface that moves up and down only, it finds the samples."""

from __future__ import annotations

import numpy as np

from glfft.gl.barriers import BUFFER_UPDATE_BARRIER
from glfft.sea.queries import SurfaceLookup
from glfft.sea.settings import OceanSettings
from glfft.sea.step import OceanStep


def test_samples_are_found_from_buffer_to_buffer(ctx):
    tile = OceanSettings(size=24, tile=48.0, choppiness=0.0)  # no power of two, as a mask would do for those
    indices = np.random.default_rng(3).integers(0, 24, (70, 2))
    points = ctx.buffer((2.0 * indices).astype(np.float32).tobytes())
    answers = ctx.buffer(reserve=SurfaceLookup.bytes_an_answer * len(indices))
    with OceanStep(ctx, [tile], dtype="f4") as step:
        step.run(1.0)
        SurfaceLookup(ctx, blended=False, fine=False).run(step, points, answers, len(indices))
        ctx.memory_barrier(BUFFER_UPDATE_BARRIER)
        found = np.frombuffer(answers.read(), np.float32).reshape(-1, 12)
        height = step.evaluate(1.0)[0]["height"][indices[:, 1], indices[:, 0]]
    assert np.allclose(found[:, 0], height, atol=1e-4)
    assert np.allclose(np.linalg.norm(found[:, 1:4], axis=1), 1, atol=1e-5)
