"""A plan's passes as people read them: a table, and the GLSL of each."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from glfft.algorithms.axis_request import LINE_NAMES, along
from glfft.algorithms.passes import PassSpec, steps, writers
from glfft.engine.plan_passes import plan_passes, through_buffers
from glfft.engine.request import DIRECTION_NAMES, PlanRequest
from glfft.errors import size_text

_HEADINGS = ("pass", "lines", "radices", "threads", "groups", "shared", "barriers", "moved", "shader")


def explain(request: PlanRequest, passes: Mapping[int, Sequence[PassSpec]]) -> str:
    """Describe the passes of every direction: forward, inverse and, if there is one, convolve, in order."""
    order = ", then ".join(LINE_NAMES[along(axis, len(request.shape))] for axis in request.axes)
    kind = "complex64" if request.storage.name == "rg32f" else request.storage.name
    if request.real:
        kind = f"real, to half spectra of {size_text(request.spectrum_shape)} {kind}"
    if request.kind is not None:
        kind = f"{request.kind.name} of {request.storage.of_reals.name}"
    layers = "" if request.layers is None else f", {request.layers} layer{'s' * (request.layers != 1)}"
    options = f"algorithm {request.algorithm}, norm {request.norm}, twiddles {request.twiddles}"
    text = [f"{size_text(request.shape)} {kind}{layers}, {order}; {options}"]
    for direction, specs in passes.items():
        moved = format_bytes(sum(spec.bytes_moved for spec in specs))
        # One after each pass; and where the first reads images, one before it, since callers issue that for fetches.
        barriers = len(specs) + bool(specs[0].bindings.first_barrier)
        counts = f"{len(specs)} dispatch{'es' * (len(specs) != 1)}, {barriers} memory barrier{'s' * (barriers != 1)}"
        scaled = f"result scaled by {request.scale(direction):g}"
        text += ["", f"{DIRECTION_NAMES[direction]}: {counts}, {moved} moved, {scaled}"]
        text += _pruned(request, direction, specs)
        numbered = [(number, spec) for number, spec in enumerate(specs, start=1) if not _comes_again(spec)]
        text += [f"  {line}" for line in aligned([_HEADINGS, *_rows(numbered)])]
        text += [f"  {_turns(step)}" for step in steps(specs) if any(map(_comes_again, step))]
        halved = [spec.request.whole for _, spec in numbered if spec.request.in_halves and spec.request.enters]
        said = "each goes as a complex one of"
        text += [f"  {each.line_name}: {said} {each.shape[each.axis] // 2} points" for each in halved]
        text += dict.fromkeys(f"  {spec.request.line_name}: {spec.choice.why}" for _, spec in numbered if spec.choice)
    return "\n".join(text)


def _pruned(request: PlanRequest, direction: int, specs: Sequence[PassSpec]) -> list[str]:
    """Which points there are at both ends, and what that saves against a plan of whole images."""
    if not request.has_regions:
        return []
    source, target = request.regions(direction)
    without = replace(request, source_region=None, target_region=None, boundary="zero")
    device = specs[0].request.device
    whole = through_buffers(without, plan_passes(without, direction, device, line_by_line=True), device)
    moved, all_moved = (sum(spec.bytes_moved for spec in passes) for passes in (specs, whole))
    lines, all_lines = (sum(spec.request.lines for spec in passes) for passes in (specs, whole))
    reads, writes = (
        f"{size_text(each.shape)} points from ({', '.join(map(str, each.first))})" for each in (source, target)
    )
    return [
        f"  reads {reads}, {request.boundary} outside; writes {writes}",
        f"  pruned: {lines} of {all_lines} lines are transformed, {format_bytes(moved)} of {format_bytes(all_moved)} "
        "moved",
    ]


def _comes_again(spec: PassSpec) -> bool:
    """Whether a pass does to some lines what another one before has done to others."""
    return spec.request.padded is not None and spec.request.padded.first > 0


def _turns(step: Sequence[PassSpec]) -> str:
    """How many lines the passes of a step take at a time, and in how many turns."""
    lines = step[0].request
    whole, pairs = lines.picture_lines, "" if lines.picture_lines.real_lines is None else " pairs"
    at_a_time = f"{lines.shape[1 - lines.axis]} of {whole.lines * (whole.layers or 1)}{pairs} at a time"
    return f"{lines.line_name}: {at_a_time}, so these passes are run {len(writers(step))} times"


def _rows(numbered: Iterable[tuple[int, PassSpec]]) -> Iterator[tuple[str, ...]]:
    """One row a pass; passes that differ by their uniforms only share a row."""
    for described, same in groupby(numbered, key=lambda each: _describe(each[1])):
        first, *others = [number for number, _ in same]
        yield (f"{first}-{others[-1]}" if others else f"{first}", *described)


def _describe(spec: PassSpec) -> tuple[str, ...]:
    size = spec.shared_bytes
    return (
        f"{spec.request.lines} {spec.request.line_name}",
        "x".join(str(radix) for radix in spec.radices) or "-",
        str(spec.threads),
        " x ".join(str(count) for count in spec.bindings.groups if count > 1) or "1",
        f"{format_bytes(spec.slots.bytes)} buffer" if spec.slots else format_bytes(size) if size else "-",
        str(spec.barriers),
        format_bytes(spec.bytes_moved),
        spec.shader,
    )


def aligned(rows: Sequence[Sequence[str]], names: int | None = None) -> list[str]:
    """The lines of a table. The first `names` columns, by default all, are flush left, the others flush right."""
    columns = [(cells, max(map(len, cells))) for cells in zip(*rows, strict=True)]
    placed = [[cell.ljust(width) for cell in cells] for cells, width in columns[:names]]
    placed += [[cell.rjust(width) for cell in cells] for cells, width in columns[len(placed) :]]
    return ["  ".join(cells).rstrip() for cells in zip(*placed, strict=True)]


def format_bytes(count: float) -> str:
    """A byte count in the largest binary unit that keeps it at 1 or more."""
    units = ["GiB", "MiB", "KiB", "B"]
    while count >= 1024 and len(units) > 1:
        count /= 1024
        units.pop()
    return f"{count:.0f} {units[-1]}" if count == int(count) else f"{count:.1f} {units[-1]}"


@dataclass(frozen=True)
class PassText:
    """The GLSL of one pass: its name, such as "forward pass 1", the kind of shader, "compute", and what the compiler
    sees. Passes with the same text share a program. `str` of it is the text under a line with its name.
    """

    name: str
    stage: str
    text: str = field(repr=False)

    def __str__(self) -> str:
        return f"// ==== {self.name}\n{self.text}"


def pass_texts(passes: Mapping[int, Sequence[PassSpec]]) -> tuple[PassText, ...]:
    return tuple(
        PassText(f"{DIRECTION_NAMES[direction]} pass {number}", "compute", spec.source.text)
        for direction, specs in passes.items()
        for number, spec in enumerate(specs, start=1)
    )
