"""One dispatch a stage: every butterfly of every line is an invocation, and textures carry the data between stages."""

from glfft.algorithms import work_groups
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.family import Family
from glfft.algorithms.lengths import log2
from glfft.algorithms.passes import PassSpec

# Invocations of a work group in x and y, for rows and for columns. Ours is long in x, where neighbouring texels are
# neighbours in memory: butterflies of a row, or columns side by side.
Groups = tuple[tuple[int, int], tuple[int, int]]
_OURS: Groups = ((16, 4), (16, 4))


class Stages(Family[None]):
    """Radix 2, a dispatch a stage; a group is the invocations of a work group for rows, and for columns."""

    def __init__(self, name: str, summary: str, shader: str, group: Groups = _OURS, *, study: bool = False) -> None:
        self.name = name
        self.summary = summary
        self.study = study
        self.shader = shader
        self._group = group

    def supports(self, request: AxisRequest) -> str | None:
        groups = _count(request, self._group_of(request))
        return work_groups.why_no_power_of_two(request) or work_groups.why_too_many(request, *groups)

    def passes(self, request: AxisRequest, config: None) -> list[PassSpec]:
        return _stages(self.shader, request, self._group_of(request))

    def _group_of(self, request: AxisRequest) -> tuple[int, int]:
        return self._group[0 if request.along == "x" else 1]


FAMILIES = (
    Stages(
        "cooley-tukey-stages",
        "radix-2 decimation in time, one dispatch a stage, bit reversal first (Mota)",
        "fft/cooley_tukey_stages.comp",
    ),
    Stages(
        "natural-order-stages",
        "radix-2 with even and odd elements recombined after each stage, no bit reversal (Mota)",
        "fft/natural_order_stages.comp",
    ),
    Stages(
        "cooley-tukey-dif-stages",
        "radix-2 decimation in frequency (Gentleman-Sande), one dispatch a stage, bit reversal last (Mota)",
        "fft/cooley_tukey_dif_stages.comp",
    ),
)


def _count(request: AxisRequest, group: tuple[int, int]) -> tuple[int, int]:
    """Work groups in x and y."""
    butterflies, lines = request.length // 2, request.lines
    width, height = (butterflies, lines) if request.along == "x" else (lines, butterflies)
    return -(-width // group[0]), -(-height // group[1])


def _stages(shader: str, request: AxisRequest, group: tuple[int, int]) -> list[PassSpec]:
    stages = log2(request.length)
    group_butterflies, group_lines = group if request.along == "x" else group[::-1]
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
            groups=(*_count(request, group), request.layers or 1),
            threads=group_butterflies * group_lines,
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
