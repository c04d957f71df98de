"""Plans that multiply: `Plan.convolve` is numpy's transform, a product and the inverse transform."""

from __future__ import annotations

import gc
from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import images
from support.gl_objects import assert_plans_leave_nothing, live_objects
from support.images import HALVES, random_values, release, run
from support.kernels import restrict_device
from support.pictures import ALGORITHMS, OF_EACH_END
from support.sentences import assert_one_sentence, refused
from support.tolerances import COMPOSED_DB, assert_close, floor_of

import glfft
from glfft import snippets
from glfft.algorithms.passes import Choice
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.storage import STORAGES, Storage
from glfft.apps.signal_to_noise import random_complex
from glfft.engine.plan_passes import plan_passes
from glfft.engine.request import CONVOLVE, FORWARD, PlanRequest
from glfft.errors import OptionError, ReleasedError, ShaderError, TextureError
from glfft.gl.context import state_of
from glfft.snippets import Snippet
from glfft.wisdom import lookup

RG32F = STORAGES["rg32f"]
FUSED = ("auto", "stockham", "stockham-picture", "stockham-radix2", "stockham-radix4")

each_algorithm = pytest.mark.parametrize("algorithm", OF_EACH_END)
each_storage = pytest.mark.parametrize("storage", STORAGES.values(), ids=STORAGES)
each_kind = pytest.mark.parametrize("algorithm", ["stockham-radix4", "natural-order-stages"])
real_or_not = pytest.mark.parametrize("real", [False, True], ids=["complex", "real"])
each_axes = pytest.mark.parametrize("axes", [(0, 1), (1,), (0,)], ids=str)

# A product told by the place alone, which no two places share and no symmetry hides.
BY_PLACE = """
uniform vec2 along;
value product(ivec3 at, value spectrum) {
    return multiply(spectrum, vec2(1.0 + float(at.x) * along.x + 0.5 * float(at.z), float(at.y) * along.y));
}
"""
ALONG = (0.25, -0.5)


def by_place(shape: tuple[int, ...]) -> npt.NDArray[np.complex128]:
    """What BY_PLACE multiplies a spectrum of [layers, halves, rows, columns] by."""
    z, y, x = np.indices((shape[0], *shape[2:]))[:, :, np.newaxis]
    return 1.0 + ALONG[0] * x + 0.5 * z + 1j * ALONG[1] * y


def source_of(plan: glfft.Plan, seed: int = 0) -> npt.NDArray[Any]:
    storage = plan.request.storage
    return random_values(storage.of_reals if plan.request.real else storage, plan.shape, plan.request.layers, seed)


def spectrum_of(plan: glfft.Plan, values: npt.NDArray[Any]) -> npt.NDArray[np.complex128]:
    """numpy's, by the plan's norm."""
    norm: Any = plan.request.norm
    axes = [axis - 2 for axis in sorted(plan.request.axes)]
    if plan.request.real:
        return np.fft.rfftn(values.astype(np.float64), axes=axes, norm=norm)
    return np.fft.fftn(values.astype(np.complex128), axes=axes, norm=norm)


def back(plan: glfft.Plan, spectrum: npt.NDArray[np.complex128]) -> npt.NDArray[Any]:
    """The inverse of `spectrum_of`."""
    norm: Any = plan.request.norm
    axes = sorted(plan.request.axes)
    of_array = [axis - 2 for axis in axes]
    if plan.request.real:
        return np.fft.irfftn(spectrum, [plan.shape[axis] for axis in axes], of_array, norm)
    return np.fft.ifftn(spectrum, axes=of_array, norm=norm)


def assert_convolves_by_place(plan: glfft.Plan, seed: int = 0) -> None:
    """Fail unless a plan made with BY_PLACE convolves as numpy does."""
    plan.set_uniforms(along=ALONG)
    values = source_of(plan, seed)
    spectrum = spectrum_of(plan, values)
    floor = floor_of(plan.request.storage, dispatches(plan), COMPOSED_DB)
    assert_close(run(plan, values, "convolve"), back(plan, spectrum * by_place(spectrum.shape)), floor)


def dispatches(plan: glfft.Plan) -> int:
    """How many a convolution has, as the plan tells."""
    (line,) = [line for line in plan.explain().splitlines() if line.startswith("convolve: ")]
    return int(line.split()[1])


@each_storage
@pytest.mark.parametrize("algorithm", ["auto", "natural-order-stages"])
def test_every_storage_agrees_with_float64_numpy(ctx: moderngl.Context, algorithm: str, storage: Storage) -> None:
    # In turn, so that any two of storage, algorithm, layers, real pictures and axes meet each.
    index, other = list(STORAGES).index(storage.name), algorithm == "auto"
    layers = (None, 3)[(index + other) % 2]
    real = (index // 2 + other) % 2 == 0
    shape, axes = (((4, 8), (0, 1)), ((5, 8), (1,)))[(index // 4 + other) % 2]
    with glfft.Plan(
        ctx,
        shape,
        axes=axes,
        algorithm=algorithm,
        layers=layers,
        storage=storage.name,
        multiply=BY_PLACE,
        real=real,
        directions="convolve",
    ) as plan:
        assert_convolves_by_place(plan)


SHAPES = [
    ((4, 8), (0, 1)),
    ((1, 8), (0, 1)),
    ((8, 1), (0, 1)),
    ((1, 1), (0, 1)),
    ((2, 2), (0, 1)),
    ((5, 8), (1,)),
    ((8, 7), (0,)),
    ((3, 1), (1,)),
]


# The first shape with every algorithm, and the others in turn, of complex numbers and of real ones in turn: any two of
# shape, real pictures and kind of algorithm, in one dispatch an axis or in several, meet.
@pytest.mark.parametrize(
    ("algorithm", "shape", "axes", "real"),
    [
        (algorithm, *each, (number // 2 + index // 2) % 2 == 1)
        for number, algorithm in enumerate(OF_EACH_END)
        for index, each in enumerate(SHAPES)
        if index == 0 or (number + index) % 3 == 0
    ],
    ids=str,
)
def test_every_algorithm_agrees_with_float64_numpy(
    ctx: moderngl.Context, algorithm: str, shape: tuple[int, int], axes: tuple[int, ...], real: bool
) -> None:
    with glfft.Plan(
        ctx, shape, axes=axes, algorithm=algorithm, multiply=BY_PLACE, real=real, directions="convolve"
    ) as plan:
        assert_convolves_by_place(plan)


@settings(max_examples=15)
@given(data=st.data())
def test_any_shape_axes_and_norm(ctx: moderngl.Context, data: st.DataObject) -> None:
    axes = data.draw(st.sampled_from([(0, 1), (0,), (1,)]))
    powers, any_length = st.integers(0, 5).map(lambda exponent: 2**exponent), st.integers(1, 20)
    rows, columns = (data.draw(powers if axis in axes else any_length) for axis in (0, 1))
    with glfft.Plan(
        ctx,
        (rows, columns),
        axes=axes,
        algorithm=data.draw(st.sampled_from(ALGORITHMS)),
        norm=data.draw(st.sampled_from(["backward", "ortho", "forward"])),
        layers=data.draw(st.sampled_from([None, 2])),
        multiply=BY_PLACE,
        real=data.draw(st.booleans()),
        directions="convolve",
    ) as plan:
        assert_convolves_by_place(plan, data.draw(st.integers(0, 99)))


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
@each_kind
def test_a_product_sees_the_spectrum_of_the_norm(ctx: moderngl.Context, algorithm: str, norm: str) -> None:
    # Not linear in the spectrum, so that its scale shows.
    squared = "value product(ivec3 at, value spectrum) { return multiply(spectrum, spectrum); }"
    for axes in ((0, 1), (1,)):
        with glfft.Plan(
            ctx, (4, 8), axes=axes, algorithm=algorithm, norm=norm, multiply=squared, directions="convolve"
        ) as plan:
            values = source_of(plan)
            assert_close(run(plan, values, "convolve"), back(plan, spectrum_of(plan, values) ** 2), COMPOSED_DB)


@real_or_not
@each_kind
def test_layers_are_convolved_with_one_filter(ctx: moderngl.Context, algorithm: str, real: bool) -> None:
    # By the sum that defines a circular convolution, on whole numbers, which float32 holds exactly.
    generator = np.random.default_rng(3)
    kernel, pictures = generator.integers(-4, 5, (8, 8)), generator.integers(-4, 5, (3, 1, 8, 8))
    rolled = [np.roll(pictures, (j, k), axis=(-2, -1)) * kernel[j, k] for j in range(8) for k in range(8)]
    with glfft.Plan(
        ctx,
        (8, 8),
        algorithm=algorithm,
        layers=3,
        multiply=snippets.multiply_by_texture(),
        real=real,
        directions="convolve",
    ) as plan:
        factor = spectrum_of(plan, kernel[np.newaxis, np.newaxis])
        texture = images.upload(ctx, factor, RG32F, None)
        plan.set_uniforms(factor=texture)
        result = run(plan, pictures.astype(np.float32 if real else np.complex64), "convolve")
        release(texture)
    assert_close(result, np.sum(rolled, axis=0), COMPOSED_DB)
    assert np.abs(result - np.sum(rolled, axis=0)).max() < 1e-2


@real_or_not
def test_the_filter_may_be_transformed_by_the_plan_itself(ctx: moderngl.Context, real: bool) -> None:
    # Nothing has been set then, and forward and inverse need nothing.
    with glfft.Plan(ctx, (16, 32), multiply=snippets.multiply_by_texture(), real=real) as plan:
        picture, kernel = source_of(plan, 1), source_of(plan, 2)
        storage = RG32F.of_reals if real else RG32F
        source, image = (images.upload(ctx, each, storage, None) for each in (kernel, picture))
        target = images.blank(ctx, (16, 32), storage, None)
        factor = images.blank(ctx, plan.spectrum_shape, RG32F, None)
        with refused(TextureError, "set_uniforms(factor=...)"):
            plan.convolve(image, target)
        plan.forward(source, factor, next_use="sample")
        plan.set_uniforms(factor=factor)
        plan.convolve(image, target, next_use="read")
        exact = back(plan, spectrum_of(plan, picture) * spectrum_of(plan, kernel))
        assert_close(images.download(target, storage, (16, 32), None), exact, COMPOSED_DB)
        release(source, image, target, factor)


@each_kind
def test_the_filter_may_be_replaced_by_the_result(ctx: moderngl.Context, algorithm: str) -> None:
    # The passes before the product must not have worked in the target by then.
    factor = random_values(RG32F, (4, 8), None, 1)
    texture = images.upload(ctx, factor, RG32F, None)
    with glfft.Plan(
        ctx, (4, 8), algorithm=algorithm, multiply=snippets.multiply_by_texture(), directions="convolve"
    ) as plan:
        plan.set_uniforms(factor=texture)
        values = source_of(plan)
        source = images.upload(ctx, values, RG32F, None)
        plan.convolve(source, texture, next_use="read")
        exact = back(plan, spectrum_of(plan, values) * factor.astype(np.complex128))
        assert_close(images.download(texture, RG32F, (4, 8), None), exact, COMPOSED_DB)
        release(source)
    release(texture)


@pytest.mark.parametrize("name", [name for name, halves in HALVES.items() if halves == 2])
def test_both_numbers_of_a_texel_are_multiplied(ctx: moderngl.Context, name: str) -> None:
    factor = random_complex((4, 8))
    texture = images.upload(ctx, factor[np.newaxis, np.newaxis], RG32F, None)
    with glfft.Plan(ctx, (4, 8), storage=name, multiply=snippets.multiply_by_texture(), directions="convolve") as plan:
        plan.set_uniforms(factor=texture)
        values = source_of(plan)
        floor = floor_of(STORAGES[name], dispatches(plan), COMPOSED_DB)
        assert_close(run(plan, values, "convolve"), back(plan, spectrum_of(plan, values) * factor), floor)
    release(texture)


@each_algorithm
def test_forward_and_inverse_know_nothing_of_the_product(ctx: moderngl.Context, algorithm: str) -> None:
    axes, both = ((0, 1), (1,), (0,))[OF_EACH_END.index(algorithm) % 3], ("forward", "inverse")
    with (
        glfft.Plan(ctx, (4, 8), axes=axes, algorithm=algorithm, multiply=BY_PLACE, directions=both) as plan,
        glfft.Plan(ctx, (4, 8), axes=axes, algorithm=algorithm) as plain,
    ):
        values = source_of(plan)
        for way in both:
            assert np.array_equal(run(plan, values, way), run(plain, values, way))


def test_the_product_is_a_plans_own_and_can_be_set_again(ctx: moderngl.Context) -> None:
    gain = "uniform float gain;\nvalue product(ivec3 at, value spectrum) { return gain * spectrum; }\n"
    options: dict[str, Any] = {"multiply": gain, "directions": "convolve"}
    with glfft.Plan(ctx, (4, 8), **options) as one, glfft.Plan(ctx, (4, 8), **options) as other:
        values = source_of(one)
        other.set_uniforms(gain=-1.0)
        for factor in (2.0, 0.5):
            one.set_uniforms(gain=factor)
            assert_close(run(one, values, "convolve"), factor * values, COMPOSED_DB)
            assert_close(run(other, values, "convolve"), -values, COMPOSED_DB)


LOAD = "uniform float before;\nvalue load(ivec3 at) { return before * read_source(at) + vec2(at.x, 0.0); }\n"
STORE = """
uniform float after;
void store(ivec3 at, value result) { write_target(at, after * result + vec2(at.y, 0.0)); }
"""


IN_EVERY_WAY = ("stockham-radix4", "cooley-tukey", "natural-order-stages")


# In turn, so that textures and buffers meet each of the others, and so do real pictures and complex ones.
@pytest.mark.parametrize(
    ("algorithm", "axes", "real", "name"),
    [
        (algorithm, axes, (row + column) % 2 == 1, ("rg32f", "buffer")[(row + column + (row + column) // 2) % 2])
        for row, algorithm in enumerate(IN_EVERY_WAY)
        for column, axes in enumerate([(0, 1), (1,), (0,)])
    ],
    ids=str,
)
def test_load_comes_first_and_store_last(
    ctx: moderngl.Context, algorithm: str, axes: tuple[int, ...], real: bool, name: str
) -> None:
    with glfft.Plan(
        ctx,
        (4, 8),
        axes=axes,
        algorithm=algorithm,
        storage=name,
        load=LOAD,
        store=STORE,
        multiply=BY_PLACE,
        real=real,
        directions="convolve",
    ) as plan:
        plan.set_uniforms(before=3.0, after=-0.5, along=ALONG)
        values = source_of(plan)
        y, x = np.indices((4, 8))
        spectrum = spectrum_of(plan, 3.0 * values.astype(np.float64 if real else np.complex128) + x)
        exact = -0.5 * back(plan, spectrum * by_place(spectrum.shape)) + y
        assert_close(run(plan, values, "convolve"), exact, COMPOSED_DB)


@each_kind
def test_ends_that_snippets_do_without(ctx: moderngl.Context, algorithm: str) -> None:
    load = "value load(ivec3 at) { return value(float(at.x * at.x), float(at.y)); }"
    store = """
        layout(rg32f) writeonly uniform image2D found;
        void store(ivec3 at, value result) { imageStore(found, at.xy, vec4(result, 0.0, 0.0)); }"""
    y, x = np.indices((4, 8))[:, np.newaxis, np.newaxis]
    for axes in ((0, 1), (1,)):
        found = images.blank(ctx, (4, 8), RG32F, None)
        with glfft.Plan(
            ctx,
            (4, 8),
            axes=axes,
            algorithm=algorithm,
            load=load,
            store=store,
            multiply=BY_PLACE,
            directions="convolve",
        ) as plan:
            plan.set_uniforms(along=ALONG, found=found)
            plan.convolve(None, None, next_use="read")
            spectrum = spectrum_of(plan, x * x + 1j * y)
            exact = back(plan, spectrum * by_place(spectrum.shape))
            assert_close(images.download(found, RG32F, (4, 8), None), exact, COMPOSED_DB)
        release(found)


@real_or_not
@each_storage
def test_in_place_and_again_gives_the_same_bits(ctx: moderngl.Context, storage: Storage, real: bool) -> None:
    held = storage.of_reals if real else storage
    # Several dispatches, or one, in turn.
    axes = ((0, 1), (1,))[(list(STORAGES).index(storage.name) + real) % 2]
    with glfft.Plan(
        ctx, (4, 8), axes=axes, storage=storage.name, multiply=BY_PLACE, real=real, directions="convolve"
    ) as plan:
        plan.set_uniforms(along=ALONG)
        values = source_of(plan)
        source = images.upload(ctx, values, held, None)
        results = []
        for _ in range(3):
            target = images.blank(ctx, (4, 8), held, None)
            plan.convolve(source, target, next_use="read")
            results.append(target.read())
            release(target)
        assert np.array_equal(images.download(source, held, (4, 8), None), values)
        plan.convolve(source, source, next_use="read")
        assert {*results} == {source.read()}
        release(source)


def test_one_pass_with_snippets_cannot_work_in_place(ctx: moderngl.Context) -> None:
    image = images.blank(ctx, (8, 16), RG32F, None)
    with (
        glfft.Plan(
            ctx, (8, 16), axes=(1,), load=snippets.shift_load(), multiply=BY_PLACE, directions="convolve"
        ) as plan,
        pytest.raises(TextureError) as caught,
    ):
        plan.convolve(image, image)
    assert_one_sentence(str(caught.value))
    assert "in place" in str(caught.value)
    release(image)


@each_algorithm
def test_the_fewest_dispatches(ctx: moderngl.Context, algorithm: str) -> None:
    # What is counted need not be compiled.
    def counted(direction: int, shape: tuple[int, int] = (8, 16), **options: Any) -> int:
        request = PlanRequest.of(shape, algorithm=algorithm, multiply=BY_PLACE, **options)
        return len(plan_passes(request, direction, state_of(ctx).device))

    fused = algorithm in FUSED
    # Rows of 16 points, columns of 8.
    rows, columns = {"any-radix-stages": (2, 2)}.get(algorithm, (4, 3) if "stages" in algorithm else (1, 1))
    for axes, one_way in {(0, 1): columns + rows, (1,): rows, (0,): columns}.items():
        for real in (False, True) if axes != (0,) else (True,):
            # Two real lines in one complex line have no spectrum of their own to multiply.
            one_at_once = fused and not (real and len(axes) == 1)
            passes = 1 if algorithm in ("auto", "stockham-picture") and len(axes) == 2 else one_way
            assert counted(CONVOLVE, axes=axes, real=real) == 2 * passes - one_at_once
            assert counted(FORWARD, axes=axes, real=real) == passes
    assert counted(CONVOLVE, (1, 1)) == 2


# Every storage has rows and columns, with complex and real pictures in turn; both axes are these one after the other.
IN_PARTS = [
    (shape, axes, wanted, storage, (row + column) % 2 == 1, 64)
    for row, (shape, axes, wanted) in enumerate([((3, 64), (1,), 4), ((64, 3), (0,), 4)])
    for column, storage in enumerate(["rg32f", "rgba32f", "buffer"])
]
IN_PARTS += [((8, 64), (0, 1), 5, "buffer", True, 64), ((64, 8), (0, 1), 6, "rgba32f", False, 64)]


# The last one's parts have two stages each.
@pytest.mark.parametrize(
    ("shape", "axes", "wanted", "storage", "real", "shared_memory"),
    [*IN_PARTS, ((3, 512), (1,), 4, "rg32f", False, 512)],
    ids=str,
)
def test_lines_too_long_for_a_work_group_go_in_parts(
    ctx: moderngl.Context,
    monkeypatch: pytest.MonkeyPatch,
    shape: tuple[int, int],
    axes: tuple[int, ...],
    wanted: int,
    storage: str,
    real: bool,
    shared_memory: int,
) -> None:
    restrict_device(ctx, monkeypatch, shared_memory=shared_memory)
    with glfft.Plan(
        ctx,
        shape,
        axes=axes,
        storage=storage,
        algorithm="stockham",
        multiply=BY_PLACE,
        real=real,
        directions="convolve",
    ) as plan:
        assert dispatches(plan) == wanted
        assert_convolves_by_place(plan)


@pytest.mark.parametrize(
    "kernel",
    [
        KernelConfig((4, 3), 3),
        KernelConfig((3, 4), 4, 2, side_by_side=True, exchange="in turn"),  # the last stage leaves a thread idle
        KernelConfig((2, 5, 3), 8, 4, exchange="in turn", padding=2),
        KernelConfig((5, 5), 5, 2, side_by_side=True, prefetch_twiddles=True),
    ],
    ids=str,
)
@pytest.mark.parametrize("axis", [0, 1])
def test_both_transforms_are_turns_of_a_loop_on_gpus(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, kernel: KernelConfig, axis: int
) -> None:
    state = state_of(ctx)
    monkeypatch.setattr(state, "device", replace(state.device, renderer="A GPU"))
    monkeypatch.setattr(lookup, "choose", lambda request: [(request, Choice("stockham", kernel))])
    shape = (kernel.length, 5) if axis == 0 else (5, kernel.length)
    options = {"axes": (axis,), "storage": "rgba32f", "layers": 2, "algorithm": "stockham", "multiply": BY_PLACE}
    with glfft.Plan(ctx, shape, directions="convolve", **options) as plan:
        ((spec,),) = plan._passes.values()
        assert dict(spec.defines)["IN_A_LOOP"]
        assert_convolves_by_place(plan)


def test_more_groups_than_fit_in_a_row(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    restrict_device(ctx, monkeypatch, group_count=(2, 65535, 65535))
    with glfft.Plan(ctx, (300, 16), axes=(1,), algorithm="stockham", multiply=BY_PLACE, directions="convolve") as plan:
        assert_convolves_by_place(plan)


@pytest.mark.parametrize("axis", [0, 1])
def test_nan_stays_in_its_line(ctx: moderngl.Context, axis: int) -> None:
    with glfft.Plan(ctx, (8, 8), axes=(axis,), algorithm="stockham", multiply=BY_PLACE, directions="convolve") as plan:
        plan.set_uniforms(along=ALONG)
        values = source_of(plan)
        clean = np.moveaxis(run(plan, values, "convolve")[0, 0], 1 - axis, 0)
        np.moveaxis(values[0, 0], 1 - axis, 0)[3, 4] = np.nan
        result = np.moveaxis(run(plan, values, "convolve")[0, 0], 1 - axis, 0)
    assert np.isnan(result[3]).all()
    assert np.array_equal(np.delete(result, 3, axis=0), np.delete(clean, 3, axis=0))


@each_axes
@pytest.mark.parametrize("algorithm", ["stockham", "cooley-tukey", "natural-order-stages"])
@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_compile_errors_name_the_snippet_and_its_line(
    ctx: moderngl.Context, algorithm: str, axes: tuple[int, ...]
) -> None:
    bad = "// changes nothing\nvalue product(ivec3 at, value spectrum) {\n    return nowhere;\n}\n"
    cases: list[tuple[Snippet | str, str]] = [
        (bad, "multiply snippet:3: `return nowhere;`"),
        (Snippet(bad, name="blur.glsl"), "multiply snippet blur.glsl:3: `return nowhere;`"),
        ('\n#include "nowhere.glsl"\n', "'nowhere.glsl', which multiply snippet:2 asks for"),
    ]
    before = live_objects(ctx)
    for multiply, where in cases:
        with pytest.raises(ShaderError) as caught:
            glfft.Plan(ctx, (4, 8), axes=axes, algorithm=algorithm, multiply=multiply)
        assert where in str(caught.value)
    with pytest.raises(ShaderError, match="product"):
        glfft.Plan(ctx, (4, 8), axes=axes, algorithm=algorithm, multiply="")
    gc.collect()
    with glfft.Plan(ctx, (4, 8), axes=axes, algorithm=algorithm) as plan:
        assert np.isfinite(run(plan, source_of(plan))).all()
    del plan  # a software renderer's scratch buffer, while held, keeps its buffer texture
    after = live_objects(ctx)
    # The plan's own shared programs and tables stay.
    assert (after["Texture"], after["Program"] - before["Program"] <= 14) == (before["Texture"], True)


@pytest.mark.parametrize(("real", "size"), [(True, (16, 8)), (True, (9, 4)), (False, (9, 8)), (False, (8, 16))])
def test_a_filter_of_another_shape_is_refused(ctx: moderngl.Context, real: bool, size: tuple[int, int]) -> None:
    with glfft.Plan(ctx, (8, 16), real=real, multiply=snippets.multiply_by_texture(), directions="convolve") as plan:
        with refused(TextureError) as caught:
            plan.set_uniforms(factor=ctx.texture(size, 2, dtype="f4"))
        assert ("9 x 8" if real else "16 x 8") in str(caught.value)


def test_a_plan_without_multiply_convolves_nothing(ctx: moderngl.Context) -> None:
    image = images.blank(ctx, (8, 16), RG32F, None)
    with glfft.Plan(ctx, (8, 16)) as plan, pytest.raises(OptionError) as caught:
        plan.convolve(image, image)
    assert_one_sentence(str(caught.value))
    assert "multiply=" in str(caught.value)
    wrong: Any = 5
    with pytest.raises(OptionError, match="multiply must be GLSL text"):
        glfft.Plan(ctx, (8, 16), multiply=wrong)
    plan = glfft.Plan(ctx, (8, 16), multiply=BY_PLACE)
    plan.release()
    with pytest.raises(ReleasedError):
        plan.convolve(image, image)
    release(image)


@each_algorithm
def test_what_a_plan_says_of_itself(ctx: moderngl.Context, algorithm: str) -> None:
    # Real pictures and complex ones in turn, as each is more programs.
    real = OF_EACH_END.index(algorithm) // 2 % 2 == 1
    with glfft.Plan(
        ctx, (4, 8), algorithm=algorithm, multiply=BY_PLACE, real=real, directions=("forward", "convolve")
    ) as plan:
        told = plan.explain()
        assert "forward: " in told
        assert "result scaled by 0.03125" in told[told.index("convolve: ") :]
        assert ("fft/stockham_convolve.comp" in told) == (algorithm in FUSED)
        convolving = [each for each in plan.source() if each.name.startswith("convolve pass")]
        assert convolving[0].name == "convolve pass 1"
        assert any("value product(ivec3 at, value spectrum)" in each.text for each in convolving)


@each_axes
@each_kind
@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_plans_come_and_go(ctx: moderngl.Context, algorithm: str, axes: tuple[int, ...]) -> None:
    def make_and_drop(index: int) -> None:
        plan = glfft.Plan(ctx, (4, 8), axes=axes, algorithm=algorithm, multiply=BY_PLACE, directions="convolve")
        if index % 2:
            plan.release()

    assert_plans_leave_nothing(ctx, make_and_drop, 4)
