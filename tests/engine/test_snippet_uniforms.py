"""What snippets are given: values and textures reach them, stay set, and are refused where they do not fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import moderngl
import numpy as np
import pytest
from support import images
from support.images import random_values, release, run
from support.sentences import assert_one_sentence, refused
from support.snippets import GAIN, KINDS, RG32F, SHAPE, assert_not_taken, each_kind, real_pictures, texture, transform
from support.tolerances import COMPOSED_DB, assert_close

import glfft
from glfft.apps.signal_to_noise import random_complex
from glfft.errors import OptionError, ReleasedError, ShaderError, TextureError
from glfft.gl.context import state_of


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
        plan.set_uniforms(gain=0.5, corner=(3, 1), turned=tuple(turned.T.ravel()), doubled=True)
        plan.set_uniforms(sizes=(7, 5), weights=(1.0, -2.0, 0.25))
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
        plan.set_uniforms(**inputs, **outputs)
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
        one.set_uniforms(gain=2.0)
        other.set_uniforms(gain=-3.0)
        for _ in range(2):
            assert_close(run(one, values), 2 * exact)
            assert_close(run(other, values), -3 * exact)
        assert_close(run(one, values, "inverse"), 2 * np.fft.ifft2(values.astype(np.complex128)))
        one.set_uniforms(gain=0.5)
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
        one.set_uniforms(window=double)
        other.set_uniforms(window=triple)
        for _ in range(2):
            assert_close(run(one, values), 2 * exact)
            assert_close(run(other, values), 3 * exact)
        one.set_uniforms(window=triple)
        assert_close(run(one, values), 3 * exact)
    release(double, triple)


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
    ("turned", lambda ctx: np.eye(3), "give it 4 rows of 4 numbers, or 16"),
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


@pytest.mark.parametrize(
    ("name", "make", "words"), WRONG_VALUES, ids=[f"{name}-{words[:30]}" for name, _, words in WRONG_VALUES]
)
def test_values_that_do_not_fit(
    ctx: moderngl.Context, all_sorts: glfft.Plan, name: str, make: Callable[[moderngl.Context], Any], words: str
) -> None:
    assert_not_taken(all_sorts, name, make(ctx), OptionError, words)


@pytest.mark.parametrize("layers", [None, 2])
def test_a_sampler_finds_something_or_the_run_is_refused(ctx: moderngl.Context, layers: int | None) -> None:
    values = random_values(RG32F, SHAPE, layers)
    kind, place = ("sampler2D", "at.xy") if layers is None else ("sampler2DArray", "at")
    load = (
        f"uniform {kind} window;\nvalue load(ivec3 at) {{ return texelFetch(window, {place}, 0).r * read_source(at); }}"
    )
    window = real_pictures(ctx, layers, np.full((layers or 1, *SHAPE), 2.0))
    with glfft.Plan(ctx, SHAPE, layers=layers, load=load) as plan:
        plan.set_uniforms(window=window)
        assert_close(run(plan, values), 2 * transform(values))
        window.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        with refused(TextureError, "for 'window' asks for mipmaps"):
            run(plan, values)
        window.build_mipmaps()
        assert_close(run(plan, values), 2 * transform(values))
    release(window)


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
            plan.set_uniforms(weights=array)
            assert_close(run(plan, values), transform(weighted))
            assert_close(run(plan, values, "convolve"), 7 * weighted, COMPOSED_DB)


def test_a_plan_is_as_good_as_before_a_value_that_did_not_fit(ctx: moderngl.Context) -> None:
    values = random_values(RG32F, SHAPE, None)
    with glfft.Plan(ctx, SHAPE, load=GAIN) as plan:
        plan.set_uniforms(gain=2.0)
        with pytest.raises(OptionError):
            plan.set_uniforms(gain="x")
        # Nor is one value of several taken.
        with refused(OptionError, "uses 'nope'"):
            plan.set_uniforms(gain=5.0, nope=1)
        assert_close(run(plan, values), 2 * transform(values))


def test_plans_without_snippets_have_no_names(ctx: moderngl.Context) -> None:
    for algorithm in KINDS:
        with glfft.Plan(ctx, SHAPE, algorithm=algorithm) as plan:
            for name in ("stage", "direction", "scale", "source", "target", "gain"):
                with pytest.raises(OptionError, match="they use are: none"):
                    plan.set_uniforms(**{name: 1})


def test_more_images_than_there_are_units(ctx: moderngl.Context) -> None:
    names = [f"image{index}" for index in range(8)]
    declared = "".join(f"layout(rg32f) writeonly uniform image2D {name};\n" for name in names)
    stored = "".join(f"imageStore({name}, at.xy, vec4(result, 0.0, 0.0));\n" for name in names)
    store = f"{declared}void store(ivec3 at, value result) {{\n{stored}}}\n"
    if state_of(ctx).limits.image_units <= len(names):
        with pytest.raises(ShaderError):
            glfft.Plan(ctx, SHAPE, store=store)
        return
    picture = images.blank(ctx, SHAPE, RG32F, None)
    with glfft.Plan(ctx, SHAPE, store=store) as plan:
        for name in names[:-1]:
            plan.set_uniforms(**{name: picture})
        for _ in range(2):
            with refused(OptionError, "one image too many"):
                plan.set_uniforms(**{names[-1]: picture})
    release(picture)


def test_one_name_of_two_types(ctx: moderngl.Context) -> None:
    whole_gain = "uniform int gain;\nvoid store(ivec3 at, value result) { write_target(at, float(gain) * result); }\n"
    with glfft.Plan(ctx, SHAPE, load=GAIN, store=whole_gain) as plan, pytest.raises(OptionError) as caught:
        plan.set_uniforms(gain=1)
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
        plan.set_uniforms(stage=1.0, direction=-5.0, scale=8.0)
        plan.set_uniforms(source=textures[0], target=textures[1], twiddle_table=textures[2])
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
        with refused(TextureError, "set_uniforms(window=...)"):
            plan.forward(image, image)
        plan.set_uniforms(window=window)
        plan.forward(image, image)
    release(bystander, window, image)


def test_a_released_plan_takes_no_values(ctx: moderngl.Context) -> None:
    plan = glfft.Plan(ctx, SHAPE, load=GAIN)
    plan.release()
    with refused(ReleasedError):
        plan.set_uniforms(gain=1.0)


def test_what_a_compiler_drops_may_be_set_and_what_nobody_declares_may_not(ctx: moderngl.Context) -> None:
    load = """
uniform float gain;
uniform float unused;
uniform vec2 unused_pair;
uniform sampler2D unused_picture;
value load(ivec3 at) { return gain * read_source(at); }
"""
    values = random_values(RG32F, (4, 8), None)
    with glfft.Plan(ctx, (4, 8), load=load) as plan:
        picture = ctx.texture((2, 2), 1)
        plan.set_uniforms(gain=2.0, unused=1.0, unused_pair=[1.0, 2.0], unused_picture=picture)
        assert_close(run(plan, values), 2 * np.fft.fft2(values.astype(np.complex128)), COMPOSED_DB)
        with refused(OptionError, "uses 'missing'"):
            plan.set_uniforms(missing=1.0)
        picture.release()
    # Here every result is x - x.
    rows = np.s_[1:2, 0:16]
    regions: dict[str, Any] = {"source_region": rows, "target_region": rows, "boundary": "wrap"}
    with glfft.Plan(ctx, (2, 16), directions=["inverse"], load=load, **regions) as plan:
        plan.set_uniforms(gain=2.0)


@pytest.mark.parametrize(
    ("declared", "read", "compares"),
    [
        ("sampler2D", "texelFetch(depths, at.xy, 0).r", False),
        ("sampler2D", "textureLod(depths, (vec2(at.xy) + 0.5) / vec2(COLUMNS, ROWS), 0.0).r", False),
        ("sampler2DShadow", "textureLod(depths, vec3((vec2(at.xy) + 0.5) / vec2(COLUMNS, ROWS), 0.5), 0.0)", True),
    ],
)
def test_only_a_shadow_sampler_compares_depths(ctx: moderngl.Context, declared: str, read: str, compares: bool) -> None:
    """moderngl makes depth textures that compare: other samplers would get 0 and 1 in place of depths."""
    values = np.random.default_rng(5).random(SHAPE, np.float32)
    depths = ctx.depth_texture((8, 4), values.tobytes())
    depths.filter = (moderngl.NEAREST, moderngl.NEAREST)
    target = images.blank(ctx, SHAPE, RG32F, None)
    text = f"uniform {declared} depths;\nvalue load(ivec3 at) {{ return value({read}, 0.0); }}"
    with glfft.Plan(ctx, SHAPE, axes=(1,), load=text) as plan:
        plan.set_uniforms(depths=depths)
        plan.forward(None, target, next_use="read")
        result = np.frombuffer(target.read(), np.complex64).reshape(SHAPE)
    wanted = (values >= 0.5).astype(np.float32) if compares else values
    assert_close(result, np.fft.fft(wanted), floor_db=100.0)
    release(depths, target)
