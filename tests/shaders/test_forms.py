"""No GLSL of ours has a form that some compiler gets wrong; docs/devices.md says which compiler makes what of each."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from support.glsl_forms import mirrored_fetches, unsigned_below_zero, varying_indices
from support.kernels import PRODUCT
from support.paths import SHADERS, shader_files
from support.requests import axis_request

from glfft.algorithms.kinds import KINDS
from glfft.algorithms.registry import algorithm_names
from glfft.algorithms.stockham import choose
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.stockham.family import Stockham
from glfft.algorithms.storage import STORAGES
from glfft.engine.plan_passes import plan_passes
from glfft.engine.request import PlanRequest
from glfft.errors import LimitError
from glfft.gl.device import Device, Limits
from glfft.snippets import Snippet

FILES = {path.relative_to(SHADERS).as_posix(): path.read_text(encoding="utf-8") for path in shader_files()}
ENTRY_POINTS = sorted(name for name in FILES if name.endswith((".comp", ".vert", ".frag")))
DEVICE = Device(Limits(16384, 32768, 1024, (1024, 1024, 64), (65535, 65535, 65535), 8, 16))

_DOUBLES = re.compile(r"\b(?:double|dvec[234])(?:\s+\w+)?\s*\[")
_INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
_POWER_OF_DIFFERENCE = re.compile(r"\bpow\(\s*1\.0\s*-(?!\s*(?:clamp|min)\()[^;]*")


def compiled_together(name: str, found: dict[str, str]) -> dict[str, str]:
    """An entry point and the files that it includes; texts that Python writes are left out."""
    if name in FILES and name not in found:
        found[name] = FILES[name]
        for included in _INCLUDE.findall(FILES[name]):
            compiled_together(included, found)
    return found


def transforms() -> Iterator[tuple[str, str]]:
    """Name and text of passes of every algorithm and kind: what Python writes for them is in them."""
    wanted = [
        PlanRequest.of((4, n), (1,), name, storage=STORAGES[storage])
        for name in (*algorithm_names(), *algorithm_names(study=True))
        for n, storage in ((16, "buffer"), (60, "rgba32f"), (41, "rg32f"), (16, "buffer_double"))
    ]
    for real, kind in ((True, ""), (False, "dct2"), (False, "dst4")):
        wanted.append(PlanRequest.of((4, 36), (1,), "auto", storage=STORAGES["rg32f"], real=real, kind=KINDS.get(kind)))
    wanted.append(PlanRequest.of((4, 32), (1,), "auto", storage=STORAGES["rg32f"], multiply=Snippet(PRODUCT)))
    for each in wanted:
        try:
            passes = [spec for direction in each.directions for spec in plan_passes(each, direction, DEVICE)]
        except LimitError:
            continue
        for spec in passes:
            yield f"{each.algorithm} {each.shape} {each.storage.name}", spec.source.text


def test_no_entry_point_indexes_a_local_array_by_what_varies() -> None:
    found = [
        f"{name}, {place}"
        for name in ENTRY_POINTS
        if not name.startswith("fft/")
        for place in varying_indices(compiled_together(name, {}).values())
    ]
    assert found == []


def test_no_transform_indexes_a_local_array_by_what_varies() -> None:
    texts = {text: name for name, text in transforms()}
    assert len(texts) > 50
    assert {f"{name}, {place}" for text, name in texts.items() for place in varying_indices([text])} == set()


def test_all_loops_over_arrays_of_doubles_are_unrolled() -> None:
    """Such arrays are in transforms of float64 alone, whose texts ask for it."""
    assert [name for name, text in FILES.items() if _DOUBLES.search(text)] == []
    in_double = {text: name for name, text in transforms() if name.endswith(" buffer_double")}
    assert len(in_double) > 10
    assert {name for text, name in in_double.items() if "\n#pragma optionNV(unroll all)\n" not in text} == set()


@pytest.mark.parametrize(
    ("lengths", "radices", "threads", "told"),
    [
        ((126, 128), (9, 14), 14, True),
        ((250, 128), (5, 5, 10), 25, False),
        ((784, 1), (28, 28), 28, True),
        ((400, 1), (20, 20), 20, False),
    ],
)
def test_loops_over_so_many_points_that_a_compiler_may_leave_them_are_unrolled(
    lengths: tuple[int, int], radices: tuple[int, ...], threads: int, told: bool
) -> None:
    part, others = lengths
    request = axis_request((4, part * others), storage=STORAGES["buffer"], device=DEVICE)
    asked = choose.in_passes(request, lengths)[0] if others > 1 else request
    (spec,) = Stockham().passes(asked, KernelConfig(radices, threads, 2, exchange="in turn"))
    assert ("\n#pragma optionNV(unroll all)\n" in spec.source.text) == told


def test_no_fetch_is_at_a_constant_less_a_coordinate() -> None:
    assert [f"{name}, {place}" for name, text in FILES.items() for place in mirrored_fetches(text)] == []


def test_no_unsigned_number_goes_below_zero() -> None:
    assert [f"{name}, {place}" for name, text in FILES.items() for place in unsigned_below_zero(text)] == []


def test_no_power_has_a_base_that_rounding_may_bring_below_zero() -> None:
    """The product of two unit vectors may be a little above 1, and the power of a number below 0 is undefined."""
    found = [f"{name}, {each[0]}" for name, text in FILES.items() for each in _POWER_OF_DIFFERENCE.finditer(text)]
    assert found == []
    assert sum(len(re.findall(r"\bpow\(1\.0 - clamp\(", text)) for text in FILES.values()) > 1


# --- The forms are found --------------------------------------------------------------------------------------------

_MAIN = "shared vec2 slots[64]; uniform int n; {} void main() {{ {} }}"


@pytest.mark.parametrize(
    ("before", "body", "places"),
    [
        ("", "vec3 sums[2]; sums[int(far)] += vec3(1.0);", ["main: sums[int ( far )]"]),
        ("", "vec3 sums[2]; for (int i = 0; i < 2; i++) sums[i] = vec3(0.0);", []),
        ("", "vec3 sums[2]; for (int i = 0; i < n; i++) sums[i] = vec3(0.0);", ["main: sums[i]"]),
        ("", "vec3 sums[COUNT]; for (int i = 0; i < COUNT; i++) { int at = 2 * i; sums[at] = vec3(0.0); }", []),
        ("", "float s[4]; int at = 0; for (int i = 0; i < 4; i++) { at += n; s[at] = 0.0; }", ["main: s[at]"]),
        ("", "float s[4]; for (int i = 0; i < 4; i++) {} int i = n; s[i] = 0.0;", ["main: s[i]"]),
        ("", "vec4 texel; texel[gl_LocalInvocationIndex % 4] = 0.0;", ["main: texel[gl_LocalInvocationIndex % 4]"]),
        ("", "slots[gl_LocalInvocationIndex] = vec2(0.0);", []),
        ("buffer B { float numbers[]; };", "numbers[gl_GlobalInvocationID.x] = 0.0;", []),
        ("void put(inout float s[4], int i) { s[i] = 1.0; }", "float s[4]; put(s, 3);", []),
        ("void put(inout float s[4], int i) { s[i] = 1.0; }", "float s[4]; put(s, n);", ["put: s[i]"]),
        ("const float ROOTS[2] = float[2](0.0, 1.0);", "float a = ROOTS[n];", []),
    ],
)
def test_indices_that_vary_are_told_from_others(before: str, body: str, places: list[str]) -> None:
    assert varying_indices([_MAIN.format(before, body)]) == places


@pytest.mark.parametrize(
    ("coordinate", "found"),
    [
        ("SIZE - 1 - at", True),
        ("ivec2(SIZE) - at", True),
        ("ivec2(0, 7 - at.y)", True),
        ("ivec2(at.x, min(at.y, ROWS - at.y))", False),
        ("at - 1", False),
        ("at - ivec2(SIZE)", False),
        ("ivec2(SIZE - 1, at.y)", False),
        ("place", False),
        ("turned", True),
    ],
)
def test_mirrored_fetches_are_told_from_others(coordinate: str, found: bool) -> None:
    before = "ivec2 place = at - SIZE; ivec2 turned = SIZE - 1 - at;"
    text = f"void main() {{ {before} vec4 a = texelFetch(source, {coordinate}, 0); }}"
    assert bool(mirrored_fetches(text)) == found


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("0u - gl_WorkGroupID.y", True),
        ("LAYERS - 1u - gl_WorkGroupID.z", True),
        ("4u - count", True),
        ("LAYERS - 1 - int(gl_WorkGroupID.z)", False),
        ("gl_WorkGroupID.z - 1u", False),
        ("count - 4u", False),
        ("8u - 1u", False),
    ],
)
def test_unsigned_differences_are_told_from_others(expression: str, found: bool) -> None:
    assert bool(unsigned_below_zero(f"void main() {{ uint a = {expression}; }}")) == found
