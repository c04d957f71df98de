"""What can be read out of GLSL as text."""

from __future__ import annotations

import pytest

from glfft.gl.glsl import image_formats, without_comments


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
