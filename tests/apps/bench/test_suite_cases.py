"""Cases: their names, their sizes and their operations."""

from __future__ import annotations

import pytest

from glfft.algorithms.storage import STORAGES
from glfft.apps.bench.suite import SUITES, Case
from glfft.errors import OptionError


def test_one_axis_counts_the_stages_of_that_axis() -> None:
    assert Case((64, 16), axes=(1,)).operations == 5 * 64 * 16 * 4
    assert Case((64, 16), 2, axes=(0,)).operations == 2 * 5 * 64 * 16 * 6
    assert Case((4, 8, 16)).operations == 5 * 512 * 9


def test_titles_tell_the_cases_apart() -> None:
    assert Case((512, 1024)).title == "512x1024"
    assert Case((512, 512), 12, storage=STORAGES["rg16f"]).title == "512x512 x 12 rg16f"
    assert Case((512, 512), 12, real=True).title == "512x512 x 12 real"
    assert Case((720, 1280), cosine=True).title == "720x1280 cosine"
    assert Case((16384, 16), 64, axes=(1,)).title == "1-D 16 x 1048576"
    assert Case((64, 100, 128), storage=STORAGES["buffer"]).title == "64x100x128 buffer"
    cases = [case for suite in SUITES.values() for case in suite.cases]
    assert len({case.title for case in cases}) == len(cases) == 114


def test_two_pictures_a_texel_need_an_even_batch() -> None:
    assert Case((4, 4), 2, storage=STORAGES["rgba32f"]).layers is None
    assert Case((4, 4), 4, storage=STORAGES["rgba32f"]).layers == 2
    with pytest.raises(OptionError, match="must be even"):
        Case((4, 4), 3, storage=STORAGES["rgba32f"])
