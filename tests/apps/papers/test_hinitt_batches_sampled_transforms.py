"""Transforms of samples in each width: numpy's, and conversions alone give the samples back."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from glfft.apps.ofdm.link.settings import FIXED8, FLOAT16, FLOAT32
from glfft.apps.papers.hinitt_batches import FLOORS_DB, SampledTransforms, numbers
from glfft.apps.signal_to_noise import snr_db


def through(ctx: moderngl.Context, transforms: SampledTransforms, width: str) -> np.ndarray:
    samples, _ = numbers(width, 6)
    shape, dtype = transforms.layout
    source, target = ctx.buffer(samples.tobytes()), ctx.buffer(reserve=samples.nbytes)
    transforms(source, target)
    ctx.memory_barrier()
    found = transforms.decode(np.frombuffer(target.read(), dtype).reshape(shape))
    for each in (source, target, transforms):
        each.release()
    return found


@pytest.mark.parametrize("width", [FLOAT32, FLOAT16, FIXED8])
def test_spectra_are_numpys(ctx: moderngl.Context, width: str) -> None:
    found = through(ctx, SampledTransforms(ctx, width, "butterfly-sets", 6, twiddles="computed"), width)
    assert snr_db(found, numbers(width, 6)[1]) > FLOORS_DB[width]


@pytest.mark.parametrize("width", [FLOAT32, FLOAT16, FIXED8])
def test_without_an_algorithm_conversions_give_the_samples_back(ctx: moderngl.Context, width: str) -> None:
    found = through(ctx, SampledTransforms(ctx, width, None, 6), width)
    samples = np.fft.ifft(numbers(width, 6)[1], norm="ortho")
    assert snr_db(found, samples) > FLOORS_DB[width]
