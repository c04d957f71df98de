"""Many seas in one step against single ones: the same fields, in as many dispatches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import moderngl
import pytest
from support.ocean import TRANSFORM_DECIBELS, decibels

from glfft.errors import OptionError, ReleasedError, ShapeError
from glfft.sea.fields import reference_fields
from glfft.sea.many import ManySeas, seas_of
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation
from glfft.sea.step import FIELDS

pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

SEA = OceanSettings(size=32, tile=150.0, wind=11.0)


def test_each_sea_is_that_of_its_seed_in_two_dispatches(ctx: moderngl.Context):
    with ManySeas(ctx, SEA, seeds=range(5)) as seas:
        assert seas.dispatches == 2
        found = seas.evaluate(7.0)
        assert found["height"].shape == (5, 32, 32)
    for seed in range(5):
        expected = reference_fields(replace(SEA, seed=seed), 7.0)
        for name in FIELDS:
            assert decibels(found[name][seed], expected[name]) > TRANSFORM_DECIBELS, (seed, name)


def test_seas_of_other_settings_and_tiles_are_those_of_single_simulations(ctx: moderngl.Context):
    each = [
        replace(SEA, size=48, cascades=2),
        replace(SEA, size=48, cascades=2, wind=6.0, depth=4.0, tile=90.0, seed=8),
    ]
    with ManySeas(ctx, each) as seas:
        found = seas.evaluate(3.0)
        assert found["height"].shape == (2, 2, 48, 48)
        assert seas.surface.layers == 4
    for index, settings in enumerate(each):
        with OceanSimulation(ctx, settings) as single:
            expected = single.evaluate(3.0)
        for name in FIELDS:
            assert decibels(found[name][index], expected[name]) > TRANSFORM_DECIBELS - 6, (index, name)


@pytest.mark.slow
def test_sixty_four_seas_of_128(ctx: moderngl.Context):
    wide = replace(SEA, size=128, tile=250.0)
    with ManySeas(ctx, wide, seeds=range(64)) as seas:
        assert seas.dispatches == 2
        found = seas.evaluate(11.0)
    for seed in (0, 1, 31, 63):
        expected = reference_fields(replace(wide, seed=seed), 11.0)
        for name in FIELDS:
            assert decibels(found[name][seed], expected[name]) > TRANSFORM_DECIBELS, (seed, name)
    heights = 4 * found["height"].std(axis=(1, 2))
    assert heights.std() / heights.mean() > 0.01  # all different


@pytest.mark.parametrize(
    ("settings", "seeds", "said"),
    [
        (SEA, [], "at least one"),
        ([], None, "at least one"),
        ([SEA, replace(SEA, size=64)], None, "of one size"),
        ([replace(SEA, size=48), replace(SEA, size=48, cascades=2)], None, "as many tiles"),
        (SEA, range(1025), "at most 1024"),
    ],
)
def test_seas_that_do_not_go_together_are_refused(settings, seeds, said):
    with pytest.raises(ShapeError, match=said):
        seas_of(settings, seeds)


def test_seeds_go_with_a_single_sea_and_released_seas_say_so(ctx: moderngl.Context):
    wrong: Any = "storm"
    with pytest.raises(OptionError, match="OceanSettings of all or of each"):
        ManySeas(ctx, wrong)
    with pytest.raises(OptionError, match="single sea"):
        seas_of([SEA], [1])
    seas = ManySeas(ctx, SEA, seeds=[1])
    seas.release()
    seas.release()
    with pytest.raises(ReleasedError):
        seas.run(0.0)
