"""What lies on a lens: as much as asked, where the seed says, and nothing that makes no sense."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.sentences import refused

from glfft.apps.glare.lens import EYE, Lens, strokes
from glfft.errors import OptionError

CLEAN = Lens(dust=0, lashes=0, scratches=0, fibres=0)


def test_a_clean_lens_has_nothing_on_it():
    assert strokes(CLEAN).shape == (0, 7)


def test_each_thing_is_there_as_often_as_asked():
    assert len(strokes(replace(CLEAN, dust=31))) == 31
    assert len(strokes(replace(CLEAN, scratches=4))) == 4
    assert len(strokes(replace(CLEAN, fibres=120))) == 120
    assert len(strokes(replace(CLEAN, lashes=6))) == 6 * 12
    everything = strokes(EYE)
    assert np.isfinite(everything).all()
    assert (everything[:, 4:6] > 0).all()
    assert ((everything[:, 6] > 0) & (everything[:, 6] <= 1)).all()


def test_more_of_one_thing_moves_nothing_else():
    some, more = (strokes(replace(CLEAN, dust=count, scratches=3)) for count in (20, 50))
    np.testing.assert_array_equal(more[:20], some[:20])
    np.testing.assert_array_equal(more[50:], some[20:])


def test_the_seed_says_what_lies_where():
    one, again, other = (strokes(replace(CLEAN, dust=9, seed=seed)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    assert not np.isclose(one, other).any(axis=1).all()


@pytest.mark.parametrize(
    "wrong",
    [
        {"blades": 2},
        {"blades": 25},
        {"f_number": 0.5},
        {"f_number": float("nan")},
        {"rotation": float("inf")},
        {"dust": -1},
        {"lashes": 10**6},
        {"seed": -1},
    ],
    ids=str,
)
def test_what_no_lens_is_like_is_refused(wrong):
    with refused(OptionError):
        replace(CLEAN, **wrong)
