"""For study: Hinitt and Kocak, GPU-Based FFT Computation for Multi-Gigabit WirelessHD Baseband Processing, 2010."""

from dataclasses import dataclass, replace

from glfft.algorithms import work_groups
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.family import Family
from glfft.algorithms.lengths import log2
from glfft.algorithms.passes import PassSpec

# Stages of a set, and the points that a thread has for them.
_STAGES_A_SET = 3
_POINTS = 8

# Shared memory has 32 banks of four bytes. Points of eight bytes are in the same bank if their slots differ by 16.
_REMAINDER_BITS = 4


@dataclass(eq=False)
class ButterflySets(Family[None]):
    """Their kernel of section 5.2: four butterflies of each of three stages in a thread, then an exchange."""

    name: str
    summary: str
    slots_permuted: bool = False  # shared memory has the points in another order
    last_set_reversed: bool = False  # the last set's threads have another, so that results are stored in order (5.3)
    study: bool = True

    def supports(self, request: AxisRequest) -> str | None:
        sets = max(round(log2(request.length) / _STAGES_A_SET), 1)
        if request.length != _POINTS**sets:
            return f"a length that is a power of eight, such as {_POINTS**sets}"
        shared = request.length * request.storage.value_bytes
        return work_groups.why_not(request, request.length // _POINTS, shared, (request.lines, 1))

    def passes(self, request: AxisRequest, config: None) -> list[PassSpec]:
        stages = log2(request.length)
        sets, threads = stages // _STAGES_A_SET, request.length // _POINTS
        permuted = self.slots_permuted and stages > _REMAINDER_BITS
        shared = request.length * request.storage.value_bytes
        fields = {"table": (2,) * stages, "shared_bytes": shared, "barriers": sets - 1}
        spec = work_groups.line_pass(request, "fft/study/butterfly_sets.comp", threads, (_POINTS,) * sets, **fields)
        defines = {**dict(spec.defines), "STAGES": stages, "SETS": sets}
        defines["SLOT_SHIFT"] = stages - _REMAINDER_BITS if permuted else stages
        defines["LAST_SET_REVERSED"] = "true" if self.last_set_reversed else "false"
        return [replace(spec, defines=tuple(defines.items()))]


class PlanarRadix2(Family[None]):
    """The kernel of figure 13: shared memory at every stage, real and imaginary parts apart."""

    name = "planar-radix-2"
    summary = "radix 2 through shared memory at every stage, real and imaginary parts apart (Hinitt and Kocak)"
    study = True

    def supports(self, request: AxisRequest) -> str | None:
        if request.storage.paired or request.storage.double:
            return "single precision and one complex number a texel"
        shared = request.length * request.storage.value_bytes
        return work_groups.why_not(request, request.length // 2, shared, (request.lines, 1))

    def passes(self, request: AxisRequest, config: None) -> list[PassSpec]:
        radices, threads = work_groups.radices(request, 2), request.length // 2
        fields = {"shared_bytes": request.length * request.storage.value_bytes, "barriers": 1 + 2 * len(radices)}
        return [work_groups.line_pass(request, "fft/study/planar_radix2.comp", threads, radices, **fields)]


_PLAIN = "radix 2, three stages of eight points a thread between exchanges; powers of eight (Hinitt and Kocak)"
_PERMUTED = "the same with the points of shared memory in an order in which accesses meet in fewer banks"
_REORDERED = "the same with threads of the last set in an order in which neighbours store neighbouring points"
FAMILIES: tuple[Family[None], ...] = (
    ButterflySets("butterfly-sets", _PLAIN),
    ButterflySets("butterfly-sets-permuted", _PERMUTED, slots_permuted=True),
    ButterflySets("butterfly-sets-reordered", _REORDERED, slots_permuted=True, last_set_reversed=True),
    PlanarRadix2(),
)
