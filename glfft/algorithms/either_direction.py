"""One program for both directions of a transform and any scale, for devices that compile longer than they compute.

An inverse transform is a forward one of points whose real and imaginary parts are exchanged, and exchanged again
afterwards (Duhamel, Piron, Etcheto, On computing the inverse DFT, 1988). So a pass may always compute forward, and
exchange the parts where it loads and stores, as a uniform says.
"""

from dataclasses import replace

from glfft.algorithms.line_layout import Points
from glfft.algorithms.pass_bindings import UniformValue
from glfft.algorithms.passes import BACKWARDS, PassSpec
from glfft.gl.source import Define

# Constants of shaders, by whether a uniform says what they are, or what they are where one says the direction.
_SCALE = {"SCALE": "glfft_scale"}
_FORWARD = {"DIRECTION": -1, "PART_DIRECTION": -1, "CHIRP_DIRECTION": -1}


def in_either_direction(spec: PassSpec) -> PassSpec:
    """The pass with direction, scale and order of its groups as uniforms.

    Only the scale is one where the text has to know its direction: where lines are real or padded, and where a family
    does not say that it may. With snippets, whose programs no other plan shares, the pass is left as it is.
    """
    defines = dict(spec.defines)
    scale = defines.get("SCALE")
    if spec.snippets or not isinstance(scale, (int, float)):
        return spec
    uniforms: list[tuple[str, UniformValue]] = [("glfft_scale", float(scale))]
    constants: dict[str, Define] = {**_SCALE, "SCALE_GIVEN": True}
    if spec.turns_at_ends and spec.reads is spec.writes is Points.COMPLEX and spec.request.padded is None:
        uniforms.append(("glfft_inverse", int(spec.request.direction > 0)))
        constants |= {**_FORWARD, "EITHER_DIRECTION": True}
        if BACKWARDS in defines:
            uniforms.append(("glfft_backwards", int(bool(defines[BACKWARDS]))))
    return replace(spec, defines=tuple((defines | constants).items()), uniforms=(*spec.uniforms, *uniforms))
