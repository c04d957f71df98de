"""Options of plans that make no sense are refused in one sentence."""

from __future__ import annotations

import gc
from typing import Any

import moderngl
import numpy as np
import pytest
from support.pictures import ALGORITHMS, run
from support.sentences import refused

import glfft
from glfft.algorithms.regions import Region
from glfft.algorithms.storage import STORAGES
from glfft.apps.signal_to_noise import random_complex
from glfft.engine.request import PlanRequest
from glfft.errors import (
    AlgorithmError,
    GlfftError,
    LimitError,
    OptionError,
    ShapeError,
)


@pytest.mark.parametrize(
    ("kind", "options", "words"),
    [
        (ShapeError, {"layers": 0}, ("layers is 0", "at least 1")),
        (ShapeError, {"layers": -3}, ("layers is -3",)),
        (ShapeError, {"layers": 2.0}, ("layers is 2.0", "whole number")),
        (ShapeError, {"layers": True}, ("layers is True", "whole number")),
        (ShapeError, {"layers": "2"}, ("layers is '2'",)),
        (OptionError, {"storage": "rg32"}, ("'rg32'", "did you mean 'rg32f'")),
        (OptionError, {"storage": "RG16F"}, ("'RG16F'", "did you mean 'rg16f'")),
        (OptionError, {"storage": "r32f"}, ("r32f", "real=True")),
        (OptionError, {"storage": None}, ("storage is None", *STORAGES)),
    ],
    ids=str,
)
def test_layers_and_storages_that_make_no_sense(
    ctx: moderngl.Context, kind: type[Exception], options: dict[str, Any], words: tuple[str, ...]
) -> None:
    with refused(kind) as caught:
        glfft.Plan(ctx, (8, 8), **options)
    for word in words:
        assert word in str(caught.value)


def test_real_is_true_or_false_and_shapes_are_checked(ctx: moderngl.Context) -> None:
    for given_value in (1, "yes", None):
        wrong: Any = given_value
        with refused(OptionError):
            glfft.Plan(ctx, (8, 8), real=wrong)
    with pytest.raises(ShapeError, match="columns must be at least 1"):
        glfft.Plan(ctx, (8, 0), real=True)


BAD_REQUESTS: list[tuple[type[GlfftError], Any, dict[str, Any], tuple[str, ...]]] = [
    (ShapeError, (0, 8), {}, ("(0, 8)", "at least 1")),
    (ShapeError, (8, -8), {}, ("-8", "columns", "at least 1")),
    (ShapeError, (0, 8), {"axes": (1,)}, ("rows", "at least 1")),
    (ShapeError, (8,), {}, ("(8,)", "(rows, columns)")),
    (ShapeError, (8, 8, 8, 8), {}, ("(8, 8, 8, 8)", "(depth, rows, columns)")),
    (ShapeError, (0, 8, 8), {}, ("planes", "at least 1")),
    (ShapeError, (8, 8, -1), {}, ("columns", "at least 1")),
    (ShapeError, (8, 8, 0.5), {}, ("0.5", "whole numbers")),
    (LimitError, (1 << 20, 8, 8), {}, ("1048576", "at most", "3-D textures", "planes")),
    (LimitError, (8, 8, 1 << 20), {"axes": (0,)}, ("1048576", "at most", "columns")),
    (LimitError, (1 << 10, 1 << 10, 1 << 10), {"storage": "buffer"}, ("8589934592 bytes", "at most")),
    (OptionError, (8, 8, 8), {"layers": 2}, ("layers is 2", "no arrays of 3-D textures", "storage='buffer'")),
    (ShapeError, (8, 8, 8), {"axes": (3,)}, ("(3,)", "axis 0 (lines through the planes)")),
    (ShapeError, (8, 8, 8), {"axes": (0, -3)}, ("once",)),
    (ShapeError, (8, 8, 8), {"axes": ()}, ("axes",)),
    (ShapeError, 8, {}, ("8", "(rows, columns)")),
    (ShapeError, (8.0, 8.0), {}, ("8.0", "whole numbers")),
    (ShapeError, "88", {}, ("88",)),
    (ShapeError, None, {}, ("None",)),
    (ShapeError, np.zeros((8, 8)), {}, ("array", "whole numbers")),
    (LimitError, (8, 1 << 20), {}, ("1048576", "at most")),
    (LimitError, (1 << 20, 8), {"axes": (1,)}, ("1048576", "at most", "rows")),
    (ShapeError, (8, 8), {"axes": ()}, ("axes",)),
    (ShapeError, (8, 8), {"axes": (2,)}, ("(2,)",)),
    (ShapeError, (8, 8), {"axes": (1, -1)}, ("once",)),
    (ShapeError, (8, 8), {"axes": 1}, ("axes is 1",)),
    (ShapeError, (8, 8), {"axes": (0.5,)}, ("axes",)),
    (AlgorithmError, (8, 8), {"algorithm": "stockham-radix3"}, ("stockham-radix3", "did you mean 'stockham-radix")),
    (AlgorithmError, (8, 8), {"algorithm": "Cooley-Tukey"}, ("did you mean 'cooley-tukey'",)),
    (AlgorithmError, (8, 8), {"algorithm": "?"}, ("choose one of", *ALGORITHMS, "'glfft info'")),
    (AlgorithmError, (8, 8), {"algorithm": None}, ("None",)),
    (AlgorithmError, (8, 8), {"algorithm": ["auto"]}, ("auto",)),
    (AlgorithmError, (8, 8), {"algorithm": "stock\nham"}, ("stock",)),
    (OptionError, (8, 8), {"norm": "ortho2"}, ("'ortho2'", "did you mean 'ortho'")),
    (OptionError, (8, 8), {"norm": 1}, ("norm is 1", "backward")),
    (OptionError, (8, 8), {"norm": np.ones((8, 8))}, ("norm is array", "backward")),
    (OptionError, (8, 8), {"norm": np.array("ortho")}, ("norm is array('ortho'", "backward")),
    (OptionError, (8, 8), {"storage": np.array(["buffer", "buffer"])}, ("storage is array", "rg32f")),
    (OptionError, (8, 8), {"twiddles": "tables"}, ("'tables'", "did you mean 'table'")),
]


@pytest.mark.parametrize(("kind", "shape", "options", "words"), BAD_REQUESTS, ids=lambda value: str(value)[:40])
def test_bad_requests(
    ctx: moderngl.Context, kind: type[GlfftError], shape: Any, options: dict[str, Any], words: tuple[str, ...]
) -> None:
    with refused(kind) as caught:
        glfft.Plan(ctx, shape, **options)
    for word in words:
        assert word in str(caught.value)


def test_a_failed_request_leaves_the_context_as_good_as_new(ctx: moderngl.Context) -> None:
    for _, shape, options, _ in BAD_REQUESTS:
        with pytest.raises(GlfftError):
            glfft.Plan(ctx, shape, **options)
    gc.collect()
    assert ctx.error == "GL_NO_ERROR"
    with glfft.Plan(ctx, (8, 8)) as plan:
        run(plan, random_complex((8, 8)))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"source_region": np.s_[0:3]}, "2 slices"),
        ({"source_region": (1, 2)}, "2 slices"),
        ({"target_region": 3}, "2 slices"),
        ({"source_region": np.s_[0:4:2, :]}, "without a step"),
        ({"target_region": np.s_[1.5:4, :]}, "whole numbers"),
        ({"source_region": np.s_[4:4, 0:3]}, "at least one"),
        ({"target_region": np.s_[0:4, 5:3]}, "at least one"),
        ({"source_region": np.s_[0:4, 0:17]}, "within the 16"),
        ({"target_region": np.s_[-3:16, 0:16]}, "within the 16"),
        ({"boundary": "wrap"}, "source_region"),
        ({"source_region": np.s_[0:4, 0:4], "boundary": "periodic"}, "mirror"),
    ],
    ids=str,
)
def test_regions_that_are_none(options: dict[str, Any], words: str) -> None:
    with refused((ShapeError, OptionError), match=words):
        PlanRequest.of((16, 16), **options)


def test_a_region_of_all_points_is_none() -> None:
    request = PlanRequest.of((16, 8), source_region=np.s_[:, :], target_region=[slice(None), slice(2, None)])
    assert request.source_region is None
    assert request.target_region == Region((0, 2), (16, 6))
