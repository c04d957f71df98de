"""One dispatch a stage: every butterfly of every line is an invocation, and textures carry the data between stages."""

from dataclasses import dataclass

from glfft.algorithms import work_groups
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.family import Family
from glfft.algorithms.lengths import log2
from glfft.algorithms.passes import PassSpec

# Invocations of a work group in x and y, for rows and for columns. Ours is long in x, where neighbouring texels are
# neighbours in memory: butterflies of a row, or columns side by side. Mota's are of the thesis' listings A.1 and A.2.
_OURS = ((16, 4), (16, 4))
_MOTAS = ((4, 8), (8, 4))


@dataclass(eq=False)
class Stages(Family[None]):
    """Radix 2, a dispatch a stage."""

    name: str
    summary: str
    shader: str
    group: tuple[tuple[int, int], tuple[int, int]] = _OURS
    study: bool = False

    def supports(self, request: AxisRequest) -> str | None:
        return work_groups.why_no_power_of_two(request) or work_groups.why_too_many(request, *self._groups(request))

    def passes(self, request: AxisRequest, config: None) -> list[PassSpec]:
        stages, rows = log2(request.length), request.along == "x"
        group_butterflies, group_lines = self.group[0] if rows else self.group[1][::-1]
        defines = (
            ("LENGTH", request.length),
            ("LINE_COUNT", request.lines),
            ("STAGES", stages),
            ("GROUP_BUTTERFLIES", group_butterflies),
            ("GROUP_LINES", group_lines),
        )
        return [
            PassSpec(
                shader=self.shader,
                request=request,
                defines=defines,
                groups=(*self._groups(request), request.layers or 1),
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

    def _groups(self, request: AxisRequest) -> tuple[int, int]:
        butterflies, lines, rows = request.length // 2, request.lines, request.along == "x"
        (across, down), (width, height) = (
            self.group[0 if rows else 1],
            (butterflies, lines) if rows else (lines, butterflies),
        )
        return -(-width // across), -(-height // down)


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
_WITH_MOTAS = "with work groups of 4 x 8 threads for rows, 8 x 4 for columns (Mota, listing A.1)"
STUDIED = tuple(
    Stages(
        f"{ours.name}-4x8",
        f"{ours.name} {'with the same work groups' if n else _WITH_MOTAS}",
        ours.shader,
        _MOTAS,
        True,
    )
    for n, ours in enumerate(FAMILIES)
)
