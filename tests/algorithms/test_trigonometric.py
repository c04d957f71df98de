"""The passes of cosine and sine transforms round those of complex ones, and their constants."""

from __future__ import annotations

from dataclasses import replace

import pytest

from glfft.algorithms.axis_request import AxisRequest
from glfft.algorithms.kinds import KINDS
from glfft.algorithms.regions import Points
from glfft.algorithms.storage import STORAGES
from glfft.algorithms.tables import TrigonometricFactors
from glfft.algorithms.trigonometric import constants, round_complex_passes, tables
from glfft.gl.device import Device, Limits

DEVICE = Device(Limits(16384, 32768, 1024, (1024, 1024, 64), (65535, 65535, 65535), 8, 16))


def wanted(kind: str, *, lines: int, length: int, pairs: bool = True) -> AxisRequest:
    request = AxisRequest((lines, length), 1, -1, 0.5, False, 2, STORAGES["buffer"], DEVICE)
    return replace(request, kind=KINDS[kind], real_pairs=pairs)


@pytest.mark.parametrize(("kind", "length"), [("dct1", 14), ("dct2", 8), ("dst1", 18), ("dst4", 8)])
@pytest.mark.parametrize("pairs", [False, True])
def test_one_pass_before_the_complex_ones_and_one_after(kind: str, length: int, pairs: bool) -> None:
    request = wanted(kind, lines=5, length=8, pairs=pairs)
    complex_lines = request.complex_lines
    assert complex_lines.shape == (3 if pairs else 5, length)
    assert complex_lines.kind is None
    assert complex_lines.length == request.length == length
    before, after = round_complex_passes(request, [])
    assert before.source_lines.shape == after.target_lines.shape == (5, 8)
    assert before.target_lines.shape == after.source_lines.shape == complex_lines.shape
    assert (before.reads, after.writes) == (Points.REAL, Points.REAL)
    assert dict(before.defines)["SCALE"] == 1.0, "the last pass alone scales"
    assert dict(after.defines)["SCALE"] == request.scale


@pytest.mark.parametrize("lines", [1, 4096])
def test_every_point_has_an_invocation_and_every_count_is_one_a_device_has(lines: int) -> None:
    request = wanted("dct1", lines=lines, length=4096, pairs=False)
    for each in round_complex_passes(request, []):
        across, layers, deep = each.groups
        assert across * deep * each.threads >= request.complex_lines.points // 2
        assert layers == 2
        assert max(across, deep) <= 65535


def test_constants_and_tables() -> None:
    request = wanted("dst4", lines=5, length=8)
    (factors,) = tables(request)
    assert factors == TrigonometricFactors(4, 8)
    assert factors.size == 16
    assert tables(wanted("dct1", lines=5, length=8)) == ()
    found = constants(request, offset=7)
    assert (found["TYPE"], found["SINE"], found["REAL_LINES"], found["FACTORS_OFFSET"]) == (4, True, 5, 7)
