"""How lines of volumes, and parts of lines, are numbered: in textures so that no sector is in two work groups."""

import math

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.lengths import power_of_two_below
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.stockham.cost import SECTOR_BYTES, SECTOR_TILE
from glfft.gl.source import Define


def numbered(request: AxisRequest, config: KernelConfig) -> tuple[int, tuple[tuple[str, Define], ...]]:
    """How many numbers a layer's lines take, and the constants that say so. Some numbers have no line, so that no
    sector has lines of two groups: see common/line_access.glsl and fft/four_step.glsl.
    """
    part = request.part
    if not (request.is_volume or part) or not may_skip_numbers(request):
        return request.lines, ()
    columns, rows = SECTOR_TILE[0] // request.storage.texel_bytes, SECTOR_TILE[1]
    if part is not None:
        beside = part.count if request.along == "x" else request.lines // part.count
    else:
        beside = request.shape[-2 if request.along == "x" else -1]
    beyond, above = request.lines // beside, together(request, config)
    rows_of_volume = request.along == "x" and part is None  # which lie side by side in the direction of y
    across, deep = _up_to(beside, rows if rows_of_volume else max(columns, 1)), _up_to(beyond, above)
    if across * deep == request.lines:
        return request.lines, ()
    counts = ("PARTS_ACROSS" if part else "LINES_ACROSS", across), ("LINES_BESIDE", beside), ("LINES_BEYOND", beyond)
    return across * deep, (("LINES_MISSING", True), ("EVERY_LINE_EXISTS", False), *counts)


def together(request: AxisRequest, config: KernelConfig) -> int:
    """How many of a work group's lines lie above each other: as many as leave a sector's width of them side by side
    and divide all lines there. An odd number of these allows one, or a sector's rows where numbers may have no line.
    """
    width = config.lines * request.storage.texel_bytes
    most = power_of_two_below(max(width // SECTOR_BYTES, min(width // SECTOR_TILE[0], SECTOR_TILE[1]), 1))
    if request.lines_above % 2 == 1 and request.lines_above > 1 and may_skip_numbers(request):
        return min(most, SECTOR_TILE[1])
    return math.gcd(request.lines_above, most)


def may_skip_numbers(request: AxisRequest) -> bool:
    """Whether numbers may have no line: in textures on GPUs, not for padded, mirrored or real lines, or a region's."""
    whole = (request.padded, request.real_lines, request.crossing) == (None, None, None) and not request.mirrors
    return whole and not (request.storage.buffer or request.device.software or (request.is_volume and request.part))


def _up_to(count: int, multiple: int) -> int:
    return -(-count // multiple) * multiple
