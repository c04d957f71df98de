"""Without fusion, the ocean's step gives the same fields in more dispatches, and leaves nothing behind."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import pytest
from support.gl_objects import live_objects
from support.ocean import SEA, TRANSFORM_DECIBELS, decibels

from glfft.errors import AlgorithmError
from glfft.sea.fields import reference_fields
from glfft.sea.step import FIELDS, OceanStep


# A size that no work group of these dispatches fits, and one transform of several dispatches.
@pytest.mark.parametrize(("size", "algorithm", "dispatches"), [(36, "auto", 6), (32, "cooley-tukey-stages", 4 + 10)])
def test_fields_are_those_of_float64(ctx: moderngl.Context, size: int, algorithm: str, dispatches: int):
    tiles = [replace(SEA, size=size), replace(SEA, size=size, tile=31.0, seed=8)]
    with OceanStep(ctx, tiles, algorithm=algorithm, fused=False) as step:
        assert step.dispatches == dispatches
        for time in (0.0, 12.34):
            for tile, fields in zip(tiles, step.evaluate(time), strict=True):
                expected = reference_fields(tile, time)
                for name in FIELDS:
                    assert decibels(fields[name], expected[name]) > TRANSFORM_DECIBELS - 6, (tile.tile, name)
        assert [each.dispatches for each in step.plans] == [(dispatches - 4) // 2] * 2
    assert ctx.error == "GL_NO_ERROR"


def test_what_was_made_is_released_even_if_it_fails(ctx: moderngl.Context):
    OceanStep(ctx, [SEA], fused=False).release()  # compiles what the context keeps
    before = live_objects(ctx)
    with pytest.raises(AlgorithmError):
        OceanStep(ctx, [SEA], algorithm="slow", fused=False)
    OceanStep(ctx, [SEA], fused=False).release()
    assert live_objects(ctx) == before
