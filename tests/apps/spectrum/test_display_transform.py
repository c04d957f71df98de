"""Planes go to their spectra and back, and what cannot be transformed leaves what there was."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import pytest
from support.gl_objects import live_objects
from support.sentences import refused
from support.tolerances import COMPOSED_DB, TABLE_DB, assert_close

from glfft.apps.spectrum import display
from glfft.apps.spectrum.display import SpectrumMaker, read_complex
from glfft.errors import LimitError
from glfft.plan import Plan


def planes(count: int, rows: int, columns: int) -> np.ndarray:
    return np.random.default_rng(rows).random((count, rows, columns), np.float32)


def test_spectra_are_numpys_and_come_back(ctx: moderngl.Context) -> None:
    maker = SpectrumMaker(ctx)
    for pictures in (planes(3, 12, 8), planes(1, 12, 8), planes(2, 5, 16), planes(1, 150, 8)):
        spectra = read_complex(maker.forward(pictures))
        assert_close(spectra, np.fft.fft2(pictures.astype(np.float64)), TABLE_DB)
        back = maker.inverse(spectra)
        assert back.dtype == np.complex64
        assert_close(back, pictures, COMPOSED_DB)
    maker.release()


def test_pictures_of_one_size_share_plan_and_textures(ctx: moderngl.Context) -> None:
    maker = SpectrumMaker(ctx)
    first = maker.forward(planes(3, 8, 8))
    before = live_objects(ctx)
    again = maker.forward(planes(2, 8, 8))
    assert again == first[:2]
    assert live_objects(ctx) == before
    maker.release()


def test_a_size_that_cannot_be_transformed_leaves_the_last_one(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_plan_of_23_columns(*arguments: Any, **keywords: Any) -> Plan:
        if arguments[1][1] == 23:
            raise LimitError("No kernel can do lines of 23 points.")
        return Plan(*arguments, **keywords)

    maker = SpectrumMaker(ctx)
    pictures = planes(1, 8, 8)
    textures = maker.forward(pictures)
    monkeypatch.setattr(display, "Plan", no_plan_of_23_columns)
    with pytest.raises(LimitError, match=r"23x8 pixels.*--fit resize"):
        maker.upload(planes(1, 8, 23))
    assert_close(read_complex(textures), np.fft.fft2(pictures.astype(np.float64)), TABLE_DB)
    maker.release()


def test_an_algorithm_that_is_named_is_taken(ctx: moderngl.Context) -> None:
    maker = SpectrumMaker(ctx, "global-local-on-writing")
    pictures = planes(1, 16, 8)
    assert_close(read_complex(maker.forward(pictures)), np.fft.fft2(pictures.astype(np.float64)), TABLE_DB)
    assert maker._plan is not None
    assert maker._plan.request.algorithm == "global-local-on-writing"
    with pytest.raises(LimitError, match=r"^global-local-on-writing cannot transform 6x12 pixels; use --fit pad"):
        maker.upload(planes(1, 12, 6))
    maker.release()


def test_no_fit_is_advised_where_sides_are_powers_of_two(ctx: moderngl.Context) -> None:
    maker = SpectrumMaker(ctx, "radix-22")
    with refused(LimitError, match="radix-22 cannot transform lines of 32 points here: it would need") as error:
        maker.upload(planes(1, 32, 32))
    assert "--fit" not in str(error.value)
    maker.release()
