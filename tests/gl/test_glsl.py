"""What can be read out of GLSL as text, and the same text in float64."""

from __future__ import annotations

import re
from itertools import product

import pytest

from glfft.algorithms.passes import PassSpec
from glfft.algorithms.storage import STORAGES
from glfft.engine.plan_passes import plan_passes
from glfft.engine.request import CONVOLVE, FORWARD, INVERSE, PlanRequest
from glfft.gl.device import Device, Limits
from glfft.gl.glsl import image_formats, in_double, without_comments

LIMITS = Limits(16384, 32768, 1024, (1024, 1024, 64), (65535, 65535, 65535), 8, 16)
LITERAL = re.compile(r"(?<![\w.])(?:\d+\.\d*|\.\d+|\d+[eE][+-]?\d+)(?:[eE][+-]?\d+)?(\w*)")


def test_comments_go_and_lines_stay() -> None:
    source = "a; // b;\n/* c\nd */ e; /* f */ g;\nh / i; // j"
    assert without_comments(source).split() == ["a;", "e;", "g;", "h", "/", "i;"]
    assert without_comments(source).count("\n") == source.count("\n")
    assert without_comments("a /* without an end") == "a /* without an end"


@pytest.mark.parametrize(
    ("declaration", "formats"),
    [
        ("layout(r32ui) uniform uimage2D counts;", {"counts": "r32ui"}),
        ("layout (binding = 3, rgba16f) readonly uniform image2DArray a , b;", {"a": "rgba16f", "b": "rgba16f"}),
        ("readonly layout(rg32f)\nuniform image2D picture;", {"picture": "rg32f"}),
        ("layout(rgba8_snorm) uniform image2D a; layout(r8) uniform image2D b;", {"a": "rgba8_snorm", "b": "r8"}),
        ("// layout(r32f) uniform image2D none;", {}),
        ("uniform writeonly image2D anything;", {}),
        ("layout(std140) uniform Block { float image2D; };", {}),
        ("uniform sampler2D window;", {}),
    ],
)
def test_images_have_the_formats_they_are_declared_with(declaration: str, formats: dict[str, str]) -> None:
    assert image_formats(declaration) == formats


@pytest.mark.parametrize(
    ("single", "double"),
    [
        ("const float HALF = 0.5;", "const double HALF = 0.5LF;"),
        ("vec2(1., .5e-3) + vec4(v, 0.0, 2e5)[i]", "dvec2(1.LF, .5e-3LF) + dvec4(v, 0.0LF, 2e5LF)[i]"),
        ("float[3](-0.5, x1.0)", "double[3](-0.5LF, x1.0)"),
        ("v[0].x + a2.xy - 3 * 0x10u // 0.5 of a float", "v[0].x + a2.xy - 3 * 0x10u // 0.5 of a float"),
        ("uniform sampler2D a_float; ivec2 vec2_of;", "uniform sampler2D a_float; ivec2 vec2_of;"),
        ("0.5LF * double(1)", "0.5LF * double(1)"),
        ("#define SCALE 1e-05", "#define SCALE 1e-05LF"),
    ],
)
def test_types_and_literals_are_widened(single: str, double: str) -> None:
    assert in_double(single) == double
    assert in_double(double) == double


def passes_in(storage: str) -> list[PassSpec]:
    """Passes of many kinds."""
    found = []
    multiply = "value product(ivec3 at, value spectrum) { return spectrum; }"
    for length, real in product((16, 60, 143, 41, 7000), (False, True)):
        wanted = PlanRequest.of((6, length), multiply=multiply, real=real, storage=STORAGES[storage], norm="ortho")  # pyright: ignore[reportArgumentType]
        for direction in (FORWARD, INVERSE, CONVOLVE):
            found += plan_passes(wanted, direction, Device(LIMITS))
    return found


def test_no_number_of_a_pass_in_float64_is_rounded_to_float32() -> None:
    for spec in passes_in("buffer_double"):
        text = without_comments(spec.source.text)
        assert "double" in text
        assert not re.search(r"\b(float|vec[234])\b", text)
        for literal in LITERAL.finditer(text.partition("\n")[2]):
            assert literal.group(1) == "LF", literal.group()


def test_a_pass_in_float32_needs_no_float64() -> None:
    for spec in passes_in("buffer"):
        text = without_comments(spec.source.text)
        assert not re.search(r"\b(double|dvec[234]|\d+LF|DOUBLE_PRECISION)\b", text)
