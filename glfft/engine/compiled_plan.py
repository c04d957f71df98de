"""All that a plan runs, compiled: one value, which is made beside the one in use and then takes its place."""

import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import moderngl

from glfft.algorithms.pass_bindings import RESERVED, Place
from glfft.algorithms.passes import PassSpec
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.images import PlanImages
from glfft.engine.pipeline import Pipeline
from glfft.engine.request import PlanRequest
from glfft.engine.snippet_uniforms import SnippetUniforms
from glfft.errors import ShaderError
from glfft.gl.bindings import FIRST_SNIPPET_IMAGE_UNIT, FIRST_SNIPPET_IMAGE_UNIT_BELOW_PING_PONG
from glfft.gl.context import state_of
from glfft.gl.glsl import image_formats, without_comments

_OWN_FOLDERS = ("storage/", "common/", "fft/")  # the files that declare blocks of the plan's
_BLOCK = re.compile(r"\bbuffer\s+(\w+)\s*\{")


@dataclass(frozen=True)
class CompiledPlan:
    pipelines: Mapping[int, Pipeline]  # of each direction
    uniforms: SnippetUniforms  # the uniforms, samplers and images of its snippets
    # those that no other plan shares: whoever holds the plan releases them
    programs: tuple[moderngl.ComputeShader, ...]


def compiling(
    ctx: moderngl.Context, request: PlanRequest, images: PlanImages, specs: Mapping[int, Sequence[PassSpec]]
) -> Generator[PassSpec, None, CompiledPlan]:
    """Compile a plan; each pass is yielded before, so that frames can share the work. ShaderError: it was refused."""
    state = state_of(ctx)
    compiled: dict[PassSpec, CompiledPass] = {}
    own: list[moderngl.ComputeShader] = []
    # Held here too: if garbage alone held them, moderngl would free them in whichever context is current then.
    state.cache("compiling", dict)[id(own)] = own
    try:
        for spec in dict.fromkeys(chain(*specs.values())):
            yield spec
            # The same may be done to more lines, with another value of a uniform.
            same = (each for each in compiled.values() if each.spec.snippets and each.spec.source == spec.source)
            program = next((each.program for each in same), None) if spec.snippets else None
            compiled[spec] = made = CompiledPass(ctx, spec, program)
            if spec.snippets and program is None:
                own.append(made.program)
                check_blocks(spec, made.program)
        formats = dict(chain(*(image_formats(spec.source.text).items() for spec in compiled if spec.snippets)))
        ping_pong = any(spec.ping_pong for spec in compiled)
        image_unit = FIRST_SNIPPET_IMAGE_UNIT_BELOW_PING_PONG if ping_pong else FIRST_SNIPPET_IMAGE_UNIT
        programs = dict.fromkeys(each.program for each in compiled.values())
        uniforms = SnippetUniforms(ctx, list(programs), formats, image_unit)
        moves_texels = (request.load, request.store) != (None, None)
        # glfft's own product reads a texture of the spectrum's shape, at the place that the product is for.
        reads_texels = moves_texels or (request.multiply is not None and not request.multiply.shaped_as_spectrum)
        pipelines: dict[int, Pipeline] = {}
        for direction, each_spec in specs.items():
            passes = [compiled[spec] for spec in each_spec]
            pipelines[direction] = Pipeline(passes, images[direction], uniforms, moves_texels, reads_texels)
        return CompiledPlan(pipelines, uniforms, tuple(own))
    except BaseException:
        # A garbage collector may end this on any thread, which must make no GL calls: the next use releases them.
        state.dropped.extend(own)
        raise
    finally:
        del state.caches["compiling"][id(own)]


def check_blocks(spec: PassSpec, program: moderngl.ComputeShader) -> None:
    """Refuse a snippet's block at a binding that plans take. Raises ShaderError, which names those that are free."""

    def declared(own: bool) -> set[str]:
        text = spec.source.text_of(lambda path: path.startswith(_OWN_FOLDERS) == own)
        return set(_BLOCK.findall(without_comments(text)))

    plans = declared(own=True) - declared(own=False)
    reserved = {*RESERVED, *(each.index for each in spec.bindings.slots if each.place is Place.STORAGE_BUFFER)}
    for name in program:
        member = program[name]
        block = name.partition("[")[0]  # each element of an array of blocks has a name of its own
        if isinstance(member, moderngl.StorageBlock) and member.binding in reserved and block not in plans:
            taken = f"binding {member.binding}, which plans use themselves; give it one of 0 to {min(RESERVED) - 1}"
            free = f"{taken}, or from {max(*RESERVED, member.binding) + 1} on"
            raise ShaderError(f"The block '{block}' of a snippet is at storage buffer {free}.")
