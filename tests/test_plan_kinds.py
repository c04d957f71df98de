"""Plans of cosine and sine transforms: scipy's dctn and dstn and their inverses, by type, length, axis and storage."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
import scipy.fft
from support import images
from support.images import random_values, release
from support.kernels import restrict_device
from support.sentences import refused
from support.tolerances import BLUESTEIN_DB, COMPOSED_DB, assert_close, floor_of

import glfft
from glfft import snippets
from glfft.algorithms.kinds import KINDS
from glfft.algorithms.storage import STORAGES
from glfft.errors import GlfftError, LimitError, OptionError, ShapeError, TextureError

each_kind = pytest.mark.parametrize("kind", KINDS)


def exact(plan: glfft.Plan, direction: str, values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """What scipy makes of values in float64."""
    request = plan.request
    assert request.kind is not None
    name = ("" if direction == "forward" else "i") + request.kind.name[:3] + "n"
    return getattr(scipy.fft, name)(
        values.astype(np.float64),
        request.kind.type,
        axes=[axis - 2 for axis in request.axes],
        norm=request.norm,
        orthogonalize=request.orthogonalize,
    )


def assert_right(plan: glfft.Plan, seed: int = 0, floor_db: float = BLUESTEIN_DB) -> None:
    """Fail unless both directions of a plan are scipy's, and write every element."""
    for direction in ("forward", "inverse"):
        values = random_values(plan.request.storage.of_reals, plan.shape, plan.request.layers, seed)
        assert_close(images.run(plan, values, direction), exact(plan, direction, values), floor_db)


@each_kind
@pytest.mark.parametrize("shape", [(4, 5), (5, 2)])
def test_both_axes_in_two_dispatches(ctx: moderngl.Context, kind: str, shape: tuple[int, int]) -> None:
    with glfft.Plan(ctx, shape, kind=kind) as plan:
        assert plan.dispatches == 2
        assert plan.spectrum_shape == shape
        assert_right(plan)


@pytest.mark.parametrize(("kind", "axis"), [(kind, index % 2) for index, kind in enumerate(KINDS)])
def test_one_axis_in_one_dispatch_and_orthogonal(ctx: moderngl.Context, kind: str, axis: int) -> None:
    shape = (3, 6) if axis == 1 else (6, 3)
    with glfft.Plan(ctx, shape, axes=(axis,), kind=kind, norm="ortho", layers=2) as plan:
        assert plan.dispatches == 1
        assert_right(plan)
        values = random_values(plan.request.storage.of_reals, shape, 2)
        there = images.run(plan, values)
        assert_close(images.run(plan, there, "inverse"), values, COMPOSED_DB)
        assert abs(np.linalg.norm(there) / np.linalg.norm(values) - 1.0) < 1e-5


@pytest.mark.parametrize("kind", ["dct1", "dct2", "dst3", "dct4"])
def test_lengths_of_large_factors_in_one_dispatch(ctx: moderngl.Context, kind: str) -> None:
    # A line of 60 points takes a transform of 118 in type 1.
    length = 60 if kind == "dct1" else 59
    with glfft.Plan(ctx, (3, length), axes=(1,), kind=kind) as plan:
        assert plan.dispatches == 1
        assert "bluestein(v, place)" in plan.source()[0].text
        assert_right(plan)


@each_kind
def test_lines_of_one_point_are_scaled(ctx: moderngl.Context, kind: str) -> None:
    if kind == "dct1":
        return
    for shape, axes in (((1, 1), (0, 1)), ((1, 6), (0,)), ((1, 6), (0, 1))):
        for norm, orthogonalize in (("backward", None), ("ortho", None), ("forward", True)):
            with glfft.Plan(ctx, shape, axes=axes, kind=kind, norm=norm, orthogonalize=orthogonalize) as plan:
                assert plan.dispatches == 1
                assert_right(plan)


@pytest.mark.parametrize(("name", "layers"), [(name, (None, 3)[index % 2]) for index, name in enumerate(STORAGES)])
def test_every_storage_holds_real_numbers(ctx: moderngl.Context, name: str, layers: int | None) -> None:
    with glfft.Plan(ctx, (6, 5), kind="dct2", layers=layers, storage=name, norm="ortho") as plan:
        assert_right(plan, floor_db=floor_of(STORAGES[name], plan.dispatches, BLUESTEIN_DB))


@pytest.mark.parametrize("algorithm", ["cooley-tukey", "natural-order-stages", "stockham-radix4"])
@pytest.mark.parametrize("kind", ["dct2", "dst3", "dct4"])
def test_other_algorithms_have_a_dispatch_before_theirs_and_one_after(
    ctx: moderngl.Context, algorithm: str, kind: str
) -> None:
    with glfft.Plan(ctx, (2, 4), kind=kind, algorithm=algorithm, layers=2) as plan:
        with glfft.Plan(ctx, (2, 4), algorithm=algorithm) as complex_plan:
            assert plan.dispatches == complex_plan.dispatches + 4
        assert_right(plan)


@pytest.mark.parametrize("kind", ["dct1", "dst1", "dct3", "dst4"])
def test_long_lines_go_in_more_dispatches(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    restrict_device(ctx, monkeypatch, shared_memory=128)
    length = {"dct1": 65, "dst1": 63}.get(kind, 128)
    with glfft.Plan(ctx, (1, length), axes=(1,), kind=kind, storage="buffer") as plan:
        assert plan.dispatches == 4
        assert_right(plan)


def test_in_place_and_with_snippets(ctx: moderngl.Context) -> None:
    picture = np.random.default_rng(4).standard_normal((10, 6)).astype(np.float32)
    half = "value load(ivec3 at) { return 0.5 * read_source(at); }"
    twice = "void store(ivec3 at, value v) { write_target(at, 2.0 * v); }"
    for load, store, factor in ((None, None, 1.0), (half, None, 0.5), (half, twice, 1.0)):
        texture = ctx.texture((6, 10), 1, picture.tobytes(), dtype="f4")
        with glfft.Plan(ctx, (10, 6), kind="dct3", load=load, store=store) as plan:
            plan.forward(texture, texture, next_use="read")
        result = np.frombuffer(texture.read(), np.float32).reshape(picture.shape)
        assert_close(result, factor * np.asarray(scipy.fft.dctn(picture.astype(np.float64), 3)), BLUESTEIN_DB)
        release(texture)


def test_a_line_of_an_axis_alone_keeps_its_nan_to_itself(ctx: moderngl.Context) -> None:
    values = random_values(STORAGES["rg32f"].of_reals, (4, 8), None)
    values[0, 0, 1, 3] = np.nan
    with glfft.Plan(ctx, (4, 8), axes=(1,), kind="dct2") as plan:
        result = images.run(plan, values)[0, 0]
    assert np.isnan(result).all(axis=1).tolist() == [False, True, False, False]
    assert not np.isnan(result[[0, 2, 3]]).any()


BAD: list[tuple[type[GlfftError], Any, dict[str, Any], tuple[str, ...]]] = [
    (OptionError, (8, 8), {"kind": "dct5"}, ("'dct5'", "did you mean 'dct")),
    (OptionError, (8, 8), {"kind": 2}, ("kind is 2", "dst4")),
    (OptionError, (8, 8), {"kind": True}, ("kind is True",)),
    (OptionError, (8, 8), {"kind": "dct2", "real": True}, ("kind='dct2'", "leave out real=True")),
    (OptionError, (8, 8), {"kind": "dst1", "multiply": snippets.multiply_by_texture()}, ("multiply=", "dst1")),
    (OptionError, (8, 8), {"kind": "dct2", "load": snippets.real_pair_load()}, ("real_pair", "dct2")),
    (OptionError, (8, 8), {"kind": "dct2", "orthogonalize": "no"}, ("orthogonalize is 'no'",)),
    (OptionError, (8, 8), {"orthogonalize": True}, ("orthogonalize=", "kind=")),
    (ShapeError, (8, 1), {"kind": "dct1"}, ("dct1", "one point", "at least 2")),
    (ShapeError, (0, 8), {"kind": "dct2"}, ("rows", "at least 1")),
    (LimitError, (8, 7), {"kind": "dct1", "axes": (1,), "algorithm": "cooley-tukey"}, ("12 points", "dct1 of 7")),
]


@pytest.mark.parametrize(("error", "shape", "options", "words"), BAD, ids=lambda value: str(value)[:40])
def test_what_cannot_be_is_a_sentence(
    ctx: moderngl.Context, error: type[GlfftError], shape: Any, options: dict[str, Any], words: tuple[str, ...]
) -> None:
    with refused(error) as caught:
        glfft.Plan(ctx, shape, **options)
    for word in words:
        assert word in str(caught.value)


def test_textures_of_complex_numbers_are_refused(ctx: moderngl.Context) -> None:
    with glfft.Plan(ctx, (4, 8), kind="dct2") as plan:
        good, bad = (ctx.texture((8, 4), components, dtype="f4") for components in (1, 2))
        images.assert_refused(plan, good, bad, ("2 components", "1 component"))
        with pytest.raises(TextureError):
            plan.forward(bad, bad)
        release(good, bad)
        assert "dct2 of r32f" in plan.explain()
        assert "kind='dct2'" in repr(plan)
