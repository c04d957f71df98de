"""Load and store snippets: what they compute, what fills them, and what goes wrong with them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
from support import images
from support.gl_objects import assert_plans_leave_nothing
from support.images import HALVES, random_values, release, run
from support.pictures import ALGORITHMS
from support.sentences import assert_one_sentence
from support.tolerances import BLUESTEIN_DB, COMPOSED_DB, TABLE_DB, assert_close, half_db

import glfft
from glfft import snippets
from glfft.accuracy import random_complex
from glfft.algorithms.storage import STORAGES, Storage
from glfft.errors import GlfftError, OptionError, ReleasedError, ShaderError, TextureError
from glfft.gl.context import state_of
from glfft.snippets import Snippet

SHAPE = (4, 8)
RG32F = STORAGES["rg32f"]

# Of one dispatch an axis, and of several.
KINDS = ("stockham-radix4", "natural-order-stages")
each_kind = pytest.mark.parametrize("algorithm", KINDS)
each_float_storage = pytest.mark.parametrize(
    "storage", [storage for storage in STORAGES.values() if storage.dtype == "f4"], ids=lambda storage: storage.name
)

GAIN = "uniform float gain;\nvalue load(ivec3 at) {\n    return gain * read_source(at);\n}\n"
NOTHING_READ = "value load(ivec3 at) {\n    return value(float(at.x + COLUMNS * at.y + ROWS * COLUMNS * at.z));\n}\n"
TO_AN_IMAGE = (
    "layout(rg32f) writeonly uniform image2D found;\n"
    "void store(ivec3 at, value result) {\n    imageStore(found, at.xy, vec4(result, 0.0, 0.0));\n}\n"
)


def transform(values: npt.NDArray[Any]) -> npt.NDArray[np.complex128]:
    """numpy's, of each layer and half."""
    return np.fft.fft2(values.astype(np.complex128))


def periodic_hann(length: int) -> npt.NDArray[np.float64]:
    """(1 - cos(2 pi n / N)) / 2 for n from 0."""
    return (1 - np.cos(2 * np.pi * np.arange(length) / length)) / 2


def shifted(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The first element of rows and columns moved to the middle."""
    return np.fft.fftshift(values, axes=(-2, -1))


def unshifted(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The middle of rows and columns moved to their start."""
    return np.fft.ifftshift(values, axes=(-2, -1))


def log_magnitude(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.log1p(np.abs(values))


def texture(ctx: moderngl.Context, array: npt.NDArray[np.floating], components: int = 1) -> moderngl.Texture:
    rows, columns = array.shape[:2]
    return ctx.texture((columns, rows), components, np.ascontiguousarray(array, np.float32).tobytes(), dtype="f4")


BUILT_IN: dict[str, tuple[dict[str, Any], Callable[[npt.NDArray[Any]], npt.NDArray[Any]]]] = {
    "shift load": ({"load": snippets.shift_load()}, lambda values: transform(unshifted(values))),
    "shift store": ({"store": snippets.shift_store()}, lambda values: shifted(transform(values))),
    "both shifts": (
        {"load": snippets.shift_load(), "store": snippets.shift_store()},
        lambda values: shifted(transform(unshifted(values))),
    ),
    "hann load": (
        {"load": snippets.hann_load()},
        lambda values: transform(values * np.outer(*map(periodic_hann, values.shape[-2:]))),
    ),
    "magnitude store": ({"store": snippets.magnitude_store()}, lambda values: np.abs(transform(values))),
    "log magnitude store": ({"store": snippets.log_magnitude_store()}, lambda values: log_magnitude(transform(values))),
}


@pytest.mark.parametrize("layers", [None, 2])
@each_float_storage
@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_snippets(ctx: moderngl.Context, name: str, storage: Storage, layers: int | None) -> None:
    given, expected = BUILT_IN[name]
    values = random_values(storage, SHAPE, layers)
    with glfft.Plan(ctx, SHAPE, layers=layers, storage=storage.name, **given) as plan:
        assert_close(run(plan, values), expected(values))


@pytest.mark.parametrize(
    ("shape", "name", "layers"),
    [
        ((5, 9), "rg32f", None),
        ((7, 6), "rgba32f", 2),
        ((15, 4), "buffer", 2),
        ((1, 3), "rg32f", 2),
        ((1, 17), "rg32f", None),  # by Bluestein's algorithm
    ],
)
def test_shifts_of_odd_lengths_are_numpys(
    ctx: moderngl.Context, shape: tuple[int, int], name: str, layers: int | None
) -> None:
    # There fftshift and ifftshift differ.
    values = random_values(STORAGES[name], shape, layers)
    options: dict[str, Any] = {"layers": layers, "storage": name}
    exact_values = values.astype(np.complex128)
    with glfft.Plan(ctx, shape, load=snippets.shift_load(), **options) as plan:
        assert_close(run(plan, values), transform(unshifted(values)), BLUESTEIN_DB)
        assert_close(run(plan, values, "inverse"), np.fft.ifft2(unshifted(exact_values)), BLUESTEIN_DB)
    with glfft.Plan(ctx, shape, store=snippets.shift_store(), **options) as plan:
        assert_close(run(plan, values), shifted(transform(values)), BLUESTEIN_DB)
        assert_close(run(plan, values, "inverse"), shifted(np.fft.ifft2(exact_values)), BLUESTEIN_DB)


@pytest.mark.parametrize("axes", [(0, 1), (0,), (1,)], ids=str)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_load_comes_first_and_store_last_in_every_algorithm(
    ctx: moderngl.Context, algorithm: str, axes: tuple[int, ...]
) -> None:
    # Neither commutes with the transform, and a load or store in a pass between would show.
    values = random_values(RG32F, SHAPE, None)
    with glfft.Plan(
        ctx, SHAPE, axes=axes, algorithm=algorithm, load=snippets.hann_load(), store=snippets.magnitude_store()
    ) as plan:
        windowed = values.astype(np.complex128) * np.outer(*map(periodic_hann, SHAPE))
        assert_close(run(plan, values), np.abs(np.fft.fftn(windowed, axes=[axis - 2 for axis in axes])))
        inverse = np.fft.ifftn(windowed, axes=[axis - 2 for axis in axes])
        assert_close(run(plan, values, "inverse"), np.abs(inverse))


def test_snippets_of_a_plan_that_only_copies(ctx: moderngl.Context) -> None:
    values = random_values(RG32F, (1, 8), None)
    with glfft.Plan(ctx, (1, 8), axes=(0,), load=snippets.hann_load(), store=snippets.magnitude_store()) as plan:
        # A single row's window is zero: cosine of no turn.
        assert np.array_equal(run(plan, values), np.zeros_like(values))
    with glfft.Plan(ctx, (1, 8), axes=(0,), store=snippets.magnitude_store()) as plan:
        assert_close(run(plan, values), np.abs(values))


SINGLES = [name for name, halves in HALVES.items() if halves == 1]
each_single_storage = pytest.mark.parametrize("name", SINGLES)


def real_pictures(ctx: moderngl.Context, layers: int | None, values: npt.NDArray[Any]) -> Any:
    """A texture of one channel, or a texture array."""
    make = ctx.texture if layers is None else ctx.texture_array
    rows, columns = SHAPE
    size: Any = (columns, rows) if layers is None else (columns, rows, layers)
    return make(size, 1, np.ascontiguousarray(values, np.float32).tobytes(), dtype="f4")


def pair_floor_db(plan: glfft.Plan, stores: int) -> float:
    return half_db(stores) if plan.request.storage.dtype == "f2" and stores else TABLE_DB


@pytest.mark.parametrize("axes", [(0, 1), (0,)], ids=str)
@pytest.mark.parametrize("layers", [None, 3])
@each_single_storage
@each_kind
def test_real_pictures_in_pairs(
    ctx: moderngl.Context, algorithm: str, name: str, layers: int | None, axes: tuple[int, ...]
) -> None:
    storage = STORAGES[name]
    # Numbers that half precision holds.
    values = random_values(STORAGES["rg16f"], SHAPE, layers).astype(np.complex128)
    sources = [real_pictures(ctx, layers, part) for part in (values.real, values.imag)]
    targets = [real_pictures(ctx, layers, np.full(values.shape, np.nan)) for _ in range(2)]
    source, target = images.upload(ctx, values, storage, layers), images.blank(ctx, SHAPE, storage, layers)
    exact = np.fft.fftn(values, axes=[axis - 2 for axis in axes])

    def stored() -> npt.NDArray[Any]:
        real, imaginary = (np.frombuffer(each.read(), np.float32).reshape(values.shape) for each in targets)
        return real + 1j * imaginary

    options: dict[str, Any] = {"axes": axes, "algorithm": algorithm, "layers": layers, "storage": name}
    with glfft.Plan(ctx, SHAPE, load=snippets.real_pair_load(), **options) as plan:
        plan.set(first=sources[0], second=sources[1])
        plan.forward(None, target, next_use="read")
        result = images.download(target, storage, SHAPE, layers)
        assert_close(result, exact, pair_floor_db(plan, plan.dispatches))
    with glfft.Plan(ctx, SHAPE, store=snippets.real_pair_store(), **options) as plan:
        plan.set(real=targets[0], imaginary=targets[1])
        plan.forward(source, None)
        ctx.memory_barrier()
        assert_close(stored(), exact, pair_floor_db(plan, plan.dispatches - 1))
    with glfft.Plan(
        ctx, SHAPE, load=snippets.real_pair_load(), store=snippets.real_pair_store(), norm="forward", **options
    ) as plan:
        plan.set(first=sources[0], second=sources[1], real=targets[0], imaginary=targets[1])
        plan.inverse(None, None)
        ctx.memory_barrier()
        there_and_back = np.fft.ifftn(values, axes=[axis - 2 for axis in axes], norm="forward")
        assert_close(stored(), there_and_back, pair_floor_db(plan, plan.dispatches - 1))
    release(source, target, *sources, *targets)


@pytest.mark.parametrize("layers", [None, 2])
def test_real_pairs_of_another_shape_are_refused(ctx: moderngl.Context, layers: int | None) -> None:
    rows, columns = SHAPE
    if layers is None:
        wrong = ctx.texture((rows, columns), 1, dtype="f4")
    else:
        wrong = ctx.texture_array((columns, rows, layers + 1), 1, dtype="f4")
    with glfft.Plan(
        ctx, SHAPE, layers=layers, load=snippets.real_pair_load(), store=snippets.real_pair_store()
    ) as plan:
        for name in ("first", "second", "real", "imaginary"):
            with pytest.raises(TextureError) as caught:
                plan.set(**{name: wrong})
            assert_one_sentence(str(caught.value))
            assert f"for '{name}' is {' x '.join(map(str, wrong.size))} and" in str(caught.value)
    release(wrong)


@pytest.mark.parametrize("name", [name for name, halves in HALVES.items() if halves == 2])
@pytest.mark.parametrize(
    "given", [{"load": snippets.real_pair_load()}, {"store": snippets.real_pair_store()}], ids=["load", "store"]
)
def test_real_pairs_of_paired_storage_are_refused(ctx: moderngl.Context, given: dict[str, Any], name: str) -> None:
    with pytest.raises(ShaderError, match="works on storage of one complex number a texel"):
        glfft.Plan(ctx, SHAPE, storage=name, **given)


@each_kind
def test_uniforms_of_all_sorts(ctx: moderngl.Context, algorithm: str) -> None:
    text = """
        uniform float gain;
        uniform ivec2 corner;
        uniform mat4 turned;
        uniform bool doubled;
        uniform uvec2 sizes;
        uniform float weights[3];
        value load(ivec3 at) {
            vec2 z = gain * read_source((at + ivec3(corner, 0)) % ivec3(COLUMNS, ROWS, 1));
            z = (turned * vec4(z, 0.0, 1.0)).xy;
            return (doubled ? 2.0 : 1.0) * float(sizes.y) * weights[at.x % 3] * z;
        }"""
    values = random_values(RG32F, SHAPE, None)
    # Columns first, as OpenGL has it: the real part gets 3 times the imaginary one, and 0.5 is added to the latter.
    turned = np.eye(4)
    turned[0, 1], turned[1, 3] = 3, 0.5
    with glfft.Plan(ctx, SHAPE, algorithm=algorithm, load=text) as plan:
        plan.set(gain=0.5, corner=(3, 1), turned=tuple(turned.T.ravel()), doubled=True)
        plan.set(sizes=(7, 5), weights=(1.0, -2.0, 0.25))
        result = run(plan, values)
    z = 0.5 * np.roll(values.astype(np.complex128), (-1, -3), axis=(-2, -1))
    z = z.real + 3 * z.imag + 1j * (z.imag + 0.5)
    assert_close(result, transform(2 * 5 * np.array([1.0, -2.0, 0.25])[np.arange(8) % 3] * z))


@each_kind
def test_samplers_and_images(ctx: moderngl.Context, algorithm: str) -> None:
    load = """
        uniform sampler2D window;
        uniform sampler2DArray phases;
        value load(ivec3 at) {
            float w = texelFetch(window, at.xy, 0).r;
            return w * multiply(read_source(at), texelFetch(phases, ivec3(at.xy, 1), 0).xy);
        }"""
    store = """
        layout(r32f) writeonly uniform image2D power;
        layout(rg32f) writeonly uniform image2DArray copies;
        void store(ivec3 at, value result) {
            imageStore(power, at.xy, vec4(dot(result, result)));
            imageStore(copies, ivec3(at.xy, 1), vec4(-result, 0.0, 0.0));
            write_target(at, result);
        }"""
    values = random_values(RG32F, SHAPE, None)
    window, phases = np.abs(random_complex(SHAPE, 1)), random_values(RG32F, SHAPE, 2, 2)
    inputs = {"window": texture(ctx, window), "phases": images.upload(ctx, phases, RG32F, 2)}
    outputs = {
        "power": texture(ctx, np.full(SHAPE, np.nan)),
        "copies": images.blank(ctx, SHAPE, RG32F, 2),
    }
    with glfft.Plan(ctx, SHAPE, algorithm=algorithm, load=load, store=store) as plan:
        plan.set(**inputs, **outputs)
        result = run(plan, values)
    exact = transform(values.astype(np.complex128) * window.astype(np.float32) * phases[1].astype(np.complex128))
    assert_close(result, exact)
    assert_close(
        np.frombuffer(outputs["power"].read(), np.float32).reshape(SHAPE) + 0j, np.abs(exact[0, 0]) ** 2, 120.0
    )
    copies = images.download(outputs["copies"], RG32F, SHAPE, 2)
    assert_close(copies[1], -exact[0])
    assert np.isnan(copies[0]).all()
    release(*inputs.values(), *outputs.values())


def test_values_stay_until_set_again_and_are_a_plans_own(ctx: moderngl.Context) -> None:
    values = random_values(RG32F, SHAPE, None)
    exact = transform(values)
    with glfft.Plan(ctx, SHAPE, load=GAIN) as one, glfft.Plan(ctx, SHAPE, load=GAIN) as other:
        assert not run(one, values).any(), "a uniform nobody has set is 0"
        one.set(gain=2.0)
        other.set(gain=-3.0)
        for _ in range(2):
            assert_close(run(one, values), 2 * exact)
            assert_close(run(other, values), -3 * exact)
        assert_close(run(one, values, "inverse"), 2 * np.fft.ifft2(values.astype(np.complex128)))
        one.set(gain=0.5)
        assert_close(run(one, values), 0.5 * exact)
        assert_close(run(other, values), -3 * exact)


def test_textures_stay_until_set_again_and_are_a_plans_own(ctx: moderngl.Context) -> None:
    text = (
        "uniform sampler2D window;\nvalue load(ivec3 at) { return texelFetch(window, at.xy, 0).r * read_source(at); }"
    )
    values = random_values(RG32F, SHAPE, None)
    exact = transform(values)
    double, triple = (texture(ctx, np.full(SHAPE, factor)) for factor in (2, 3))
    with glfft.Plan(ctx, SHAPE, load=text) as one, glfft.Plan(ctx, SHAPE, load=text) as other:
        one.set(window=double)
        other.set(window=triple)
        for _ in range(2):
            assert_close(run(one, values), 2 * exact)
            assert_close(run(other, values), 3 * exact)
        one.set(window=triple)
        assert_close(run(one, values), 3 * exact)
    release(double, triple)


@pytest.mark.parametrize("layers", [None, 2])
@pytest.mark.parametrize("name", ["rg32f", "rgba32f", "buffer"])
@each_kind
def test_a_load_that_reads_nothing_needs_no_source(
    ctx: moderngl.Context, algorithm: str, name: str, layers: int | None
) -> None:
    storage = STORAGES[name]
    target = images.blank(ctx, SHAPE, storage, layers)
    with glfft.Plan(ctx, SHAPE, algorithm=algorithm, layers=layers, storage=name, load=NOTHING_READ) as plan:
        plan.forward(None, target, next_use="read")
        with pytest.raises(TextureError, match="target"):
            plan.forward(None, None)
    ramp = np.arange((layers or 1) * SHAPE[0] * SHAPE[1]).reshape(layers or 1, 1, *SHAPE)
    # A value of one number puts it in all parts.
    exact = np.broadcast_to(transform((1 + 1j) * ramp), (layers or 1, HALVES[name], *SHAPE))
    assert_close(images.download(target, storage, SHAPE, layers), exact)
    release(target)


@each_kind
def test_a_load_may_be_constant(ctx: moderngl.Context, algorithm: str) -> None:
    # Then drivers drop more of a program than its source.
    target = images.blank(ctx, (2, 2), RG32F, None)
    for axes in ((1,), (0, 1)):
        with glfft.Plan(
            ctx, (2, 2), axes=axes, algorithm=algorithm, load="value load(ivec3 at) { return value(0.0); }"
        ) as plan:
            plan.forward(None, target, next_use="read")
        assert not images.download(target, RG32F, (2, 2), None).any()
    release(target)


@pytest.mark.parametrize("name", ["rg32f", "buffer"])
@each_kind
def test_a_store_that_writes_nothing_needs_no_target(ctx: moderngl.Context, algorithm: str, name: str) -> None:
    values = random_values(RG32F, SHAPE, None)
    source, found = images.upload(ctx, values, STORAGES[name], None), images.blank(ctx, SHAPE, RG32F, None)
    with glfft.Plan(ctx, SHAPE, algorithm=algorithm, storage=name, store=TO_AN_IMAGE) as plan:
        plan.set(found=found)
        plan.forward(source, None)
        with pytest.raises(TextureError, match="source"):
            plan.forward(None, None)
    ctx.memory_barrier()
    assert_close(images.download(found, RG32F, SHAPE, None), transform(values))
    release(source, found)


@each_float_storage
def test_plans_without_snippets_need_both_ends(ctx: moderngl.Context, storage: Storage) -> None:
    image = images.blank(ctx, SHAPE, storage, None)
    with glfft.Plan(ctx, SHAPE, storage=storage.name) as plan:
        for ends, role in (((None, image), "source"), ((image, None), "target")):
            with pytest.raises(TextureError, match=role):
                plan.forward(*ends)
    release(image)


def test_a_comment_reads_no_source(ctx: moderngl.Context) -> None:
    target = images.blank(ctx, SHAPE, RG32F, None)
    load = "// not read_source(at)\n/* nor\nread_source(at) */\nvalue load(ivec3 at) { return value(1.0, 0.0); }"
    with glfft.Plan(ctx, SHAPE, load=load) as plan:
        plan.forward(None, target)
    release(target)


def test_one_pass_cannot_move_texels_in_place(ctx: moderngl.Context) -> None:
    values = random_values(RG32F, (1, 8), None)
    image = images.upload(ctx, values, RG32F, None)
    moving: list[dict[str, Any]] = [{"load": snippets.shift_load()}, {"store": snippets.shift_store()}]
    for given in moving:
        with glfft.Plan(ctx, (1, 8), **given) as plan, pytest.raises(TextureError) as caught:
            plan.forward(image, image)
        assert_one_sentence(str(caught.value))
        assert "in place" in str(caught.value)
    with glfft.Plan(ctx, (1, 8), algorithm="cooley-tukey-stages", load=snippets.shift_load()) as plan:
        plan.forward(image, image, next_use="read")
        assert_close(images.download(image, RG32F, (1, 8), None), transform(np.roll(values, 4, axis=-1)))
    release(image)


ALL_SORTS = """
uniform float gain;
uniform ivec2 corner;
uniform uint count;
uniform mat4 turned;
uniform float weights[2];
uniform sampler2D window;
uniform sampler2DArray windows;
uniform sampler2D several[2];
uniform isampler2D numbers;
layout(r32ui) uniform uimage2D counts;
layout(rg32f) uniform image2D picture;
readonly layout(rg32f, binding = 3) uniform image2DArray pictures /* of any kind */ , more_pictures;
uniform sampler2DMS samples;
uniform sampler1D line;
layout(std140, binding = 1) uniform Sizes { float size; };
layout(std430, binding = 1) buffer Weights { float more_weights[]; };
value load(ivec3 at) {
    vec4 z = gain * vec4(weights[0], weights[1], float(count), 1.0) * turned;
    z += texelFetch(window, at.xy + corner, 0) + texelFetch(windows, at, 0) + texelFetch(several[1], at.xy, 0);
    z += texelFetch(samples, at.xy, 0) + texelFetch(line, at.x, 0) + imageLoad(more_pictures, at);
    z *= size * more_weights[at.x];
    z += vec4(texelFetch(numbers, at.xy, 0)) + vec4(imageLoad(counts, at.xy));
    return read_source(at) + z.xy + imageLoad(picture, at.xy).xy + imageLoad(pictures, at).zw;
}
"""


@pytest.fixture(scope="module")
def all_sorts(ctx: moderngl.Context) -> glfft.Plan:
    return glfft.Plan(ctx, SHAPE, load=ALL_SORTS)


WRONG_VALUES: list[tuple[str, Callable[[moderngl.Context], Any], str]] = [
    ("gain", lambda ctx: "loud", "'loud'"),
    ("gain", lambda ctx: None, "None"),
    ("gain", lambda ctx: (1.0, 2.0), "(1.0, 2.0)"),
    ("gain", lambda ctx: np.ones(1), "array"),
    ("gain", lambda ctx: ctx.texture((8, 4), 1), "moderngl.Tex"),
    ("corner", lambda ctx: 1, "value 1"),
    ("corner", lambda ctx: (1,), "(1,)"),
    ("corner", lambda ctx: (1, 2, 3), "(1, 2, 3)"),
    ("corner", lambda ctx: (0.5, 1.0), "0.5"),
    ("corner", lambda ctx: [(1, 2), (3, 4)], "(3, 4)"),
    ("count", lambda ctx: -1, "-1"),
    ("turned", lambda ctx: np.eye(4), "array"),
    ("turned", lambda ctx: range(9), "range"),
    ("weights", lambda ctx: (1.0,), "(1.0,)"),
    ("window", lambda ctx: 3, "moderngl.Texture, not int"),
    ("window", lambda ctx: random_complex(SHAPE), "not ndarray"),
    ("window", lambda ctx: ctx.buffer(reserve=8), "not Buffer"),
    ("window", lambda ctx: ctx.sampler(), "not Sampler"),
    ("window", lambda ctx: ctx.texture_array((8, 4, 1), 1), "moderngl.Texture, not TextureArray"),
    ("window", lambda ctx: ctx.texture_cube((4, 4), 1), "not TextureCube"),
    ("windows", lambda ctx: ctx.texture((8, 4), 1), "moderngl.TextureArray, not Texture"),
    ("picture", lambda ctx: ctx.texture_array((8, 4, 1), 2, dtype="f4"), "moderngl.Texture, not TextureArray"),
    ("pictures", lambda ctx: ctx.texture((8, 4), 2, dtype="f4"), "moderngl.TextureArray, not Texture"),
    ("several", lambda ctx: ctx.texture((8, 4), 2, dtype="f4"), "is an array of samplers"),
    ("line", lambda ctx: ctx.texture((8, 1), 1), "moderngl has no textures of the kind"),
    ("Sizes", lambda ctx: ctx.buffer(reserve=16), "is a block; give it a binding"),
    ("Weights", lambda ctx: ctx.buffer(reserve=16), "is a block; give it a binding"),
    ("more_pictures", lambda ctx: ctx.texture((8, 4), 2, dtype="f4"), "moderngl.TextureArray, not Texture"),
    ("loudness", lambda ctx: 1.0, "the names they use are: corner, count, counts, gain, line, more_"),
    ("source", lambda ctx: ctx.texture((8, 4), 2, dtype="f4"), "No snippet"),
    ("target", lambda ctx: ctx.texture((8, 4), 2, dtype="f4"), "No snippet"),
]


def assert_not_taken(plan: glfft.Plan, name: str, value: Any, error: type[GlfftError], words: str) -> None:
    """`set` refuses a value in one sentence that has the name and some words."""
    with pytest.raises(error) as caught:
        plan.set(**{name: value})
    assert_one_sentence(str(caught.value))
    assert name in str(caught.value)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("name", "make", "words"), WRONG_VALUES, ids=[f"{name}-{words[:30]}" for name, _, words in WRONG_VALUES]
)
def test_values_that_do_not_fit(
    ctx: moderngl.Context, all_sorts: glfft.Plan, name: str, make: Callable[[moderngl.Context], Any], words: str
) -> None:
    assert_not_taken(all_sorts, name, make(ctx), OptionError, words)


def without_mipmaps(ctx: moderngl.Context) -> moderngl.Texture:
    texture = ctx.texture((8, 4), 2, dtype="f4")
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    return texture


# OpenGL reads zeros from these, or drops what is stored in them.
WRONG_TEXTURES: list[tuple[str, Callable[[moderngl.Context], Any], str]] = [
    ("window", lambda ctx: ctx.texture((8, 4), 1, dtype="i4"), "declared for floats; its texture holds integers"),
    ("window", lambda ctx: ctx.texture((8, 4), 1, dtype="u1"), "holds unsigned integers ('u1')"),
    ("window", lambda ctx: ctx.texture((8, 4), 4, samples=4), "multisampled"),
    ("numbers", lambda ctx: ctx.texture((8, 4), 1, dtype="f4"), "declared for integers; its texture holds floats"),
    ("numbers", lambda ctx: ctx.texture((8, 4), 1, dtype="u4"), "its texture holds unsigned integers"),
    ("counts", lambda ctx: ctx.texture((8, 4), 1, dtype="i4"), "declared for unsigned integers"),
    ("picture", lambda ctx: ctx.texture((8, 4), 3, dtype="f4"), "has 3 components"),
    ("picture", lambda ctx: ctx.depth_texture((8, 4)), "has depth"),
    ("picture", without_mipmaps, "build_mipmaps()"),
    ("picture", lambda ctx: ctx.texture((8, 4), 1, dtype="f4"), "declared as rg32f and its texture is r32f"),
    ("picture", lambda ctx: ctx.texture((8, 4), 2, dtype="f2"), "is rg16f"),
    ("pictures", lambda ctx: ctx.texture_array((8, 4, 1), 2), "is rg8"),
    ("counts", lambda ctx: ctx.texture((8, 4), 1, dtype="u2"), "declared as r32ui and its texture is r16ui"),
    ("samples", lambda ctx: ctx.texture((8, 4), 4, dtype="f4"), "declared for a multisampled texture"),
]


@pytest.mark.parametrize(
    ("name", "make", "words"), WRONG_TEXTURES, ids=[f"{name}-{words[:30]}" for name, _, words in WRONG_TEXTURES]
)
def test_textures_that_would_fail_in_silence(
    ctx: moderngl.Context, all_sorts: glfft.Plan, name: str, make: Callable[[moderngl.Context], Any], words: str
) -> None:
    assert_not_taken(all_sorts, name, make(ctx), TextureError, words)


@pytest.mark.parametrize("layers", [None, 2])
def test_a_sampler_finds_something_or_the_run_is_refused(ctx: moderngl.Context, layers: int | None) -> None:
    values = random_values(RG32F, SHAPE, layers)
    kind, place = ("sampler2D", "at.xy") if layers is None else ("sampler2DArray", "at")
    load = (
        f"uniform {kind} window;\nvalue load(ivec3 at) {{ return texelFetch(window, {place}, 0).r * read_source(at); }}"
    )
    window = real_pictures(ctx, layers, np.full((layers or 1, *SHAPE), 2.0))
    with glfft.Plan(ctx, SHAPE, layers=layers, load=load) as plan:
        plan.set(window=window)
        assert_close(run(plan, values), 2 * transform(values))
        window.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        with pytest.raises(TextureError) as caught:
            run(plan, values)
        assert_one_sentence(str(caught.value))
        assert "for 'window' asks for mipmaps" in str(caught.value)
        window.build_mipmaps()
        assert_close(run(plan, values), 2 * transform(values))
    release(window)


def test_textures_of_the_kind_that_is_declared(ctx: moderngl.Context, all_sorts: glfft.Plan) -> None:
    mipmapped = without_mipmaps(ctx)
    mipmapped.build_mipmaps()
    all_sorts.set(numbers=ctx.texture((8, 4), 1, dtype="i2"), counts=ctx.texture((8, 4), 1, dtype="u4"))
    all_sorts.set(window=ctx.texture((8, 4), 3, dtype="nu2"), picture=mipmapped)
    all_sorts.set(samples=ctx.texture((8, 4), 4, samples=4))


SUFFIXES = {"f1": "8", "f2": "16f", "f4": "32f", "nu1": "8", "nu2": "16", "ni1": "8_snorm", "ni2": "16_snorm"} | {
    f"{letter}{size}": f"{8 * size}{letter}".replace("u", "ui") for letter in "iu" for size in (1, 2, 4)
}


@pytest.mark.parametrize("channels", ["r", "rg", "rgba"])
@pytest.mark.parametrize("dtype", SUFFIXES)
def test_images_are_declared_as_moderngl_binds_them(ctx: moderngl.Context, dtype: str, channels: str) -> None:
    letter = dtype[0] if dtype[0] in "iu" else ""
    store = f"""
        layout({channels}{SUFFIXES[dtype]}) writeonly uniform {letter}image2D copy;
        void store(ivec3 at, value result) {{ imageStore(copy, at.xy, {letter}vec4(1)); }}"""
    copy, source = ctx.texture((8, 4), len(channels), dtype=dtype), images.blank(ctx, SHAPE, RG32F, None)
    with glfft.Plan(ctx, SHAPE, store=store) as plan:
        plan.set(copy=copy)
        plan.forward(source, None, next_use="read")
    assert any(copy.read())
    release(copy, source)


@pytest.mark.parametrize(
    ("used", "factor"),
    [
        pytest.param("weights[at.x & 3]", (2.0, 3.0, 5.0, 7.0), id="all"),
        pytest.param("weights[1]", 3.0, id="two"),
        pytest.param("weights[0]", 2.0, id="one"),
    ],
)
@pytest.mark.parametrize("kind", ["float", "vec3"])
def test_an_array_of_which_programs_use_unlike_parts(
    ctx: moderngl.Context, kind: str, used: str, factor: float | tuple[float, ...]
) -> None:
    # Drivers keep an array up to the last element used, and OpenGL ignores values for the rest.
    part = ".y" if kind == "vec3" else ""
    load = f"uniform {kind} weights[4]; value load(ivec3 at) {{ return {used}{part} * read_source(at); }}"
    last = f"uniform {kind} weights[4]; value product(ivec3 at, value v) {{ return weights[3]{part} * v; }}"
    weights: list[Any] = [2.0, 3.0, 5.0, 7.0]
    given = [(0.0, weight, 0.0) for weight in weights] if kind == "vec3" else weights
    values = random_values(RG32F, SHAPE, None)
    weighted = np.resize(factor, SHAPE[1]) * values
    for array in (given, np.array(given)):
        with glfft.Plan(ctx, SHAPE, load=load, multiply=last) as plan:
            plan.set(weights=array)
            assert_close(run(plan, values), transform(weighted))
            assert_close(run(plan, values, "convolve"), 7 * weighted, COMPOSED_DB)


def test_a_plan_is_as_good_as_before_a_value_that_did_not_fit(ctx: moderngl.Context) -> None:
    values = random_values(RG32F, SHAPE, None)
    with glfft.Plan(ctx, SHAPE, load=GAIN) as plan:
        plan.set(gain=2.0)
        with pytest.raises(OptionError):
            plan.set(gain="x")
        assert_close(run(plan, values), 2 * transform(values))


def test_plans_without_snippets_have_no_names(ctx: moderngl.Context) -> None:
    for algorithm in KINDS:
        with glfft.Plan(ctx, SHAPE, algorithm=algorithm) as plan:
            for name in ("stage", "direction", "scale", "source", "target", "gain"):
                with pytest.raises(OptionError, match="they use are: none"):
                    plan.set(**{name: 1})


def test_a_texture_that_is_gone(ctx: moderngl.Context, all_sorts: glfft.Plan) -> None:
    gone = ctx.texture((8, 4), 1)
    all_sorts.set(window=gone)
    gone.release()
    ends = [images.blank(ctx, SHAPE, RG32F, None) for _ in range(2)]
    for use_it in (lambda: all_sorts.forward(*ends), lambda: all_sorts.set(window=gone)):
        with pytest.raises(TextureError) as caught:
            use_it()
        assert_one_sentence(str(caught.value))
        assert "'window' has been released" in str(caught.value)
    release(*ends)


def test_more_images_than_there_are_units(ctx: moderngl.Context) -> None:
    if state_of(ctx).limits.image_units <= 8:
        pytest.skip("a shader with so many images does not compile on this device")
    names = [f"image{index}" for index in range(8)]
    declared = "".join(f"layout(rg32f) writeonly uniform image2D {name};\n" for name in names)
    stored = "".join(f"imageStore({name}, at.xy, vec4(result, 0.0, 0.0));\n" for name in names)
    picture = images.blank(ctx, SHAPE, RG32F, None)
    with glfft.Plan(ctx, SHAPE, store=f"{declared}void store(ivec3 at, value result) {{\n{stored}}}\n") as plan:
        for name in names[:-1]:
            plan.set(**{name: picture})
        for _ in range(2):
            with pytest.raises(OptionError) as caught:
                plan.set(**{names[-1]: picture})
            assert_one_sentence(str(caught.value))
            assert "one image too many" in str(caught.value)
    release(picture)


def test_one_name_of_two_types(ctx: moderngl.Context) -> None:
    whole_gain = "uniform int gain;\nvoid store(ivec3 at, value result) { write_target(at, float(gain) * result); }\n"
    with glfft.Plan(ctx, SHAPE, load=GAIN, store=whole_gain) as plan, pytest.raises(OptionError) as caught:
        plan.set(gain=1)
    assert_one_sentence(str(caught.value))
    assert "'gain'" in str(caught.value)


@pytest.mark.parametrize("name", ["rg32f", "buffer"])
@each_kind
def test_names_that_come_to_mind_are_the_callers(ctx: moderngl.Context, algorithm: str, name: str) -> None:
    text = """
        uniform float stage, direction, scale;
        uniform sampler2D source, target, twiddle_table;
        value load(ivec3 at) {
            float sum = stage + direction + scale;
            sum += texelFetch(source, at.xy, 0).r + texelFetch(target, at.xy, 0).r;
            return (sum + texelFetch(twiddle_table, at.xy, 0).r) * read_source(at);
        }"""
    values = random_values(RG32F, SHAPE, None)
    textures = [texture(ctx, np.full(SHAPE, factor)) for factor in (0.5, 2.0, 4.0)]
    with glfft.Plan(ctx, SHAPE, algorithm=algorithm, storage=name, load=text) as plan:
        plan.set(stage=1.0, direction=-5.0, scale=8.0)
        plan.set(source=textures[0], target=textures[1], twiddle_table=textures[2])
        for direction, exact in (("forward", np.fft.fft2), ("inverse", np.fft.ifft2)):
            assert_close(run(plan, values, direction), 10.5 * exact(values.astype(np.complex128)))
    release(*textures)


@pytest.mark.parametrize(
    ("role", "text"),
    [
        (
            "load",
            "uniform sampler2D window;\n"
            "value load(ivec3 at) { return texelFetch(window, at.xy, 0).r * read_source(at); }\n",
        ),
        (
            "store",
            "layout(rg32f) writeonly uniform image2D window;\n"
            "void store(ivec3 at, value result) { imageStore(window, at.xy, vec4(result, 0.0, 0.0)); }\n",
        ),
    ],
)
@each_kind
def test_a_texture_nobody_has_set(ctx: moderngl.Context, algorithm: str, role: str, text: str) -> None:
    # What lies on the unit a sampler starts with must not be taken for it.
    bystander, window, image = (images.blank(ctx, SHAPE, RG32F, None) for _ in range(3))
    bystander.use(0)
    given: dict[str, Any] = {role: text}
    with glfft.Plan(ctx, SHAPE, algorithm=algorithm, **given) as plan:
        with pytest.raises(TextureError) as caught:
            plan.forward(image, image)
        assert_one_sentence(str(caught.value))
        assert "set(window=...)" in str(caught.value)
        plan.set(window=window)
        plan.forward(image, image)
    release(bystander, window, image)


@each_kind
def test_compile_errors_name_the_snippet_and_its_line(ctx: moderngl.Context, algorithm: str) -> None:
    bad_load = "// sets nothing\nvalue load(ivec3 at) {\n    return nowhere;\n}\n"
    bad_store = "void store(ivec3 at, value result) {\n\n    write_target(nowhere, result);\n}\n"
    cases: list[tuple[dict[str, Any], str]] = [
        ({"load": bad_load}, "load snippet:3: `return nowhere;`"),
        ({"store": bad_store}, "store snippet:3: `write_target(nowhere, result);`"),
        ({"load": Snippet(bad_load, name="sea.glsl")}, "sea.glsl:3: `return nowhere;`"),
        ({"load": '\n#include "nowhere.glsl"\n'}, "'nowhere.glsl', which load snippet:2 asks for"),
    ]
    for given, where in cases:
        with pytest.raises(ShaderError) as caught:
            glfft.Plan(ctx, SHAPE, algorithm=algorithm, **given)
        assert where in str(caught.value)


FUNCTIONS = {
    "load": ("value load(ivec3 at)", "return read_source(at);"),
    "store": ("void store(ivec3 at, value result)", "write_target(at, result);"),
    "multiply": ("value product(ivec3 at, value spectrum)", "return spectrum;"),
}
# What is wrong, and the line of the snippet that is to be named; FUNCTION is four lines long.
UNFINISHED = {
    "unknown function": ("FUNCTION\nfloat more() {\n    return nowhere(1.0);\n}\n", 6),
    "defined twice": ("FUNCTION\nFUNCTION\n", 5),
    "of two types": ("uniform float g;\nuniform int g;\nFUNCTION\n", 2),
    "a semicolon missing": ("FUNCTION\nconst float g = 1.0", 6),
    "a semicolon missing after a structure": ("FUNCTION\nstruct Pair { float a; }\n\n", 6),
    "a brace missing": ("FUNCTION\nfloat more() {\n    return 1.0;\n// the end", 8),
    "a brace too many": ("FUNCTION\n}\n", 5),
    "a comment without end": ("FUNCTION\n\n/* the end\n", 6),
    "all in a comment": ("// one\n/* two\nFUNCTION\n", 2),
    "a condition without end": ("#if 1\n#ifdef TWO\n#endif\nFUNCTION\n", 1),
    "lines counted anew": ("#line 700\nFUNCTION\nfloat g = nowhere;\n", 6),
    "ends of lines as on Windows": ("FUNCTION\r\nfloat g = nowhere;\r\n", 5),
    "a page break in a comment": ("// one \f, two\nFUNCTION\nfloat g = nowhere;\n", 6),
}


@pytest.mark.parametrize("role", FUNCTIONS)
@pytest.mark.parametrize("wrong", UNFINISHED)
@each_kind
def test_whatever_is_wrong_is_told_at_the_snippets_line(
    ctx: moderngl.Context, algorithm: str, wrong: str, role: str
) -> None:
    text, line = UNFINISHED[wrong]
    head, body = FUNCTIONS[role]
    given: dict[str, Any] = {role: text.replace("FUNCTION", f"{head}\n{{\n    {body}\n}}")}
    with pytest.raises(ShaderError) as caught:
        glfft.Plan(ctx, SHAPE, algorithm=algorithm, **given)
    first, *_ = re.findall(r"^.*:\d+.*$", str(caught.value), re.MULTILINE)
    assert f"{role} snippet:{line}" in first


@pytest.mark.parametrize(
    ("role", "text"),
    [
        ("load", "vec4 load(ivec3 at) { return vec4(1.0); }"),
        ("load", "value load(ivec2 at) { return value(1.0); }"),
        ("load", "value load() { return value(1.0); }"),
        ("store", "void store(value result) {}"),
        ("multiply", "mat2 product(ivec3 at, value spectrum) { return mat2(1.0); }"),
        ("multiply", "value product(value spectrum) { return spectrum; }"),
    ],
)
@each_kind
def test_a_function_of_another_kind_is_told_at_the_snippets_end(
    ctx: moderngl.Context, algorithm: str, role: str, text: str
) -> None:
    given: dict[str, Any] = {role: text}
    with pytest.raises(ShaderError, match=rf"\n  {role} snippet:2: .*\b{FUNCTIONS[role][0].split()[1][:4]}\w*\(at"):
        glfft.Plan(ctx, SHAPE, algorithm=algorithm, **given)


@each_kind
def test_snippets_that_lack_their_function(ctx: moderngl.Context, algorithm: str) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"load": ""}, "value load(ivec3 at)"),
        ({"load": "value lode(ivec3 at) { return value(0.0); }"}, "value load(ivec3 at)"),
        ({"load": Snippet("value loader(ivec3 at) { return value(0.0); }")}, "value load(ivec3 at)"),
        ({"store": "void stow(ivec3 at, value result) {}"}, "void store(ivec3 at, value result)"),
        ({"multiply": "vec2 times(vec2 f) { return f; }"}, "value product(ivec3 at, value spectrum)"),
        ({"load": "// no load here"}, "value load(ivec3 at)"),
        ({"store": "/* void store(\nivec3) */"}, "void store(ivec3 at, value result)"),
    ]
    for given, function in cases:
        with pytest.raises(ShaderError) as caught:
            glfft.Plan(ctx, SHAPE, algorithm=algorithm, **given)
        assert_one_sentence(str(caught.value))
        assert f"must define `{function}`" in str(caught.value)
    # Where only a compiler can tell, the name stands in its words, in quotes or as a call.
    with pytest.raises(ShaderError, match=r"[`'\"]load['\"(]|error.*\bload\("):
        glfft.Plan(ctx, SHAPE, algorithm=algorithm, load="value load(ivec3 at);")


@pytest.mark.parametrize("option", ["load", "store"])
def test_what_is_no_snippet(ctx: moderngl.Context, option: str) -> None:
    given: dict[str, Any] = {option: 5}
    with pytest.raises(OptionError) as caught:
        glfft.Plan(ctx, SHAPE, **given)
    assert_one_sentence(str(caught.value))
    assert f"{option} must be GLSL text" in str(caught.value)


def test_a_released_plan_takes_no_values(ctx: moderngl.Context) -> None:
    plan = glfft.Plan(ctx, SHAPE, load=GAIN)
    plan.release()
    with pytest.raises(ReleasedError) as caught:
        plan.set(gain=1.0)
    assert_one_sentence(str(caught.value))


@pytest.mark.parametrize("drop", [True, False], ids=["dropped", "released"])
@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_two_hundred_plans_with_snippets_leave_nothing(ctx: moderngl.Context, drop: bool) -> None:
    window = texture(ctx, np.ones(SHAPE))
    text = (
        "uniform sampler2D window;\nvalue load(ivec3 at) { return texelFetch(window, at.xy, 0).r * read_source(at); }"
    )

    def make_and_drop(index: int) -> None:
        plan = glfft.Plan(ctx, (2, 4), algorithm=KINDS[index % 2], load=text)
        plan.set(window=window)
        if not drop:
            plan.release()

    assert_plans_leave_nothing(ctx, make_and_drop, 200)
    release(window)
