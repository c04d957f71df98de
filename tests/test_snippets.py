"""Load and store snippets: what they compute, and what is said of one that is wrong."""

from __future__ import annotations

import itertools
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
from support.pictures import OF_EACH_END
from support.sentences import assert_one_sentence, refused
from support.snippets import KINDS, RG32F, SHAPE, each_kind, real_pictures, texture, transform
from support.tolerances import BLUESTEIN_DB, TABLE_DB, assert_close, floor_of

import glfft
from glfft import snippets
from glfft.algorithms.storage import STORAGES, Storage
from glfft.errors import OptionError, ShaderError, TextureError
from glfft.snippets import Snippet

each_float_storage = pytest.mark.parametrize(
    "storage", [storage for storage in STORAGES.values() if storage.dtype != "f2"], ids=lambda storage: storage.name
)

NOTHING_READ = "value load(ivec3 at) {\n    return value(float(at.x + COLUMNS * at.y + ROWS * COLUMNS * at.z));\n}\n"
TO_AN_IMAGE = (
    "layout(rg32f) writeonly uniform image2D found;\n"
    "void store(ivec3 at, value result) {\n    imageStore(found, at.xy, vec4(result, 0.0, 0.0));\n}\n"
)


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


def windowed(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return values * np.outer(*map(periodic_hann, values.shape[-2:]))


# A load and a store in one plan, as neither makes up for what the other does wrong.
BUILT_IN: dict[str, tuple[dict[str, Any], Callable[[npt.NDArray[Any]], npt.NDArray[Any]]]] = {
    "both shifts": (
        {"load": snippets.shift_load(), "store": snippets.shift_store()},
        lambda values: shifted(transform(unshifted(values))),
    ),
    "hann load, magnitude store": (
        {"load": snippets.hann_load(), "store": snippets.magnitude_store()},
        lambda values: np.abs(transform(windowed(values))),
    ),
    "log magnitude store": ({"store": snippets.log_magnitude_store()}, lambda values: log_magnitude(transform(values))),
}


@each_float_storage
@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_snippets(ctx: moderngl.Context, name: str, storage: Storage) -> None:
    given, expected = BUILT_IN[name]
    # In turn, so that layers meet each snippet and each storage.
    layers = (None, 2)[(list(BUILT_IN).index(name) + list(STORAGES).index(storage.name)) % 2]
    values = random_values(storage, SHAPE, layers)
    with glfft.Plan(ctx, SHAPE, layers=layers, storage=storage.name, directions="forward", **given) as plan:
        assert_close(run(plan, values), expected(values), floor_of(storage, 0))


@pytest.mark.parametrize(
    ("shape", "name", "layers"),
    [
        ((5, 9), "rg32f", None),
        ((7, 6), "rgba32f", 2),
        ((15, 4), "buffer", 2),
        ((1, 3), "rg32f", 2),
        ((1, 59), "rg32f", None),  # by Bluestein's algorithm
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


@pytest.mark.parametrize(
    ("algorithm", "axes"),
    # Both axes, and one in turn.
    [(name, axes) for index, name in enumerate(OF_EACH_END) for axes in ((0, 1), (index % 2,))],
    ids=str,
)
def test_load_comes_first_and_store_last_in_every_algorithm(
    ctx: moderngl.Context, algorithm: str, axes: tuple[int, ...]
) -> None:
    # Neither commutes with the transform, and a load or store in a pass between would show.
    values = random_values(RG32F, SHAPE, None)
    with glfft.Plan(
        ctx, SHAPE, axes=axes, algorithm=algorithm, load=snippets.hann_load(), store=snippets.magnitude_store()
    ) as plan:
        loaded = windowed(values.astype(np.complex128))
        assert_close(run(plan, values), np.abs(np.fft.fftn(loaded, axes=[axis - 2 for axis in axes])))
        inverse = np.fft.ifftn(loaded, axes=[axis - 2 for axis in axes])
        assert_close(run(plan, values, "inverse"), np.abs(inverse))


def test_snippets_of_a_plan_that_only_copies(ctx: moderngl.Context) -> None:
    values = random_values(RG32F, (1, 8), None)
    with glfft.Plan(ctx, (1, 8), axes=(0,), load=snippets.hann_load(), store=snippets.magnitude_store()) as plan:
        # A single row's window is zero: cosine of no turn.
        assert np.array_equal(run(plan, values), np.zeros_like(values))
    with glfft.Plan(ctx, (1, 8), axes=(0,), store=snippets.magnitude_store()) as plan:
        assert_close(run(plan, values), np.abs(values))


@pytest.mark.parametrize("storage", ["rg32f", "rgba32f", "buffer_double"])
def test_magnitudes_of_large_and_small_numbers(ctx: moderngl.Context, storage: str) -> None:
    large = 1e160 if storage == "buffer_double" else 1e30
    values = random_values(STORAGES[storage], (1, 8), None)
    with glfft.Plan(ctx, (1, 8), axes=(0,), storage=storage, store=snippets.magnitude_store()) as plan:
        for scale in (large, 1.0, 1 / large):
            assert_close(run(plan, values * scale) / scale, np.abs(values))
        values[0, 0, 0, :2] = 0, np.inf
        assert np.real(run(plan, values)[0, 0, 0, :2]).tolist() == [0, np.inf]


SINGLES = [name for name, halves in HALVES.items() if halves == 1]
each_single_storage = pytest.mark.parametrize("name", SINGLES)


def pair_floor_db(plan: glfft.Plan, stores: int) -> float:
    # Textures of real pictures are in single precision.
    storage = plan.request.storage
    return floor_of(storage, stores) if storage.number.coarse else TABLE_DB


@each_single_storage
@each_kind
def test_real_pictures_in_pairs(ctx: moderngl.Context, algorithm: str, name: str) -> None:
    storage = STORAGES[name]
    # In turn, so that any two of algorithm, storage, layers and axes meet.
    turn, pair = KINDS.index(algorithm), SINGLES.index(name)
    layers, axes = (None, 3)[(turn + pair) % 2], ((0, 1), (0,))[(turn + pair // 2) % 2]
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
    with glfft.Plan(ctx, SHAPE, load=snippets.real_pair_load(), directions="forward", **options) as plan:
        plan.set_uniforms(first=sources[0], second=sources[1])
        plan.forward(None, target, next_use="read")
        result = images.download(target, storage, SHAPE, layers)
        assert_close(result, exact, pair_floor_db(plan, plan.dispatches))
    with glfft.Plan(ctx, SHAPE, store=snippets.real_pair_store(), directions="forward", **options) as plan:
        plan.set_uniforms(real=targets[0], imaginary=targets[1])
        plan.forward(source, None)
        ctx.memory_barrier()
        assert_close(stored(), exact, pair_floor_db(plan, plan.dispatches - 1))
    options |= {"norm": "forward", "directions": "inverse"}
    with glfft.Plan(ctx, SHAPE, load=snippets.real_pair_load(), store=snippets.real_pair_store(), **options) as plan:
        plan.set_uniforms(first=sources[0], second=sources[1], real=targets[0], imaginary=targets[1])
        plan.inverse(None, None)
        ctx.memory_barrier()
        there_and_back = np.fft.ifftn(values, axes=[axis - 2 for axis in axes], norm="forward")
        assert_close(stored(), there_and_back, pair_floor_db(plan, plan.dispatches - 1))
    release(source, target, *sources, *targets)


def test_real_pairs_of_volumes_are_stored_in_volumes(ctx: moderngl.Context) -> None:
    shape = 3, 4, 5
    values = random_values(STORAGES["rg32f"], shape, None)
    source = images.upload(ctx, values, STORAGES["rg32f"], None)
    real, imaginary = (ctx.texture3d((5, 4, 3), 1, dtype="f4") for _ in range(2))
    with glfft.Plan(ctx, shape, store=snippets.real_pair_store(), directions="forward") as plan:
        plan.set_uniforms(real=real, imaginary=imaginary)
        plan.forward(source, None, "read")
    parts = [np.frombuffer(each.read(), np.float32).reshape(shape) for each in (real, imaginary)]
    assert_close(parts[0] + 1j * parts[1], np.fft.fftn(values.reshape(shape)), TABLE_DB)
    release(source, real, imaginary)


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
            with refused(TextureError, f"for '{name}' is {' x '.join(map(str, wrong.size))} and"):
                plan.set_uniforms(**{name: wrong})
    release(wrong)


@pytest.mark.parametrize("name", [name for name, halves in HALVES.items() if halves == 2])
@pytest.mark.parametrize(
    "given", [{"load": snippets.real_pair_load()}, {"store": snippets.real_pair_store()}], ids=["load", "store"]
)
def test_real_pairs_of_paired_storage_are_refused(ctx: moderngl.Context, given: dict[str, Any], name: str) -> None:
    with pytest.raises(ShaderError, match="works on storage of one complex number a texel"):
        glfft.Plan(ctx, SHAPE, storage=name, **given)


# Layers and none in turn: each storage and each kind has both.
@pytest.mark.parametrize(("name", "turn"), [("rg32f", 0), ("rgba32f", 1), ("buffer", 0)])
@each_kind
def test_a_load_that_reads_nothing_needs_no_source(ctx: moderngl.Context, algorithm: str, name: str, turn: int) -> None:
    storage, layers = STORAGES[name], (None, 2)[(turn + KINDS.index(algorithm)) % 2]
    target = images.blank(ctx, SHAPE, storage, layers)
    options: dict[str, Any] = {"layers": layers, "storage": name, "directions": "forward"}
    with glfft.Plan(ctx, SHAPE, algorithm=algorithm, load=NOTHING_READ, **options) as plan:
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
    with glfft.Plan(ctx, SHAPE, algorithm=algorithm, storage=name, store=TO_AN_IMAGE, directions="forward") as plan:
        plan.set_uniforms(found=found)
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


@pytest.mark.parametrize("load", [glfft.snippets.hann_load(), "value load(ivec3 at) { return 2.0 * read_source(at); }"])
def test_snippets_that_read_and_write_need_both_ends(ctx: moderngl.Context, load: Snippet | str) -> None:
    image = images.blank(ctx, SHAPE, RG32F, None)
    twice = "void store(ivec3 at, value result) { write_target(at, 2.0 * result); }"
    with glfft.Plan(ctx, SHAPE, load=load, store=twice) as plan:
        for ends, role in (((None, image), "source"), ((image, None), "target")):
            for run_plan in (plan.forward, plan.inverse):
                with refused(TextureError, match=role):
                    run_plan(*ends)
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


@pytest.mark.parametrize(("role", "end"), [("load", "source_region"), ("store", "target_region")])
def test_shifts_out_of_a_region_are_refused(ctx: moderngl.Context, role: str, end: str) -> None:
    shift = snippets.shift_load() if role == "load" else snippets.shift_store()
    options: dict[str, Any] = {role: shift, end: np.s_[2:6, :]}
    with pytest.raises(OptionError, match="moves points out of their region") as caught:
        glfft.Plan(ctx, (8, 12), **options)
    assert_one_sentence(str(caught.value))
    options[end] = np.s_[:, 0:12]
    glfft.Plan(ctx, (8, 12), **options).release()


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
        with refused(ShaderError, f"must define `{function}`"):
            glfft.Plan(ctx, SHAPE, algorithm=algorithm, **given)
    # Where only a compiler can tell, the name stands in its words, in quotes or as a call.
    with pytest.raises(ShaderError, match=r"[`'\"]load['\"(]|error.*\bload\("):
        glfft.Plan(ctx, SHAPE, algorithm=algorithm, load="value load(ivec3 at);")


def test_a_ready_snippet_is_refused_where_another_one_belongs(ctx: moderngl.Context) -> None:
    ready = {"load": snippets.hann_load(), "store": snippets.magnitude_store()}
    ready["multiply"] = snippets.multiply_by_texture()
    for option, (role, snippet) in itertools.product(ready, ready.items()):
        if option != role:
            with refused(ShaderError, f"{snippet.name} is for {role}=, not {option}="):
                glfft.Plan(ctx, SHAPE, **{option: snippet})  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("option", ["load", "store"])
def test_what_is_no_snippet(ctx: moderngl.Context, option: str) -> None:
    given: dict[str, Any] = {option: 5}
    with refused(OptionError, f"{option} must be GLSL text"):
        glfft.Plan(ctx, SHAPE, **given)


@pytest.mark.parametrize("drop", [True, False], ids=["dropped", "released"])
@pytest.mark.usefixtures("freed_by_glfft_alone")
def test_plans_with_snippets_leave_nothing(ctx: moderngl.Context, drop: bool) -> None:
    window = texture(ctx, np.ones(SHAPE))
    text = (
        "uniform sampler2D window;\nvalue load(ivec3 at) { return texelFetch(window, at.xy, 0).r * read_source(at); }"
    )

    def make_and_drop(index: int) -> None:
        plan = glfft.Plan(ctx, (2, 4), algorithm=KINDS[index % 2], load=text)
        plan.set_uniforms(window=window)
        if not drop:
            plan.release()

    assert_plans_leave_nothing(ctx, make_and_drop, 6)
    release(window)
