"""Radix 2 and 4 of papers: a dispatch a stage, or all stages of an axis in one, on two images or in shared memory."""

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
_AS_MOTA = "-4x8"  # ends the names of algorithms with his


def _shader(name: str) -> str:
    return f"fft/{name.removesuffix(_AS_MOTA).replace('-', '_')}.comp"


@dataclass(eq=False)
class Stages(Family[None]):
    """Radix 2, a dispatch a stage: every butterfly of every line is an invocation."""

    name: str
    summary: str
    group: tuple[tuple[int, int], tuple[int, int]] = _OURS
    study: bool = False

    def supports(self, request: AxisRequest) -> str | None:
        return work_groups.why_not(request, groups=self._groups(request))

    def passes(self, request: AxisRequest, config: None) -> list[PassSpec]:
        stages, rows = log2(request.length), request.along == "x"
        group_butterflies, group_lines = self.group[0] if rows else self.group[1][::-1]
        defines = {"LENGTH": request.length, "LINE_COUNT": request.lines, "STAGES": stages}
        defines |= {"GROUP_BUTTERFLIES": group_butterflies, "GROUP_LINES": group_lines}
        scales = [1.0] * (stages - 1) + [request.scale]
        return [
            PassSpec(
                shader=_shader(self.name),
                request=request,
                defines=tuple(defines.items()),
                groups=(*self._groups(request), request.layers or 1),
                threads=group_butterflies * group_lines,
                uniforms=(("glfft_stage", stage), ("glfft_direction", request.direction), ("glfft_scale", scale)),
                radices=(2,),
                table=(2,) * stages,
            )
            for stage, scale in enumerate(scales[:stages])
        ]

    def _groups(self, request: AxisRequest) -> tuple[int, int]:
        size = (request.length // 2, request.lines)
        across, down = self.group[0] if request.along == "x" else self.group[1]
        width, height = size if request.along == "x" else size[::-1]
        return -(-width // across), -(-height // down)


_BY_NAME = {
    "cooley-tukey-stages": "decimation in time, one dispatch a stage, bit reversal first",
    "natural-order-stages": "with even and odd elements recombined after each stage, no bit reversal",
    "cooley-tukey-dif-stages": "decimation in frequency (Gentleman-Sande), one dispatch a stage, bit reversal last",
}
FAMILIES = tuple(Stages(name, f"radix-2 {summary} (Mota)") for name, summary in _BY_NAME.items())
_WITH_MOTAS = "with work groups of 4 x 8 threads for rows, 8 x 4 for columns (Mota, listing A.1)"
_SUMMARIES = (_WITH_MOTAS, "with the same work groups", "with the same work groups")
STUDIED = tuple(
    Stages(name + _AS_MOTA, f"{name} {groups}", _MOTAS, True) for name, groups in zip(_BY_NAME, _SUMMARIES, strict=True)
)


@dataclass(eq=False)
class PingPong(Family[None]):
    """All stages in a dispatch: a work group has a line, and a thread a butterfly. A last 2 is what radix 4 leaves."""

    name: str
    summary: str
    radix: int = 2

    def supports(self, request: AxisRequest) -> str | None:
        groups = request.lines, request.layers or 1
        return work_groups.why_not(request, self._threads(request), groups=groups) or _why_no_images(request)

    def passes(self, request: AxisRequest, config: None) -> list[PassSpec]:
        radices = work_groups.radices(request, self.radix)
        # The first stage of a decimation in frequency has the most factors, and the last has none.
        fields = {"table": radices[::-1], "barriers": radices.count(self.radix)}
        # The last stage stores where it loaded, and the stages before it store to the two images.
        fields |= {"turns_at_ends": True, "ping_pong": True}
        return [work_groups.line_pass(request, _shader(self.name), self._threads(request), radices, **fields)]

    def _threads(self, request: AxisRequest) -> int:
        return max(request.length // self.radix, 1)


# Bits are reversed as the first stage of Cooley and Tukey's loads.
PING_PONGS = (
    PingPong(
        "ping-pong-cooley-tukey",
        "Cooley-Tukey: all radix-2 stages of an axis in one dispatch, on two images (Mota's single pass)",
    ),
    PingPong("ping-pong-stockham-radix2", "Stockham, radix 2: the same without bit reversal (Mota)"),
    PingPong("ping-pong-stockham-radix4", "Stockham, radix 4: the same with half of the stages (Mota)", radix=4),
)


class CooleyTukey(Family[None]):
    """The line in place in shared memory, with a barrier before each stage and one before the stores."""

    name = "cooley-tukey"
    summary = "ping-pong-cooley-tukey with the line in shared memory in place of two images"

    def supports(self, request: AxisRequest) -> str | None:
        shared = request.length * request.storage.value_bytes
        return work_groups.why_not(request, shared_bytes=shared, groups=(request.lines, 1))

    def passes(self, request: AxisRequest, config: None) -> list[PassSpec]:
        radices, threads = work_groups.radices(request, 2), work_groups.threads(request, points=2)
        shared = request.length * request.storage.value_bytes
        fields = {"shared_bytes": shared, "barriers": len(radices) + 1, "turns_at_ends": True}
        return [work_groups.line_pass(request, _shader(self.name), threads, radices, **fields)]


def _why_no_images(request: AxisRequest) -> str | None:
    """Why two images cannot hold the lines between stages, to complete "it would need"."""
    if request.storage.double:
        return "single precision, as images have no texels of float64"
    if request.is_volume and request.layers is not None:
        return "one volume at a time, as there are no arrays of 3-D images"
    limits = request.device.limits
    longest, most = max(request.shape), limits.texture_3d_size if request.is_volume else limits.texture_size
    if longest > most:
        return f"images of {longest} texels a side, and the device has at most {most}"
    if (request.layers or 1) > limits.array_layers:
        return f"images of {request.layers} layers, and the device has at most {limits.array_layers}"
    return None
