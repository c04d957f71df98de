"""Which numbers uniforms take: matrices as numpy has them, and what is said of what does not fit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import moderngl
import numpy as np
import pytest
from support import images
from support.images import release
from support.sentences import assert_one_sentence
from support.snippets import RG32F
from support.tolerances import assert_close

import glfft
from glfft.errors import OptionError

# Rows and columns, by how GLSL has them.
SIDES = {"mat2": (2, 2), "mat3": (3, 3), "mat4": (4, 4), "mat2x3": (3, 2), "mat4x2": (2, 4), "mat3x4": (4, 3)}
SHAPE = (1, 2)


def vector(numbers: Iterable[float]) -> str:
    """A constant of GLSL."""
    words = [str(float(number)) for number in numbers]
    return f"vec{len(words)}({', '.join(words)})"


@pytest.mark.parametrize("in_arrays", [False, True])
def test_a_matrix_times_a_vector_is_numpys(ctx: moderngl.Context, in_arrays: bool) -> None:
    """One by one and in arrays, with as many rows as columns and not."""
    numbers = np.random.default_rng(7).standard_normal((2, 4, 4))
    left, right = np.array([1.0, 3.0, 9.0, 27.0]), np.array([2.0, 5.0, 7.0, 11.0])
    size, element = ("[2]", "[at.x]") if in_arrays else ("", "")
    load = "".join(f"uniform {kind} the_{kind}{size};\n" for kind in SIDES)
    load += "value load(ivec3 at) {\n    float sum = 0.0;\n"
    for kind, (rows, columns) in SIDES.items():
        load += f"    sum += dot({vector(left[:rows])}, the_{kind}{element} * {vector(right[:columns])});\n"
    # Without an axis of more than one point to transform, what is loaded comes out.
    target = images.blank(ctx, SHAPE, RG32F, None)
    expected = np.zeros(SHAPE[1])
    with glfft.Plan(ctx, SHAPE, axes=(0,), load=load + "    return value(sum, 0.0);\n}\n") as plan:
        for kind, (rows, columns) in SIDES.items():
            matrices = numbers[:, :rows, :columns]
            plan.set_uniforms(**{f"the_{kind}": matrices.tolist() if in_arrays else matrices[0]})
            sums = matrices @ right[:columns] @ left[:rows]
            expected += sums if in_arrays else sums[0]
        plan.forward(None, target, next_use="read")
    assert_close(images.download(target, RG32F, SHAPE, None), expected[None, None, None, :] + 0j)
    release(target)


# What is declared, what of it is used, what it is given and what is said.
WRONG: list[tuple[str, str, Any, str]] = [
    ("mat2x3 m", "m[1][0]", np.zeros((2, 3)), "give it 3 rows of 2 numbers, or 6 numbers column by column."),
    ("mat3 m[2]", "m[1][0][0]", np.zeros((3, 3)), "give it a list of 2 elements, each 3 rows of 3 numbers, or 9"),
    ("vec2 m[1]", "m[0].x", (1.0, 2.0, 3.0), "give it a list of 1 element, each 2 numbers."),
    ("uvec2 m", "float(m.y)", (1, -1), "give it 2 whole numbers of 32 bits, from 0 up."),
    ("bool m", "float(m)", "yes", "give it True or False."),
    ("struct S { float a; vec2 b; }; uniform S m", "m.a + m.b.x", 1.0, "give each of its parts a value: m.a, m.b."),
    ("float m[2][3]", "m[0][0] + m[1][2]", [[1.0] * 3] * 2, "give each of its parts a value: m[0], m[1]."),
]


@pytest.mark.parametrize(("declared", "used", "value", "words"), WRONG, ids=[each[0] for each in WRONG])
def test_what_does_not_fit_is_told_what_does(
    ctx: moderngl.Context, declared: str, used: str, value: Any, words: str
) -> None:
    declared = declared if ";" in declared else f"uniform {declared}"
    load = f"{declared};\nvalue load(ivec3 at) {{ return value({used}, 0.0); }}"
    with glfft.Plan(ctx, (1, 1), load=load) as plan, pytest.raises(OptionError) as caught:
        plan.set_uniforms(m=value)
    assert_one_sentence(str(caught.value))
    assert words in str(caught.value)


def test_parts_and_numbers_of_numpys_are_taken(ctx: moderngl.Context) -> None:
    load = """
        struct Lens { float gain; vec2 offset; };
        uniform Lens lens;
        uniform float rows[2][3];
        uniform bool is_on, are_on[2];
        uniform bvec2 both;
        uniform uint count;
        value load(ivec3 at) {
            float sum = lens.gain + lens.offset.y + rows[1][2] + float(count);
            return value(sum, float(is_on && are_on[1] && !are_on[0] && both.x && !both.y));
        }"""
    target = images.blank(ctx, (1, 1), RG32F, None)
    with glfft.Plan(ctx, (1, 1), load=load) as plan:
        plan.set_uniforms(is_on=np.bool_(True), both=np.array([True, False]), are_on=[np.bool_(False), np.bool_(True)])
        plan.set_uniforms(**{"rows[1]": np.arange(3.0), "lens.gain": np.float32(10), "lens.offset": (0, 100)})
        plan.set_uniforms(count=np.uint8(200))
        plan.forward(None, target, next_use="read")
    assert images.download(target, RG32F, (1, 1), None).item() == 312 + 1j
    release(target)
