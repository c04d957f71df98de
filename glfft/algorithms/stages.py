"""One dispatch a stage: every butterfly of every line is an invocation, and textures carry the data between stages."""

from __future__ import annotations

from glfft.algorithms.passes import AxisRequest, PassSpec

# Invocations of a work group in x and y; long in x, where neighbouring texels are neighbours in memory: butterflies of
# a row, or columns side by side.
_GROUP = (16, 4)


def cooley_tukey(request: AxisRequest) -> list[PassSpec]:
    """Decimation in time, bit reversal on the first stage's loads."""
    return _stages("fft/cooley_tukey_stages.comp", request)


def cooley_tukey_dif(request: AxisRequest) -> list[PassSpec]:
    """Decimation in frequency (Gentleman-Sande), bit reversal on the last stage's stores."""
    return _stages("fft/cooley_tukey_dif_stages.comp", request)


def natural_order(request: AxisRequest) -> list[PassSpec]:
    """Decimation in frequency with the elements recombined after each stage."""
    return _stages("fft/natural_order_stages.comp", request)


def _stages(shader: str, request: AxisRequest) -> list[PassSpec]:
    stages = request.length.bit_length() - 1
    butterflies = request.length // 2
    along_x, along_y = _GROUP
    width, height = (butterflies, request.lines) if request.axis == 1 else (request.lines, butterflies)
    group_butterflies, group_lines = (along_x, along_y) if request.axis == 1 else (along_y, along_x)
    defines = (
        ("LENGTH", request.length),
        ("LINE_COUNT", request.lines),
        ("STAGES", stages),
        ("GROUP_BUTTERFLIES", group_butterflies),
        ("GROUP_LINES", group_lines),
    )
    return [
        PassSpec(
            shader=shader,
            request=request,
            defines=defines,
            groups=(-(-width // along_x), -(-height // along_y), request.layers or 1),
            threads=along_x * along_y,
            uniforms=(
                ("glfft_stage", stage),
                ("glfft_direction", request.direction),
                ("glfft_scale", request.scale if stage == stages - 1 else 1.0),
            ),
            radices=(2,),
            table=(2,) * stages,
        )
        for stage in range(stages)
    ]
