"""Points of many seas, looked up in one batch: compiled, as softpipe (Mesa 22.3.6) looks them up wrongly."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
import pytest

from glfft.errors import ShapeError
from glfft.sea.queries import SeaQueries
from glfft.sea.settings import OceanSettings

pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

SEA = OceanSettings(size=32, tile=150.0, wind=11.0)


def test_points_of_many_seas_are_looked_up_in_one_batch(ctx: moderngl.Context):
    each = [replace(SEA, seed=seed, wind=8.0 + seed, choppiness=0.5 + 0.2 * seed) for seed in range(3)]
    places = np.random.default_rng(2).uniform(-80, 80, (3, 7, 2))
    with SeaQueries(ctx, each, most=8, depth=1.0) as queries:
        found = queries.query(places, 9.0)
        assert found.height.shape == (3, 7)
        assert found.velocity is not None
        assert found.velocity.shape == (3, 7, 3)
        with pytest.raises(ShapeError, match=r"\(3, points, 2\)"):
            queries.submit(places[0], 0.0)
    for index, settings in enumerate(each):
        with SeaQueries(ctx, settings, depth=1.0) as single:
            expected = single.query(places[index], 9.0)
        assert expected.velocity is not None
        for name in ("height", "normal", "residual", "still", "velocity"):
            assert getattr(found, name)[index] == pytest.approx(getattr(expected, name), abs=1e-4), name
