"""Streams of transforms, checked against numpy in every width."""

from __future__ import annotations

import itertools
from contextlib import ExitStack

import moderngl
import numpy as np
import pytest

from glfft.apps.papers.hinitt import EIGHT, HALF, PLAIN, STEPS, Step, open_stream
from glfft.apps.papers.hinitt_batches import FLOORS_DB, numbers
from glfft.apps.signal_to_noise import snr_db


@pytest.mark.parametrize("step", [PLAIN, HALF, EIGHT], ids=lambda step: step.width)
def test_a_stream_of_each_width_gives_the_spectra(ctx: moderngl.Context, step: Step) -> None:
    block, exact = numbers(step.width, 6)
    with ExitStack() as stack:
        transforms, stream = open_stream(ctx, step, 6, stack)
        results = [transforms.decode(each) for each in stream.run([block, -block])]
    # Integers stand for the middle of their intervals, so that the negative of -1 and 0 is not theirs.
    assert snr_db(results[0], exact) > FLOORS_DB[step.width]
    assert snr_db(results[1], -exact) > FLOORS_DB[step.width] - 3
    assert not np.array_equal(results[0], results[1])


def test_the_steps_differ_in_one_thing_each() -> None:
    for before, after in itertools.pairwise(STEPS):
        fields = ("width", "algorithm", "mapped", "in_flight")
        assert sum(getattr(before, field) != getattr(after, field) for field in fields) == 1
