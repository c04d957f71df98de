"""GLSL of passes as SPIR-V for Vulkan, where the reference compiler is installed."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from glfft.algorithms.pass_bindings import UniformValue
from glfft.errors import ShaderError

# What the modules are for: descriptor set 0, and the bindings of the GLSL.
ENVIRONMENT = "vulkan1.0"

# Debian, Ubuntu and Fedora call the package glslang-tools or glslang.
_COMPILER = "glslangValidator"


def can_compile() -> bool:
    """Whether the compiler is installed."""
    return shutil.which(_COMPILER) is not None


def compiled(text: str) -> bytes:
    """The module of a compute shader without uniforms outside blocks, which Vulkan does not have. Raises ShaderError
    where the compiler refuses it.
    """
    with tempfile.TemporaryDirectory() as folder:
        shader, module = Path(folder) / "pass.comp", Path(folder) / "pass.spv"
        shader.write_text(text, encoding="utf-8")
        command = [_COMPILER, "--quiet", "-V", "--target-env", ENVIRONMENT, "-o", module, shader]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ShaderError(f"{_COMPILER} refuses a pass: {' '.join((done.stdout + done.stderr).split())}")
        return module.read_bytes()


def with_constants(text: str, uniforms: Iterable[tuple[str, UniformValue]]) -> str:
    """GLSL with constants in place of uniforms."""
    for name, value in uniforms:
        declared = re.search(rf"^uniform ((\w+) {name}(\[\w+\])?);", text, re.MULTILINE)
        if declared is not None:
            variable, kind, array = declared.groups()
            if isinstance(value, tuple):
                elements = ", ".join(f"{kind}({', '.join(map(repr, each))})" for each in value)
                number = f"{kind}{array}({elements})"
            else:
                number = f"{kind}({value!r})"
            text = text.replace(declared[0], f"const {variable} = {number};")
    return text
