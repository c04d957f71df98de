"""The dispatch that looks up points of the sea, from buffer to buffer; nothing is read back."""

from __future__ import annotations

from collections.abc import Sequence

import moderngl

from glfft.gl import programs
from glfft.gl.bindings import SOURCE_BUFFER_BINDING, TARGET_BUFFER_BINDING, first_snippet_texture_unit
from glfft.gl.context import state_of
from glfft.gl.uniforms import set_uniforms
from glfft.sea.settings import OceanSettings
from glfft.sea.simulation import OceanSimulation
from glfft.sea.step import OceanStep, per_tile, tile_uniforms

_GROUP = 64


class SurfaceLookup:
    """A compiled dispatch that looks points up.

    A point is x and z, m; an answer (height, normal), (velocity x, up, z, residual), (x and z in undisturbed water, 0,
    0), float32, see `SeaPoints`.
    """

    bytes_a_point, bytes_an_answer = 8, 48

    def __init__(
        self,
        ctx: moderngl.Context,
        tiles: int,
        seas: int = 1,
        *,
        blended: bool,
        fine: bool,
        velocity: int = -1,
        rise: int = -1,
    ) -> None:
        """Compile it for a number of tiles of a number of seas.

        Args:
            blended: whether to read the sea as pictures show it.
            fine: whether to interpolate by polynomials, or by the textures' own filter.
            velocity, rise: first layers of the water's horizontal and vertical velocity, or -1.
        """
        unit = first_snippet_texture_unit(state_of(ctx).limits) - 1
        self._units = {"surface": unit, "stretch": unit + 1}
        defines = {"TILES": tiles, "PARTS": tiles // seas, "BLENDED": int(blended), "POLYNOMIAL": int(fine)}
        defines |= {"VELOCITY": velocity, "RISE": rise}
        defines |= {"POINTS_BINDING": SOURCE_BUFFER_BINDING, "ANSWERS_BINDING": TARGET_BUFFER_BINDING}
        self._program = programs.compute(ctx, "sea/queries.comp", defines)

    def run(
        self,
        fields: OceanStep | OceanSimulation,
        tiles: Sequence[OceanSettings],
        choppiness: Sequence[float],
        points: moderngl.Buffer,
        answers: moderngl.Buffer,
        count: int,
        smallest: float = 0.0,
    ) -> None:
        """Look up points; a barrier before the answers are used is the caller's.

        Args:
            fields: owner of `surface` and `stretch`, at the moment wanted.
            tiles: settings of each tile of each sea.
            choppiness: of each sea.
            smallest: waves with samples closer than this are left out, m: they do not move what is as wide.
        """
        for name, unit in self._units.items():
            getattr(fields, name).use(unit)
        points.bind_to_storage_buffer(SOURCE_BUFFER_BINDING)
        answers.bind_to_storage_buffer(TARGET_BUFFER_BINDING)
        values = {"count": count, "choppiness": per_tile(choppiness), "smallest": smallest}
        set_uniforms(self._program, {**self._units, **tile_uniforms(tiles), **values})
        if count:
            self._program.run(-(-count // _GROUP))
