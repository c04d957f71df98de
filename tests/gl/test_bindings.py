"""Units, bindings and barrier bits have one owner: nothing else has them as literals."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from support.paths import ROOT, shader_files

PACKAGE = ROOT / "glfft"
OWNERS = (PACKAGE / "gl" / "bindings.py", PACKAGE / "gl" / "barriers.py")

# What binds something to a unit or a binding, each by its first argument or one of these names.
BINDING_CALLS = {"use", "clear", "bind_to_image", "bind_to_storage_buffer", "bind_to_uniform_block"}
BINDING_ARGUMENTS = {"location", "unit", "binding"}
# Names of what holds such a number; OpenGL's own numbers, which say what is asked of it, are called _GL_ something.
BINDING_NAME = re.compile(r"(?!_GL_)(.*(UNIT|BINDING|BARRIER)S?|(.*[._])?(unit|binding))")
_BINDING_IN_GLSL = re.compile(r"binding\s*=\s*\d")


def holds_a_number(node: ast.expr) -> bool:
    """Whether an expression is a number, or counts from one: what it takes from names alone is allowed."""
    if isinstance(node, ast.BinOp):
        return holds_a_number(node.left) and holds_a_number(node.right)
    return isinstance(node, ast.Constant) and type(node.value) is int


def literals(text: str) -> list[str]:
    """Where a module has a unit, a binding or a barrier bit as a number, or asks moderngl for one."""
    found: list[ast.AST] = []
    asks = "max_texture_units" in text  # few do, and writing out every sum of the others takes long
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            given = node.args[:1] if node.func.attr in BINDING_CALLS else []
            given += [each.value for each in node.keywords if each.arg in BINDING_ARGUMENTS]
            if node.func.attr == "memory_barrier":
                given += node.args
            found += [node for each in given if holds_a_number(each)]
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None and holds_a_number(node.value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found += [node for each in targets if BINDING_NAME.fullmatch(ast.unparse(each))]
        elif (asks and isinstance(node, ast.BinOp) and "max_texture_units" in ast.unparse(node)) or (
            isinstance(node, ast.Attribute) and node.attr.endswith("_BARRIER_BIT")
        ):
            found.append(node)
    return [ast.unparse(node) for node in found]


def test_literals_are_found() -> None:
    bad = (
        "texture.use(3)",
        "texture.use(location=3)",
        "texture.bind_to_image(2, read=True)",
        "buffer.bind_to_storage_buffer(0)",
        "sampler.clear(1 + 2)",
        "_COLOUR_UNIT = 3",
        "FIRST_BINDING: int = 0x2",
        "self.unit = 4",
        "ctx.memory_barrier(0x20)",
        "FETCH_BARRIER = 8",
        "moderngl.TEXTURE_FETCH_BARRIER_BIT",
        "ctx.max_texture_units - 1",
    )
    for line in bad:
        assert literals(line), line
    for line in (
        "texture.use(UNIT + 1)",
        "buffer.bind_to_storage_buffer(BINDING)",
        "framebuffer.use()",
        "_GL_MAX_IMAGE_UNITS = 0x8F38",
    ):
        assert not literals(line), line


def modules() -> list[Path]:
    return [path for path in PACKAGE.rglob("*.py") if path not in OWNERS]


def test_no_other_module_has_a_unit_a_binding_or_a_barrier_as_a_number() -> None:
    assert len(modules()) > 100
    found = {path.name: literals(path.read_text(encoding="utf-8")) for path in modules()}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_no_shader_has_a_binding_as_a_number() -> None:
    assert _BINDING_IN_GLSL.search("layout(std430, binding = 3) buffer")
    found = [
        f"{path.name}: {line.strip()}"
        for path in shader_files()
        for line in path.read_text(encoding="utf-8").splitlines()
        if _BINDING_IN_GLSL.search(line)
    ]
    assert found == []
