"""All that a plan runs, compiled: one value, which is made beside the one in use and then takes its place."""

import itertools
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass

import moderngl

from glfft.algorithms.pass_bindings import RESERVED
from glfft.algorithms.passes import PassSpec
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.images import ImageSpec
from glfft.engine.pipeline import Pipeline
from glfft.engine.request import PlanRequest
from glfft.engine.snippet_uniforms import SnippetUniforms
from glfft.errors import ShaderError
from glfft.gl.bindings import FIRST_SNIPPET_IMAGE_UNIT, FIRST_SNIPPET_IMAGE_UNIT_BELOW_PING_PONG
from glfft.gl.context import state_of
from glfft.gl.glsl import image_formats, without_comments

# The files that declare blocks of the plan's.
_OWN_FOLDERS = ("storage/", "common/", "fft/")
_BLOCK = re.compile(r"\bbuffer\s+(\w+)\s*\{")


@dataclass(frozen=True)
class CompiledPlan:
    """The pipelines of a plan."""

    pipelines: Mapping[int, Pipeline]  # of each direction
    uniforms: SnippetUniforms  # the uniforms, samplers and images of its snippets
    # those that no other plan shares: whoever holds the plan releases them
    programs: tuple[moderngl.ComputeShader, ...]


def compiling(
    ctx: moderngl.Context,
    request: PlanRequest,
    images: Mapping[int, tuple[ImageSpec, ImageSpec]],
    specs: Mapping[int, Sequence[PassSpec]],
    before: SnippetUniforms | None = None,
) -> Generator[PassSpec, None, CompiledPlan]:
    """Compile a plan. Each pass is yielded before it is compiled, so that the work can be spread over many frames.

    Args:
        images: source and target of each direction.
        specs: the passes of each direction.
        before: what the snippets' names have been set to so far.

    Raises:
        ShaderError: the driver refuses a pass, or a snippet takes a binding of the plan's.
    """
    dropped = state_of(ctx).dropped
    compiled: dict[PassSpec, CompiledPass] = {}
    own: list[moderngl.ComputeShader] = []
    try:
        for spec in dict.fromkeys(itertools.chain(*specs.values())):
            yield spec
            # The same may be done to more lines, with another value of a uniform.
            same = (each for each in compiled.values() if each.spec.snippets and each.spec.source == spec.source)
            program = next((each.program for each in same), None) if spec.snippets else None
            compiled[spec] = made = CompiledPass(ctx, spec, program)
            if spec.snippets and program is None:
                own.append(made.program)
                check_blocks(spec, made.program)
        uniforms = _uniforms(ctx, compiled, before)
        moves_texels = request.load is not None or request.store is not None
        pipelines: dict[int, Pipeline] = {}
        for direction, each_spec in specs.items():
            passes = [compiled[spec] for spec in each_spec]
            textures = [uniforms.textures_of([each.program]) for each in passes]
            pipelines[direction] = Pipeline(passes, images[direction], textures, moves_texels)
        return CompiledPlan(pipelines, uniforms, tuple(own))
    except BaseException:
        # A garbage collector may end this on any thread, which must make no GL calls: the programs are released when
        # the context is used next.
        dropped.extend(own)
        raise


def _uniforms(
    ctx: moderngl.Context, compiled: Mapping[PassSpec, CompiledPass], before: SnippetUniforms | None
) -> SnippetUniforms:
    formats: dict[str, str] = {}
    for spec in compiled:
        formats |= image_formats(spec.source.text) if spec.snippets else {}
    programs = list(dict.fromkeys(each.program for each in compiled.values()))
    ping_pong = any(spec.ping_pong for spec in compiled)
    image_unit = FIRST_SNIPPET_IMAGE_UNIT_BELOW_PING_PONG if ping_pong else FIRST_SNIPPET_IMAGE_UNIT
    uniforms = SnippetUniforms(ctx, programs, formats, image_unit)
    if before is not None:
        uniforms.take_over(before)
    return uniforms


def check_blocks(spec: PassSpec, program: moderngl.ComputeShader) -> None:
    """Refuse blocks of a pass's snippets at bindings that plans bind buffers of their own to.

    That this pass does not need such a binding is no help: another one of the plan may, and leave its buffer there.
    Raises ShaderError where there is one; the message names it and the bindings that are free.
    """
    own = _blocks(spec, lambda path: path.startswith(_OWN_FOLDERS))
    others = _blocks(spec, lambda path: not path.startswith(_OWN_FOLDERS))
    for name in program:
        member = program[name]
        if not isinstance(member, moderngl.StorageBlock):
            continue
        # Each element of an array of blocks has a name of its own.
        declared = name.partition("[")[0]
        if member.binding in RESERVED and declared not in own - others:
            raise ShaderError(
                f"The block '{declared}' of a snippet is at storage buffer binding {member.binding}, which plans "
                f"use themselves; give it one of 0 to {min(RESERVED) - 1}."
            )


def _blocks(spec: PassSpec, declared_in: Callable[[str], bool]) -> set[str]:
    """The names of the blocks that some of a pass's files declare."""
    return set(_BLOCK.findall(without_comments(spec.source.text_of(declared_in))))
