"""The pictures of the sea and the light in them, on any device, against those that llvmpipe has drawn.

`python tests/apps/ocean/make_golden.py` draws them anew.
"""

from __future__ import annotations

import moderngl
import numpy as np
import pytest
from support import golden_seas
from support.appearance import differences
from support.tolerances import (
    LIGHT,
    OTHER_DEVICE_FAR,
    OTHER_DEVICE_LEVELS,
    OTHER_DEVICE_SHARE_FAR,
    PICTURE_FAR,
    PICTURE_MEAN,
    PICTURE_SHARE_FAR,
)

# Small tiles are quick; that few waves fit them is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore:The tile is")

_QUICK = ("ocean", "beaufort-6", "swell-at-sunset", "storm")
_SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in golden_seas.NAMES if name not in _QUICK]


@pytest.mark.parametrize("name", [*_QUICK, *_SLOW])
def test_the_picture_is_the_golden_one(ctx: moderngl.Context, name: str) -> None:
    golden, light_then, foam = golden_seas.golden(name)
    picture, light, _ = golden_seas.drawn(ctx, name, foam)
    assert light == pytest.approx(light_then, rel=LIGHT)
    apart = np.abs(picture.astype(float) - golden)
    assert apart.mean() <= OTHER_DEVICE_LEVELS
    assert (apart.max(axis=-1) > OTHER_DEVICE_FAR).mean() <= OTHER_DEVICE_SHARE_FAR
    if "llvmpipe" in ctx.info["GL_RENDERER"]:
        # Where only rounding differs, no difference can be seen.
        seen = differences(picture, golden)
        assert seen.mean() <= PICTURE_MEAN
        assert (seen > PICTURE_FAR).mean() <= PICTURE_SHARE_FAR


def test_golden_pictures_tell_seas_apart() -> None:
    """The tolerances can fail: no two of them pass for each other."""
    pictures = [golden_seas.golden(name)[0] for name in golden_seas.NAMES]
    for index, picture in enumerate(pictures):
        for other in pictures[:index]:
            assert differences(picture, other).mean() > PICTURE_MEAN
            assert np.abs(picture.astype(float) - other).mean() > OTHER_DEVICE_LEVELS
