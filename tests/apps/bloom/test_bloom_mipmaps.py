"""The chain of mipmaps to compare with: it blurs, and keeps even light and the sum of all light."""

from __future__ import annotations

import numpy as np
import pytest
from support.profiling import Recorder

from glfft.apps.bloom.bloom import MipmapBloom
from glfft.apps.bloom.sources import download, upload

SIZE = (256, 256)


def blurred(ctx, picture):
    source, chain = upload(ctx, picture), MipmapBloom(ctx, picture.shape[1::-1])
    chain.make(source)
    found = download(chain.blurred).astype(float)
    chain.release()
    source.release()
    return found


@pytest.mark.parametrize("size", [(64, 48), (33, 17)])
def test_even_light_stays_even(ctx, size):
    found = blurred(ctx, np.full((size[1], size[0], 3), 0.7, np.float32))
    np.testing.assert_allclose(found, 0.7, rtol=5e-3)


def test_a_light_is_spread_and_kept(ctx):
    picture = np.zeros((*SIZE, 3), np.float32)
    picture[120:136, 120:136] = 400.0
    found = blurred(ctx, picture)
    assert found[64, 64].min() > found[64, 84].min() > found[64, 104].min() > 0
    np.testing.assert_allclose(found.mean(axis=(0, 1)), picture.mean(axis=(0, 1)), rtol=0.03)


def test_a_profiler_sees_each_level(ctx):
    source, chain, recorder = upload(ctx, np.zeros((64, 256, 3), np.float32)), MipmapBloom(ctx, (256, 64)), Recorder()
    chain.make(source, recorder)
    # Texels are four half floats; a level has a quarter of the texels of the one before, down to a row and a column.
    sizes = [8 * max(1, 256 >> level) * max(1, 64 >> level) for level in range(8)]
    down = {f"smaller {level}": sizes[level - 1] + sizes[level] for level in range(1, 8)}
    up = {f"larger {level}": sizes[level + 1] + 2 * sizes[level] for level in range(6, 0, -1)}
    assert list(recorder.seen.items()) == [*down.items(), *up.items()]
    chain.release()
    source.release()
