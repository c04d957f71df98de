"""How a plan behaves on textures: in place, again and again, and beside other plans."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import pytest
from support.pictures import ALGORITHMS, DIRECTIONS, NUMPY, blank, download, run, upload
from support.sentences import refused
from support.tolerances import COMPUTED_DB, TABLE_DB, assert_close

import glfft
from glfft.algorithms.passes import PassSpec
from glfft.apps.signal_to_noise import random_complex
from glfft.errors import OptionError
from glfft.gl.context import is_software
from glfft.snippets import Snippet

each_algorithm = pytest.mark.parametrize("algorithm", ALGORITHMS)


@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        ((1, 1), (0, 1)),
        # One stage, two, an odd and an even number: whether the last pass meets the source depends on it.
        ((2, 2), (1,)),
        ((4, 4), (0,)),
        ((4, 8), (0, 1)),
        ((8, 16), (0,)),
        ((8, 16), (1,)),
        ((8, 16), (0, 1)),
    ],
    ids=str,
)
@each_algorithm
def test_source_and_target_may_be_the_same(
    ctx: moderngl.Context, algorithm: str, shape: tuple[int, int], axes: tuple[int, ...]
) -> None:
    array = random_complex(shape)
    texture = upload(ctx, array)
    with glfft.Plan(ctx, shape, axes=axes, algorithm=algorithm, directions="forward") as plan:
        plan.forward(texture, texture)
    assert_close(download(texture), np.fft.fftn(array.astype(np.complex128), axes=axes))


@each_algorithm
def test_in_place_gives_the_same_bits_as_out_of_place(ctx: moderngl.Context, algorithm: str) -> None:
    array = random_complex((8, 16))
    texture = upload(ctx, array)
    with glfft.Plan(ctx, (8, 16), algorithm=algorithm) as plan:
        plan.inverse(texture, texture)
        assert download(texture).tobytes() == run(plan, array, "inverse").tobytes()


@pytest.mark.parametrize("shape", [(1, 1), (2, 4), (8, 16)], ids=str)
@each_algorithm
def test_the_source_is_left_as_it_is(ctx: moderngl.Context, algorithm: str, shape: tuple[int, int]) -> None:
    array = random_complex(shape)
    source, target = upload(ctx, array), blank(ctx, shape)
    with glfft.Plan(ctx, shape, algorithm=algorithm) as plan:
        plan.forward(source, target)
        plan.inverse(source, target)
    assert download(source).tobytes() == array.tobytes()


@each_algorithm
def test_a_target_may_have_a_swizzle(ctx: moderngl.Context, algorithm: str) -> None:
    # Passes that go on from what is in the target already must not see it swizzled.
    array = random_complex((8, 16))
    source, target = upload(ctx, array), blank(ctx, (8, 16))
    target.swizzle = "GR01"
    with glfft.Plan(ctx, (8, 16), algorithm=algorithm) as plan:
        plan.forward(source, target)
    assert_close(download(target), np.fft.fft2(array.astype(np.complex128)))


@each_algorithm
def test_a_repeat_gives_the_same_bits(ctx: moderngl.Context, algorithm: str) -> None:
    array = random_complex((8, 16))
    with glfft.Plan(ctx, (8, 16), algorithm=algorithm) as plan:
        first = run(plan, array).tobytes()
        assert all(run(plan, array).tobytes() == first for _ in range(5))


@each_algorithm
def test_a_hundred_runs_in_a_row(ctx: moderngl.Context, algorithm: str) -> None:
    # An orthonormal transform has period four: 100 of them, each reading what the last one wrote, are none.
    # The roundings of the factors are the same in each run, so that errors may add up as they are: a fall of 40 dB.
    array = random_complex((4, 8))
    texture = upload(ctx, array)
    with glfft.Plan(ctx, (4, 8), algorithm=algorithm, norm="ortho") as plan:
        for _ in range(100):
            plan.forward(texture, texture, next_use="sample")
    assert_close(download(texture), array, floor_db=TABLE_DB - 40)


@each_algorithm
def test_plans_of_the_same_programs_do_not_disturb_each_other(ctx: moderngl.Context, algorithm: str) -> None:
    # The stage-wise programs are shared, and what tells the plans apart are uniforms.
    array = random_complex((4, 8))
    wide = array.astype(np.complex128)
    first = glfft.Plan(ctx, (4, 8), algorithm=algorithm)
    second = glfft.Plan(ctx, (4, 8), algorithm=algorithm, norm="ortho")
    third = glfft.Plan(ctx, (4, 8), algorithm=algorithm, twiddles="computed")
    for _ in range(2):
        assert_close(run(first, array), np.fft.fft2(wide))
        assert_close(run(second, array, "inverse"), np.fft.ifft2(wide, norm="ortho"))
        assert_close(run(third, array, "inverse"), np.fft.ifft2(wide), floor_db=COMPUTED_DB)
        assert_close(run(first, array, "inverse"), np.fft.ifft2(wide))
    first.release()
    assert_close(run(second, array), np.fft.fft2(wide, norm="ortho"))


@pytest.mark.parametrize("algorithm", ["cooley-tukey", "stockham-radix2", "stockham-radix4"])
def test_a_single_pass_transform_is_one_dispatch_an_axis(ctx: moderngl.Context, algorithm: str) -> None:
    with glfft.Plan(ctx, (16, 32), algorithm=algorithm) as plan:
        assert plan.dispatches == 2
        assert plan.bytes_moved == 2 * 2 * 8 * 16 * 32
    with glfft.Plan(ctx, (16, 32), axes=(1,), algorithm=algorithm) as plan:
        assert plan.dispatches == 1


@each_algorithm
def test_source_is_what_compiles(ctx: moderngl.Context, algorithm: str) -> None:
    with glfft.Plan(ctx, (4, 8), algorithm=algorithm) as plan:
        passes = plan.source()
    numbers = range(1, plan.dispatches + 1)
    assert [each.name for each in passes] == [f"{way} pass {number}" for way in DIRECTIONS for number in numbers]
    assert {each.stage for each in passes} == {"compute"}
    assert str(passes[0]) == f"// ==== {passes[0].name}\n{passes[0].text}"
    for text in {each.text for each in passes}:
        ctx.compute_shader(text).release()


def test_two_plans_take_turns(ctx: moderngl.Context) -> None:
    rows, columns = random_complex((8, 64)), random_complex((64, 8))
    with (
        glfft.Plan(ctx, (8, 64), axes=(1,), algorithm="cooley-tukey-stages") as along,
        glfft.Plan(ctx, (64, 8), axes=(0,), algorithm="stockham-radix4") as down,
    ):
        for direction in ("forward", "inverse", "forward"):
            assert_close(run(along, rows, direction), NUMPY[direction](rows.astype(np.complex128), axes=(1,)))
            assert_close(run(down, columns, direction), NUMPY[direction](columns.astype(np.complex128), axes=(0,)))


def test_releasing_twice_is_harmless(ctx: moderngl.Context) -> None:
    plan = glfft.Plan(ctx, (8, 8))
    plan.release()
    plan.release()


def begins_at_the_end(spec: PassSpec) -> bool:
    return bool(spec.constants["BACKWARDS"])


def test_every_other_pass_begins_where_the_one_before_has_ended(ctx: moderngl.Context) -> None:
    product = "value product(ivec3 at, value spectrum) { return spectrum; }"
    with glfft.Plan(ctx, (8, 16), layers=3, algorithm="stockham", multiply=product) as plan:
        orders = [[begins_at_the_end(each.spec) for each in pipeline.passes] for pipeline in plan._pipelines.values()]
    turns = not is_software(ctx)
    assert orders == [[False, turns], [False, turns], [False, turns, False]]


@pytest.mark.parametrize("name", ["", "mine", "common/complex.glsl", 'a "name"'])
def test_snippets_may_have_any_name_and_even_the_same(ctx: moderngl.Context, name: str) -> None:
    load = Snippet("value load(ivec3 at) { return 2.0 * read_source(at); }", name)
    store = Snippet("void store(ivec3 at, value result) { write_target(at, 3.0 * result); }", name)
    array = random_complex((8, 16))
    with glfft.Plan(ctx, array.shape, axes=(1,), load=load, store=store) as plan:
        assert_close(run(plan, array), 6 * np.fft.fft(array.astype(np.complex128)))


def test_only_directions_that_are_named_are_compiled(ctx: moderngl.Context) -> None:
    product = "value product(ivec3 at, value spectrum) { return 2.0 * spectrum; }"
    array = random_complex((8, 16))
    exact = {"forward": np.fft.fft2(array), "inverse": np.fft.ifft2(array), "convolve": 2 * array}
    source, target = upload(ctx, array), blank(ctx, (8, 16))
    for names in (["convolve"], ["convolve", "inverse"], "forward"):
        with glfft.Plan(ctx, (8, 16), algorithm="stockham", multiply=product, directions=names) as plan:
            assert plan.dispatches == (3 if names == ["convolve"] else 2)
            assert [each for each in exact if f"{each}: " in plan.explain()] == [
                each for each in exact if each in names
            ]
            for name, result in exact.items():
                run = getattr(plan, name)
                if name in names:
                    run(source, target)
                    assert_close(download(target), result)
                else:
                    with refused(OptionError):
                        run(source, target)


@pytest.mark.parametrize("names", [[], ["backward"], ["convolve"], "forwards", 1])
def test_directions_that_a_plan_cannot_have(ctx: moderngl.Context, names: Any) -> None:
    with refused(OptionError):
        glfft.Plan(ctx, (8, 8), directions=names)
