"""From a plan's request to the passes of each direction, without touching the driver."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from glfft.algorithms import registry, trigonometric
from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.kinds import Kind
from glfft.algorithms.passes import PassSpec, in_either_direction, readers, steps, writers
from glfft.algorithms.regions import Points, Region, regions_between
from glfft.engine.request import CONVOLVE, FORWARD, INVERSE, PlanRequest
from glfft.errors import LimitError
from glfft.gl.device import Device
from glfft.wisdom import lookup

_Chain = list[PassSpec]  # the passes along one axis, in order
_STORE_PRODUCT = ("generated/store.glsl", '#include "fft/product_store.glsl"\n')


def plan_passes(request: PlanRequest, direction: int, device: Device, line_by_line: bool = False) -> list[PassSpec]:
    """The dispatches of one direction with the best kernels known. CONVOLVE is forward, product and back, with one
    dispatch for the axis between where that can be. Line by line, there are none over planes. Raises LimitError
    where the algorithm cannot do a line of this length on the device.
    """
    if direction == CONVOLVE:
        passes = _convolution(request, device)
    else:
        passes = list(chain.from_iterable(_chains(request, direction, device, line_by_line=line_by_line)))
    # A CPU fetches ahead what comes next, not what came before: columns backwards take llvmpipe up to twice as long.
    passes = passes if device.software else _every_other_backwards(passes)
    if request.snippets:
        passes = [each.fetching for each in passes]  # the image unit is left to what the snippets declare
    if request.load is not None:
        passes = _with_first(passes, snippets=passes[0].snippets + request.load.generated("load"))
    if request.store is not None:
        passes = _with_last(passes, snippets=passes[-1].snippets + request.store.generated("store"))
    # A CPU compiles a program for longer than most of them run.
    return [in_either_direction(each) for each in passes] if device.software or request.quick else passes


def through_buffers(request: PlanRequest, passes: list[PassSpec], device: Device) -> list[PassSpec]:
    """The passes of a CPU with buffers between them and, where a target can be filled from one, a last buffer: llvmpipe
    takes three times as long to store to images. Where a buffer does not fit, there are none.
    """
    if not (device.software and registry.is_usual(request.algorithm)) or request.storage.buffer:
        return passes
    found, copied = steps(passes), request.store is None and not request.storage.number.coarse
    through = [
        replace(
            spec,
            reads_buffer=number > 0 and spec.reads is not Points.PADDED,
            writes_buffer=(copied or number < len(found) - 1) and spec.writes is not Points.PADDED,
        )
        for number, step in enumerate(found)
        for spec in step
    ]
    # Of whole pictures, also where a pass does some of their lines.
    sizes = [math.prod(each.target_lines.shape) * each.target_storage.texel_bytes for each in through]
    return through if max(sizes) * (request.layers or 1) <= device.limits.buffer_bytes else passes


def copy_pass(request: PlanRequest, direction: int, device: Device, block: tuple[int, int, int] = (8, 8, 1),
              scale: float = 1.0, writes: Region | None = None) -> PassSpec:  # fmt: skip
    """A dispatch that only copies: all there is to do along axes of one point. A block is the width and height of a
    work group, and the rows that an invocation copies; `writes` is another region of the target than the plan's.
    """
    region = writes or request.regions(direction)[1]
    rows = _axis_request(request, len(request.shape) - 1, direction, 1.0, device, region)
    width, height, rows_each = block
    most = device.limits.group_count  # devices may allow no more than 65535 groups in a row
    while rows.length > width * most[0] and width < device.limits.invocations:
        width, height = 2 * width, max(height // 2, 1)
    rows_each = max(rows_each, -(-rows.lines // (height * most[1])))
    defines = {"GROUP_WIDTH": width, "GROUP_HEIGHT": height, "ROWS_EACH": rows_each, "LINE_COUNT": rows.lines}
    groups = -(-rows.length // width), -(-rows.lines // (height * rows_each)), request.layers or 1
    return PassSpec("fft/copy.comp", rows, (*defines.items(), ("SCALE", scale)), groups, width * height)


def _chains(request: PlanRequest, direction: int, device: Device, begins: bool = True,
            ends: tuple[Region, Region] | None = None, line_by_line: bool = False) -> list[_Chain]:  # fmt: skip
    """The dispatches of each axis, without snippets. Where the plan `begins` with them, the caller's load is for the
    first. `ends` are the points that the first reads and the last writes, None for those of the plan's images.
    """
    outer, loads_computed = ends or request.regions(direction), begins and request.load is not None
    both = _both_axes(request, direction, device, ends is None and not request.has_regions and not line_by_line)
    if both is not None:
        passes = _within(request, lookup.passes(replace(both, loads_computed=loads_computed)), *outer)
        if request.real:
            sides = Points.REAL, Points.HERMITIAN
            reads, writes = sides if direction == FORWARD else sides[::-1]
            passes = [replace(each, reads=reads, writes=writes) for each in passes]
        return [passes]
    # The inverse goes back in the opposite order, but in the same one where its passes are then the same programs.
    same = device.software and registry.is_usual(request.algorithm) and not (request.real or request.kind)
    same = same and begins and not request.has_regions
    ordered = request.axes if direction == FORWARD or same else request.axes[::-1]
    axes = [axis for axis in ordered if request.shape[axis] > 1]
    of_one_point = [axis for axis in ordered if axis not in axes]
    scale = request.scale(direction, of_one_point)
    kind = request.kind if request.kind is None or direction == FORWARD else request.kind.inverse
    if kind is not None:
        # Along an axis of one point, the transform is a product with a number.
        scale *= kind.factor_of_one(request.orthogonalize) ** len(of_one_point)
    regions = regions_between(axes, *outer)
    chains: list[_Chain] = []
    for axis, reads, writes in zip(axes, regions, regions[1:], strict=False):
        # Each axis has its own share of the scale: half floats between two passes would not hold larger sums.
        own_scale = request.scale(direction, [axis]) * (scale if axis == axes[-1] else 1.0)
        wanted = _axis_request(request, axis, direction, own_scale, device, writes)
        if kind is not None:
            passes = _chain_of_kind(request, kind, wanted, writes)
        else:
            wanted = replace(wanted, loads_computed=loads_computed and axis == axes[0])
            passes = lookup.passes(registry.in_halves(wanted))
        chains.append(_within(request, passes, reads, writes))
    if not chains:
        chains = [_within(request, [copy_pass(request, direction, device, scale=scale, writes=regions[1])], *regions)]
    return _with_real_ends(request, direction, chains)


def _with_real_ends(request: PlanRequest, direction: int, chains: list[_Chain]) -> list[_Chain]:
    """The dispatches of each axis, told where points are real, and where they are the Hermitian half of a spectrum."""
    begins_real = request.kind is not None or (request.real and direction == FORWARD)
    ends_real = request.kind is not None or (request.real and direction != FORWARD)
    if begins_real:
        chains[0] = _with_first(chains[0], reads=Points.REAL)
    if ends_real:
        chains[-1] = _with_last(chains[-1], writes=Points.REAL)
    # The axis that is halved comes first forward, and last on the way back.
    if begins_real and request.real_axis is not None:
        chains[0] = _with_last(chains[0], writes=Points.HERMITIAN)
    if ends_real and request.real_axis is not None:
        chains[-1] = _with_first(chains[-1], reads=Points.HERMITIAN)
    return chains


def _both_axes(request: PlanRequest, direction: int, device: Device, whole: bool) -> AxisRequest | None:
    """All axes as one request, None where they take a dispatch each."""
    rank = len(request.shape)
    if 1 in request.shape or len(request.axes) < max(rank, 2) or request.kind is not None or request.quick:
        return None
    if request.real_axis not in (None, rank - 1):
        return None
    rows = _axis_request(request, rank - 1, direction, request.scale(direction), device, Region.whole(request.shape))
    # One pass cannot work in place with a snippet that loads or stores other layers. Two can, on every device.
    auto_may = all(each is None or each.layer_by_layer for each in (request.load, request.store))
    return registry.for_both_axes(rows, request.algorithm, auto_may, whole and not request.real)


def _convolution(request: PlanRequest, device: Device) -> list[PassSpec]:
    assert request.multiply is not None
    source, target = request.regions(CONVOLVE)
    # Along an axis that is not transformed, the target's lines are enough.
    spectrum = target.taking(request.axes, Region.whole(request.spectrum_shape))
    there = _chains(request, FORWARD, device, ends=(source, spectrum))
    back = _chains(request, INVERSE, device, begins=False, ends=(spectrum, target))
    snippets = request.multiply.generated("multiply")
    last = there[-1][-1].request.whole
    axes = request.axes if last.both_axes else [last.axis]
    middle = replace(
        _axis_request(request, last.axis, FORWARD, request.scale(FORWARD, axes), device, spectrum),
        inverse_scale=request.scale(INVERSE, axes),
        loads_computed=there[-1][0].request.loads_computed,
    )
    if last.both_axes:
        middle = replace(middle, both_axes=True, crossing=None, algorithm=last.algorithm)
    is_real_line = middle.axis == request.real_axis and not middle.both_axes
    if request.points() > 1 and not is_real_line and registry.families_for(middle)[0].convolves(middle):
        (both,) = lookup.passes(middle)
        enters, leaves = there[-1][0], back[0][-1]
        at_source = {name: getattr(enters, name) for name in ("reads", "source_region", "boundary")}
        both = replace(both, snippets=snippets, writes=leaves.writes, target_region=leaves.target_region, **at_source)
        return [*chain.from_iterable(there[:-1]), both, *chain.from_iterable(back[1:])]
    there[-1] = _with_last(there[-1], snippets=(_STORE_PRODUCT, *snippets))
    return [*chain.from_iterable(there), *chain.from_iterable(back)]


def _chain_of_kind(request: PlanRequest, kind: Kind, wanted: AxisRequest, writes: Region) -> _Chain:
    """The dispatches of one axis: one, where the complex transform that it takes is one."""
    axis, orthogonal = wanted.axis, request.orthogonalize
    pairs = _neighbours_meet(request, axis, writes)  # see `_axis_request`
    wanted = replace(wanted, direction=FORWARD, kind=kind, orthogonal=orthogonal, real_pairs=pairs)
    if all(family.fuses(wanted) for family in registry.families_for(wanted)):
        return lookup.passes(wanted)
    # What shaders make of lines' numbers holds for both ends of a pass over a volume.
    # All lines are transformed: the complex ones between lie elsewhere than the real ones.
    wanted = replace(wanted, real_pairs=_neighbours_meet(request, axis) and not request.is_volume, crossing=None)
    between = PlanRequest.of(wanted.complex_lines.shape, storage=request.storage, layers=request.layers)
    try:
        between.check_limits(wanted.device)
    except LimitError as error:
        takes = "takes more dispatches here and complex numbers between them, which do not fit"
        raise LimitError(f"A {kind.name} of {request.shape[axis]} points {takes}: {error}") from error
    return trigonometric.round_complex_passes(wanted, lookup.passes(wanted.complex_lines))


def _axis_request(
    request: PlanRequest, axis: int, direction: int, scale: float, device: Device, writes: Region
) -> AxisRequest:
    halved = request.real_axis is not None and axis != request.real_axis
    return AxisRequest(
        request.spectrum_shape if halved else request.shape,
        axis,
        direction,
        scale,
        request.twiddles == "computed",
        request.layers,
        request.storage,
        device,
        registry.for_one_axis(request.algorithm),
        real=axis == request.real_axis,
        # A pair shares its NaNs and its rounding, as all lines of a picture do once both axes are through.
        real_pairs=axis == request.real_axis and _neighbours_meet(request, axis, writes),
        picture=request.shape if halved else None,
        crossing=writes if request.has_regions else None,
        quick=request.quick,
        convolution="" if request.multiply is None else "real" if request.real else "complex",
    )


def _within(request: PlanRequest, passes: _Chain, reads: Region, writes: Region) -> _Chain:
    if not request.has_regions:
        return passes
    return _with_last(_with_first(passes, source_region=reads, boundary=request.boundary), target_region=writes)


def _neighbours_meet(request: PlanRequest, axis: int, lines: Region | None = None) -> bool:
    """Whether lines next to each other along an axis, among those through a region, belong to the same transform."""
    # The nearest axis first: of even length, both lines of a pair have the same place along the axes beyond.
    for other in reversed([each for each in range(len(request.shape)) if each != axis]):
        if other not in request.axes:
            return False
        if (lines or request).shape[other] % 2 == 0:
            break
    return True


def _every_other_backwards(passes: Sequence[PassSpec]) -> list[PassSpec]:
    """The passes, every other one backwards. All turns over padded lines go as the first does, with its programs."""
    found: list[PassSpec] = []
    odd = False
    for step in steps(passes):
        begun = odd
        for each in step:
            if each.request.padded is not None and each.request.padded.enters:
                odd = begun
            found.append(each.backwards if odd else each)
            odd = not odd
    return found


def _with_first(passes: list[PassSpec], **changes: Any) -> list[PassSpec]:
    """Passes with changes to the first, and to others that read the same image as the first."""
    changed = {id(each) for each in readers(steps(passes)[0])}
    return [replace(each, **changes) if id(each) in changed else each for each in passes]


def _with_last(passes: list[PassSpec], **changes: Any) -> list[PassSpec]:
    """Passes with changes to the last, and to others that write the same image as the last."""
    changed = {id(each) for each in writers(steps(passes)[-1])}
    return [replace(each, **changes) if id(each) in changed else each for each in passes]
