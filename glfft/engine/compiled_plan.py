"""All that a plan runs, compiled: one value, which is made beside the one in use and then takes its place."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import moderngl

from glfft.algorithms.passes import PassSpec
from glfft.engine.compiled_pass import CompiledPass
from glfft.engine.images import ImageSpec
from glfft.engine.pipeline import Pipeline
from glfft.engine.request import PlanRequest
from glfft.engine.snippet_blocks import check_blocks
from glfft.engine.snippet_uniforms import SnippetUniforms
from glfft.gl.bindings import FIRST_SNIPPET_IMAGE_UNIT, FIRST_SNIPPET_IMAGE_UNIT_BELOW_PING_PONG
from glfft.gl.context import state_of
from glfft.gl.glsl import image_formats


@dataclass(frozen=True)
class CompiledPlan:
    """The pipelines of a plan."""

    pipelines: Mapping[int, Pipeline]  # of each direction
    uniforms: SnippetUniforms  # the uniforms, samplers and images of its snippets
    # those that no other plan shares: whoever holds the plan releases them
    programs: tuple[moderngl.ComputeShader, ...]


class Compilation:
    """A `CompiledPlan` in the making: `step` compiles one pass, so that the work can be spread over many frames.

    Args:
        ctx: the plan's context.
        request: the plan's.
        images: source and target of each direction.
        specs: the passes of each direction.
        before: what the snippets' names have been set to so far.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        request: PlanRequest,
        images: Mapping[int, tuple[ImageSpec, ImageSpec]],
        specs: Mapping[int, Sequence[PassSpec]],
        before: SnippetUniforms | None = None,
    ) -> None:
        self._ctx = ctx
        self._state = state_of(ctx)
        self._request = request
        self._images = images
        self._specs = specs
        self._before = before
        self._waiting = list(dict.fromkeys(itertools.chain(*specs.values())))
        self._compiled: dict[PassSpec, CompiledPass] = {}
        self._programs: list[moderngl.ComputeShader] = []

    @property
    def waiting(self) -> PassSpec | None:
        """The pass that is compiled next; None where all are."""
        return self._waiting[0] if self._waiting else None

    def step(self) -> None:
        """Compile a pass. Raises ShaderError where the driver refuses it or a snippet takes a binding of the plan's."""
        spec = self._waiting[0]
        # The same may be done to more lines, with another value of a uniform.
        same = (each for each in self._compiled.values() if each.spec.snippets and each.spec.source == spec.source)
        program = next((each.program for each in same), None) if spec.snippets else None
        compiled = self._compiled[spec] = CompiledPass(self._ctx, spec, program)
        if spec.snippets and program is None:
            self._programs.append(compiled.program)
            check_blocks(spec, compiled.program)
        del self._waiting[0]

    def result(self) -> CompiledPlan:
        """The compiled plan; `hand_over` then makes its programs the caller's."""
        formats: dict[str, str] = {}
        for spec in self._compiled:
            formats |= image_formats(spec.source.text) if spec.snippets else {}
        programs = list(dict.fromkeys(each.program for each in self._compiled.values()))
        ping_pong = any(spec.ping_pong for spec in self._compiled)
        image_unit = FIRST_SNIPPET_IMAGE_UNIT_BELOW_PING_PONG if ping_pong else FIRST_SNIPPET_IMAGE_UNIT
        uniforms = SnippetUniforms(self._ctx, programs, self._state.limits, formats, image_unit)
        if self._before is not None:
            uniforms.take_over(self._before)
        moves_texels = self._request.load is not None or self._request.store is not None
        pipelines: dict[int, Pipeline] = {}
        for direction, specs in self._specs.items():
            passes = [self._compiled[spec] for spec in specs]
            textures = uniforms.textures_of([each.program for each in passes])
            pipelines[direction] = Pipeline.of(passes, self._images[direction], textures, moves_texels)
        return CompiledPlan(pipelines, uniforms, tuple(self._programs))

    def hand_over(self) -> None:
        """Leave it to the caller to release the programs."""
        self._programs = []

    def abandon(self) -> None:
        """Let go of what was compiled so far. A garbage collector may do so on any thread, which must make no GL calls:
        the programs are released when the context is used next.
        """
        self._state.dropped.extend(self._programs)
        self._programs = []
