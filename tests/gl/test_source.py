"""Shader text put together: includes, constants, and compilers' messages at the right file and line."""

from __future__ import annotations

import re
from collections.abc import Mapping

import moderngl
import numpy as np
import pytest
from support.sentences import refused

from glfft.errors import ShaderError
from glfft.gl import programs
from glfft.gl.glsl import is_true
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
    source = assembled({**FILES, "deep/c.glsl": "float c = LENGTH;"}, LENGTH=8)
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
    text = assembled({"main.comp": "x = NAME;"}, NAME=value).text
    assert text == f"#version 430 core\n#define NAME {literal}\nx = NAME;\n"


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
    lines = assembled({"main.comp": "x = A;"}, B=1, A="B").text.splitlines()
    assert lines[1:3] == ["#define B 1", "#define A B"]


def test_a_constant_that_no_line_names_is_left_out() -> None:
    text = "int a = LENGTH; // SPAN\n#if SPAN\nint b = STRIDE;\n#endif\n"
    written = assembled({"main.comp": text}, LENGTH="2 * HALF", HALF=4, SPAN=0, STRIDE=1, LENGTHS=3).text
    assert written.splitlines()[1:] == ["#define LENGTH 2 * HALF", "#define HALF 4", "int a = LENGTH; // SPAN"]


def test_a_constant_that_a_snippet_names_is_written() -> None:
    files = {"main.comp": '#include "load snippet"\n', "load snippet": "#if LAYERED\nlayers\n#endif\n"}
    assert "#define LAYERED 0\n#if LAYERED\nlayers\n#endif\n" in assembled(files, LAYERED=False, DEPTH=2).text
    assert "DEPTH" not in assembled(files, LAYERED=False, DEPTH=2).text


BRANCHES = """#if A == 1 && !defined(B)
one
#elif A > 1 || defined B
two
#else
three
#endif
"""


@pytest.mark.parametrize(
    ("constants", "branch"), [({"A": 1}, "one"), ({"A": 2}, "two"), ({"A": 1, "B": 0}, "two"), ({"A": 0}, "three")]
)
def test_only_the_branch_that_is_taken_is_in_the_text(constants: Mapping[str, Define], branch: str) -> None:
    source = assembled({"main.comp": BRANCHES + "end\n"}, **constants)
    assert source.text.splitlines()[1:] == [branch, "end"]
    assert source.origins[1:] == (("main.comp", {"one": 2, "two": 4, "three": 6}[branch]), ("main.comp", 8))


def test_conditions_hold_within_each_other_and_round_includes() -> None:
    inner = '#if B\nb\n#else\n#include "a.glsl"\n#endif\n#ifndef A\nc\n#endif'
    text = f'#ifdef A\n{inner}\n#else\n#include "gone.glsl"\n#endif'
    files = {"main.comp": text, "a.glsl": "#ifdef LATER\na\n#endif\n#define LATER 1\n#if LATER\nlater\n#endif\n"}
    assert assembled(files, A=1, B=0).text.splitlines()[1:] == ["#define LATER 1", "later"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("#if UNKNOWN\na\n#endif", "UNKNOWN has no value"),
        ("#if A\n#elif UNKNOWN\nb\n#endif", "UNKNOWN has no value"),
        ("#ifdef GL_KHR_shader_subgroup\na\n#endif", "only the compiler knows whether GL_KHR_shader_subgroup"),
        ("#if A == 1.5\na\n#endif", "it is no expression of whole numbers"),
    ],
)
def test_a_condition_that_cannot_be_decided_is_told_with_its_place(text: str, reason: str) -> None:
    with pytest.raises(ShaderError, match=rf"main\.comp:\d.*{re.escape(reason)}"):
        assembled({"main.comp": text}, A=0)


def test_a_condition_in_a_branch_that_is_not_taken_is_not_decided() -> None:
    text = (
        "#if A\n#if UNKNOWN\na\n#elif GONE\nb\n#else\nc\n#endif\n#else\nd\n#endif\n#if !A\ne\n#elif UNKNOWN\nf\n#endif"
    )
    assert assembled({"main.comp": text}, A=0).text.splitlines()[1:] == ["d", "e"]


def test_what_a_snippet_has_defined_is_known_but_for_what_it_may_have() -> None:
    snippet = "#define KIND 2\n#define OF(x) x\n#ifdef GL_ARB_gpu_shader_fp64\n#define MAYBE 1\n#endif\n"
    text = '#include "load snippet"\n#if KIND == 2 && defined(OF)\ntwo\n#endif\n'
    assert assembled({"main.comp": text, "load snippet": snippet}).text.splitlines()[-1] == "two"
    for maybe in ("#if MAYBE", "#ifdef MAYBE", "#if OF == 1"):
        with pytest.raises(ShaderError, match=r"cannot be decided.*must define other names"):
            assembled({"main.comp": f"{text}{maybe}\n#endif\n", "load snippet": snippet})


def test_a_snippet_may_guard_a_name_that_has_a_value() -> None:
    snippet = "#ifndef AXIS\n#define AXIS 1\n#endif\n"
    text = '#include "load snippet"\n#if AXIS == 3\nthree\n#endif\n'
    assert assembled({"main.comp": text, "load snippet": snippet}, AXIS=3).text.splitlines()[-1] == "three"


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("1 + 2 * 3 == 7", True),
        ("(1 + 2) * 3 == 7", False),
        ("!A == 0", True),
        ("-7 / 2 == -3", True),
        ("-7 % 2 == -1", True),
        ("A && NOBODY", None),
        ("NOBODY && A", None),
        ("!A && NOBODY", False),
        ("A || NOBODY", True),
        ("defined(A) && defined NOBODY", False),
        ("NAMED == 3", True),
        ("1 / 0", None),
        ("1 +", None),
    ],
)
def test_conditions_are_worth_what_the_preprocessor_makes_of_them(condition: str, value: bool | None) -> None:
    macros = {"A": "1", "NAMED": "THREE", "THREE": "(1 + 2)"}
    if value is not None:
        assert is_true(condition, macros) is value
        return
    with pytest.raises(ValueError, match=r"NOBODY has no value|it is no expression"):
        is_true(condition, macros)


def test_a_template_is_put_in_with_the_words_it_is_given() -> None:
    text = '#include "a.template.glsl" with N = 3, NAME = three\n#include "a.template.glsl" with N = 5, NAME = five\n'
    files = {"main.comp": text, "a.template.glsl": "void NAME(int N_OTHER) { return N; }\n"}
    assert assembled(files).text.splitlines()[1:] == [
        "void three(int N_OTHER) { return 3; }",
        "void five(int N_OTHER) { return 5; }",
    ]


def test_what_a_file_wants_is_told_to_those_who_include_it_and_not_in_the_text() -> None:
    text = "// What it does.\n//\n// Defines: A\n//   B\n// Inputs: c\n\n// Defines nothing\nx\n\n\ny\n"
    source = assembled({"main.comp": text})
    assert source.text.splitlines()[1:] == ["// What it does.", "", "// Defines nothing", "x", "", "", "y"]
    assert source.locate(5) == "main.comp:8: `x`"


@pytest.mark.parametrize("text", ['// #include "a.glsl"', "#include <a.glsl>", '#include_next "a.glsl"', '"#include"'])
def test_what_only_looks_like_an_include_is_left_alone(text: str) -> None:
    assert assembled({"main.comp": text, "a.glsl": "wrong"}).text.splitlines()[1:] == [text]


def test_an_include_within_a_comment_is_left_alone() -> None:
    text = '/*\n#include "a.glsl"\n*/\n#include "a.glsl" // wanted here'
    files = {"main.comp": text, "a.glsl": "a"}
    assert assembled(files).text.splitlines()[1:] == ["/*", '#include "a.glsl"', "*/", "a"]


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
    with refused(ShaderError, "'common/nowhere.glsl'", "a.glsl:2"):
        assembled(files)


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
