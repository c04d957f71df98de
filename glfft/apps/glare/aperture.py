"""A lens's aperture drawn on the GPU: the share of the light that passes at each place."""

import math

import moderngl
import numpy as np

from glfft.apps.glare.lens import Lens, strokes
from glfft.gl import programs
from glfft.gl.releasable import Owner
from glfft.gl.uniforms import set_uniforms

# A blade with less curvature counts as straight: its circle would be too large for 32 bits.
_LEAST_CURVATURE = 1e-2
_FLOATS_A_STROKE = 7


class AperturePicture(Owner):
    """A picture of an aperture, whose middle is the texture's.

    Args:
        ctx: the context.
        side: texels along a side of the picture.

    Attributes:
        texture: r32f, side x side; 1 where all light passes, 0 where none does.
    """

    _name = "aperture"

    def __init__(self, ctx: moderngl.Context, side: int) -> None:
        super().__init__(ctx)
        self._side = side
        self.texture = self._own(ctx.texture((side, side), 1, dtype="f4"))
        self._framebuffer = self._own(ctx.framebuffer([self.texture]))
        self._blades = programs.program(ctx, "ocean/fullscreen.vert", "glare/blades.frag")
        self._strokes = programs.program(ctx, "glare/quad.vert", "glare/stroke.frag")
        self._whole = self._own(ctx.vertex_array(self._blades, []))
        self._released = False

    def draw(self, lens: Lens, diameter: float) -> None:
        """Draw the aperture of a lens, so many texels wide; the framebuffer bound before is bound again after."""
        self._check_alive()
        ctx, scale = self.ctx, {"scale": float(diameter), "side": float(self._side)}
        with ctx.scope(self._framebuffer):
            ctx.viewport = (0, 0, self._side, self._side)
            ctx.disable(moderngl.DEPTH_TEST | moderngl.BLEND | moderngl.CULL_FACE)
            curve, middle = blade_edge(lens)
            shape = {"blades": lens.blades, "rotation": lens.rotation, "curve": curve, "middle": middle}
            set_uniforms(self._blades, {**scale, **shape})
            self._whole.render(moderngl.TRIANGLES, vertices=3)
            lying = strokes(lens)
            if len(lying):
                self._draw_strokes(lying.astype(np.float32), scale)

    def _draw_strokes(self, lying: np.ndarray, scale: dict[str, float]) -> None:
        ctx = self.ctx
        data = ctx.buffer(lying.tobytes())
        array = ctx.vertex_array(self._strokes, [(data, "4f 2f 1f/i", "ends", "widths", "kept_back")])
        set_uniforms(self._strokes, scale)
        ctx.enable(moderngl.BLEND)
        ctx.blend_func = moderngl.ZERO, moderngl.SRC_COLOR
        array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=len(lying))
        ctx.disable(moderngl.BLEND)
        ctx.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        array.release()
        data.release()


def blade_edge(lens: Lens) -> tuple[float, float]:
    """The radius of a blade's edge and where its circle's middle lies along the blade's normal; (0, distance) if it is
    straight. In diameters; the corners of the opening lie on a circle of diameter 1.
    """
    if lens.blades == 0:
        return 0.0, 0.5
    distance, half_chord = (0.5 * each(math.pi / lens.blades) for each in (math.cos, math.sin))
    if lens.curvature < _LEAST_CURVATURE:
        return 0.0, distance
    radius = 0.5 / lens.curvature
    return radius, distance - math.sqrt(radius**2 - half_chord**2)
