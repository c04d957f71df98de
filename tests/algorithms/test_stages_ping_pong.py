"""Stages on two images: right at every power of two, whatever image the target is, and parted by barriers."""

from __future__ import annotations

import re
from dataclasses import replace

import moderngl
import numpy as np
import numpy.typing as npt
import pytest
from support.images import random_values, run
from support.paths import ROOT, SHADERS
from support.pictures import DIRECTIONS, NUMPY, PING_PONG, blank, download, upload
from support.requests import LEAST_DEVICE, axis_request
from support.sentences import refused
from support.tolerances import COMPUTED_DB, TABLE_DB, assert_close

import glfft
from glfft.algorithms.stages import PING_PONGS, PingPong
from glfft.algorithms.storage import STORAGES
from glfft.apps.signal_to_noise import random_complex
from glfft.engine.images import ImageSpec
from glfft.errors import LimitError
from glfft.gl.context import state_of
from glfft.snippets import Snippet

each_algorithm = pytest.mark.parametrize("algorithm", PING_PONG)
each_family = pytest.mark.parametrize("family", PING_PONGS, ids=PING_PONG)


def longest(ctx: moderngl.Context, algorithm: str) -> int:
    limits = state_of(ctx).limits
    return min(limits.invocations, limits.group_size[0]) * (4 if algorithm.endswith("radix4") else 2)


def shape_of(length: int, axis: int, lines: int = 3) -> tuple[int, int]:
    return (lines, length) if axis == 1 else (length, lines)


def exact(array: npt.NDArray[np.complexfloating], axis: int) -> npt.NDArray[np.complex128]:
    return np.fft.fft(array.astype(np.complex128), axis=axis)


@each_algorithm
def test_every_power_of_two_to_the_limit(ctx: moderngl.Context, algorithm: str) -> None:
    most = longest(ctx, algorithm)
    assert most >= 2048
    for exponent in range(1, most.bit_length()):
        # Every length has one axis and one kind of factors, every second one either axis with either kind.
        axis, computed = exponent % 2, exponent // 2 % 2 == 1
        array = random_complex(shape_of(2**exponent, axis))
        source, target = upload(ctx, array), blank(ctx, array.shape)
        twiddles = "computed" if computed else "table"
        with glfft.Plan(ctx, array.shape, axes=(axis,), algorithm=algorithm, twiddles=twiddles) as plan:
            plan.forward(source, target)
            result = download(target)
            assert_close(result, exact(array, axis), COMPUTED_DB if computed else TABLE_DB)
            assert download(source).tobytes() == array.tobytes(), "the source is left as it is"
            plan.forward(source, source)
            assert download(source).tobytes() == result.tobytes(), "in place gives the same bits"
            # The inverse takes the other sign and a factor from the same text.
            if exponent % 3 == 0:
                plan.inverse(source, source)
                assert_close(download(source), array, COMPUTED_DB if computed else TABLE_DB)
        source.release()
        target.release()


_DIFFERENCES = """#version 430
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Differences { uint differences; };
uniform sampler2D result;
uniform sampler2D before;
void main() {
    ivec2 size = textureSize(result, 0);
    int index = int(gl_GlobalInvocationID.x);
    if (index >= size.x * size.y) return;
    ivec2 at = ivec2(index % size.x, index / size.x);
    if (texelFetch(result, at, 0).xy != texelFetch(before, at, 0).xy) atomicAdd(differences, 1u);
}
"""


@pytest.mark.slow
@each_algorithm
@pytest.mark.parametrize("twiddles", ["table", "computed"])
@pytest.mark.parametrize("axes", [(0,), (1,), (0, 1)], ids=["columns", "rows", "both"])
def test_a_thousand_runs_are_right_and_alike_at_every_length(
    ctx: moderngl.Context, algorithm: str, twiddles: str, axes: tuple[int, ...]
) -> None:
    """Both directions, 16 lines at once, compared bit by bit on the device: a missing barrier would show as noise."""
    floor_db = TABLE_DB if twiddles == "table" else COMPUTED_DB
    compare = ctx.compute_shader(_DIFFERENCES)
    compare["result"], compare["before"] = 0, 1
    counted = ctx.buffer(bytes(4))
    for exponent in range(1, longest(ctx, algorithm).bit_length()):
        shape = shape_of(2**exponent, axes[0], lines=16)
        array = random_complex(shape)
        source, target, before = upload(ctx, array), blank(ctx, shape), blank(ctx, shape)
        with glfft.Plan(ctx, shape, axes=axes, algorithm=algorithm, twiddles=twiddles) as plan:
            for direction in DIRECTIONS:
                transform = getattr(plan, direction)
                transform(source, before)
                assert_close(download(before), NUMPY[direction](array.astype(np.complex128), axes=axes), floor_db)
                for _ in range(1000):
                    transform(source, target)
                    target.use(0)
                    before.use(1)
                    counted.bind_to_storage_buffer(0)
                    compare.run(-(-shape[0] * shape[1] // 64))
                    ctx.memory_barrier()
                assert np.frombuffer(counted.read(), np.uint32)[0] == 0, (shape, direction)
        for each in (source, target, before):
            each.release()
    counted.release()
    compare.release()


@each_algorithm
def test_beyond_the_limit_a_sentence_says_what_to_do(ctx: moderngl.Context, algorithm: str) -> None:
    most = longest(ctx, algorithm)
    with refused(LimitError) as error:
        glfft.Plan(ctx, (2, 2 * most), axes=(1,), algorithm=algorithm)
    message = str(error.value)
    for part in (f"lines of {2 * most} points", "invocations", f"it can do {most}", "algorithm='auto' works"):
        assert part in message


@pytest.mark.parametrize(
    ("algorithm", "storage", "real"),
    [
        (algorithm, *(("rg32f", False), ("rgba16f", True), ("buffer", False))[index % 3])
        for index, algorithm in enumerate(PING_PONG)
    ],
)
def test_many_runs_make_no_difference(ctx: moderngl.Context, algorithm: str, storage: str, real: bool) -> None:
    """A missing barrier would show as noise. Layers are there, so that many work groups run at the same time."""
    values = random_values(STORAGES[storage].of_reals if real else STORAGES[storage], (16, 64), 5)
    with glfft.Plan(ctx, (16, 64), algorithm=algorithm, layers=5, storage=storage, real=real) as plan:
        first = run(plan, values).tobytes()
        assert all(run(plan, values).tobytes() == first for _ in range(5))


@each_algorithm
def test_a_plan_in_place_has_one_scratch_image(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch, algorithm: str
) -> None:
    made: list[object] = []
    make = ImageSpec.make
    monkeypatch.setattr(ImageSpec, "make", lambda self: made.append(self) or make(self))
    texture = upload(ctx, random_complex((32, 32)))
    with glfft.Plan(ctx, (32, 32), algorithm=algorithm) as plan:
        plan.forward(texture, texture)
        plan.inverse(texture, texture)
    assert len(made) == 1
    with glfft.Plan(ctx, (32, 32), algorithm=algorithm, storage="buffer") as plan:
        assert len(made) == 1 + 2, "a buffer cannot be one of the two images"


def test_snippets_that_move_points_meet_their_source_unchanged(ctx: moderngl.Context) -> None:
    load = Snippet("value load(ivec3 at) { return read_source(ivec3(COLUMNS - 1 - at.x, at.y, at.z)); }")
    store = Snippet("void store(ivec3 at, value v) { write_target(ivec3(at.x, ROWS - 1 - at.y, at.z), 2.0 * v); }")
    array = random_complex((16, 8))
    expected = 2.0 * np.fft.fft2(array[:, ::-1].astype(np.complex128))[::-1]
    for algorithm in PING_PONG:
        texture = upload(ctx, array)
        with glfft.Plan(ctx, (16, 8), algorithm=algorithm, load=load, store=store) as plan:
            plan.forward(texture, texture)
        assert_close(download(texture), expected)
        texture.release()


def test_images_of_snippets_have_units_of_their_own(ctx: moderngl.Context) -> None:
    names = [f"kept_{index}" for index in range(3)]
    declared = "".join(f"layout(rg32f) uniform image2D {name};\n" for name in names)
    stored = "".join(f"imageStore({name}, at.xy, vec4({index}.0 + v, 0.0, 0.0));\n" for index, name in enumerate(names))
    store = Snippet(f"{declared}void store(ivec3 at, value v) {{ {stored} write_target(at, v); }}")
    array = random_complex((4, 16))
    source, target, *kept = upload(ctx, array), *(blank(ctx, (4, 16)) for _ in range(4))
    with glfft.Plan(ctx, (4, 16), algorithm="ping-pong-stockham-radix4", store=store) as plan:
        plan.set_uniforms(**dict(zip(names, kept, strict=True)))
        plan.forward(source, target)
    expected = np.fft.fft2(array.astype(np.complex128))
    assert_close(download(target), expected)
    for index, each in enumerate(kept):
        assert_close(download(each), expected + index * (1 + 1j))


@each_family
def test_a_pass_says_what_its_shader_does(family: PingPong) -> None:
    for exponent in range(1, 12):
        length = 2**exponent
        (spec,) = family.passes(axis_request((3, length), layers=2), None)
        assert spec.groups == (3, 2, 1), "a work group for each line of each layer"
        assert spec.threads == max(length // family.radix, 1)
        assert np.prod(spec.radices) == length
        assert len(spec.radices) == -(-exponent // (family.radix // 2))
        assert spec.barriers == sum(radix == family.radix for radix in spec.radices)
        assert spec.shared_bytes == 0
        assert "shared " not in spec.source.text
        assert f"#define STAGES {len(spec.radices)}\n" in spec.source.text


@each_family
def test_what_stages_leave_in_the_images_counts_as_moved(family: PingPong) -> None:
    for storage, texel in (("rg32f", 8), ("rgba16f", 16), ("rgba32f", 16)):
        for layers in (None, 3):
            request = axis_request((5, 64), storage=STORAGES[storage], layers=layers)
            (spec,) = family.passes(request, None)
            ends, texels = 2 * STORAGES[storage].texel_bytes, 5 * 64 * (layers or 1)
            between = {2: 5, 4: 2}[family.radix]
            assert spec.bytes_moved == texels * (ends + between * 2 * texel)


@each_family
def test_each_stage_ends_with_both_barriers_and_images_are_coherent(family: PingPong) -> None:
    (spec,) = family.passes(axis_request((3, 64)), None)
    own = (SHADERS / spec.shader).read_text(encoding="utf-8")
    assert len(own.splitlines()) <= 60
    # The last stage of radix 2 comes after the loop, and nothing loads what it stores.
    last = "stages_of_4" if family.radix == 4 else "STAGES"
    loop = own.split("void main() {")[1].split(f"for (int stage = 0; stage < {last}; ++stage) {{")[1]
    body = loop.split("\n    }\n")[0]
    assert body.split()[-2:] == ["memoryBarrierImage();", "barrier();"]
    assert not re.search(r"\b(if|for|while|return)\b", body), "no condition surrounds the barriers"
    images = [line for line in spec.source.text.splitlines() if "uniform ping_pong_image" in line]
    assert [line.split(") ")[1] for line in images] == ["coherent uniform ping_pong_image glfft_pingpong[2];"]
    assert "#define PING_PONG_FORMAT rg32f\n" in spec.source.text


def test_the_page_on_how_it_works_begins_with_the_shader_itself() -> None:
    page = (ROOT / "docs" / "how-it-works.md").read_text(encoding="utf-8")
    shown = page.split("```glsl\n")[1].split("```")[0]
    assert (SHADERS / "fft" / "ping_pong_stockham_radix2.comp").read_text(encoding="utf-8").endswith(shown)
    for family in PING_PONGS:
        assert f"`{family.name}`" in page


@each_family
def test_what_it_cannot_do(family: PingPong) -> None:
    request = axis_request((4, 64))
    assert family.supports(request) is None
    assert "power of two" in str(family.supports(replace(request, shape=(4, 48))))
    assert "single precision" in str(family.supports(replace(request, storage=STORAGES["buffer_double"])))
    volumes = replace(request, shape=(4, 4, 64), axis=2, storage=STORAGES["buffer"])
    assert family.supports(volumes) is None
    assert "one volume" in str(family.supports(replace(volumes, layers=2)))
    wide = replace(request, shape=(64, LEAST_DEVICE.limits.texture_size + 1), axis=0, storage=STORAGES["buffer"])
    assert "texels a side" in str(family.supports(wide))
    deep = replace(request, layers=LEAST_DEVICE.limits.array_layers + 1, storage=STORAGES["buffer"])
    assert "layers" in str(family.supports(deep))
