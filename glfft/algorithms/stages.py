"""One dispatch a stage: every butterfly of every line is an invocation, and textures carry the data between stages."""

from __future__ import annotations

from glfft.algorithms import work_groups
from glfft.algorithms.family import Config, Family
from glfft.algorithms.lengths import log2
from glfft.algorithms.passes import AxisRequest, PassSpec

# Invocations of a work group in x and y; long in x, where neighbouring texels are neighbours in memory: butterflies of
# a row, or columns side by side.
_GROUP = (16, 4)


class CooleyTukeyStages(Family):
    """Decimation in time, bit reversal on the first stage's loads."""

    name = "cooley-tukey-stages"
    summary = "radix-2 decimation in time, one dispatch a stage, bit reversal first (Mota)"
    _shader = "fft/cooley_tukey_stages.comp"

    def supports(self, request: AxisRequest) -> str | None:
        return work_groups.why_no_power_of_two(request) or work_groups.why_too_many(request, *_groups(request))

    def passes(self, request: AxisRequest, config: Config) -> list[PassSpec]:
        return _stages(self._shader, request)


class CooleyTukeyDifStages(CooleyTukeyStages):
    """Decimation in frequency (Gentleman-Sande), bit reversal on the last stage's stores."""

    name = "cooley-tukey-dif-stages"
    summary = "radix-2 decimation in frequency (Gentleman-Sande), one dispatch a stage, bit reversal last (Mota)"
    _shader = "fft/cooley_tukey_dif_stages.comp"


class NaturalOrderStages(CooleyTukeyStages):
    """Decimation in frequency with the elements recombined after each stage."""

    name = "natural-order-stages"
    summary = "radix-2 with even and odd elements recombined after each stage, no bit reversal (Mota)"
    _shader = "fft/natural_order_stages.comp"


def _groups(request: AxisRequest) -> tuple[int, int]:
    """Work groups in x and y."""
    butterflies, lines = request.length // 2, request.lines
    width, height = (butterflies, lines) if request.along == "x" else (lines, butterflies)
    return -(-width // _GROUP[0]), -(-height // _GROUP[1])


def _stages(shader: str, request: AxisRequest) -> list[PassSpec]:
    stages = log2(request.length)
    along_x, along_y = _GROUP
    group_butterflies, group_lines = (along_x, along_y) if request.along == "x" else (along_y, along_x)
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
            groups=(*_groups(request), request.layers or 1),
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
