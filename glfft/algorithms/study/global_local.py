"""The transform of the chapter on GPU technologies (Soerman), for study: global stages, then a local kernel."""

from dataclasses import dataclass, replace

from glfft.algorithms import work_groups
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.family import Family
from glfft.algorithms.lengths import log2, power_of_two_below
from glfft.algorithms.passes import PassSpec
from glfft.algorithms.regions import Region
from glfft.algorithms.study.word_groups import stages_in_place

_TILES = (32, 16, 8)  # points of a side of a tile, as the device allows


@dataclass(frozen=True)
class Transposition(PassSpec):
    """A pass whose target holds the transposed picture, or whose source, if it goes back."""

    back: bool = False

    @property
    def source_lines(self) -> Region:
        return _transposed(super().source_lines) if self.back else super().source_lines

    @property
    def target_lines(self) -> Region:
        return super().target_lines if self.back else _transposed(super().target_lines)


@dataclass(eq=False)
class GlobalLocal(Family[None]):
    """One butterfly a thread: a dispatch a stage, and one for all that fit a work group; columns are transposed."""

    name: str
    summary: str
    reversed_on_writing: bool = False  # bits are in the places that are written, instead of in shared memory
    reversed_by_masks: bool = False  # and shifts, as where there is no instruction for it
    study: bool = True

    def supports(self, request: AxisRequest) -> str | None:
        return work_groups.why_not(request, groups=(request.lines, 2 ** _global_stages(request)))

    def passes(self, request: AxisRequest, config: None) -> list[PassSpec]:
        rows = request
        if request.along == "y" and not request.is_volume:
            rows = replace(request, shape=request.shape[::-1], axis=1)  # those of the transposed picture
        before = _global_stages(rows)
        groups = max(rows.length // 2 // _threads(rows), 1)
        passes = [stages_in_place(rows, stage, words=2, groups=groups) for stage in range(before)]
        # The stages that are left of parts, each in a work group.
        length, parts = rows.length // 2**before, 2**before
        stages, threads = log2(length), max(length // 2, 1)
        defines = {"LENGTH": length, "STAGES": stages, "PARTS": parts, "STAGES_BEFORE": before}
        defines |= {"THREADS": threads, "DIRECTION": rows.direction, "SCALE": rows.scale}
        defines |= {"REVERSED_ON_WRITING": self.reversed_on_writing, "REVERSED_BY_MASKS": self.reversed_by_masks}
        local = PassSpec(
            shader="fft/study/global_local.comp",
            request=rows,
            defines=tuple(defines.items()),
            groups=(rows.lines, rows.layers or 1, parts),
            threads=threads,
            radices=(2,) * stages,
            shared_bytes=2 * length * rows.storage.value_bytes,
            barriers=stages + 1,
            stores_where_it_loads=parts == 1,
        )
        if rows is request:
            return [*passes, local]
        # The factor is on the local kernel's results.
        return [_transpose(request, back=False), *passes, local, _transpose(request, back=True)]


_PLAIN = "a dispatch a stage until parts fit a work group, then constant geometry; columns transposed (Soerman)"
_ON_WRITING = "the same with bits reversed in the places that it writes to, as the text has it (Soerman)"
_MASKS = "the same with bits reversed by shifts and masks instead of an instruction (Soerman)"
FAMILIES = (
    GlobalLocal("global-local", _PLAIN),
    GlobalLocal("global-local-on-writing", _ON_WRITING, reversed_on_writing=True),
    GlobalLocal("global-local-masks", _MASKS, reversed_by_masks=True),
)


def _transposed(lines: Region) -> Region:
    return Region((), lines.shape[::-1])


def _threads(request: AxisRequest) -> int:
    fits = request.device.limits.shared_memory // (4 * request.storage.value_bytes)
    return min(power_of_two_below(fits), work_groups.most_threads(request))


def _global_stages(request: AxisRequest) -> int:
    return max(log2(request.length) - log2(2 * _threads(request)), 0)


def _transpose(request: AxisRequest, back: bool) -> PassSpec:
    tile = next((size for size in _TILES if size * size <= request.device.limits.invocations), 1)
    return Transposition(
        shader="fft/study/transpose_back.comp" if back else "fft/study/transpose.comp",
        request=request,
        defines=(("TILE", tile), ("LENGTH", request.length), ("LINES", request.lines), ("SCALE", 1.0)),
        groups=(-(-request.lines // tile), -(-request.length // tile), request.layers or 1),
        threads=tile * tile,
        shared_bytes=tile * (tile + 1) * request.storage.value_bytes,
        barriers=1,
        back=back,
    )
