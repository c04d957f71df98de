"""Blocks that snippets declare, with bindings of their own: none may have a binding of the plan's."""

from __future__ import annotations

import re

import moderngl

from glfft.algorithms.passes import PassSpec
from glfft.errors import ShaderError
from glfft.gl.bindings import (
    SOURCE_BUFFER_BINDING,
    TARGET_BUFFER_BINDING,
    TWIDDLE_BUFFER_BINDING,
    TWIDDLE_UNIFORM_BINDING,
)
from glfft.gl.glsl import without_comments

# The files that declare blocks of the plan's.
_OWN_FOLDERS = ("storage/", "common/", "fft/")
_BLOCK = re.compile(r"\b(?:buffer|uniform)\s+(\w+)\s*\{")

_STORAGE_BINDINGS = (TWIDDLE_BUFFER_BINDING, SOURCE_BUFFER_BINDING, TARGET_BUFFER_BINDING)
_UNIFORM_BINDINGS = (TWIDDLE_UNIFORM_BINDING,)


def check_blocks(spec: PassSpec, program: moderngl.ComputeShader) -> None:
    """Refuse blocks of a pass's snippets at bindings that plans bind buffers of their own to.

    That this pass does not need such a binding is no help: another one of the plan may, and leave its buffer there.

    Raises:
        ShaderError: there is one; the message names it and the bindings that are free.
    """
    own = _names(spec, own=True) - _names(spec, own=False)
    for name in program:
        member = program[name]
        if isinstance(member, moderngl.StorageBlock):
            kind, taken = "storage buffer", _STORAGE_BINDINGS
        elif isinstance(member, moderngl.UniformBlock):
            kind, taken = "uniform block", _UNIFORM_BINDINGS
        else:
            continue
        # Each element of an array of blocks has a name of its own.
        declared = name.partition("[")[0]
        if member.binding in taken and declared not in own:
            raise ShaderError(
                f"The block '{declared}' of a snippet is at {kind} binding {member.binding}, which plans use "
                f"themselves; give it one of 0 to {min(taken) - 1}."
            )


def _names(spec: PassSpec, *, own: bool) -> set[str]:
    """The names of the blocks that files of the plan declare, or that all others do."""
    source = spec.source
    lines = zip(source.text.split("\n"), source.origins, strict=False)
    text = "\n".join(line for line, (path, _) in lines if path and path.startswith(_OWN_FOLDERS) == own)
    return set(_BLOCK.findall(without_comments(text)))
