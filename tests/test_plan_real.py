"""Plans of real pictures: numpy's rfftn and irfftn, over every algorithm, storage, shape and axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import images
from support.gl_objects import assert_plans_leave_nothing
from support.images import random_values, release, run
from support.kernels import restrict_device
from support.pictures import ALGORITHMS, OF_EACH_END
from support.sentences import refused
from support.tolerances import BLUESTEIN_DB, COMPOSED_DB, COMPUTED_DB, assert_close, floor_of

import glfft
from glfft import snippets
from glfft.algorithms.stockham import choose
from glfft.algorithms.storage import STORAGES, Storage
from glfft.errors import OptionError, ReleasedError, TextureError

RG32F = STORAGES["rg32f"]
WAYS = ("forward", "inverse")

each_algorithm = pytest.mark.parametrize("algorithm", OF_EACH_END)
each_storage = pytest.mark.parametrize("storage", STORAGES.values(), ids=STORAGES)

# Lines in pairs, and lines each on its own.
KINDS = ("stockham-radix4", "natural-order-stages")
each_kind = pytest.mark.parametrize("algorithm", KINDS)
EVERY_KIND = ("auto", "cooley-tukey", *KINDS)


def given_to(plan: glfft.Plan, way: str, seed: int = 0) -> npt.NDArray[Any]:
    """Random numbers for one way of a plan."""
    (storage, shape), _ = images.ends(plan, way)
    return random_values(storage, shape, plan.request.layers, seed)


def exact(plan: glfft.Plan, way: str, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """What numpy makes of them in float64."""
    axes = sorted(plan.request.axes)
    of_array = [axis - 2 for axis in axes]
    if way == "forward":
        return np.fft.rfftn(values.astype(np.float64), axes=of_array, norm=norm_of(plan))
    lengths = [plan.shape[axis] for axis in axes]
    return np.fft.irfftn(values.astype(np.complex128), lengths, of_array, norm_of(plan))


def norm_of(plan: glfft.Plan) -> Any:
    """Its norm, typed as loosely as numpy's stubs need it."""
    return plan.request.norm


def assert_right(plan: glfft.Plan, seed: int = 0, ways: Sequence[str] = WAYS) -> None:
    """Fail unless these ways of a plan are numpy's."""
    floor = floor_of(plan.request.storage, plan.dispatches)
    for way in ways:
        values = given_to(plan, way, seed)
        assert_close(run(plan, values, way), exact(plan, way, values), floor)


@each_storage
@pytest.mark.parametrize("algorithm", EVERY_KIND)
def test_every_storage_agrees_with_float64_numpy(ctx: moderngl.Context, algorithm: str, storage: Storage) -> None:
    # Layers or none, and both axes or one with an odd count of lines, in turn: any two of all these meet.
    turn, pair = EVERY_KIND.index(algorithm), list(STORAGES).index(storage.name)
    layers = (None, 3)[(turn + pair) % 2]
    shape, axes = (((4, 8), (0, 1)), ((8, 3), (0,)))[(turn // 2 + pair) % 2]
    with glfft.Plan(ctx, shape, axes=axes, algorithm=algorithm, layers=layers, storage=storage.name, real=True) as plan:
        assert_right(plan)


SHAPES = [
    ((4, 16), (0, 1)),
    ((2, 2), (0, 1)),
    ((5, 8), (1,)),
    ((1, 8), (1,)),
    ((7, 2), (1,)),
    ((1, 8), (0, 1)),
    ((8, 1), (0, 1)),
    ((8, 1), (0,)),
    ((2, 7), (0,)),
    ((1, 1), (0, 1)),
    ((3, 1), (1,)),
    ((1, 6), (0,)),
]


# The first shape with every algorithm, and the others in turn: lines go in pairs or each on its own, and both kinds of
# algorithms, in one dispatch an axis or in several, meet every shape.
@pytest.mark.parametrize(
    ("algorithm", "shape", "axes"),
    [
        (algorithm, *each)
        for number, algorithm in enumerate(OF_EACH_END)
        for index, each in enumerate(SHAPES)
        if index == 0 or (number + index) % 3 == 0
    ],
    ids=str,
)
def test_every_algorithm_agrees_with_float64_numpy(
    ctx: moderngl.Context, algorithm: str, shape: tuple[int, int], axes: tuple[int, ...]
) -> None:
    with glfft.Plan(ctx, shape, axes=axes, algorithm=algorithm, real=True) as plan:
        assert plan.spectrum_shape == np.fft.rfftn(np.zeros(shape), axes=sorted(axes)).shape
        assert_right(plan)


# Textures of one number and of two, of half precision, and buffers of single and double precision.
@pytest.mark.parametrize("name", ["rg32f", "rgba32f", "rgba16f", "buffer", "buffer_double"])
def test_an_odd_count_of_rows_is_convolved_two_at_a_time(ctx: moderngl.Context, name: str) -> None:
    storage = STORAGES[name]
    options: dict[str, Any] = {"algorithm": "bluestein", "norm": "ortho", "real": True}
    layers = (None, 2)[list(STORAGES).index(storage.name) % 2]
    with glfft.Plan(ctx, (3, 10), layers=layers, storage=storage.name, **options) as plan:
        shaders = [spec.shader for specs in plan._passes.values() for spec in specs]
        assert {"fft/stockham_real_forward.comp", "fft/stockham_real_inverse.comp"} < set(shaders)
        floor = floor_of(storage, plan.dispatches, BLUESTEIN_DB)
        for way in WAYS:
            values = given_to(plan, way)
            assert_close(run(plan, values, way), exact(plan, way, values), floor)


# Rows and columns, of an even number of points, half of which is even, or odd; and of an odd number. Every storage has
# one of them by each algorithm in turn, one has all.
LINES = {
    "bluestein": [((3, 10), 1), ((12, 5), 0), ((2, 7), 1)],
    "stockham": [((3, 16), 1), ((18, 5), 0)],
}


@pytest.mark.parametrize(
    ("algorithm", "shape", "axis", "storage"),
    [
        (algorithm, *lines[index], storage)
        for algorithm, lines in LINES.items()
        for turn, (name, storage) in enumerate(STORAGES.items())
        for index in (range(len(lines)) if name == "rg32f" else [turn % len(lines)])
    ],
    ids=str,
)
def test_lines_of_one_axis_go_each_on_its_own(
    ctx: moderngl.Context,
    algorithm: str,
    shape: tuple[int, int],
    axis: int,
    storage: Storage,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(choose, "halves_pay", lambda *_: True)  # on any device
    options: dict[str, Any] = {"axes": (axis,), "algorithm": algorithm, "real": True}
    computed = storage.name == "rgba32f" and algorithm == "stockham"
    options["twiddles"] = "computed" if computed else "table"
    with glfft.Plan(ctx, shape, layers=2, storage=storage.name, **options) as plan:
        lines = "rows" if axis == 1 else "columns"
        as_half = f"{lines}: each goes as a complex one of {shape[axis] // 2} points"
        assert (as_half in plan.explain()) == (shape[axis] % 2 == 0)
        floor = floor_of(storage, 1, *[BLUESTEIN_DB] * (algorithm == "bluestein"), *[COMPUTED_DB] * computed)
        for way in WAYS:
            values = given_to(plan, way)
            assert_close(run(plan, values, way), exact(plan, way, values), floor)
            line = (..., 1, slice(None)) if axis == 1 else (..., slice(None), 1)
            values[line] = np.nan
            others = np.delete(run(plan, values, way), 1, axis=-2 if axis == 1 else -1)
            assert np.isfinite(others).all(), "NaN stays in its line"


@settings(max_examples=15)
@given(data=st.data())
def test_any_shape_axes_norm_and_layers(ctx: moderngl.Context, data: st.DataObject) -> None:
    axes = data.draw(st.sampled_from([(0, 1), (0,), (1,), (-1,)]))
    transformed = {axis % 2 for axis in axes}
    powers, any_length = st.integers(0, 5).map(lambda exponent: 2**exponent), st.integers(1, 20)
    shape = (
        data.draw(powers if 0 in transformed else any_length),
        data.draw(powers if 1 in transformed else any_length),
    )
    with glfft.Plan(
        ctx,
        shape,
        axes=axes,
        algorithm=data.draw(st.sampled_from(ALGORITHMS)),
        norm=data.draw(st.sampled_from(["backward", "ortho", "forward"])),
        layers=data.draw(st.sampled_from([None, 2])),
        real=True,
    ) as plan:
        assert_right(plan, data.draw(st.integers(0, 99)))


@pytest.mark.parametrize("axes", [(0, 1), (1,), (0,)], ids=str)
@each_kind
def test_the_half_is_that_of_the_whole_spectrum(ctx: moderngl.Context, algorithm: str, axes: tuple[int, ...]) -> None:
    picture = random_values(RG32F.of_reals, (4, 8), None)
    with (
        glfft.Plan(ctx, (4, 8), axes=axes, algorithm=algorithm, real=True) as halving,
        glfft.Plan(ctx, (4, 8), axes=axes, algorithm=algorithm, directions="forward") as whole,
    ):
        rows, columns = halving.spectrum_shape
        spectrum = run(whole, picture.astype(np.complex64))
        half = run(halving, picture)
        assert_close(half, spectrum[..., :rows, :columns], COMPOSED_DB)
        assert_close(run(halving, half, "inverse"), picture, COMPOSED_DB)


@pytest.mark.parametrize(("algorithm", "bad"), [(each, (1e3, np.nan)[row % 2]) for row, each in enumerate(OF_EACH_END)])
def test_imaginary_parts_of_what_must_be_real_are_ignored(ctx: moderngl.Context, algorithm: str, bad: float) -> None:
    for shape, axis in (((3, 8), 1), ((8, 3), 0), ((5, 2), 1)):
        with glfft.Plan(ctx, shape, axes=(axis,), algorithm=algorithm, real=True, directions="inverse") as plan:
            values = given_to(plan, "inverse")
            spoilt = values.copy()
            np.moveaxis(np.imag(spoilt), 2 + axis, -1)[..., [0, -1]] = bad
            clean = run(plan, values, "inverse")
            assert np.array_equal(run(plan, spoilt, "inverse"), clean)
            assert_close(clean, exact(plan, "inverse", values))


@pytest.mark.parametrize("way", WAYS)
@each_algorithm
def test_nan_stays_in_its_line(ctx: moderngl.Context, algorithm: str, way: str) -> None:
    # In turn, so that any two of algorithm, axis and direction meet.
    axis = (OF_EACH_END.index(algorithm) + WAYS.index(way)) % 2
    shape = (7, 8) if axis == 1 else (8, 7)
    with glfft.Plan(ctx, shape, axes=(axis,), algorithm=algorithm, real=True, directions=way) as plan:
        values = given_to(plan, way)
        clean = np.moveaxis(run(plan, values, way)[0, 0], 1 - axis, 0)
        for line in (2, 5, 6):
            spoilt = values.copy()
            spoilt_lines = np.moveaxis(spoilt[0, 0], 1 - axis, 0)
            # Both parts: a factor of i may bring one of them where it is left out.
            spoilt_lines[line, 3] = np.nan if way == "forward" else complex(np.nan, np.nan)
            result = np.moveaxis(run(plan, spoilt, way)[0, 0], 1 - axis, 0)
            assert np.isnan(result[line]).all()
            untouched = [other for other in range(7) if other != line]
            assert np.array_equal(result[untouched], clean[untouched])


@each_algorithm
def test_a_quiet_line_beside_a_loud_one_is_as_right_as_alone(ctx: moderngl.Context, algorithm: str) -> None:
    with glfft.Plan(ctx, (2, 16), axes=(1,), algorithm=algorithm, real=True, directions="forward") as plan:
        values = given_to(plan, "forward")
        values[..., 0, :] *= 1000
        for line, wanted in zip(run(plan, values)[0, 0], exact(plan, "forward", values)[0, 0], strict=True):
            assert_close(line, wanted)


@pytest.mark.parametrize("name", [name for name, storage in STORAGES.items() if storage.paired])
@each_kind
def test_halves_and_layers_are_independent(ctx: moderngl.Context, algorithm: str, name: str) -> None:
    with glfft.Plan(ctx, (4, 8), algorithm=algorithm, storage=name, layers=2, real=True) as plan:
        for way in WAYS:
            values = given_to(plan, way)
            clean = run(plan, values, way)
            values[1, 0] = np.nan
            result = run(plan, values, way)
            assert np.isnan(result[1, 0]).all()
            for layer, half in ((0, 0), (0, 1), (1, 1)):
                assert np.array_equal(result[layer, half], clean[layer, half])


@each_storage
def test_the_source_is_left_as_it_is_and_a_repeat_gives_the_same_bits(ctx: moderngl.Context, storage: Storage) -> None:
    with glfft.Plan(ctx, (4, 8), storage=storage.name, layers=2, real=True) as plan:
        for way in WAYS:
            (source_storage, source_shape), (target_storage, target_shape) = images.ends(plan, way)
            values = given_to(plan, way)
            source = images.upload(ctx, values, source_storage, 2)
            results = []
            for _ in range(3):
                target = images.blank(ctx, target_shape, target_storage, 2)
                getattr(plan, way)(source, target, next_use="read")
                results.append(target.read())
                release(target)
            assert len(set(results)) == 1
            assert np.array_equal(images.download(source, source_storage, source_shape, 2), values)
            release(source)


@pytest.mark.parametrize("axes", [(0, 1), (1,), (0,)], ids=str)
def test_in_place_is_refused(ctx: moderngl.Context, axes: tuple[int, ...]) -> None:
    # A buffer may be large enough for both; a texture never is.
    buffer = ctx.buffer(reserve=8 * 8 * 16)
    with glfft.Plan(ctx, (8, 16), axes=axes, storage="buffer", real=True) as plan:
        for way in WAYS:
            with refused(TextureError, "in place"):
                getattr(plan, way)(buffer, buffer)
    release(buffer)


# What is no picture, or no spectrum, of a plan of (8, 16), and words of the sentence that says so.
WRONG: list[tuple[str, str, tuple[int, int], int, str, tuple[str, ...]]] = [
    ("rg32f", "picture", (16, 8), 2, "f4", ("2 components", "r32f", "1 component (a real number)")),
    ("rg32f", "picture", (16, 8), 1, "f2", ("'f2'", "r32f", "'f4'")),
    ("rg32f", "picture", (9, 8), 1, "f4", ("9 x 8", "16 x 8")),
    ("rg32f", "spectrum", (16, 8), 2, "f4", ("16 x 8", "9 x 8; with real=True a spectrum has columns // 2 + 1 of the")),
    ("rg32f", "spectrum", (9, 8), 1, "f4", ("1 component of", "2 components (real, imaginary)")),
    ("rgba32f", "picture", (16, 8), 4, "f4", ("4 components", "rg32f", "(two real numbers)")),
    ("rgba32f", "spectrum", (9, 8), 2, "f4", ("2 components", "4 components")),
    ("rg16f", "picture", (16, 8), 1, "f4", ("'f4'", "r16f", "'f2'")),
    ("rgba16f", "picture", (16, 8), 1, "f2", ("1 component of", "rg16f")),
]


@pytest.mark.parametrize(("name", "side", "size", "components", "dtype", "words"), WRONG, ids=str)
def test_what_is_no_picture_or_no_half_spectrum_is_refused(
    ctx: moderngl.Context,
    name: str,
    side: str,
    size: tuple[int, int],
    components: int,
    dtype: str,
    words: tuple[str, ...],
) -> None:
    bad = ctx.texture(size, components, dtype=dtype)
    with glfft.Plan(ctx, (8, 16), axes=(1,), algorithm="cooley-tukey", storage=name, real=True) as plan:
        picture = images.blank(ctx, plan.shape, STORAGES[name].of_reals, None)
        spectrum = images.blank(ctx, plan.spectrum_shape, STORAGES[name], None)
        calls = {
            "picture": (
                ("source", lambda: plan.forward(bad, spectrum)),
                ("target", lambda: plan.inverse(spectrum, bad)),
            ),
            "spectrum": (
                ("target", lambda: plan.forward(picture, bad)),
                ("source", lambda: plan.inverse(bad, picture)),
            ),
        }
        for role, call in calls[side]:
            with refused(TextureError) as caught:
                call()
            for word in (role, *words):
                assert word in str(caught.value)
    release(bad, picture, spectrum)


def test_buffers_too_small_are_refused(ctx: moderngl.Context) -> None:
    spectrum, short = ctx.buffer(reserve=8 * 8 * 9), ctx.buffer(reserve=4 * 8 * 16 - 4)
    with glfft.Plan(ctx, (8, 16), axes=(1,), algorithm="cooley-tukey", storage="buffer", real=True) as plan:
        for call in (lambda: plan.forward(short, spectrum), lambda: plan.inverse(spectrum, short)):
            with pytest.raises(TextureError, match="508 bytes and this plan needs 512"):
                call()
        with pytest.raises(TextureError, match="512 bytes and this plan needs 576"):
            plan.forward(spectrum, ctx.buffer(reserve=512))
    release(spectrum, short)


LOAD = """
uniform float gain;
value load(ivec3 at) {
    vec2 ramp = vec2(at.x + COLUMNS * at.y + ROWS * COLUMNS * at.z, 1000.0);
    return gain * (read_source(at) + ramp);
}
"""
STORE = """
uniform vec2 turned;
void store(ivec3 at, value result) {
    write_target(at, multiply(result, turned) + vec2(at.y + ROWS * at.x + ROWS * COLUMNS * at.z, 7.0));
}
"""


@pytest.mark.parametrize(
    ("algorithm", "axes", "name"),
    [
        (algorithm, axes, ("rg32f", "buffer")[(row + column) % 2])
        for row, algorithm in enumerate(KINDS)
        for column, axes in enumerate([(0, 1), (1,), (0,)])
    ],
    ids=str,
)
def test_snippets(ctx: moderngl.Context, algorithm: str, axes: tuple[int, ...], name: str) -> None:
    # On the real side an imaginary part, here 1000 or 7, is left out; `at` goes over the half that is kept.
    rows, columns = 4, 8
    with glfft.Plan(
        ctx, (rows, columns), axes=axes, algorithm=algorithm, storage=name, layers=2, load=LOAD, store=STORE, real=True
    ) as plan:
        plan.set_uniforms(gain=0.5, turned=(0.25, 2.0))
        for way in WAYS:
            values = given_to(plan, way)
            z, y, x = np.indices(values[:, 0].shape)[:, :, np.newaxis]
            loaded = 0.5 * (values.astype(np.complex128) + x + columns * y + rows * columns * z + 1000j)
            result = exact(plan, way, loaded.real if way == "forward" else loaded)
            z, y, x = np.indices(result[:, 0].shape)[:, :, np.newaxis]
            stored = result * (0.25 + 2j) + y + rows * x + rows * columns * z + 7j
            assert_close(run(plan, values, way), stored if way == "forward" else stored.real)


@each_kind
def test_built_in_snippets(ctx: moderngl.Context, algorithm: str) -> None:
    hann = np.outer(*((1 - np.cos(2 * np.pi * np.arange(length) / length)) / 2 for length in (4, 8)))
    with glfft.Plan(
        ctx,
        (4, 8),
        algorithm=algorithm,
        load=snippets.hann_load(),
        store=snippets.log_magnitude_store(),
        real=True,
        directions="forward",
    ) as plan:
        values = given_to(plan, "forward")
        assert_close(run(plan, values), np.log1p(np.abs(exact(plan, "forward", values * hann))))


@pytest.mark.parametrize("axes", [(0, 1), (1,), (0,)], ids=str)
@pytest.mark.parametrize("name", ["shift_load", "shift_store", "real_pair_load", "real_pair_store"])
def test_snippets_that_make_no_sense_of_half_a_spectrum(
    ctx: moderngl.Context, name: str, axes: tuple[int, ...]
) -> None:
    given: dict[str, Any] = {name.split("_")[-1]: getattr(snippets, name)()}
    with refused(OptionError) as caught:
        glfft.Plan(ctx, (8, 16), axes=axes, real=True, **given)
    assert name in str(caught.value)


def test_ends_that_snippets_do_without(ctx: moderngl.Context) -> None:
    load = "value load(ivec3 at) { return value(float(at.x), 5.0); }"
    store = """
        layout(rg32f) writeonly uniform image2D found;
        void store(ivec3 at, value result) { imageStore(found, at.xy, vec4(result, 0.0, 0.0)); }"""
    with glfft.Plan(ctx, (4, 8), load=load, store=store, real=True, directions="forward") as plan:
        found = images.blank(ctx, plan.spectrum_shape, RG32F, None)
        plan.set_uniforms(found=found)
        plan.forward(None, None, next_use="read")
        ramp = np.broadcast_to(np.arange(8.0), (1, 1, 4, 8))
        assert_close(images.download(found, RG32F, plan.spectrum_shape, None), exact(plan, "forward", ramp))
        release(found)


@pytest.mark.parametrize(
    ("shape", "axes", "storage", "shared_memory", "ways"),
    [
        # Either way meets rows, columns and each storage.
        *[
            (*lines, storage, 64, WAYS[(row + column) % 2 :][:1])
            for row, lines in enumerate([((6, 64), (1,)), ((64, 6), (0,))])
            for column, storage in enumerate(["rg32f", "rgba32f", "buffer"])
        ],
        ((1, 64), (1,), "rgba32f", 64, WAYS),
        ((64, 64), (0, 1), "buffer", 64, WAYS),
        # Its parts have two stages.
        ((6, 512), (1,), "rg32f", 512, WAYS),
    ],
    ids=str,
)
def test_lines_too_long_for_a_work_group_go_in_parts(
    ctx: moderngl.Context,
    monkeypatch: pytest.MonkeyPatch,
    shape: tuple[int, int],
    axes: tuple[int, ...],
    storage: str,
    shared_memory: int,
    ways: tuple[str, ...],
) -> None:
    restrict_device(ctx, monkeypatch, shared_memory=shared_memory)
    with glfft.Plan(ctx, shape, axes=axes, storage=storage, algorithm="stockham", real=True, directions=ways) as plan:
        assert plan.dispatches == 2 * len(axes)
        assert_right(plan, ways=ways)


@pytest.mark.parametrize("groups", [2, 3])
def test_more_groups_than_fit_in_a_row(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, groups: int) -> None:
    restrict_device(ctx, monkeypatch, group_count=(groups, 65535, 65535))
    with glfft.Plan(ctx, (301, 16), axes=(1,), algorithm="stockham", real=True) as plan:
        assert_right(plan)


@each_algorithm
def test_what_a_plan_says_of_itself(ctx: moderngl.Context, algorithm: str) -> None:
    at_once = algorithm in ("auto", "stockham-picture")
    with glfft.Plan(ctx, (4, 8), algorithm=algorithm, real=True, layers=3) as plan:
        assert (plan.shape, plan.spectrum_shape) == ((4, 8), (4, 5))
        assert "real=True" in repr(plan)
        assert "real, to half spectra of 4 x 5 complex64, 3 layers" in plan.explain()
        assert {"forward pass 1", "inverse pass 1"} <= {each.name for each in plan.source()}
        stages = {"any-radix-stages": 4}.get(algorithm, 5 if "stages" in algorithm else 2)
        assert plan.dispatches == (1 if at_once else stages)
    with glfft.Plan(ctx, (4, 8), axes=(0,), algorithm=algorithm, real=True, directions="forward") as plan:
        assert plan.spectrum_shape == (3, 8)
        assert plan.dispatches == (2 if "stages" in algorithm else 1)


@pytest.mark.parametrize("layers", [None, 3])
@each_storage
def test_the_bytes_moved_are_those_of_the_images(ctx: moderngl.Context, storage: Storage, layers: int | None) -> None:
    with glfft.Plan(
        ctx, (4, 8), layers=layers, storage=storage.name, algorithm="stockham-radix4", real=True, directions="forward"
    ) as plan:
        picture = images.blank(ctx, plan.shape, storage.of_reals, layers)
        spectrum = images.blank(ctx, plan.spectrum_shape, storage, layers)
        # Rows from the picture to a scratch spectrum, columns from there to the spectrum.
        assert plan.bytes_moved == len(picture.read()) + 3 * len(spectrum.read())
        release(picture, spectrum)


def test_half_the_bytes_of_a_complex_transform(ctx: moderngl.Context) -> None:
    forward: dict[str, Any] = {"shape": (4, 128), "directions": "forward"}
    with glfft.Plan(ctx, real=True, **forward) as halving, glfft.Plan(ctx, **forward) as whole:
        assert halving.bytes_moved < 0.51 * whole.bytes_moved


@each_kind
@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_plans_come_and_go(ctx: moderngl.Context, algorithm: str) -> None:
    def make_and_drop(index: int) -> None:
        plan = glfft.Plan(ctx, (4, 8), algorithm=algorithm, real=True)
        if index % 2:
            plan.release()

    assert_plans_leave_nothing(ctx, make_and_drop, 10)
    plan = glfft.Plan(ctx, (4, 8), algorithm=algorithm, real=True)
    plan.release()
    with pytest.raises(ReleasedError):
        plan.forward(None, None)
