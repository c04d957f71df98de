"""How lines of volumes, and parts of lines, are numbered: in textures so that no sector is in two work groups."""

import math

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.lengths import power_of_two_below
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.stockham.cost import SECTOR_BYTES, SECTOR_TILE
from glfft.gl.source import Define


def numbered(request: AxisRequest, config: KernelConfig) -> tuple[int, tuple[tuple[str, Define], ...]]:
    """How many numbers a layer's lines take, and constants. Some numbers are left out, so that no sector has lines of
    two groups: see common/line_access.glsl and fft/four_step.glsl.
    """
    part = request.part
    if not (request.is_volume or part) or not sectors_matter(request):
        return request.lines, ()
    columns, rows = SECTOR_TILE[0] // request.storage.texel_bytes, SECTOR_TILE[1]
    if part is not None:
        beside = part.count if request.along == "x" else request.lines // part.count
    else:
        beside = request.shape[-2 if request.along == "x" else -1]
    beyond, above = request.lines // beside, together(request, config)
    fills_rows = request.along == "x" and part is None
    across, deep = _up_to(beside, rows if fills_rows else max(columns, 1)), _up_to(beyond, above)
    if across * deep == request.lines:
        return request.lines, ()
    counts = ("PARTS_ACROSS" if part else "LINES_ACROSS", across), ("LINES_BESIDE", beside), ("LINES_BEYOND", beyond)
    return across * deep, (("LINES_MISSING", True), ("EVERY_LINE_EXISTS", False), ("ROWS_TOGETHER", above), *counts)


def together(request: AxisRequest, config: KernelConfig) -> int:
    """How many of a work group's lines lie above each other: as many as leave a sector's width of them side by side. Of
    an odd number one, or where numbers may be left out a sector's rows.
    """
    width = config.lines * request.storage.texel_bytes
    most = power_of_two_below(max(width // SECTOR_BYTES, min(width // SECTOR_TILE[0], SECTOR_TILE[1]), 1))
    if request.lines_above % 2 == 1 and request.lines_above > 1 and sectors_matter(request):
        return min(most, SECTOR_TILE[1])
    return math.gcd(request.lines_above, most)


def sectors_matter(request: AxisRequest) -> bool:
    """Whether numbers may be left out: not of lines through a region, nor of those that go in other ways."""
    whole = (request.padded, request.real_lines, request.crossing) == (None, None, None) and not request.mirrors
    return whole and not (request.storage.buffer or request.device.software or (request.is_volume and request.part))


def _up_to(count: int, multiple: int) -> int:
    return -(-count // multiple) * multiple
