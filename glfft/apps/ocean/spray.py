"""Spray from breaking crests, as puffs drawn over the lit picture."""

import math
from typing import Any

import moderngl
import numpy as np

from glfft.apps.ocean.picture import Picture
from glfft.apps.ocean.quality import Quality
from glfft.apps.ocean.sky import Sky
from glfft.apps.ocean.water import share_between
from glfft.gl import programs
from glfft.gl.releasable import Keeper
from glfft.gl.textures import use_textures
from glfft.sea.simulation import OceanSimulation

# Squares of cells round the eye, which reach 260 m: how many squares there are, the cells along a side of each, the
# side of the smallest cells, m, and how many times as large the next square's are. Plain spray has a quarter of them.
_SQUARES, _SIDE, _CELL, _WIDER = 3, 96, 0.6, 3.0
_PLAIN_SIDE, _PLAIN_CELL = 48, 1.2

_LIFETIME = 0.9  # s


class Spray(Keeper):
    def __init__(self, ctx: moderngl.Context, quality: Quality) -> None:
        self._ctx = ctx
        self._side, self._cell = (_PLAIN_SIDE, _PLAIN_CELL) if quality.plain else (_SIDE, _CELL)
        first = 4 * np.arange(_SQUARES * self._side**2, dtype=np.uint32)[:, None]
        self._corners = self._own(ctx.buffer((first + np.array([0, 1, 2, 2, 1, 3], np.uint32)).tobytes()))

    def draw(self, picture: Picture, simulation: OceanSimulation, sky: Sky, time: float) -> None:
        """Draw over a lit picture of an updated sea; a lens under water sees no spray."""
        uniforms = spray_uniforms(simulation, time)
        if uniforms["strength"] == 0:
            return
        defines = {"SIDE": self._side, "CELL": self._cell, "WIDER": _WIDER}
        defines |= {"TILES": len(simulation.tiles), "SAMPLES": picture.samples}
        program = programs.program(self._ctx, "ocean/spray.vert", "ocean/spray.frag", defines)
        sea = {"surface": simulation.surface, "stretch": simulation.stretch, "foam_cover": simulation.foam}
        others = {"lens_depths": picture.lens_depths, "cloud_tile": sky.cloud_tile}
        picture.use_still_map(program)
        programs.set_declared(program, picture.uniforms)
        width, height = picture.radiance.size
        uniforms |= {
            **use_textures({**sea, **others}, picture.free_unit),
            "picture_size": (width, height),
            "pixels": 1.0 / picture.uniforms["pixel_angle"],
            # Share not in the shadow of waves with slopes of 0.25 (B. Smith, IEEE Trans. Antennas Propag. 15, 1967).
            "sunlit": 1 - math.exp(-10.0 * max(0.0, math.sin(sky.weather.sun_elevation))),
        }
        programs.set_uniforms(program, uniforms)
        with picture.over(alpha=moderngl.SRC_ALPHA):
            puffs = self._ctx.vertex_array(program, [], self._corners, index_element_size=4)
            puffs.render(moderngl.TRIANGLES)
            puffs.release()


def spray_uniforms(simulation: OceanSimulation, time: float) -> dict[str, Any]:
    """What spray depends on besides the waves themselves, by name; nothing of it jumps while a sea changes."""
    settings = simulation.settings
    loops = math.isfinite(settings.loop)
    lives = max(1, round(settings.loop / _LIFETIME)) if loops else 0
    lifetime = settings.loop / lives if loops else _LIFETIME
    # Divided here, in float64: float32 would see a life end in steps after some hours.
    lived = (time % settings.loop if loops else time) / lifetime
    return {
        "wind": simulation.mean(lambda each: each.wind),
        # In less wind crests break gently.
        "strength": simulation.mean(lambda each: share_between(each.wind, 8.0, 10.0)),
        "lives_before": math.floor(lived) % 2**30,
        "share": lived % 1.0,
        "lifetime": lifetime,
        "lives": lives,
    }
