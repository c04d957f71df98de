"""Shader text put together: includes, constants, and compilers' messages at the right file and line."""

from __future__ import annotations

from collections.abc import Mapping

import moderngl
import numpy as np
import pytest
from support.sentences import assert_one_sentence

from glfft.errors import ShaderError
from glfft.gl import programs
from glfft.gl.source import Define, Source, assemble, explain_failure

FILES = {
    "main.comp": '// main\n#include "a.glsl"\n#include "b.glsl"\nvoid main() {}\n',
    "a.glsl": 'float a;\n#include "deep/c.glsl"\nfloat after_c;\n',
    "b.glsl": '  #  include "deep/c.glsl"  \nfloat b;\n',
    "deep/c.glsl": "float c;",
}


def assembled(files: Mapping[str, str], **defines: Define) -> Source:
    return assemble("main.comp", defines, files)


def test_includes_are_flattened_in_order_and_each_comes_once() -> None:
    assert assembled(FILES).text.splitlines() == [
        "#version 430 core",
        "// main",
        "float a;",
        "float c;",
        "float after_c;",
        "float b;",
        "void main() {}",
    ]


def test_files_that_include_each_other_come_to_an_end() -> None:
    files = {"main.comp": '#include "a.glsl"\nm', "a.glsl": '#include "b.glsl"\na', "b.glsl": '#include "main.comp"\nb'}
    assert assembled(files).text.splitlines()[1:] == ["b", "a", "m"]


def test_every_line_knows_where_it_comes_from() -> None:
    source = assembled(FILES, LENGTH=8)
    assert source.origins == (
        (None, 1),
        (None, 2),
        ("main.comp", 1),
        ("a.glsl", 1),
        ("deep/c.glsl", 1),
        ("a.glsl", 3),
        ("b.glsl", 2),
        ("main.comp", 4),
    )
    assert len(source.origins) == len(source.text.splitlines())
    assert source.locate(6) == "a.glsl:3: `float after_c;`"
    assert source.locate(2) == "generated constants:2: `#define LENGTH 8`"
    for outside in (0, -1, 9, 10**6):
        assert source.locate(outside) == f"main.comp, final line {outside}"


@pytest.mark.parametrize(
    ("value", "literal"),
    [
        (8, "8"),
        (-1, "-1"),
        (True, "1"),
        (False, "0"),
        (1.0, "1.0"),
        (-2.0, "-2.0"),
        (0.5, "0.5"),
        (1e-7, "1e-07"),
        (1e300, "1e+300"),
        (1 / 3, "0.3333333333333333"),
        (np.float64(0.25), "0.25"),
        (np.float32(2.0), "2.0"),
        (np.int64(7), "7"),
        ("vec2(1, 2)", "vec2(1, 2)"),
    ],
)
def test_constants_are_written_as_glsl_reads_them(value: Define, literal: str) -> None:
    assert assembled({"main.comp": "x"}, NAME=value).text == f"#version 430 core\n#define NAME {literal}\nx\n"


def test_floats_arrive_unchanged_in_the_shader(ctx: moderngl.Context) -> None:
    values = [1 / 3, 1e-7, 16777216.0, float(np.float64(np.pi)), 3.0]
    text = "layout(local_size_x = 1) in;\nlayout(binding = 0) buffer Out { float values[]; };\nvoid main() {\n"
    text += "".join(f"    values[{index}] = V{index};\n" for index in range(len(values))) + "}\n"
    source = assembled({"main.comp": text}, **{f"V{index}": value for index, value in enumerate(values)})
    buffer = ctx.buffer(reserve=4 * len(values))
    buffer.bind_to_storage_buffer(0)
    programs.compute_from(ctx, source).run()
    assert np.array_equal(np.frombuffer(buffer.read(), np.float32), np.array(values, np.float32))


def test_constants_keep_their_order() -> None:
    lines = assembled({"main.comp": "x"}, B=1, A="B").text.splitlines()
    assert lines[1:3] == ["#define B 1", "#define A B"]


@pytest.mark.parametrize("text", ['// #include "a.glsl"', "#include <a.glsl>", '#include_next "a.glsl"', '"#include"'])
def test_what_only_looks_like_an_include_is_left_alone(text: str) -> None:
    assert assembled({"main.comp": text, "a.glsl": "wrong"}).text.splitlines()[1:] == [text]


@pytest.mark.parametrize("path", ["/etc/hostname", "../shaders.py", "__init__.py", "fft", "C:/windows/win.ini", ""])
def test_only_shader_files_of_glfft_are_included(path: str) -> None:
    with pytest.raises(ShaderError):
        assembled({"main.comp": f'#include "{path}.glsl"\n'})
    if path:
        with pytest.raises(ShaderError, match="no shader file"):
            assembled({"main.comp": f'#include "{path}"\n'})


def test_lines_end_where_they_do_in_glsl() -> None:
    source = assembled({"main.comp": "a // \f \u2028 \v\rb\r\nc\n\rd\n\ne"})
    assert source.text.split("\n")[1:-1] == ["a // \f \u2028 \v", "b", "c", "d", "", "e"]


def test_a_missing_include_names_who_asked() -> None:
    files = {"main.comp": '#include "a.glsl"', "a.glsl": 'float x;\n#include "common/nowhere.glsl"'}
    with pytest.raises(ShaderError) as caught:
        assembled(files)
    assert_one_sentence(str(caught.value))
    assert "'common/nowhere.glsl'" in str(caught.value)
    assert "a.glsl:2" in str(caught.value)


# The same fault as compilers report it, at line 4 of the final text: b.glsl:1.
FAULT = {"main.comp": 'void x() {}\n#include "a.glsl"\n#include "b.glsl"\n', "a.glsl": "float a;", "b.glsl": "nope;"}


MESSAGES = {
    "Mesa": "0:4(1): error: `nope' undeclared",
    "NVIDIA": '0(4) : error C1503: undefined variable "nope"',
    "glslang, AMD, Intel on Windows": "ERROR: 0:4: 'nope' : undeclared identifier",
    "a warning": "WARNING: 0:4: 'nope' : odd",
}


@pytest.mark.parametrize("driver", MESSAGES)
def test_a_message_is_turned_to_file_line_and_source_line(driver: str) -> None:
    explained = explain_failure(
        f"GLSL Compiler failed\n\ncompute_shader\n==============\n{MESSAGES[driver]}\n", (assembled(FAULT),)
    )
    assert "b.glsl:1: `nope;`" in explained
    assert "nope" in explained.split("`nope;`")[1]
    assert "main.comp" in explained.splitlines()[0]
    assert len(explained.splitlines()) == 2


def test_every_fault_is_told() -> None:
    message = "0:2(1): error: one\n0:3(2): error: two\n0:4(1): error: three\n"
    explained = explain_failure(message, (assembled(FAULT),))
    for part in ("main.comp:1", "one", "a.glsl:1", "two", "b.glsl:1", "three"):
        assert part in explained


def test_a_message_without_lines_is_passed_on() -> None:
    explained = explain_failure("GLSL Linker failed\n\nerror: too many\nuniforms\n", (assembled(FAULT),))
    assert "too many uniforms" in explained
    assert "main.comp" in explained


@pytest.mark.parametrize("heading", ["fragment_shader", "Fragment Shader", "fragment shader"])
def test_a_fragment_shaders_message_is_looked_up_in_the_fragment_shader(heading: str) -> None:
    vertex = assemble("v.vert", None, {"v.vert": "vertex line 1"})
    fragment = assemble("f.frag", None, {"f.frag": "fragment line 1"})
    explained = explain_failure(f"{heading}\n====\n0:2(1): error: bad\n", (vertex, fragment))
    assert "f.frag:1: `fragment line 1`" in explained
    vertex_first = explain_failure("vertex_shader\n====\n0:2(1): error: bad\n", (vertex, fragment))
    assert "v.vert:1: `vertex line 1`" in vertex_first
