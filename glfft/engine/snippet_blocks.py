"""Blocks that snippets declare, with bindings of their own: none may have a binding of the plan's."""

from __future__ import annotations

import re

import moderngl

from glfft.algorithms.pass_bindings import RESERVED
from glfft.algorithms.passes import PassSpec
from glfft.errors import ShaderError
from glfft.gl.glsl import without_comments

# The files that declare blocks of the plan's.
_OWN_FOLDERS = ("storage/", "common/", "fft/")
_BLOCK = re.compile(r"\bbuffer\s+(\w+)\s*\{")


def check_blocks(spec: PassSpec, program: moderngl.ComputeShader) -> None:
    """Refuse blocks of a pass's snippets at bindings that plans bind buffers of their own to.

    That this pass does not need such a binding is no help: another one of the plan may, and leave its buffer there.

    Raises:
        ShaderError: there is one; the message names it and the bindings that are free.
    """
    own = _names(spec, own=True) - _names(spec, own=False)
    for name in program:
        member = program[name]
        if not isinstance(member, moderngl.StorageBlock):
            continue
        # Each element of an array of blocks has a name of its own.
        declared = name.partition("[")[0]
        if member.binding in RESERVED and declared not in own:
            raise ShaderError(
                f"The block '{declared}' of a snippet is at storage buffer binding {member.binding}, which plans "
                f"use themselves; give it one of 0 to {min(RESERVED) - 1}."
            )


def _names(spec: PassSpec, *, own: bool) -> set[str]:
    """The names of the blocks that files of the plan declare, or that all others do."""
    source = spec.source
    lines = zip(source.text.split("\n"), source.origins, strict=False)
    text = "\n".join(line for line, (path, _) in lines if path and path.startswith(_OWN_FOLDERS) == own)
    return set(_BLOCK.findall(without_comments(text)))
