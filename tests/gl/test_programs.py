"""Shader text compiled: each text once, with errors at the right file and line."""

from __future__ import annotations

import moderngl
import pytest
from support.sentences import refused

from glfft.errors import ShaderError
from glfft.gl import programs, source
from glfft.gl.source import assemble


@pytest.mark.parametrize("name", ["fft/nothing.comp", "fft", ""])
def test_a_missing_entry_point_is_a_sentence(ctx: moderngl.Context, name: str) -> None:
    with refused(ShaderError, f"'{name}'"):
        programs.compute(ctx, name)


def test_the_drivers_own_message_is_understood(ctx: moderngl.Context) -> None:
    files = {
        "main.comp": '#include "tool.glsl"\nlayout(local_size_x = 1) in;\nvoid main() { twice(1.0); }\n',
        "tool.glsl": "// a tool\n\nfloat twice(float x) { return x + undeclared_thing; }\n",
    }
    with pytest.raises(ShaderError) as caught:
        programs.compute_from(ctx, assemble("main.comp", {}, files))
    message = str(caught.value)
    assert "tool.glsl:3: `float twice(float x) { return x + undeclared_thing; }`" in message
    assert "undeclared_thing" in message.split("undeclared_thing; }`")[1]
    assert "main.comp" in message


def test_a_drawing_programs_fault_is_found_in_its_fragment_shader(
    ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "v.vert": "void main() { gl_Position = vec4(0.0); }",
        "f.frag": "out vec4 colour;\nvoid main() { colour = undeclared_thing; }",
    }
    monkeypatch.setattr(source, "_read", lambda path, *_: files[path])
    with pytest.raises(ShaderError) as caught:
        programs.program(ctx, "v.vert", "f.frag")
    assert "f.frag:2: `void main() { colour = undeclared_thing; }`" in str(caught.value)


def test_a_failed_program_is_not_remembered(ctx: moderngl.Context) -> None:
    source = assemble("main.comp", {}, {"main.comp": "layout(local_size_x = 1) in;\nvoid main() { broken }\n"})
    for _ in range(2):
        with pytest.raises(ShaderError):
            programs.compute_from(ctx, source)


def test_the_same_text_is_compiled_once(ctx: moderngl.Context) -> None:
    text = "layout(local_size_x = 1) in;\nwriteonly uniform image2D target;\n"
    text += "void main() { imageStore(target, ivec2(0), vec4(SCALE)); }\n"
    generated = {"generated/whole.comp": text}
    first = programs.compute_from(ctx, assemble("generated/whole.comp", {"SCALE": 1.0}, generated))
    assert programs.compute_from(ctx, assemble("generated/whole.comp", {"SCALE": 1.0}, dict(generated))) is first
    assert programs.compute_from(ctx, assemble("generated/whole.comp", {"SCALE": 2.0}, generated)) is not first


def test_a_drawing_program_is_known_by_both_texts(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"{name}.vert": f"void main() {{ gl_Position = vec4({name}.0); }}" for name in "12"}
    files |= {f"{name}.frag": f"out vec4 colour;\nvoid main() {{ colour = vec4({name}.0); }}" for name in "12"}
    monkeypatch.setattr(source, "_read", lambda path, *_: files[path])
    drawn = [programs.program(ctx, f"{vertex}.vert", f"{fragment}.frag") for vertex in "12" for fragment in "12"]
    assert len({each.glo for each in drawn}) == 4


def test_a_comment_may_name_an_include(ctx: moderngl.Context) -> None:
    text = '// #include "nowhere.glsl"\nlayout(local_size_x = 1) in;\nvoid main() {}\n'
    programs.compute_from(ctx, assemble("main.comp", {}, {"main.comp": text}))
    with pytest.raises(ShaderError):
        programs.compute_from(ctx, assemble("main.comp", {}, {"main.comp": f'#include "nowhere.glsl" wrong\n{text}'}))
